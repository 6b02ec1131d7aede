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


class Refusal(Exception):
    """Carry why a call is refused; the message is for people and tells nothing that the caller may not know."""

    def __init__(
        self, reason: str, message: str, *, field: str = "", retry_after: float = 0.0, **metadata: str | int
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = CODES[reason]
        self.message = message
        self.field = field
        self.retry_after = retry_after
        self.metadata = {name: str(value) for name, value in metadata.items()}


def invalid(field: str, message: str) -> Refusal:
    """Return the refusal of a malformed field."""
    return Refusal("INVALID_FIELD", f"{field}: {message}", field=field)


def not_found() -> Refusal:
    """Return the one answer for matches that do not exist and matches that the caller may not know of."""
    return Refusal("MATCH_NOT_FOUND", "no such match; check the id, and for a private match send one of its tokens")
