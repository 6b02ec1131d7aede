"""Touch dice, armies, money and cards on the board: the only hands that do, each telling what it did."""

from engine.core.frames import Ctx
from engine.games.europe_divided import events as e
from engine.games.europe_divided.cards import GREY_CARDS
from engine.games.europe_divided.data import CARD_AT, DOMINANCE, REGIONS
from engine.games.europe_divided.ids import FACTIONS, FACTIONS_OF, NONE, SEAT_OF
from engine.games.europe_divided.stakes import SEAS, SEAS_BY_REGION
from engine.games.europe_divided.state import opposing_six, raised, sea_power


def gain(ctx: Ctx, seat: int, amount: int) -> None:
    """Give a seat money from the supply, which has no limit (Component Limits)."""
    ctx.state.players[seat].money += amount
    ctx.emit(e.MoneyGained, seat, amount)


def place_die(ctx: Ctx, faction: int, region: int, cost: int) -> None:
    """Pay for a die and place it with the 1 face up (Place Influence)."""
    state = ctx.state
    state.players[SEAT_OF[faction]].money -= cost
    state.dice[faction][region] = 1
    ctx.emit(e.InfluencePlaced, FACTIONS[faction], REGIONS[region], cost)
    _award_seas(ctx, region)


def raise_die(ctx: Ctx, faction: int, region: int, amount: int) -> None:
    """Raise a die as far as it may go; at 5 or 6 its owner takes the region's grey card (Increase Influence)."""
    state = ctx.state
    value = raised(state, faction, region, amount)
    state.dice[faction][region] = value
    ctx.emit(e.InfluenceRaised, FACTIONS[faction], REGIONS[region], value)
    seat = SEAT_OF[faction]
    player = state.players[seat]
    if value >= CARD_AT and region not in player.taken:
        player.taken.append(region)
        player.discard.append(GREY_CARDS[seat][region])
        ctx.emit(e.CardTaken, seat, REGIONS[region])
    _award_seas(ctx, region)


def lower_die(ctx: Ctx, faction: int, region: int, value: int) -> None:
    """Lower a die to a value; a grey card once taken stays with its owner."""
    ctx.state.dice[faction][region] = value
    ctx.emit(e.InfluenceLowered, FACTIONS[faction], REGIONS[region], value)
    _award_seas(ctx, region)


def _award_seas(ctx: Ctx, region: int) -> None:
    """Give each sea card that a region's dice count for to the power that should hold it now (Sea Cards)."""
    state = ctx.state
    for sea in SEAS_BY_REGION[region]:
        power = sea_power(state, sea)
        if power != state.seas[sea]:
            state.seas[sea] = power
            ctx.emit(e.SeaCardTaken, SEAS[sea].id, None if power == NONE else FACTIONS[power])


def build_army(ctx: Ctx, seat: int, region: int, cost: int) -> None:
    """Pay for an army, place it, and let it meet what is there (Build Army)."""
    state = ctx.state
    state.players[seat].money -= cost
    state.armies[seat][region] += 1
    ctx.emit(e.ArmyBuilt, seat, REGIONS[region], cost)
    _meet(ctx, seat, region)


def move_army(ctx: Ctx, seat: int, source: int, target: int, cost: int) -> None:
    """Pay for a move, take an army there, and let it meet what is there (Move Army)."""
    state = ctx.state
    state.players[seat].money -= cost
    state.armies[seat][source] -= 1
    state.armies[seat][target] += 1
    ctx.emit(e.ArmyMoved, seat, REGIONS[source], REGIONS[target], cost)
    _meet(ctx, seat, target)


def _meet(ctx: Ctx, seat: int, region: int) -> None:
    """Settle military presence: armies first, one for one; then opposing dice of 6, which all fall to 5."""
    state = ctx.state
    own, other = state.armies[seat], state.armies[1 - seat]
    if other[region]:
        own[region] -= 1
        other[region] -= 1
        ctx.emit(e.ArmiesClashed, REGIONS[region])
    elif opposing_six(state, seat, region):
        own[region] -= 1
        ctx.emit(e.ArmyStopped, seat, REGIONS[region])
        for faction in FACTIONS_OF[1 - seat]:
            if state.dice[faction][region] == DOMINANCE:
                lower_die(ctx, faction, region, DOMINANCE - 1)
