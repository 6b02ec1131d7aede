"""Start and stop the parts together: Redis, an engine pod, bot workers; restart those that die; leave none behind."""

import os
import secrets
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from engine.core import registry
from services.cli import children
from services.cli.children import Child, Pipe
from services.store import embedded

PORT = 50051
HOST = "127.0.0.1"
#: Seconds that a part gets to start.
_START = 60.0
#: A part that dies more often than this within a minute is not started again.
_DEATHS = 5
_STEP = 0.05
#: On one machine nobody waits for a drain, and a killed worker's turn comes back soon.
_BRISK = ("--drain", "0", "--grace", "2", "--lease", "6")


class Broken(RuntimeError):
    """Say which part does not work, with the end of its log."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what to start.

    `data` is the folder of the store, `folder` that of logs; `port` None takes 50051 if it is free, else another;
    `games` are those that the bots play, all if empty; `bot_seed` makes the bots repeatable; `brisk` sets the engine up
    for a single machine.
    """

    data: Path
    folder: Path
    port: int | None = None
    workers: int = 2
    games: tuple[str, ...] = ()
    bot_seed: str = ""
    admin_token: str = ""
    data_packs: tuple[Path, ...] = ()
    brisk: bool = True


class Stack:
    """Hold the running parts; use it as a context, so that they always stop."""

    def __init__(self, plan: Plan, say: Callable[[str], None]) -> None:
        self.plan = plan
        self.address = ""
        self._say = say
        self._pipe = Pipe()
        self._redis: embedded.Running | None = None
        self._parts: dict[str, Child] = {}
        self._deaths: dict[str, list[float]] = {}
        # Set from outside, it lets workers of other people's making take turns here too.
        self._bot_token = os.environ.get("VECHE_BOT_TOKEN") or secrets.token_urlsafe(24)
        # Under make the launcher's parent is make itself: who kills it, kill -9 included, means the whole run.
        self._parent = os.getppid() if "MAKELEVEL" in os.environ else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start everything and wait until matches can be played; raise Broken or embedded.NoRedis."""
        begun = time.monotonic()
        self._redis = embedded.start(self.plan.data)
        where = self._redis.url.rpartition("@")[2].removeprefix("redis://").partition("/")[0]
        kind = "Redis" if self._redis.process is not None else "Redis of VECHE_REDIS_URL"
        self._say(f"{kind} at {where} ({time.monotonic() - begun:.1f} s)")
        begun = time.monotonic()
        self._start_engine()
        self._say(f"engine at {self.address} ({time.monotonic() - begun:.1f} s)")
        self._say(f"{self.plan.workers} bot workers")

    def start_in_front(self, name: str, command: Sequence[str], environment: dict[str, str]) -> Child:
        """Start a command that shares the terminal and dies with the launcher."""
        return children.start_in_front(name, command, self._pipe, environment)

    def tend(self) -> None:
        """Start parts anew that have died; raise Broken for one that keeps dying. To be called often."""
        if self._parent is not None and os.getppid() != self._parent:
            raise Broken("make was killed, so everything stops")
        for name, child in list(self._parts.items()):
            if child.alive():
                continue
            now = time.monotonic()
            recent = [t for t in self._deaths.get(name, []) if now - t < 60.0]
            self._deaths[name] = [*recent, now]
            if len(recent) >= _DEATHS:
                raise Broken(f"the {name} keeps dying:\n{child.tail()}")
            if name == "engine":
                self._parts[name] = self._engine(int(self.address.rpartition(":")[2]))
            else:
                self._parts[name] = self._worker(name)
        if self._redis is not None and self._redis.process is not None and self._redis.process.poll() is not None:
            raise Broken(f"Redis has ended; see {self.plan.data / 'redis.log'}")

    def stop(self) -> None:
        """Stop everything: bots first, then the engine, then Redis, which writes what it holds."""
        bots = [child for name, child in self._parts.items() if name != "engine"]
        for child in bots:
            child.ask()
        for child in bots:
            child.stop()
        if "engine" in self._parts:
            self._parts["engine"].stop()
        if self._redis is not None:
            self._redis.stop()
        self._pipe.close()

    def _start_engine(self) -> None:
        """Start engine and workers; where another process took the port in between, take the next one."""
        for port in _ports(self.plan.port):
            self.address = f"{HOST}:{port}"
            self._announced.unlink(missing_ok=True)
            engine = self._parts["engine"] = self._engine(port)
            # Workers knock until the engine answers, so their start need not wait for it.
            workers = {f"worker-{i}": self._worker(f"worker-{i}") for i in range(1, self.plan.workers + 1)}
            self._parts.update(workers)
            if self._wait(engine):
                return
            for worker in workers.values():
                worker.ask()
        raise Broken(f"the engine does not start:\n{self._parts['engine'].tail()}")

    def _wait(self, engine: Child) -> bool:
        end = time.monotonic() + _START
        while time.monotonic() < end and engine.alive():
            if self._announced.exists():
                return True
            time.sleep(_STEP)
        if engine.alive():
            raise Broken(f"the engine is not ready after {_START:.0f} s:\n{engine.tail()}")
        return False

    @property
    def _announced(self) -> Path:
        return self.plan.folder / "engine.address"

    def _engine(self, port: int) -> Child:
        command = [sys.executable, "-m", "services.server", "--host", HOST, "--port", str(port), "--reflection"]
        command += ["--announce", str(self._announced)]
        command += [*_BRISK] if self.plan.brisk else []
        environment = {
            "VECHE_REDIS_URL": self._redis.url if self._redis is not None else "",
            "VECHE_BOT_TOKEN": self._bot_token,
            "VECHE_ADMIN_TOKEN": self.plan.admin_token,
            "VECHE_DATA_PACKS": ":".join(map(str, self.plan.data_packs)),
        }
        return children.start("engine", command, self._pipe, self.plan.folder / "engine.log", environment)

    def _worker(self, name: str) -> Child:
        command = [sys.executable, "-m", "bots.worker", "--engine", self.address]
        command += ["--games", ",".join(self.plan.games)] if self.plan.games else []
        environment = {
            "VECHE_BOT_TOKEN": self._bot_token,
            "VECHE_BOT_SEED": self.plan.bot_seed,
            "VECHE_DATA_PACKS": ":".join(map(str, self.plan.data_packs)),
        }
        return children.start(name, command, self._pipe, self.plan.folder / f"{name}.log", environment)


def check(data_packs: Sequence[Path]) -> None:
    """Load all games with the data packs before any is used, as all parts will; raise BadData naming what is wrong."""
    if data_packs:
        registry.load(data_packs)
        for game in registry.GAMES:
            _ = registry.GAMES[game]


def _ports(wanted: int | None) -> list[int]:
    """Return ports to try: the wanted one alone, else the usual one if nothing listens there and then free ones.

    A wanted port of 0 means any free one.
    """
    if wanted:
        return [wanted]
    if wanted == 0:
        return [_free(), _free(), _free()]
    return [*([PORT] if _is_free(PORT) else []), _free(), _free()]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _free() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
