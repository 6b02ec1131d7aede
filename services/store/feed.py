"""Wake whoever follows a match or waits for bot work: pub/sub as a hint, a sweep each second as truth.

Every commit counts its shard's tick up and publishes it with the match it changed. The feed knows the last tick it has
seen of each shard; a message that skips one, or a sweep that finds another number, wakes everything on that shard.
Waking twice is harmless: a listener reads what is stored and compares versions.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import NamedTuple

import structlog
from redis.exceptions import RedisError

from services.store import keys
from services.store.store import Store, StoreAwayError

SWEEP_SECONDS = 1.0
_log = structlog.get_logger()


class Wake(NamedTuple):
    """Tell that a match changed and in which `queues` it opened bot decisions; empty `match_id`: any may have."""

    shard: int
    match_id: str
    version: int
    rev: int
    queues: tuple[str, ...]


class Feed:
    """Follow all shards over one connection and tell listeners; one instance per process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followers: dict[int, dict[str, set[Callable[[], None]]]] = {n: {} for n in range(keys.SHARDS)}
        self._listeners: list[Callable[[Wake], None]] = []
        self._seen = [-1] * keys.SHARDS
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to follow."""
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._sweep())]

    async def close(self) -> None:
        """Stop following."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def follow(self, match_id: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` at every change of a match, and perhaps without one; return what ends that."""
        shard = self._followers[keys.shard_of(match_id)]
        shard.setdefault(match_id, set()).add(wake)

        def unfollow() -> None:
            followers = shard.get(match_id)
            if followers is not None:
                followers.discard(wake)
                if not followers:
                    del shard[match_id]

        return unfollow

    def listen(self, listener: Callable[[Wake], None]) -> None:
        """Call `listener` at every change of any match."""
        self._listeners.append(listener)

    def wake(self, wake: Wake) -> None:
        """Tell everybody concerned; the pod that commits calls this itself and need not wait for the message."""
        followers = self._followers[wake.shard]
        concerned = followers.values() if not wake.match_id else filter(None, [followers.get(wake.match_id)])
        for callbacks in list(concerned):
            for callback in list(callbacks):
                callback()
        for listener in self._listeners:
            listener(wake)

    def _all(self, shard: int) -> None:
        self.wake(Wake(shard, "", 0, 0, ()))

    def _message(self, channel: bytes, data: bytes) -> None:
        shard = int(channel[-2:])
        tick, match_id, rev, version, queues = data.decode().split(" ", 4)
        count, seen = int(tick), self._seen[shard]
        self._seen[shard] = max(count, seen)
        if seen >= 0 and count > seen + 1:
            self._all(shard)
        else:
            self.wake(Wake(shard, match_id, int(version), int(rev), tuple(q for q in queues.split("|") if q)))

    async def _listen(self) -> None:
        delay = 0.05
        while True:
            subscription = self._store.subscription()
            try:
                await subscription.subscribe(*(keys.channel(n) for n in range(keys.SHARDS)))
                delay = 0.05
                while True:
                    message = await subscription.get_message(ignore_subscribe_messages=True, timeout=10.0)
                    if message is not None and message["type"] == "message":
                        self._message(message["channel"], message["data"])
            except (RedisError, OSError) as error:
                _log.warning("wake-ups interrupted", error=type(error).__name__)
                await asyncio.sleep(delay)
                delay = min(2.0, delay * 2)
            finally:
                with contextlib.suppress(RedisError, OSError):
                    await subscription.aclose()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                ticks = await self._store.ticks()
            except StoreAwayError as error:
                _log.warning("sweep failed", error=str(error))
                continue
            for shard, count in enumerate(ticks):
                if count != self._seen[shard]:
                    self._seen[shard] = count
                    self._all(shard)
