"""Keep the indexes of matches: page through them, count them, and take out what is gone.

A commit puts a match into the index of its status; that a match expired is known to nobody, so its entry stays until a
page or the tidying meets it.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from services.store import keys
from services.store.rows import Status

#: Entries that one step of the tidying looks at.
BATCH = 200
#: Open bot decisions of a shard that one look reads, the oldest first.
_OPEN = 1000
_ALL = tuple((shard, status, private) for shard in range(keys.SHARDS) for status in Status for private in (False, True))


class Index:
    """Read and tidy the indexes; part of the store, which gives it `together`."""

    def __init__(self, together: Callable[[Iterable[tuple[Any, ...]]], Awaitable[list[Any]]]) -> None:
        self._together = together
        #: Where the tidying stands: a place in _ALL, and the last entry seen there.
        self._place = 0
        self._last = "-inf"

    async def listed(
        self, statuses: Iterable[Status], before: tuple[int, str], limit: int, *, private: bool = False
    ) -> list[tuple[int, str]]:
        """Return (creation, id) of up to `limit` matches, newest first, from those older than `before`.

        Private matches are among them only if asked for.
        """
        wanted = [
            (shard, status, hidden)
            for shard in range(keys.SHARDS)
            for status in statuses
            for hidden in ((False, True) if private else (False,))
        ]
        return await self._newest([keys.index(*where) for where in wanted], before, limit)

    async def incident_names(self, before: tuple[int, str], limit: int) -> list[tuple[int, str]]:
        """Return (time, "match|incident") of up to `limit` incidents, newest first, from those older than `before`."""
        return await self._newest([keys.incident_index(shard) for shard in range(keys.SHARDS)], before, limit)

    async def _newest(self, names: Iterable[str], before: tuple[int, str], limit: int) -> list[tuple[int, str]]:
        """Return (score, member) of the highest of several sorted sets, from those below `before`."""
        found = await self._together(
            ("ZREVRANGEBYSCORE", name, before[0], "-inf", "WITHSCORES", "LIMIT", 0, limit + 8) for name in names
        )
        entries = [
            (int(float(score)), member.decode())
            for row in found
            for member, score in zip(row[::2], row[1::2], strict=True)
        ]
        return sorted((e for e in entries if e < before), reverse=True)[:limit]

    async def unlist(self, match_ids: Iterable[str]) -> None:
        """Take matches that are gone out of all indexes."""
        await self._together(
            ("ZREM", keys.index(keys.shard_of(match_id), status, private), match_id)
            for match_id in match_ids
            for status in Status
            for private in (False, True)
        )

    async def count(self) -> dict[Status, int]:
        """Return how many matches are in each status, private ones too."""
        found = await self._together(("ZCARD", keys.index(*where)) for where in _ALL)
        totals = dict.fromkeys(Status, 0)
        for (_, status, _), number in zip(_ALL, found, strict=True):
            totals[status] += number
        return totals

    async def waiting(self) -> dict[str, tuple[int, int]]:
        """Return, by queue, how many bot decisions are open and since when the oldest is (ms), of 64,000 at most."""
        found = await self._together(
            ("ZRANGE", keys.open_work(shard), 0, _OPEN - 1, "WITHSCORES") for shard in range(keys.SHARDS)
        )
        queues: dict[str, tuple[int, int]] = {}
        for row in found:
            for member, score in zip(row[::2], row[1::2], strict=True):
                queue, opened = member.decode().partition("|")[0], int(float(score))
                count, oldest = queues.get(queue, (0, opened))
                queues[queue] = (count + 1, min(oldest, opened))
        return queues

    async def tidy(self) -> int:
        """Take what is gone out of the next entries of one index, round all of them; return how many that were."""
        where = keys.index(*_ALL[self._place])
        (found,) = await self._together([("ZRANGEBYSCORE", where, self._last, "+inf", "WITHSCORES", "LIMIT", 0, BATCH)])
        members = [member.decode() for member in found[::2]]
        there = await self._together(("EXISTS", keys.match(match_id).head) for match_id in members)
        gone = [match_id for match_id, exists in zip(members, there, strict=True) if not exists]
        await self._together([("ZREM", where, match_id) for match_id in gone])
        if len(members) < BATCH:
            self._place, self._last = (self._place + 1) % len(_ALL), "-inf"
        else:
            self._last = found[-1].decode()
        return len(gone)


def used_part(memory: Any) -> float:
    """Return what part of its limit Redis uses by its INFO memory, 0.0 without a limit.

    The library makes a dict of the text, and of a Cluster's one for each server.
    """
    text = memory.decode() if isinstance(memory, bytes) else str(memory)
    used, limit = (re.search(rf"\b{name}\b\W+(\d+)", text) for name in ("used_memory", "maxmemory"))
    return int(used[1]) / int(limit[1]) if used and limit and int(limit[1]) else 0.0
