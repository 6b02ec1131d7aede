"""Put pieces on the board and take them off: the only hands that touch troops, coins and goods."""

from engine.core.frames import Ctx
from engine.games.rurik import events as e
from engine.games.rurik.data import REGIONS
from engine.games.rurik.ids import GOODS, NONE


def muster(ctx: Ctx, seat: int, region: int, *, leader: bool) -> None:
    """Bring a troop or the leader of a seat onto the board (Muster)."""
    player = ctx.state.players[seat]
    if leader:
        player.leader_at = region
    else:
        player.supply -= 1
        player.troops[region] += 1
    ctx.emit(e.TroopMustered, seat, REGIONS[region], leader)


def take_off(ctx: Ctx, seat: int, region: int, *, leader: bool) -> None:
    """Return a troop or the leader of a seat from a region to its supply."""
    player = ctx.state.players[seat]
    if leader:
        player.leader_at = NONE
    else:
        player.troops[region] -= 1
        player.supply += 1


def remove_own(ctx: Ctx, seat: int, region: int, *, leader: bool) -> None:
    """Remove an own troop as a casualty or a cost."""
    take_off(ctx, seat, region, leader=leader)
    ctx.emit(e.TroopRemoved, seat, REGIONS[region], leader)


def gain_coins(ctx: Ctx, seat: int, coins: int) -> None:
    """Give a seat coins from the supply."""
    ctx.state.players[seat].coins += coins
    ctx.emit(e.CoinsGained, seat, coins)


def spend_coins(ctx: Ctx, seat: int, coins: int) -> None:
    """Take coins from a seat."""
    ctx.state.players[seat].coins -= coins
    ctx.emit(e.CoinsSpent, seat, coins)


def spend_good(ctx: Ctx, seat: int, good: int) -> None:
    """Take a good from a seat, from dock or boat alike."""
    ctx.state.players[seat].goods[good] -= 1
    ctx.emit(e.GoodSpent, seat, GOODS[good])
