"""Test the bytes of any message, and any bytes as a message."""

import contextlib
import enum
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from engine.core import codec
from engine.core.errors import WrongVersion
from engine.core.events import Emitted
from tests.conformance.cases import CASES, Case, rules_of

GAMES = tuple({case.game: case for case in CASES}.values())


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a wire type."""
    match kind:
        case inspect.IntType(ge=least, le=most):
            return st.integers(-(1 << 31) if least is None else least, (1 << 31) - 1 if most is None else most)
        case inspect.StrType(min_length=least, max_length=most):
            return st.text(min_size=least or 0, max_size=5 if most is None else most)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.EnumType(cls=cls) if issubclass(cls, enum.Enum):
            return st.sampled_from(list(cls))
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            return st.lists(values(item), min_size=least or 0, max_size=3 if most is None else most).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(values, items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(values(key), values(value), max_size=3)
        case inspect.UnionType(types=types):
            return st.one_of(*map(values, types))
        case inspect.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{field.name: values(field.type) for field in fields})
    raise AssertionError(f"no value on the wire is a {kind}")


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.game)
class TestCodec:
    @settings(max_examples=60)
    @given(data=st.data())
    def test_any_action_comes_back(self, case: Case, data: st.DataObject) -> None:
        rules = rules_of(case)
        action = data.draw(values(inspect.type_info(rules.types.action)))
        assert codec.decode_action(rules, codec.encode_action(action)) == action

    @settings(max_examples=60)
    @given(data=st.data())
    def test_any_event_comes_back_with_its_audience(self, case: Case, data: st.DataObject) -> None:
        rules = rules_of(case)
        event = values(inspect.type_info(rules.types.event))
        audience = st.none() | st.lists(st.integers(0, 7), max_size=3).map(tuple)
        events = tuple(data.draw(st.lists(st.builds(Emitted, event, audience, st.none() | event), max_size=3)))
        assert codec.decode_events(rules, codec.encode_events(events)) == events

    @given(data=st.binary(max_size=60))
    def test_any_bytes_are_read_or_refused_and_nothing_else(self, case: Case, data: bytes) -> None:
        rules = rules_of(case)
        for read in (codec.decode, codec.decode_action, codec.decode_config, codec.decode_events):
            with contextlib.suppress(msgspec.DecodeError, WrongVersion):
                read(rules, data)
