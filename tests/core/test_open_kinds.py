"""Offers that a seat words itself: a sample is listed, one validator decides, and honest neighbours do not collide."""

from typing import Any

import msgspec
import pytest

from engine.core import frames
from engine.core.errors import IllegalAction
from engine.core.frames import Flow, Frame
from engine.core.rng import Rng


class Say(msgspec.Struct, frozen=True, tag="say"):
    number: int


class Market(Frame, tag="market"):
    """Two seats name numbers; a number of the other seat becomes an option of one's own."""

    open = ("say",)

    said: tuple[int, ...] = ()

    def deciders(self, state: Any) -> tuple[int, ...]:
        return (0, 1)

    def options(self, state: Any, seat: int) -> tuple[Any, ...]:
        return (Say(0), *(Say(number) for number in self.said if number % 2 == seat))

    def refusal(self, state: Any, seat: int, action: Any) -> str | None:
        return None if 0 < action.number < 100 else "say a number from 1 to 99"

    def resolve(self, ctx: frames.Ctx, seat: int, action: Any) -> None:
        self.said = (*self.said, action.number)


class State(msgspec.Struct):
    flow: Flow[Market]
    rng: Rng

    def clone(self) -> "State":
        return State(self.flow.clone(), self.rng.clone())


@pytest.fixture
def state() -> State:
    fresh = State(Flow([Market()]), Rng(b"s"))
    frames.start(fresh)
    return fresh


def test_the_decision_names_its_open_kinds(state: State) -> None:
    assert [decision.open for decision in frames.pending(state)] == [("say",), ("say",)]


def test_an_unlisted_action_is_played_when_the_validator_allows_it(state: State) -> None:
    assert Say(7) not in frames.legal_actions(state, 0)
    assert frames.apply(state, 0, Say(7)).state.flow.stack[0].said == (7,)


def test_the_validator_words_the_refusal(state: State) -> None:
    with pytest.raises(IllegalAction, match="say a number from 1 to 99"):
        frames.apply(state, 0, Say(100))


def test_a_decision_keeps_its_id_while_others_leave_its_list_alone(state: State) -> None:
    after = frames.apply(state, 0, Say(4)).state
    assert [decision.id for decision in frames.pending(after)] == ["1.0", "0.1"]


def test_a_decision_whose_list_another_seat_changed_opens_anew(state: State) -> None:
    after = frames.apply(state, 0, Say(5)).state
    assert [decision.id for decision in frames.pending(after)] == ["1.0", "1.1"]
