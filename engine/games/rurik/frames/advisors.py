"""Place advisors and bribes (Strategy Phase)."""

from functools import cache
from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.data import SPACES
from engine.games.rurik.ids import COLUMNS, NONE
from engine.games.rurik.state import State

#: A space whose advisor has been resolved.
EMPTY = (NONE, 0, 0)

#: Number of seats to how many advisors each column takes.
_SIZES = {seats: tuple(len(spaces) for spaces in columns) for seats, columns in SPACES.items()}

#: An own advisor may join another one only after this many columns hold own advisors.
DIFFERENT_COLUMNS = 3


def has_advisor(state: State, seat: int) -> bool:
    """Return whether an advisor of a seat stands on the strategy board, not yet resolved."""
    for advisors in state.columns:
        for owner, _, _ in advisors:
            if owner == seat:
                return True
    return False


def is_full(state: State, column: int) -> bool:
    """Return whether a column takes no more advisors."""
    return len(state.columns[column]) >= _SIZES[state.config.seats][column]


def placements(state: State, seat: int) -> tuple[Any, ...]:
    """Return every advisor and column that a seat may choose (Placing Advisors).

    A column with an own advisor is closed until own advisors stand in three columns. Should that rule leave
    nothing, it is dropped for this placement.
    """
    sizes = _SIZES[state.config.seats]
    own, free = set(), []
    for column, advisors in enumerate(state.columns):
        if len(advisors) < sizes[column]:
            free.append(column)
        for owner, _, _ in advisors:
            if owner == seat:
                own.add(column)
    allowed = free if len(own) >= DIFFERENT_COLUMNS else [c for c in free if c not in own] or free
    return _each(tuple(state.players[seat].advisors), tuple(allowed))


@cache
def _each(advisors: tuple[int, ...], columns: tuple[int, ...]) -> tuple[Any, ...]:
    """Return every placement of one of `advisors` in one of `columns`; kept, for they are few."""
    return tuple(o.PLACE_ADVISOR[n][c] for n in sorted(set(advisors)) for c in columns)


def place(ctx: Ctx, seat: int, advisor: int, column: int, coins: int) -> None:
    """Put an advisor above all weaker ones, which move down a space; power is its number and its coins."""
    player = ctx.state.players[seat]
    player.advisors.remove(advisor)
    player.coins -= coins
    placed = ctx.state.columns[column]
    power = advisor + coins
    row = 0
    for _, number, bribe in placed:
        if number + bribe < power:
            break
        row += 1
    ctx.state.columns[column] = (*placed[:row], (seat, advisor, coins), *placed[row:])
    ctx.emit(e.AdvisorPlaced, seat, advisor, COLUMNS[column], row + 1, coins)


class Bribe(Frame, tag="add_bribe"):
    """Ask for the bribe of the advisor being placed (Adding Bribes)."""

    seat: int
    advisor: int
    column: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the placing seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return any number of own coins, none included."""
        return o.bribes(state.players[seat].coins)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place the advisor with its bribe."""
        ctx.pop()
        place(ctx, seat, self.advisor, self.column, action.coins)
