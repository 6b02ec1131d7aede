"""Read what is kept: the log as a caller's stream has shown it, and the matches."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.core import codec
from engine.core.events import Emitted
from services import security
from services.errors import Refusal
from services.matches.tables import Table, Tables
from services.security import Role
from services.store.rows import ENDED, Head, LogEntry, Status
from services.store.store import Store


def reader(secret: bytes, table: Table, token: str) -> Role:
    """Return as what the holder of a token may read a match as it is now.

    Raises what `security.identify` raises, and LEASE_LOST for a lease whose decision was answered.
    """
    role = security.identify(secret, table.head, token)
    if role.lease is not None:
        decision_id = role.lease.work.decision_id
        if table.head.status is not Status.ACTIVE or all(d.id != decision_id for d in table.pending()):
            raise Refusal("LEASE_LOST", "the decision was answered and its lease reads no more; drop the turn")
    return role


class Step(NamedTuple):
    """Hold one version of a record; `action` is None where the caller may not know it."""

    version: int
    entry: LogEntry
    action: Any
    events: tuple[Emitted, ...]


class Reader:
    """Read records and listings; one instance per process."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store: Store = tables.store

    async def record(self, table: Table, role: Role, after: int, limit: int) -> list[Step]:
        """Return up to `limit` steps after a version: the caller's own actions, and all once the match ended.

        A match of other rules than this pod's can be read too, without what only its rules can tell.
        """
        entries = await self._store.entries(table.head.match_id, after, min(table.head.version, after + limit))
        everything = table.head.status in ENDED
        return [self._step(table, role, after + n, entry, everything) for n, entry in enumerate(entries, 1)]

    def _step(self, table: Table, role: Role, version: int, entry: LogEntry, everything: bool) -> Step:
        rules = table.rules
        if rules is None:
            return Step(version, entry, None, ())
        mine = role.seat is not None and role.seat == entry.seat
        action = codec.decode_action(rules, entry.action) if everything or mine else None
        return Step(version, entry, action, codec.decode_events(rules, entry.events))

    async def listing(
        self,
        game: str,
        statuses: Sequence[Status],
        with_open_seats: bool,
        before: tuple[int, str],
        limit: int,
        *,
        private: bool = False,
    ) -> tuple[list[Head], tuple[int, str] | None]:
        """Return up to `limit` matches older than `before`, newest first, and where the next page begins.

        Private ones are among them for the operator alone.
        """
        wanted = statuses or tuple(Status)
        entries = await self._store.index.listed(wanted, before, limit, private=private)
        heads = await self._store.heads([match_id for _, match_id in entries])
        await self._store.index.unlist(m for (_, m), head in zip(entries, heads, strict=True) if head is None)
        found = []
        for head in heads:
            if head is None:
                continue
            fits = head.status in wanted and game in {"", head.info.game}
            if fits and (not with_open_seats or any(row.kind == "open" for row in head.meta.seats)):
                found.append(head)
        return found, entries[-1] if len(entries) == limit else None
