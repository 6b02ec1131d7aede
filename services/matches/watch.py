"""Follow a match: snapshot first, then one update per version, resumable on any pod.

A `Topic` follows one match for all its watchers in this pod. It reads what is new once, and each distinct message is
built and encoded once and shared. A watcher keeps only its position; one that falls too far behind skips to the newest.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, NamedTuple, Protocol

import structlog

from engine.core import codec
from engine.core.events import Emitted
from services import telemetry
from services.errors import Refusal
from services.matches.play import Play
from services.matches.tables import Table
from services.security import Role, RoleKind
from services.store.changes import StoreAwayError
from services.store.feed import Feed, Follower
from services.store.rows import ENDED, LogEntry, Status

#: Versions that a topic keeps, and by which a reader may lag before it gets a new snapshot instead.
KEPT = 256
_log = structlog.get_logger()


class Position(NamedTuple):
    """Name a place in the history of a match; `epoch` also proves which line of history it is on."""

    version: int
    epoch: str


class Entry(NamedTuple):
    """Hold one version as a topic keeps it; `events` is None when this pod has other rules than the match."""

    version: int
    entry: LogEntry
    events: tuple[Emitted, ...] | None


class Encoder(Protocol):
    """Turn what a watcher is told into bytes; `seat` None is the spectator."""

    def snapshot(self, position: Position, table: Table, seat: int | None) -> bytes:
        """Return everything the seat may know now."""

    def update(
        self, position: Position, table: Table, seat: int | None, entry: Entry, last: bool, with_view: bool
    ) -> bytes:
        """Return what one action did; `last` when `table` is the match right after it."""

    def lobby(self, position: Position, table: Table) -> bytes:
        """Return the match after a change of seats or status."""

    def heartbeat(self, position: Position) -> bytes:
        """Return a sign of life."""

    def resync(self, position: Position, reason: str) -> bytes:
        """Return the notice that a snapshot follows."""

    def going_away(self, position: Position, delay: float) -> bytes:
        """Return the notice that the stream should be opened anew after `delay` seconds."""

    def finished(self, position: Position, table: Table, seat: int | None) -> bytes:
        """Return the last message."""


class Topic:
    """Follow one match for all watchers of this pod."""

    def __init__(self, match_id: str, play: Play, feed: Feed) -> None:
        self.match_id = match_id
        self.table: Table | None = None
        self.entries: list[Entry] = []
        self.watchers: set[asyncio.Event] = set()
        self.messages: dict[tuple[Any, ...], bytes] = {}
        self._tables = play.tables
        self._store = play.store
        self._stale = asyncio.Event()
        self._lock = asyncio.Lock()
        self._taken = 0
        self._unfollow = feed.follow(match_id, Follower(self._stale.set, self._known))
        self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Stop following."""
        self._unfollow()
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._stale.wait()
            self._stale.clear()
            try:
                await self.refresh()
            except Refusal as error:
                _log.info("match gone", match=self.match_id, reason=error.reason)
                self.table = None
                self._wake()
            except Exception as error:  # noqa: BLE001 - the watchers wait for this task
                if not isinstance(error, StoreAwayError):
                    _log.error("match not readable", match=self.match_id, cause=telemetry.where(error))
                await asyncio.sleep(0.5)
                self._stale.set()

    async def refresh(self) -> Table:
        """Read what is stored, and wake the watchers if it is new."""
        async with self._lock:
            taken = self._taken
            table, _ = await self._tables.read(self.match_id)
            version = table.head.version
            have = self._have()
            joins = have is not None and have <= version <= have + KEPT
            start = have if joins and have is not None else max(0, version - 1)
            entries = await self._store.entries(self.match_id, start, version)
            if taken != self._taken and self.table is not None:
                # A commit of this pod came in between and is newer than what was read.
                self._stale.set()
                return self.table
            if not joins:
                self.entries = []
            first = version - len(entries)
            self.entries += [self._entry(table, first + n, entry) for n, entry in enumerate(entries, 1)]
            del self.entries[:-KEPT]
            self._set(table)
            return table

    def _known(self) -> tuple[int, int]:
        return (self.table.head.version, self.table.head.rev) if self.table is not None else (-1, -1)

    def _have(self) -> int | None:
        if self.entries:
            return self.entries[-1].version
        return self.table.head.version if self.table is not None else None

    def take(self, table: Table, entries: Sequence[LogEntry]) -> None:
        """Take over what a commit added, if it joins on to what is here; else mark this topic stale."""
        first = table.head.version - len(entries)
        if self._have() != first:
            self._stale.set()
            return
        self._taken += 1
        self.entries += [self._entry(table, first + n, entry) for n, entry in enumerate(entries, 1)]
        del self.entries[:-KEPT]
        self._set(table)

    def _entry(self, table: Table, version: int, entry: LogEntry) -> Entry:
        events = codec.decode_events(table.rules, entry.events) if table.rules is not None else None
        return Entry(version, entry, events)

    def _set(self, table: Table) -> None:
        old = self.table
        if old is None or (old.head.version, old.head.rev) != (table.head.version, table.head.rev):
            self.table = table
            self.messages.clear()
            self._wake()

    def _wake(self) -> None:
        for event in self.watchers:
            event.set()

    def position(self) -> Position:
        """Return where the match stands."""
        if self.table is None:
            return Position(0, "")
        return self.position_at(self.table.head.version)

    def position_at(self, version: int) -> Position:
        """Return the position of a version that this topic keeps."""
        epoch = self.table.head.info.epoch if self.table is not None else ""
        if version == 0:
            return Position(0, f"{epoch}.start")
        index = version - (self.entries[0].version if self.entries else 0)
        mark = self.entries[index].entry.mark if self.entries and 0 <= index < len(self.entries) else "?"
        return Position(version, f"{epoch}.{mark}")

    def after(self, version: int) -> list[Entry] | None:
        """Return the entries after a version, or None when some of them are not kept."""
        if not self.entries or version >= self.entries[-1].version:
            return []
        first = self.entries[0].version
        return None if version + 1 < first else self.entries[version + 1 - first :]


class Watch:
    """Serve all streams of this pod; one instance per process."""

    def __init__(self, play: Play, feed: Feed, encoder: Encoder, heartbeat: float, stream_age: float) -> None:
        self._play = play
        self._feed = feed
        self._encoder = encoder
        self._heartbeat = heartbeat
        self._age = stream_age
        self._topics: dict[str, Topic] = {}
        self._leaving = asyncio.Event()
        self._drain = 0.0
        play.on_commit.append(self._committed)

    def _committed(self, table: Table, entries: Sequence[LogEntry]) -> None:
        topic = self._topics.get(table.head.match_id)
        if topic is not None:
            topic.take(table, entries)

    def leave(self, within: float) -> None:
        """Tell all streams to go elsewhere, spread over `within` seconds."""
        self._drain = within
        self._leaving.set()
        for topic in self._topics.values():
            for event in topic.watchers:
                event.set()

    async def _resumed(self, topic: Topic, resume: Position, table: Table) -> list[Entry] | None:
        """Return what a watcher missed since `resume`, or None when it needs a snapshot."""
        version = table.head.version
        epoch, _, mark = resume.epoch.partition(".")
        if epoch != table.head.info.epoch or resume.version > version or version - resume.version > KEPT:
            return None
        if resume.version == 0:
            stored = await topic._store.entries(topic.match_id, 0, version)  # noqa: SLF001 - one module, one matter
        else:
            stored = await topic._store.entries(topic.match_id, resume.version - 1, version)  # noqa: SLF001
            if not stored or stored[0].mark != mark:
                return None
            del stored[0]
        return [topic._entry(table, resume.version + n, e) for n, e in enumerate(stored, 1)]  # noqa: SLF001

    async def watch(
        self, match_id: str, who: Callable[[Table], Role], resume: Position | None, with_view: bool
    ) -> AsyncGenerator[bytes, None]:
        """Yield the encoded messages of one stream until the match ends or the pod leaves.

        `who` tells what the caller is in the match as it is now, or raises what ends the stream.
        """
        topic = self._topics.get(match_id)
        if topic is None:
            topic = self._topics[match_id] = Topic(match_id, self._play, self._feed)
        news = asyncio.Event()
        topic.watchers.add(news)
        telemetry.STREAMS.labels("watch").inc()
        try:
            async with aclosing(self._messages(topic, news, who, resume, with_view)) as messages:
                async for message in messages:
                    yield message
        finally:
            telemetry.STREAMS.labels("watch").dec()
            topic.watchers.discard(news)
            if not topic.watchers and self._topics.get(match_id) is topic:
                del self._topics[match_id]
                topic.close()

    async def _messages(  # noqa: C901 - one stream, told in order
        self,
        topic: Topic,
        news: asyncio.Event,
        who: Callable[[Table], Role],
        resume: Position | None,
        with_view: bool,
    ) -> AsyncGenerator[bytes, None]:
        encoder, loop = self._encoder, asyncio.get_running_loop()
        end = loop.time() + self._age * random.uniform(0.8, 1.0)
        table = await topic.refresh()
        role = who(table)
        seat = role.seat
        at, rev = topic.position(), table.head.rev
        if resume is not None:
            missed = await self._resumed(topic, resume, table)
            if missed is None:
                yield encoder.resync(at, "the position is not on this match's history any more")
                resume = None
            for entry in missed or ():
                place = Position(entry.version, f"{table.head.info.epoch}.{entry.entry.mark}")
                last = entry.version == table.head.version
                yield encoder.update(place, table, seat, entry, last, with_view)
        if resume is None and table.head.status not in ENDED:
            yield self._shared(topic, table, ("snapshot", seat), partial(encoder.snapshot, at, table, seat))
        elif table.head.status not in ENDED:
            # A change of seats leaves no version behind; tell it anew.
            yield self._shared(topic, table, ("lobby",), partial(encoder.lobby, at, table))
        while table.head.status not in ENDED:
            if self._leaving.is_set() or loop.time() > end:
                yield encoder.going_away(at, random.uniform(0.1, max(0.2, self._drain)))
                return
            if topic.table is not table:
                news.set()
            try:
                # Not wait_for, which in Python 3.11 may swallow the cancellation of a stream that is cut.
                async with asyncio.timeout(min(self._heartbeat, max(0.05, end - loop.time()))):
                    await news.wait()
            except TimeoutError:
                if loop.time() < end:
                    yield encoder.heartbeat(at)
                continue
            news.clear()
            if topic.table is None:
                raise Refusal("MATCH_NOT_FOUND", "the match is gone")
            old, table = table, topic.table
            if table is old:
                continue
            if table.head.rev != rev or role.kind is RoleKind.BOT:
                # The caller may have left its seat, which somebody else took, and a lease ends with its decision.
                role = who(table)
                seat = role.seat
            entries = topic.after(at.version)
            begun = old.head.status is Status.LOBBY and table.head.status is not Status.LOBBY
            if entries is None or table.head.version < at.version:
                at = topic.position()
                yield encoder.resync(at, "the reader was too slow" if entries is None else "the store went back")
                if table.head.status not in ENDED:
                    yield self._shared(topic, table, ("snapshot", seat), partial(encoder.snapshot, at, table, seat))
            else:
                for entry in entries:
                    at = Position(entry.version, f"{table.head.info.epoch}.{entry.entry.mark}")
                    last = entry.version == table.head.version
                    key = ("update", entry.version, seat, last, with_view)
                    yield self._shared(
                        topic, table, key, partial(encoder.update, at, table, seat, entry, last, with_view)
                    )
                # Not the topic's own position: it may have gone on while this stream was written to.
                if table.head.rev != rev and table.head.status not in ENDED:
                    if begun:
                        yield self._shared(topic, table, ("snapshot", seat), partial(encoder.snapshot, at, table, seat))
                    else:
                        yield self._shared(topic, table, ("lobby",), partial(encoder.lobby, at, table))
            rev = table.head.rev
        at = topic.position()
        yield self._shared(topic, table, ("finished", seat), partial(encoder.finished, at, table, seat))

    def _shared(self, topic: Topic, table: Table, key: tuple[Any, ...], make: Callable[[], bytes]) -> bytes:
        """Return a message that several watchers get, encoded once."""
        # A slow watcher may still tell an older table than the topic's.
        key = (table.head.version, table.head.rev, *key)
        message = topic.messages.get(key)
        if message is None:
            message = topic.messages[key] = make()
        return message
