"""Play many games and find crashes, dead ends, overruns and broken invariants: `python -m tests.fuzz --matches N`."""

import argparse
import multiprocessing
import random
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core import codec
from engine.core.rules import Rules
from tests.conformance.cases import CASES, GAME_CASES, Case, audit, case_named, score, secrets
from tests.conformance.walk import begin, packed, pick, viewers

#: Games given to a process at a time.
CHUNK = 20
#: Every such game is played by `apply`, with its events; the others by `advance`, which is faster.
TOLD_EVERY = 4


class Report(msgspec.Struct):
    """Hold what came of some games of a case; `failures` are seed, decision and what went wrong."""

    case: str
    games: int = 0
    decisions: int = 0
    real: int = 0
    longest: int = 0
    widest: int = 0
    seconds: float = 0.0
    failures: list[tuple[int, int, str]] = []

    def add(self, other: "Report") -> None:
        """Take in another report of the same case."""
        self.games += other.games
        self.decisions += other.decisions
        self.real += other.real
        self.longest = max(self.longest, other.longest)
        self.widest = max(self.widest, other.widest)
        self.seconds += other.seconds
        self.failures = self.failures + other.failures


class Job(msgspec.Struct, frozen=True):
    """Name some games to play."""

    case: str
    first: int
    count: int
    policy: str
    checks: bool


def greedy(case: Case, rules: Rules, state: Any, seat: int, legal: tuple[Any, ...], rng: random.Random) -> Any:
    """Return the action with the best score right after it, ties at random, the future unknown to it."""
    best, found = None, []
    guess = rules.determinize(rules.observe(state, seat), rng)
    for action in legal:
        after = guess.clone()
        rules.advance(after, seat, action)
        value = score(case, after, seat)
        if best is None or value > best:
            best, found = value, []
        if value == best:
            found.append(action)
    return rng.choice(found)


def check(case: Case, rules: Rules, state: Any, rng: random.Random) -> None:
    """Check one state slowly: bytes, views, guesses and secrets of one viewer."""
    data = codec.encode(rules, state)
    assert codec.encode(rules, codec.decode(rules, data)) == data, "the state does not come back from its bytes"
    seat = rng.choice(viewers(case))
    view = rules.observe(state, seat)
    assert packed(rules.observe(secrets(case, state, seat, rng), seat)) == packed(view), f"seat {seat} sees a secret"
    guess = rules.determinize(view, rng)
    assert packed(rules.observe(guess, seat)) == packed(view), f"seat {seat} guesses a state that looks otherwise"
    assert not audit(case, guess), f"seat {seat} guesses a broken state: {audit(case, guess)}"
    for thing in (*view.pending, *view.legal):
        assert rules.describe(thing, view)


def play(case: Case, seed: int, policy: str, checks: bool) -> Iterator[int]:
    """Play a game, yielding before every decision how many options it has."""
    rules, state = begin(case, seed)
    rng = random.Random(seed)
    for index in range(rules.info.max_decisions + 1):
        pending = rules.pending(state)
        if not pending:
            break
        assert index < rules.info.max_decisions, "overrun: more decisions than info.max_decisions"
        seat = pending[int(rng.random() * len(pending))].seat
        legal = rules.legal_actions(state, seat)
        yield len(legal)
        assert legal, "dead end"
        if checks:
            assert len(set(legal)) == len(legal), "doubles among the legal actions"
            assert not audit(case, state), audit(case, state)
            check(case, rules, state, rng)
        if policy == "greedy" and len(legal) > 1:
            action = greedy(case, rules, state, seat, legal, rng)
        else:
            action = pick(rng, legal, seed)
        if checks or seed % TOLD_EVERY == 0:
            state = rules.apply(state, seat, action).state
        else:
            rules.advance(state, seat, action)
    assert not audit(case, state), audit(case, state)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert min(outcome.ranks) == 1
    assert all(total == sum(parts.values()) for total, parts in zip(outcome.scores, outcome.breakdown, strict=True))


def run(job: Job) -> Report:
    """Play the games of a job."""
    case, report = case_named(job.case), Report(job.case)
    started = time.perf_counter()
    for seed in range(job.first, job.first + job.count):
        before = report.decisions
        try:
            for width in play(case, seed, job.policy, job.checks):
                report.decisions += 1
                report.real += width > 1
                report.widest = max(report.widest, width)
            report.games += 1
            report.longest = max(report.longest, report.decisions - before)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is what we look for
            place = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__}: {error} ({place.filename.rpartition('/')[2]}:{place.lineno})"
            report.failures = [*report.failures, (seed, report.decisions - before, what)]
    report.seconds = time.perf_counter() - started
    return report


def show(report: Report) -> str:
    """Return a report as a line."""
    games, seconds = max(report.games, 1), max(report.seconds, 1e-9)
    return (
        f"{report.case}: {report.games} games, {len(report.failures)} failed; "
        f"{report.decisions / games:.0f} decisions a game ({report.real / games:.0f} with a choice), "
        f"longest {report.longest}, most options {report.widest}; "
        f"{report.games / seconds:.1f} games/s, {report.real / seconds:.0f} choices/s per process"
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="games of every case (default 100)")
    parser.add_argument("--game", help="cases of this game only")
    parser.add_argument(
        "--case", action="append", choices=[str(case) for case in CASES], help="this case only; repeatable"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (default 0)")
    parser.add_argument("--policy", choices=("random", "greedy"), default="random")
    parser.add_argument(
        "--checks", action="store_true", help="check bytes, views, guesses and secrets at every decision"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    return parser.parse_args()


def main() -> int:
    args = parse()
    cases = [c for c in GAME_CASES if args.game in (None, c.game)] if not args.case else map(case_named, args.case)
    last = args.seed + args.matches
    jobs = [
        Job(case.name, first, min(CHUNK, last - first), args.policy, args.checks)
        for case in cases
        for first in range(args.seed, last, CHUNK)
    ]
    reports = {job.case: Report(job.case) for job in jobs}
    shown = started = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(min(args.jobs, len(jobs))) as pool:
        for done, report in enumerate(pool.imap_unordered(run, jobs), 1):
            reports[report.case].add(report)
            for seed, index, what in report.failures:
                print(f"FAILED {report.case}, seed {seed}, decision {index}: {what}")
                again = f"--case {report.case} --seed {seed} --matches 1 --policy {args.policy}"
                print(f"  again: python -m tests.fuzz {again}")
            if time.monotonic() - shown > 5:
                shown = time.monotonic()
                games = sum(r.games for r in reports.values())
                print(f"{100 * done // len(jobs)} %: {games} games in {shown - started:.0f} s", flush=True)
    for report in reports.values():
        print(show(report))
    failed = sum(len(report.failures) for report in reports.values())
    games = sum(report.games for report in reports.values())
    print(f"{games} games from seed {args.seed} on in {time.monotonic() - started:.0f} s: {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
