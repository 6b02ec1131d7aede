"""Put the things of the game into words: names of regions and seats, what cards need, cost and give."""

from engine.core.effects import Effect
from engine.core.rules import View
from engine.games.rurik.data import (
    AGENDA_INDEX,
    AGENDAS,
    DEED_INDEX,
    DEEDS,
    LEADER_NAMES,
    LEADERS,
    REGION_NAMES,
    SCHEME_INDEX,
    SCHEMES,
)
from engine.games.rurik.ids import NONE, BonusKind
from engine.games.rurik.records import DeedCost, DeedRequirement, DeedTroops
from engine.games.rurik.view import seen

_POINTS = {
    "muster_points": "muster point",
    "movement_points": "movement point",
    "attack_points": "attack point",
    "tax_points": "tax point",
    "build_points": "build point",
    "coins": "coin",
}

#: What leaders can do (Leaders).
ABILITIES = {
    "agatha": "moving her takes up to two of your troops along from her region, free",
    "boris": "attacks on opponents in his region reveal one card fewer and steal a coin",
    "maria": "once a round, muster into one adjacent region in which you have no troops",
    "mstislav": "a tax or a building in his region costs 1 point, whoever rules it",
    "predslava": "once a round, move an opponent's troop or leader out of her region, who gets a coin for it",
    "sudislav": "attack points may muster troops in his region",
    "sviatopolk": "rebels in his region count for your rule; one you defeat there becomes your troop",
    "yaroslav": "in his region you win ties for rule, and structures of opponents have no ability",
}


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it must be."""
    plural = noun if number == 1 else f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number} {plural}"


def region(name: str) -> str:
    """Return a region's printed name."""
    return REGION_NAMES[name]


def leader(name: str) -> str:
    """Return a leader's printed name."""
    return LEADER_NAMES[name]


def who(seat: int, view: View) -> str:
    """Return how to call a seat: its leader once it has one, the Rebellion, or its number."""
    if rebels(seat, view):
        return "the Rebellion"
    leader = seen(view.flow).players[seat].leader
    return f"seat {seat}" if leader == NONE else LEADER_NAMES[LEADERS[leader]]


def rebels(seat: int, view: View) -> bool:
    """Return whether a seat is the Rebellion's."""
    rebellion = seen(view.flow).rebellion
    return rebellion is not None and rebellion.seat == seat


def sentence(line: str) -> str:
    """Return a line that begins with a capital letter."""
    return line[:1].upper() + line[1:]


def bonus(name: BonusKind, amount: int) -> str:
    """Return what a bonus space of the Rebellion gives."""
    if name is BonusKind.REVEAL_LESS:
        return f"{count(amount, 'card')} fewer for a casualty"
    return count(amount, _POINTS[name])


def effect(item: Effect) -> str:
    """Return what one operation gives."""
    if item.op in _POINTS:
        return count(item.amount, _POINTS[item.op])
    return {
        "attack_points_one_less": f"{count(item.amount, 'attack point')}, one card fewer for a casualty",
        "draw_schemes": f"draw {item.amount} schemes and keep one",
        "relocate_troops": f"move {count(item.amount, 'troop')} anywhere",
        "take_deed_cards": "take a deed card",
    }[item.op]


def scheme(name: str) -> str:
    """Return a scheme card's reward and cost."""
    card = SCHEMES[SCHEME_INDEX[name]]
    reward = " and ".join(effect(item) for item in card.effects)
    return f"{reward} for {count(card.coin_cost, 'coin')}" if card.coin_cost else reward


def face(name: str) -> str:
    """Return all that a scheme card shows, for who holds it: a casualty icon matters to what goes back on a deck."""
    return f"{scheme(name)}, casualty icon" if SCHEMES[SCHEME_INDEX[name]].casualty else scheme(name)


def agenda(name: str) -> str:
    """Return an agenda card's name and goal."""
    card = AGENDAS[AGENDA_INDEX[name]]
    return f"{card.name} ({card.means})"


def deed_name(name: str) -> str:
    """Return a deed card's printed name."""
    return DEEDS[DEED_INDEX[name]].name


def deed(name: str) -> str:
    """Return a deed card's name, what it needs and costs, its reward and its points."""
    card = DEEDS[DEED_INDEX[name]]
    price = ", ".join([*_requirement(card.require), *_cost(card.cost)])
    reward = " and ".join(effect(item) for item in card.effects)
    return f"{card.name} ({price}: {reward}; {card.vp} VP)"


def _requirement(need: DeedRequirement) -> list[str]:
    words = []
    if need.troops_in_one_region:
        words.append(f"have {need.troops_in_one_region} troops in one region")
    if need.occupied_regions:
        words.append(f"have troops in {need.occupied_regions} regions")
    if need.defeated_rebels:
        words.append(f"have {count(need.defeated_rebels, 'defeated rebel')}")
    if need.first_player_marker:
        words.append("have the first player marker")
    if need.own_structures_same_region:
        words.append(f"have {' and '.join(need.own_structures_same_region)} in one region")
    belt = need.own_structure_in_adjacent_regions
    if belt:
        words.append(f"have a {belt.type} in {belt.regions} adjacent regions")
    if need.own_markets_with_different_goods_icons:
        words.append(f"have markets on {need.own_markets_with_different_goods_icons} different goods")
    return words


def _cost(cost: DeedCost) -> list[str]:
    words = [f"spend {number} {good}" for good, number in cost.goods.items()]
    if cost.goods_any:
        words.append(f"spend any {count(cost.goods_any, 'good')}")
    if cost.goods_same_type:
        words.append(f"spend {cost.goods_same_type} equal goods")
    if cost.goods_different_types:
        words.append(f"spend {cost.goods_different_types} different goods")
    if cost.coins:
        words.append(f"spend {count(cost.coins, 'coin')}")
    if cost.discard_schemes:
        words.append(f"discard {count(cost.discard_schemes, 'scheme')}")
    if cost.remove_own_structures:
        words.append("remove an own structure")
    if cost.remove_own_troops is not None:
        words.append(_troops(cost.remove_own_troops))
    return words


def _troops(cost: DeedTroops) -> str:
    if cost.one_from_each_of_regions:
        return f"remove a troop from each of {cost.one_from_each_of_regions} regions"
    place = "" if cost.place == "any" else " from one region you rule"
    return f"remove {cost.count} own troops{place}"
