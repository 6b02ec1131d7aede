"""Say when a deed may be accomplished and collect what it costs (Accomplishing Deeds, Deed Card Reference)."""

from engine.core.frames import Ctx
from engine.games.rurik.data import DEEDS, Deed, DeedCost, DeedRequirement
from engine.games.rurik.frames.deeds import PayGoods, PaySameGoods, PayStructure, PayTroops
from engine.games.rurik.frames.pieces import spend_coins, spend_good
from engine.games.rurik.frames.schemes import PayScheme
from engine.games.rurik.ids import GOODS, MARKET, STRUCTURES
from engine.games.rurik.state import Player, State, board, occupied, rules, troops_in

#: How the cost names troops to the wording that the paying frame knows.
_TROOPS = {"any": "any", "one region that you rule": "ruled"}


def can_accomplish(state: State, seat: int, card: int) -> bool:
    """Return whether a seat meets every requirement of a deed and can pay all of its costs."""
    deed = DEEDS[card]
    return _meets(state, seat, deed.require) and _can_pay(state, seat, deed.cost)


def _meets(state: State, seat: int, need: DeedRequirement) -> bool:
    player = state.players[seat]
    if len(player.rebels) < need.defeated_rebels or (need.first_player_marker and state.marker != seat):
        return False
    if need.troops_in_one_region and not any(
        troops_in(player, r) >= need.troops_in_one_region for r in occupied(player)
    ):
        return False
    if need.occupied_regions and len(occupied(player)) < need.occupied_regions:
        return False
    regions = range(len(state.icons))
    if need.own_structures_same_region:
        kinds = [STRUCTURES.index(s) for s in need.own_structures_same_region]
        if not any(all(state.built[k][r] == seat for k in kinds) for r in regions):
            return False
    if need.own_markets_with_different_goods_icons:
        icons = {state.icons[r] for r in regions if state.built[MARKET][r] == seat}
        if len(icons) < need.own_markets_with_different_goods_icons:
            return False
    belt = need.own_structure_in_adjacent_regions
    return not belt or _adjacent(state, seat, STRUCTURES.index(belt["type"]), belt["regions"])


def _adjacent(state: State, seat: int, structure: int, count: int) -> bool:
    """Return whether `count` regions with the seat's structure hang together, or all border each other by option."""
    adjacent = board(state).adjacent
    own = [r for r, owner in enumerate(state.built[structure]) if owner == seat]
    if state.config.deed_adjacency == "pairwise":
        return len(own) >= count and all(b in adjacent[a] for a in own for b in own if a != b)
    return any(len(_connected(own, start, adjacent)) >= count for start in own)


def _connected(own: list[int], start: int, adjacent: tuple[tuple[int, ...], ...]) -> list[int]:
    group = [start]
    for region in group:
        group += [near for near in adjacent[region] if near in own and near not in group]
    return group


def _can_pay(state: State, seat: int, cost: DeedCost) -> bool:
    player = state.players[seat]
    goods = player.goods
    return (
        player.coins >= cost.coins
        and all(goods[GOODS.index(good)] >= count for good, count in cost.goods.items())
        and sum(goods) >= cost.goods_any
        and max(goods) >= cost.goods_same_type
        and sum(count > 0 for count in goods) >= cost.goods_different_types
        and len(player.hand) >= cost.discard_schemes
        and sum(owners.count(seat) for owners in state.built) >= cost.remove_own_structures
        and _can_remove(state, seat, player, cost)
    )


def _can_remove(state: State, seat: int, player: Player, cost: DeedCost) -> bool:
    troops = cost.remove_own_troops
    if not troops:
        return True
    if "one_from_each_of_regions" in troops:
        return len(occupied(player)) >= int(troops["one_from_each_of_regions"])
    if _TROOPS[troops["from"]] == "ruled":
        return any(troops_in(player, r) >= int(troops["count"]) for r in rules(state, seat))
    return sum(troops_in(player, r) for r in occupied(player)) >= int(troops["count"])


def pay(ctx: Ctx, seat: int, deed: Deed) -> None:
    """Take the fixed part of a deed's cost and push a frame for each part that leaves a choice."""
    cost = deed.cost
    if cost.coins:
        spend_coins(ctx, seat, cost.coins)
    for good, count in cost.goods.items():
        for _ in range(count):
            spend_good(ctx, seat, GOODS.index(good))
    if cost.goods_any:
        ctx.push(PayGoods(seat, cost.goods_any, different=False))
    if cost.goods_same_type:
        ctx.push(PaySameGoods(seat, cost.goods_same_type))
    if cost.goods_different_types:
        ctx.push(PayGoods(seat, cost.goods_different_types, different=True))
    if cost.remove_own_structures:
        ctx.push(PayStructure(seat))
    troops = cost.remove_own_troops
    if "one_from_each_of_regions" in troops:
        ctx.push(PayTroops(seat, troops["one_from_each_of_regions"], "one_each"))
    elif troops:
        ctx.push(PayTroops(seat, troops["count"], _TROOPS[troops["from"]]))
    if cost.discard_schemes:
        ctx.push(PayScheme(seat))
