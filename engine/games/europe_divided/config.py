"""Hold the options of a match and check them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core.errors import BadConfig
from engine.core.rules import OptionInfo

OPTIONS = (
    OptionInfo(
        "sea_below_minimum",
        "str",
        "keep",
        "Reading: whether a power whose influence falls below a sea card's minimum keeps the card or returns it.",
        ("keep", "return"),
    ),
    OptionInfo(
        "headline_conditions",
        "str",
        "legend",
        "Reading: two headlines by the legend of the icons, or by the printed row, where the two differ.",
        ("legend", "literal"),
    ),
)


class Config(msgspec.Struct, frozen=True):
    """Hold a checked configuration; seat 0 is the Europe player, seat 1 the Russia player."""

    seats: int = 2
    sea_below_minimum: str = "keep"
    headline_conditions: str = "legend"


def config(seats: int, options: Mapping[str, Any]) -> Config:
    """Return the Config; raise BadConfig naming the field."""
    if type(seats) is not int or seats != 2:
        raise BadConfig("seats", f"Europe Divided takes 2 seats, Europe and Russia; got {seats!r}")
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise BadConfig(name, f"no such option; known are {', '.join(known)}")
        if type(value) is not str or value not in known[name].choices:
            raise BadConfig(name, f"must be one of {', '.join(known[name].choices)}; got {value!r}")
    return Config(seats, **options)
