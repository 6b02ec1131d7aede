"""Find where armies may go, and let a seat build and move them (Build Army, Move Army, Sea Cards)."""

from collections.abc import Collection
from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided import options as o
from engine.games.europe_divided.cards import OPS
from engine.games.europe_divided.data import BARRED, CONTESTED, FURTHER_STEP, KINDS, NEAR, REGION_INDEX
from engine.games.europe_divided.frames.operation import Operation
from engine.games.europe_divided.frames.pieces import build_army, move_army
from engine.games.europe_divided.ids import EUROPE, FACTIONS_OF, NONE
from engine.games.europe_divided.stakes import SEA_MOVERS, SEAS
from engine.games.europe_divided.state import State, armies_left, may_pass, purse, sea_bit
from engine.games.europe_divided.vocabulary import MOST_STEPS


def reach(state: State, seat: int, source: int, steps: int) -> dict[int, int]:
    """Return where an army may go in so many steps, with the fewest steps there.

    Regions and seas count alike. The opponent's home is closed; a space with an opposing army or 6 may be entered, not
    passed (Move Army, Army vs. Army, Army vs. Influence Dice).
    """
    near = NEAR[seat]
    found = {source: 0}
    layer = [source]
    for step in range(1, steps + 1):
        ahead = []
        for here in layer:
            if step == 1 or may_pass(state, seat, here):
                for there in near[here]:
                    if there not in found:
                        found[there] = step
                        ahead.append(there)
        if not ahead:
            break
        layer = ahead
    del found[source]
    return found


def _steps(state: State, seat: int, most: int, free: int) -> int:
    """Return how many steps a seat can make: the free ones, and one for each money (Move Army)."""
    money = purse(state, seat)
    return min(most, free + money // FURTHER_STEP) if FURTHER_STEP else most


def cost(steps: int, free: int = 1) -> int:
    """Return what so many steps cost."""
    return FURTHER_STEP * max(0, steps - free)


def sources(state: State, seat: int) -> list[Any]:
    """Return the spaces from which an army can move: its first step is free."""
    near = NEAR[seat]
    return [o.MOVE[region] for region, count in enumerate(state.armies[seat]) if count and near[region]]


class MoveOn(Frame, tag="move_to"):
    """Let a seat say where the chosen army goes: by the text `op`, or (NONE) by the action of `card`."""

    seat: int
    source: int
    op: int = NONE
    card: int = NONE

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the moving seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every space in reach with what it costs."""
        return tuple(targets(state, seat, self.source, self.op))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Move."""
        ctx.pop()
        target, below = REGION_INDEX[action.target], ctx.stack[-1]
        if isinstance(below, March) and below.op == self.op:
            below.moved = (*below.moved, target)
        move_army(ctx, seat, self.source, target, action.cost)


def targets(state: State, seat: int, source: int, op: int) -> list[Any]:
    """Return the moves of an army from a space, by the limits of an operation or of a card's action."""
    most, free = (MOST_STEPS, 1) if op == NONE else (OPS[op].max_steps, OPS[op].free_steps)
    allowed: Collection[int] = () if op == NONE else OPS[op].to
    found = reach(state, seat, source, _steps(state, seat, most, free))
    return [o.MOVE_TO[there][cost(found[there], free)] for there in sorted(found) if not allowed or there in allowed]


class March(Operation, tag="move_army"):
    """Let a seat move armies by a special text or an advantage card, each of them once."""

    #: Where the armies went that have moved: as many of those there stay.
    moved: tuple[int, ...] = ()

    def started(self) -> bool:
        """Return whether an army has moved."""
        return self.left > 0

    def choices(self, state: State) -> list[Any]:
        """Return the spaces whose armies can go where the card allows."""
        seat = self.of.seat
        return [
            o.MOVE[region]
            for region, count in enumerate(state.armies[seat])
            if count > self.moved.count(region) and targets(state, seat, region, self.op)
        ]

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Ask where the army goes; the next one after that."""
        self.left = (self.left or self.of.count) - 1
        if not self.left:
            ctx.pop()
        ctx.push(MoveOn(seat, REGION_INDEX[action.source], self.op))


class Build(Operation, tag="build_army"):
    """Let a seat build an army by a special text or an advantage card; it still costs money unless the card says so."""

    def choices(self, state: State) -> list[Any]:
        """Return the regions that the card allows, if an army is left and can be paid for."""
        op = self.of
        if op.cost > purse(state, op.seat) or not armies_left(state, op.seat):
            return []
        return [o.BUILD[op.cost][region] for region in self.regions() if self._allows(state, region)]

    def _allows(self, state: State, region: int) -> bool:
        op = self.of
        if KINDS[region] is BARRED[op.seat]:
            return False
        if op.own_die and not any(state.dice[faction][region] for faction in FACTIONS_OF[op.seat]):
            return False
        if op.needs is None:
            return True
        faction, value = op.needs
        return region < CONTESTED and state.dice[faction][region] >= value

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Build it."""
        ctx.pop()
        build_army(ctx, seat, REGION_INDEX[action.region], action.cost)


def sea_moves(state: State, seat: int) -> list[Any]:
    """Return the moves of the sea cards that a seat holds and has not used in this turn (Sea Cards).

    Russia's army goes straight to one of the named regions; NATO's goes so many spaces; neither costs anything.
    """
    listed: list[Any] = []
    for sea, holder in enumerate(state.seas):
        if holder != SEA_MOVERS[seat] or state.sea_used & sea_bit(sea, seat):
            continue
        card = SEAS[sea]
        for source in card.sources[seat]:
            if state.armies[seat][source]:
                found = reach(state, seat, source, card.nato_steps) if seat == EUROPE else card.to
                listed += [o.USE_SEA[sea][source][target] for target in sorted(found) if target != source]
    return listed


def use_sea(ctx: Ctx, seat: int, sea: int, source: int, target: int) -> None:
    """Move an army by a sea card, once a turn for each side: the card may change hands between the two."""
    ctx.state.sea_used |= sea_bit(sea, seat)
    ctx.emit(e.SeaCardUsed, seat, SEAS[sea].id)
    move_army(ctx, seat, source, target, 0)
