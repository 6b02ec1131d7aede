"""Say what a commit writes and what may come of it, and name what travels between the store and the use cases."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from services.store.rows import Head, LogEntry


class StoreAwayError(Exception):
    """Say that Redis did not answer, or why it refused; the caller may try again with the same request id.

    `kind` is the word by which Redis refuses, such as OOM or READONLY, and empty when it kept silent.
    """

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


class StoreMisfitError(Exception):
    """Say that this Redis cannot be used: another number of shards, or too old."""


class Work(NamedTuple):
    """Name one open bot decision: the queue that serves it, the match, the decision."""

    queue: str
    match_id: str
    decision_id: str

    @property
    def member(self) -> str:
        """Return its name inside its queue."""
        return f"{self.match_id}|{self.decision_id}"


class Lease(NamedTuple):
    """Hold a claimed decision: `attempt` counts from 1, `nonce` proves the claim, `until_ms` is its end for Redis.

    One that is read from a token knows neither its attempt nor its end.
    """

    work: Work
    attempt: int
    nonce: str
    until_ms: int = 0


class Request(NamedTuple):
    """Identify a request, so that a second sending of it is answered from the record.

    `principal` is who asks within the match, `digest` 16 bytes of what is asked.
    """

    principal: str
    request_id: str
    digest: bytes

    @property
    def field(self) -> str:
        """Return its name among the replies; the id itself is not kept, since tokens are derived from it."""
        return f"{self.principal}|{hashlib.sha256(self.request_id.encode()).hexdigest()[:32]}"


class Change(NamedTuple):
    """Say what one commit writes. `before` None creates the match. `seed` is set once, at the creation."""

    before: Head | None
    after: Head
    request: Request | None = None
    reply: bytes = b""
    state: bytes = b""
    entries: Sequence[LogEntry] = ()
    closed: Sequence[Work] = ()
    opened: Sequence[Work] = ()
    lease: Lease | None = None
    seed: bytes = b""


class Committed(NamedTuple):
    """Report that the change is stored."""


class Replayed(NamedTuple):
    """Report that the request was answered before: nothing was changed now."""

    digest: bytes
    reply: bytes


class Outrun(NamedTuple):
    """Report that the match is elsewhere by now: nothing was changed."""


class LeaseLost(NamedTuple):
    """Report that the lease is gone: nothing was changed."""


class Loaded(NamedTuple):
    """Hold what was read: `state` unless the caller has it or the game has not begun, `log` as far as it was wanted."""

    head: Head
    state: bytes | None
    reply: Replayed | None
    log: Sequence[LogEntry]
