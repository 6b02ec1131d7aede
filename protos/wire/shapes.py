"""Compare engine types with proto messages, and name their parts for the plans.

The rules: a Struct is a message of the same name with the same fields; int is an integer field, str a string, bool a
bool; `tuple[T, ...]` is repeated; `dict[K, V]` is a map (a StrEnum key is a string); a StrEnum `Good` is the enum
`Good` with `GOOD_UNSPECIFIED` and one `GOOD_<VALUE>` for each member; `X | None` of a scalar is `optional`; a tagged
union is a message with one oneof whose fields are named after the tags.
"""

import re
from typing import Any

import msgspec.inspect as mi
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

_INTEGERS = frozenset(
    {
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_UINT32,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_SINT64,
    }
)


def unwrap(kind: mi.Type) -> tuple[mi.Type, bool]:
    """Return a type without its None, and whether it had one."""
    if not isinstance(kind, mi.UnionType):
        return kind, False
    rest = tuple(member for member in kind.types if not isinstance(member, mi.NoneType))
    return (rest[0] if len(rest) == 1 else mi.UnionType(rest)), len(rest) < len(kind.types)


def arms(kind: mi.Type, message: Descriptor) -> tuple[mi.StructType, ...] | None:
    """Return the Structs of a tagged union, None for any other type; a lone tagged Struct is one if its message is."""
    if isinstance(kind, mi.UnionType):
        structs = tuple(member for member in kind.types if isinstance(member, mi.StructType))
        return structs if len(structs) == len(kind.types) else None
    if isinstance(kind, mi.StructType) and kind.tag is not None and _has_one_oneof(message):
        return (kind,)
    return None


def message_of(field: FieldDescriptor) -> Descriptor:
    """Return the message type of a field; raise TypeError when it has none."""
    if field.message_type is None:
        raise TypeError(f"{field.full_name} is no message")
    return field.message_type


def enum_of(field: FieldDescriptor) -> EnumDescriptor:
    """Return the enum of a field; raise TypeError when it has none."""
    if field.enum_type is None:
        raise TypeError(f"{field.full_name} is no enum")
    return field.enum_type


def struct_of(kind: mi.Type) -> mi.StructType:
    """Return a type as the Struct it is; raise TypeError for any other."""
    if not isinstance(kind, mi.StructType):
        raise TypeError(f"{kind} is no Struct")
    return kind


def is_map(field: FieldDescriptor) -> bool:
    """Tell whether a field is a map."""
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def enum_prefix(name: str) -> str:
    """Return what the proto names of an enum's values begin with: "SchemeDeck" gives "SCHEME_DECK_"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper() + "_"


def enum_value_name(prefix: str, value: str) -> str:
    """Return the proto name of an enum value: prefix and the value in upper case."""
    return prefix + re.sub(r"[^A-Za-z0-9]", "_", value).upper()


def differences(kind: Any, message: Descriptor) -> list[str]:
    """List every difference between a type and a message, and between all they contain; empty when they agree."""
    found: list[str] = []
    _compare_message(mi.type_info(kind), message, message.name, found, set())
    return found


def _has_one_oneof(message: Descriptor) -> bool:
    real = [oneof for oneof in message.oneofs if not oneof.name.startswith("_")]
    return len(real) == 1 and len(real[0].fields) == len(message.fields) > 0


def _compare_message(
    kind: mi.Type, message: Descriptor, path: str, found: list[str], seen: set[tuple[Any, str]]
) -> None:
    union = arms(kind, message)
    if union is not None:
        _compare_union(union, message, path, found, seen)
    elif isinstance(kind, mi.StructType):
        key = (kind.cls, message.full_name)
        if key not in seen:
            seen.add(key)
            if kind.cls.__name__ != message.name:
                found.append(f"{path}: Struct {kind.cls.__name__} is message {message.name}")
            if _has_one_oneof(message):
                found.append(f"{path}: a plain Struct is a message with a oneof")
            _compare_fields(kind, message, path, found, seen)
    else:
        found.append(f"{path}: {_name(kind)} cannot be a message")


def _compare_union(
    union: tuple[mi.StructType, ...], message: Descriptor, path: str, found: list[str], seen: set[tuple[Any, str]]
) -> None:
    if not _has_one_oneof(message):
        found.append(f"{path}: a union must be a message of one oneof and nothing else")
        return
    by_tag = {str(arm.tag): arm for arm in union}
    _compare_names(set(by_tag), set(message.fields_by_name), path, found)
    for tag, arm in by_tag.items():
        if arm.tag_field != "type":
            found.append(f"{path}.{tag}: the tag field must be called type")
        field = message.fields_by_name.get(tag)
        if field is None:
            continue
        if field.message_type is None:
            found.append(f"{path}.{tag}: must be a message")
        else:
            _compare_message(arm, field.message_type, f"{path}.{tag}", found, seen)


def _compare_fields(
    kind: mi.StructType, message: Descriptor, path: str, found: list[str], seen: set[tuple[Any, str]]
) -> None:
    _compare_names({field.name for field in kind.fields}, set(message.fields_by_name), path, found)
    for struct_field in kind.fields:
        field = message.fields_by_name.get(struct_field.name)
        if field is not None:
            _compare_field(struct_field.type, field, f"{path}.{field.name}", found, seen)


def _compare_names(here: set[str], there: set[str], path: str, found: list[str]) -> None:
    found.extend(f"{path}.{name}: missing in the proto" for name in sorted(here - there))
    found.extend(f"{path}.{name}: missing in the engine" for name in sorted(there - here))


def _compare_field(
    kind: mi.Type, field: FieldDescriptor, path: str, found: list[str], seen: set[tuple[Any, str]]
) -> None:
    inner, optional = unwrap(kind)
    if isinstance(inner, mi.VarTupleType | mi.DictType):
        if optional:
            found.append(f"{path}: tuples and dicts cannot be None on the wire")
        _compare_many(inner, field, path, found, seen)
        return
    if field.is_repeated:
        found.append(f"{path}: {_name(inner)} is repeated in the proto")
        return
    if field.message_type is None and field.has_presence != optional:
        found.append(f"{path}: {'must' if optional else 'must not'} be optional in the proto")
    _compare_value(inner, field, path, found, seen)


def _compare_many(
    kind: mi.VarTupleType | mi.DictType, field: FieldDescriptor, path: str, found: list[str], seen: set[tuple[Any, str]]
) -> None:
    if isinstance(kind, mi.DictType):
        if not is_map(field):
            found.append(f"{path}: must be a map")
            return
        entry = message_of(field).fields_by_name
        if isinstance(kind.key_type, mi.EnumType):
            if entry["key"].type != FieldDescriptor.TYPE_STRING:
                found.append(f"{path}: keys must be strings")
        elif not isinstance(kind.key_type, mi.StrType | mi.IntType):
            found.append(f"{path}: {_name(kind.key_type)} cannot be a key")
        else:
            _compare_value(kind.key_type, entry["key"], f"{path} (key)", found, seen)
        _compare_value(kind.value_type, entry["value"], f"{path} (value)", found, seen)
    elif is_map(field) or not field.is_repeated:
        found.append(f"{path}: must be repeated")
    else:
        _compare_value(kind.item_type, field, path, found, seen)


def _compare_value(
    kind: mi.Type, field: FieldDescriptor, path: str, found: list[str], seen: set[tuple[Any, str]]
) -> None:
    if isinstance(kind, mi.StructType | mi.UnionType) and field.message_type is not None:
        _compare_message(kind, field.message_type, path, found, seen)
    elif isinstance(kind, mi.EnumType) and field.enum_type is not None:
        _compare_enum(kind, field.enum_type, path, found)
    elif not (
        (isinstance(kind, mi.BoolType) and field.type == FieldDescriptor.TYPE_BOOL)
        or (isinstance(kind, mi.IntType) and field.type in _INTEGERS)
        or (isinstance(kind, mi.StrType) and field.type == FieldDescriptor.TYPE_STRING)
    ):
        found.append(f"{path}: {_name(kind)} is another type in the proto")


def _compare_enum(kind: mi.EnumType, enum: EnumDescriptor, path: str, found: list[str]) -> None:
    if kind.cls.__name__ != enum.name:
        found.append(f"{path}: enum {kind.cls.__name__} is {enum.name} in the proto")
    prefix = enum_prefix(enum.name)
    names = {f"{prefix}UNSPECIFIED"} | {enum_value_name(prefix, member.value) for member in kind.cls}
    _compare_names(names, set(enum.values_by_name), path, found)


def _name(kind: mi.Type) -> str:
    named = getattr(kind, "cls", None)
    return named.__name__ if isinstance(named, type) else type(kind).__name__.removesuffix("Type").lower()
