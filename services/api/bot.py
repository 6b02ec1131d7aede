"""Serve BotService: for workers that hold the deployment's worker token."""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from typing import Any

import structlog

from services import security, telemetry
from services.api import convert
from services.api.convert import Views
from services.api.rpc import Call
from services.errors import Refusal, invalid
from services.matches.tables import now_ms, rules_for
from services.matches.work import Desk, Offer, Subscriber
from services.store import keys
from veche.v1 import bot_pb2

_log = structlog.get_logger()
MOST_CAPACITY = 1000


class BotServicer:
    """Offer turns to workers and keep their leases."""

    def __init__(self, desk: Desk, views: Views, token: str, heartbeat: float) -> None:
        self._desk = desk
        self._views = views
        self._token = token
        self._heartbeat = heartbeat

    def _worker(self, call: Call) -> None:
        if not call.token:
            raise Refusal("TOKEN_REQUIRED", "send the deployment's worker token; workers read it from VECHE_BOT_TOKEN")
        if not security.same(call.token, self._token):
            raise Refusal(
                "TOKEN_UNKNOWN", "not the worker token of this deployment; check VECHE_BOT_TOKEN on both sides"
            )

    async def Subscribe(  # noqa: N802
        self, message: bot_pb2.SubscribeRequest, call: Call
    ) -> AsyncGenerator[Any, None]:
        self._worker(call)
        subscriber = _subscriber(message)
        unsubscribe = self._desk.subscribe(subscriber)
        try:
            # At once, so that the worker knows that it is in.
            yield _heartbeat()
            while True:
                try:
                    async with asyncio.timeout(self._heartbeat):
                        item = await subscriber.outbox.get()
                except TimeoutError:
                    yield _heartbeat()
                    continue
                if item is None:
                    yield bot_pb2.SubscribeResponse(going_away=bot_pb2.SubscribeGoingAway())
                    return
                if isinstance(item, str):
                    yield bot_pb2.SubscribeResponse(withdrawn=bot_pb2.TurnWithdrawn(lease_token=item))
                    continue
                offer = self._offer(item)
                if offer is not None:
                    yield offer
        finally:
            unsubscribe()

    def _offer(self, offer: Offer) -> bot_pb2.SubscribeResponse | None:
        head = offer.table.head
        try:
            view = self._views.message(offer.table, offer.seat)
        except Exception as error:  # noqa: BLE001 - whatever the rules do, the stream of the worker goes on
            # No worker can play this turn; its lease ends, and after some attempts the default move is played.
            incident = secrets.token_hex(8)
            cause = telemetry.where(error)
            _log.error("no view for a bot", match=head.match_id, seat=offer.seat, incident=incident, cause=cause)
            self._desk.answered(offer.lease)
            return None
        difficulty = head.meta.seats[offer.seat].difficulty
        return bot_pb2.SubscribeResponse(
            offer=bot_pb2.TurnOffer(
                match_id=head.match_id,
                seat=offer.seat,
                game=head.info.game,
                policy=offer.policy,
                view=view,
                lease_token=offer.token,
                lease_deadline=convert.timestamp(offer.deadline_ms),
                attempt=offer.lease.attempt,
                parameters={"difficulty": difficulty} if difficulty else {},
            )
        )

    async def RenewLease(self, message: bot_pb2.RenewLeaseRequest, call: Call) -> Any:  # noqa: N802
        self._worker(call)
        end = await self._desk.renew(message.lease_token)
        return bot_pb2.RenewLeaseResponse(lease_deadline=convert.timestamp(end))

    async def ReleaseTurn(self, message: bot_pb2.ReleaseTurnRequest, call: Call) -> Any:  # noqa: N802
        self._worker(call)
        why = convert.text(message, "reason", convert.REASON)
        await self._desk.release(message.lease_token)
        _log.info("turn handed back", why=why)
        return bot_pb2.ReleaseTurnResponse()


def _heartbeat() -> bot_pb2.SubscribeResponse:
    return bot_pb2.SubscribeResponse(heartbeat=bot_pb2.SubscribeHeartbeat(server_time=convert.timestamp(now_ms())))


def _subscriber(message: bot_pb2.SubscribeRequest) -> Subscriber:
    if not message.worker_id:
        raise invalid("worker_id", "is required")
    worker_id = convert.text(message, "worker_id", 100)
    if not 1 <= message.capacity <= MOST_CAPACITY:
        raise invalid("capacity", f"must be from 1 to {MOST_CAPACITY}")
    if not message.capabilities:
        raise invalid("capabilities", "send at least one")
    queues: dict[str, str] = {}
    for number, offered in enumerate(message.capabilities):
        if not offered.policies:
            raise invalid(f"capabilities[{number}].policies", "send at least one")
        # A view can be made by a pod of the same rules alone; workers of others wait for such a pod.
        if rules_for(offered.game, offered.rules_version, offered.data_version) is None:
            continue
        for policy in offered.policies:
            name = keys.queue_name(offered.game, offered.rules_version, offered.data_version, policy)
            queues[name] = policy
    return Subscriber(worker_id, queues, message.capacity)
