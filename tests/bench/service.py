"""Measure SubmitActions beside a bare grpc.aio echo: real processes, loopback, every caller its own Rurik match.

Server and load are a process each; the load keeps a number of callers busy. A caller answers its own choice by index,
from the reply's choice or a GetView; only SubmitActions calls are timed and counted. The echo takes and returns as many
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
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import psutil
import uvloop

from services.store import embedded
from veche.v1 import match_pb2, match_pb2_grpc

_ECHO = "/veche.bench.Echo/Echo"
_DEADLINE = 20.0


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


class Caller:
    """Play both seats of one match after another; `request` and `token` are the next answer."""

    def __init__(self, stub: Any, number: int) -> None:
        self.stub = stub
        self.dice = random.Random(number)
        self.tokens: dict[int, Any] = {}
        self.match_id = ""
        self.request: Any = None
        self.token: Any = None
        self.idle = 0.0

    async def begin(self) -> None:
        seats = [match_pb2.SeatSetup(seat=n, claim=match_pb2.SeatClaim(name="x")) for n in range(2)]
        created = await self.stub.CreateMatch(
            match_pb2.CreateMatchRequest(
                request_id=str(uuid.uuid4()), game="rurik", seat_count=2, seats=seats, auto_start=True
            ),
            timeout=_DEADLINE,
        )
        self.match_id = created.match.id
        self.tokens = {t.seat: (("authorization", f"Bearer {t.token}"),) for t in created.seat_tokens}
        await self.look()

    async def look(self) -> None:
        """Find the seat on turn; begin another match at the end."""
        for token in self.tokens.values():
            reply = await self.stub.GetView(
                match_pb2.GetViewRequest(match_id=self.match_id), timeout=_DEADLINE, metadata=token
            )
            if reply.view.HasField("choice"):
                self.take(reply.view.choice, token)
                return
        await self.begin()

    def take(self, choice: Any, token: Any) -> None:
        self.request = match_pb2.SubmitActionsRequest(match_id=self.match_id, request_id=str(uuid.uuid4()))
        index = self.dice.randrange(len(choice.legal_actions))
        self.request.submissions.add(decision_id=choice.decision.id, index=index)
        self.token = token

    async def submit(self) -> float:
        """Send one answer; return its seconds. What follows is looked up outside of them."""
        began = time.perf_counter()
        reply = await self.stub.SubmitActions(self.request, timeout=_DEADLINE, metadata=self.token)
        spent = time.perf_counter() - began
        if reply.HasField("choice"):
            self.take(reply.choice, self.token)
        else:
            self.request = None
        return spent


async def load_service(server: Server, callers: int, seconds: float, moves: int) -> Figures:
    """Return what SubmitActions gives: rounds of calls alone are timed, looking up who is next is not.

    Each round lets every caller send up to `moves` answers in a row, as long as it need not look.
    """
    times: list[float] = []
    spent = cpu = 0.0
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        players = [Caller(stub, n) for n in range(callers)]
        await asyncio.gather(*(player.begin() for player in players))

        async def go(player: Caller) -> None:
            for _ in range(moves):
                times.append(await player.submit())
                if player.request is None:
                    return

        while spent < seconds:
            before, began = server.cpu(), time.perf_counter()
            await asyncio.gather(*(go(player) for player in players))
            spent += time.perf_counter() - began
            cpu += server.cpu() - before
            await asyncio.gather(*(player.look() for player in players if player.request is None))
    return _figures(times, spent, cpu)


def _median(runs: list[Figures]) -> Figures:
    return Figures(*(statistics.median(values) for values in zip(*runs, strict=True)))


async def _measure(folder: Path, url: str, seconds: float, rounds: int) -> None:
    echo = Server(folder, "echo", ["-m", "tests.bench.service", "--echo"])
    engine = Server(
        folder,
        "engine",
        ["-m", "services.server", "--port", "0", "--log-level", "error", "--rate", "1e9", "--announce"],
        VECHE_REDIS_URL=url,
    )
    print(f"{'callers':>8} {'':12} {'calls/s':>9} {'of echo':>8} {'p50 ms':>7} {'p99 ms':>7} {'server us':>10}")
    try:
        for callers in (1, 4, 32):
            runs: list[tuple[Figures, Figures]] = []
            for _ in range(rounds):
                bare = await load_echo(echo, callers, seconds, 500)
                runs.append((bare, await load_service(engine, callers, seconds, 4)))
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


def main(seconds: float = 3.0, rounds: int = 3) -> int:
    """Print the figures; return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with embedded.start(folder / "redis") as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_measure(folder, server.url, seconds, rounds))
    return 0


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
