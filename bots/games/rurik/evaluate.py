"""Say how good a position of Rurik is for a seat: points it would score now, and a little for means to score more."""

from engine.games.rurik.data import AGENDAS, CLAIMS, DEEDS, REGION_INDEX, SPACES, WARFARE_VP
from engine.games.rurik.ids import BUILD_TRACK, NONE, RULE_TRACK, TRADE_TRACK
from engine.games.rurik.state import Player, State, boat, largest_group, occupied, ruler

#: What a unit is worth in victory points when it scores nothing by itself: small, so that points come first.
COIN = 0.16
GOOD_ON_DOCK = 0.06
SCHEME = 0.22
DEED_CARD = 0.15
TROOP = 0.12
LEADER = 0.3
OCCUPIED = 0.1
STRUCTURE = 0.35
WARFARE_STEP = 0.25
REBEL = 0.05
#: Progress on a track between two of its spaces, by unit: a region ruled, a region built up, a good on the boat.
UNIT = (0.45, 0.5, 0.35)
#: The share of the best rival's points that is taken off one's own.
RIVAL = 0.4
#: What a point of each action column promises: muster, move, attack, tax, build, scheme.
COLUMN = (1.0, 0.8, 0.3, 1.2, 1.4, 0.1)
_AGENDA_VP = 2.0


def evaluate(state: State, seat: int) -> float:
    """Return the seat's worth in victory points, a share of the best rival's taken off."""
    rulers = [ruler(state, region) for region in range(len(state.icons))]
    own = _points(state, seat, rulers) + _means(state, seat)
    rivals = [_points(state, other, rulers) for other in range(len(state.players)) if other != seat]
    return own - RIVAL * max(rivals, default=0.0)


def _points(state: State, seat: int, rulers: list[int]) -> float:
    """Return the victory points as a claim phase held now would leave them, with the seat's own agenda."""
    player = state.players[seat]
    ruled = [region for region, who in enumerate(rulers) if who == seat]
    counts = (len(ruled), largest_group(state, seat), sum(boat(player)))
    total = 0.0
    for track in (RULE_TRACK, BUILD_TRACK, TRADE_TRACK):
        total += _claimed(track, player.claims[track], counts[track], ruled) + UNIT[track] * counts[track]
    total += _warfare(state, seat) + WARFARE_STEP * player.warfare
    total += sum(DEEDS[card].vp for card in player.accomplished)
    if player.agenda >= 0 and _meets_agenda(state, seat, rulers):
        total += _AGENDA_VP
    return total


def _claimed(track: int, marker: int, count: int, ruled: list[int]) -> int:
    best = 0
    for number, space in enumerate(CLAIMS[track], 1):
        reached = count >= space.needs and all(REGION_INDEX[name] in ruled for name in space.must_include)
        if marker >= number or reached:
            best = max(best, space.vp)
    return best


def _warfare(state: State, seat: int) -> int:
    mine = state.players[seat].warfare
    ahead = sum(player.warfare > mine for player in state.players)
    if mine == 0 or ahead > 1:
        return 0
    if ahead == 0:
        return WARFARE_VP[0]
    return WARFARE_VP[1]


def _means(state: State, seat: int) -> float:
    player = state.players[seat]
    total = COIN * min(player.coins, 8)
    total += GOOD_ON_DOCK * (sum(player.goods) - sum(boat(player)))
    total += SCHEME * len(player.hand) + DEED_CARD * len(player.deeds) + REBEL * len(player.rebels)
    total += TROOP * sum(player.troops) + LEADER * (player.leader_at != NONE)
    total += OCCUPIED * len(occupied(player))
    total += STRUCTURE * (9 - sum(player.structures))
    return total + _advisors(state, seat)


def _advisors(state: State, seat: int) -> float:
    """Return what the seat's advisors on the strategy board promise; a space down the column promises less."""
    total = 0.0
    for column, (placed, spaces) in enumerate(zip(state.columns, SPACES[state.config.seats], strict=True)):
        for (owner, _, _), space in zip(placed, spaces, strict=False):
            if owner == seat:
                total += COLUMN[column] * space.icons - COIN * space.coin_cost
    return total


def _meets_agenda(state: State, seat: int, rulers: list[int]) -> bool:
    metric = AGENDAS[state.players[seat].agenda].metric
    amounts = [_metric(state, other, metric, rulers) for other in range(len(state.players))]
    return amounts[seat] > 0 and amounts[seat] == max(amounts)


def _metric(state: State, seat: int, metric: str, rulers: list[int]) -> int:
    player = state.players[seat]
    simple = {
        "goods_total": sum(player.goods),
        "track_warfare": player.warfare,
        "defeated_rebels": len(player.rebels),
        "accomplished_deeds": len(player.accomplished),
        "fur_plus_honey": _fur_and_honey(player),
        "coins": player.coins,
    }
    if metric in simple:
        return simple[metric]
    ruled = [region for region, who in enumerate(rulers) if who == seat]
    if metric == "structures_in_ruled_regions":
        return sum(owners[region] != NONE for owners in state.built for region in ruled)
    if metric == "occupied_regions":
        return len(occupied(player))
    track, count = {
        "track_rule": (RULE_TRACK, len(ruled)),
        "track_build": (BUILD_TRACK, largest_group(state, seat)),
        "track_trade": (TRADE_TRACK, sum(boat(player))),
    }[metric]
    return _claimed(track, player.claims[track], count, ruled)


def _fur_and_honey(player: Player) -> int:
    return player.goods[3] + player.goods[4]
