"""Hold the options of a match and check them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core.errors import BadConfig
from engine.core.rules import OptionInfo
from engine.games.masters_of_europe.data import MAX_SEATS, MIN_SEATS, VICTORY_CHIPS

#: Most offers a seat may be allowed to make in a trade phase.
MOST_OFFERS = 100
#: Most rounds a game may be allowed to take.
MOST_ROUNDS = 100

OPTIONS = (
    OptionInfo(
        "treaty_tokens",
        "str",
        "any",
        "Whose tokens a treaty moves: those of any owners, or the own ones.",
        ("any", "own"),
    ),
    OptionInfo(
        "offer_cap", "int", "12", f"Offers a seat may make in a trade phase, 0 to {MOST_OFFERS}; 0 leaves trade out."
    ),
    OptionInfo(
        "end_check",
        "str",
        "score_phase",
        f"When more than {VICTORY_CHIPS} chips end the game: after the score phase, or at once.",
        ("score_phase", "at_once"),
    ),
    OptionInfo(
        "last_round",
        "int",
        "30",
        f"The round, 1 to {MOST_ROUNDS}, whose score phase ends a game that nobody has won; the first then wins it.",
    ),
)


class Config(msgspec.Struct, frozen=True):
    """Hold a checked configuration."""

    seats: int
    treaty_tokens: str = "any"
    offer_cap: int = 12
    end_check: str = "score_phase"
    last_round: int = 30


def config(seats: int, options: Mapping[str, Any]) -> Config:
    """Return the Config for a number of seats; raise BadConfig naming the field."""
    if type(seats) is not int or not MIN_SEATS <= seats <= MAX_SEATS:
        raise BadConfig("seats", f"Masters of Europe takes {MIN_SEATS} to {MAX_SEATS} seats; got {seats!r}")
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise BadConfig(name, f"no such option; known are {', '.join(known)}")
        if type(value) is not {"int": int, "str": str}[known[name].type]:
            raise BadConfig(name, f"must be of type {known[name].type}; got {value!r}")
        if known[name].choices and value not in known[name].choices:
            raise BadConfig(name, f"must be one of {', '.join(known[name].choices)}; got {value!r}")
    if not 0 <= options.get("offer_cap", 0) <= MOST_OFFERS:
        raise BadConfig("offer_cap", f"must be from 0 to {MOST_OFFERS}")
    if not 1 <= options.get("last_round", 1) <= MOST_ROUNDS:
        raise BadConfig("last_round", f"must be from 1 to {MOST_ROUNDS}")
    return Config(seats, **options)
