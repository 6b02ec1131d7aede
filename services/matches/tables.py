"""Load matches, keep the most used ones decoded, and know which rules this pod plays."""

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import structlog

from engine.core import codec
from engine.core.decision import Decision
from engine.core.registry import GAMES
from engine.core.rules import Rules
from services import telemetry
from services.errors import Refusal, not_found
from services.store import keys
from services.store.changes import Loaded, Replayed, Request, Work
from services.store.rows import Head, LogEntry, SeatKind, Status
from services.store.store import Store

AUTOMA = "automa"
_log = structlog.get_logger()


class Table:
    """Hold a match as it was at one moment; `state` is None before the start, `rules` when this pod cannot play it."""

    __slots__ = ("_pending", "head", "rules", "state")

    def __init__(
        self, head: Head, rules: Rules | None, state: Any, pending: tuple[Decision, ...] | None = None
    ) -> None:
        self.head = head
        self.rules = rules
        self.state = state
        self._pending = pending

    def with_head(self, head: Head) -> "Table":
        """Return the same game under another head."""
        return Table(head, self.rules, self.state, self._pending)

    def pending(self) -> tuple[Decision, ...]:
        """Return who must decide now, asked of the rules once; raises what `game` raises."""
        if self._pending is None:
            rules, state = self.game()
            self._pending = rules.pending(state)
        return self._pending

    def work(self) -> list[Work]:
        """Return the open decisions that bot workers answer."""
        return bot_work(self.head, self.pending())

    def game(self) -> tuple[Rules, Any]:
        """Return rules and state; raise MATCH_NOT_STARTED or RULES_VERSION_UNAVAILABLE."""
        info = self.head.info
        if self.rules is None:
            raise Refusal(
                "RULES_VERSION_UNAVAILABLE",
                f"this pod does not play {info.game} with rules {info.rules_version} and data "
                f"{info.data_version[:12]}; try another pod, read the record, or close the match",
                retry_after=5.0,
            )
        if self.state is None:
            raise Refusal("MATCH_NOT_STARTED", "the match is in the lobby; wait until it starts")
        return self.rules, self.state


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def rules_for(game: str, rules_version: str, data_version: str) -> Rules | None:
    """Return the rules of exactly these versions, or None when this pod has others."""
    if game not in GAMES:
        return None
    rules = GAMES[game]
    return rules if (rules.info.rules_version, rules.info.data_version) == (rules_version, data_version) else None


def serves(queue: str) -> bool:
    """Return whether this pod has the rules that a queue of bot decisions is for."""
    game, _, _ = queue.partition("/")
    if game not in GAMES:
        return False
    info = GAMES[game].info
    return queue.startswith(keys.queue_name(game, info.rules_version, info.data_version, ""))


def policy_of(head: Head, decision: Decision) -> str:
    """Return the policy that answers a decision, empty when a client does."""
    row = head.meta.seats[decision.seat]
    if row.kind is SeatKind.AUTOMA or decision.automa:
        return AUTOMA
    return row.policy if row.kind is SeatKind.BOT else ""


def bot_work(head: Head, pending: tuple[Decision, ...]) -> list[Work]:
    """Return the open decisions that bot workers answer."""
    info = head.info
    return [
        Work(keys.queue_name(info.game, info.rules_version, info.data_version, policy), head.match_id, decision.id)
        for decision in pending
        if (policy := policy_of(head, decision))
    ]


def replayed(request: Request, known: Replayed) -> bytes:
    """Return the reply that a request got before; raise REQUEST_ID_REUSED when its id came with another request."""
    if known.digest != request.digest:
        raise Refusal(
            "REQUEST_ID_REUSED",
            "the request_id was used for another request; take a fresh UUID",
            field="request_id",
        )
    telemetry.REPLAYS.inc()
    return known.reply


class Tables:
    """Give out matches; what is kept here is only ever a copy, good as long as the store holds its stamp."""

    def __init__(self, store: Store, limit: int) -> None:
        self.store = store
        self._limit = limit
        self._kept: OrderedDict[str, Table] = OrderedDict()

    def kept(self, match_id: str) -> Table | None:
        """Return a match as last seen by this pod; another pod may have moved it since."""
        table = self._kept.get(match_id)
        if table is not None:
            self._kept.move_to_end(match_id)
        return table

    def keep(self, table: Table) -> None:
        """Remember a match as this pod has just read or written it."""
        match_id = table.head.match_id
        old = self._kept.get(match_id)
        if old is not None and (old.head.version, old.head.rev) > (table.head.version, table.head.rev):
            return
        self._kept[match_id] = table
        self._kept.move_to_end(match_id)
        if len(self._kept) > self._limit:
            self._kept.popitem(last=False)

    def forget(self, match_id: str) -> None:
        """Drop what is kept of a match."""
        self._kept.pop(match_id, None)

    async def read(self, match_id: str, request: Request | None = None) -> tuple[Table, Replayed | None]:
        """Return a match as it is stored now, and the reply that `request` got before; raise MATCH_NOT_FOUND."""
        table, loaded = await self._read(match_id, request)
        return table, loaded.reply

    async def follow(self, match_id: str, have: int, most: int) -> tuple[Table, Sequence[LogEntry]]:
        """Return a match and, read at the same moment, its log from the entry of version `have` on.

        Of a log with more than `most` entries after that one, or that does not reach there, it is the last entry alone.
        """
        table, loaded = await self._read(match_id, None, (have, most))
        return table, loaded.log

    async def _read(
        self, match_id: str, request: Request | None, log: tuple[int, int] | None = None
    ) -> tuple[Table, Loaded]:
        kept = self.kept(match_id)
        loaded = await self.store.load(match_id, kept.head if kept else None, request, log)
        if loaded is None:
            self.forget(match_id)
            raise not_found()
        head = loaded.head
        if kept is not None and kept.head.stamp == head.stamp:
            return kept, loaded
        rules = rules_for(head.info.game, head.info.rules_version, head.info.data_version)
        state = None
        if rules is not None and loaded.state is not None:
            try:
                state = codec.decode(rules, loaded.state)
            except Exception as error:  # noqa: BLE001 - whatever it holds, the match must be listed and can be closed
                _log.error("state not readable", match=match_id, cause=telemetry.where(error))
                rules = None
        table = Table(head, rules, state)
        if kept is not None and (kept.head.version, kept.head.rev) > (head.version, head.rev):
            # The store went back, after a failover or a restore: what it holds now is the truth.
            self.forget(match_id)
        self.keep(table)
        return table, loaded

    async def get(self, match_id: str) -> Table:
        """Return a match as last seen by this pod, else as stored; raise MATCH_NOT_FOUND."""
        kept = self.kept(match_id)
        return kept if kept is not None else (await self.read(match_id))[0]


def live(table: Table) -> None:
    """Raise what forbids to play on: not started, ended, or in error."""
    status = table.head.status
    if status is Status.LOBBY:
        raise Refusal("MATCH_NOT_STARTED", "the match is in the lobby; the host starts it with StartMatch")
    if status is Status.ERROR:
        raise Refusal("MATCH_IN_ERROR", "the rules failed in this match; an administrator must requeue or close it")
    if status is not Status.ACTIVE:
        raise Refusal("MATCH_ENDED", f"the match is {status.value}; read its record with GetRecord")
