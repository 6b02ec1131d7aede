"""Be the only caller of Redis: matches are read and written whole; how they change is decided elsewhere.

Every change of a match is one script on one hash slot, and every script may be sent twice without harm: the client
sends a command again when its reply was lost.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from services import telemetry
from services.store import keys, rows
from services.store.changes import (
    Change,
    Committed,
    Lease,
    LeaseLost,
    Loaded,
    Outrun,
    Replayed,
    Request,
    StoreAwayError,
    StoreMisfitError,
    Work,
)
from services.store.connect import Subscribed, connect
from services.store.index import Index, used_part
from services.store.rows import NO_MATCH, Head, Incident, LogEntry, Stamp, Status
from services.store.wire import ErrorReply, LostConnection

_pack = msgspec.msgpack.Encoder().encode
#: Entries of a record or of a stream's gap that one call reads at most.
PAGE = 1000
#: Times that a bot decision is handed back before its attempts count.
HANDED_BACK = 16
#: Open bot decisions of a shard that one call reads at most.
OVERDUE = 32


class _Script:
    def __init__(self, name: str) -> None:
        self.text = Path(__file__).with_name(f"{name}.lua").read_bytes()
        self.sha = hashlib.sha1(self.text, usedforsecurity=False).hexdigest()


_COMMIT, _LOAD, _CLAIM, _RENEW, _RELEASE, _CLOCK, _INCIDENT = map(
    _Script, ("commit", "load", "claim", "renew", "release", "clock", "incident")
)


_HEAD = ("status", "version", "rev", "mark", "info", "meta")


def _stamp(version: bytes, rev: bytes, mark: bytes | None) -> Stamp:
    return Stamp(int(version), int(rev), (mark or b"").decode())


def _head(match_id: str, row: Sequence[bytes]) -> Head:
    """Return a head from the values of `_HEAD`."""
    status, version, rev, mark, info, meta = row
    stamp = _stamp(version, rev, mark)
    return Head(match_id, Status(status.decode()), *stamp, rows.unpack_info(info), rows.unpack_meta(meta))


def _away(error: LostConnection | ErrorReply) -> StoreAwayError:
    """Return what callers are told, counted by the word of Redis for it; what Redis says never holds a value."""
    kind = error.kind if isinstance(error, ErrorReply) else ""
    telemetry.STORE_ERRORS.labels(kind or "lost").inc()
    return StoreAwayError(str(error)[:200], kind)


class Store:
    """Read and write matches; one instance per process."""

    def __init__(self, url: str) -> None:
        self._link = connect(url)
        #: Tells this process' own wake-ups from those of others.
        self.name = secrets.token_hex(4)
        self.secret = b""
        self.index = Index(self._together)

    async def open(self) -> None:
        """Check that this Redis fits, and read the deployment's secret; raise StoreMisfitError or StoreAwayError."""
        try:
            shards = int(await self._settled(keys.SHARD_COUNT, keys.SHARDS))
            self.secret = await self._settled(keys.SECRET, secrets.token_bytes(32))
        except LostConnection as error:
            raise _away(error) from error
        except ErrorReply as error:
            raise (_away(error) if error.elsewhere else StoreMisfitError(str(error))) from error
        if shards != keys.SHARDS:
            raise StoreMisfitError(
                f"this Redis holds {shards} virtual shards and this version of Veche uses {keys.SHARDS}"
            )

    async def _settled(self, key: str, value: bytes | int) -> bytes:
        """Return what a key holds, `value` if it held nothing; a Redis that is full is only read."""
        found: bytes | None = await self._link.execute("GET", key)
        if found is None:
            await self._link.execute("SET", key, value, "NX")
            found = await self._link.execute("GET", key)
        return found or b""

    async def close(self) -> None:
        """Close all connections."""
        await self._link.close()

    async def ping(self) -> None:
        """Return when Redis takes writes and is this deployment's; raise StoreAwayError, StoreMisfitError when not.

        A replica, a full Redis and one that cannot save refuse a write even if it would change nothing, as these do.
        But a Redis that lost all it held gets the secret back: with another, pods would no longer know each other's
        leases.
        """
        *_, found = await self._together(
            (
                ("SET", keys.SHARD_COUNT, keys.SHARDS, "NX"),
                ("SET", keys.SECRET, self.secret, "NX"),
                ("GET", keys.SECRET),
            )
        )
        if found != self.secret:
            raise StoreMisfitError("this Redis belongs to another deployment")

    async def fullness(self) -> float:
        """Return what part of its memory limit Redis has used, 0.0 without one; a Cluster is asked at one master."""
        try:
            found = await self._link.execute("INFO", "memory")
        except LostConnection as error:
            raise _away(error) from error
        except ErrorReply:
            return 0.0
        return used_part(found)

    async def _command(self, *args: Any) -> Any:
        try:
            return await self._link.execute(*args)
        except (LostConnection, ErrorReply) as error:
            raise _away(error) from error

    async def _run(self, script: _Script, names: Sequence[str], *args: Any) -> Any:
        try:
            try:
                return await self._link.execute("EVALSHA", script.sha, len(names), *names, *args)
            except ErrorReply as error:
                if not str(error).startswith("NOSCRIPT"):
                    raise
                return await self._link.execute("EVAL", script.text, len(names), *names, *args)
        except (LostConnection, ErrorReply) as error:
            raise _away(error) from error

    async def _together(self, commands: Iterable[tuple[Any, ...]]) -> list[Any]:
        try:
            return await self._link.together(commands)
        except (LostConnection, ErrorReply) as error:
            raise _away(error) from error

    # Matches

    async def load(
        self,
        match_id: str,
        known: Head | None = None,
        request: Request | None = None,
        log: tuple[int, int] | None = None,
    ) -> Loaded | None:
        """Return a match and, unless the caller has `known` still valid, its state; None when there is no such match.

        With a `request`, tell also whether it was answered already; with `log` (version, most), read of the same moment
        the log from that version's entry on, or only its last entry if that are more than `most` after it.
        """
        names = keys.match(match_id)
        have = known.stamp if known else NO_MATCH
        field = request.field if request else ""
        found = await self._run(
            _LOAD, (names.head, names.state, names.replies, names.log), *have, field, *(log or ("", 0))
        )
        if not found:
            return None
        *head, state, reply, entries = found
        return Loaded(
            _head(match_id, head),
            state or None,
            Replayed(reply[:16], reply[16:]) if reply else None,
            [rows.unpack_entry(item) for item in entries],
        )

    async def commit(self, change: Change) -> Committed | Replayed | Outrun | LeaseLost:
        """Store a change whole, or say why nothing was stored. See commit.lua for what it checks."""
        before, after = change.before, change.after
        if before is not None and before.mark == after.mark:
            raise ValueError("every commit needs a mark of its own")
        shard = keys.shard_of(after.match_id)
        names = keys.match(after.match_id)
        queues: dict[str, int] = {}

        def number(work: Work) -> int:
            return queues.setdefault(work.queue, len(queues) + 1)

        closed = [(number(w), w.member, f"{w.queue}|{w.member}") for w in change.closed]
        opened = [(number(w), w.member, f"{w.queue}|{w.member}") for w in change.opened]
        lease = change.lease
        held = (number(lease.work), lease.work.member, lease.nonce) if lease else ()
        fields: list[Any] = []
        if before is None:
            fields += ["info", rows.pack(after.info), "seed", change.seed]
        if before is None or before.rev != after.rev:
            fields += ["status", after.status.value, "rev", after.rev, "meta", rows.pack(after.meta)]
        else:
            fields += ["status", after.status.value]
        moved = before is None or before.status != after.status
        old = before.status if before else after.status
        request = change.request
        order = _pack(
            (
                before.version if before else -1,
                before.rev if before else 0,
                after.version,
                len(fields),
                request.field if request else "",
                f"{request.principal}#" if request else "",
                closed,
                opened,
                held,
                keys.LIFE_MS[after.status],
                len(queues),
                after.match_id if moved else "",
                after.info.create_ms,
                keys.match_channel(after.match_id),
                f"{after.version} {after.rev} {self.name}.{after.mark}",
                keys.work_channel(shard),
                "|".join({w.queue for w in change.opened}),
                before.mark if before else "",
                after.mark,
            )
        )
        all_names = [*names, keys.tick(shard), keys.open_work(shard)]
        for queue in queues:
            all_names += (keys.queue(shard, queue), keys.leases(shard, queue))
        if moved:
            all_names += (keys.index(shard, status, after.info.private) for status in (old, after.status))
        record = request.digest + change.reply if request else b""
        entries = (rows.pack(entry) for entry in change.entries)
        answer = await self._run(_COMMIT, all_names, order, change.state, record, *fields, *entries)
        match answer[0]:
            case b"ok":
                return Committed()
            case b"replay":
                return Replayed(answer[1], answer[2])
            case b"lease":
                return LeaseLost()
            case _:
                return Outrun()

    async def entries(self, match_id: str, after: int, upto: int) -> list[LogEntry]:
        """Return the log entries of the versions after `after` up to and with `upto`, at most PAGE of them."""
        if upto <= after:
            return []
        last = min(upto, after + PAGE) - 1
        found = await self._command("LRANGE", keys.match(match_id).log, after, last)
        return [rows.unpack_entry(item) for item in found]

    async def seed(self, match_id: str) -> bytes:
        """Return the seed of a match: for the start, and for everybody after the end."""
        found: bytes = await self._command("HGET", keys.match(match_id).head, "seed")
        return found

    async def heads(self, match_ids: Sequence[str]) -> list[Head | None]:
        """Return the heads of matches, in order, None for those that are gone."""
        if not match_ids:
            return []
        found = await self._together(("HMGET", keys.match(m).head, *_HEAD) for m in match_ids)
        return [_head(m, row) if row[0] else None for m, row in zip(match_ids, found, strict=True)]

    # Work for bots

    async def time_ms(self) -> int:
        """Return what time it is for leases (ms since 1970): by the clock of Redis, or of one server of a cluster."""
        now: int = await self._run(_CLOCK, (keys.open_work(0),))
        return now

    async def claim(self, shard: int, queue: str, lease_ms: int, count: int) -> list[Lease]:
        """Lease up to `count` decisions of a queue for a time, those that wait longest first."""
        return await self._claim(shard, queue, lease_ms, "", count)

    async def claim_one(self, work: Work, lease_ms: int) -> Lease | None:
        """Lease one decision, unless it is closed or under a lease that still runs."""
        found = await self._claim(keys.shard_of(work.match_id), work.queue, lease_ms, work.member, 1)
        return found[0] if found else None

    async def _claim(self, shard: int, queue: str, lease_ms: int, member: str, count: int) -> list[Lease]:
        nonces = [secrets.token_hex(16) for _ in range(count)]
        until, *found = await self._run(
            _CLAIM, (keys.queue(shard, queue), keys.leases(shard, queue)), lease_ms, member, *nonces
        )
        leases = []
        for name, attempt, nonce in zip(found[::3], found[1::3], found[2::3], strict=True):
            match_id, _, decision_id = name.decode().partition("|")
            leases.append(Lease(Work(queue, match_id, decision_id), attempt, nonce.decode(), until))
        return leases

    async def renew(self, work: Work, nonce: str, lease_ms: int, longest_ms: int) -> tuple[int, int]:
        """Let a lease last `lease_ms` from now, `longest_ms` from its claim at most; with 0 only ask.

        Returns how long it lasts from now and its end by the clock of Redis, both in ms, 0 when it is gone.
        """
        shard = keys.shard_of(work.match_id)
        names = (keys.queue(shard, work.queue), keys.leases(shard, work.queue))
        left, until = await self._run(_RENEW, names, work.member, nonce, lease_ms, longest_ms)
        return left, until

    async def release(self, work: Work, nonce: str) -> bool:
        """Hand a leased decision back; return whether the lease held."""
        shard = keys.shard_of(work.match_id)
        names = (keys.queue(shard, work.queue), keys.leases(shard, work.queue))
        return bool(await self._run(_RELEASE, names, work.member, nonce, HANDED_BACK))

    async def drop(self, work: Work) -> None:
        """Remove a decision of a match that is gone or over."""
        shard = keys.shard_of(work.match_id)
        await self._together(
            (
                ("ZREM", keys.queue(shard, work.queue), work.member),
                ("HDEL", keys.leases(shard, work.queue), work.member),
                ("ZREM", keys.open_work(shard), f"{work.queue}|{work.member}"),
            )
        )

    async def overdue(self, opened_before_ms: int, offsets: Sequence[int]) -> list[list[Work]]:
        """Return up to OVERDUE decisions of each shard, from its offset on, open since before a time, oldest first."""
        found = await self._together(
            ("ZRANGEBYSCORE", keys.open_work(shard), "-inf", opened_before_ms, "LIMIT", offset, OVERDUE)
            for shard, offset in enumerate(offsets)
        )
        return [[Work(*member.decode().rsplit("|", 2)) for member in row] for row in found]

    async def leased_until(self, works: Sequence[Work]) -> list[int]:
        """Return in order until when (ms) bot decisions are leased; a time gone by for those under no lease."""
        found = await self._together(
            ("ZSCORE", keys.queue(keys.shard_of(work.match_id), work.queue), work.member) for work in works
        )
        return [int(float(score or 0)) for score in found]

    async def claimable(self, queues: Sequence[tuple[int, str]], now_ms: int) -> list[int]:
        """Return in order how many decisions may be claimed of queues, each named with its shard."""
        counts: list[int] = await self._together(
            ("ZCOUNT", keys.queue(shard, queue), "-inf", now_ms) for shard, queue in queues
        )
        return counts

    async def backlog(self) -> tuple[list[int], int]:
        """Return how many bot decisions are open on each shard, and since when the oldest is (ms, 0 for none)."""
        shards = range(keys.SHARDS)
        counts: list[int] = await self._together(("ZCARD", keys.open_work(shard)) for shard in shards)
        firsts = await self._together(("ZRANGE", keys.open_work(shard), 0, 0, "WITHSCORES") for shard in shards)
        ages = [int(float(row[1])) for row in firsts if row]
        return counts, min(ages, default=0)

    # Incidents

    async def record_incident(self, incident: Incident) -> None:
        """Keep a move on which the rules failed; nothing else of the match changes."""
        shard = keys.shard_of(incident.match_id)
        names = keys.match(incident.match_id)
        await self._run(
            _INCIDENT,
            (names.incidents, keys.incident_index(shard), names.head),
            rows.pack(incident),
            f"{incident.match_id}|{incident.id}",
            incident.time_ms,
        )

    async def incidents(self, match_id: str) -> list[Incident]:
        """Return the incidents of a match, newest first, at most 20."""
        found = await self._command("LRANGE", keys.match(match_id).incidents, 0, -1)
        return [rows.unpack_incident(item) for item in found]

    # Wake-ups

    async def ticks(self) -> list[int]:
        """Return for each shard a number that is another one after each commit."""
        found = await self._together(("GET", keys.tick(shard)) for shard in range(keys.SHARDS))
        return [int(value or 0) for value in found]

    async def stamps(self, match_ids: Sequence[str]) -> list[Stamp]:
        """Return the stamps of matches, in order; NO_MATCH for those that are gone."""
        found = await self._together(("HMGET", keys.match(m).head, "version", "rev", "mark") for m in match_ids)
        return [_stamp(*row) if row[0] is not None else NO_MATCH for row in found]

    async def subscription(self, on_message: Callable[[bytes, bytes], None]) -> Subscribed:
        """Return what hears channels, none as yet; raise StoreAwayError."""
        try:
            return await self._link.subscription(on_message)
        except LostConnection as error:
            raise _away(error) from error
