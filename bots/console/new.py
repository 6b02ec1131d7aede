"""Create a match as asked for on the command line, or come back to one."""

import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.core.registry import GAMES
from engine.core.rules import OptionInfo
from protos.wire import WireError, for_game
from veche.v1 import catalog_pb2, match_pb2

#: Who plays one's own seat when nobody does.
STAND_IN = "greedy"
#: Who fills seats that nothing is said about.
DEFAULT_BOT = "greedy"
AUTOMA = "automa"
#: A seat left free for somebody else's console.
OPEN = "open"


class Unclear(ValueError):
    """Say which wish cannot be met, and what would be right."""


class Wishes(msgspec.Struct, frozen=True):
    """Hold what the command line asks for; None leaves the choice to the game."""

    game: str
    seats: int | None = None
    opponents: tuple[str, ...] = ()
    difficulty: str = "easy"
    seed: str = ""
    options: tuple[str, ...] = ()
    name: str = ""
    auto: bool = False


def request(wishes: Wishes, game: catalog_pb2.Game) -> match_pb2.CreateMatchRequest:
    """Return the request that creates the match, seat 0 for the caller (or its stand-in); raise Unclear.

    Without wishes it is solo where the game has an automa, else one opponent. Among the opponents "automa" is the
    game's own, "open" leaves a seat for another person, other names are policies of bots; the last one is repeated.
    """
    if game.id not in tuple(GAMES):
        raise Unclear(f"this console does not know the game {game.id!r}, a newer one may")
    opponents = _opponents(wishes, game)
    seats = len(opponents) + 1
    if not game.min_seats <= seats <= game.max_seats:
        raise Unclear(f"{game.name} takes {game.min_seats} to {game.max_seats} seats, yours counted; asked for {seats}")
    options = {k: v for text in wishes.options for k, v in [_option(text, game)]}
    automa = {seat: wishes.difficulty for seat, who in enumerate(opponents, 1) if who == AUTOMA}
    if automa:
        levels = next(option.choices for option in GAMES[game.id].info.options if option.name == AUTOMA)
        if wishes.difficulty not in levels:
            raise Unclear(f"no difficulty {wishes.difficulty!r}; there are {', '.join(levels)}")
        options[AUTOMA] = automa
    setups = [_own_seat(wishes)]
    for seat, who in enumerate(opponents, 1):
        if who not in (AUTOMA, OPEN):
            setups.append(match_pb2.SeatSetup(seat=seat, bot=match_pb2.SeatBot(policy=who)))
    try:
        message = for_game(GAMES[game.id]).options_to_message(options)
    except WireError as error:
        raise Unclear(f"option {error}") from error
    return match_pb2.CreateMatchRequest(
        request_id=str(uuid.uuid4()),
        game=game.id,
        seat_count=seats,
        options=message if options else None,
        seats=setups,
        seed=wishes.seed,
        auto_start=True,
    )


def _own_seat(wishes: Wishes) -> match_pb2.SeatSetup:
    if wishes.auto:
        return match_pb2.SeatSetup(seat=0, bot=match_pb2.SeatBot(policy=STAND_IN))
    return match_pb2.SeatSetup(seat=0, claim=match_pb2.SeatClaim(name=wishes.name[:40]))


def _opponents(wishes: Wishes, game: catalog_pb2.Game) -> list[str]:
    has_automa = any(option.name == AUTOMA for option in game.options)
    asked = list(wishes.opponents)
    if not asked:
        first = AUTOMA if has_automa and wishes.seats in (None, 1) else DEFAULT_BOT
        asked = [first]
    seats = wishes.seats
    if seats == 1 and not has_automa:
        raise Unclear(f"{game.name} has no solo; it takes {game.min_seats} to {game.max_seats} seats, yours counted")
    if seats is None or seats == 1:
        seats = max(len(asked) + 1, game.min_seats)
    if len(asked) > seats - 1:
        raise Unclear(f"{len(asked)} opponents do not fit into {seats} seats, yours counted")
    asked += [asked[-1]] * (seats - 1 - len(asked))
    known = dict.fromkeys([*([AUTOMA] if has_automa else []), *game.policies, OPEN])
    if not has_automa:
        known.pop(AUTOMA, None)
    for who in asked:
        if who not in known:
            raise Unclear(f"no opponent {who!r}; {game.name} has {', '.join(known)}")
    return asked


def _option(text: str, game: catalog_pb2.Game) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    known: Mapping[str, OptionInfo] = {option.name: option for option in GAMES[game.id].info.options}
    if not equals or name not in known or name == AUTOMA:
        usable: Sequence[str] = [n for n in known if n != AUTOMA]
        raise Unclear(f"--option wants NAME=VALUE with a name of {', '.join(usable)}; got {text!r}")
    kind = known[name].type
    if kind == "bool":
        if value.lower() not in ("true", "false", "1", "0"):
            raise Unclear(f"option {name} is true or false; got {value!r}")
        return name, value.lower() in ("true", "1")
    if kind == "int":
        try:
            return name, int(value)
        except ValueError:
            raise Unclear(f"option {name} is a whole number; got {value!r}") from None
    return name, value


def resume_token(match_id: str, token: str) -> str:
    """Return what a person keeps to come back to a seat."""
    return f"{match_id}:{token}"


def parse_resume(text: str) -> tuple[str, str]:
    """Return match id and seat token of a resume token; raise Unclear when it is none."""
    match_id, colon, token = text.partition(":")
    if not (match_id and colon and token):
        raise Unclear("a resume token looks like MATCH:TOKEN; copy it whole, as it was printed")
    return match_id, token


def command() -> str:
    """Return how this console is started, as it may be typed where this one was."""
    python = Path(sys.executable)
    here = Path.cwd()
    return f"{python.relative_to(here) if python.is_relative_to(here) else python} -m bots.console"
