"""Hold what bots know about each game: here, how good a position is for a seat."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

#: Higher is better for the seat; one victory point is about 1.
Evaluation = Callable[[Any, int], float]

#: Game id to the module with its `evaluate`. It is imported on first use, after data packs have been loaded.
_MODULES: Mapping[str, str] = {
    "rurik": "bots.games.rurik.evaluate",
}


@cache
def evaluation(game: str) -> Evaluation:
    """Return how to judge positions of a game; raise KeyError for a game that bots do not know."""
    evaluate: Evaluation = import_module(_MODULES[game]).evaluate
    return evaluate
