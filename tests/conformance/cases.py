"""List what every test of the engine contract runs over: games, seat counts, options."""

from importlib import import_module
from typing import Any

import msgspec

from engine.core.registry import GAMES
from engine.core.rules import Rules
from tests.core import toy, toy_view


class Case(msgspec.Struct, frozen=True):
    """Be one way to set a game up; `name` is what the command line of fuzz and golden calls it."""

    name: str
    game: str
    seats: int
    options: dict[str, Any] = {}

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.name)


CASES = (
    Case("toy-2", "toy", 2),
    Case("toy-4", "toy", 4, {"rounds": 4}),
    Case("toy-automa", "toy", 3, {"automa": {1: "easy"}}),
    Case("rurik-2", "rurik", 2),
    Case("rurik-3", "rurik", 3),
    Case("rurik-4", "rurik", 4),
    Case("rurik-solo-easy", "rurik", 2, {"automa": {1: "easy"}}),
    Case("rurik-solo-medium", "rurik", 2, {"automa": {0: "medium"}, "alternate_board": True, "deed_row": True}),
    Case("rurik-solo-hard", "rurik", 2, {"automa": {1: "hard"}, "leaders": "random"}),
    Case("rurik-solo-very-hard", "rurik", 2, {"automa": {1: "very_hard"}}),
    Case(
        "rurik-3-variants",
        "rurik",
        3,
        {"alternate_board": True, "rebel_rewards": True, "deed_row": True, "leaders": "random"},
    ),
    Case(
        "rurik-2-readings",
        "rurik",
        2,
        {"deed_adjacency": "pairwise", "casualty_leader": "last", "first_player": 1, "alternate_board": True},
    ),
    Case("masters-3", "masters_of_europe", 3),
    Case(
        "masters-3-readings",
        "masters_of_europe",
        3,
        {"treaty_tokens": "own", "offer_cap": 2, "end_check": "at_once", "last_round": 6},
    ),
    Case("masters-4", "masters_of_europe", 4, {"offer_cap": 3}),
    Case("masters-5", "masters_of_europe", 5, {"offer_cap": 1}),
    Case("masters-6-no-trade", "masters_of_europe", 6, {"offer_cap": 0}),
    Case("masters-7-no-trade", "masters_of_europe", 7, {"offer_cap": 0}),
    Case("masters-8", "masters_of_europe", 8, {"offer_cap": 1}),
    Case("europe_divided", "europe_divided", 2),
    Case(
        "europe_divided-readings",
        "europe_divided",
        2,
        {"sea_below_minimum": "return", "headline_conditions": "literal"},
    ),
)

#: The cases of real games: what is played for playthroughs, fuzz and bench.
GAME_CASES = tuple(case for case in CASES if case.game != "toy")


def case_named(name: str) -> Case:
    """Return a case by its name; raise KeyError when there is none."""
    return {case.name: case for case in CASES}[name]


def rules_of(case: Case) -> Rules:
    """Return the rules object of a case's game."""
    return toy.RULES if case.game == "toy" else GAMES[case.game]


def audit(case: Case, state: Any) -> list[str]:
    """Return the invariants of its game that a state breaks: pieces and cards lost, doubled or misplaced."""
    if case.game == "toy":
        return toy.audit(state)
    problems: list[str] = import_module(f"engine.games.{case.game}.state").audit(state)
    return problems


def secrets(case: Case, state: Any, seat: int | None, rng: Any) -> Any:
    """Return a state that differs from `state` in all that `seat` must not know, and in nothing else."""
    if case.game == "toy":
        return toy_view.SECRETS(state, seat, rng)
    return import_module(f"engine.games.{case.game}.view").SECRETS(state, seat, rng)


def score(case: Case, state: Any, seat: int) -> int:
    """Return what a seat would score if the game ended in this state."""
    if case.game == "toy":
        return int(state.scores[seat])
    return sum(import_module(f"engine.games.{case.game}.scoring").open_points(state, seat).values())
