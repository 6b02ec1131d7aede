"""Tell events in the past tense, one plain line each."""

from typing import Any

from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe import texts as t


def narrate(event: Any) -> str:
    """Return what happened."""
    return _course(event) or _trade(event) or _board(event)


def _rolls(seats: tuple[int, ...], dice: tuple[int, ...]) -> str:
    return ", ".join(f"seat {seat} a {die}" for seat, die in zip(seats, dice, strict=True))


def _course(event: Any) -> str:
    match event:
        case e.LeaderPassed(seat):
            return f"{t.seat(seat)} has the Leader token."
        case e.PhaseStarted(round_, phase):
            return f"Round {round_}, {phase} phase."
        case e.CardsDrawn(seat, count, ()):
            return f"{t.seat(seat)} drew {t.count(count, 'card')}."
        case e.CardsDrawn(seat, _, cards):
            return f"{t.seat(seat)} drew {t.cards(cards)}."
        case e.DeckRebuilt(cards):
            return f"The discards were shuffled into a deck of {t.count(cards, 'card')}."
        case e.CardDiscarded(seat, card):
            return f"{t.seat(seat)} discarded {t.card(card)}."
        case e.ArmsWrestled(seats, dice):
            return f"In arm wrestling rolled: {_rolls(seats, dice)}."
        case e.GameEnded(scores, ranks):
            parts = [f"seat {s} {score} (rank {ranks[s]})" for s, score in enumerate(scores)]
            return f"The game is over: {', '.join(parts)}."
    return ""


def _trade(event: Any) -> str:
    match event:
        case e.OfferMade(seat, number, to, give, want):
            whom = "all" if to is None else f"seat {to}"
            terms = "" if give is None or want is None else f": {t.bundle(give)} for {t.bundle(want)}"
            return f"{t.seat(seat)} made offer {number} to {whom}{terms}."
        case e.OfferDeclined(seat, number):
            return f"{t.seat(seat)} declined offer {number}."
        case e.OfferWithdrawn(seat, number):
            return f"{t.seat(seat)} withdrew offer {number}."
        case e.OfferLapsed(number):
            return f"Offer {number} can no longer be met and lapsed."
        case e.Traded():
            got = _side(event.given, event.given_count, event.given_chips)
            gave = _side(event.taken, event.taken_count, event.taken_chips)
            return f"{t.seat(event.seat)} accepted offer {event.offer} of seat {event.maker}: got {got}, gave {gave}."
        case e.TradingFinished(seat):
            return f"{t.seat(seat)} finished trading."
    return ""


def _side(cards: tuple[str, ...], count: int, chips: int) -> str:
    words = [t.cards(cards)] if cards else [t.count(count, "card")] if count else []
    if chips:
        words.append(t.count(chips, "chip"))
    return " and ".join(words) or "nothing"


def _board(event: Any) -> str:
    match event:
        case e.TokenPlaced(seat, country):
            return f"{t.seat(seat)} placed a token in {t.country(country)}."
        case e.MeldPlayed(seat, action, _, countries, number):
            places = " and ".join(map(t.country, countries))
            return f"{t.seat(seat)} melded {action} {number} on {places}."
        case e.TokensAdded(seat, country, count):
            return f"{t.seat(seat)} put {t.count(count, 'token')} onto {t.country(country)}."
        case e.TokenRemoved(seat, owner, country):
            return f"{t.seat(seat)} removed a token of seat {owner} from {t.country(country)}."
        case e.TokenMoved(seat, owner, source, target):
            moved = "an own token" if seat == owner else f"a token of seat {owner}"
            return f"{t.seat(seat)} moved {moved} from {t.country(source)} to {t.country(target)}."
        case e.IndustryBuilt(_, country, count):
            return f"{t.country(country)} got {t.count(count, 'industry cube')}."
        case e.ChipsGained(seat, chips):
            return f"{t.seat(seat)} gained {t.count(chips, 'chip')}."
        case e.ChipsLost(seat, chips):
            return f"{t.seat(seat)} lost {t.count(chips, 'chip')}."
        case e.CountryScored(seat, country, chips):
            return f"{t.seat(seat)} scored {t.count(chips, 'chip')} for {t.country(country)}."
    raise TypeError(f"not an event of Masters of Europe: {type(event).__name__}")
