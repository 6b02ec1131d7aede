"""Play Catanatron's random players for some seconds and print what was counted as JSON: `... yardstick SECONDS`."""

import json
import random
import sys
import time
from typing import Any

from catanatron import Color, Game, Player


class CountingPlayer(Player):
    """Choose at random as Catanatron's own RandomPlayer does, and count decisions that leave a choice."""

    decisions = 0
    real = 0

    def decide(self, game: Any, playable_actions: Any) -> Any:
        CountingPlayer.decisions += 1
        CountingPlayer.real += len(playable_actions) > 1
        return playable_actions[random.randrange(0, len(playable_actions))]


def measure(seconds: float) -> dict[str, float]:
    """Return games, decisions and decisions with a choice a second, and the microseconds of a copy in mid-game."""
    games = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        random.seed(games)
        Game([CountingPlayer(color) for color in Color]).play()
        games += 1
    rates = {
        "games": games / spent,
        "decisions": CountingPlayer.decisions / spent,
        "choices": CountingPlayer.real / spent,
    }
    game = Game([CountingPlayer(color) for color in Color], seed=1)
    for _ in range(150):
        game.play_tick()
    started = time.process_time()
    for _ in range(2000):
        game.copy()
    return {**rates, "clone_us": (time.process_time() - started) / 2000 * 1e6}


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]))))
