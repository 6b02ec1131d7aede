"""Put the things of the game into words: countries, cards, offers."""

from collections.abc import Iterable

from engine.games.masters_of_europe.actions import Bundle
from engine.games.masters_of_europe.data import CARD_INDEX, CARDS, COUNTRY_NAMES
from engine.games.masters_of_europe.ids import CardKind, MeldAction

#: What a meld with each action card does; X is the value of its number card.
EFFECTS = {
    MeldAction.WAR: "remove up to X tokens of others from the country, then put X own ones",
    MeldAction.MARRIAGE: "put X own tokens onto a country that you do not control, gain X chips",
    MeldAction.TREATY: "move up to X tokens to or from the country; then you may draw 2 and discard 1",
    MeldAction.ROYALTY: "put X own tokens, draw a card",
    MeldAction.INDUSTRY: "put X cubes: each adds a chip to what the country gives; gain X chips",
    MeldAction.REVOLUTION: "remove up to X tokens of another seat that controls, steal up to X chips from it",
    MeldAction.ABSOLUTISM: "remove up to X tokens of another seat that does not control; it loses up to X chips",
    MeldAction.ALLIANCE: "two countries, own tokens in one of them: put X own tokens onto both",
}


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it must be."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def country(name: str) -> str:
    """Return a country's name."""
    return COUNTRY_NAMES[name]


def card(name: str) -> str:
    """Return a card's name."""
    return name.replace("_", " ").title()


def cards(names: Iterable[str]) -> str:
    """Return cards' names, or that there is none."""
    return ", ".join(map(card, names)) or "nothing"


def seat(number: int) -> str:
    """Return how to call a seat."""
    return f"Seat {number}"


def value(name: str) -> int:
    """Return the value of a number card."""
    return CARDS[CARD_INDEX[name]].value


def bundle(side: Bundle) -> str:
    """Return one side of an offer in words."""
    words = [card(name) for name in side.cards]
    words += [f"any {count(side.kinds.count(kind), f'{kind} card')}" for kind in CardKind if kind in side.kinds]
    if side.chips:
        words.append(count(side.chips, "chip"))
    return ", ".join(words) or "nothing"
