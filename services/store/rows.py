"""Shape what is stored of a match: msgpack of these Structs, versions checked by the rules that read a state."""

import secrets
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from engine.core.rules import Outcome


class Status(StrEnum):
    """Say where a match stands; it moves forward only, and an administrator alone takes it out of ERROR."""

    LOBBY = "lobby"
    ACTIVE = "active"
    FINISHED = "finished"
    CLOSED = "closed"
    ERROR = "error"


ENDED = frozenset({Status.FINISHED, Status.CLOSED})


class SeatKind(StrEnum):
    """Say who sits on a seat."""

    OPEN = "open"
    CLIENT = "client"
    BOT = "bot"
    AUTOMA = "automa"


class Actor(StrEnum):
    """Say who caused a step."""

    SEAT = "seat"
    BOT = "bot"
    AUTOMA = "automa"
    CLOCK = "clock"
    ADMIN = "admin"
    HOST = "host"


class SeatRow(msgspec.Struct, frozen=True, array_like=True):
    """Hold who sits on a seat; `token` is the SHA-256 of the seat's token, empty when there is none."""

    kind: SeatKind
    name: str = ""
    policy: str = ""
    difficulty: str = ""
    token: bytes = b""
    resigned: bool = False


class Info(msgspec.Struct, frozen=True, array_like=True):
    """Hold what never changes about a match; `host` and `join` are SHA-256 of the host token and the join code."""

    game: str
    rules_version: str
    data_version: str
    options: dict[str, Any]
    private: bool
    seeded: bool
    auto_start: bool
    create_ms: int
    epoch: str
    host: bytes
    join: bytes = b""


class Meta(msgspec.Struct, frozen=True, array_like=True):
    """Hold what changes about a match beside its game, each change raising `rev`; `seed` (hex) is set at the end.

    `reason` and `closed_by` tell why and by whom a match was closed.
    """

    seats: tuple[SeatRow, ...]
    commitment: str = ""
    start_ms: int = 0
    end_ms: int = 0
    outcome: Outcome | None = None
    reason: str = ""
    seed: str = ""
    closed_by: Actor | None = None


class Stamp(NamedTuple):
    """Tell one commit of a match from every other; see NO_MATCH for none.

    The numbers alone do not. After a failover, a restart or a restore the store may lack the last moves, and once
    others are played the same version and rev name another game. So every commit, of seats and status too, also writes
    a random mark, and whatever is kept of a match (a pod's copy, a stream, the base of a commit) is good only while the
    store holds the same stamp. That is enough: head, state, log, replies and work are one slot changed by one script
    and go back together, so a request that was answered in the lost part is simply carried out anew, and the mark of
    moves is the one of their last log entry, by which a resume token shows the line of history it was given on. The
    numbers stay, for they tell which of two commits of one line is newer.
    """

    version: int
    rev: int
    mark: str


NO_MATCH = Stamp(-1, -1, "")


def fresh_mark() -> str:
    """Return a mark that no other commit has."""
    return secrets.token_hex(4)


class Head(msgspec.Struct, frozen=True):
    """Hold all of a match but its state and log; `version` counts actions, `rev` every other change."""

    match_id: str
    status: Status
    version: int
    rev: int
    mark: str
    info: Info
    meta: Meta

    @property
    def stamp(self) -> Stamp:
        """Return what tells the commit that wrote this head from every other."""
        return Stamp(self.version, self.rev, self.mark)


class LogEntry(msgspec.Struct, frozen=True, array_like=True):
    """Hold one version of a match: who did what, and what was told to whom (engine.core.codec bytes).

    `mark` is random; a client that shows it back proves which line of history it saw.
    """

    seat: int
    actor: Actor
    action: bytes
    events: bytes
    time_ms: int
    mark: str


class Incident(msgspec.Struct, frozen=True, array_like=True):
    """Hold a move on which the rules failed: `action` is empty when it could not be read."""

    id: str
    match_id: str
    version: int
    actor: Actor
    seat: int
    action: bytes
    cause: str
    time_ms: int


_pack = msgspec.msgpack.Encoder().encode
_info = msgspec.msgpack.Decoder(Info)
_meta = msgspec.msgpack.Decoder(Meta)
_entry = msgspec.msgpack.Decoder(LogEntry)
_incident = msgspec.msgpack.Decoder(Incident)

pack = _pack
unpack_info = _info.decode
unpack_meta = _meta.decode
unpack_entry = _entry.decode
unpack_incident = _incident.decode
