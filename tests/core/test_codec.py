"""Test the bytes of states, actions, events and configs."""

import msgspec
import pytest

from engine.core import codec
from engine.core.errors import WrongVersion
from engine.core.events import Emitted
from tests.core import toy

RULES = toy.RULES


def new() -> toy.State:
    return RULES.initial_state(RULES.config(2, {}), 9)


def test_the_cache_of_legal_actions_stays_behind() -> None:
    state = new()
    warm = codec.encode(RULES, state)
    assert state.flow.legal
    state.flow.legal = None
    assert codec.encode(RULES, state) == warm
    assert codec.decode(RULES, warm).flow.legal is None


def test_bytes_of_another_game_or_version_are_refused() -> None:
    state = msgspec.msgpack.decode(codec.encode(RULES, new()))[2]
    for header in (("other", "1"), ("toy", "2")):
        with pytest.raises(WrongVersion, match="state of"):
            codec.decode(RULES, msgspec.msgpack.encode((*header, state)))


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x93\xa3toy\xa11"])
def test_broken_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        codec.decode(RULES, data)


def test_an_action_of_no_known_kind_is_refused() -> None:
    for wrong in ({"type": "castle"}, {"type": "bid"}, {"type": "bid", "card": "x"}, {"card": 1}, 3):
        with pytest.raises(msgspec.ValidationError):
            codec.decode_action(RULES, msgspec.msgpack.encode(wrong))


def test_events_keep_their_audience() -> None:
    events = (
        Emitted(toy.HasChosen(1)),
        Emitted(toy.Dealt(0, 7), (0,), toy.Dealt(0)),
        Emitted(toy.Looked(1, 4), (0, 1), None),
    )
    assert codec.decode_events(RULES, codec.encode_events(events)) == events


def test_a_config_with_numbered_keys_comes_back() -> None:
    config = RULES.config(3, {"automa": {1: "easy", 2: "easy"}})
    assert codec.decode_config(RULES, codec.encode_config(config)) == config
