"""Wake whoever follows a match or waits for bot work: pub/sub as a hint, a sweep each second as truth.

A commit publishes on the channel of its match, and on its shard's work channel when it opens bot decisions; a pod
subscribes only to what somebody in it follows. Each commit also changes its shard's tick, so that the sweep looks at
the matches of busy shards alone. Waking twice is harmless: a listener reads what is stored and compares stamps.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog

from services import telemetry
from services.store import keys
from services.store.changes import StoreAwayError
from services.store.connect import Subscribed
from services.store.rows import Stamp
from services.store.store import Store
from services.store.wire import LostConnection

SWEEP_SECONDS = 1.0
_MATCH = keys.match_channel("").encode()
_WORK = keys.work_channel(0)[:-2].encode()
_log = structlog.get_logger()


class Follower(NamedTuple):
    """Hold what to call at a change of a match, and what tells which commit is known already."""

    wake: Callable[[], None]
    known: Callable[[], Stamp]


class Feed:
    """Follow matches and work over one subscription; one instance per process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followers: dict[str, set[Follower]] = {}
        self._listeners: list[Callable[[int, tuple[str, ...]], None]] = []
        self._seen = [-1] * keys.SHARDS
        self._wanted: set[str] = set()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to follow."""
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._sweep())]

    async def close(self) -> None:
        """Stop following."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _want(self, channel: str, wanted: bool) -> None:
        (self._wanted.add if wanted else self._wanted.discard)(channel)
        self._changed.set()

    def follow(self, match_id: str, follower: Follower) -> Callable[[], None]:
        """Wake `follower` at every change of a match, and perhaps without one; return what ends that."""
        followers = self._followers.setdefault(match_id, set())
        if not followers:
            self._want(keys.match_channel(match_id), True)
        followers.add(follower)

        def unfollow() -> None:
            followers.discard(follower)
            if not followers and self._followers.get(match_id) is followers:
                del self._followers[match_id]
                self._want(keys.match_channel(match_id), False)

        return unfollow

    def listen_for_work(self, listener: Callable[[int, tuple[str, ...]], None]) -> None:
        """Call `listener` with a shard and queues whenever bot decisions open there."""
        if not self._listeners:
            for shard in range(keys.SHARDS):
                self._want(keys.work_channel(shard), True)
        self._listeners.append(listener)

    def committed(self, match_id: str, stored: Stamp, queues: tuple[str, ...]) -> None:
        """Take note of a commit of this pod, which need not wait for the message."""
        self._wake(match_id, stored)
        if queues:
            self._work(keys.shard_of(match_id), queues)

    def _wake(self, match_id: str, stored: Stamp) -> None:
        for follower in tuple(self._followers.get(match_id, ())):
            # A message may be older than what a commit of this pod told; a store that went back is for the sweep.
            known = follower.known()
            if known[:2] <= stored[:2] and known != stored:
                follower.wake()

    def _work(self, shard: int, queues: tuple[str, ...]) -> None:
        for listener in self._listeners:
            listener(shard, queues)

    def _message(self, channel: bytes, data: bytes) -> None:
        if channel.startswith(_MATCH):
            version, rev, who = data.decode().split(" ")
            name, _, mark = who.partition(".")
            if name != self._store.name:  # an own commit is told by `committed`, or found by the sweep
                self._wake(channel.removeprefix(_MATCH).decode(), Stamp(int(version), int(rev), mark))
        elif channel.startswith(_WORK):
            self._work(int(channel[-2:]), tuple(data.decode().split("|")))

    async def _subscribe(self, subscription: Subscribed) -> None:
        """Keep the channels of a subscription in step with what is wanted."""
        have: set[str] = set()
        while True:
            wanted = set(self._wanted)
            if wanted != have:
                await subscription.change(wanted - have, have - wanted)
                have = wanted
            await self._changed.wait()
            self._changed.clear()

    async def _listen(self) -> None:
        delay = 0.05
        while True:
            began = asyncio.get_running_loop().time()
            try:
                await self._listen_once()
            except (StoreAwayError, LostConnection) as error:
                _log.warning("no wake-ups", error=str(error))
            delay = 0.05 if asyncio.get_running_loop().time() - began > 5 else min(2.0, delay * 2)
            await asyncio.sleep(delay)

    async def _listen_once(self) -> None:
        """Listen until the connection is lost."""
        subscription = await self._store.subscription(self._message)
        tasks = [
            asyncio.create_task(self._subscribe(subscription)),
            asyncio.create_task(subscription.until_lost()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            subscription.close()
        _log.warning("wake-ups interrupted")

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            if not self._followers:
                continue
            try:
                await self._sweep_once()
            except Exception as error:  # noqa: BLE001 - the sweep is what makes up for all else
                _log.warning("sweep failed", cause=telemetry.where(error))

    async def _sweep_once(self) -> None:
        ticks = await self._store.ticks()
        busy = {shard for shard, tick in enumerate(ticks) if tick != self._seen[shard]}
        concerned = [m for m in self._followers if keys.shard_of(m) in busy]
        for match_id, stored in zip(concerned, await self._store.stamps(concerned), strict=True):
            for follower in tuple(self._followers.get(match_id, ())):
                if follower.known() != stored:
                    follower.wake()
        self._seen = ticks
