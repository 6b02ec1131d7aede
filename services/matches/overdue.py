"""Look after bot decisions that nobody answers: play the default move, or show the operator those that no pod can."""

from collections import Counter
from typing import Final, NamedTuple

import structlog

from services import telemetry
from services.errors import Refusal
from services.matches.play import Play
from services.matches.tables import serves
from services.store import keys
from services.store.changes import Work
from services.store.rows import Status
from services.store.store import OVERDUE

_log = structlog.get_logger()
#: Milliseconds between two lines in the log about decisions that no pod can answer.
_REPEAT_MS: Final = 60_000


class _Stranded(NamedTuple):
    """Hold what one walk over a shard met that this pod has no rules for; `first` is the match that waits longest."""

    rules: Counter[str]
    first: str


_NONE = _Stranded(Counter(), "")


class Overdue:
    """Walk over the open bot decisions of all shards, a page of each at a time; one instance per process.

    A walk moves on whatever it meets: what stays (rules that this pod does not have, thoughts under a lease) must not
    hide what comes after it.
    """

    def __init__(self, play: Play, lease_ms: int) -> None:
        self._play = play
        self._store = play.store
        self._lease_ms = lease_ms
        self._offsets = [0] * keys.SHARDS
        self._walked = [_NONE] * keys.SHARDS
        self._stranded = [_NONE] * keys.SHARDS
        self._told = (0, 0)

    async def step(self, now: int, opened_before_ms: int) -> list[Work]:
        """Take the next page of each shard; return the decisions of this pod's rules that nobody has leased."""
        pages = await self._store.overdue(opened_before_ms, self._offsets)
        works = [work for page in pages for work in page]
        ends = dict(zip(works, await self._store.leased_until(works), strict=True))
        waiting = [work for work in works if ends[work] <= now]
        served = {work for work in waiting if serves(work.queue)}
        foreign = [work for work in waiting if work not in served]
        gone = await self._clear(foreign)
        stranded = set(foreign) - gone
        for shard, page in enumerate(pages):
            left = [work for work in page if work not in gone]
            self._walk(shard, left, [work for work in left if work in stranded])
            if len(page) < OVERDUE:
                self._stranded[shard], self._walked[shard] = self._walked[shard], _NONE
                self._offsets[shard] = 0
        self._tell(now)
        return [work for work in waiting if work in served]

    def nothing(self) -> None:
        """Take note that no bot decision is open."""
        self._offsets = [0] * keys.SHARDS
        self._walked = [_NONE] * keys.SHARDS
        self._stranded = [_NONE] * keys.SHARDS
        self._tell(0)

    async def give_up(self, work: Work) -> None:
        """Play the default move for a decision that no worker answered in all that time."""
        try:
            table, _ = await self._play.tables.read(work.match_id)
        except Refusal:
            await self._store.drop(work)
            return
        if table.head.status is not Status.ACTIVE:
            await self._store.drop(work)
            return
        if table.rules is None:
            return
        lease = await self._store.claim_one(work, self._lease_ms)
        if lease is not None:
            await self._play.play_default(lease)

    async def _clear(self, works: list[Work]) -> set[Work]:
        """Drop those of `works` whose match is gone or over; return them."""
        heads = await self._store.heads([work.match_id for work in works])
        gone = {w for w, head in zip(works, heads, strict=True) if head is None or head.status is not Status.ACTIVE}
        for work in gone:
            await self._store.drop(work)
        return gone

    def _walk(self, shard: int, left: list[Work], stranded: list[Work]) -> None:
        rules, first = self._walked[shard]
        if stranded:
            rules = rules + Counter(keys.rules_of_queue(work.queue) for work in stranded)
            self._walked[shard] = _Stranded(rules, first or stranded[0].match_id)
        self._offsets[shard] += len(left)

    def _tell(self, now: int) -> None:
        rules: Counter[str] = Counter()
        for stranded in self._stranded:
            rules.update(stranded.rules)
        count = rules.total()
        telemetry.STRANDED_DECISIONS.set(count)
        told, told_ms = self._told
        if count != told and (now - told_ms > _REPEAT_MS or not count):
            self._told = (count, now)
            if count:
                _log.warning(
                    "bot decisions wait for rules that this pod does not have: run a pod of them or close the matches",
                    decisions=count,
                    rules=sorted(rules),
                    matches=[stranded.first for stranded in self._stranded if stranded.first][:10],
                )
