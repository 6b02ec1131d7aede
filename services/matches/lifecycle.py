"""Lead a match from the lobby to its end: create, join, leave, seat bots, start, resign, close, requeue."""

import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import structlog
from msgspec.structs import replace

from engine.core import codec
from engine.core.rules import Rules
from services import security, telemetry
from services.errors import Refusal, quoted
from services.matches.census import Census
from services.matches.plan import Plan, check_config, commitment, lobby, not_ended, rules_of
from services.matches.play import TRIES, Play
from services.matches.tables import AUTOMA, Table, bot_work, now_ms, replayed
from services.security import Role
from services.store.changes import Change, Committed, Replayed, Request, Work
from services.store.rows import Actor, Head, Info, Meta, SeatKind, SeatRow, Status, fresh_mark

_log = structlog.get_logger()
OPEN = SeatRow(SeatKind.OPEN)


class Changed(NamedTuple):
    """Hold what a change makes of a match, with the state if it begins, and the bot decisions it opens and closes."""

    head: Head
    state: Any = None
    opened: tuple[Work, ...] = ()
    closed: tuple[Work, ...] = ()


class Lifecycle:
    """Change matches between their moves; one instance per process."""

    def __init__(self, play: Play, policies: tuple[str, ...], census: Census) -> None:
        self.play = play
        self._census = census
        self.tables = play.tables
        self.store = play.store
        #: Policies that a bot seat may have; the automa's is not among them.
        self.policies = tuple(p for p in policies if p != AUTOMA)

    def check_policy(self, policy: str, field: str) -> None:
        """Raise UNKNOWN_POLICY for a policy that no worker plays."""
        if policy not in self.policies:
            known = ", ".join(self.policies)
            raise Refusal("UNKNOWN_POLICY", f"no policy {quoted(policy)} here; there are {known}", field=field)

    async def create(self, plan: Plan, request: Request, encode: Callable[[Table], bytes]) -> tuple[str, bytes]:
        """Create a match, started if the plan says so and no seat is open; return its id and the encoded reply."""
        rules = rules_of(plan.game)
        check_config(rules, plan.seats, plan.options)
        match_id = security.derive_id(self.store.secret, request.request_id)
        try:
            await self._census.admit()
        except Refusal:
            # A request that comes again gets its answer, however full it is by now.
            if await self.store.load(match_id) is None:
                raise
        now = now_ms()
        code = security.hash_token(self.join_code(match_id, request.request_id)) if plan.private else b""
        info = Info(
            plan.game,
            rules.info.rules_version,
            rules.info.data_version,
            plan.options,
            plan.private,
            plan.seed is not None,
            plan.auto_start,
            now,
            secrets.token_hex(6),
            security.hash_token(self.host_token(match_id, request.request_id)),
            code,
        )
        rows = tuple(self._first_row(match_id, seat, plan, request.request_id) for seat in range(plan.seats))
        head = Head(match_id, Status.LOBBY, 0, 0, fresh_mark(), info, Meta(rows))
        seed = secrets.token_bytes(32) if plan.seed is None else plan.seed.to_bytes(32, "big")
        changed = Changed(head)
        if plan.auto_start and all(row.kind is not SeatKind.OPEN for row in rows):
            changed = self._begin(head, rules, seed)
        after = Table(changed.head, rules, changed.state)
        reply = encode(after)
        answer = await self.store.commit(
            Change(
                before=None,
                after=changed.head,
                request=request,
                reply=reply,
                state=b"" if changed.state is None else codec.encode(rules, changed.state),
                opened=changed.opened,
                seed=seed,
            )
        )
        if isinstance(answer, Replayed):
            return match_id, replayed(request, answer)
        if not isinstance(answer, Committed):
            raise Refusal("REQUEST_ID_REUSED", "the request_id was used before; take a fresh UUID", field="request_id")
        telemetry.MATCHES.labels(plan.game, changed.head.status.value).inc()
        self.play.committed(None, after, (), changed.opened)
        _log.info("match created", match=match_id, game=plan.game, seats=plan.seats, status=changed.head.status.value)
        return match_id, reply

    def _first_row(self, match_id: str, seat: int, plan: Plan, request_id: str) -> SeatRow:
        automa = plan.options.get(AUTOMA, {})
        setup = plan.setups.get(seat)
        if seat in automa:
            if setup is not None:
                raise Refusal("SEAT_TAKEN", f"seat {seat} is an automa seat by the options", field="seats")
            return SeatRow(SeatKind.AUTOMA, policy=AUTOMA, difficulty=str(automa[seat]))
        if setup is None:
            return OPEN
        kind, text = setup
        if kind is SeatKind.BOT:
            return SeatRow(SeatKind.BOT, policy=text)
        token = self.seat_token(match_id, seat, request_id)
        return SeatRow(SeatKind.CLIENT, name=text, token=security.hash_token(token))

    def host_token(self, match_id: str, request_id: str) -> str:
        """Return the host token of the match that a request creates."""
        return security.derive_token(self.store.secret, "host", match_id, request_id)

    def seat_token(self, match_id: str, seat: int, request_id: str) -> str:
        """Return the token of the seat that a request takes."""
        return security.derive_token(self.store.secret, "seat", match_id, str(seat), request_id)

    def join_code(self, match_id: str, request_id: str) -> str:
        """Return the join code of the private match that a request creates."""
        return security.derive_token(self.store.secret, "join", match_id, request_id)[:22]

    async def _change(
        self,
        match_id: str,
        request: Request,
        work_out: Callable[[Table, bytes], Changed],
        encode: Callable[[Table], bytes],
    ) -> bytes:
        """Read, work out, commit; again when another write came first. Return the encoded reply, or the first one."""
        for _ in range(TRIES):
            table, known = await self.tables.read(match_id, request)
            if known is not None:
                return replayed(request, known)
            head = table.head
            # The seed is needed to begin a game and to publish it after the end.
            changed = work_out(table, await self.store.seed(match_id))
            changed = changed._replace(head=replace(changed.head, mark=fresh_mark()))
            after = Table(changed.head, table.rules, changed.state if changed.state is not None else table.state)
            reply = encode(after)
            answer = await self.store.commit(
                Change(
                    before=head,
                    after=changed.head,
                    request=request,
                    reply=reply,
                    state=codec.encode(table.rules, changed.state)
                    if table.rules and changed.state is not None
                    else b"",
                    opened=changed.opened,
                    closed=changed.closed,
                )
            )
            if isinstance(answer, Replayed):
                return replayed(request, answer)
            if isinstance(answer, Committed):
                if head.status is not changed.head.status:
                    telemetry.MATCHES.labels(head.info.game, changed.head.status.value).inc()
                    _log.info("match changed", match=match_id, status=changed.head.status.value)
                self.play.committed(head, after, (), changed.opened)
                return reply
            telemetry.CONFLICTS.inc()
        raise Refusal("CONTENTION", "too many other writes to this match; try again with the same request_id")

    def _role(self, table: Table, token: str) -> Role:
        return security.identify(self.store.secret, table.head, token)

    def _begin(self, head: Head, rules: Rules, seed: bytes) -> Changed:
        try:
            config = rules.config(len(head.meta.seats), dict(head.info.options))
            state = rules.initial_state(config, int.from_bytes(seed, "big"))
            pending = rules.pending(state)
        except Exception as error:
            incident = secrets.token_hex(8)
            cause = telemetry.where(error)
            _log.error("set-up failed", match=head.match_id, incident=incident, cause=cause)
            telemetry.INCIDENTS.labels(head.info.game).inc()
            raise Refusal(
                "RULES_FAILURE",
                f"the rules failed to set the game up and nothing was stored; report incident {incident}",
                incident=incident,
            ) from error
        meta = replace(head.meta, start_ms=now_ms(), commitment=commitment(head.match_id, seed))
        begun = replace(head, status=Status.ACTIVE, rev=head.rev + 1, meta=meta)
        return Changed(begun, state, tuple(bot_work(begun, pending)))

    def _seated(self, table: Table, seat: int, row: SeatRow, seed: bytes) -> Changed:
        """Return the match with a seat's new row, begun if that was the last seat and the match starts by itself."""
        head = table.head
        rows = tuple(row if n == seat else old for n, old in enumerate(head.meta.seats))
        head = replace(head, rev=head.rev + 1, meta=replace(head.meta, seats=rows))
        full = all(r.kind is not SeatKind.OPEN for r in rows)
        if full and head.info.auto_start and table.rules is not None:
            return self._begin(head, table.rules, seed)
        return Changed(head)

    def _free_seat(self, head: Head, wanted: int | None) -> int:
        lobby(head)
        rows = head.meta.seats
        if wanted is not None and wanted >= len(rows):
            raise Refusal("INVALID_FIELD", f"seat: the match has seats 0 to {len(rows) - 1}", field="seat")
        free = [n for n, row in enumerate(rows) if row.kind is SeatKind.OPEN and wanted in {None, n}]
        if not free:
            what = "every seat is taken" if wanted is None else f"seat {wanted} is taken"
            raise Refusal("SEAT_TAKEN", f"{what}; take an open one, or watch as a spectator", field="seat")
        return free[0]

    async def join(
        self,
        match_id: str,
        wanted: int | None,
        name: str,
        code: str,
        request: Request,
        encode: Callable[[Table, int], bytes],
    ) -> bytes:
        """Take an open seat; `encode` gets the seat that was taken."""
        taken = -1

        def work_out(table: Table, seed: bytes) -> Changed:
            nonlocal taken
            head = table.head
            if head.info.private and not security.same_hash(code, head.info.join):
                security.identify(self.store.secret, head, "")
            taken = self._free_seat(head, wanted)
            token = self.seat_token(match_id, taken, request.request_id)
            return self._seated(
                table, taken, SeatRow(SeatKind.CLIENT, name=name, token=security.hash_token(token)), seed
            )

        return await self._change(match_id, request, work_out, lambda table: encode(table, taken))

    async def leave(self, match_id: str, token: str, request: Request, encode: Callable[[Table], bytes]) -> bytes:
        """Give a seat back while the match is in the lobby."""

        def work_out(table: Table, seed: bytes) -> Changed:
            seat = security.need_own_seat(self._role(table, token))
            lobby(table.head)
            rows = tuple(OPEN if n == seat else row for n, row in enumerate(table.head.meta.seats))
            return Changed(
                replace(table.head, rev=table.head.rev + 1, meta=replace(table.head.meta, seats=rows)),
            )

        return await self._change(match_id, request, work_out, encode)

    async def add_bot(
        self,
        match_id: str,
        token: str,
        wanted: int | None,
        policy: str,
        request: Request,
        encode: Callable[[Table], bytes],
    ) -> bytes:
        """Seat a bot of the deployment."""

        def work_out(table: Table, seed: bytes) -> Changed:
            security.need_host(self._role(table, token))
            self.check_policy(policy, "policy")
            seat = self._free_seat(table.head, wanted)
            return self._seated(table, seat, SeatRow(SeatKind.BOT, policy=policy), seed)

        return await self._change(match_id, request, work_out, encode)

    async def start(self, match_id: str, token: str, request: Request, encode: Callable[[Table], bytes]) -> bytes:
        """Start the game of a match whose seats are all taken."""

        def work_out(table: Table, seed: bytes) -> Changed:
            security.need_host(self._role(table, token))
            lobby(table.head)
            free = [n for n, row in enumerate(table.head.meta.seats) if row.kind is SeatKind.OPEN]
            if free:
                raise Refusal("SEATS_OPEN", f"seats {free} are open; wait for clients or seat bots with AddBot")
            if table.rules is None:
                table.game()
            return self._begin(table.head, table.rules, seed)  # type: ignore[arg-type]

        return await self._change(match_id, request, work_out, encode)

    async def resign(self, match_id: str, token: str, request: Request, encode: Callable[[Table], bytes]) -> bytes:
        """Give a seat up for good: a bot plays it on with the first of greedy and random that the deployment has."""

        def work_out(table: Table, seed: bytes) -> Changed:
            seat = security.need_own_seat(self._role(table, token))
            head = table.head
            if head.status is Status.LOBBY:
                raise Refusal("MATCH_NOT_STARTED", "the match is in the lobby; give the seat back with LeaveMatch")
            not_ended(head)
            policy = next((p for p in ("greedy", *self.policies) if p in self.policies), "random")
            row = head.meta.seats[seat]
            bot = SeatRow(SeatKind.BOT, row.name, policy, token=row.token, resigned=True)
            rows = tuple(bot if n == seat else old for n, old in enumerate(head.meta.seats))
            after = replace(head, rev=head.rev + 1, meta=replace(head.meta, seats=rows))
            if head.status is not Status.ACTIVE:
                return Changed(after)
            mine = tuple(d for d in table.pending() if d.seat == seat)
            return Changed(after, opened=tuple(bot_work(after, mine)))

        return await self._change(match_id, request, work_out, encode)

    async def close(
        self,
        match_id: str,
        token: str | None,
        reason: str,
        request: Request,
        encode: Callable[[Table], bytes],
    ) -> bytes:
        """End a match from outside; `token` None for the operator. Works also for rules this pod does not have."""

        def work_out(table: Table, seed: bytes) -> Changed:
            head = table.head
            if token is not None:
                security.need_host(self._role(table, token))
            not_ended(head)
            begun = head.status is not Status.LOBBY
            meta = replace(
                head.meta,
                end_ms=now_ms(),
                reason=reason,
                seed=seed.hex() if begun else "",
                closed_by=Actor.ADMIN if token is None else Actor.HOST,
            )
            closed: tuple[Work, ...] = ()
            if table.rules is not None and table.state is not None and head.status is Status.ACTIVE:
                closed = tuple(table.work())
            return Changed(
                replace(head, status=Status.CLOSED, rev=head.rev + 1, meta=meta),
                closed=closed,
            )

        return await self._change(match_id, request, work_out, encode)

    async def requeue(self, match_id: str, request: Request, encode: Callable[[Table], bytes]) -> bytes:
        """Take a match out of ERROR: its bot decisions open anew. A match that is not in error stays as it is."""

        def work_out(table: Table, seed: bytes) -> Changed:
            head = table.head
            not_ended(head)
            table.game()
            if head.status is Status.ACTIVE:
                return Changed(replace(head, rev=head.rev + 1))
            return Changed(
                replace(head, status=Status.ACTIVE, rev=head.rev + 1),
                opened=tuple(table.work()),
            )

        return await self._change(match_id, request, work_out, encode)
