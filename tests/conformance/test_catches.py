"""Break the toy game on purpose, one promise at a time: the suite must notice each."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from _pytest.outcomes import Failed

from engine.core import frames
from engine.core.errors import EngineError, IllegalAction
from engine.core.frames import Ctx
from engine.core.rules import Step, View
from tests.conformance import test_determinize, test_flow, test_legality, test_secrecy, test_state, test_words
from tests.conformance.cases import Case
from tests.core import toy

#: Three seats: in so small a game everybody looks at every decision.
CASE = Case("toy-3", "toy", 3, {"rounds": 4})
Patch = Callable[[pytest.MonkeyPatch], None]


def rules(**members: Any) -> Patch:
    """Return a patch that puts other members into the rules object."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        for name, member in members.items():
            monkeypatch.setattr(toy.RULES, name, member, raising=False)

    return patch


def show_a_hand(state: Any, seat: int | None) -> View:
    view = toy.Toy().observe(state, seat)
    return replace(view, flow=view.flow + bytes(state.hands[0]))


def show_a_length(state: Any, seat: int | None) -> View:
    """Tell by the length of a message whether somebody holds the spy."""
    view = toy.Toy().observe(state, seat)
    return replace(view, flow=view.flow + b"." * any(toy.SPY in hand for hand in state.hands))


def show_the_seed(state: Any, seat: int | None) -> View:
    view = toy.Toy().observe(state, seat)
    return replace(view, flow=view.flow + state.rng.seed)


def apply_in_place(state: Any, seat: int, action: Any) -> Step:
    frames.apply(state, seat, action)
    frames.advance(state, seat, action)
    return Step(state, (), barrier=True)


def apply_anything(state: Any, seat: int, action: Any) -> Step:
    try:
        return frames.apply(state, seat, action)
    except IllegalAction:
        return Step(state.clone(), (), barrier=False)


def apply_without_barrier(state: Any, seat: int, action: Any) -> Step:
    return msgspec.structs.replace(frames.apply(state, seat, action), barrier=False)


def list_twice(state: Any, seat: int) -> tuple[Any, ...]:
    legal = frames.legal_actions(state, seat)
    return legal + legal[-1:]


def guess_wrong_sizes(view: View, rng: Any) -> Any:
    guess = toy.Toy().determinize(view, rng)
    if guess.deck:
        guess.hands[0].append(guess.deck.pop())
    return guess


def describe_in_two_lines(thing: Any, view: View) -> str:
    return toy.Toy().describe(thing, view) + "\n."


def share_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    clone = toy.State.clone

    def shallow(self: toy.State) -> toy.State:
        copy = clone(self)
        copy.hands = self.hands
        return copy

    monkeypatch.setattr(toy.State, "clone", shallow)


def lose_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = toy.PutFrame.resolve

    def patch(self: toy.PutFrame, ctx: Ctx, seat: int, action: Any) -> None:
        resolve(self, ctx, seat, action)
        ctx.state.deck = ctx.state.deck[1:]

    monkeypatch.setattr(toy.PutFrame, "resolve", patch)


def deal_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = Ctx.tell
    monkeypatch.setattr(Ctx, "tell", lambda self, seat, event, _: tell(self, seat, event, event))


def skip_the_window_without_the_spy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.SpyFrame, "secret", False)
    # Only where two games agree on every bid and not on who holds the spy does it show: one in dozens.
    monkeypatch.setattr(test_secrecy, "SEEDS", range(400, 600))


def never_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.PutFrame, "resolve", lambda *_: None)


BREAKS: tuple[tuple[Patch, Callable[..., None]], ...] = (
    (rules(observe=show_a_hand), test_secrecy.TestSecrecy.test_states_that_differ_in_secrets_alone_look_the_same),
    (rules(observe=show_a_length), test_secrecy.TestSecrecy.test_states_that_differ_in_secrets_alone_look_the_same),
    (rules(observe=show_the_seed), test_secrecy.TestSecrecy.test_the_seed_is_in_no_view_and_in_no_event),
    (rules(apply=apply_without_barrier), test_secrecy.TestSecrecy.test_what_follows_tells_them_apart_only_in_the_open),
    (
        rules(apply=apply_without_barrier),
        test_secrecy.TestSecrecy.test_an_action_shows_no_difference_to_a_seat_without_a_barrier,
    ),
    (deal_in_the_open, test_secrecy.TestSecrecy.test_what_follows_tells_them_apart_only_in_the_open),
    (deal_in_the_open, test_secrecy.TestSecrecy.test_what_a_seat_reads_of_private_events_is_less_for_others),
    (skip_the_window_without_the_spy, test_secrecy.TestSecrecy.test_what_follows_tells_them_apart_only_in_the_open),
    (rules(apply=apply_in_place), test_state.TestState.test_apply_leaves_every_earlier_state_as_it_was),
    (share_hands, test_state.TestState.test_apply_leaves_every_earlier_state_as_it_was),
    (rules(apply=apply_anything), test_legality.TestLegality.test_what_is_not_listed_raises_and_changes_nothing),
    (rules(legal_actions=list_twice), test_flow.TestFlow.test_somebody_can_always_move_until_the_game_ends),
    (lose_a_card, test_flow.TestFlow.test_every_piece_and_card_is_accounted_for_after_every_decision),
    (never_end, test_flow.TestFlow.test_somebody_can_always_move_until_the_game_ends),
    (
        rules(determinize=guess_wrong_sizes),
        test_determinize.TestDeterminize.test_a_guess_looks_like_the_truth_to_its_seat_and_plays_fifty_moves,
    ),
    (
        rules(describe=describe_in_two_lines),
        test_words.TestWords.test_every_decision_and_legal_action_has_its_line_for_everybody,
    ),
)


@pytest.mark.parametrize(
    ("patch", "test"), BREAKS, ids=[f"{index}-{test.__name__}" for index, (_, test) in enumerate(BREAKS)]
)
def test_a_broken_promise_is_noticed(monkeypatch: pytest.MonkeyPatch, patch: Patch, test: Callable[..., None]) -> None:
    patch(monkeypatch)
    with pytest.raises((AssertionError, Failed, EngineError, ValueError)):
        test(None, CASE)
