"""Generate any value that a wire type allows."""

from typing import Any

import msgspec.inspect as mi
from hypothesis import strategies as st

_INT32 = st.integers(-(2**31), 2**31 - 1)


def values(kind: Any) -> st.SearchStrategy[Any]:
    return _of(mi.type_info(kind))


def _of(kind: mi.Type) -> st.SearchStrategy[Any]:
    match kind:
        case mi.UnionType():
            return st.one_of([_of(member) for member in kind.types])
        case mi.NoneType():
            return st.none()
        case mi.BoolType():
            return st.booleans()
        case mi.IntType(ge=None, le=None):
            return _INT32
        case mi.IntType():
            return st.integers(kind.ge, kind.le)
        case mi.StrType():
            return st.text(max_size=6)
        case mi.EnumType():
            return st.sampled_from(list(kind.cls))
        case mi.VarTupleType():
            return st.lists(_of(kind.item_type), max_size=3).map(tuple)
        case mi.DictType():
            return st.dictionaries(_of(kind.key_type), _of(kind.value_type), max_size=3)
        case mi.StructType():
            return st.builds(kind.cls, **{field.name: _of(field.type) for field in kind.fields})
    raise TypeError(f"{kind} does not cross the wire")
