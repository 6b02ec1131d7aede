"""Serve MatchService."""

import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from engine.core.events import Emitted
from engine.core.rules import Rules
from protos.wire import WireError, WrongGame, choice_to_message, for_game
from services import security
from services.api import convert
from services.api.convert import Views, match_message
from services.api.rpc import Call
from services.errors import Refusal, invalid
from services.matches.lifecycle import Lifecycle
from services.matches.plan import Plan, check_seat_count, rules_of
from services.matches.play import MOVES, Move, Play, Played
from services.matches.record import Reader, Step, reader
from services.matches.tables import Table, live
from services.matches.watch import Position, Watch
from services.security import Role, RoleKind
from services.store.rows import ENDED, SeatKind, Status
from veche.v1 import common_pb2, match_pb2

_FROM_NEWEST = (sys.maxsize, "~")
#: 2^256 has 78 decimal digits and 64 in hex; leading zeros do no harm.
_SEED = re.compile(r"0[xX][0-9a-fA-F]{1,128}|[0-9]{1,128}")


class MatchServicer:
    """Serve matches; every method takes the message and the caller."""

    def __init__(self, play: Play, lifecycle: Lifecycle, watch: Watch, reader: Reader, views: Views) -> None:
        self._play = play
        self._tables = play.tables
        self._lifecycle = lifecycle
        self._watch = watch
        self._reader = reader
        self._views = views
        self._heartbeat = match_pb2.WatchMatchResponse(
            heartbeat_interval=convert.duration(watch.heartbeat)
        ).SerializeToString()

    @property
    def _secret(self) -> bytes:
        """Return the deployment's secret, which is known once the store is open."""
        return self._play.store.secret

    async def _seen_by(self, message: Any, call: Call) -> tuple[Table, Role]:
        table, _ = await self._tables.read(convert.match_id_of(message))
        return table, reader(self._secret, table, call.token)

    # Lobby

    async def CreateMatch(self, message: match_pb2.CreateMatchRequest, call: Call) -> bytes:  # noqa: N802
        request = convert.by_secret(message, "create")
        plan = self._plan(message)
        match_id, reply = await self._lifecycle.create(
            plan,
            request,
            lambda table: match_pb2.CreateMatchResponse(match=match_message(table.head)).SerializeToString(),
        )
        # Tokens are not stored: the same request gives the same ones.
        tokens = match_pb2.CreateMatchResponse(
            host_token=self._lifecycle.host_token(match_id, request.request_id),
            seat_tokens=[
                match_pb2.SeatToken(seat=seat, token=self._lifecycle.seat_token(match_id, seat, request.request_id))
                for seat, (kind, _) in sorted(plan.setups.items())
                if kind is SeatKind.CLIENT
            ],
            join_code=self._lifecycle.join_code(match_id, request.request_id) if plan.private else "",
        )
        return reply + tokens.SerializeToString()

    def _plan(self, message: match_pb2.CreateMatchRequest) -> Plan:
        if not message.game:
            raise invalid("game", "is required; ListGames tells which there are")
        rules = rules_of(message.game)
        check_seat_count(rules, message.seat_count)
        try:
            options = for_game(rules).options_from_message(message.options)
        except WireError as error:
            reason = "WRONG_GAME" if isinstance(error, WrongGame) else "BAD_OPTION"
            raise Refusal(reason, str(error), field=error.under("options").field) from error
        setups: dict[int, tuple[SeatKind, str]] = {}
        for number, setup in enumerate(message.seats):
            where = f"seats[{number}]"
            if setup.seat >= message.seat_count or setup.seat in setups:
                raise invalid(
                    f"{where}.seat", f"the match has seats 0 to {message.seat_count - 1}; each is set up at most once"
                )
            match setup.WhichOneof("occupant"):
                case "claim":
                    name = convert.text(setup.claim, "name", convert.NAME, f"{where}.claim.name")
                    setups[setup.seat] = (SeatKind.CLIENT, name)
                case "bot":
                    self._lifecycle.check_policy(setup.bot.policy, f"{where}.bot.policy")
                    setups[setup.seat] = (SeatKind.BOT, setup.bot.policy)
                case _:
                    raise invalid(f"{where}.occupant", "say who takes the seat: a claim or a bot")
        if message.visibility not in common_pb2.Visibility.values():
            raise invalid("visibility", "must be public or private")
        return Plan(
            message.game,
            message.seat_count,
            options,
            message.visibility == common_pb2.VISIBILITY_PRIVATE,
            setups,
            _seed(message.seed),
            message.auto_start,
        )

    async def GetMatch(self, message: match_pb2.GetMatchRequest, call: Call) -> Any:  # noqa: N802
        table, _ = await self._seen_by(message, call)
        return match_pb2.GetMatchResponse(match=match_message(table.head))

    async def ListMatches(self, message: match_pb2.ListMatchesRequest, call: Call) -> Any:  # noqa: N802
        limit = convert.page_size(message.page_size, 50, 200)
        start = convert.page_start(message, _FROM_NEWEST)
        if message.game:
            rules_of(message.game)
        heads, following = await self._reader.listing(
            message.game, convert.statuses(message), message.with_open_seats, start, limit
        )
        return match_pb2.ListMatchesResponse(
            matches=[match_message(head) for head in heads],
            next_page_token=convert.page_token(message, following) if following else "",
        )

    async def JoinMatch(self, message: match_pb2.JoinMatchRequest, call: Call) -> bytes:  # noqa: N802
        match_id = convert.match_id_of(message)
        request = convert.by_secret(message, "join")
        reply = await self._lifecycle.join(
            match_id,
            message.seat if message.HasField("seat") else None,
            convert.text(message, "name", convert.NAME),
            message.join_code,
            request,
            lambda table, seat: match_pb2.JoinMatchResponse(
                match=match_message(table.head), seat_token=match_pb2.SeatToken(seat=seat)
            ).SerializeToString(),
        )
        seat = match_pb2.JoinMatchResponse.FromString(reply).seat_token.seat
        token = match_pb2.SeatToken(seat=seat, token=self._lifecycle.seat_token(match_id, seat, request.request_id))
        return reply + match_pb2.JoinMatchResponse(seat_token=token).SerializeToString()

    async def LeaveMatch(self, message: match_pb2.LeaveMatchRequest, call: Call) -> bytes:  # noqa: N802
        return await self._lifecycle.leave(
            convert.match_id_of(message),
            call.token,
            convert.by_token(message, call.token),
            _reply(match_pb2.LeaveMatchResponse),
        )

    async def AddBot(self, message: match_pb2.AddBotRequest, call: Call) -> bytes:  # noqa: N802
        return await self._lifecycle.add_bot(
            convert.match_id_of(message),
            call.token,
            message.seat if message.HasField("seat") else None,
            message.policy,
            convert.by_token(message, call.token),
            _reply(match_pb2.AddBotResponse),
        )

    async def StartMatch(self, message: match_pb2.StartMatchRequest, call: Call) -> bytes:  # noqa: N802
        return await self._lifecycle.start(
            convert.match_id_of(message),
            call.token,
            convert.by_token(message, call.token),
            _reply(match_pb2.StartMatchResponse),
        )

    async def Resign(self, message: match_pb2.ResignRequest, call: Call) -> bytes:  # noqa: N802
        return await self._lifecycle.resign(
            convert.match_id_of(message),
            call.token,
            convert.by_token(message, call.token),
            _reply(match_pb2.ResignResponse),
        )

    async def CloseMatch(self, message: match_pb2.CloseMatchRequest, call: Call) -> bytes:  # noqa: N802
        return await self._lifecycle.close(
            convert.match_id_of(message),
            call.token,
            convert.text(message, "reason", convert.REASON),
            convert.by_token(message, call.token),
            _reply(match_pb2.CloseMatchResponse),
        )

    # Table

    async def GetView(self, message: match_pb2.GetViewRequest, call: Call) -> Any:  # noqa: N802
        table, role = await self._seen_by(message, call)
        return match_pb2.GetViewResponse(match=match_message(table.head), view=self._views.message(table, role.seat))

    async def SubmitActions(self, message: match_pb2.SubmitActionsRequest, call: Call) -> bytes:  # noqa: N802
        match_id = convert.match_id_of(message)
        lease = security.read_lease(self._secret, call.token)
        own = lease is not None and lease.work.match_id == match_id
        request = convert.by_lease(message, lease) if lease and own else convert.by_token(message, call.token)
        moves = _moves(message)
        expected = message.expected_version if message.HasField("expected_version") else None
        if message.validate_only:
            version, applied, stopped, status = await self._play.check(match_id, call.token, moves, expected)
            return match_pb2.SubmitActionsResponse(
                version=version, applied=applied, stopped_at_barrier=stopped, status=convert.STATUSES[status]
            ).SerializeToString()
        choice = b""

        def encode(played: Played, role: Role) -> bytes:
            nonlocal choice
            events: list[common_pb2.SeenEvent] = []
            if role.kind is RoleKind.BOT and role.lease is not None:
                # A worker gets its next turn, with a view, as an offer.
                choice = b""
            else:
                events, choice = self._seen_and_choice(played)
            return match_pb2.SubmitActionsResponse(
                version=played.after.head.version,
                applied=len(played.entries),
                stopped_at_barrier=played.stopped,
                events=events,
                status=convert.STATUSES[played.after.head.status],
            ).SerializeToString()

        reply, table = await self._play.submit(match_id, call.token, request, moves, expected, encode)
        if table is None:
            choice = await self._choice_again(match_id, call, reply)
        # The choice is not stored: it can be made again as long as it is open.
        return reply + choice

    def _seen_and_choice(self, played: Played) -> tuple[list[common_pb2.SeenEvent], bytes]:
        rules, _ = played.after.game()
        view = self._views.view(played.after, played.seat)
        told: list[Emitted] = [emitted for step in played.told for emitted in step]
        return convert.seen(rules, told, view), _choice(rules, view)

    async def _choice_again(self, match_id: str, call: Call, reply: bytes) -> bytes:
        table, _ = await self._tables.read(match_id)
        role = security.identify(self._secret, table.head, call.token)
        version = match_pb2.SubmitActionsResponse.FromString(reply).version
        if table.head.version != version or table.rules is None or role.kind is RoleKind.BOT:
            return b""
        return _choice(table.rules, self._views.view(table, role.seat))

    async def WatchMatch(  # noqa: N802
        self, message: match_pb2.WatchMatchRequest, call: Call
    ) -> AsyncGenerator[bytes, None]:
        table, _ = await self._seen_by(message, call)
        resume = Position(message.resume.version, message.resume.epoch) if message.HasField("resume") else None
        if table.head.status is not Status.LOBBY and table.head.status not in ENDED:
            table.game()

        def who(now: Table) -> Role:
            return reader(self._secret, now, call.token)

        async with aclosing(self._watch.watch(table.head.match_id, who, resume, message.include_views)) as messages:
            # The beginning alone is the stream's own: what follows is shared among the watchers of a match.
            beginning = self._heartbeat
            async for encoded in messages:
                yield encoded + beginning
                beginning = b""

    async def GetRecord(self, message: match_pb2.GetRecordRequest, call: Call) -> Any:  # noqa: N802
        limit = convert.page_size(message.page_size, 200, 1000)
        after, _ = convert.page_start(message, (0, ""))
        table, role = await self._seen_by(message, call)
        if table.head.meta.start_ms == 0:
            live(table)
        steps = await self._reader.record(table, role, after, limit)
        last = steps[-1].version if steps else after
        more = last < table.head.version and bool(steps)
        return match_pb2.GetRecordResponse(
            match=match_message(table.head),
            entries=[self._entry(table, role, step) for step in steps],
            next_page_token=convert.page_token(message, (last, "")) if more else "",
        )

    def _entry(self, table: Table, role: Role, step: Step) -> match_pb2.RecordEntry:
        events: list[common_pb2.SeenEvent] = []
        action = None
        if table.rules is not None and table.state is not None:
            told = step.events
            if table.head.status in ENDED:
                told = tuple(Emitted(emitted.event) for emitted in told)
            events = convert.seen(table.rules, told, self._views.view(table, role.seat))
            if step.action is not None:
                action = for_game(table.rules).action_to_message(step.action)
        return match_pb2.RecordEntry(
            version=step.version,
            actor=convert.actor_message(step.entry.actor, step.entry.seat),
            action=action,
            events=events,
            time=convert.timestamp(step.entry.time_ms),
        )


def _reply(kind: Any) -> Callable[[Table], bytes]:
    def encode(table: Table) -> bytes:
        encoded: bytes = kind(match=match_message(table.head)).SerializeToString()
        return encoded

    return encode


def _choice(rules: Rules, view: Any) -> bytes:
    choice = choice_to_message(rules, view)
    return b"" if choice is None else match_pb2.SubmitActionsResponse(choice=choice).SerializeToString()


def _seed(text: str) -> int | None:
    if not text:
        return None
    seed = int(text, 16 if text[:2] in {"0x", "0X"} else 10) if _SEED.fullmatch(text) else -1
    if not 0 <= seed < 1 << 256:
        raise invalid("seed", 'must be a number below 2^256, decimal or hex after "0x"')
    return seed


def _moves(message: match_pb2.SubmitActionsRequest) -> list[Move]:
    if not message.submissions:
        raise invalid("submissions", "send at least one")
    if len(message.submissions) > MOVES:
        raise invalid("submissions", f"may hold at most {MOVES}; send the others in another call")
    moves = []
    for number, submission in enumerate(message.submissions):
        where = f"submissions[{number}]"
        match submission.WhichOneof("move"):
            case "index":
                moves.append(Move(submission.decision_id, submission.index, None))
            case "action":
                moves.append(Move(submission.decision_id, None, _reader(submission.action, f"{where}.action")))
            case _:
                raise invalid(f"{where}.move", "set an action or an index")
    return moves


def _reader(action: common_pb2.GameAction, where: str) -> Callable[[Rules], Any]:
    def read(rules: Rules) -> Any:
        try:
            return for_game(rules).action_from_message(action)
        except WireError as error:
            reason = "WRONG_GAME" if isinstance(error, WrongGame) else "INVALID_FIELD"
            field = error.under(where).field
            raise Refusal(reason, f"{field}: {error.message}", field=field) from error

    return read
