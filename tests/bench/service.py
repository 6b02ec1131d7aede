"""Measure SubmitActions beside a bare grpc.aio echo: real processes, loopback, every caller its own Rurik match.

Server and load are a process each; the load keeps a number of callers busy, which send the answers of matches played
beforehand, so that nothing but SubmitActions is called (and one CreateMatch a match). The echo takes and returns 500
bytes on the same kind of server. Processor time is the server's own, user and system. Echo and service take turns.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import psutil
import uvloop

from engine.core.registry import GAMES
from services.store import embedded
from veche.v1 import match_pb2, match_pb2_grpc

_ECHO = "/veche.bench.Echo/Echo"
_DEADLINE = 20.0
#: Matches played beforehand, which the callers send again and again.
SCRIPTS = 40


class Figures(NamedTuple):
    """Hold one run: calls a second, milliseconds at the median and the 99th percentile, server microseconds a call."""

    rate: float
    p50: float
    p99: float
    cpu: float


async def _echo_server(announce: Path) -> None:
    async def echo(request: bytes, context: Any) -> bytes:
        return request

    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handler = grpc.method_handlers_generic_handler(
        "veche.bench.Echo", {"Echo": grpc.unary_unary_rpc_method_handler(echo)}
    )
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    await asyncio.to_thread(announce.write_text, f"127.0.0.1:{port}")
    await server.wait_for_termination()


class Server:
    """Be a server process and its address."""

    def __init__(self, folder: Path, name: str, command: list[str], **environment: str) -> None:
        announced = folder / name
        self.process = subprocess.Popen(
            [sys.executable, *command, str(announced)], env={**os.environ, **environment}, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + 60
        while not announced.exists() or not announced.read_text():
            assert self.process.poll() is None, name
            assert time.monotonic() < end, name
            time.sleep(0.02)
        self.address = announced.read_text().strip()

    def cpu(self) -> float:
        spent = psutil.Process(self.process.pid).cpu_times()
        return float(spent.user + spent.system)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def engine_on(url: str, folder: Path, name: str) -> Server:
    """Return an engine that no rate limit holds back, on the Redis of a URL."""
    command = ["-m", "services.server", "--port", "0", "--log-level", "error", "--rate", "1e9", "--announce"]
    return Server(folder, name, command, VECHE_REDIS_URL=url)


def _figures(times: list[float], seconds: float, cpu: float) -> Figures:
    ordered = sorted(times)
    return Figures(
        len(times) / seconds,
        statistics.median(ordered) * 1000,
        ordered[int(len(ordered) * 0.99)] * 1000,
        cpu / len(times) * 1e6,
    )


async def load_echo(server: Server, callers: int, seconds: float, size: int) -> Figures:
    """Return what a bare echo gives."""
    body = os.urandom(size)
    times: list[float] = []
    async with grpc.aio.insecure_channel(server.address) as channel:
        call = channel.unary_unary(_ECHO)
        await call(body, timeout=_DEADLINE, wait_for_ready=True)
        end = time.perf_counter() + seconds

        async def caller() -> None:
            while (began := time.perf_counter()) < end:
                await call(body, timeout=_DEADLINE)
                times.append(time.perf_counter() - began)

        before, began = server.cpu(), time.perf_counter()
        await asyncio.gather(*(caller() for _ in range(callers)))
        return _figures(times, time.perf_counter() - began, server.cpu() - before)


class Move(NamedTuple):
    """Hold one answer of a match played beforehand."""

    seat: int
    decision_id: str
    index: int


def script(seed: int, game: str = "rurik", seats: int = 2) -> list[Move]:
    """Return the moves of a random match of a seed, so that a caller need not ask who is on turn."""
    rules, dice = GAMES[game], random.Random(seed)
    state = rules.initial_state(rules.config(seats, {}), seed)
    moves = []
    while pending := rules.pending(state):
        decision = dice.choice(pending)
        legal = rules.legal_actions(state, decision.seat)
        index = dice.randrange(len(legal))
        moves.append(Move(decision.seat, decision.id, index))
        rules.advance(state, decision.seat, legal[index])
    return moves


class Caller:
    """Play all seats of one match after another, as the scripts say."""

    def __init__(
        self, stub: Any, scripts: Iterator[tuple[int, list[Move]]], game: str = "rurik", seats: int = 2
    ) -> None:
        self.stub = stub
        self.scripts = scripts
        self.game = game
        self.seats = seats
        self.tokens: dict[int, Any] = {}
        self.match_id = ""
        self.moves: list[Move] = []

    async def begin(self) -> None:
        seed, moves = next(self.scripts)
        self.moves = moves[::-1]
        seats = [match_pb2.SeatSetup(seat=n, claim=match_pb2.SeatClaim(name="x")) for n in range(self.seats)]
        created = await self.stub.CreateMatch(
            match_pb2.CreateMatchRequest(
                request_id=str(uuid.uuid4()),
                game=self.game,
                seat_count=self.seats,
                seats=seats,
                seed=str(seed),
                auto_start=True,
            ),
            timeout=_DEADLINE,
        )
        self.match_id = created.match.id
        self.tokens = {t.seat: (("authorization", f"Bearer {t.token}"),) for t in created.seat_tokens}

    async def submit(self) -> float:
        """Send one answer; return its seconds."""
        move = self.moves.pop()
        request = match_pb2.SubmitActionsRequest(match_id=self.match_id, request_id=str(uuid.uuid4()))
        request.submissions.add(decision_id=move.decision_id, index=move.index)
        began = time.perf_counter()
        await self.stub.SubmitActions(request, timeout=_DEADLINE, metadata=self.tokens[move.seat])
        return time.perf_counter() - began


async def load_service(server: Server, callers: int, seconds: float, scripts: list[list[Move]]) -> Figures:
    """Return what SubmitActions gives when every caller sends one answer after another."""
    times: list[float] = []
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        numbered = list(enumerate(scripts))
        begins = [number % len(scripts) for number in range(callers)]
        players = [Caller(stub, cycle(numbered[begin:] + numbered[:begin])) for begin in begins]
        await asyncio.gather(*(player.begin() for player in players))
        end = time.perf_counter() + seconds

        async def go(player: Caller) -> None:
            while time.perf_counter() < end:
                if not player.moves:
                    await player.begin()
                times.append(await player.submit())

        before, began = server.cpu(), time.perf_counter()
        await asyncio.gather(*(go(player) for player in players))
        return _figures(times, time.perf_counter() - began, server.cpu() - before)


def _median(runs: list[Figures]) -> Figures:
    return Figures(*(statistics.median(values) for values in zip(*runs, strict=True)))


async def _measure(folder: Path, url: str, seconds: float, rounds: int) -> None:
    echo = Server(folder, "echo", ["-m", "tests.bench.service", "--echo"])
    engine = engine_on(url, folder, "engine")
    scripts = [script(seed) for seed in range(SCRIPTS)]
    print(f"{'callers':>8} {'':12} {'calls/s':>9} {'of echo':>8} {'p50 ms':>7} {'p99 ms':>7} {'server us':>10}")
    try:
        for callers in (1, 4, 32):
            runs: list[tuple[Figures, Figures]] = []
            for _ in range(rounds):
                bare = await load_echo(echo, callers, seconds, 500)
                runs.append((bare, await load_service(engine, callers, seconds, scripts)))
            bare, moves = _median([run[0] for run in runs]), _median([run[1] for run in runs])
            for name, figures in (("echo", bare), ("SubmitActions", moves)):
                share = figures.rate / bare.rate
                print(
                    f"{callers:>8} {name:12.13} {figures.rate:>9.0f} {share:>8.2f} {figures.p50:>7.2f} "
                    f"{figures.p99:>7.2f} {figures.cpu:>10.0f}",
                    flush=True,
                )
    finally:
        echo.stop()
        engine.stop()


def run(measure: Callable[[Path, str], Coroutine[Any, Any, None]]) -> int:
    """Run a measurement with a folder and the URL of a Redis of its own; return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with embedded.start(folder / "redis") as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(measure(folder, server.url))
    return 0


def main(seconds: float = 3.0, rounds: int = 3) -> int:
    """Print the figures; return the exit status."""
    return run(lambda folder, url: _measure(folder, url, seconds, rounds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.service", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="length of one measurement (default 3)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each kind, whose median is printed")
    parser.add_argument("--echo", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.echo:
        uvloop.run(_echo_server(given.echo))
    else:
        sys.exit(main(given.seconds, given.rounds))
