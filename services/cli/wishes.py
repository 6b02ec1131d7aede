"""Check what `run` is asked for against what the games say of themselves, before anything is started for it."""

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.errors import BadConfig
from engine.core.registry import GAMES
from engine.core.rules import RulesInfo

#: The game's own opponent, and a seat that is kept for another person.
AUTOMA, OPEN = "automa", "open"
_BOT = "greedy"
_SEEDS = 1 << 256
_SEED = re.compile(r"0[xX][0-9a-fA-F]{1,64}|[0-9]{1,78}")


class Unmet(ValueError):
    """Say which wish cannot be met, and what may be asked for."""


def check(args: argparse.Namespace, policies: Sequence[str]) -> list[str]:
    """Return who plays each seat but the first; raise Unmet.

    `policies` are those that bots play here. Where nothing is said, it is solo in a game that has it, else as few
    bots as the game allows; the last opponent is repeated.
    """
    if args.game not in tuple(GAMES):
        raise Unmet(f"no game {args.game!r}; there are {', '.join(GAMES)}")
    info = GAMES[args.game].info
    seed(args.seed)
    opponents = _opponents(args, info, policies)
    difficulties = _difficulties(info)
    if args.difficulty and AUTOMA not in opponents:
        raise Unmet("a difficulty is that of the automa, which plays none of these seats")
    if args.difficulty and args.difficulty not in difficulties:
        raise Unmet(f"no difficulty {args.difficulty!r}; there are {', '.join(difficulties)}")
    options = dict(_options(args.option, info))
    if AUTOMA in opponents:
        level = args.difficulty or difficulties[0]
        options[AUTOMA] = {seat: level for seat, who in enumerate(opponents, 1) if who == AUTOMA}
    try:
        GAMES[args.game].config(len(opponents) + 1, options)
    except BadConfig as error:
        raise Unmet(str(error)) from error
    return opponents


def seed(text: str | None) -> int | None:
    """Return the number that a seed stands for, None for none; raise Unmet."""
    if not text:
        return None
    number = int(text, 16 if text[:2] in {"0x", "0X"} else 10) if _SEED.fullmatch(text) else _SEEDS
    if number >= _SEEDS:
        raise Unmet(f"a seed is a whole number from 0 to 2^256 - 1, decimal or after 0x in hex; got {text!r}")
    return number


def _difficulties(info: RulesInfo) -> tuple[str, ...]:
    return next((option.choices for option in info.options if option.name == AUTOMA), ())


def _opponents(args: argparse.Namespace, info: RulesInfo, policies: Sequence[str]) -> list[str]:
    solo = [AUTOMA] if _difficulties(info) else []
    asked = [name.strip() for name in (args.opponents or "").split(",") if name.strip()]
    known = [*solo, *policies, OPEN]
    for who in asked:
        if who not in known:
            raise Unmet(f"no opponent {who!r}; {info.name} has {', '.join(known)}")
    seats = _seats(args.seats, info, solo=bool(solo))
    if not asked:
        asked = solo if solo and seats in (None, 1) else [_BOT]
    if seats is None or seats == 1:
        seats = max(len(asked) + 1, info.min_seats)
    if not len(asked) + 1 <= seats <= info.max_seats:
        most = min(seats, info.max_seats)
        raise Unmet(f"{len(asked)} opponents do not fit into {most} seats, yours counted")
    return asked + [asked[-1]] * (seats - 1 - len(asked))


def _seats(text: str | None, info: RulesInfo, *, solo: bool) -> int | None:
    if not text:
        return None
    least = 1 if solo else info.min_seats
    if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= info.max_seats:
        span = f"{info.min_seats}" if info.min_seats == info.max_seats else f"{info.min_seats} to {info.max_seats}"
        alone = ", or 1 for solo" if solo else ""
        raise Unmet(f"{info.name} takes {span} seats, yours counted{alone}; asked for {text!r}")
    return int(text)


def _options(texts: Sequence[str], info: RulesInfo) -> Iterator[tuple[str, Any]]:
    """Yield options as the game types them; what they may be is for the game to say."""
    kinds = {option.name: option.type for option in info.options if option.name != AUTOMA}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in kinds:
            raise Unmet(f"an option is NAME=VALUE with a name of {', '.join(kinds)}; got {text!r}")
        yield name, _typed(name, kinds[name], value)


def _typed(name: str, kind: str, value: str) -> Any:
    if kind == "bool":
        if value.lower() not in ("true", "false", "1", "0"):
            raise Unmet(f"option {name} is true or false; got {value!r}")
        return value.lower() in ("true", "1")
    if kind == "int":
        try:
            return int(value)
        except ValueError:
            raise Unmet(f"option {name} is a whole number; got {value!r}") from None
    return value
