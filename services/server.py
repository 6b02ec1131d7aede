"""Serve: the composition root of an engine pod. Build the parts, serve until told to stop, leave in order."""

import asyncio
import contextlib
import gc
import signal
import sys
from pathlib import Path
from typing import Any

import grpc
import structlog
import uvloop
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection
from prometheus_client import start_http_server

from engine.core import registry
from engine.core.errors import EngineError
from protos.wire import for_game
from services import __version__, security, telemetry
from services.api.admin import AdminServicer
from services.api.bot import BotServicer
from services.api.catalog import CatalogServicer
from services.api.convert import Views
from services.api.match import MatchServicer
from services.api.origin import Origin
from services.api.rpc import Gate, register
from services.api.stream import WatchEncoder
from services.config import Settings, settings
from services.matches.census import Census
from services.matches.lifecycle import Lifecycle
from services.matches.play import Play
from services.matches.record import Reader
from services.matches.tables import Tables
from services.matches.watch import Watch
from services.matches.work import Desk, Limits
from services.store.changes import StoreAwayError, StoreMisfitError
from services.store.feed import Feed
from services.store.store import Store
from veche.v1 import admin_pb2, bot_pb2, catalog_pb2, match_pb2

_log = structlog.get_logger()
#: Seconds between two tries to reach Redis at the start, and between two lines in the log that say so.
_RETRY_SECONDS = 0.5
_REMIND_SECONDS = 10.0
#: Seconds between two looks at Redis.
_LOOK_SECONDS = 1.0
#: Seconds after which a pod whose Redis belongs to another deployment ends, to start anew with that one's secret.
FOREIGN_SECONDS = 30.0
#: Connections are asked to come back after half an hour, so that new pods get their share; a stream ends itself sooner.
_CONNECTION_AGE_MS = 30 * 60 * 1000
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def _options(config: Settings) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # two pods on one port would share its calls in silence
        ("grpc.max_receive_message_length", max(4 << 20, 2 * config.message_bytes)),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.max_ping_strikes", 0),
        ("grpc.max_connection_age_ms", _CONNECTION_AGE_MS),
        ("grpc.max_connection_age_grace_ms", int(config.stream_age * 1000) + 60_000),
    ]


class Pod:
    """Be one engine pod inside this process; `port` is known after `start`."""

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.port = 0
        self._health = HealthServicer()
        self._store: Store
        self._feed: Feed
        self._desk: Desk
        self._census: Census
        self._watch: Watch
        self._gate: Gate
        self._server: grpc.aio.Server
        self._names: list[str] = []
        self._monitor: asyncio.Task[None] | None = None
        self._leaving = False
        #: Set when the pod is of no more use, and why.
        self.over = asyncio.Event()
        self.failed = ""

    async def start(self) -> None:
        """Serve health at once, and all else when Redis is there, however long that takes.

        Raises StoreMisfitError, ValueError for a URL of Redis that cannot be read, OSError when the port is taken.
        """
        self._build()
        await self._health.set("liveness", _SERVING)
        await self._ready(_NOT_SERVING)
        await self._server.start()
        await self._open_store()
        self._feed.start()
        self._desk.start()
        self._census.start()
        self._gate.open = True
        await self._ready(_SERVING)
        self._monitor = asyncio.create_task(self._watch_store())

    def _build(self) -> None:
        config = self.config
        self._store = Store(config.redis_url)
        tables = Tables(self._store, config.cached_matches)
        self._feed = Feed(self._store)
        play = Play(tables, self._feed)
        self._census = Census(self._store, config.matches)
        lifecycle = Lifecycle(play, config.policies, self._census)
        views = Views()
        reader = Reader(tables)
        self._watch = Watch(play, self._feed, WatchEncoder(views), config.heartbeat, config.stream_age)
        limits = Limits(
            int(config.lease * 1000), int(config.longest_thought * 1000), config.attempts, int(config.patience * 1000)
        )
        self._desk = Desk(play, self._feed, limits)
        self._server = grpc.aio.server(options=_options(config))
        self._gate = Gate(
            config.rate, config.streams, config.message_bytes, self._is_lease, Origin(config.trusted_proxies)
        )
        self._gate.open = False
        services: dict[Any, Any] = {
            catalog_pb2.DESCRIPTOR: CatalogServicer(lifecycle.policies),
            match_pb2.DESCRIPTOR: MatchServicer(play, lifecycle, self._watch, reader, views),
            bot_pb2.DESCRIPTOR: BotServicer(self._desk, views, config.bot_token, config.heartbeat, config.stream_age),
            admin_pb2.DESCRIPTOR: AdminServicer(self._store, tables, reader, lifecycle, config.admin_token),
        }
        names = []
        for file, servicer in services.items():
            for service in file.services_by_name.values():
                register(self._server, service, servicer, self._gate)
                names.append(service.full_name)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        if config.reflection:
            health = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
            reflection.enable_server_reflection([*names, health, reflection.SERVICE_NAME], self._server)
        self.port = self._server.add_insecure_port(f"{config.host}:{config.port}")
        if self.port == 0:
            raise OSError(f"cannot listen on {config.host}:{config.port}")
        self._names = names

    async def _open_store(self) -> None:
        """Return when Redis answers and fits; raise StoreMisfitError when it does not fit."""
        clock = asyncio.get_running_loop().time
        told = float("-inf")
        while True:
            try:
                await self._store.open()
            except StoreAwayError as error:
                if clock() - told >= _REMIND_SECONDS:
                    _log.warning("waiting for redis: alive, not ready", error=str(error))
                    told = clock()
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    def _is_lease(self, token: str) -> bool:
        return security.read_lease(self._store.secret, token) is not None

    async def _ready(self, status: Any) -> None:
        telemetry.READY.set(status == _SERVING)
        for name in ("", "readiness", *self._names):
            await self._health.set(name, status)

    async def _watch_store(self) -> None:
        """Keep readiness in step with Redis."""
        clock = asyncio.get_running_loop().time
        away, foreign = False, 0.0
        while True:
            slept = clock()
            await asyncio.sleep(_LOOK_SECONDS)
            asked = clock()
            telemetry.LAG_SECONDS.set(max(0.0, asked - slept - _LOOK_SECONDS))
            try:
                await self._store.ping()
                telemetry.STORE_SECONDS.set(clock() - asked)
            except (StoreAwayError, StoreMisfitError) as error:
                if not away:
                    _log.error("redis takes no writes: not ready", error=str(error))
                    await self._ready(_NOT_SERVING)
                away = True
                foreign = (foreign or clock()) if isinstance(error, StoreMisfitError) else 0.0
                if foreign and clock() - foreign >= FOREIGN_SECONDS:
                    self.failed = str(error)
                    self.over.set()
                    return
            else:
                foreign = 0.0
                if away:
                    _log.info("redis back: ready")
                    await self._ready(_SERVING)
                away = False

    async def stop(self) -> None:
        """Leave in order: not ready, no new work, streams sent elsewhere, calls finished, connections closed.

        A pod that never got ready has nothing to finish and leaves at once.
        """
        if self._leaving:
            return
        self._leaving = True
        if self._monitor is not None:
            self._monitor.cancel()
        await self._ready(_NOT_SERVING)
        self._desk.leave()
        self._watch.leave(self.config.drain)
        if self._monitor is not None:
            await asyncio.sleep(self.config.drain)
        await self._server.stop(self.config.grace)
        await self._desk.close()
        await self._census.close()
        await self._feed.close()
        await self._store.close()


def _announce(file: Path, address: str) -> None:
    """Write the address so that a reader sees all of it or nothing."""
    part = file.with_name(file.name + ".part")
    part.write_text(address + "\n")
    part.replace(file)


async def serve(config: Settings) -> None:
    """Serve until SIGTERM or SIGINT; raise StoreMisfitError when the pod cannot go on."""
    loop = asyncio.get_running_loop()
    pod = Pod(config)
    stop = pod.over
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    starting = asyncio.create_task(pod.start())
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        _log.info("told to stop before it was ready")
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        await pod.stop()
        return
    try:
        await starting
    except StoreMisfitError:
        await pod.stop()
        raise
    # What exists now lives as long as the process: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    address = f"{config.host}:{pod.port}"
    _log.info("ready", address=address, games=list(registry.GAMES))
    if config.announce is not None:
        _announce(config.announce, address)
    await stopping
    _log.info("leaving")
    await pod.stop()
    _log.info("left")
    if pod.failed:
        raise StoreMisfitError(pod.failed)


def main(arguments: list[str] | None = None) -> int:
    """Run one pod; return 0 after an orderly stop, 1 when it could not start."""
    config = settings(arguments)
    telemetry.configure(config.log_level)
    try:
        registry.load(config.data_packs)
        for rules in registry.GAMES.values():
            for_game(rules)
            telemetry.RULES.labels(rules.info.id, rules.info.rules_version, rules.info.data_version[:12]).set(1)
        telemetry.INFO.labels(__version__).set(1)
        if config.metrics_port:
            start_http_server(config.metrics_port, config.host)
        with contextlib.suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(config))
    except (StoreMisfitError, EngineError, OSError, RuntimeError, ValueError) as error:
        _log.error("cannot serve", why=str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
