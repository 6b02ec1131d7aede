"""Know how much is stored, let no match in when that is too much, and keep the indexes tidy."""

import asyncio
import time

import structlog

from services import telemetry
from services.errors import Refusal
from services.matches.tables import now_ms
from services.store.changes import StoreAwayError
from services.store.rows import ENDED, Status
from services.store.store import Store

#: Seconds between two counts, and between two steps of the tidying; and how old a count is that a refusal relies on.
COUNT_SECONDS = 10.0
TIDY_SECONDS = 1.0
FRESH_SECONDS = 1.0
#: The part of the memory limit of Redis above which no match is let in.
FULL = 0.9
_log = structlog.get_logger()


class Census:
    """Count matches; one instance per process. `limit` is for those that have not ended, 0 for none."""

    def __init__(self, store: Store, limit: int) -> None:
        self._store = store
        self._index = store.index
        self._limit = limit
        self._unfinished = 0
        self._fullness = 0.0
        self._counted = float("-inf")
        #: Queues that were seen: one that empties is told as empty.
        self._queues: set[tuple[str, str, str]] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to count and to tidy."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def admit(self) -> None:
        """Let one more match in; raise LIMIT_REACHED when the deployment holds as many as it may, or its store is full.

        A store that is nearly full keeps the rest for the matches that are there. Pods count on their own: together
        they may let in a few more, what they create between two counts.
        """
        age = time.monotonic() - self._counted
        if age > 2 * COUNT_SECONDS or (self._is_full() and age > FRESH_SECONDS):
            await self._count()
        if self._fullness >= FULL:
            raise Refusal(
                "LIMIT_REACHED",
                "the store of this deployment is nearly full, and what is left is kept for the matches that are there; "
                "try again later, or tell the operator",
                retry_after=30.0,
            )
        if self._is_full():
            raise Refusal(
                "LIMIT_REACHED",
                f"this deployment holds {self._unfinished} matches that have not ended and may hold {self._limit}; "
                "play or close one of yours, try again later, or ask the operator for more room",
                retry_after=30.0,
            )
        self._unfinished += 1

    def _is_full(self) -> bool:
        return self._fullness >= FULL or 0 < self._limit <= self._unfinished

    async def _count(self) -> None:
        began = time.monotonic()
        self._fullness = await self._store.fullness()
        telemetry.STORE_FULLNESS.set(self._fullness)
        totals = await self._index.count()
        self._counted = began
        self._unfinished = sum(number for status, number in totals.items() if status not in ENDED)
        for status in Status:
            telemetry.STORED.labels(status.value).set(totals[status])

    async def _look_at_queues(self) -> None:
        now = now_ms()
        waiting = await self._index.waiting()
        found: dict[tuple[str, str, str], tuple[int, int]] = dict.fromkeys(self._queues, (0, now))
        for queue, (count, oldest) in waiting.items():
            game, rules_version, _, policy = queue.split("/")
            before, since = found.get((game, rules_version, policy), (0, now))
            found[game, rules_version, policy] = (before + count, min(since, oldest))
        for labels, (count, oldest) in found.items():
            telemetry.QUEUED.labels(*labels).set(count)
            telemetry.QUEUE_OLDEST.labels(*labels).set(max(0, now - oldest) / 1000)
        self._queues = set(found)

    async def _run(self) -> None:
        due = 0.0
        while True:
            try:
                if time.monotonic() >= due:
                    due = time.monotonic() + COUNT_SECONDS
                    await self._count()
                    await self._look_at_queues()
                gone = await self._index.tidy()
                if gone:
                    _log.info("expired matches unlisted", count=gone)
            except StoreAwayError as error:
                _log.warning("not counted", error=str(error))
            except Exception as error:  # noqa: BLE001 - whatever it was, the next round is another one
                _log.error("census failed", cause=telemetry.where(error))
            await asyncio.sleep(TIDY_SECONDS)
