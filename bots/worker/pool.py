"""Think in other processes, so that a search never delays a lease.

The processes are spawned, not forked, and before the first channel exists: a fork of a process with gRPC threads hangs.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import traceback
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path
from random import Random

from bots.policies import SIGHTED
from engine.core import registry
from protos.wire import view_from_message
from veche.v1 import common_pb2

#: How often a thought is begun anew after a process of the pool died under it.
_ATTEMPTS = 3


class PolicyFailed(Exception):
    """Say with what kind of error a policy failed, and where; not its message, which may tell what a seat must not."""


class Pool:
    """Run sighted policies in a fixed number of processes; a pool that lost a process is made anew."""

    def __init__(self, processes: int, games: tuple[str, ...], data_packs: tuple[Path, ...] = ()) -> None:
        self._processes = processes
        self._setup = (games, data_packs)
        self._executor = self._fresh()
        self._renewal: asyncio.Task[None] | None = None

    async def think(self, policy: str, view: bytes, seed: str) -> int:
        """Return the index that a policy chooses for a serialized view.

        Raises PolicyFailed when the policy does, and BrokenProcessPool when all attempts die.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            executor = self._executor
            try:
                return await asyncio.get_running_loop().run_in_executor(executor, _think, policy, view, seed)
            except BrokenProcessPool:
                if attempt == _ATTEMPTS:
                    raise
                await self._renewed(executor)
        raise AssertionError("the loop above returns or raises")

    async def _renewed(self, broken: ProcessPoolExecutor) -> None:
        """Replace an executor that lost a process: once, however many thoughts were in it and whoever stops waiting."""
        if self._executor is broken and (self._renewal is None or self._renewal.done()):
            broken.shutdown(wait=False)
            self._renewal = asyncio.create_task(asyncio.to_thread(self._renew))
        if self._renewal is not None:
            await asyncio.shield(self._renewal)

    def _renew(self) -> None:
        self._executor = self._fresh()

    def close(self) -> None:
        """End the processes without waiting for thoughts in them."""
        for process in list((self._executor._processes or {}).values()):  # noqa: SLF001 - there is no public way
            process.terminate()
        # Its thread must be gone before the interpreter goes, or the exit handler finds its pipe closed.
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _fresh(self) -> ProcessPoolExecutor:
        executor = ProcessPoolExecutor(
            self._processes, multiprocessing.get_context("spawn"), initializer=_start, initargs=self._setup
        )
        # Processes start on demand: demand them all now, before any channel.
        for future in [executor.submit(_ready) for _ in range(self._processes)]:
            future.result()
        return executor


def _start(games: tuple[str, ...], data_packs: tuple[Path, ...]) -> None:
    """Set a process of the pool up: games loaded, deaf to Ctrl-C, gone when the worker is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()
    if data_packs:
        registry.load(data_packs)
    for game in games:
        _ = registry.GAMES[game]


def _leave_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _ready() -> None:
    return None


def _think(policy: str, view: bytes, seed: str) -> int:
    message = common_pb2.View.FromString(view)
    sight, choose = view_from_message(registry.GAMES[message.game], message), SIGHTED[policy]
    try:
        return choose(sight, Random(seed))
    except Exception as error:  # noqa: BLE001 - whatever a policy does wrong, the worker must know how to go on
        place = traceback.extract_tb(error.__traceback__)[-1]
        raise PolicyFailed(f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}") from None
