"""Read simple printed effects from data and run them: a list of operations with an amount, in order."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from engine.core.errors import BadData


class Effect(msgspec.Struct, frozen=True):
    """Be one operation of a game's closed vocabulary, with its amount."""

    op: str
    amount: int


#: What an operation does for a seat: (ctx, seat, amount).
Operation = Callable[[Any, int, int], None]


def parse(where: str, entries: Iterable[Mapping[str, int]], operations: Collection[str]) -> tuple[Effect, ...]:
    """Return the effects of a record; raise BadData, naming `where`, for an operation outside the vocabulary."""
    effects = []
    for entry in entries:
        for op, amount in entry.items():
            if op not in operations:
                raise BadData(f"{where}: unknown effect {op!r}; known are {', '.join(sorted(operations))}")
            effects.append(Effect(op, amount))
    return tuple(effects)


def run(ctx: Any, seat: int, effects: tuple[Effect, ...], operations: Mapping[str, Operation]) -> None:
    """Run effects so that the first one printed is the first to be resolved.

    An operation that needs a choice pushes a frame; going through the list backwards leaves the first on top.
    """
    for effect in reversed(effects):
        operations[effect.op](ctx, seat, effect.amount)
