"""Hold the options of a match and check them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core.errors import BadConfig
from engine.core.rules import OptionInfo
from engine.games.rurik.ids import Difficulty

OPTIONS = (
    OptionInfo(
        "automa",
        "map<seat, difficulty>",
        "{}",
        "Solo: the seat of the Rebellion and its difficulty; 2 seats only.",
        tuple(Difficulty),
    ),
    OptionInfo("leaders", "str", "choose", "How leaders are given out.", ("choose", "random")),
    OptionInfo("first_player", "int", "-1", "Seat of the first player; -1 draws one. Solo: always the person.", ()),
    OptionInfo("alternate_board", "bool", "false", "Variant: goods tokens stand in for the printed goods icons."),
    OptionInfo("rebel_rewards", "bool", "false", "Variant: rewards for rebels come from a pile of tokens."),
    OptionInfo("deed_row", "bool", "false", "Variant: the deed row is renewed after the last choice of a round."),
    OptionInfo(
        "deed_adjacency",
        "str",
        "connected",
        "Reading of three adjacent regions on deeds: a connected set, or each beside each other.",
        ("connected", "pairwise"),
    ),
    OptionInfo(
        "casualty_leader",
        "str",
        "any",
        "Whether an attacker's leader may be the casualty while other troops are there.",
        ("any", "last"),
    ),
)


class Config(msgspec.Struct, frozen=True):
    """Hold a checked configuration; `automa` maps the Rebellion's seat to its difficulty."""

    seats: int
    automa: dict[int, Difficulty] = {}
    leaders: str = "choose"
    first_player: int = -1
    alternate_board: bool = False
    rebel_rewards: bool = False
    deed_row: bool = False
    deed_adjacency: str = "connected"
    casualty_leader: str = "any"


def config(seats: int, options: Mapping[str, Any]) -> Config:
    """Return the Config for a number of seats, the Rebellion's counted; raise BadConfig naming the field."""
    if type(seats) is not int or not 2 <= seats <= 4:
        raise BadConfig("seats", f"Rurik takes 2 to 4 seats, the Rebellion's counted; got {seats!r}")
    values: dict[str, Any] = {}
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise BadConfig(name, f"no such option; known are {', '.join(known)}")
        values[name] = _automa(seats, value) if name == "automa" else _checked(known[name], value)
    if not -1 <= values.get("first_player", -1) < seats:
        raise BadConfig("first_player", f"must be -1 or a seat from 0 to {seats - 1}")
    return Config(seats, **values)


def _checked(option: OptionInfo, value: Any) -> Any:
    expected = {"bool": bool, "int": int, "str": str}[option.type]
    if type(value) is not expected:
        raise BadConfig(option.name, f"must be of type {option.type}; got {value!r}")
    if option.choices and value not in option.choices:
        raise BadConfig(option.name, f"must be one of {', '.join(option.choices)}; got {value!r}")
    return value


def _automa(seats: int, value: Any) -> dict[int, Difficulty]:
    if not isinstance(value, Mapping):
        raise BadConfig("automa", f"must map a seat to a difficulty; got {value!r}")
    if not value:
        return {}
    if len(value) > 1 or seats != 2:
        raise BadConfig("automa", "the Rebellion takes one seat of exactly two")
    ((seat, difficulty),) = value.items()
    if isinstance(seat, str) and seat.isdecimal():
        seat = int(seat)
    if type(seat) is not int or not 0 <= seat < seats:
        raise BadConfig("automa", f"the seat must be 0 or 1; got {seat!r}")
    if difficulty not in tuple(Difficulty):
        raise BadConfig("automa", f"the difficulty must be one of {', '.join(Difficulty)}; got {difficulty!r}")
    return {seat: Difficulty(difficulty)}
