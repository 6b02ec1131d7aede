"""Run the operations of special texts and advantage cards, and say which of them can be done."""

from collections.abc import Mapping
from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided import options as o
from engine.games.europe_divided.cards import CARDS, FRACTURABLE, OPS, Op
from engine.games.europe_divided.data import CONTESTED, REGIONS
from engine.games.europe_divided.frames.armies import Build, March
from engine.games.europe_divided.frames.cards import lose_random
from engine.games.europe_divided.frames.influence import Distribute, LowerDie, PlaceDie, RaiseDie
from engine.games.europe_divided.frames.operation import Operation
from engine.games.europe_divided.frames.pieces import gain
from engine.games.europe_divided.ids import NONE
from engine.games.europe_divided.state import State


class Fracture(Operation, tag="place_fracture"):
    """Place the EU fracture marker (Fracture in the EU)."""

    def choices(self, state: State) -> list[Any]:
        """Return the regions of Europe whose card has EU actions."""
        return [o.FRACTURE[CARDS[card].region] for card in FRACTURABLE if card != state.fracture]

    def do(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place it for the rest of the game."""
        ctx.pop()
        ctx.state.fracture = next(card for card in FRACTURABLE if REGIONS[CARDS[card].region] == action.region)
        ctx.emit(e.CountryFractured, action.region)


#: The operations that ask, by their kind.
ASKING: Mapping[str, type[Operation]] = {
    "place_influence": PlaceDie,
    "increase_influence": RaiseDie,
    "distribute_influence": Distribute,
    "reduce_influence": LowerDie,
    "build_army": Build,
    "move_army": March,
    "place_fracture": Fracture,
}


class Automatic(Frame, tag="automatic"):
    """Be an operation that leaves nothing to choose."""

    op: int

    def run(self, ctx: Ctx) -> None:
        """Do it."""
        ctx.pop()
        op = OPS[self.op]
        match op.kind:
            case "gain_money":
                gain(ctx, op.seat, op.amount)
            case "gain_money_per_region":
                gain(ctx, op.seat, _per_region(ctx.state, op))
            case "deny_opponent_spending":
                ctx.state.players[1 - op.seat].denied = True
                ctx.emit(e.SpendingDenied, 1 - op.seat)
            case "opponent_discard_random_action_card":
                lose_random(ctx, 1 - op.seat, op.count, op.draws_back)
            case _:
                turn = next(frame for frame in reversed(ctx.stack) if frame.__struct_config__.tag == "turn")
                turn.extra += op.count
                turn.draws_back = op.draws_back


def _per_region(state: State, op: Op) -> int:
    """Return what an own die of enough pips in each region brings, up to the card's most (Energy Leverage)."""
    count = sum(any(state.dice[faction][region] >= op.floor for faction in op.factions) for region in range(CONTESTED))
    return min(op.most, count * op.amount)


def possible(state: State, op: int) -> bool:
    """Return whether an operation of a special action or an advantage card does anything now."""
    of = OPS[op]
    if of.kind in ASKING:
        return bool(ASKING[of.kind](op).choices(state))
    match of.kind:
        case "gain_money_per_region":
            return _per_region(state, of) > 0
        case "deny_opponent_spending":
            return not state.players[1 - of.seat].denied
        case "opponent_discard_random_action_card":
            return bool(state.players[1 - of.seat].hand)
        case "play_extra_action_card":
            return bool(state.players[of.seat].hand)
    return True


def push(ctx: Ctx, ops: tuple[int, ...], faction: int = NONE, region: int = NONE) -> None:
    """Put operations on the stack so that the first one printed is done first; `faction` and `region` set them off."""
    for op in reversed(ops):
        of = OPS[op]
        if of.kind not in ASKING:
            ctx.push(Automatic(op))
        elif of.each:
            for only in reversed(of.regions):
                ctx.push(RaiseDie(op, faction, region, only=only))
        else:
            ctx.push(ASKING[of.kind](op, faction, region))
