"""Read an offer that a person words: "offer 2 give england, 3 chips want any number"."""

import re

from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.data import CARD_INDEX
from engine.games.masters_of_europe.ids import CARD_KINDS, CardKind

HOW = "offer SEAT|all give CARDS want CARDS, or: counter OFFER give CARDS want CARDS; h shows examples"
#: The same behind the question.
HINT = ", or word an offer of your own, as in: offer 2 give england, 3 chips want any number"

_OFFER = re.compile(r"(offer|counter)\s+(\w+)\s+give\s+(.+?)\s+want\s+(.+)")
_CHIPS = re.compile(r"(\d+)\s*chips?")
_ANY = re.compile(r"any\s+(?:(\d+)\s+)?(\w+?)s?(?:\s+cards?)?")
#: Kinds by the words that a person may use for them.
_KINDS = {**{kind.value: kind for kind in CARD_KINDS}, "countrie": CardKind.COUNTRY}


class Unclear(ValueError):
    """Say which part of an offer cannot be read, and what would be right."""


def word(typed: str) -> a.Action | None:
    """Return the offer that a line words, None for a line about something else; raise Unclear."""
    if typed.split(" ", maxsplit=1)[0] not in ("offer", "counter"):
        return None
    match = _OFFER.fullmatch(typed)
    if match is None:
        raise Unclear(f"Type {HOW}.")
    kind, whom = match[1], match[2]
    give, want = _bundle(match[3]), _bundle(match[4])
    if kind == "offer" and whom == "all":
        return a.MakeOffer(None, give, want)
    if not whom.isdecimal():
        raise Unclear(f"{whom!r} is no number; type {HOW}.")
    return a.MakeOffer(int(whom), give, want) if kind == "offer" else a.CounterOffer(int(whom), give, want)


def _bundle(text: str) -> a.Bundle:
    cards: list[str] = []
    kinds: list[CardKind] = []
    chips = 0
    for item in re.split(r"\s*(?:,|\band\b)\s*", text.strip()):
        if item == "nothing":
            continue
        if match := _CHIPS.fullmatch(item):
            chips += int(match[1])
        elif match := _ANY.fullmatch(item):
            if match[2] not in _KINDS:
                raise Unclear(f"There are no cards of type {match[2]!r}: any country, any action or any number.")
            kinds += [_KINDS[match[2]]] * min(int(match[1] or 1), 99)
        elif (card := re.sub(r"\s+", "_", item)) in CARD_INDEX:
            cards.append(card)
        else:
            raise Unclear(f"There is no card {item!r}; separate cards with commas, as in: england, two, 3 chips.")
    if chips > a.MOST_CHIPS:
        raise Unclear(f"An offer names at most {a.MOST_CHIPS} chips.")
    return a.Bundle(tuple(cards), tuple(kinds), chips)
