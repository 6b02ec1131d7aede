"""Hold what bots know about each game: here, how good a position is for a seat."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any

from engine.core.registry import GAMES
from engine.core.rules import Rules

#: Higher is better for the seat; one victory point is about 1.
Evaluation = Callable[[Any, int], float]

#: Game id to the module with its `evaluate`. It is imported on first use, after data packs have been loaded.
_MODULES: Mapping[str, str] = {
    "europe_divided": "bots.games.europe_divided.evaluate",
    "masters_of_europe": "bots.games.masters_of_europe.evaluate",
    "rurik": "bots.games.rurik.evaluate",
}


@cache
def evaluation(game: str) -> Evaluation:
    """Return how to judge positions of a game; one without a judgement of its own counts the final score alone."""
    if game not in _MODULES:
        return partial(_final_score, GAMES[game])
    evaluate: Evaluation = import_module(_MODULES[game]).evaluate
    return evaluate


def _final_score(rules: Rules, state: Any, seat: int) -> float:
    outcome = rules.outcome(state)
    return 0.0 if outcome is None else outcome.scores[seat] - 100.0 * outcome.ranks[seat]
