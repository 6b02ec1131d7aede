"""Move own troops, one border a point or regardless of distance, and let Predslava move others' (Move, Leaders)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.actions import Done, MoveLeader, MoveOpponentLeader, RelocateLeader
from engine.games.rurik.data import REGION_INDEX, REGIONS
from engine.games.rurik.frames.pieces import gain_coins
from engine.games.rurik.ids import AGATHA, NONE
from engine.games.rurik.state import Player, State, board, troops_in

#: How many troops go along with Agatha.
ESCORTS = 2


def move(ctx: Ctx, seat: int, source: int, target: int, *, leader: bool, escorts: int = 0) -> None:
    """Take a troop or the leader, with escorts, from one region to another."""
    player = ctx.state.players[seat]
    if leader:
        player.leader_at = target
    troops = escorts if leader else 1
    player.troops[source] -= troops
    player.troops[target] += troops
    ctx.emit(e.TroopMoved, seat, REGIONS[source], REGIONS[target], leader, escorts)


def _escorts(player: Player) -> int:
    return min(ESCORTS, player.troops[player.leader_at]) if player.leader == AGATHA else 0


class Move(Frame, tag="move"):
    """Let a seat move its troops into adjacent regions, one a point."""

    seat: int
    points: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat while points are left."""
        return (self.seat,) if self.points else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every own troop with every border; Agatha with up to two escorts (Leaders: Agatha)."""
        player = state.players[seat]
        adjacent = board(state).adjacent
        listed: list[Any] = []
        for source, count in enumerate(player.troops):
            if count:
                row = o.MOVE_TROOP[source]
                listed += [row[target] for target in adjacent[source]]
        if player.leader_at != NONE:
            row_of_leader = o.MOVE_LEADER[player.leader_at]
            escorts = _escorts(player) + 1
            for target in adjacent[player.leader_at]:
                listed += row_of_leader[target][:escorts]
        listed.append(o.DONE)
        return tuple(listed)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Move, or stop."""
        if isinstance(action, Done):
            self.points = 0
            return
        source, target = REGION_INDEX[action.source], REGION_INDEX[action.target]
        if isinstance(action, MoveLeader | RelocateLeader):
            move(ctx, seat, source, target, leader=True, escorts=action.escorts)
        else:
            move(ctx, seat, source, target, leader=False)
        self.points -= 1

    def run(self, ctx: Ctx) -> None:
        """End when the points are spent."""
        ctx.pop()


class Relocate(Move, tag="relocate"):
    """Let a seat move a number of its troops anywhere (Border Patrols, Send Gifts, Victory March).

    Each of them is another troop: `leader` says that the leader has been one of them, lest Agatha go twice and take
    twice as many along. Of two other troops nobody can tell one that went twice.
    """

    leader: bool = False

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every own troop with every other region in play; Agatha's escorts go to the same one."""
        player = state.players[seat]
        regions = range(len(state.icons))
        listed: list[Any] = []
        for source, count in enumerate(player.troops):
            if count:
                listed += [o.RELOCATE_TROOP[source][target] for target in regions if target != source]
        if player.leader_at != NONE and not self.leader:
            escorts = _escorts(player) + 1
            for target in regions:
                if target != player.leader_at:
                    listed += o.RELOCATE_LEADER[player.leader_at][target][:escorts]
        return (*listed, o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Move, or stop."""
        self.leader |= isinstance(action, RelocateLeader)
        super().resolve(ctx, seat, action)


def opponents_to_move(state: State, seat: int) -> list[Any]:
    """Return what Predslava may do: move an opponent's troop or leader from her region into an adjacent one."""
    region = state.players[seat].leader_at
    listed: list[Any] = []
    if region == NONE:
        return listed
    for victim, other in enumerate(state.players):
        if victim == seat or not troops_in(other, region):
            continue
        for target in board(state).adjacent[region]:
            if other.troops[region]:
                listed.append(o.MOVE_OPPONENT_TROOP[victim][target])
            if other.leader_at == region:
                listed.append(o.MOVE_OPPONENT_LEADER[victim][target])
    return listed


def move_opponent(ctx: Ctx, seat: int, action: Any) -> None:
    """Move an opponent's piece for Predslava; its owner gains a coin."""
    player, victim = ctx.state.players[seat], ctx.state.players[action.seat]
    source, target = player.leader_at, REGION_INDEX[action.target]
    leader = isinstance(action, MoveOpponentLeader)
    if leader:
        victim.leader_at = target
    else:
        victim.troops[source] -= 1
        victim.troops[target] += 1
    player.ability_used = True
    ctx.emit(e.OpponentMoved, seat, action.seat, REGIONS[source], action.target, leader)
    gain_coins(ctx, action.seat, 1)
