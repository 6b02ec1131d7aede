"""Hold what bots know about each game: here, how good a position is for a seat."""

from collections.abc import Callable, Mapping
from typing import Any

from bots.games.rurik.evaluate import evaluate as rurik

#: Game id to its evaluation: (state, seat) -> score, higher is better for the seat. One victory point is about 1.
EVALUATIONS: Mapping[str, Callable[[Any, int], float]] = {
    "rurik": rurik,
}
