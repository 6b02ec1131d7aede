"""Wake whoever follows a match or waits for bot work: pub/sub as a hint, a sweep each second as truth.

A commit publishes on the channel of its match, and on its shard's work channel when it opens bot decisions; a pod
subscribes only to what somebody in it follows. Each commit also counts its shard's tick up, so that the sweep looks at
the matches of busy shards alone. Waking twice is harmless: a listener reads what is stored and compares versions.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple

import structlog
from redis.exceptions import RedisError

from services.store import keys
from services.store.store import Store, StoreAwayError

SWEEP_SECONDS = 1.0
_MATCH = keys.match_channel("").encode()
_WORK = keys.work_channel(0)[:-2].encode()
_log = structlog.get_logger()


class Follower(NamedTuple):
    """Hold what to call at a change of a match, and what tells which (version, rev) is known already."""

    wake: Callable[[], None]
    known: Callable[[], tuple[int, int]]


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

    def committed(self, match_id: str, queues: tuple[str, ...]) -> None:
        """Take note of a commit of this pod, which need not wait for the message."""
        self._wake(match_id)
        if queues:
            self._work(keys.shard_of(match_id), queues)

    def _wake(self, match_id: str) -> None:
        for follower in tuple(self._followers.get(match_id, ())):
            follower.wake()

    def _work(self, shard: int, queues: tuple[str, ...]) -> None:
        for listener in self._listeners:
            listener(shard, queues)

    def _message(self, channel: bytes, data: bytes) -> None:
        if channel.startswith(_MATCH):
            self._wake(channel.removeprefix(_MATCH).decode())
        elif channel.startswith(_WORK):
            self._work(int(channel[-2:]), tuple(data.decode().split("|")))

    async def _subscribe(self, subscription: Any) -> None:
        """Keep the channels of a subscription in step with what is wanted."""
        have: set[str] = set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            if extra := have - self._wanted:
                await subscription.unsubscribe(*extra)
            if missing := self._wanted - have:
                await subscription.subscribe(*missing)
            have = set(self._wanted)

    async def _read(self, subscription: Any) -> None:
        while True:
            if not subscription.subscribed:
                await asyncio.sleep(0.02)
                continue
            message = await subscription.get_message(ignore_subscribe_messages=True, timeout=10.0)
            if message is not None and message["type"] == "message":
                self._message(message["channel"], message["data"])

    async def _listen(self) -> None:
        delay = 0.05
        while True:
            subscription = self._store.subscription()
            self._changed.set()
            tasks = [
                asyncio.create_task(self._subscribe(subscription)),
                asyncio.create_task(self._read(subscription)),
            ]
            began = asyncio.get_running_loop().time()
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                ends = await asyncio.gather(*tasks, return_exceptions=True)
                with contextlib.suppress(RedisError, OSError):
                    await subscription.aclose()
            _log.warning("wake-ups interrupted", error=[type(end).__name__ for end in ends])
            delay = 0.05 if asyncio.get_running_loop().time() - began > 5 else min(2.0, delay * 2)
            await asyncio.sleep(delay)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            if not self._followers:
                continue
            try:
                await self._sweep_once()
            except StoreAwayError as error:
                _log.warning("sweep failed", error=str(error))

    async def _sweep_once(self) -> None:
        ticks = await self._store.ticks()
        busy = {shard for shard, count in enumerate(ticks) if count != self._seen[shard]}
        concerned = [m for m in self._followers if keys.shard_of(m) in busy]
        for match_id, stored in zip(concerned, await self._store.versions(concerned), strict=True):
            for follower in tuple(self._followers.get(match_id, ())):
                if follower.known() != stored:
                    follower.wake()
        self._seen = ticks
