"""Hold the protos to what a client finds nowhere else: whose seat an event names, kinds of decision, sources."""

import re
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from engine.core.frames import Frame
from engine.core.registry import GAMES
from tests.conformance.cases import GAME_CASES
from tests.conformance.walk import begin, walk
from veche.v1 import common_pb2

PROTOS = Path(__file__).parents[2] / "protos" / "veche" / "games"


def text(game: str) -> str:
    """Return a game's proto with its comments run together."""
    return (PROTOS / game / "v1" / f"{game}.proto").read_text(encoding="utf-8").replace("\n//", "")


@pytest.mark.parametrize("game", GAMES)
def test_the_seat_of_an_event_acted_or_it_happened_to_it(game: str) -> None:
    head = text(game).partition("message Event {")[0].rpartition("\n\n")[2]
    assert "is the seat that acted or that it happened to" in re.sub(r"\s+", " ", head)


@pytest.mark.parametrize("game", GAMES)
def test_to_an_older_client_what_is_new_keeps_its_text_and_index(game: str) -> None:
    unknown = b"\xfa\x7f\x00"  # a field that no release has, as an alternative of a later one is to an older client
    action = getattr(common_pb2.GameAction(), game).FromString(unknown)
    legal = common_pb2.LegalAction(index=3, text="Do what is new", action=common_pb2.GameAction(**{game: action}))
    read = common_pb2.LegalAction.FromString(legal.SerializeToString())
    assert getattr(read.action, game).WhichOneof("action") is None
    assert (read.index, read.text) == (3, "Do what is new")


def listed(game: str, head: str) -> dict[str, str]:
    """Return the names that a comment lists below its head, with what stands beside each."""
    part = text(game).partition(head)[2].partition("message ")[0]
    return dict(re.findall(r"   ([a-z_]+): (.+?)(?=   [a-z_]+: |$)", part.replace("\n", "")))


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_is_listed_with_its_actions(game: str) -> None:
    frames = get_args(import_module(f"engine.games.{game}.flow").StackFrame)
    asking = {frame.__struct_config__.tag for frame in frames if frame.options is not Frame.options}
    told = listed(game, "(Decision.kind) and the actions that answer them:")
    assert set(told) == asking
    actions = {action.__name__ for action in get_args(GAMES[game].types.action)}
    assert {name for names in told.values() for name in re.findall(r"\w+", names)} == actions
    for case in GAME_CASES:
        if case.game == game:
            for moment in walk(case, 1):
                kinds = {type(action).__name__ for action in moment.legal}
                assert kinds <= set(re.findall(r"\w+", told[moment.decision.kind]))


@pytest.mark.parametrize("game", GAMES)
def test_every_source_of_a_score_is_listed(game: str) -> None:
    sources: set[str] = set()
    for case in GAME_CASES:
        if case.game == game:
            rules, state = begin(case, 1)
            for moment in walk(case, 1):
                state = moment.step.state
            outcome = rules.outcome(state)
            assert outcome is not None
            sources.update(name for parts in outcome.breakdown for name in parts)
    assert set(listed(game, "(keys of SeatResult.breakdown):")) == sources
