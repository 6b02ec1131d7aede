"""Check what a match is to be, and where it stands, before anything is changed."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.core.errors import BadConfig
from engine.core.registry import GAMES
from engine.core.rules import Rules
from services.errors import Refusal, quoted
from services.store.rows import ENDED, Head, SeatKind, Status


class Plan(NamedTuple):
    """Hold what a new match is to be; `setups` maps a seat to who takes it: ("client", name) or ("bot", policy)."""

    game: str
    seats: int
    options: dict[str, Any]
    private: bool
    setups: Mapping[int, tuple[SeatKind, str]]
    seed: int | None
    auto_start: bool


def rules_of(game: str) -> Rules:
    """Return the rules of a game; raise UNKNOWN_GAME."""
    if game not in GAMES:
        raise Refusal("UNKNOWN_GAME", f"no game {quoted(game)} here; ListGames tells which there are", field="game")
    return GAMES[game]


def check_seat_count(rules: Rules, seats: int) -> None:
    """Raise BAD_SEAT_COUNT for a number of seats that the game never has."""
    info = rules.info
    if not info.min_seats <= seats <= info.max_seats:
        raise Refusal(
            "BAD_SEAT_COUNT",
            f"{info.name} takes {info.min_seats} to {info.max_seats} seats, automa seats included",
            field="seat_count",
        )


def check_config(rules: Rules, seats: int, options: Mapping[str, Any]) -> Any:
    """Return the config of a match; raise BAD_SEAT_COUNT or BAD_OPTION with the field at fault."""
    check_seat_count(rules, seats)
    try:
        return rules.config(seats, dict(options))
    except BadConfig as error:
        if error.field == "seats":
            raise Refusal("BAD_SEAT_COUNT", error.message, field="seat_count") from error
        raise Refusal("BAD_OPTION", str(error), field=f"options.{rules.info.id}.{error.field}") from error


def commitment(match_id: str, seed: bytes) -> str:
    """Return what is published of a seed before the end: hex of SHA-256(match id, seed)."""
    return hashlib.sha256(match_id.encode() + seed).hexdigest()


def lobby(head: Head) -> None:
    """Raise MATCH_STARTED or MATCH_ENDED unless the match is in the lobby."""
    not_ended(head)
    if head.status is not Status.LOBBY:
        raise Refusal("MATCH_STARTED", "the match has begun; watch it, or create another")


def not_ended(head: Head) -> None:
    """Raise MATCH_ENDED for a match that is over."""
    if head.status in ENDED:
        raise Refusal("MATCH_ENDED", f"the match is {head.status.value}; read its record with GetRecord")
