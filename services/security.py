"""Make and check tokens. What a caller is in a match follows from its token alone.

Tokens are derived from the deployment's secret and the request that asked for them, so that a repeated request gets the
same token although only hashes are stored. To whom the secret is unknown they are 256 random bits; the request id, of
which a hash alone is kept, is a second lock on them.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

import msgspec

from services.errors import Refusal, not_found
from services.store.changes import Lease, Work
from services.store.rows import Head, SeatKind

_LEASE_PREFIX = "lease."
_AUTHORIZATION = "authorization"


class RoleKind(StrEnum):
    """Say what a caller is in a match."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    HOST = "host"
    BOT = "bot"


class Role(NamedTuple):
    """Hold what a caller is: `seat` for SEAT and BOT, `lease` for BOT; `resigned` seats read and no longer act."""

    kind: RoleKind
    seat: int | None = None
    lease: Lease | None = None
    resigned: bool = False


SPECTATOR = Role(RoleKind.SPECTATOR)


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _mac(secret: bytes, *parts: str) -> bytes:
    return hmac.digest(secret, b"\0".join(part.encode() for part in parts), "sha256")


def derive_token(secret: bytes, *parts: str) -> str:
    """Return the 256-bit token that belongs to `parts`."""
    return _encode(_mac(secret, "token", *parts))


def derive_id(secret: bytes, request_id: str) -> str:
    """Return the id of the match that a CreateMatch request makes: 80 bits, lower case."""
    return base64.b32encode(_mac(secret, "match", request_id)[:10]).decode().lower()


def hash_token(token: str) -> bytes:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def principal(token: str) -> str:
    """Return the name under which the requests of a token's holder are remembered."""
    return hash_token(token).hex()[:16]


def bearer(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """Return the bearer token of a call, empty when it has none; raise TOKEN_UNKNOWN for another scheme."""
    for name, value in metadata:
        if name == _AUTHORIZATION:
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            scheme, _, token = text.partition(" ")
            if scheme.lower() != "bearer" or not token.strip():
                raise Refusal("TOKEN_UNKNOWN", 'send the token as metadata "authorization: Bearer <token>"')
            return token.strip()
    return ""


def same(token: str, expected: str) -> bool:
    """Compare a token with a configured one in constant time; False when none is configured."""
    return bool(expected) and hmac.compare_digest(hash_token(token), hash_token(expected))


def same_hash(text: str, digest: bytes) -> bool:
    """Compare a code with the hash that is stored of it, in constant time."""
    return hmac.compare_digest(hash_token(text), digest)


def lease_token(secret: bytes, lease: Lease) -> str:
    """Return the token of a bot's turn: it names the lease and is signed, so that no other can be made up."""
    work = lease.work
    body = msgspec.msgpack.encode((work.queue, work.match_id, work.decision_id, lease.nonce))
    return f"{_LEASE_PREFIX}{_encode(body)}.{_encode(_mac(secret, 'lease', _encode(body)))}"


def read_lease(secret: bytes, token: str) -> Lease | None:
    """Return the lease that a token names, None when it is none of this deployment. It may have ended."""
    if not token.startswith(_LEASE_PREFIX):
        return None
    body, _, signature = token.removeprefix(_LEASE_PREFIX).partition(".")
    if not hmac.compare_digest(signature.encode(), _encode(_mac(secret, "lease", body)).encode()):
        return None
    raw = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    queue, match_id, decision_id, nonce = msgspec.msgpack.decode(raw, type=tuple[str, str, str, str])
    return Lease(Work(queue, match_id, decision_id), 0, nonce)


def identify(secret: bytes, head: Head, token: str) -> Role:
    """Return what the holder of a token is in a match.

    Raises MATCH_NOT_FOUND for strangers to a private match, TOKEN_UNKNOWN for a token that is none of a public one.
    """
    if not token:
        if head.info.private:
            raise not_found()
        return SPECTATOR
    lease = read_lease(secret, token)
    if lease is not None and lease.work.match_id == head.match_id:
        return Role(RoleKind.BOT, int(lease.work.decision_id.rpartition(".")[2]), lease)
    digest = hash_token(token)
    found: Role | None = None
    # Every hash is compared, so that the time tells nothing about which seat the token is for.
    for seat, row in enumerate(head.meta.seats):
        if hmac.compare_digest(digest, row.token or bytes(32)) and row.kind in {SeatKind.CLIENT, SeatKind.BOT}:
            found = Role(RoleKind.SEAT, seat, resigned=row.resigned)
    if hmac.compare_digest(digest, head.info.host):
        found = Role(RoleKind.HOST)
    if found is not None:
        return found
    if head.info.private:
        raise not_found()
    raise Refusal(
        "TOKEN_UNKNOWN", "the token is none of this match; send the one that CreateMatch or JoinMatch returned"
    )


def need_seat(role: Role) -> int:
    """Return the seat of a caller that needs one; raise TOKEN_REQUIRED or WRONG_SEAT."""
    if role.kind is RoleKind.SPECTATOR:
        raise Refusal("TOKEN_REQUIRED", "this call needs a seat's token; JoinMatch returns one")
    if role.seat is None or role.resigned:
        what = "the seat was given up" if role.resigned else "the host token plays no seat"
        raise Refusal("WRONG_SEAT", f"{what}; send the token of a seat that is still played")
    return role.seat


def need_own_seat(role: Role) -> int:
    """Return the seat of the client that sits on it, for what no lease allows; raise TOKEN_REQUIRED or WRONG_SEAT."""
    if role.kind is RoleKind.BOT:
        raise Refusal("WRONG_SEAT", "a lease gives no seat up; hand the turn back with ReleaseTurn")
    return need_seat(role)


def need_host(role: Role) -> None:
    """Raise TOKEN_REQUIRED or WRONG_SEAT unless the caller is the host."""
    if role.kind is RoleKind.SPECTATOR:
        raise Refusal("TOKEN_REQUIRED", "this call needs the host token that CreateMatch returned")
    if role.kind is not RoleKind.HOST:
        raise Refusal("WRONG_SEAT", "a seat's token may not do this; send the host token that CreateMatch returned")
