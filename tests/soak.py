"""Run the whole stack under load and faults for a while: `python -m tests.soak --minutes 3`.

Two engines on one Redis, two bot workers, clients that play matches with retries, watchers that come and go. Every few
seconds an engine or a worker is killed. At the end every match must be over, every log complete, no bot work left; and
when the load is gone, the engines' memory must not have grown from match to match, nor streams be left open.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

import grpc
import psutil
import redis

from services.store import embedded
from tests.chaos.processes import BotWorker, Engine
from tests.chaos.test_processes import AGAIN, patient
from tests.services.table import Client, Seats
from veche.v1 import common_pb2

#: Megabytes that an engine may grow between the first third of a run and its end.
GROWTH = 48.0


class Soak:
    """Hold the stack and what went wrong."""

    def __init__(self, engines: list[Engine], clients: list[Client], seed: int) -> None:
        self.engines = engines
        self.clients = clients
        self.dice = random.Random(seed)
        self.done = 0
        self.moves = 0
        self.end = 0.0
        self.problems: list[str] = []

    async def client(self, number: int) -> None:
        """Play one match after another until time is up, each to its end."""
        dice = random.Random(number)
        while time.monotonic() < self.end:
            client = self.clients[dice.randrange(2)]
            count = dice.choice((2, 3, 4))
            bots = {seat: dice.choice(("random", "greedy")) for seat in range(1, count)}
            seats = await patient(lambda c=client, n=count, b=bots: c.create(n, bots=b))
            watching = asyncio.create_task(self.watch(seats, dice))
            await self.play(seats, dice)
            watching.cancel()
            (end,) = await asyncio.gather(watching, return_exceptions=True)
            if isinstance(end, Exception):
                self.problems.append(f"a watcher of {seats.id}: {end!r}")
            self.done += 1

    async def play(self, seats: Seats, dice: random.Random) -> None:
        while True:
            here = seats.at(self.clients[dice.randrange(2)])
            view = await patient(here.on_turn)
            if view is None:
                if (await patient(here.match)).status == common_pb2.MATCH_STATUS_FINISHED:
                    return
                await asyncio.sleep(0.05)
                continue
            request = here.answer(view, dice.randrange(len(view.choice.legal_actions)))
            await patient(lambda h=here, r=request, s=view.seat: h.submit(r, s))
            self.moves += 1

    async def watch(self, seats: Seats, dice: random.Random) -> None:
        """Follow a match over whatever pod is there, resuming; versions must come one by one."""
        position = None
        while True:
            stream = seats.at(self.clients[dice.randrange(2)]).watch(0, position, timeout=600)
            try:
                async for message in stream:
                    kind = message.WhichOneof("message")
                    if kind == "update" and position is not None:
                        assert message.position.version == position.version + 1, (message, position)
                    position = message.position
                    if kind == "finished":
                        return
            except grpc.aio.AioRpcError as error:
                if error.code() not in AGAIN:
                    raise
            await asyncio.sleep(0.1)

    async def faults(self, workers: list[BotWorker]) -> None:
        """Kill something every few seconds."""
        while True:
            await asyncio.sleep(self.dice.uniform(4, 8))
            if self.dice.random() < 0.5:
                engine = self.engines[self.dice.randrange(2)]
                await asyncio.to_thread(engine.kill)
                await asyncio.to_thread(engine.start)
            else:
                worker = workers.pop(0)
                await asyncio.to_thread(worker.kill)
                workers.append(BotWorker(self.engines[self.dice.randrange(2)].address))


def _memory(engine: Engine) -> float:
    return float(psutil.Process(engine.process.pid).memory_info().rss) / 1e6


async def _run(folder: Path, minutes: float, callers: int, seed: int) -> int:
    with embedded.start(folder / "redis") as server:
        engines = [Engine(server.url, "--lease", "3", "--drain", "0.5", "--rate", "1e6").start() for _ in range(2)]
        workers = [BotWorker(engine.address) for engine in engines]
        clients = [Client(engine.address) for engine in engines]
        soak = Soak(engines, clients, seed)
        try:
            # First with faults, then without, when memory can be compared.
            print(f"soak: {minutes / 2:.1f} minutes with faults", flush=True)
            soak.end = time.monotonic() + minutes * 30
            killing = asyncio.create_task(soak.faults(workers))
            await asyncio.gather(*(soak.client(n) for n in range(callers)))
            killing.cancel()
            await asyncio.gather(killing, return_exceptions=True)
            print(f"soak: {soak.done} matches, {soak.moves} client moves; {minutes / 2:.1f} quiet minutes", flush=True)
            soak.end = time.monotonic() + minutes * 10
            await asyncio.gather(*(soak.client(100 + n) for n in range(callers)))
            before = [_memory(engine) for engine in engines]
            soak.end = time.monotonic() + minutes * 20
            await asyncio.gather(*(soak.client(200 + n) for n in range(callers)))
            after = [_memory(engine) for engine in engines]
            return _verdict(server.url, soak, before, after)
        finally:
            for client in clients:
                await client.close()
            for worker in workers:
                worker.kill()
            for engine in engines:
                engine.kill()


def _verdict(url: str, soak: Soak, before: list[float], after: list[float]) -> int:
    problems = soak.problems
    with redis.Redis.from_url(url) as client:
        heads = [key for key in client.scan_iter("*:m:*") if key.count(b":") == 3]
        for head in heads:
            status, version = client.hmget(head, "status", "version")
            if status != b"finished":
                problems.append(f"{head.decode()} is {status.decode()}")
            if client.llen(head + b":log") != int(version):
                problems.append(f"{head.decode()} has {client.llen(head + b':log')} log entries at version {version}")
            if client.ttl(head) < 0:
                problems.append(f"{head.decode()} would stay for ever")
        work = [*client.keys("*:q:*"), *client.keys("*:l:*"), *client.keys("*:open"), *client.keys("*:incidents")]
        problems += [f"left behind: {key.decode()}" for key in work]
    grown = [late - early for early, late in zip(before, after, strict=True)]
    problems += [f"an engine grew by {growth:.0f} MB" for growth in grown if growth > GROWTH]
    print(f"soak: {soak.done} matches of {len(heads)} begun, {soak.moves} client moves")
    print(f"soak: engines {', '.join(f'{b:.0f} -> {a:.0f} MB' for b, a in zip(before, after, strict=True))}")
    for problem in problems:
        print(f"soak: {problem}")
    print("soak: " + ("FAILED" if problems else "ok"))
    return 1 if problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default 10)")
    parser.add_argument("--callers", type=int, default=6, help="matches played at a time (default 6)")
    parser.add_argument("--seed", type=int, default=1, help="of the faults")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="veche-soak-") as name:
        return asyncio.run(_run(Path(name), given.minutes, given.callers, given.seed))


if __name__ == "__main__":
    sys.exit(main())
