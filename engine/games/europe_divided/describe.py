"""Tell an action, an event or a decision in one plain line."""

from functools import lru_cache
from typing import Any, get_args

from engine.core.decision import Decision
from engine.core.errors import RulesBug
from engine.core.rules import View
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import texts as t
from engine.games.europe_divided.cards import ADVANTAGE_INDEX, ADVANTAGES, CARD_INDEX, CARDS, Card
from engine.games.europe_divided.data import REGIONS
from engine.games.europe_divided.ids import EUROPE, FACTIONS
from engine.games.europe_divided.narrate import narrate
from engine.games.europe_divided.stakes import HEADLINE_INDEX, HEADLINES
from engine.games.europe_divided.step import Step, build_step
from engine.games.europe_divided.view import seen

_ASKS = {
    "set_aside_advantage": "choose the advantage card to remove from the game",
    "choose_cards": "choose two action cards for this turn",
    "turn": "play a card, use an advantage or sea card, or end the actions",
    "use_card": "take an action of the card",
    "place_influence": "choose where to place a die",
    "increase_influence": "choose the die to raise",
    "distribute_influence": "choose the next die to raise",
    "reduce_influence": "choose the opposing die to lower",
    "build_army": "choose where to build an army",
    "move_army": "choose the army to move",
    "move_to": "choose where the army goes",
    "place_fracture": "choose where the EU fracture marker lies",
    "place_headline": "choose the headline to place",
}

#: Asked of every line, where `isinstance` would try one class of the union after the other.
_ACTIONS = frozenset(get_args(a.Action))


def describe(thing: Any, view: View) -> str:
    """Return a line about an action, event or decision, from what the view's seat may know."""
    if isinstance(thing, Decision):
        step = build_step(seen(view.flow))
        return f"{t.side(thing.seat)}: {_ASKS[thing.kind] if step is None else _asks(thing.kind, step)}"
    if type(thing) in _ACTIONS:
        return _plain(thing) or _by_view(thing, view)
    return narrate(thing)


@lru_cache(maxsize=4096)
def _plain(action: a.Action) -> str:
    """Return the line of an action that reads alike whoever looks, kept as most come again; else nothing."""
    return _board(action) or _cards(action)


def _asks(kind: str, step: Step) -> str:
    """Return what is asked in a step: by which card, which army, how much is left."""
    if kind == "use_card":
        return f"take an action of {_source(step)}"
    asked = _ASKS[kind] if step.source is None else f"choose where the army from {t.region(step.source)} goes"
    where = "" if step.region is None else f" in {t.region(step.region)}"
    left = f", {step.left} left" if step.left > 1 else ""
    return f"{asked}{where} ({_source(step)}{left})"


def _source(step: Step) -> str:
    """Return the card that asks, with its owner when that is the opponent."""
    if step.advantage is not None:
        return t.advantage(step.advantage)
    card = _card(step)
    return card.name if step.owner == step.seat else f"{t.side(card.owner)}'s {card.name}"


def _card(step: Step) -> Card:
    """Return the action card of a step; raise RulesBug when it has none."""
    if step.card is None or step.owner is None:
        raise RulesBug("the step is by no action card")
    return CARDS[CARD_INDEX[step.owner][step.card]]


def _seat(view: View) -> int:
    """Return the seat whose actions these are: the viewer's if it decides, else the one that does."""
    if view.decision is not None:
        return view.decision.seat
    return view.pending[0].seat if view.pending else EUROPE


def _owner(name: str, view: View) -> int:
    """Return the seat that has an action card of this name, the deciding one if both have."""
    seat = _seat(view)
    return seat if name in CARD_INDEX[seat] else 1 - seat


def _cards(action: a.Action) -> str:
    match action:
        case a.SetAsideAdvantage(name):
            return f"Remove {_advantage(name)}"
        case a.PlayAdvantage(name):
            return f"Use {t.advantage(name)}: {t.does(ADVANTAGES[ADVANTAGE_INDEX[name]].ops)}"
        case a.SellAdvantage(name):
            return f"Discard {t.advantage(name)} for {ADVANTAGES[ADVANTAGE_INDEX[name]].money} money"
        case a.UseSeaCard(sea, source, target):
            return f"{t.sea(sea)} card: move an army from {t.region(source)} to {t.region(target)}"
        case a.EndTurn():
            return "End your actions"
        case a.ForgoCard():
            return "Discard the card: no action of it is possible"
        case a.Done():
            return "Leave it at that"
    return ""


def _by_view(action: a.Action, view: View) -> str:
    """Return the line of an action that names a card of a hand, or tells what a card or a headline asks for."""
    match action:
        case a.ChooseCards(first, second):
            seat = _owner(first, view)
            if second not in CARD_INDEX[seat]:
                seat = 1 - seat
            total = t.initiative(seat, first) + t.initiative(seat, second)
            return f"Choose {_initiative(seat, first)} and {_initiative(seat, second)}: initiative {total}"
        case a.PlayCard(name):
            return f"Play {t.card(_owner(name, view), name)}"
        case a.PlayExtraCard(name):
            return f"Play {t.card(_owner(name, view), name)} besides, from your hand"
        case a.TakeSpecial():
            return _special(view)
        case a.PlaceHeadline(name):
            literal = seen(view.flow).config.headline_conditions == "literal"
            return f"Place {headline_text(name, literal=literal)}"
    raise TypeError(f"not an action of Europe Divided: {type(action).__name__}")


def _initiative(seat: int, name: str) -> str:
    return f"{t.card(seat, name)} ({t.initiative(seat, name)})"


def _advantage(name: str) -> str:
    card = ADVANTAGES[ADVANTAGE_INDEX[name]]
    return f"{card.name} ({t.does(card.ops)}; or {card.money} money)"


def _special(view: View) -> str:
    step = build_step(seen(view.flow))
    special = None if step is None else _card(step).action
    return "Take the special action" if special is None else f"Special action: {t.does(special.ops)}"


def headline_text(name: str, *, literal: bool) -> str:
    """Return a headline with what it asks, by the legend of the icons or as its row is printed, and awards."""
    card = HEADLINES[HEADLINE_INDEX[name]]
    words = []
    for pred in card.literal if literal else card.condition:
        match pred.kind:
            case "army":
                words.append(f"{t.side(pred.a)} has {'an army' if pred.n == 1 else f'{pred.n} armies'}")
            case "gt":
                words.append(f"{t.faction(FACTIONS[pred.a])} above {t.faction(FACTIONS[pred.b])}")
            case _:
                words.append(f"{t.faction(FACTIONS[pred.a])} at {pred.n}")
    places = t.regions(tuple(REGIONS[region] for region in card.regions))
    return f"{card.name} ({t.side(card.banner)}, {card.prestige} prestige: {' and '.join(words)} in {places})"


def _board(action: a.Action) -> str:
    match action:
        case a.PlaceInfluence(faction, region, cost):
            return f"Place {t.faction(faction)} influence in {t.region(region)} ({t.money(cost)})"
        case a.IncreaseInfluence(faction, region, amount):
            return f"Raise {t.faction(faction)} influence in {t.region(region)} by {amount}"
        case a.ReduceInfluence(faction, region, amount):
            return f"Lower {t.faction(faction)} influence in {t.region(region)} by {amount}"
        case a.GainMoney(amount):
            return f"Gain {amount} money"
        case a.BuildArmy(region, cost):
            return f"Build an army in {t.region(region)} ({t.money(cost)})"
        case a.MoveArmy(source):
            return f"Move an army from {t.region(source)}"
        case a.MoveTo(target, cost):
            return f"To {t.region(target)} ({t.money(cost)})"
        case a.FractureCountry(region):
            return f"Place the EU fracture marker in {t.region(region)}"
    return ""
