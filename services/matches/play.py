"""Play: work out what a request does, then store it whole in one commit. The only place that applies actions."""

import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import structlog
from msgspec.structs import replace

from engine.core import codec
from engine.core.errors import IllegalAction
from engine.core.events import Emitted
from engine.core.rules import Rules
from services import security, telemetry
from services.errors import Refusal, invalid
from services.matches.tables import Table, Tables, live, now_ms, policy_of, replayed
from services.security import Role, RoleKind
from services.store.changes import Change, Committed, Lease, LeaseLost, Replayed, Request, Work
from services.store.feed import Feed
from services.store.rows import ENDED, Actor, Head, Incident, LogEntry, Status, fresh_mark

#: Races that one request loses before it gives up.
TRIES = 16
MOVES = 64
_DECISION_ID = re.compile(r"(0|[1-9][0-9]{0,9})\.(0|[1-9][0-9]{0,2})")
_log = structlog.get_logger()


class Move(NamedTuple):
    """Hold one submission: `position` in the decision's list, or `action`, which reads it with the match's rules."""

    decision_id: str
    position: int | None
    action: Callable[[Rules], Any] | None


class Played(NamedTuple):
    """Hold what moves do to a match: the table after them and, per action, what was told to whom."""

    before: Table
    after: Table
    seat: int
    entries: tuple[LogEntry, ...]
    told: tuple[tuple[Emitted, ...], ...]
    stopped: bool


class _RulesFailed(Exception):
    """Carry on whose action the rules failed; `action` is empty when there was none yet."""

    def __init__(self, seat: int, actor: Actor, action: bytes) -> None:
        super().__init__()
        self.seat = seat
        self.actor = actor
        self.action = action


class Play:
    """Apply actions to matches; one instance per process."""

    def __init__(self, tables: Tables, feed: Feed) -> None:
        self.tables = tables
        self.store = tables.store
        self.feed = feed
        #: Called after each commit of this pod with the head before it, the table and the log entries it added.
        self.on_commit: list[Callable[[Head | None, Table, Sequence[LogEntry]], None]] = []
        #: Called before that when the commit answered a lease.
        self.on_answer: list[Callable[[Lease], None]] = []

    # What a request does

    def _choose(self, table: Table, role: Role, seat: int, moves: Sequence[Move]) -> None:
        """Check that the caller may answer the decision it names; raise the precise refusal."""
        match = _DECISION_ID.fullmatch(moves[0].decision_id)
        if match is None:
            raise invalid("submissions[0].decision_id", 'must name the decision to answer, as "<version>.<seat>"')
        opened, named = int(match[1]), int(match[2])
        if named != seat:
            raise Refusal(
                "WRONG_SEAT",
                f"the decision is seat {named}'s and the token seat {seat}'s",
                field="submissions[0].decision_id",
            )
        live(table)
        own = next((d for d in table.pending() if d.seat == seat), None)
        version = table.head.version
        if own is not None and own.id == moves[0].decision_id:
            return
        if opened > version or (own is None and opened == version):
            raise Refusal(
                "NOT_YOUR_TURN",
                f"seat {seat} has no such open decision; watch the match until it has one",
                field="submissions[0].decision_id",
                version=version,
            )
        if role.kind is RoleKind.BOT:
            raise Refusal("LEASE_LOST", "the decision was answered already; drop the turn", version=version)
        raise Refusal(
            "DECISION_CLOSED",
            "the decision is closed: it was answered, or another seat changed what may be chosen; answer the seat's "
            "next one, when the stream or the view shows it",
            field="submissions[0].decision_id",
            version=version,
        )

    def work_out(self, table: Table, role: Role, moves: Sequence[Move], actor: Actor) -> Played:
        """Return what `moves` do, up to the first barrier; raise Refusal, or _RulesFailed when the rules fail."""
        seat = security.need_seat(role)
        self._choose(table, role, seat, moves)
        rules, state = table.game()
        entries: list[LogEntry] = []
        told: list[tuple[Emitted, ...]] = []
        stopped = False
        now = now_ms()
        for number, move in enumerate(moves):
            where = f"submissions[{number}]"
            if number:
                own = next((d for d in rules.pending(state) if d.seat == seat), None)
                if own is None or (move.decision_id and move.decision_id != own.id):
                    raise Refusal(
                        "NOT_YOUR_TURN" if own is None else "DECISION_CLOSED",
                        f"{where}: the submissions before it do not lead to that decision; nothing was applied",
                        field=f"{where}.decision_id",
                        version=table.head.version,
                    )
            action = self._action(rules, state, seat, move, where)
            try:
                step = rules.apply(state, seat, action)
                state = step.state
                told.append(step.events)
                entries.append(
                    LogEntry(
                        seat,
                        actor,
                        codec.encode_action(action),
                        codec.encode_events(step.events),
                        now,
                        fresh_mark(),
                    )
                )
            except IllegalAction as error:
                raise Refusal("ILLEGAL_ACTION", f"{where}: {error}", field=f"{where}.action") from error
            except Exception as error:
                raise _RulesFailed(seat, actor, codec.encode_action(action)) from error
            if step.barrier:
                stopped = number + 1 < len(moves)
                break
        try:
            after = self._after(table, rules, state, entries, now)
        except Exception as error:
            raise _RulesFailed(seat, actor, entries[-1].action) from error
        return Played(table, after, seat, tuple(entries), tuple(told), stopped)

    def _action(self, rules: Rules, state: Any, seat: int, move: Move, where: str) -> Any:
        if move.position is not None:
            legal = rules.legal_actions(state, seat)
            if move.position >= len(legal):
                raise invalid(f"{where}.index", f"must be below {len(legal)}, the length of the decision's list")
            return legal[move.position]
        if move.action is None:
            raise invalid(where, "set an action or an index")
        return move.action(rules)

    def _after(self, table: Table, rules: Rules, state: Any, entries: Sequence[LogEntry], now: int) -> Table:
        head = table.head
        meta, status, rev = head.meta, head.status, head.rev
        pending = rules.pending(state)
        if not pending:
            meta = replace(meta, end_ms=now, outcome=rules.outcome(state))
            status, rev = Status.FINISHED, rev + 1
        version, mark = head.version + len(entries), entries[-1].mark
        return Table(
            replace(head, version=version, rev=rev, mark=mark, status=status, meta=meta), rules, state, pending
        )

    # Storing it

    async def _store(
        self, played: Played, request: Request | None, reply: bytes, lease: Lease | None
    ) -> Committed | Replayed | LeaseLost | None:
        """Commit; None when another write came first."""
        before, after = played.before, played.after
        rules, state = after.game()
        was, now = before.work(), after.work()
        ended = after.head.status in ENDED
        if ended:
            seed = await self.store.seed(after.head.match_id)
            after = after.with_head(replace(after.head, meta=replace(after.head.meta, seed=seed.hex())))
        answer = await self.store.commit(
            Change(
                before=before.head,
                after=after.head,
                request=request,
                reply=reply,
                state=codec.encode(rules, state),
                entries=played.entries,
                closed=[w for w in was if w not in now],
                opened=[w for w in now if w not in was],
                lease=lease,
            )
        )
        if isinstance(answer, Committed):
            if lease is not None:
                for listener in self.on_answer:
                    listener(lease)
            self.committed(before.head, after, played.entries, [w for w in now if w not in was])
            for entry in played.entries:
                telemetry.MOVES.labels(after.head.info.game, entry.actor.value).inc()
            if ended:
                telemetry.MATCHES.labels(after.head.info.game, after.head.status.value).inc()
            return answer
        if isinstance(answer, Replayed | LeaseLost):
            return answer
        telemetry.CONFLICTS.inc()
        return None

    def committed(self, before: Head | None, after: Table, entries: Sequence[LogEntry], opened: Sequence[Work]) -> None:
        """Tell this pod at once what it has just stored; the others hear it from the feed."""
        self.tables.keep(after)
        for listener in self.on_commit:
            listener(before, after, entries)
        head = after.head
        self.feed.committed(head.match_id, head.stamp, tuple({w.queue for w in opened}))

    async def submit(
        self,
        match_id: str,
        token: str,
        request: Request,
        moves: Sequence[Move],
        expected_version: int | None,
        encode: Callable[[Played, Role], bytes],
    ) -> tuple[bytes, Table | None]:
        """Apply and store the moves of the token's holder; return the encoded reply, and the table unless replayed.

        Tries from what this pod has in memory; a refusal counts only once it was confirmed with what is stored.
        """
        table = self.tables.kept(match_id)
        confirmed = table is None
        if table is None:
            table, known = await self.tables.read(match_id, request)
            if known is not None:
                return replayed(request, known), None
        for _ in range(TRIES):
            try:
                played, role, reply = self._prepare(table, token, moves, expected_version, encode)
            except (Refusal, _RulesFailed) as error:
                if not confirmed:
                    table, known = await self.tables.read(match_id, request)
                    if known is not None:
                        return replayed(request, known), None
                    confirmed = True
                    continue
                if isinstance(error, _RulesFailed):
                    raise await self._incident(table, error) from error
                raise
            answer = await self._store(played, request, reply, role.lease)
            if isinstance(answer, Committed):
                return reply, played.after
            if isinstance(answer, Replayed):
                return replayed(request, answer), None
            if isinstance(answer, LeaseLost):
                raise Refusal("LEASE_LOST", "the lease ended or passed to another worker; drop the turn")
            outrun = table.head
            table, known = await self.tables.read(match_id, request)
            if known is not None:
                return replayed(request, known), None
            if table.head.stamp[:2] <= outrun.stamp[:2]:
                # A decision of the same id may be another one, and a position another action; a bot is asked anew.
                if role.lease is not None:
                    await self.store.release(role.lease.work, role.lease.nonce)
                raise Refusal(
                    "STALE_VERSION",
                    "the store lost the last moves; read the view again and decide anew",
                    field="submissions[0].decision_id",
                    version=table.head.version,
                )
            confirmed = True
        raise Refusal(
            "CONTENTION",
            "too many other writes to this match; try again with the same request_id",
            retry_after=0.1,
            version=table.head.version,
        )

    def _prepare(
        self,
        table: Table,
        token: str,
        moves: Sequence[Move],
        expected_version: int | None,
        encode: Callable[[Played, Role], bytes],
    ) -> tuple[Played, Role, bytes]:
        role = security.identify(self.store.secret, table.head, token)
        if expected_version is not None and expected_version != table.head.version:
            raise Refusal(
                "STALE_VERSION",
                f"the match is at version {table.head.version}; read the view again and decide anew",
                field="expected_version",
                version=table.head.version,
            )
        actor = self._actor(table, role)
        played = self.work_out(table, role, moves, actor)
        try:
            return played, role, encode(played, role)
        except Exception as error:
            raise _RulesFailed(played.seat, actor, played.entries[-1].action) from error

    async def check(
        self, match_id: str, token: str, moves: Sequence[Move], expected_version: int | None
    ) -> tuple[int, int, bool, Status]:
        """Return (version, how many moves would be applied, whether a barrier stops them, status); store nothing."""
        table, _ = await self.tables.read(match_id)
        try:
            played, _, _ = self._prepare(table, token, moves, expected_version, lambda *_: b"")
        except _RulesFailed as error:
            raise await self._incident(table, error, stored=False) from error
        return table.head.version, len(played.entries), played.stopped, table.head.status

    def _actor(self, table: Table, role: Role) -> Actor:
        if role.kind is not RoleKind.BOT or role.seat is None:
            return Actor.SEAT
        if table.rules is None or table.state is None:
            return Actor.BOT
        decision = next((d for d in table.pending() if d.seat == role.seat), None)
        automa = decision is not None and policy_of(table.head, decision) == "automa"
        return Actor.AUTOMA if automa else Actor.BOT

    # When the rules fail, and when bots do

    async def _incident(self, table: Table, failure: _RulesFailed, *, stored: bool = True) -> Refusal:
        """Return the refusal of a move on which the rules failed; what is not stored is in the log alone."""
        head = table.head
        seat, actor = failure.seat, failure.actor
        cause = telemetry.where(failure.__cause__ or failure)
        incident = Incident(
            secrets.token_hex(8), head.match_id, head.version, actor, seat, failure.action, cause, now_ms()
        )
        if stored:
            await self.store.record_incident(incident)
        telemetry.INCIDENTS.labels(head.info.game).inc()
        _log.error("rules failed", match=head.match_id, seat=seat, incident=incident.id, cause=cause)
        return Refusal(
            "RULES_FAILURE",
            f"the rules failed on this move and nothing was stored; "
            f"choose another move and report incident {incident.id}",
            incident=incident.id,
        )

    async def report(self, table: Table, seat: int, error: Exception) -> None:
        """Keep an incident of rules that failed on a bot's turn before there was any action."""
        failure = _RulesFailed(seat, Actor.BOT, b"")
        failure.__cause__ = error
        await self._incident(table, failure)

    async def play_default(self, lease: Lease) -> None:
        """Play the default move for a bot that gave no answer; put the match in ERROR when the rules fail on it too."""
        work = lease.work
        seat = int(work.decision_id.rpartition(".")[2])
        role = Role(RoleKind.BOT, seat, lease)
        for _ in range(TRIES):
            table, _ = await self.tables.read(work.match_id)
            try:
                _, state = table.game()
                move = Move(work.decision_id, None, lambda r, s=state: r.default_action(s, seat))  # type: ignore[misc]
                played = self._default(table, role, move)
            except Refusal:
                return
            except _RulesFailed as error:
                await self._incident(table, error)
                if await self._set_in_error(table):
                    return
                continue
            answer = await self._store(played, None, b"", lease)
            if answer is not None:
                if isinstance(answer, Committed):
                    telemetry.DEFAULT_MOVES.labels(table.head.info.game).inc()
                    _log.warning("default move", match=work.match_id, seat=seat, decision=work.decision_id)
                return

    def _default(self, table: Table, role: Role, move: Move) -> Played:
        try:
            return self.work_out(table, role, [move], Actor.CLOCK)
        except (Refusal, _RulesFailed):
            raise
        except Exception as error:
            raise _RulesFailed(role.seat or 0, Actor.CLOCK, b"") from error

    async def _set_in_error(self, table: Table) -> bool:
        head = replace(table.head, status=Status.ERROR, rev=table.head.rev + 1, mark=fresh_mark())
        change = Change(table.head, head, closed=table.work())
        if not isinstance(await self.store.commit(change), Committed):
            return False
        telemetry.MATCHES.labels(head.info.game, head.status.value).inc()
        self.committed(table.head, table.with_head(head), (), ())
        return True
