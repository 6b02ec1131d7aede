"""Serve BotService: for workers that hold the deployment's worker token."""

import asyncio
import math
import random
import time
from collections.abc import AsyncGenerator
from typing import Any

import structlog

from engine.core.registry import GAMES
from services import security
from services.api import convert
from services.api.convert import Views
from services.api.rpc import Call
from services.errors import Refusal, invalid, quoted
from services.matches.tables import now_ms, rules_for
from services.matches.work import Desk, Offer, Subscriber
from services.store import keys
from veche.v1 import bot_pb2

_log = structlog.get_logger()
MOST_CAPACITY = 1000
#: Seconds after which a worker that nothing here serves is sent elsewhere, and between two lines in the log about it.
_UNSERVED = 5.0
_REPEAT = 60.0
_MOST_WARNED = 100


class BotServicer:
    """Offer turns to workers and keep their leases."""

    def __init__(self, desk: Desk, views: Views, token: str, heartbeat: float, stream_age: float) -> None:
        self._desk = desk
        self._views = views
        self._token = token
        self._heartbeat = heartbeat
        self._age = stream_age
        self._warned: dict[tuple[str, str, str], float] = {}

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
        subscriber, strange = _subscriber(message)
        unsubscribe = self._desk.subscribe(subscriber)
        loop = asyncio.get_running_loop()
        end = loop.time() + (self._age * random.uniform(0.8, 1.0) if subscriber.queues else _UNSERVED)
        try:
            # At once, so that the worker knows that it is in.
            yield _heartbeat(self._heartbeat)
            if strange:
                self._warn(subscriber.worker_id, strange)
                yield _not_served(strange)
            while True:
                if loop.time() >= end:
                    end = math.inf
                    self._desk.part(subscriber)
                try:
                    async with asyncio.timeout(min(self._heartbeat, end - loop.time())):
                        item = await subscriber.outbox.get()
                except TimeoutError:
                    if loop.time() < end:
                        yield _heartbeat(self._heartbeat)
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

    def _warn(self, worker_id: str, strange: list[bot_pb2.Capability]) -> None:
        now = time.monotonic()
        for able in strange:
            key = (able.game, able.rules_version, able.data_version)
            if now - self._warned.get(key, -math.inf) < _REPEAT:
                continue
            if len(self._warned) >= _MOST_WARNED:
                self._warned.clear()
            self._warned[key] = now
            rules, data = _versions(able.game)
            _log.warning(
                "worker of other versions: its turns wait for a pod and a worker of the same ones",
                worker=worker_id,
                game=quoted(able.game),
                worker_rules=quoted(able.rules_version),
                worker_data=quoted(able.data_version[:16]),
                pod_rules=rules,
                pod_data=data[:16],
            )

    def _offer(self, offer: Offer) -> bot_pb2.SubscribeResponse | None:
        head = offer.table.head
        try:
            view = self._views.message(offer.table, offer.seat)
        except Exception as error:  # noqa: BLE001 - whatever the rules do, the stream of the worker goes on
            self._desk.unplayable(offer, error)
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
                lease_deadline=convert.timestamp(offer.lease.until_ms),
                lease=convert.duration(offer.ends - asyncio.get_running_loop().time()),
                attempt=offer.lease.attempt,
                parameters={"difficulty": difficulty} if difficulty else {},
            )
        )

    async def RenewLease(self, message: bot_pb2.RenewLeaseRequest, call: Call) -> Any:  # noqa: N802
        self._worker(call)
        left, until = await self._desk.renew(message.lease_token)
        return bot_pb2.RenewLeaseResponse(lease_deadline=convert.timestamp(until), lease=convert.duration(left / 1000))

    async def ReleaseTurn(self, message: bot_pb2.ReleaseTurnRequest, call: Call) -> Any:  # noqa: N802
        self._worker(call)
        why = convert.text(message, "reason", convert.REASON)
        await self._desk.release(message.lease_token)
        _log.info("turn handed back", why=why)
        return bot_pb2.ReleaseTurnResponse()


def _heartbeat(interval: float) -> bot_pb2.SubscribeResponse:
    beat = bot_pb2.SubscribeHeartbeat(server_time=convert.timestamp(now_ms()), interval=convert.duration(interval))
    return bot_pb2.SubscribeResponse(heartbeat=beat)


def _versions(game: str) -> tuple[str, str]:
    """Return the versions of rules and data that this pod plays a game by, empty for a game that it does not have."""
    if game not in GAMES:
        return "", ""
    info = GAMES[game].info
    return info.rules_version, info.data_version


def _not_served(strange: list[bot_pb2.Capability]) -> bot_pb2.SubscribeResponse:
    told = []
    for able in strange:
        rules, data = _versions(able.game)
        told.append(bot_pb2.CapabilityNotServed(game=able.game, rules_version=rules, data_version=data))
    return bot_pb2.SubscribeResponse(not_served=bot_pb2.SubscribeNotServed(capabilities=told))


def _subscriber(message: bot_pb2.SubscribeRequest) -> tuple[Subscriber, list[bot_pb2.Capability]]:
    """Return what a worker is here, and those of its capabilities that this pod has other versions of."""
    if not message.worker_id:
        raise invalid("worker_id", "is required")
    worker_id = convert.text(message, "worker_id", 100)
    if not 1 <= message.capacity <= MOST_CAPACITY:
        raise invalid("capacity", f"must be from 1 to {MOST_CAPACITY}")
    if not message.capabilities:
        raise invalid("capabilities", "send at least one")
    queues: dict[str, str] = {}
    strange: list[bot_pb2.Capability] = []
    for number, offered in enumerate(message.capabilities):
        if not offered.policies:
            raise invalid(f"capabilities[{number}].policies", "send at least one")
        # A view can be made by a pod of the same rules alone; workers of others wait for such a pod.
        if rules_for(offered.game, offered.rules_version, offered.data_version) is None:
            strange.append(offered)
            continue
        for policy in offered.policies:
            name = keys.queue_name(offered.game, offered.rules_version, offered.data_version, policy)
            queues[name] = policy
    return Subscriber(worker_id, queues, message.capacity), strange
