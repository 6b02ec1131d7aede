"""Follow a match: snapshot first, then one update per version, resumable on any pod.

A `Topic` follows one match for all its watchers in this pod. It reads what is new once, and each distinct message is
built and encoded once and shared. A watcher keeps only its position; one that falls too far behind skips to the newest.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
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
from services.store.rows import ENDED, NO_MATCH, Head, LogEntry, Stamp, Status

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
            table, log = await self._tables.follow(self.match_id, self._known().version, KEPT)
            if taken != self._taken and self.table is not None:
                # A commit of this pod came in between and is newer than what was read.
                self._stale.set()
                return self.table
            last = self.entries[-1] if self.entries else None
            first = table.head.version - len(log) + 1
            if last is not None and log and (first, log[0].mark) == (last.version, last.entry.mark):
                log = log[1:]
            else:
                # Too far behind, or on a line of history that the store does not hold any more.
                self.entries = []
            self._add(table, log)
            return table

    def _known(self) -> Stamp:
        return self.table.head.stamp if self.table is not None else NO_MATCH

    def take(self, before: Head | None, table: Table, entries: Sequence[LogEntry]) -> None:
        """Take over what a commit added, if it joins on to what is here; else mark this topic stale."""
        if before is None or self._known() != before.stamp:
            self._stale.set()
            return
        self._taken += 1
        self._add(table, entries)

    def _add(self, table: Table, log: Sequence[LogEntry]) -> None:
        first = table.head.version - len(log) + 1
        self.entries += [self._entry(table, first + n, entry) for n, entry in enumerate(log)]
        del self.entries[:-KEPT]
        self._set(table)

    def _entry(self, table: Table, version: int, entry: LogEntry) -> Entry:
        events = codec.decode_events(table.rules, entry.events) if table.rules is not None else None
        return Entry(version, entry, events)

    def _set(self, table: Table) -> None:
        old = self.table
        if old is None or old.head.stamp != table.head.stamp:
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

    def after(self, at: Position) -> list[Entry] | None:
        """Return the entries after a position, or None when they are not all kept or it is not on this line."""
        if at != self.position_at(at.version):
            return None
        first = self.entries[0].version if self.entries else at.version + 1
        return None if at.version + 1 < first else self.entries[at.version + 1 - first :]

    async def since(self, resume: Position, table: Table) -> list[Entry] | None:
        """Return the entries from `resume` up to `table`, or None when a snapshot is needed instead."""
        version = table.head.version
        epoch, _, mark = resume.epoch.partition(".")
        if epoch != table.head.info.epoch or resume.version > version or version - resume.version > KEPT:
            return None
        log = await self._store.entries(self.match_id, max(0, resume.version - 1), version)
        if resume.version:
            if not log or log[0].mark != mark:
                return None
            del log[0]
        return [self._entry(table, resume.version + n, entry) for n, entry in enumerate(log, 1)]


def _beside_game(head: Head) -> tuple[Any, ...]:
    """Return what a match is beside its game: what a message about the lobby tells, and who is who."""
    return head.status, head.info, head.meta


class Watch:
    """Serve all streams of this pod; one instance per process."""

    def __init__(self, play: Play, feed: Feed, encoder: Encoder, heartbeat: float, stream_age: float) -> None:
        self._play = play
        self._feed = feed
        self._encoder = encoder
        self.heartbeat = heartbeat
        self._age = stream_age
        self._topics: dict[str, Topic] = {}
        self._leaving = asyncio.Event()
        self._drain = 0.0
        play.on_commit.append(self._committed)

    def _committed(self, before: Head | None, table: Table, entries: Sequence[LogEntry]) -> None:
        topic = self._topics.get(table.head.match_id)
        if topic is not None:
            topic.take(before, table, entries)

    def leave(self, within: float) -> None:
        """Tell all streams to go elsewhere, spread over `within` seconds."""
        self._drain = within
        self._leaving.set()
        for topic in self._topics.values():
            for event in topic.watchers:
                event.set()

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

    async def _messages(
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
        at = topic.position()
        if resume is not None:
            missed = await topic.since(resume, table)
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
                async with asyncio.timeout(min(self.heartbeat, max(0.05, end - loop.time()))):
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
            # By value: what the store lost of the seats may have left the same numbers.
            if _beside_game(old.head) != _beside_game(table.head) or role.kind is RoleKind.BOT:
                # The caller may have left its seat, which somebody else took, and a lease ends with its decision.
                role = who(table)
                seat = role.seat
            for place, message in self._told(topic, old, table, seat, at, with_view):
                at = place
                yield message
        at = topic.position()
        yield self._shared(topic, table, ("finished", seat), partial(encoder.finished, at, table, seat))

    def _told(
        self, topic: Topic, old: Table, table: Table, seat: int | None, at: Position, with_view: bool
    ) -> Iterator[tuple[Position, bytes]]:
        """Yield what leads a watcher at `at`, who saw `old`, to `table`, with where each message takes it."""
        encoder, going = self._encoder, table.head.status not in ENDED
        entries = topic.after(at)
        if entries is None:
            at = topic.position()
            yield at, encoder.resync(at, "the reader was too slow, or the store lost what it was told")
            if going:
                yield at, self._shared(topic, table, ("snapshot", seat), partial(encoder.snapshot, at, table, seat))
            return
        for entry in entries:
            at = Position(entry.version, f"{table.head.info.epoch}.{entry.entry.mark}")
            last = entry.version == table.head.version
            key = ("update", entry.version, seat, last, with_view)
            yield at, self._shared(topic, table, key, partial(encoder.update, at, table, seat, entry, last, with_view))
        # Not at the topic's own position: it may have gone on while this stream was written to.
        if not going or _beside_game(old.head) == _beside_game(table.head):
            return
        if old.head.status is Status.LOBBY and table.head.status is not Status.LOBBY:
            yield at, self._shared(topic, table, ("snapshot", seat), partial(encoder.snapshot, at, table, seat))
        else:
            yield at, self._shared(topic, table, ("lobby",), partial(encoder.lobby, at, table))

    def _shared(self, topic: Topic, table: Table, key: tuple[Any, ...], make: Callable[[], bytes]) -> bytes:
        """Return a message that several watchers get, encoded once."""
        # A slow watcher may still tell an older table than the topic's.
        key = (table.head.stamp, *key)
        message = topic.messages.get(key)
        if message is None:
            message = topic.messages[key] = make()
        return message
