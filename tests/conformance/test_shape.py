"""Hold games to the shapes of the contract: plain data in states, frozen messages, honest information."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from engine.core.errors import BadConfig
from engine.core.frames import Frame
from engine.core.rules import RulesInfo
from tests.conformance.cases import CASES, Case, rules_of

GAMES = tuple({case.game: case for case in CASES}.values())
SCALARS = (inspect.IntType, inspect.StrType, inspect.BoolType, inspect.EnumType, inspect.NoneType)


def structs(kind: inspect.Type) -> Iterator[inspect.StructType]:
    """Yield the Structs that a type leads to, each once."""
    todo, seen = [kind], set()
    while todo:
        here = todo.pop()
        if isinstance(here, inspect.StructType):
            if here.cls in seen:
                continue
            seen.add(here.cls)
            yield here
            todo += [field.type for field in here.fields]
        elif isinstance(here, inspect.UnionType):
            todo += here.types
        elif isinstance(here, inspect.TupleType):
            todo += here.item_types
        elif isinstance(here, inspect.DictType):
            todo += [here.key_type, here.value_type]
        elif isinstance(here, inspect.VarTupleType | inspect.ListType):
            todo.append(here.item_type)


def is_plain(kind: inspect.Type) -> bool:
    """Return whether a frame's field is a scalar, or tuples and optional forms of scalars."""
    if isinstance(kind, inspect.UnionType):
        return all(map(is_plain, kind.types))
    if isinstance(kind, inspect.TupleType):
        return all(map(is_plain, kind.item_types))
    if isinstance(kind, inspect.VarTupleType):
        return is_plain(kind.item_type)
    return isinstance(kind, SCALARS)


def snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.game)
class TestShape:
    def test_frames_hold_scalars_and_tuples_so_that_a_shallow_copy_is_a_full_one(self, case: Case) -> None:
        state = inspect.type_info(rules_of(case).types.state)
        frames = [struct for struct in structs(state) if isinstance(struct.cls, type) and issubclass(struct.cls, Frame)]
        assert len(frames) > 3
        for frame in frames:
            wrong = [field.name for field in frame.fields if not is_plain(field.type)]
            assert not wrong, f"{frame.cls.__name__}: {wrong}"

    def test_actions_events_and_tables_are_frozen_and_tagged_by_their_names(self, case: Case) -> None:
        types = rules_of(case).types
        for union in (types.action, types.event):
            members = inspect.type_info(union).types  # type: ignore[attr-defined]
            for member in members:
                assert member.cls.__struct_config__.tag_field == "type"
                assert member.cls.__struct_config__.tag == snake(member.cls.__name__)
        for kind in (types.action, types.event, types.table, types.config):
            for struct in structs(inspect.type_info(kind)):
                assert struct.cls.__struct_config__.frozen, struct.cls.__name__
                assert not struct.cls.__struct_config__.array_like, struct.cls.__name__

    def test_actions_name_no_seat_that_acts(self, case: Case) -> None:
        for member in inspect.type_info(rules_of(case).types.action).types:  # type: ignore[attr-defined]
            assert not {"actor", "player"} & {field.name for field in member.fields}, member.cls.__name__

    def test_info_says_what_the_game_is(self, case: Case) -> None:
        info = rules_of(case).info
        assert isinstance(info, RulesInfo)
        assert info.id == case.game
        assert info.name
        assert info.rules_version
        assert info.data_version
        assert 1 <= info.min_seats <= info.max_seats
        assert info.max_decisions > 0
        assert info.provenance
        assert all(option.name and option.type and option.help for option in info.options)
        assert len({option.name for option in info.options}) == len(info.options)
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(info), type=RulesInfo) == info

    def test_a_wrong_config_names_its_field(self, case: Case) -> None:
        rules = rules_of(case)
        info = rules.info
        wrong: list[tuple[int, dict[str, Any], str]] = [
            (info.min_seats - 1, {}, "seats"),
            (info.max_seats + 1, {}, "seats"),
            (info.max_seats, {"no such option": True}, "no such option"),
        ]
        for seats, options, field in wrong:
            with pytest.raises(BadConfig) as caught:
                rules.config(seats, options)
            assert caught.value.field == field
            assert caught.value.message

    def test_a_seed_outside_its_range_is_refused(self, case: Case) -> None:
        rules = rules_of(case)
        config = rules.config(case.seats, case.options)
        assert rules.initial_state(config, (1 << 256) - 1)
        for seed in (-1, 1 << 256):
            with pytest.raises(ValueError, match="seed must be"):
                rules.initial_state(config, seed)
