"""Sit at matches as a client does, over gRPC, and read errors as a client should."""

import asyncio
import random
import uuid
from typing import Any, NamedTuple

import grpc
from google.rpc import error_details_pb2, status_pb2

from veche.v1 import admin_pb2_grpc, bot_pb2, bot_pb2_grpc, catalog_pb2, catalog_pb2_grpc, match_pb2, match_pb2_grpc

#: Seconds for what should take a moment; a busy machine may take its time.
DEADLINE = 30.0
BOT_TOKEN = "the workers' token"
ADMIN_TOKEN = "the operator's token"


def fresh() -> str:
    return str(uuid.uuid4())


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


class Said(NamedTuple):
    """What an error tells: status code, reason, first field, metadata, seconds to wait."""

    code: grpc.StatusCode
    reason: str
    field: str
    metadata: dict[str, str]
    wait: float
    message: str


def said(error: grpc.aio.AioRpcError) -> Said:
    status = status_pb2.Status()
    for name, value in error.trailing_metadata() or ():
        if name == "grpc-status-details-bin":
            status.ParseFromString(value)
    assert status.code == error.code().value[0], error
    reason, field, metadata, wait = "", "", {}, 0.0
    for detail in status.details:
        for kind in (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest, error_details_pb2.RetryInfo):
            message = kind()
            if not detail.Unpack(message):
                continue
            if kind is error_details_pb2.ErrorInfo:
                assert message.domain == "veche"
                reason, metadata = message.reason, dict(message.metadata)
            elif kind is error_details_pb2.BadRequest:
                field = message.field_violations[0].field
            else:
                wait = message.retry_delay.ToMilliseconds() / 1000
    return Said(error.code(), reason, field, metadata, wait, error.details() or "")


async def refusal(call: Any) -> Said:
    """Await a call that must fail; return what its error tells."""
    try:
        reply = await call
    except grpc.aio.AioRpcError as error:
        return said(error)
    raise AssertionError(f"accepted: {reply}")


class Client:
    """Hold a channel with all stubs."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.aio.insecure_channel(
            address, options=[("grpc.max_receive_message_length", 8 << 20), ("grpc.use_local_subchannel_pool", 1)]
        )
        self.matches = match_pb2_grpc.MatchServiceStub(self.channel)
        self.catalog = catalog_pb2_grpc.CatalogServiceStub(self.channel)
        self.bots = bot_pb2_grpc.BotServiceStub(self.channel)
        self.admin = admin_pb2_grpc.AdminServiceStub(self.channel)

    async def close(self) -> None:
        await self.channel.close()

    async def create(self, seats: int = 2, *, bots: dict[int, str] | None = None, **fields: Any) -> "Seats":
        """Create a Rurik match in which all seats without a bot are claimed, started at once unless told otherwise."""
        bots = bots or {}
        automa = set(fields.pop("automa", {}))
        setups = [
            match_pb2.SeatSetup(seat=n, bot=match_pb2.SeatBot(policy=bots[n]))
            if n in bots
            else match_pb2.SeatSetup(seat=n, claim=match_pb2.SeatClaim(name=f"player {n}"))
            for n in range(seats)
            if n not in automa
        ]
        request = match_pb2.CreateMatchRequest(
            **{
                "request_id": fresh(),
                "game": "rurik",
                "seat_count": seats,
                "seats": setups,
                "auto_start": True,
                **fields,
            }
        )
        reply = await self.matches.CreateMatch(request, timeout=DEADLINE)
        return Seats(self, reply)


class Worker:
    """Be a bot worker that does only what a test tells it."""

    def __init__(self, client: Client, stream: Any, token: str) -> None:
        self.client = client
        self.stream = stream
        self.token = token
        self._messages: asyncio.Queue[Any] = asyncio.Queue()
        # A reading that is given up would end the stream, so one task reads all the time.
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for message in self.stream:
                self._messages.put_nowait(message)
        except (grpc.aio.AioRpcError, asyncio.CancelledError):
            pass
        self._messages.put_nowait(None)

    def leave(self) -> None:
        """Vanish as a killed worker does."""
        self.stream.cancel()

    @classmethod
    async def subscribe(
        cls, client: Client, policies: tuple[str, ...] = ("random",), capacity: int = 1, name: str = "worker"
    ) -> "Worker":
        game = (await client.catalog.GetGame(catalog_pb2.GetGameRequest(game="rurik"), timeout=DEADLINE)).game
        able = bot_pb2.Capability(
            game=game.id, rules_version=game.rules_version, data_version=game.data_version, policies=policies
        )
        request = bot_pb2.SubscribeRequest(worker_id=name, capabilities=[able], capacity=capacity)
        stream = client.bots.Subscribe(request, timeout=300.0, metadata=bearer(BOT_TOKEN))
        worker = cls(client, stream, BOT_TOKEN)
        await worker.next("heartbeat")
        return worker

    async def next(self, kind: str, within: float = DEADLINE) -> Any:
        """Return the next message of a kind."""
        async with asyncio.timeout(within):
            while True:
                message = await self._messages.get()
                assert message is not None, f"the stream ended without {kind}"
                if message.WhichOneof("message") == kind:
                    return getattr(message, kind)

    async def offer(self, within: float = DEADLINE) -> Any:
        return await self.next("offer", within)

    def answer(self, offer: Any, index: int = 0) -> Any:
        request = match_pb2.SubmitActionsRequest(match_id=offer.match_id, request_id=fresh())
        request.submissions.add(decision_id=offer.view.choice.decision.id, index=index)
        return self.client.matches.SubmitActions(request, timeout=DEADLINE, metadata=bearer(offer.lease_token))

    def renew(self, offer: Any) -> Any:
        request = bot_pb2.RenewLeaseRequest(lease_token=offer.lease_token)
        return self.client.bots.RenewLease(request, timeout=DEADLINE, metadata=bearer(self.token))

    def release(self, offer: Any) -> Any:
        request = bot_pb2.ReleaseTurnRequest(lease_token=offer.lease_token, reason="test")
        return self.client.bots.ReleaseTurn(request, timeout=DEADLINE, metadata=bearer(self.token))


class Seats:
    """Hold a match with the tokens of its seats."""

    def __init__(self, client: Client, created: match_pb2.CreateMatchResponse) -> None:
        self.client = client
        self.created = created
        self.id = created.match.id
        self.host = created.host_token
        self.tokens = {seat.seat: seat.token for seat in created.seat_tokens}

    def at(self, client: Client) -> "Seats":
        """Return the same seats, spoken for over another channel."""
        other = Seats(client, self.created)
        other.tokens = dict(self.tokens)
        return other

    async def view(self, seat: int | None) -> Any:
        token = None if seat is None else self.tokens[seat]
        request = match_pb2.GetViewRequest(match_id=self.id)
        reply = await self.client.matches.GetView(request, timeout=DEADLINE, metadata=bearer(token))
        return reply.view

    async def match(self) -> Any:
        request = match_pb2.GetMatchRequest(match_id=self.id)
        return (await self.client.matches.GetMatch(request, timeout=DEADLINE, metadata=bearer(self.host))).match

    async def on_turn(self) -> Any:
        """Return the view of the first seat that must decide, or None at the end."""
        view = await self.view(next(iter(self.tokens)))
        for decision in view.pending:
            if decision.seat in self.tokens:
                return view if view.seat == decision.seat else await self.view(decision.seat)
        return None

    def answer(self, view: Any, index: int = 0, **fields: Any) -> match_pb2.SubmitActionsRequest:
        """Return the request that answers a view's choice."""
        move = match_pb2.Submission(decision_id=view.choice.decision.id, index=index)
        return match_pb2.SubmitActionsRequest(
            **{"match_id": self.id, "request_id": fresh(), "submissions": [move], **fields}
        )

    def submit(self, request: match_pb2.SubmitActionsRequest, seat: int | None) -> Any:
        token = None if seat is None else self.tokens[seat]
        return self.client.matches.SubmitActions(request, timeout=DEADLINE, metadata=bearer(token))

    def watch(self, seat: int | None, resume: Any = None, *, views: bool = False, timeout: float = 280.0) -> Any:
        token = None if seat is None else self.tokens[seat]
        request = match_pb2.WatchMatchRequest(match_id=self.id, resume=resume, include_views=views)
        return self.client.matches.WatchMatch(request, timeout=timeout, metadata=bearer(token))

    async def play(self, moves: int, dice: random.Random) -> int:
        """Play random moves for all seats that are held here; return how many were played before the end."""
        for played in range(moves):
            view = await self.on_turn()
            if view is None:
                return played
            index = dice.randrange(len(view.choice.legal_actions))
            await self.submit(self.answer(view, index), view.seat)
        return moves
