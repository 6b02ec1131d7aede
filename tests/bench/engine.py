"""Measure the engine alone, beside Catanatron in the same run: random play, copies, bytes, views, guesses."""

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.core import codec
from tests.conformance.cases import Case, case_named, rules_of
from tests.conformance.walk import begin, walk

ROOT = Path(__file__).parents[2]
CASES = ("rurik-2", "rurik-3", "rurik-4", "rurik-solo-easy", "masters-3", "masters-8", "europe_divided")
#: Turns in which yardstick and games alternate; the medians are reported.
ROUNDS = 3
#: Games whose states halfway through are the mid-game states that are copied, encoded, seen and guessed.
MIDDLES = 5


def play(case: Case, seconds: float, first: int) -> dict[str, float]:
    """Return games, decisions and decisions with a choice a second of random play in place."""
    rules = rules_of(case)
    config = rules.config(case.seats, case.options)
    rng = random.Random(first).random
    pending, legal_actions, advance = rules.pending, rules.legal_actions, rules.advance
    games = decisions = real = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        state = rules.initial_state(config, first + games)
        while opened := pending(state):
            seat = opened[0].seat
            legal = legal_actions(state, seat)
            decisions += 1
            real += len(legal) > 1
            advance(state, seat, legal[int(rng() * len(legal))])
        games += 1
    return {"games": games / spent, "decisions": decisions / spent, "choices": real / spent}


def middles(case: Case) -> list[Any]:
    """Return states halfway through some games."""
    found = []
    for seed in range(MIDDLES):
        states = [moment.state for moment in walk(case, seed)]
        found.append(states[len(states) // 2])
    return found


def microseconds(work: Callable[[], object], repeat: int) -> float:
    """Return what one call takes, the best of five runs."""
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        for _ in range(repeat):
            work()
        best = min(best, time.process_time() - started)
    return best / repeat * 1e6


def single(case: Case) -> dict[str, float]:
    """Return microseconds of single operations on mid-game states and their size in bytes, means over the states."""
    rules, rng = begin(case, 0)[0], random.Random(1)
    rows = []
    for state in middles(case):
        seat = rules.pending(state)[0].seat
        view, data = rules.observe(state, seat), codec.encode(rules, state)
        action = rules.legal_actions(state, seat)[0]

        def fresh(state: Any = state, seat: int = seat) -> None:
            state.flow.legal = None
            rules.legal_actions(state, seat)

        rows.append(
            {
                "clone us": microseconds(state.clone, 500),
                "encode us": microseconds(lambda state=state: codec.encode(rules, state), 200),
                "decode us": microseconds(lambda data=data: codec.decode(rules, data), 200),
                "legal us": microseconds(fresh, 200),
                "apply us": microseconds(lambda s=state, p=seat, a=action: rules.apply(s, p, a), 100),
                "observe us": microseconds(lambda s=state, p=seat: rules.observe(s, p), 100),
                "determinize us": microseconds(lambda v=view: rules.determinize(v, rng), 100),
                "state bytes": len(data),
            }
        )
    return {name: statistics.mean(row[name] for row in rows) for name in rows[0]}


def yardstick(seconds: float) -> dict[str, float]:
    """Return Catanatron's figures, measured in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.yardstick", str(seconds)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds * 5 + 60, check=True)
    figures: dict[str, float] = json.loads(ran.stdout)
    return figures


def main(seconds: float) -> int:
    """Print the figures; return 1 when the yardstick is not installed."""
    if find_spec("catanatron") is None:
        print("catanatron is not installed here; `make bench` installs it")
        return 1
    cases = [case_named(name) for name in CASES]
    runs: dict[str, list[dict[str, float]]] = {"catanatron": [], **{case.name: [] for case in cases}}
    for turn in range(ROUNDS):
        runs["catanatron"].append(yardstick(seconds))
        for case in cases:
            runs[case.name].append(play(case, seconds, 1000 * turn))
    middle = {
        name: {figure: statistics.median(row[figure] for row in rows) for figure in ("choices", "decisions", "games")}
        for name, rows in runs.items()
    }
    base = middle["catanatron"]
    print(
        f"random play in place, one process, medians of {ROUNDS} x {seconds:g} s of processor time"
        " (a choice: two or more options)"
    )
    for name, row in middle.items():
        print(
            f"  {name:16} {row['choices']:7.0f} choices/s {row['decisions']:7.0f} actions/s {row['games']:6.1f} games/s"
            f"   choices: {row['choices'] / base['choices']:.2f} x catanatron's choices,"
            f" {row['choices'] / base['decisions']:.2f} x its actions"
        )
    copy = statistics.median(figures["clone_us"] for figures in runs["catanatron"])
    print(f"a state in mid-game, means of {MIDDLES} (catanatron: copy {copy:.0f} us)")
    for case in cases:
        print(f"  {case.name:16} " + ", ".join(f"{name} {value:.1f}" for name, value in single(case).items()))
    return 0
