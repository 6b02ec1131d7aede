"""Turn what is stored into messages, and what is asked into plain values. Payloads of games go through protos.wire."""

import base64
import hashlib
import re
import uuid
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import msgspec
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from engine.core.events import Emitted
from engine.core.registry import GAMES
from engine.core.rules import Rules, View
from protos.wire import WireError, events_to_messages, for_game, outcome_to_message, view_to_message
from services import security
from services.errors import Refusal, invalid, not_found
from services.matches.tables import Table
from services.store.changes import Lease, Request
from services.store.rows import Actor, Head, SeatKind, Status
from veche.v1 import common_pb2

STATUSES = {
    Status.LOBBY: common_pb2.MATCH_STATUS_LOBBY,
    Status.ACTIVE: common_pb2.MATCH_STATUS_ACTIVE,
    Status.FINISHED: common_pb2.MATCH_STATUS_FINISHED,
    Status.CLOSED: common_pb2.MATCH_STATUS_CLOSED,
    Status.ERROR: common_pb2.MATCH_STATUS_ERROR,
}
_STATUS_OF = {number: status for status, number in STATUSES.items()}
_SEAT_KINDS = {
    SeatKind.OPEN: common_pb2.SEAT_KIND_OPEN,
    SeatKind.CLIENT: common_pb2.SEAT_KIND_CLIENT,
    SeatKind.BOT: common_pb2.SEAT_KIND_BOT,
    SeatKind.AUTOMA: common_pb2.SEAT_KIND_AUTOMA,
}
_ACTORS = {
    Actor.SEAT: common_pb2.ACTOR_KIND_SEAT,
    Actor.BOT: common_pb2.ACTOR_KIND_BOT,
    Actor.AUTOMA: common_pb2.ACTOR_KIND_AUTOMA,
    Actor.CLOCK: common_pb2.ACTOR_KIND_CLOCK,
    Actor.ADMIN: common_pb2.ACTOR_KIND_ADMIN,
    Actor.HOST: common_pb2.ACTOR_KIND_HOST,
}
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
#: UUIDs of these versions hold random bits enough to be a secret.
_RANDOM = frozenset({4, 7})
NAME = 40
REASON = 200


def timestamp(ms: int) -> Timestamp | None:
    """Return a time in milliseconds as a message; None for 0, which means never."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000) if ms else None


def duration(seconds: float) -> Duration:
    """Return a span of time as a message; 0 for one that is over."""
    span = Duration()
    span.FromMilliseconds(max(0, int(seconds * 1000)))
    return span


def match_message(head: Head) -> common_pb2.Match:
    """Return a match as everybody who sees it sees it."""
    info, meta = head.info, head.meta
    ended = bool(meta.end_ms)
    options = None
    if info.game in GAMES:
        try:
            options = for_game(GAMES[info.game]).options_to_message(info.options)
        except WireError:
            # A match of older rules may have options that are gone; it is listed without them.
            options = None
    return common_pb2.Match(
        id=head.match_id,
        game=info.game,
        rules_version=info.rules_version,
        data_version=info.data_version,
        status=STATUSES[head.status],
        visibility=common_pb2.VISIBILITY_PRIVATE if info.private else common_pb2.VISIBILITY_PUBLIC,
        seats=[
            common_pb2.Seat(
                seat=seat,
                kind=_SEAT_KINDS[row.kind],
                name=row.name,
                policy=row.policy,
                difficulty=row.difficulty,
                resigned=row.resigned,
            )
            for seat, row in enumerate(meta.seats)
        ],
        options=options,
        version=head.version,
        seeded=info.seeded,
        seed_commitment=meta.commitment,
        seed=meta.seed if ended else "",
        outcome=outcome_to_message(meta.outcome) if meta.outcome is not None else None,
        create_time=timestamp(info.create_ms),
        start_time=timestamp(meta.start_ms),
        end_time=timestamp(meta.end_ms),
        close_reason=meta.reason,
        closed_by=_ACTORS[meta.closed_by] if meta.closed_by else common_pb2.ACTOR_KIND_UNSPECIFIED,
    )


def actor_message(actor: Actor, seat: int) -> common_pb2.Actor:
    """Return who caused a step."""
    return common_pb2.Actor(kind=_ACTORS[actor], seat=seat)


class Views:
    """Observe each state once per seat; a few hundred views are kept, told apart by the identity of their state."""

    def __init__(self, limit: int = 512) -> None:
        self._limit = limit
        self._kept: OrderedDict[tuple[str, int | None], tuple[Any, View]] = OrderedDict()

    def view(self, table: Table, seat: int | None) -> View:
        """Return what a seat may know; raise Refusal before the start and for other rules."""
        rules, state = table.game()
        key = (table.head.match_id, seat)
        kept = self._kept.get(key)
        if kept is not None and kept[0] is state:
            return kept[1]
        view = rules.observe(state, seat)
        self._kept[key] = (state, view)
        self._kept.move_to_end(key)
        if len(self._kept) > self._limit:
            self._kept.popitem(last=False)
        return view

    def message(self, table: Table, seat: int | None) -> common_pb2.View:
        """Return the view of a seat as a message."""
        rules, _ = table.game()
        return view_to_message(rules, self.view(table, seat), table.head.match_id, STATUSES[table.head.status])


def seen(rules: Rules, told: Iterable[Emitted], view: View) -> list[common_pb2.SeenEvent]:
    """Return events as the view's seat may read them."""
    return events_to_messages(rules, told, view)


# What is asked


def request_of(message: Any, principal: str) -> Request:
    """Return the identity of a request that changes something; raise INVALID_FIELD unless it has a UUID."""
    given = message.request_id
    if not _UUID.fullmatch(given):
        raise invalid("request_id", "must be a UUID, made anew for each new request")
    # With all four hyphens it is in standard form but for its case.
    request_id = given.lower() if len(given) == 36 else str(uuid.UUID(given))
    body: bytes = message.SerializeToString(deterministic=True)
    return Request(principal, request_id, hashlib.sha256(type(message).__name__.encode() + body).digest()[:16])


def by_secret(message: Any, principal: str) -> Request:
    """Return the identity of a request whose reply holds tokens; raise INVALID_FIELD unless it has a random UUID.

    Whoever sends the same request again gets the same tokens, so nobody else may be able to guess its id.
    """
    request = request_of(message, principal)
    if uuid.UUID(request.request_id).version not in _RANDOM:
        raise invalid(
            "request_id", "must be a random UUID (version 4 or 7): who can guess it can ask for the tokens again"
        )
    return request


def by_token(message: Any, token: str) -> Request:
    """Return the identity of a request of a token's holder; raise TOKEN_REQUIRED without a token."""
    request = request_of(message, security.principal(token))
    if not token:
        raise Refusal("TOKEN_REQUIRED", 'send a token of this match as metadata "authorization: Bearer <token>"')
    return request


def by_lease(message: Any, lease: Lease) -> Request:
    """Return the identity of a worker's request: all turns of a seat share a name, so that its records are bounded.

    The digest holds the lease, so that a request_id used in an earlier turn is refused and never answered from there.
    """
    seat = lease.work.decision_id.rpartition(".")[2]
    request = request_of(message, f"bot.{seat}")
    digest = hashlib.sha256(request.digest + lease.nonce.encode()).digest()[:16]
    return request._replace(digest=digest)


def text(message: Any, field: str, limit: int, path: str = "") -> str:
    """Return a text that others will read; raise INVALID_FIELD, of `path`, when it is too long or does not print."""
    value: str = getattr(message, field)
    if len(value) > limit or not all(c.isprintable() for c in value):
        raise invalid(path or field, f"may have at most {limit} characters, all of them printable")
    return value


def match_id_of(message: Any) -> str:
    """Return the id of the match asked for; raise INVALID_FIELD when absent."""
    value: str = message.match_id
    if not value:
        raise invalid("match_id", "is required")
    if len(value) > 64 or not value.isalnum() or not value.isascii():
        raise not_found()
    return value


def statuses(message: Any) -> tuple[Status, ...]:
    """Return the statuses that a listing asks for, each once; raise INVALID_FIELD for what is none."""
    # Each is looked up in every shard, however often it is named.
    found: dict[Status, None] = {}
    for number, status in enumerate(message.statuses):
        if status not in _STATUS_OF:
            raise invalid(f"statuses[{number}]", "must be a status of matches")
        found[_STATUS_OF[status]] = None
    return tuple(found)


def page_size(value: int, default: int, cap: int) -> int:
    """Return how many entries a page has; raise INVALID_FIELD for a negative number."""
    if value < 0:
        raise invalid("page_size", "may not be negative")
    return min(value or default, cap)


def _fingerprint(message: Message) -> bytes:
    rest = type(message)()
    rest.CopyFrom(message)
    for field in ("page_token", "page_size"):
        rest.ClearField(field)
    return hashlib.sha256(rest.SerializeToString(deterministic=True)).digest()[:8]


def page_token(message: Message, position: tuple[int, str]) -> str:
    """Return the token of the page that begins after a position, good for this listing alone."""
    return base64.urlsafe_b64encode(msgspec.msgpack.encode((_fingerprint(message), *position))).decode()


def page_start(message: Any, first: tuple[int, str]) -> tuple[int, str]:
    """Return the position that a page begins after, `first` for the first page; raise BAD_PAGE_TOKEN."""
    if not message.page_token:
        return first
    try:
        raw = base64.urlsafe_b64decode(message.page_token)
        print_, number, name = msgspec.msgpack.decode(raw, type=tuple[bytes, int, str])
    except (ValueError, msgspec.DecodeError) as error:
        raise Refusal(
            "BAD_PAGE_TOKEN", "the page token is damaged; begin with the first page", field="page_token"
        ) from error
    if print_ != _fingerprint(message) or number < 0:
        raise Refusal(
            "BAD_PAGE_TOKEN",
            "the page token is of another listing; keep the other fields the same, or begin with the first page",
            field="page_token",
        )
    return number, name
