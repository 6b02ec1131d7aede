"""Say when a deed may be accomplished and collect what it costs (Accomplishing Deeds, Deed Card Reference)."""

from collections.abc import Callable
from typing import Any

from engine.core.frames import Ctx
from engine.games.rurik.data import DEEDS, Deed
from engine.games.rurik.frames.deeds import PayGoods, PaySameGoods, PayStructure, PayTroops
from engine.games.rurik.frames.pieces import spend_coins, spend_good
from engine.games.rurik.frames.schemes import PayScheme
from engine.games.rurik.ids import GOODS, MARKET, NONE, STRUCTURES, Good, Structure
from engine.games.rurik.records import DeedAdjacent, DeedTroops
from engine.games.rurik.state import Player, State, board, occupied, rules, troops_in

#: How the cost names troops to the wording that the paying frame knows.
_TROOPS = {"any": "any", "one region that you rule": "ruled"}


def can_accomplish(state: State, seat: int, card: int) -> bool:
    """Return whether a seat meets every requirement of a deed and can pay all of its costs."""
    player = state.players[seat]
    for is_met, need in _ASKED[card]:  # noqa: SIM110 - a generator for each card is what a game would notice
        if not is_met(state, seat, player, need):
            return False
    return True


# What a deed requires; nothing of it is spent.


def _has_troops_in_one_region(state: State, seat: int, player: Player, count: int) -> bool:
    troops = player.troops.copy()
    if player.leader_at != NONE:
        troops[player.leader_at] += 1
    return max(troops) >= count


def _has_structures_in_one_region(state: State, seat: int, player: Player, kinds: tuple[Structure, ...]) -> bool:
    owners = zip(*[state.built[STRUCTURES.index(kind)] for kind in kinds], strict=True)
    return (seat,) * len(kinds) in owners


def _has_markets_with_different_icons(state: State, seat: int, player: Player, count: int) -> bool:
    return len({state.icons[r] for r, owner in enumerate(state.built[MARKET]) if owner == seat}) >= count


def _has_belt(state: State, seat: int, player: Player, belt: DeedAdjacent) -> bool:
    """Return whether the regions with the seat's structures hang together, or all border each other by option."""
    adjacent, count = board(state).adjacent, belt.regions
    own = [r for r, owner in enumerate(state.built[STRUCTURES.index(belt.type)]) if owner == seat]
    if state.config.deed_adjacency == "pairwise":
        return len(own) >= count and all(b in adjacent[a] for a in own for b in own if a != b)
    return any(len(_connected(own, start, adjacent)) >= count for start in own)


def _connected(own: list[int], start: int, adjacent: tuple[tuple[int, ...], ...]) -> list[int]:
    group = [start]
    for region in group:
        group += [near for near in adjacent[region] if near in own and near not in group]
    return group


# What a deed costs.


def _has_goods(state: State, seat: int, player: Player, goods: dict[Good, int]) -> bool:
    return all(player.goods[GOODS.index(good)] >= count for good, count in goods.items())


def _has_structures(state: State, seat: int, player: Player, count: int) -> bool:
    return sum(owners.count(seat) for owners in state.built) >= count


def _has_troops(state: State, seat: int, player: Player, troops: DeedTroops) -> bool:
    if troops.one_from_each_of_regions:
        return len(occupied(player)) >= troops.one_from_each_of_regions
    if _TROOPS[troops.place] == "ruled":
        return any(troops_in(player, r) >= troops.count for r in rules(state, seat))
    return sum(player.troops) + (player.leader_at != NONE) >= troops.count


#: What looks whether a seat meets a requirement or can pay a cost: (state, seat, its player, what the card says).
Check = Callable[[State, int, Player, Any], bool]

#: By field of DeedRequirement and DeedCost.
_CHECKS: dict[str, Check] = {
    "troops_in_one_region": _has_troops_in_one_region,
    "occupied_regions": lambda _state, _seat, player, count: len(occupied(player)) >= count,
    "defeated_rebels": lambda _state, _seat, player, count: len(player.rebels) >= count,
    "first_player_marker": lambda state, seat, _player, _needed: state.marker == seat,
    "own_structures_same_region": _has_structures_in_one_region,
    "own_structure_in_adjacent_regions": _has_belt,
    "own_markets_with_different_goods_icons": _has_markets_with_different_icons,
    "coins": lambda _state, _seat, player, count: player.coins >= count,
    "goods": _has_goods,
    "goods_any": lambda _state, _seat, player, count: sum(player.goods) >= count,
    "goods_same_type": lambda _state, _seat, player, count: max(player.goods) >= count,
    "goods_different_types": lambda _state, _seat, player, count: sum(map(bool, player.goods)) >= count,
    "discard_schemes": lambda _state, _seat, player, count: len(player.hand) >= count,
    "remove_own_structures": _has_structures,
    "remove_own_troops": _has_troops,
}


def _asked(deed: Deed) -> tuple[tuple[Check, Any], ...]:
    """Return what a card asks for, each with what it says of it; what it does not speak of is left out."""
    said = [(check, getattr(part, name, None)) for part in (deed.require, deed.cost) for name, check in _CHECKS.items()]
    return tuple((check, need) for check, need in said if need)


#: By deed.
_ASKED = tuple(_asked(deed) for deed in DEEDS)


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
    if troops is not None and troops.one_from_each_of_regions:
        ctx.push(PayTroops(seat, troops.one_from_each_of_regions, "one_each"))
    elif troops is not None:
        ctx.push(PayTroops(seat, troops.count, _TROOPS[troops.place]))
    if cost.discard_schemes:
        ctx.push(PayScheme(seat))
