"""Measure whether a move costs more late in a match: the same table of Masters of Europe, early and late.

Eight seats that choose at random take more than two thousand decisions. One caller sends them; windows of two hundred
moves around the 20th and the 2,000th are compared, over matches of several seeds.
"""

import argparse
import statistics
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import grpc

from tests.bench.service import Caller, Move, engine_on, run, script
from veche.v1 import match_pb2_grpc

_GAME, _SEATS = "masters_of_europe", 8
_WINDOW = 200
#: First move of the windows compared.
_BEGINNINGS = (20, 1_000, 2_000)


def _long_matches() -> Iterator[tuple[int, list[Move]]]:
    for seed in count():
        moves = script(seed, _GAME, _SEATS)
        if len(moves) >= _BEGINNINGS[-1] + _WINDOW:
            yield seed, moves


async def _measure(folder: Path, url: str, matches: int) -> None:
    engine = engine_on(url, folder, "engine")
    times: dict[int, list[float]] = {begin: [] for begin in _BEGINNINGS}
    spent = dict.fromkeys(_BEGINNINGS, 0.0)
    try:
        async with grpc.aio.insecure_channel(engine.address) as channel:
            caller = Caller(match_pb2_grpc.MatchServiceStub(channel), _long_matches(), _GAME, _SEATS)
            for _ in range(matches):
                await caller.begin()
                sent = 0
                for begin in _BEGINNINGS:
                    for _ in range(begin - sent):
                        await caller.submit()
                    before = engine.cpu()
                    times[begin] += [await caller.submit() for _ in range(_WINDOW)]
                    spent[begin] += engine.cpu() - before
                    sent = begin + _WINDOW
    finally:
        engine.stop()
    print(f"{'moves':>12} {'p50 ms':>7} {'server us':>10}")
    for begin, seconds in times.items():
        where = f"{begin:,}-{begin + _WINDOW:,}"
        print(f"{where:>12} {statistics.median(seconds) * 1000:>7.2f} {spent[begin] / len(seconds) * 1e6:>10.0f}")


def main(matches: int = 5) -> int:
    """Print the figures; return the exit status."""
    return run(lambda folder, url: _measure(folder, url, matches))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.growth", description=__doc__)
    parser.add_argument("--matches", type=int, default=5, help="matches of more than 2,200 moves (default 5)")
    sys.exit(main(parser.parse_args().matches))
