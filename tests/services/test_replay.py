"""The launcher's `replay` follows what a service recorded, also of matches that were closed or are private."""

import argparse
import asyncio
import random

import pytest

from services.cli import replay
from services.server import Pod
from tests.services.table import Client, Seats, bearer, fresh
from veche.v1 import common_pb2, match_pb2


async def replayed(pod: Pod, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    replay.add_arguments(parser)
    args = parser.parse_args(["--engine", f"127.0.0.1:{pod.port}", *arguments])
    return await asyncio.to_thread(replay.main, args)


async def closed(client: Client) -> Seats:
    """Return a private match, closed by its host after some moves."""
    seats = await client.create(visibility=common_pb2.VISIBILITY_PRIVATE)
    await seats.play(6, random.Random(1))
    request = match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh(), reason="supper is ready")
    await client.matches.CloseMatch(request, metadata=bearer(seats.host))
    return seats


@pytest.fixture(autouse=True)
def _games_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay.registry, "load", lambda _: None)  # this process has loaded them


@pytest.mark.parametrize("who", ["host", "seat"])
async def test_a_closed_private_match_is_replayed_to_where_it_was_closed(
    pod: Pod, client: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    seats = await closed(client)
    if who == "host":
        assert await replayed(pod, "--match", seats.id, "--token", seats.host) == 0
    else:
        monkeypatch.setenv("VECHE_TOKEN", seats.tokens[1])
        assert await replayed(pod, "--match", seats.id) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.lstrip()[0].isdigit() for line in lines) == 6
    assert lines[-1] == "the match was closed at move 6: supper is ready"


async def test_a_record_without_all_of_its_pages_is_refused(client: Client) -> None:
    seats = await closed(client)
    request = match_pb2.GetRecordRequest(match_id=seats.id, page_size=4)
    record = await client.matches.GetRecord(request, metadata=bearer(seats.host))
    with pytest.raises(ValueError, match="has 4 of 6 moves: are all of its pages there"):
        list(replay.replay(record))
