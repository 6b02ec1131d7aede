"""Read the data tables once and shape them for the rules: small integers inside, ids at the edge."""

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.core import registry
from engine.core.errors import BadData
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


_digest = hashlib.sha256()
_paths: dict[str, Path] = {}


def _read(name: str) -> Any:
    path, content = registry.table("masters_of_europe", name)
    _paths[name] = path
    _digest.update(content)
    try:
        return msgspec.yaml.decode(content)
    except msgspec.DecodeError as error:
        raise BadData(f"{path}: not YAML: {error}") from error


def _field(table: str, path: str, kind: Any) -> Any:
    """Return a field of a table by its dotted path; raise BadData naming both."""
    value = _raw[table]
    for step in path.split("."):
        if not isinstance(value, dict) or step not in value:
            raise BadData(f"{_paths[table]}: {path}: missing")
        value = value[step]
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadData(f"{_paths[table]}: {path}: {error}") from error


def _rule_out(wrong: bool, table: str, path: str, right: str) -> None:
    if wrong:
        raise BadData(f"{_paths[table]}: {path}: {right}")


_raw = {name: _read(name) for name in TABLES}

DATA_VERSION = _digest.hexdigest()

COUNTRIES: tuple[Country, ...] = _field("map", "countries", tuple[Country, ...])
_rule_out(len({c.id for c in COUNTRIES}) < len(COUNTRIES), "map", "countries", "two have the same id")
_rule_out({c.size for c in COUNTRIES} != {"major", "minor"}, "map", "countries", "some are major and some minor")
COUNTRY_INDEX: dict[str, int] = {country.id: i for i, country in enumerate(COUNTRIES)}
COUNTRY_NAMES: dict[str, str] = {country.id: country.name for country in COUNTRIES}
#: Chips for controlling each country, industry left out.
POINTS: tuple[int, ...] = tuple(_field("map", f"points.{country.size}", Count) for country in COUNTRIES)
MAJORS: tuple[int, ...] = tuple(i for i, country in enumerate(COUNTRIES) if country.size == "major")
MINORS: tuple[int, ...] = tuple(i for i, country in enumerate(COUNTRIES) if country.size == "minor")

_copies: _Copies = _field("master_deck", "copies", _Copies)
_actions: tuple[MeldAction, ...] = _field("master_deck", "actions", tuple[MeldAction, ...])
_rule_out(sorted(_actions) != sorted(MELD_ACTIONS), "master_deck", "actions", "must list each action once")
_numbers: tuple[str, ...] = _field("master_deck", "numbers", tuple[str, ...])
_rule_out(not 0 < len(set(_numbers)) == len(_numbers), "master_deck", "numbers", "must list each number once")

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
_rule_out(len(CARD_INDEX) < len(CARDS), "master_deck", "numbers", "a number is called like another card")
#: Index of each action card, in the order of MELD_ACTIONS.
ACTION_CARDS: tuple[int, ...] = tuple(CARD_INDEX[action] for action in MELD_ACTIONS)
#: Every card of the deck, as indices into CARDS.
DECK: tuple[int, ...] = tuple(i for i, card in enumerate(CARDS) for _ in range(card.count))

MIN_SEATS: int = _field("setup", "seats.min", Count)
MAX_SEATS: int = _field("setup", "seats.max", Count)
_rule_out(not 2 <= MIN_SEATS <= MAX_SEATS <= MOST_SEATS, "setup", "seats", f"from at least 2 to at most {MOST_SEATS}")
TOKENS_PLACED: int = _field("setup", "tokens.placed", Count)
TOKENS_PER_COUNTRY: int = _field("setup", "tokens.per_country", Count)
_rule_out(TOKENS_PER_COUNTRY * len(COUNTRIES) < TOKENS_PLACED, "setup", "tokens", "there is no room for so many")
CARDS_DRAWN: int = _field("setup", "draw.cards", Count)
HAND_LIMIT: int = _field("setup", "hand_limit.cards", Count)
TREATY_DRAW: int = _field("setup", "treaty.draw", Count)
TREATY_DISCARD: int = _field("setup", "treaty.discard", Count)
_rule_out(TREATY_DISCARD > TREATY_DRAW, "setup", "treaty.discard", "must not be more than are drawn")
VICTORY_CHIPS: int = _field("setup", "victory.chips", Count)

#: How many data records have their figures from the rulebook, and how many are ours.
PROVENANCE: dict[str, int] = {"ours": 1, "rulebook": len(CARDS) + len(COUNTRIES) + 6}
