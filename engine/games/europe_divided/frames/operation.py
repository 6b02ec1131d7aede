"""Hold what all operations of special texts and advantage cards have in common: who chooses, and when it may stop."""

from typing import Any

from engine.core.errors import RulesBug
from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import options as o
from engine.games.europe_divided.cards import OPS, Op
from engine.games.europe_divided.ids import NONE
from engine.games.europe_divided.state import State


class Operation(Frame):
    """Be an operation being carried out.

    `op` is an index into OPS; `faction` and `region` are those of the action that set it off; `left` counts steps or
    points still to be taken, 0 before the first one is counted; `last` is the region of the step before.
    """

    op: int
    faction: int = NONE
    region: int = NONE
    left: int = 0
    last: int = 0

    @property
    def of(self) -> Op:
        """Return what the card says."""
        return OPS[self.op]

    def regions(self) -> tuple[int, ...]:
        """Return where the card allows it: only where the action that set it off happened, if it says so."""
        return (self.region,) if OPS[self.op].at_trigger else OPS[self.op].regions

    def choices(self, state: State) -> list[Any]:
        """Return what may be done, stopping left out."""
        raise RulesBug(f"{type(self).__name__} offers nothing")

    def started(self) -> bool:
        """Return whether a part has been done, so that the rest may be left."""
        return False

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat that the card lets choose."""
        return (OPS[self.op].seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the choices; and to stop, where it is optional, begun or impossible."""
        listed = self.choices(state)
        if not listed or OPS[self.op].optional or self.started():
            listed.append(o.DONE)
        return tuple(listed)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Do a part, or stop."""
        if action == o.DONE:  # equal, not the same: it may have come over the wire
            ctx.pop()
        else:
            self.do(ctx, seat, action)

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Do what was chosen, and leave the stack when it was the last part."""
        raise RulesBug(f"{type(self).__name__} does nothing")
