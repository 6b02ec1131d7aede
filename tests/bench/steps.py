"""Measure the single steps of a SubmitActions call in one process: what the rules, the words and the messages take.

Every step is timed on every move of some random matches, several times over, and the quickest time of each counts:
other work on the machine disturbs that little. A server's caches are colder, so a step takes somewhat longer in a call.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.core import codec
from engine.core.registry import GAMES
from engine.core.rules import Step
from protos.wire import choice_to_message, events_to_messages
from tests.bench.service import script
from veche.v1 import match_pb2

MATCHES = 6


class Moment(NamedTuple):
    """Hold one move: the state before it, whose it is, what it does."""

    state: Any
    seat: int
    action: Any
    step: Step


def moments(game: str, seats: int) -> list[Moment]:
    """Return the moves of some matches played beforehand."""
    rules, found = GAMES[game], []
    for seed in range(MATCHES):
        state = rules.initial_state(rules.config(seats, {}), seed)
        for move in script(seed, game, seats):
            action = rules.legal_actions(state, move.seat)[move.index]
            step = rules.apply(state, move.seat, action)
            found.append(Moment(state, move.seat, action, step))
            state = step.state
    return found


def quickest(moves: list[Moment], rounds: int, prepare: Callable[[Moment], Any], run: Callable[[Any], Any]) -> float:
    """Return the mean of each move's quickest run in microseconds, what `prepare` does left out."""
    least = [float("inf")] * len(moves)
    for _ in range(rounds):
        for number, move in enumerate(moves):
            prepared = prepare(move)
            began = time.perf_counter()
            run(prepared)
            least[number] = min(least[number], time.perf_counter() - began)
    return sum(least) / len(least) * 1e6


def main(game: str = "rurik", seats: int = 2, rounds: int = 15) -> int:
    """Print the microseconds of each step; return the exit status."""
    rules = GAMES[game]

    def seen(move: Moment) -> Any:
        return move, rules.observe(move.step.state, move.seat)

    def told(given: Any) -> bytes:
        move, view = given
        events = events_to_messages(rules, move.step.events, view)
        return match_pb2.SubmitActionsResponse(events=events).SerializeToString()

    def seen_and_told(move: Moment) -> Any:
        given = seen(move)
        told(given)
        return given

    steps: dict[str, tuple[Callable[[Moment], Any], Callable[[Any], Any]]] = {
        "apply": (lambda move: move, lambda move: rules.apply(move.state, move.seat, move.action)),
        "observe": (lambda move: move, seen),
        "events in words": (seen, told),
        "choice in words": (seen_and_told, lambda given: choice_to_message(rules, given[1])),
        "state and events to bytes": (
            lambda move: move.step,
            lambda step: (codec.encode(rules, step.state), codec.encode_events(step.events)),
        ),
        "(table, in views alone)": (seen, lambda given: given[1].table),
    }
    moves = moments(game, seats)
    print(f"{game}, {seats} seats, {len(moves)} moves: us a move")
    for name, (prepare, run) in steps.items():
        print(f"{name:28} {quickest(moves, rounds, prepare, run):7.1f}", flush=True)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.steps", description=__doc__)
    parser.add_argument("--game", default="rurik", choices=list(GAMES), help="default rurik")
    parser.add_argument("--seats", type=int, default=2, help="default 2")
    parser.add_argument("--rounds", type=int, default=15, help="times that each move is timed (default 15)")
    given = parser.parse_args()
    sys.exit(main(given.game, given.seats, given.rounds))
