"""Refuse a call with a stable reason, the field at fault and what to do next."""

from collections.abc import Mapping
from typing import Final

import grpc

DOMAIN: Final = "veche"

#: Every reason of veche.v1.ErrorReason with its status code.
CODES: Final[Mapping[str, grpc.StatusCode]] = {
    "INVALID_FIELD": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_GAME": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_SEAT_COUNT": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_OPTION": grpc.StatusCode.INVALID_ARGUMENT,
    "WRONG_GAME": grpc.StatusCode.INVALID_ARGUMENT,
    "REQUEST_ID_REUSED": grpc.StatusCode.INVALID_ARGUMENT,
    "BAD_PAGE_TOKEN": grpc.StatusCode.INVALID_ARGUMENT,
    "UNKNOWN_POLICY": grpc.StatusCode.INVALID_ARGUMENT,
    "MATCH_NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "TOKEN_REQUIRED": grpc.StatusCode.UNAUTHENTICATED,
    "TOKEN_UNKNOWN": grpc.StatusCode.UNAUTHENTICATED,
    "WRONG_SEAT": grpc.StatusCode.PERMISSION_DENIED,
    "NOT_YOUR_TURN": grpc.StatusCode.FAILED_PRECONDITION,
    "ILLEGAL_ACTION": grpc.StatusCode.FAILED_PRECONDITION,
    "SEAT_TAKEN": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_STARTED": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_NOT_STARTED": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_ENDED": grpc.StatusCode.FAILED_PRECONDITION,
    "SEATS_OPEN": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_IN_ERROR": grpc.StatusCode.FAILED_PRECONDITION,
    "DECISION_CLOSED": grpc.StatusCode.ABORTED,
    "STALE_VERSION": grpc.StatusCode.ABORTED,
    "LEASE_LOST": grpc.StatusCode.ABORTED,
    "CONTENTION": grpc.StatusCode.ABORTED,
    "LIMIT_REACHED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "STORE_UNAVAILABLE": grpc.StatusCode.UNAVAILABLE,
    "RULES_VERSION_UNAVAILABLE": grpc.StatusCode.UNAVAILABLE,
    "GOING_AWAY": grpc.StatusCode.UNAVAILABLE,
    "RULES_FAILURE": grpc.StatusCode.INTERNAL,
    "INTERNAL": grpc.StatusCode.INTERNAL,
}


#: Bytes of a message and of a field's path in an error. They travel up to four times in the trailers, some as three
#: characters a byte, and a client refuses trailers of more than 8 KB: it would see another error instead.
_MESSAGE_BYTES: Final = 800
_FIELD_BYTES: Final = 160
#: Characters of a caller's own word that a message shows.
_WORD: Final = 40


def quoted(word: str) -> str:
    """Return what a caller sent, in quotes, for a message: a long word is cut."""
    return repr(word if len(word) <= _WORD else word[:_WORD] + "...")


def _fitting(text: str, limit: int) -> str:
    """Return a text of at most `limit` bytes; what is left out is in the middle, as the advice stands at the end."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return text
    end = limit // 3
    return f"{raw[: limit - end - 3].decode(errors='ignore')}...{raw[-end:].decode(errors='ignore')}"


class Refusal(Exception):
    """Carry why a call is refused; the message is for people and tells nothing that the caller may not know."""

    def __init__(
        self, reason: str, message: str, *, field: str = "", retry_after: float = 0.0, **metadata: str | int
    ) -> None:
        self.message = _fitting(message, _MESSAGE_BYTES)
        super().__init__(self.message)
        self.reason = reason
        self.code = CODES[reason]
        self.field = _fitting(field, _FIELD_BYTES)
        self.retry_after = retry_after
        self.metadata = {name: str(value) for name, value in metadata.items()}


def invalid(field: str, message: str) -> Refusal:
    """Return the refusal of a malformed field."""
    return Refusal("INVALID_FIELD", f"{field}: {message}", field=field)


def not_found() -> Refusal:
    """Return the one answer for matches that do not exist and matches that the caller may not know of."""
    return Refusal(
        "MATCH_NOT_FOUND",
        "no such match; check the id, and for a private match send one of its tokens, or to join it its join code",
    )
