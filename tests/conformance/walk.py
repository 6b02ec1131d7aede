"""Play random games one decision at a time, the same way wherever they are looked at."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, NamedTuple

import msgspec

from engine.core.decision import Decision
from engine.core.rules import Rules, Step, View
from tests.conformance.cases import Case, rules_of

#: Kinds of action that end or skip something.
IDLE = frozenset({"done", "end_turn", "forfeit_action", "pass"})


class Moment(NamedTuple):
    """Be one decision of a game: the state before it, what was legal, what was taken, what came of it."""

    index: int
    state: Any
    decision: Decision
    legal: tuple[Any, ...]
    action: Any
    step: Step

    @property
    def seat(self) -> int:
        return self.decision.seat


def pick(rng: random.Random, legal: tuple[Any, ...], seed: int) -> Any:
    """Return one of the legal actions, in the style of the game's seed.

    Evenly; or evenly over kinds first, which reaches what few actions lead to; or never idle while there is something
    to do, which fills boards and empties decks.
    """
    if seed % 3 == 1:
        kinds: dict[type, list[Any]] = {}
        for action in legal:
            kinds.setdefault(type(action), []).append(action)
        legal = tuple(rng.choice(list(kinds.values())))
    elif seed % 3 == 2:
        legal = tuple(action for action in legal if action.__struct_config__.tag not in IDLE) or legal
    return legal[int(rng.random() * len(legal))]


def begin(case: Case, seed: int) -> tuple[Rules, Any]:
    """Return the rules of a case and the first state of its game with that seed."""
    rules = rules_of(case)
    return rules, rules.initial_state(rules.config(case.seats, case.options), seed)


def walk(case: Case, seed: int) -> Iterator[Moment]:
    """Play a random game to its end; see `pick` for how a seed chooses."""
    rules, state = begin(case, seed)
    rng = random.Random(seed)
    for index in range(rules.info.max_decisions):
        pending = rules.pending(state)
        if not pending:
            return
        decision = pending[int(rng.random() * len(pending))]
        legal = rules.legal_actions(state, decision.seat)
        action = pick(rng, legal, seed)
        step = rules.apply(state, decision.seat, action)
        yield Moment(index, state, decision, legal, action, step)
        state = step.state
    assert not rules.pending(state), f"still open after {rules.info.max_decisions} decisions"


@contextmanager
def told(case: Case, seed: int) -> Iterator[None]:
    """Add to a failure which game it was and how to play it again."""
    try:
        yield
    except BaseException as error:
        error.add_note(
            f"case {case}, seed {seed}: python -m tests.fuzz --case {case} --seed {seed} --matches 1 --checks"
        )
        raise


def share(case: Case, seeds: Sequence[int]) -> Sequence[int]:
    """Return the seeds to play with a case: all of them, or a quarter for the long games of more than four seats."""
    return seeds if case.seats <= 4 else seeds[::4]


def viewers(case: Case) -> list[int | None]:
    """Return everybody who can look at a game: the spectator and each seat."""
    return [None, *range(case.seats)]


def looks(case: Case, seed: int) -> Iterator[tuple[Moment, list[int | None]]]:
    """Play a random game and yield with each decision who looks at it.

    Everybody does in games of up to three seats; in larger ones, which are longer too, some do, by chance.
    """
    everybody, rng = viewers(case), random.Random(seed)
    size = len(everybody) if case.seats <= 3 else 3 if case.seats == 4 else 1
    for moment in walk(case, seed):
        yield moment, rng.sample(everybody, size)


def packed(thing: Any) -> bytes:
    """Return a view or events as bytes, to be compared to the last byte."""
    return msgspec.msgpack.encode(seen(thing) if isinstance(thing, View) else thing)


def seen(view: View) -> dict[str, Any]:
    """Return all that a view shows, by name."""
    names = ["table" if field.name == "build_table" else field.name for field in fields(View)]
    return {name: getattr(view, name) for name in names}
