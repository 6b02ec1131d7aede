"""Let a seat choose dice that a special text or an advantage card places, raises or lowers."""

from typing import Any

from engine.core.frames import Ctx
from engine.games.europe_divided import options as o
from engine.games.europe_divided.actions import PlaceInfluence
from engine.games.europe_divided.cards import Op
from engine.games.europe_divided.data import DIE_BY_EFFECT, REGION_INDEX
from engine.games.europe_divided.frames.operation import Operation
from engine.games.europe_divided.frames.pieces import lower_die, place_die, raise_die
from engine.games.europe_divided.ids import FACTIONS, FACTIONS_OF, NONE
from engine.games.europe_divided.state import State, can_raise, purse


def factions(state: State, op: Op, trigger: int) -> tuple[int, ...]:
    """Return the dice that an operation may touch: those it names, the trigger's, or those that met the condition."""
    if op.follows == "trigger":
        return (trigger,)
    if op.follows == "condition" and op.condition is not None:
        at, enough = op.condition.region, op.condition.at_least
        return tuple(faction for faction in op.condition.factions if state.dice[faction][at] >= enough)
    return op.factions


def _has_own_die(state: State, op: Op, region: int) -> bool:
    return not op.own_die or any(state.dice[faction][region] for faction in FACTIONS_OF[op.seat])


class PlaceDie(Operation, tag="place_influence"):
    """Place a die in a region without one (Neighbourhood Policy)."""

    def choices(self, state: State) -> list[Any]:
        """Return every faction and region without its die that can be paid for."""
        op = self.of
        if op.cost > purse(state, op.seat):
            return []
        return [
            o.PLACE[op.cost][faction][region]
            for faction in factions(state, op, self.faction)
            for region in self.regions()
            if not state.dice[faction][region] and _has_own_die(state, op, region)
        ]

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place it."""
        ctx.pop()
        place_die(ctx, FACTIONS.index(action.faction), REGION_INDEX[action.region], action.cost)


class RaiseDie(Operation, tag="increase_influence"):
    """Raise a die; an effect or reaction may instead buy one where there is none (Effects and Reactions)."""

    #: The region for which this is asked, when the card raises one die in each of several; NONE: any of them.
    only: int = NONE

    def choices(self, state: State) -> list[Any]:
        """Return every die that can be raised, and every region where one can be bought."""
        op = self.of
        regions = self.regions() if self.only == NONE else (self.only,)
        buys = op.places and purse(state, op.seat) >= DIE_BY_EFFECT
        listed: list[Any] = []
        for faction in factions(state, op, self.faction):
            dice = state.dice[faction]
            for region in regions:
                if not dice[region]:
                    if buys and _has_own_die(state, op, region):
                        listed.append(o.PLACE[DIE_BY_EFFECT][faction][region])
                elif can_raise(state, faction, region):
                    listed.append(o.INCREASE[op.amount][faction][region])
        return listed

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Raise or buy it."""
        ctx.pop()
        faction, region = FACTIONS.index(action.faction), REGION_INDEX[action.region]
        if isinstance(action, PlaceInfluence):
            place_die(ctx, faction, region, action.cost)
        else:
            raise_die(ctx, faction, region, action.amount)


class Distribute(Operation, tag="distribute_influence"):
    """Raise dice point by point, in the order of the regions, so that no two orders mean the same."""

    def started(self) -> bool:
        """Return whether a point has been spent."""
        return self.left > 0

    def choices(self, state: State) -> list[Any]:
        """Return every die that can take a point, from the last one on."""
        op = self.of
        return [
            o.INCREASE[1][faction][region]
            for region in self.regions()
            if region >= self.last
            for faction in factions(state, op, self.faction)
            if can_raise(state, faction, region)
        ]

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Spend a point; end with the last one."""
        self.left = (self.left or self.of.amount) - 1
        self.last = REGION_INDEX[action.region]
        if not self.left:
            ctx.pop()
        raise_die(ctx, FACTIONS.index(action.faction), self.last, 1)


class LowerDie(Operation, tag="reduce_influence"):
    """Lower an opposing die (The Baltics of Russia, Security Services, Diplomatic Pressure, Cyber Attack)."""

    def choices(self, state: State) -> list[Any]:
        """Return every opposing die above the floor, in regions that the card allows."""
        op = self.of
        return [
            o.REDUCE[op.amount][faction][region]
            for faction in op.factions
            for region in self.regions()
            if state.dice[faction][region] > op.floor and _has_own_die(state, op, region)
        ]

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Lower it, not under the floor."""
        ctx.pop()
        faction, region = FACTIONS.index(action.faction), REGION_INDEX[action.region]
        lower_die(ctx, faction, region, max(self.of.floor, ctx.state.dice[faction][region] - action.amount))
