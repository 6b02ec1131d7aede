"""Write a random game down so that a person can read it: options, choice, what each seat was told."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from engine.core import codec
from engine.core.events import Emitted
from engine.core.rules import Rules
from tests.conformance.cases import GAME_CASES, Case
from tests.conformance.walk import Moment, begin, packed, viewers, walk

FOLDER = Path(__file__).parent
#: A seed whose game is never idle, so that it has some of everything.
SEED = 11
#: Options listed at most; the chosen one is always among them.
SHOWN = 8
#: Decisions between two checksums: often enough to find a difference, seldom enough to keep the text readable.
CHECKSUM_EVERY = 10


def path_of(case: Case) -> Path:
    """Return where the playthrough of a case is kept."""
    return FOLDER / case.game / f"{case.name}.txt"


def tell(rules: Rules, case: Case, state: object, emitted: Emitted) -> str:
    """Return an event as one line: to everybody alike, or to those who read it and to the others."""
    if emitted.audience is None:
        return f"    all: {rules.describe(emitted.event, rules.observe(state, None))}"
    readers = [seat for seat in range(case.seats) if seat in emitted.audience]
    lines = [f"seat {seat}: {rules.describe(emitted.event, rules.observe(state, seat))}" for seat in readers]
    if emitted.public is not None:
        lines.append(f"others: {rules.describe(emitted.public, rules.observe(state, None))}")
    return "    " + " | ".join(lines)


def options(rules: Rules, moment: Moment) -> Iterator[str]:
    """Yield the legal actions as numbered lines, the chosen one marked."""
    view = rules.observe(moment.state, moment.seat)
    chosen = moment.legal.index(moment.action)
    first = range(len(moment.legal)) if len(moment.legal) <= SHOWN else range(SHOWN - 2)
    for index in sorted({*first, chosen}):
        yield f"  {'>' if index == chosen else ' '} {index} {rules.describe(moment.legal[index], view)}"
    if left := len(moment.legal) - len({*first, chosen}):
        yield f"    ... and {left} more"


def checksum(rules: Rules, case: Case, state: object) -> str:
    """Return a line with digests of the state and of what everybody sees."""
    views = b"".join(packed(rules.observe(state, seat)) for seat in viewers(case))
    digests = (hashlib.sha256(data).hexdigest()[:16] for data in (codec.encode(rules, state), views))
    return "  = state {} views {}".format(*digests)


def playthrough(case: Case) -> list[str]:
    """Return the lines of a case's game."""
    rules, state = begin(case, SEED)
    lines = [f"{rules.info.name}, {case.seats} seats, options {case.options or 'none'}, seed {SEED}", ""]
    for moment in walk(case, SEED):
        view = rules.observe(moment.state, moment.seat)
        lines.append(f"{moment.index}. {rules.describe(moment.decision, view)}")
        lines += options(rules, moment)
        state = moment.step.state
        lines += [tell(rules, case, state, emitted) for emitted in moment.step.events]
        if moment.index % CHECKSUM_EVERY == 0 or not rules.pending(state):
            lines.append(checksum(rules, case, state))
    outcome = rules.outcome(state)
    assert outcome is not None
    lines += ["", f"Ranks {outcome.ranks}, scores {outcome.scores}: {outcome.reason}"]
    lines += [f"seat {seat}: {parts}" for seat, parts in enumerate(outcome.breakdown)]
    lines += [f"tie-break: {line}" for line in outcome.tie_break]
    return lines


def cases() -> tuple[Case, ...]:
    """Return the cases that have a playthrough: all of real games."""
    return GAME_CASES
