"""Play Europe against Russia and count who wins: `python -m tests.games.europe_divided.balance --matches 1000`."""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from bots.games import evaluation
from bots.policies import greedy
from engine.core.rules import Outcome, View
from engine.games.europe_divided import RULES

Policy = Callable[[View, random.Random], int]


def step(view: View, rng: random.Random) -> int:
    """Return the answer that leads to the best judged position at once: greedy without following its turn up."""
    if len(view.legal) == 1 or view.seat is None:
        return 0
    evaluate, deal = evaluation("europe_divided"), RULES.determinize(view, rng)
    worth = []
    for action in view.legal:
        after = deal.clone()
        RULES.advance(after, view.seat, action)
        worth.append(evaluate(after, view.seat))
    best = max(worth)
    return rng.choice([index for index, value in enumerate(worth) if value >= best - greedy.CLOSE])


POLICIES: dict[str, Policy] = {
    "greedy": greedy.choose,
    "step": step,
    "random": lambda view, rng: rng.randrange(len(view.legal)),
}


def play(seed: int, policies: tuple[Policy, Policy]) -> tuple[Outcome, int]:
    """Return how a match ends and how many decisions it takes."""
    rng, state, decisions = random.Random(seed), RULES.initial_state(RULES.config(2, {}), seed), 0
    while pending := RULES.pending(state):
        seat = pending[0].seat
        view = RULES.observe(state, seat)
        RULES.advance(state, seat, view.legal[policies[seat](view, rng)])
        decisions += 1
    outcome = RULES.outcome(state)
    assert outcome is not None
    return outcome, decisions


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.games.europe_divided.balance", description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--first", type=int, default=5000, help="seed of the first match")
    parser.add_argument("--europe", choices=POLICIES, default="step")
    parser.add_argument("--russia", choices=POLICIES, default="step")
    args = parser.parse_args()
    wins, points, decisions, started = [0, 0], [Counter[str](), Counter[str]()], 0, time.monotonic()
    for number in range(1, args.matches + 1):
        outcome, count = play(args.first + number - 1, (POLICIES[args.europe], POLICIES[args.russia]))
        decisions += count
        wins[outcome.ranks.index(1)] += 1
        for total, parts in zip(points, outcome.breakdown, strict=True):
            total.update(parts)
        if number % 25 == 0 or number == args.matches:
            means = [{source: round(total / number, 2) for source, total in side.items()} for side in points]
            print(
                f"{number} matches: Europe won {wins[0]}, Russia {wins[1]}; {decisions / number:.0f} decisions each; "
                f"{means[0]} {means[1]}; {number / (time.monotonic() - started):.2f} matches/s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
