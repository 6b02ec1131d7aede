"""Tax and build with the points of a turn, and let churches convert (Tax, Build)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.actions import BuildStructure, CollectGood, ConvertNeutral, ConvertRebel, ConvertTroop, Done
from engine.games.rurik.data import REGION_INDEX, REGIONS
from engine.games.rurik.frames.pieces import muster, take_off
from engine.games.rurik.ids import CHURCH, GOODS, MARKET, MSTISLAV, NONE, STRUCTURES, MarketBonus
from engine.games.rurik.state import State, has_structure, is_silenced, occupied, ruler

#: Points to tax or build in a region one rules, and in one that one does not.
RULED, NOT_RULED = 1, 2


def cost(state: State, seat: int, region: int) -> int:
    """Return the points it takes a seat to tax or build in a region (Tax, Build; Leaders: Mstislav)."""
    player = state.players[seat]
    if player.leader == MSTISLAV and player.leader_at == region:
        return RULED
    return RULED if ruler(state, region) == seat else NOT_RULED


def taxes(state: State, seat: int, points: int) -> list[Any]:
    """Return what a seat may tax with its points: regions occupied where a good lies; a market gives a choice."""
    listed: list[Any] = []
    for region in occupied(state.players[seat]):
        if state.goods[region] and (points >= NOT_RULED or cost(state, seat, region) <= points):
            if has_structure(state, seat, MARKET, region):
                listed += o.COLLECT_WITH_MARKET[region]
            else:
                listed.append(o.COLLECT_GOOD[region])
    return listed


def tax(ctx: Ctx, seat: int, action: CollectGood) -> int:
    """Collect a good and what a market adds; return the points it took."""
    state = ctx.state
    player, region = state.players[seat], REGION_INDEX[action.region]
    points, good = cost(state, seat, region), state.icons[region]
    state.goods[region] = False
    player.goods[good] += 1 + (action.market is MarketBonus.GOOD)
    player.coins += action.market is MarketBonus.COIN
    ctx.emit(e.GoodTaxed, seat, action.region, GOODS[good], points, action.market)
    return points


def buildings(state: State, seat: int, points: int) -> list[Any]:
    """Return what a seat may build with its points: one structure of each type a region, whoever owns it."""
    player = state.players[seat]
    listed: list[Any] = []
    for region in occupied(player):
        if points >= NOT_RULED or cost(state, seat, region) <= points:
            for structure, left in enumerate(player.structures):
                if left and state.built[structure][region] == NONE:
                    listed.append(o.BUILD_STRUCTURE[structure][region])
    return listed


def build(ctx: Ctx, seat: int, action: BuildStructure) -> int:
    """Build a structure, and let a church convert; return the points it took."""
    region, structure = REGION_INDEX[action.region], STRUCTURES.index(action.structure)
    points = cost(ctx.state, seat, region)
    put_up(ctx, seat, structure, region, points)
    if structure == CHURCH and not is_silenced(ctx.state, seat, region):
        ctx.push(Church(seat, region))
    return points


def put_up(ctx: Ctx, seat: int, structure: int, region: int, points: int) -> None:
    """Place a structure of a seat in a region."""
    ctx.state.players[seat].structures[structure] -= 1
    ctx.state.built[structure][region] = seat
    ctx.emit(e.StructureBuilt, seat, STRUCTURES[structure], REGIONS[region], points)


class Church(Frame, tag="church"):
    """Let a new church remove a rebel or an opponent's non-leader troop, and place an own troop for it."""

    seat: int
    region: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the builder, if there is anybody to convert."""
        return (self.seat,) if self._targets(state) else ()

    def _targets(self, state: State) -> list[Any]:
        listed: list[Any] = [o.CONVERT_REBEL] if state.rebels[self.region] != NONE else []
        listed += [
            o.CONVERT_TROOP[other]
            for other, victim in enumerate(state.players)
            if other != self.seat and victim.troops[self.region]
        ]
        if state.neutrals[self.region]:
            listed.append(o.CONVERT_NEUTRAL)
        return listed

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the targets; without a troop to place, removing one is optional."""
        targets = self._targets(state)
        return tuple(targets) if state.players[seat].supply else (*targets, o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Convert: no reward, no warfare, no casualty."""
        ctx.pop()
        if not isinstance(action, Done):
            convert(ctx, seat, self.region, action)

    def run(self, ctx: Ctx) -> None:
        """End: nobody to convert."""
        ctx.pop()


def convert(ctx: Ctx, seat: int, region: int, target: ConvertRebel | ConvertTroop | ConvertNeutral) -> None:
    """Remove a church's target and place a troop of its builder, if one is left."""
    state = ctx.state
    victim = None
    match target:
        case ConvertRebel():
            state.rebels[region] = NONE
        case ConvertTroop():
            victim = target.seat
            take_off(ctx, victim, region, leader=False)
        case ConvertNeutral():
            state.neutrals[region] -= 1
    ctx.emit(e.ChurchConverted, seat, REGIONS[region], victim, isinstance(target, ConvertNeutral))
    if state.players[seat].supply:
        muster(ctx, seat, region, leader=False)
