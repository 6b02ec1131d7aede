"""What is stored is bounded and can be seen: a limit on unfinished matches, the operator's list, no ghosts in it."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from msgspec.structs import replace

from services.config import Settings
from services.matches import census
from services.server import Pod
from services.store.index import used_part
from services.store.store import Store
from tests.services.conftest import Stored, refused
from tests.services.table import ADMIN_TOKEN, DEADLINE, Client, Seats, bearer, fresh, refusal
from veche.v1 import admin_pb2, common_pb2, match_pb2

PRIVATE = common_pb2.VISIBILITY_PRIVATE


@asynccontextmanager
async def at(config: Settings) -> AsyncIterator[Client]:
    pod = Pod(config)
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    try:
        yield client
    finally:
        await client.close()
        await pod.stop()


async def all_matches(client: Client, **fields: Any) -> Any:
    request = admin_pb2.ListAllMatchesRequest(**fields)
    return await client.admin.ListAllMatches(request, timeout=DEADLINE, metadata=bearer(ADMIN_TOKEN))


async def close(seats: Seats) -> None:
    request = match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh())
    await seats.client.matches.CloseMatch(request, timeout=DEADLINE, metadata=bearer(seats.host))


async def test_a_deployment_that_is_full_takes_no_match_until_one_has_ended(
    config: Settings, stored: Stored, monkeypatch: Any
) -> None:
    monkeypatch.setattr(census, "FRESH_SECONDS", 0.0)
    async with at(replace(config, matches=2)) as client:
        first, _ = await client.create(), await client.create(visibility=PRIVATE)
        request = match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2)
        told = await refused(
            client.matches.CreateMatch(request, timeout=DEADLINE),
            stored,
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "LIMIT_REACHED",
        )
        assert "holds 2 matches" in told.message
        assert "play or close one of yours" in told.message
        assert told.wait > 1
        await close(first)
        assert (await client.matches.CreateMatch(request, timeout=DEADLINE)).match.id


async def test_a_store_that_is_nearly_full_takes_no_match_and_every_move(
    config: Settings, stored: Stored, monkeypatch: Any
) -> None:
    monkeypatch.setattr(census, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(census, "COUNT_SECONDS", 0.0)
    monkeypatch.setattr(census, "FULL", 0.1)
    async with at(config) as client:
        seats = await client.create()
        stored.client.config_set("maxmemory", stored.client.info("memory")["used_memory"] * 4)
        try:
            request = match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2)
            told = await refusal(client.matches.CreateMatch(request, timeout=DEADLINE))
            assert await seats.play(20, random.Random(1)) == 20
            await close(seats)
        finally:
            stored.client.config_set("maxmemory", 0)
        assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
        assert "nearly full" in told.message
        assert told.wait > 1
        assert (await client.matches.CreateMatch(request, timeout=DEADLINE)).match.id


async def test_a_creation_sent_again_is_answered_even_when_the_deployment_is_full(config: Settings) -> None:
    async with at(replace(config, matches=1)) as client:
        request = match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2)
        made = await client.matches.CreateMatch(request, timeout=DEADLINE)
        assert await client.matches.CreateMatch(request, timeout=DEADLINE) == made


async def test_the_operator_lists_private_matches_and_nobody_else_does(client: Client) -> None:
    shown, hidden = await client.create(), await client.create(visibility=PRIVATE)
    assert [match.id for match in (await all_matches(client)).matches] == [hidden.id, shown.id]
    assert [match.id for match in (await client.matches.ListMatches(match_pb2.ListMatchesRequest())).matches] == [
        shown.id
    ]
    await close(hidden)
    assert [m.id for m in (await all_matches(client, statuses=[common_pb2.MATCH_STATUS_CLOSED])).matches] == [hidden.id]
    first = await all_matches(client, page_size=1)
    rest = await all_matches(client, page_size=1, page_token=first.next_page_token)
    assert [m.id for page in (first, rest) for m in page.matches] == [hidden.id, shown.id]
    for token, reason in ((None, "TOKEN_REQUIRED"), (shown.host, "TOKEN_UNKNOWN")):
        call = client.admin.ListAllMatches(admin_pb2.ListAllMatchesRequest(), metadata=bearer(token))
        assert (await refusal(call)).reason == reason
    call = client.admin.ListAllMatches(admin_pb2.ListAllMatchesRequest(statuses=[77]), metadata=bearer(ADMIN_TOKEN))
    assert (await refusal(call)).field == "statuses[0]"


async def test_matches_that_expired_leave_the_indexes_though_nobody_lists_them(
    client: Client, redis_url: str, stored: Stored
) -> None:
    kept = await client.create()
    for fields in ({}, {"visibility": PRIVATE}, {"auto_start": False}):
        gone = await client.create(**fields)
        for key in stored.client.keys(f"*:m:{gone.id}*"):
            stored.client.delete(key)
    store = Store(redis_url)
    try:
        assert sum([await store.index.tidy() for _ in range(64 * 5 * 2)]) == 3
    finally:
        await store.close()
    assert [m for key in stored.client.keys("*:[ip]:*") for m in stored.client.zrange(key, 0, -1)] == [kept.id.encode()]


async def test_a_long_index_is_tidied_page_by_page(redis_url: str, stored: Stored, monkeypatch: Any) -> None:
    from services.store import index, keys

    monkeypatch.setattr(index, "BATCH", 2)
    name = keys.index(0, "lobby", False)
    stored.client.zadd(name, {f"gone{n}": n for n in range(7)})
    store = Store(redis_url)
    try:
        assert [await store.index.tidy() for _ in range(4)] == [2, 2, 2, 1]
    finally:
        await store.close()
    assert not stored.client.exists(name)


@pytest.mark.parametrize(
    ("memory", "part"),
    [
        (b"# Memory\r\nused_memory:50\r\nused_memory_human:50B\r\nmaxmemory:200\r\nmaxmemory_human:200B\r\n", 0.25),
        (b"used_memory:50\r\nmaxmemory:0\r\n", 0.0),
        (b"", 0.0),
        ({"used_memory": 50, "used_memory_human": "50B", "maxmemory": 100}, 0.5),
        ({"10.0.0.1:6379": {"used_memory": 50, "maxmemory": 100, "maxmemory_human": "100B"}}, 0.5),
    ],
)
def test_how_full_a_redis_is_follows_from_what_it_tells_of_its_memory(memory: Any, part: float) -> None:
    assert used_part(memory) == part
