"""Keep a subscription: take offers, notice a dead stream, come back after any end of it, leave in order."""

import asyncio
from contextlib import suppress

import grpc
import structlog

from bots.client import aio_channel, bearer, pause, reason, silent_after
from bots.worker import metrics
from bots.worker.config import Config
from bots.worker.pool import Pool
from bots.worker.turns import Player
from engine.core.registry import GAMES
from veche.v1 import bot_pb2, bot_pb2_grpc, match_pb2_grpc

log = structlog.get_logger()

#: Seconds that turns in work get to be answered before they are handed back at the end.
LAST_WORK = 2.0
#: Failures that trying again does not mend.
_FATAL = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)


class Refused(RuntimeError):
    """Say why the engine does not take this worker."""


class Worker:
    """Hold the channel in use, the turns in work, and the wish to stop."""

    def __init__(self, config: Config, pool: Pool) -> None:
        self.config = config
        self.stopping = asyncio.Event()
        self._turns: dict[str, tuple[bot_pb2.TurnOffer, asyncio.Task[None]]] = {}
        self._player = Player(self, config.token, pool, config.seed)
        self._closing: set[asyncio.Task[None]] = set()
        #: The games that the pod of the last stream has other versions of, and what was last said about that.
        self._not_served: set[str] = set()
        self._said: tuple[tuple[str, str, str], ...] = ()
        self._connect()

    def _connect(self) -> None:
        self._channel = aio_channel(self.config.engine)
        self.bots: bot_pb2_grpc.BotServiceAsyncStub = bot_pb2_grpc.BotServiceStub(self._channel)
        self.matches: match_pb2_grpc.MatchServiceAsyncStub = match_pb2_grpc.MatchServiceStub(self._channel)

    async def run(self) -> None:
        """Work until `stopping` is set; raise Refused when the engine will never take this worker."""
        stop = asyncio.create_task(self.stopping.wait())
        failures = 0
        try:
            while not self.stopping.is_set():
                stream = asyncio.create_task(self._subscribe())
                await asyncio.wait({stream, stop}, return_when=asyncio.FIRST_COMPLETED)
                if not stream.done():
                    stream.cancel()
                    with suppress(asyncio.CancelledError):
                        await stream
                    break
                failures = 0 if stream.result() else failures + 1
                with suppress(TimeoutError):
                    # After a healthy stream once at random within a second: not all workers return at the same moment.
                    async with asyncio.timeout(pause(max(failures, 1), first=0.3)):
                        await self.stopping.wait()
        finally:
            stop.cancel()
            await self._finish()

    async def _subscribe(self) -> bool:
        """Take offers until the stream ends in whatever way; return whether it was of use."""
        request = bot_pb2.SubscribeRequest(
            worker_id=self.config.worker_id,
            capabilities=[
                bot_pb2.Capability(
                    game=game,
                    rules_version=GAMES[game].info.rules_version,
                    data_version=GAMES[game].info.data_version,
                    policies=self.config.policies,
                )
                for game in self.config.games
            ],
            capacity=self.config.capacity,
        )
        heard = False
        silence = self.config.silence
        self._not_served = set()
        stream = self.bots.Subscribe(request, metadata=bearer(self.config.token))
        try:
            while True:
                # Not wait_for, which in Python 3.11 swallows a cancellation that meets an arriving message.
                async with asyncio.timeout(silence):
                    message = await stream.read()
                if not isinstance(message, bot_pb2.SubscribeResponse):
                    log.info("stream ended")
                    return heard
                if not heard:
                    log.info("subscribed", engine=self.config.engine, capacity=self.config.capacity)
                    metrics.SUBSCRIBED.set(1)
                heard = True
                if message.HasField("heartbeat"):
                    silence = silent_after(self.config.silence, message.heartbeat.interval)
                if self._take(message):
                    return not self._useless()
        except TimeoutError:
            log.warning("stream silent, connecting anew", seconds=silence)
            self._replace_channel()
        except grpc.RpcError as error:
            if error.code() in _FATAL:
                raise Refused(f"{error.details()} ({error.code().name} {reason(error)})") from error
            log.info("stream broken", code=error.code().name, reason=reason(error))
        finally:
            stream.cancel()
            metrics.SUBSCRIBED.set(0)
        return heard

    def _take(self, message: bot_pb2.SubscribeResponse) -> bool:
        """Act on a message; return whether to subscribe elsewhere."""
        kind = message.WhichOneof("message")
        if kind == "offer":
            self._begin(message.offer)
        elif kind == "not_served":
            self._note(message.not_served)
        elif kind == "withdrawn" and message.withdrawn.lease_token in self._turns:
            self._turns[message.withdrawn.lease_token][1].cancel()
        return kind == "going_away"

    def _note(self, told: bot_pb2.SubscribeNotServed) -> None:
        """Say once which games the engine plays by other versions than this worker."""
        self._not_served = {each.game for each in told.capabilities}
        metrics.SUBSCRIBED.set(not self._not_served.issuperset(self.config.games))
        strange = tuple((each.game, each.rules_version, each.data_version) for each in told.capabilities)
        if strange == self._said:
            return
        self._said = strange
        for game, rules, data in strange:
            if game not in GAMES:
                continue
            info = GAMES[game].info
            log.warning(
                "no turns of this game here: the engine plays other versions",
                game=game,
                worker_rules=info.rules_version,
                worker_data=info.data_version[:16],
                engine_rules=rules,
                engine_data=data[:16],
            )

    def _useless(self) -> bool:
        """Return whether the pod serves none of this worker's games; then another may, over another connection."""
        if not self._not_served.issuperset(self.config.games):
            return False
        self._replace_channel()
        return True

    def _begin(self, offer: bot_pb2.TurnOffer) -> None:
        token = offer.lease_token
        if token in self._turns:
            return
        task = asyncio.create_task(self._player.play(offer))
        self._turns[token] = (offer, task)
        metrics.HELD.set(len(self._turns))

        def ended(_: asyncio.Task[None]) -> None:
            self._turns.pop(token, None)
            metrics.HELD.set(len(self._turns))

        task.add_done_callback(ended)

    def _replace_channel(self) -> None:
        old = self._channel
        self._connect()
        # Answers on their way over the old channel may still arrive.
        closing = asyncio.create_task(old.close(grace=5.0))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _finish(self) -> None:
        """Let turns in work end, hand the others back, close the channel."""
        working = {task for _, task in self._turns.values()}
        if working:
            await asyncio.wait(working, timeout=LAST_WORK)
        left = list(self._turns.values())
        for _, task in left:
            task.cancel()
        await asyncio.gather(*(task for _, task in left), return_exceptions=True)
        await asyncio.gather(*(self._player.release(offer, "the worker stops") for offer, _ in left))
        await self._channel.close()
