"""Spend muster points (Muster)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import options as o
from engine.games.rurik.actions import Done, MusterLeader
from engine.games.rurik.data import REGION_INDEX
from engine.games.rurik.frames.pieces import muster
from engine.games.rurik.ids import MARIA, NONE
from engine.games.rurik.state import State, board, occupied, troops_in


class Muster(Frame, tag="muster"):
    """Let a seat place troops, one a point."""

    seat: int
    points: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat while points are left."""
        return (self.seat,) if self.points else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the regions occupied, for a troop and for a leader off the board, and what Maria adds."""
        player = state.players[seat]
        here = occupied(player)
        listed: list[Any] = [o.MUSTER_TROOP[r] for r in here] if player.supply else []
        if player.leader_at == NONE:
            listed += [o.MUSTER_LEADER[r] for r in here]
        if player.leader == MARIA and not player.ability_used and player.leader_at != NONE and player.supply:
            near = board(state).adjacent[player.leader_at]
            listed += [o.MUSTER_TROOP[r] for r in near if not player.troops[r]]
        return (*listed, o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place a troop, or stop."""
        if isinstance(action, Done):
            self.points = 0
            return
        region = REGION_INDEX[action.region]
        player = ctx.state.players[seat]
        if not troops_in(player, region):
            # Only Maria musters where nobody of hers is; from then on the region is occupied like any other.
            player.ability_used = True
        muster(ctx, seat, region, leader=isinstance(action, MusterLeader))
        self.points -= 1

    def run(self, ctx: Ctx) -> None:
        """End when the points are spent."""
        ctx.pop()
