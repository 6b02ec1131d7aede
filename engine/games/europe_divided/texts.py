"""Put the things of the game into words: names of regions, cards and sides, what operations do."""

from engine.games.europe_divided.cards import ADVANTAGE_INDEX, ADVANTAGES, CARD_INDEX, CARDS, OPS, Op
from engine.games.europe_divided.data import CONTESTED, NAMES, REGIONS
from engine.games.europe_divided.ids import NATO, Faction
from engine.games.europe_divided.stakes import HEADLINE_INDEX, HEADLINES, SEA_INDEX, SEAS

_FACTIONS = {Faction.EU: "EU", Faction.NATO: "NATO", Faction.RUSSIA: "Russia"}
_SIDES = ("Europe", "Russia")


def side(seat: int) -> str:
    """Return the name of a seat's side."""
    return _SIDES[seat]


def faction(name: Faction) -> str:
    """Return the name of a faction."""
    return _FACTIONS[name]


def region(name: str) -> str:
    """Return a region's printed name, or that of the Energy Sector space."""
    return NAMES[name]


def regions(names: tuple[str, ...]) -> str:
    """Return regions in a list."""
    return ", ".join(NAMES[name] for name in names) or "no region"


def card(seat: int, name: str) -> str:
    """Return the name of an action card of a seat."""
    return CARDS[CARD_INDEX[seat][name]].name


def initiative(seat: int, name: str) -> int:
    """Return the initiative of an action card of a seat."""
    return CARDS[CARD_INDEX[seat][name]].initiative


def advantage(name: str) -> str:
    """Return the name of an advantage card."""
    return ADVANTAGES[ADVANTAGE_INDEX[name]].name


def headline(name: str) -> str:
    """Return the name of a headline."""
    return HEADLINES[HEADLINE_INDEX[name]].name


def sea(name: str) -> str:
    """Return the name of a sea card."""
    return SEAS[SEA_INDEX[name]].name


def money(amount: int) -> str:
    """Return an amount of money, or that it is free."""
    return f"{amount} money" if amount else "free"


def does(ops: tuple[int, ...]) -> str:
    """Return what operations of a card do."""
    return ", then ".join(operation(OPS[op]) for op in ops)


def _where(op: Op) -> str:
    if op.at_trigger:
        return "that region"
    if op.own_die:
        return "a region with an own die"
    if len(op.regions) == CONTESTED:
        return "any contested region"
    names = [NAMES[REGIONS[region]] for region in op.regions]
    word = " and " if op.each else " or "
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])}{word}{names[-1]}"


def operation(op: Op) -> str:
    """Return what one operation does."""
    match op.kind:
        case "place_influence":
            return f"place a die in {_where(op)} ({money(op.cost)})"
        case "increase_influence":
            return f"raise a die by {op.amount} in {_where(op)}"
        case "distribute_influence":
            return f"raise dice by {op.amount} in all, in {_where(op)}"
        case "reduce_influence":
            return f"lower an opposing die by {op.amount} in {_where(op)}"
        case "build_army":
            need = (
                f" where the {'NATO' if op.needs[0] == NATO else 'own'} die shows {op.needs[1]} or more"
                if op.needs
                else ""
            )
            return f"build an army in {_where(op)}{need} ({money(op.cost)})"
        case "move_army":
            to = f" to {' or '.join(NAMES[REGIONS[region]] for region in op.to)}" if op.to else ""
            armies = "an army" if op.count == 1 else f"up to {op.count} armies"
            free = f", {op.free_steps} spaces free" if op.free_steps > 1 else ""
            return f"move {armies}{to}{free}"
        case "gain_money":
            return f"gain {op.amount} money"
        case "gain_money_per_region":
            return f"gain {op.amount} money for each region with an own die of {op.floor} or more, {op.most} at most"
        case "deny_opponent_spending":
            return f"{side(1 - op.seat)} spends no money in this turn"
        case "place_fracture":
            return "bar the EU actions of a Europe card"
        case "play_extra_action_card":
            return f"play {op.count} more card of the hand, draw {op.draws_back} back"
        case _:
            return f"{side(1 - op.seat)} loses {op.count} random card of its hand, draws {op.draws_back}"
