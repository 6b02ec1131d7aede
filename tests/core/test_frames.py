"""Test the stack of frames: who is asked, what is forced, what closes a decision, what stops an undo."""

from typing import Any

import msgspec
import pytest

from engine.core import frames
from engine.core.errors import IllegalAction, RulesBug
from engine.core.frames import Ctx, Flow, Frame
from engine.core.rng import Rng, from_seed
from tests.core import toy

RULES = toy.RULES


def new(seats: int = 3, seed: int = 5, **options: Any) -> toy.State:
    return RULES.initial_state(RULES.config(seats, options), seed)


def to_spoils(state: toy.State) -> toy.State:
    """Bid the lowest cards and pass every window."""
    while not isinstance(state.flow.stack[-1], toy.SpoilsFrame):
        seat = RULES.pending(state)[0].seat
        state = RULES.apply(state, seat, RULES.legal_actions(state, seat)[0]).state
    return state


class Go(msgspec.Struct, frozen=True, tag="go", tag_field="type"):
    amount: int = 1
    loud: bool = False


class Ask(Frame, tag="ask"):
    count: int
    seats: tuple[int, ...] = (0,)

    def deciders(self, state: Any) -> tuple[int, ...]:
        return self.seats

    def options(self, state: Any, seat: int) -> tuple[Go, ...]:
        return tuple(Go(i) for i in range(self.count if seat == self.seats[0] else 2))

    def resolve(self, ctx: Ctx, seat: int, action: Go) -> None:
        ctx.pop()


class Idle(Frame, tag="idle"):
    def run(self, ctx: Ctx) -> None:
        pass


class Small(msgspec.Struct):
    flow: Flow[Ask | Idle | Frame]
    rng: Rng

    def clone(self) -> "Small":
        return Small(self.flow.clone(), self.rng.clone())


def small(*stack: Frame) -> Small:
    state = Small(Flow(list(stack)), from_seed(1))
    frames.start(state)
    return state


def test_all_seats_are_asked_at_once_and_each_choice_closes_its_own_decision() -> None:
    state = new()
    assert [d.id for d in RULES.pending(state)] == ["0.0", "0.1", "0.2"]
    state = RULES.apply(state, 1, RULES.legal_actions(state, 1)[0]).state
    assert [d.id for d in RULES.pending(state)] == ["0.0", "0.2"]
    state = RULES.apply(state, 0, RULES.legal_actions(state, 0)[0]).state
    assert [d.id for d in RULES.pending(state)] == ["0.2"]
    state = RULES.apply(state, 2, RULES.legal_actions(state, 2)[0]).state
    assert [d.id.split(".")[0] for d in RULES.pending(state)] == ["3"]


def test_a_stored_choice_cannot_be_made_again() -> None:
    state = new()
    bids = RULES.legal_actions(state, 1)
    state = RULES.apply(state, 1, bids[0]).state
    with pytest.raises(IllegalAction, match="seat 1 has no open decision now"):
        RULES.apply(state, 1, bids[1])


def test_secret_choices_are_revealed_together() -> None:
    state = new()
    told = []
    for seat in (2, 0, 1):
        step = RULES.apply(state, seat, RULES.legal_actions(state, seat)[0])
        told.append([type(emitted.event).__name__ for emitted in step.events])
        state = step.state
    assert told == [["HasChosen"], ["HasChosen"], ["HasChosen", "Revealed"]]


def test_a_nested_frame_returns_to_the_one_below() -> None:
    state = to_spoils(new())
    seat = RULES.pending(state)[0].seat
    state = RULES.apply(state, seat, toy.Look()).state
    assert RULES.pending(state)[0].kind == "put"
    state = RULES.apply(state, seat, toy.Leave()).state
    assert RULES.pending(state)[0].kind == "bid"
    assert state.round == 2


def test_a_single_option_is_taken_without_asking() -> None:
    assert frames.pending(small(Ask(1))) == ()
    assert len(frames.pending(small(Ask(2)))) == 1


def test_a_single_option_is_asked_in_a_window_whose_absence_would_tell() -> None:
    state = new(rounds=1)
    asked = 0
    while pending := RULES.pending(state):
        seat = pending[0].seat
        legal = RULES.legal_actions(state, seat)
        asked += pending[0].kind == "spy" and legal == (toy.Pass(),)
        state = RULES.apply(state, seat, legal[-1]).state
    assert asked


def test_an_automa_is_asked_even_when_its_cards_leave_one_choice() -> None:
    state = new(automa={1: "easy"})
    decision = RULES.pending(state)[1]
    assert decision.automa
    assert len(RULES.legal_actions(state, 1)) == 1


def test_no_option_for_somebody_who_must_decide_is_a_bug_of_the_rules() -> None:
    with pytest.raises(RulesBug, match="dead end: seat 0 has no option in Ask"):
        small(Ask(0))
    with pytest.raises(RulesBug, match="dead end"):
        small(Ask(0, (0, 1)))


def test_a_frame_that_lapses_acts_by_itself_when_no_option_is_left() -> None:
    class Spend(Ask, tag="spend"):
        lapses = True

        def run(self, ctx: Ctx) -> None:
            ctx.pop()

    state = small(Ask(3), Spend(0))
    assert [decision.kind for decision in frames.pending(state)] == ["ask"]
    assert [decision.kind for decision in frames.pending(small(Ask(3), Spend(2)))] == ["spend"]


def test_a_flow_that_turns_in_a_circle_is_stopped() -> None:
    with pytest.raises(RulesBug, match="runaway flow in Idle"):
        small(Idle())


def test_a_frame_that_neither_asks_nor_acts_is_a_bug_of_the_rules() -> None:
    class Silent(Frame, tag="silent"):
        pass

    with pytest.raises(RulesBug, match="Silent does not act by itself"):
        small(Silent())
    with pytest.raises(RulesBug, match="asks nothing"):
        Silent().options(None, 0)
    with pytest.raises(RulesBug, match="takes no answer"):
        Silent().resolve(Ctx(small(Ask(2)), None), 0, Go())


def test_the_listed_action_is_played_when_an_equal_one_comes() -> None:
    played = []

    class Watch(Ask, tag="watch"):
        def resolve(self, ctx: Ctx, seat: int, action: Go) -> None:
            played.append(action)
            ctx.pop()

    state = small(Watch(2))
    frames.apply(state, 0, Go(True))
    assert played[0].amount is not True
    assert played == [Go(1)]


def test_an_illegal_action_names_the_open_decision() -> None:
    state = new()
    with pytest.raises(IllegalAction, match=r"not among the 3 legal actions of the open decision \(bid\)") as caught:
        RULES.apply(state, 0, toy.Look())
    assert (caught.value.seat, caught.value.kind) == (0, "bid")


def test_the_last_frame_off_the_stack_ends_the_game() -> None:
    state = small(Ask(2))
    step = frames.apply(state, 0, Go(0))
    assert frames.pending(step.state) == ()
    assert frames.legal_actions(step.state, 0) == ()
    assert step.barrier


def test_a_choice_that_tells_nobody_anything_can_be_undone() -> None:
    state = small(Ask(2), Ask(2))
    assert not frames.apply(state, 0, Go(0)).barrier


@pytest.mark.parametrize("cause", ["draw", "tell", "reveal", "pass"])
def test_a_barrier_stands_where_something_became_known(cause: str) -> None:
    class Cause(Ask, tag="cause"):
        def resolve(self, ctx: Ctx, seat: int, action: Go) -> None:
            ctx.pop()
            if cause == "draw":
                ctx.rng.below("deck", 2)
            elif cause == "tell":
                ctx.tell(0, Go(), None)
            elif cause == "reveal":
                ctx.reveal()

    below = Ask(2, (1,)) if cause == "pass" else Ask(2)
    assert frames.apply(small(below, Cause(2)), 0, Go(0)).barrier


def test_search_hears_no_events() -> None:
    made = []

    class Tell(Ask, tag="tell"):
        def resolve(self, ctx: Ctx, seat: int, action: Go) -> None:
            ctx.emit(lambda: made.append(1))
            ctx.pop()

    frames.advance(small(Tell(2)), 0, Go(0))
    assert made == []
    frames.apply(small(Tell(2)), 0, Go(0))
    assert made == [1]


def test_frames_can_replace_themselves() -> None:
    class First(Ask, tag="first"):
        def resolve(self, ctx: Ctx, seat: int, action: Go) -> None:
            ctx.replace(Ask(3))

    state = frames.apply(small(First(2)), 0, Go(0)).state
    assert len(frames.legal_actions(state, 0)) == 3
    assert frames.pending(state)[0].id == "1.0"


def test_an_open_decision_is_not_taken_as_forced_when_the_others_have_chosen() -> None:
    class Both(Ask, tag="both"):
        def resolve(self, ctx: Ctx, seat: int, action: Go) -> None:
            self.seats = tuple(s for s in self.seats if s != seat)
            if not self.seats:
                ctx.pop()

    state = frames.apply(small(Both(1, (0, 1))), 1, Go(0)).state
    assert [decision.id for decision in frames.pending(state)] == ["0.0"]
    assert frames.legal_actions(state, 0) == (Go(0),)
    assert frames.pending(frames.apply(state, 0, Go(0)).state) == ()
