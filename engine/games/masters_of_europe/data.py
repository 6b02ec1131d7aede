"""Read the data tables once and shape them for the rules: small integers inside, ids at the edge."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.core.tables import Tables
from engine.games.masters_of_europe.ids import MELD_ACTIONS, CardKind, MeldAction

TABLES = ("map", "master_deck", "setup")
#: Seats that the tables of pieces are made for.
MOST_SEATS = 8

Count = Annotated[int, Meta(ge=1, le=1000)]


class Country(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold a country."""

    id: str
    name: str
    size: Literal["major", "minor"]


class Card(msgspec.Struct, frozen=True):
    """Hold a kind of card: for countries those it may stand for, for numbers the value."""

    id: str
    kind: CardKind
    count: int
    countries: tuple[int, ...] = ()
    value: int = 0


class _Copies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    major_country: Count
    minor_country: Count
    major_power: Count
    minor_power: Count
    action: Count
    number: Count


_tables = Tables("masters_of_europe", TABLES)
_field, _require = _tables.field, _tables.require

DATA_VERSION = _tables.version
PROVENANCE = _tables.provenance

COUNTRIES = _tables.records(Country, "map", "countries")
_require({c.size for c in COUNTRIES} == {"major", "minor"}, "map", "countries: some are major and some minor")
COUNTRY_INDEX: dict[str, int] = {country.id: i for i, country in enumerate(COUNTRIES)}
COUNTRY_NAMES: dict[str, str] = {country.id: country.name for country in COUNTRIES}
#: Chips for controlling each country, industry left out.
POINTS: tuple[int, ...] = tuple(_field(Count, "map", f"points.{country.size}") for country in COUNTRIES)
MAJORS: tuple[int, ...] = tuple(i for i, country in enumerate(COUNTRIES) if country.size == "major")
MINORS: tuple[int, ...] = tuple(i for i, country in enumerate(COUNTRIES) if country.size == "minor")

_copies: _Copies = _field(_Copies, "master_deck", "copies")
_actions: tuple[MeldAction, ...] = _field(tuple[MeldAction, ...], "master_deck", "actions")
_require(sorted(_actions) == sorted(MELD_ACTIONS), "master_deck", "actions: must list each action once")
_numbers: tuple[str, ...] = _field(tuple[str, ...], "master_deck", "numbers")
_require(0 < len(set(_numbers)) == len(_numbers), "master_deck", "numbers: must list each number once")

#: Every kind of card: countries in order of the map, the two powers, actions, numbers.
CARDS: tuple[Card, ...] = (
    *(
        Card(
            country.id,
            CardKind.COUNTRY,
            _copies.major_country if i in MAJORS else _copies.minor_country,
            (i,),
        )
        for i, country in enumerate(COUNTRIES)
    ),
    Card("major_power", CardKind.COUNTRY, _copies.major_power, MAJORS),
    Card("minor_power", CardKind.COUNTRY, _copies.minor_power, MINORS),
    *(Card(action.value, CardKind.ACTION, _copies.action) for action in _actions),
    *(Card(name, CardKind.NUMBER, _copies.number, value=i + 1) for i, name in enumerate(_numbers)),
)
CARD_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(CARDS)}
_require(len(CARD_INDEX) == len(CARDS), "master_deck", "numbers: a number is called like another card")
#: Index of each action card, in the order of MELD_ACTIONS.
ACTION_CARDS: tuple[int, ...] = tuple(CARD_INDEX[action] for action in MELD_ACTIONS)
#: Every card of the deck, as indices into CARDS.
DECK: tuple[int, ...] = tuple(i for i, card in enumerate(CARDS) for _ in range(card.count))

MIN_SEATS: int = _field(Count, "setup", "seats.min")
MAX_SEATS: int = _field(Count, "setup", "seats.max")
_require(2 <= MIN_SEATS <= MAX_SEATS <= MOST_SEATS, "setup", f"seats: from at least 2 to at most {MOST_SEATS}")
TOKENS_PLACED: int = _field(Count, "setup", "tokens.placed")
TOKENS_PER_COUNTRY: int = _field(Count, "setup", "tokens.per_country")
_require(TOKENS_PER_COUNTRY * len(COUNTRIES) >= TOKENS_PLACED, "setup", "tokens: there is no room for so many")
CARDS_DRAWN: int = _field(Count, "setup", "draw.cards")
HAND_LIMIT: int = _field(Count, "setup", "hand_limit.cards")
TREATY_DRAW: int = _field(Count, "setup", "treaty.draw")
TREATY_DISCARD: int = _field(Count, "setup", "treaty.discard")
_require(TREATY_DISCARD <= TREATY_DRAW, "setup", "treaty.discard: must not be more than are drawn")
VICTORY_CHIPS: int = _field(Count, "setup", "victory.chips")
