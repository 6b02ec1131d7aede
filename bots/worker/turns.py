"""Play one offered turn: think, answer, keep the lease meanwhile, and give the turn back if that fails."""

import asyncio
import uuid
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

import grpc
import structlog

from bots.client import DEADLINE, bearer, may_retry, pause, reason
from bots.policies import BLIND
from bots.worker import metrics
from bots.worker.pool import PolicyFailed, Pool
from veche.v1 import bot_pb2, bot_pb2_grpc, match_pb2, match_pb2_grpc

log = structlog.get_logger()

#: How many illegal answers are replaced by a random one before the turn is handed back.
ILLEGAL_RETRIES = 2
#: The shortest time between two renewals of a lease.
_MIN_RENEWAL = 0.5


class Link(Protocol):
    """Give the stubs of the channel that is in use now; it changes when the worker reconnects."""

    @property
    def bots(self) -> "bot_pb2_grpc.BotServiceAsyncStub":
        """Return the stub for leases."""

    @property
    def matches(self) -> "match_pb2_grpc.MatchServiceAsyncStub":
        """Return the stub for moves."""


class Player:
    """Play turns with what all of them share: the link, the worker token, the pool and the seed."""

    def __init__(self, link: Link, token: str | None, pool: Pool, seed: int | None) -> None:
        self.link = link
        self.token = token
        self.pool = pool
        self.seed = seed

    async def play(self, offer: bot_pb2.TurnOffer) -> None:
        """Answer an offer; on any failure hand it back, so that another worker gets it at once."""
        keeper = asyncio.create_task(self._keep(offer))
        thinking = asyncio.create_task(self._answer(offer))
        place = {"match": offer.match_id, "seat": offer.seat, "version": offer.view.version, "attempt": offer.attempt}
        came = "handed_back"
        try:
            done, _ = await asyncio.wait({thinking, keeper}, return_when=asyncio.FIRST_COMPLETED)
            if thinking not in done:
                keeper.result()
                came = "lost"
                log.info("lease lost", **place)
                return
            came, failure = thinking.result()
            if failure:
                log.warning("turn handed back", why=failure, **place)
                await self.release(offer, failure)
        except Exception as error:  # noqa: BLE001 - whatever failed here, another worker may play the turn
            log.warning("turn failed", error=type(error).__name__, **place)
            await self.release(offer, type(error).__name__)
        except asyncio.CancelledError:
            came = "withdrawn"
            raise
        finally:
            keeper.cancel()
            thinking.cancel()
            metrics.TURNS.labels(offer.policy, came).inc()

    async def release(self, offer: bot_pb2.TurnOffer, why: str) -> None:
        """Hand a turn back; a worker that cannot even do that lets the lease end."""
        request = bot_pb2.ReleaseTurnRequest(lease_token=offer.lease_token, reason=why[:200])
        try:
            await self.link.bots.ReleaseTurn(request, timeout=3.0, metadata=bearer(self.token))
        except grpc.RpcError as error:
            log.info("turn not handed back, its lease will end", code=error.code().name)

    async def _answer(self, offer: bot_pb2.TurnOffer) -> tuple[str, str]:
        """Choose and submit; return what came of the turn, and why it must be handed back, or nothing."""
        options = len(offer.view.choice.legal_actions)
        if options == 0:
            return "handed_back", "the offer holds no choice"
        seed = f"{self.seed}/{offer.view.version}/{offer.seat}" if self.seed is not None else uuid.uuid4().hex
        index = await self._choose(offer, options, seed)
        for attempt in range(ILLEGAL_RETRIES + 1):
            try:
                await self._submit(offer, index, attempt)
            except grpc.RpcError as error:
                why = reason(error)
                if why == "ILLEGAL_ACTION" and attempt < ILLEGAL_RETRIES:
                    metrics.RANDOM_ANSWERS.labels(offer.policy).inc()
                    index = Random(f"{seed}/{attempt}").randrange(options)
                    continue
                if error.code() == grpc.StatusCode.ABORTED or why in ("NOT_YOUR_TURN", "MATCH_ENDED"):
                    return "overtaken", ""  # nothing to hand back
                return "handed_back", why or error.code().name
            else:
                return "answered", ""
        return "handed_back", "every answer was refused"

    async def _choose(self, offer: bot_pb2.TurnOffer, options: int, seed: str) -> int:
        if offer.policy in BLIND:
            return BLIND[offer.policy](options, Random(seed))
        if options == 1:
            return 0
        try:
            with metrics.THOUGHT_SECONDS.labels(offer.policy).time():
                return await self.pool.think(offer.policy, offer.view.SerializeToString(), seed)
        except PolicyFailed as failure:
            # It would fail on the same view again: a match must not wait for that.
            log.warning("policy failed: random answer", policy=offer.policy, match=offer.match_id, why=str(failure))
            metrics.RANDOM_ANSWERS.labels(offer.policy).inc()
            return Random(seed).randrange(options)

    async def _submit(self, offer: bot_pb2.TurnOffer, index: int, attempt: int) -> None:
        """Send one answer until the engine has said yes or no; the same request_id makes every repetition harmless."""
        request = match_pb2.SubmitActionsRequest(
            match_id=offer.match_id,
            request_id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"{offer.lease_token}/{attempt}")),
            submissions=[match_pb2.Submission(decision_id=offer.view.choice.decision.id, index=index)],
        )
        metadata = bearer(offer.lease_token)
        await repeat(lambda: self.link.matches.SubmitActions(request, timeout=DEADLINE, metadata=metadata))

    async def _keep(self, offer: bot_pb2.TurnOffer) -> None:
        """Renew the lease at half of what is left of it; return when it is lost.

        What is left is counted from receipt by this machine's own clock, which need not agree with the engine's.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + offer.lease.ToMilliseconds() / 1000
        request = bot_pb2.RenewLeaseRequest(lease_token=offer.lease_token)
        while True:
            await asyncio.sleep(max(_MIN_RENEWAL, (until - loop.time()) / 2))
            try:
                reply = await self.link.bots.RenewLease(request, timeout=3.0, metadata=bearer(self.token))
            except grpc.RpcError as error:
                if not may_retry(error):
                    return
            else:
                until = loop.time() + reply.lease.ToMilliseconds() / 1000


async def repeat(call: Callable[[], Any], attempts: int = 60) -> Any:
    """Return what a call returns, made again while its failure may pass; raise the last failure."""
    for attempt in range(1, attempts + 1):
        try:
            return await call()
        except grpc.RpcError as error:
            if attempt == attempts or not may_retry(error):
                raise
            await asyncio.sleep(pause(attempt, longest=2.0))
    raise AssertionError("the loop above returns or raises")
