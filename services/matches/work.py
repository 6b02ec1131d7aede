"""Give bot decisions to workers: claim, offer, prolong, take back, and play the default move when no worker answers."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple

import structlog

from services import security, telemetry
from services.errors import Refusal
from services.matches.overdue import Overdue
from services.matches.play import Play
from services.matches.tables import Table
from services.store import keys
from services.store.changes import Lease, StoreAwayError, Work
from services.store.feed import SWEEP_SECONDS, Feed
from services.store.rows import Status

_log = structlog.get_logger()
#: Milliseconds between two sweeps after which the store, or this process, was away.
_OUTAGE_MS = 10_000


class Offer(NamedTuple):
    """Hold one turn as a worker gets it; `ends` is when its lease ends by the loop's clock."""

    table: Table
    seat: int
    policy: str
    lease: Lease
    token: str
    ends: float


class Limits(NamedTuple):
    """Hold the times (ms) and the number of attempts of bot turns."""

    lease_ms: int
    longest_ms: int
    attempts: int
    patience_ms: int


class _Held:
    __slots__ = ("lease", "stamp", "token", "until_ms")

    def __init__(self, offer: Offer) -> None:
        self.lease = offer.lease
        self.token = offer.token
        self.until_ms = offer.lease.until_ms
        self.stamp = offer.table.head.stamp


class Subscriber:
    """Hold one worker's stream: what it plays, how much at once, what it has now. `outbox` None ends the stream."""

    def __init__(self, worker_id: str, queues: Mapping[str, str], capacity: int) -> None:
        self.worker_id = worker_id
        self.queues = queues
        self.capacity = capacity
        self.held: dict[str, _Held] = {}
        self.outbox: asyncio.Queue[Offer | str | None] = asyncio.Queue()
        self.claiming = 0

    def free(self) -> int:
        """Return how many more offers it takes."""
        return self.capacity - len(self.held) - self.claiming


class Desk:
    """Match open bot decisions with workers that are connected to this pod; one instance per process."""

    def __init__(self, play: Play, feed: Feed, limits: Limits) -> None:
        self._play = play
        self._store = play.store
        self._limits = limits
        self._overdue = Overdue(play, limits.lease_ms)
        self._subscribers: dict[str, Subscriber] = {}
        self._holders: dict[str, Subscriber] = {}
        self._by_match: dict[str, set[str]] = {}
        self._hints: set[tuple[int, str]] = set()
        #: Hints that met no free worker; they are tried again when one gets free.
        self._starved: set[tuple[int, str]] = set()
        self._hinted = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._side: set[asyncio.Task[None]] = set()
        self._open = True
        #: When this pod last began to look, and when it looked last: time without engine or store tries no patience.
        self._since = 0
        self._swept = 0
        self._feed = feed
        self._listening = False
        play.on_answer.append(self.answered)

    def start(self) -> None:
        """Begin to give out work."""
        self._tasks = [asyncio.create_task(self._pump()), asyncio.create_task(self._sweep())]

    def leave(self) -> None:
        """Take no more work and end the workers' streams; what they hold stays theirs."""
        self._open = False
        for subscriber in self._subscribers.values():
            subscriber.outbox.put_nowait(None)

    async def close(self) -> None:
        """Stop."""
        tasks = [*self._tasks, *self._side]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Workers

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Let a worker in, in place of an earlier stream of the same id; return what lets it out."""
        if not self._open:
            raise Refusal("GOING_AWAY", "this pod is leaving; connect again", retry_after=0.2)
        earlier = self._subscribers.get(subscriber.worker_id)
        if earlier is not None:
            earlier.outbox.put_nowait(None)
            self._drop_all(earlier)
        self._subscribers[subscriber.worker_id] = subscriber
        if not self._listening:
            self._feed.listen_for_work(self._opened)
            self._listening = True
        telemetry.STREAMS.labels("work").inc()
        self._spawn(self._look())

        def unsubscribe() -> None:
            telemetry.STREAMS.labels("work").dec()
            self._drop_all(subscriber)
            if self._subscribers.get(subscriber.worker_id) is subscriber:
                del self._subscribers[subscriber.worker_id]

        return unsubscribe

    def part(self, subscriber: Subscriber) -> None:
        """Give a worker nothing more and let its stream end; what it holds stays its own."""
        if self._subscribers.get(subscriber.worker_id) is subscriber:
            del self._subscribers[subscriber.worker_id]
        subscriber.outbox.put_nowait(None)

    def _drop_all(self, subscriber: Subscriber) -> None:
        for nonce in list(subscriber.held):
            self._drop(nonce)

    def _drop(self, nonce: str) -> Subscriber | None:
        """Forget a lease: its place with the worker is free again."""
        subscriber = self._holders.pop(nonce, None)
        if subscriber is None:
            return None
        held = subscriber.held.pop(nonce)
        match_id = held.lease.work.match_id
        nonces = self._by_match.get(match_id)
        if nonces is not None:
            nonces.discard(nonce)
            if not nonces:
                del self._by_match[match_id]
        self._freed(subscriber)
        return subscriber

    def answered(self, lease: Lease) -> None:
        """Take note, before the wake-up, that a lease was answered through this pod."""
        self._drop(lease.nonce)

    def unplayable(self, offer: Offer, error: Exception) -> None:
        """Take a turn back for which the rules give no view: no worker could play it, so the default move is played."""
        self._drop(offer.lease.nonce)
        self._spawn(self._play_unseen(offer, error))

    async def _play_unseen(self, offer: Offer, error: Exception) -> None:
        await self._play.report(offer.table, offer.seat, error)
        await self._play.play_default(offer.lease)

    async def renew(self, token: str) -> tuple[int, int]:
        """Prolong a lease; return how long it lasts from now and its end, in ms. Raises LEASE_LOST."""
        lease = self._lease(token)
        left, until = await self._store.renew(lease.work, lease.nonce, self._limits.lease_ms, self._limits.longest_ms)
        if not left:
            self._drop(lease.nonce)
            raise Refusal("LEASE_LOST", "the lease ended or passed to another worker; drop the turn")
        holder = self._holders.get(lease.nonce)
        if holder is not None:
            holder.held[lease.nonce].until_ms = until
        return left, until

    async def release(self, token: str) -> None:
        """Hand a turn back; a lease already gone is no error."""
        lease = self._lease(token)
        self._drop(lease.nonce)
        if await self._store.release(lease.work, lease.nonce):
            self._hint(keys.shard_of(lease.work.match_id), lease.work.queue)

    def _lease(self, token: str) -> Lease:
        lease = security.read_lease(self._store.secret, token)
        if lease is None:
            raise Refusal("INVALID_FIELD", "lease_token: not a lease of this deployment", field="lease_token")
        return lease

    # Giving out

    def _opened(self, shard: int, queues: tuple[str, ...]) -> None:
        for queue in queues:
            self._hint(shard, queue)

    def _hint(self, shard: int, queue: str) -> None:
        self._hints.add((shard, queue))
        self._hinted.set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guard(work))
        self._side.add(task)
        task.add_done_callback(self._side.discard)

    async def _guard(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreAwayError, Refusal) as error:
            _log.warning("bot work put off", error=str(error))
        except Exception as error:  # noqa: BLE001 - one match that cannot be served must not stop the others
            _log.error("bot work failed", cause=telemetry.where(error))

    async def _look(self) -> None:
        """Hint at all that the workers of this pod may claim."""
        counts, _ = await self._store.backlog()
        await self._look_at(counts, await self._store.time_ms())

    async def _look_at(self, counts: list[int], now: int) -> None:
        queues = {queue for subscriber in self._subscribers.values() for queue in subscriber.queues}
        places = [(shard, queue) for shard, count in enumerate(counts) if count for queue in queues]
        for place, waiting in zip(places, await self._store.claimable(places, now), strict=True):
            if waiting:
                self._hint(*place)

    def _freed(self, subscriber: Subscriber) -> None:
        """Try again what found no worker before this one got a free place."""
        ready = {hint for hint in self._starved if hint[1] in subscriber.queues}
        if ready:
            self._starved -= ready
            self._hints |= ready
            self._hinted.set()

    def _hungry(self, queue: str) -> list[Subscriber]:
        found = [s for s in self._subscribers.values() if queue in s.queues and s.free() > 0]
        return sorted(found, key=lambda s: len(s.held) + s.claiming)

    async def _pump(self) -> None:
        while True:
            await self._hinted.wait()
            self._hinted.clear()
            while self._hints and self._open:
                shard, queue = self._hints.pop()
                hungry = self._hungry(queue)
                if not hungry:
                    self._starved.add((shard, queue))
                else:
                    subscriber = hungry[0]
                    subscriber.claiming += 1
                    self._spawn(self._claim(shard, queue, subscriber))

    async def _claim(self, shard: int, queue: str, subscriber: Subscriber) -> None:
        ends = asyncio.get_running_loop().time() + self._limits.lease_ms / 1000
        try:
            for lease in await self._store.claim(shard, queue, self._limits.lease_ms, 1):
                self._hint(shard, queue)
                await self._offer(lease, ends, subscriber)
        finally:
            subscriber.claiming -= 1
            self._freed(subscriber)

    async def _offer(self, lease: Lease, ends: float, subscriber: Subscriber) -> None:
        if lease.attempt > self._limits.attempts:
            await self._play.play_default(lease)
            return
        work = lease.work
        table = await self._play.tables.get(work.match_id)
        seat = int(work.decision_id.rpartition(".")[2])
        if not _is_open(table, work):
            table, _ = await self._play.tables.read(work.match_id)
            if not _is_open(table, work):
                # Not handed back, or it would be claimed again at once: gone for good, or left until an administrator
                # takes the match out of ERROR.
                if table.head.status is not Status.ERROR:
                    await self._store.drop(work)
                return
        if self._subscribers.get(subscriber.worker_id) is not subscriber or not self._open:
            await self._store.release(work, lease.nonce)
            return
        offer = Offer(
            table,
            seat,
            subscriber.queues[work.queue],
            lease,
            security.lease_token(self._store.secret, lease),
            ends,
        )
        subscriber.held[lease.nonce] = _Held(offer)
        self._holders[lease.nonce] = subscriber
        self._by_match.setdefault(work.match_id, set()).add(lease.nonce)
        telemetry.OFFERS.labels(offer.policy).inc()
        subscriber.outbox.put_nowait(offer)

    # What wake-ups cannot tell: time

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self._guard(self._sweep_once())

    async def _sweep_once(self) -> None:
        now = await self._store.time_ms()
        counts, oldest = await self._store.backlog()
        if now - self._swept > _OUTAGE_MS:
            self._since = now
        self._swept = now
        telemetry.OPEN_DECISIONS.set(sum(counts))
        telemetry.OLDEST_DECISION.set((now - oldest) / 1000 if oldest else 0)
        match_ids = list(self._by_match)
        for match_id, stored in zip(match_ids, await self._store.stamps(match_ids), strict=True):
            for nonce in tuple(self._by_match.get(match_id, ())):
                held = self._holders[nonce].held[nonce]
                if stored != held.stamp or held.until_ms < now:
                    self._spawn(self._check(nonce))
        if not self._open:
            return
        if not oldest:
            self._overdue.nothing()
            return
        await self._look_at(counts, now)
        if now - self._since < self._limits.patience_ms:
            return
        for work in await self._overdue.step(now, now - self._limits.patience_ms):
            self._spawn(self._overdue.give_up(work))

    async def _check(self, nonce: str) -> None:
        """Take a place back, and the turn, from a worker whose lease is gone or at its end."""
        holder = self._holders.get(nonce)
        if holder is None:
            return
        held = holder.held[nonce]
        left, until = await self._store.renew(held.lease.work, nonce, 0, 0)
        if left:
            held.until_ms = until
        elif self._drop(nonce) is not None:
            _log.info("lease ended", worker=holder.worker_id, match=held.lease.work.match_id)
            holder.outbox.put_nowait(held.token)


def _is_open(table: Table, work: Work) -> bool:
    if table.rules is None or table.state is None or table.head.status is not Status.ACTIVE:
        return False
    return work in table.work()
