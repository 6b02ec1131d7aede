"""Measure streams: moves a second that reach the other seat, and what idle watchers weigh.

Delivery: both seats of 1 and of 32 Rurik matches are played; each move counts when the other seat's WatchMatch has told
it; what to answer comes by the streams too. Idle watchers: 2,000 streams on 20 matches in one engine, opened at up to
1,000 a second; resident memory before and after.
"""

import asyncio
import statistics
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import psutil

from tests.bench.service import Caller, Server, engine_on, run, script
from veche.v1 import match_pb2, match_pb2_grpc

_DEADLINE = 600.0


class Table:
    """Be a match that both seats watch; a move is over when the other seat has heard of it."""

    def __init__(self, stub: Any, number: int) -> None:
        self.caller = Caller(stub, ((seed, script(seed)) for seed in count(number)))
        self.tasks: list[asyncio.Task[None]] = []
        self.versions: dict[Any, int] = {}
        self.over = False
        self.news = asyncio.Condition()

    async def begin(self) -> None:
        await self.caller.begin()
        self.versions = {}
        for token in self.caller.tokens.values():
            self.tasks.append(asyncio.create_task(self._watch(token)))
        async with self.news:
            await self.news.wait_for(lambda: len(self.versions) == 2)

    async def _watch(self, token: Any) -> None:
        request = match_pb2.WatchMatchRequest(match_id=self.caller.match_id)
        async for message in self.caller.stub.WatchMatch(request, timeout=_DEADLINE, metadata=token):
            kind = message.WhichOneof("message")
            async with self.news:
                self.versions[token] = message.position.version
                self.over |= kind == "finished"
                self.news.notify_all()

    async def moves(self, end: float, times: list[float]) -> None:
        while time.perf_counter() < end:
            if not self.caller.moves:
                return
            token = self.caller.tokens[self.caller.moves[-1].seat]
            (other,) = [t for t in self.versions if t is not token]
            before = self.versions[other]
            began = time.perf_counter()
            await self.caller.submit()
            async with self.news:
                await self.news.wait_for(lambda b=before, o=other: self.over or self.versions[o] > b)
            times.append(time.perf_counter() - began)

    def stop(self) -> None:
        for task in self.tasks:
            task.cancel()


async def delivery(server: Server, matches: int, seconds: float) -> None:
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        tables = [Table(stub, n) for n in range(matches)]
        await asyncio.gather(*(table.begin() for table in tables))
        times: list[float] = []
        before, began = server.cpu(), time.perf_counter()
        await asyncio.gather(*(table.moves(began + seconds, times) for table in tables))
        spent = time.perf_counter() - began
        cpu = (server.cpu() - before) / len(times) * 1e6
        ordered = sorted(times)
        print(
            f"{matches:>4} matches: {len(times) / spent:.0f} moves/s told to the other seat, p50 "
            f"{statistics.median(ordered) * 1000:.1f} ms, p99 {ordered[int(len(ordered) * 0.99)] * 1000:.1f} ms, "
            f"server {cpu:.0f} us a move",
            flush=True,
        )
        for table in tables:
            table.stop()


async def idle(server: Server, watchers: int) -> None:
    memory = psutil.Process(server.process.pid).memory_info
    async with grpc.aio.insecure_channel(server.address) as channel:
        stub = match_pb2_grpc.MatchServiceStub(channel)
        callers = [Caller(stub, iter([(n, script(n))])) for n in range(20)]
        for caller in callers:
            await caller.begin()
        before = memory().rss / 1e6
        opened = 0

        async def watch(caller: Caller) -> None:
            nonlocal opened
            request = match_pb2.WatchMatchRequest(match_id=caller.match_id)
            async for _ in stub.WatchMatch(request, timeout=_DEADLINE):
                opened += 1
                await asyncio.sleep(_DEADLINE)

        tasks = []
        for n in range(watchers):
            tasks.append(asyncio.create_task(watch(callers[n % 20])))
            await asyncio.sleep(0.001)
        end = time.perf_counter() + 30
        while opened < watchers and time.perf_counter() < end:
            await asyncio.sleep(0.1)
        after = memory().rss / 1e6
        spent = server.cpu()
        await asyncio.sleep(5)
        print(
            f"{opened} idle watchers of {watchers}: {before:.0f} -> {after:.0f} MB, "
            f"{(server.cpu() - spent) / 5 * 100:.1f} % of a core while idle",
            flush=True,
        )
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _measure(folder: Path, url: str, seconds: float) -> None:
    for number, work in enumerate(
        (lambda s: delivery(s, 1, seconds), lambda s: delivery(s, 32, seconds), lambda s: idle(s, 2000))
    ):
        engine = engine_on(url, folder, f"engine{number}")
        try:
            await work(engine)
        finally:
            engine.stop()


def main(seconds: float = 4.0) -> int:
    """Print the figures; return the exit status."""
    return run(lambda folder, url: _measure(folder, url, seconds))


if __name__ == "__main__":
    sys.exit(main())
