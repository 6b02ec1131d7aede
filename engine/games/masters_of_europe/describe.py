"""Tell an action, an event or a decision in one plain line."""

from functools import lru_cache
from typing import Any, get_args

from engine.core.decision import Decision
from engine.core.rules import View
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import texts as t
from engine.games.masters_of_europe.narrate import narrate
from engine.games.masters_of_europe.step import Step, build_step
from engine.games.masters_of_europe.table import show_offer
from engine.games.masters_of_europe.view import seen

_ASKS = {
    "place_token": "place a starting token",
    "trade": "make or answer offers, or finish trading",
    "turn": "start a meld or end the turn",
    "choose_country": "choose the country of the meld",
    "choose_number": "choose the number of the meld",
    "remove_token": "remove a token",
    "choose_seat": "choose whom absolutism strikes",
    "treaty": "move a token by the treaty",
    "treaty_cards": "draw two cards and discard one, or not",
    "discard_card": "discard a card",
}

#: Asked of every line, where `isinstance` would try one class of the union after the other.
_ACTIONS = frozenset(get_args(a.Action))


def describe(thing: Any, view: View) -> str:
    """Return a line about an action, event or decision, from what the view's seat may know."""
    if isinstance(thing, Decision):
        step = build_step(seen(view.flow))
        return f"{t.seat(thing.seat)}: {_ASKS[thing.kind] if step is None else _asks(thing.kind, step)}"
    if type(thing) in _ACTIONS:
        return _plain(thing) or _by_view(thing, view)
    return narrate(thing)


@lru_cache(maxsize=4096)
def _plain(action: a.Action) -> str:
    """Return the line of an action that reads alike whoever looks, kept as most come again; else nothing."""
    return _offer(action) or _other(action)


def _asks(kind: str, step: Step) -> str:
    """Return what is asked in a step: of which meld, where, how much is left."""
    where = " and ".join(map(t.country, step.countries))
    match kind:
        case "choose_country":
            return f"choose the country of the meld: {step.action}{where and f' on {where} and one more'}"
        case "choose_number":
            return f"choose the number of the meld: {step.action} on {where}"
        case "remove_token":
            whose = "" if step.victim is None else f" of seat {step.victim}"
            return f"{step.action} {step.number}: remove a token{whose} from {where}, {step.left} left"
        case "choose_seat":
            return f"choose whom absolutism {step.number} strikes in {where}"
        case "treaty":
            return f"move a token to or from {where} by the treaty, {step.left} left"
        case "discard_card":
            return f"discard a card, {step.left} left" if step.left > 1 else "discard a card"
    return _ASKS[kind]


def _offer(action: a.Action) -> str:
    match action:
        case a.MakeOffer(to, give, want):
            whom = "all" if to is None else f"seat {to}"
            return f"Offer {whom} {t.bundle(give)} for {t.bundle(want)}"
        case a.CounterOffer(number, give, want):
            return f"Counter offer {number} with {t.bundle(give)} for {t.bundle(want)}"
        case a.FinishTrading():
            return "Finish trading"
    return ""


def _other(action: a.Action) -> str:
    match action:
        case a.PlaceToken(country):
            return f"Place a token in {t.country(country)}"
        case a.StartMeld(meld):
            return f"Start a meld: {meld} ({t.EFFECTS[meld]})"
        case a.ChooseCountry(card, country):
            return f"Play {t.card(card)}" if card == country else f"Play {t.card(card)} as {t.country(country)}"
        case a.ChooseNumber(card):
            return f"Play {t.card(card)} ({t.value(card)})"
        case a.RemoveToken(seat):
            return f"Remove a token of seat {seat}"
        case a.ChooseSeat(seat):
            return f"Strike seat {seat}"
        case a.DrawCards():
            return "Draw two cards and discard one"
        case a.Done():
            return "Done"
        case a.EndTurn():
            return "End the turn"
        case a.DiscardCard(card):
            return f"Discard {t.card(card)}"
    return ""


def _terms(number: int, view: View) -> str:
    """Return what an offer gives and asks for, if the view shows it."""
    found = next((offer for offer in seen(view.flow).offers if offer.id == number), None)
    offer = None if found is None else show_offer(found)
    if offer is None or offer.give is None or offer.want is None:
        return ""
    return f" (seat {offer.seat} gives {t.bundle(offer.give)} for {t.bundle(offer.want)})"


def _by_view(action: a.Action, view: View) -> str:
    """Return the line of an action that answers an offer or may move a token of the one who looks."""
    match action:
        case a.AcceptOffer(number, ()):
            return f"Accept offer {number}{_terms(number, view)}"
        case a.AcceptOffer(number, cards):
            return f"Accept offer {number}, handing over {t.cards(cards)}{_terms(number, view)}"
        case a.DeclineOffer(number):
            return f"Decline offer {number}{_terms(number, view)}"
        case a.WithdrawOffer(number):
            return f"Withdraw offer {number}{_terms(number, view)}"
        case a.MoveToken(seat, source, target):
            whose = "your own token" if seat == view.seat else f"a token of seat {seat}"
            return f"Move {whose} from {t.country(source)} to {t.country(target)}"
    raise TypeError(f"not an action of Masters of Europe: {type(action).__name__}")
