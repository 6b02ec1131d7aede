"""Decisions that this pod cannot answer stand in nobody's way, and the operator hears of them."""

import asyncio
import itertools
from typing import Any

import pytest
import structlog
from msgspec.structs import replace
from structlog.testing import capture_logs

from services import telemetry
from services.config import Settings
from services.matches.overdue import Overdue
from services.store import keys, rows
from services.store.store import OVERDUE
from tests.services.conftest import Stored
from tests.services.table import ADMIN_TOKEN, BOT_TOKEN, DEADLINE, Client, Seats, Worker, bearer, fresh
from veche.v1 import admin_pb2, common_pb2, match_pb2

LEFT = 2 * OVERDUE + 3


@pytest.fixture
def patience() -> float:
    return 3.0


@pytest.fixture
def config(redis_url: str, patience: float) -> Settings:
    return Settings(
        redis_url=redis_url,
        port=0,
        bot_token=BOT_TOKEN,
        admin_token=ADMIN_TOKEN,
        drain=0.0,
        grace=0.5,
        lease=1.0,
        attempts=50,
        patience=patience,
        rate=1e6,
    )


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Forget what a pod of another test in this process counted last."""
    telemetry.STRANDED_DECISIONS.set(0)


async def bots_only(client: Client) -> Seats:
    return await client.create(2, bots={0: "random", 1: "random"})


def leave_behind(stored: Stored, match_id: str, count: int) -> list[str]:
    """Copy a match under earlier rules onto its own shard, each copy with an old open bot decision."""
    head, shard = keys.match(match_id).head, keys.shard_of(match_id)
    info = rows.unpack_info(stored.client.hget(head, "info"))
    old = rows.pack(replace(info, rules_version="0.9"))
    queue = keys.queue_name("rurik", "0.9", info.data_version, "random")
    names = (f"old{n}" for n in itertools.count())
    chosen = list(itertools.islice((name for name in names if keys.shard_of(name) == shard), count))
    for name in chosen:
        copy = keys.match(name).head
        stored.client.restore(copy, 0, stored.client.dump(head))
        stored.client.hset(copy, "info", old)
        stored.client.zadd(keys.queue(shard, queue), {f"{name}|0.0": 1000})
        stored.client.zadd(keys.open_work(shard), {f"{queue}|{name}|0.0": 1000})
    return chosen


def stranded() -> float:
    return telemetry.STRANDED_DECISIONS._value.get()


async def first_step(client: Client, match_id: str) -> Any:
    async with asyncio.timeout(DEADLINE):
        while True:
            record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id), timeout=DEADLINE)
            if record.entries:
                return record.entries[0]
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("patience", [600.0])
async def test_decisions_of_retired_rules_keep_no_turn_from_being_offered_again(client: Client, stored: Stored) -> None:
    seats = await bots_only(client)
    leave_behind(stored, seats.id, LEFT)
    killed = await Worker.subscribe(client, name="killed")
    assert (await killed.offer()).attempt == 1
    killed.leave()
    other = await Worker.subscribe(client, name="other")
    again = await other.offer()
    assert (again.match_id, again.attempt) == (seats.id, 2)
    other.leave()


async def test_decisions_of_retired_rules_keep_no_default_move_from_being_played(
    client: Client, stored: Stored
) -> None:
    seats = await bots_only(client)
    leave_behind(stored, seats.id, LEFT)
    step = await first_step(client, seats.id)
    assert step.actor.kind == common_pb2.ACTOR_KIND_CLOCK


async def test_thoughts_under_a_lease_keep_no_default_move_from_being_played(client: Client, stored: Stored) -> None:
    seats = await bots_only(client)
    shard = keys.shard_of(seats.id)
    (queue,) = (key.decode().partition(":q:")[2] for key in stored.client.keys("*:q:*"))
    far = 1 << 50
    for number in range(LEFT):
        stored.client.zadd(keys.queue(shard, queue), {f"thinking{number}|0.0": far})
        stored.client.zadd(keys.open_work(shard), {f"{queue}|thinking{number}|0.0": 1000})
    step = await first_step(client, seats.id)
    assert step.actor.kind == common_pb2.ACTOR_KIND_CLOCK


async def test_the_operator_sees_which_rules_are_missed_until_the_matches_are_closed(
    client: Client, stored: Stored
) -> None:
    seats = await bots_only(client)
    left = leave_behind(stored, seats.id, LEFT)
    structlog.reset_defaults()
    with capture_logs() as lines:
        async with asyncio.timeout(DEADLINE):
            while not any(line["event"].startswith("bot decisions wait") for line in lines):
                await asyncio.sleep(0.05)
    (line,) = [line for line in lines if line["event"].startswith("bot decisions wait")]
    assert stranded() == LEFT
    longest = min(left, key=lambda name: f"{name}|")
    assert (line["log_level"], line["decisions"], line["matches"]) == ("warning", LEFT, [longest])
    assert [rules.rpartition("/")[0] for rules in line["rules"]] == ["rurik/0.9"]
    for match_id in left:
        request = admin_pb2.TerminateMatchRequest(match_id=match_id, request_id=fresh())
        await client.admin.TerminateMatch(request, timeout=DEADLINE, metadata=bearer(ADMIN_TOKEN))
    async with asyncio.timeout(DEADLINE):
        while stranded() != 0:
            await asyncio.sleep(0.05)
    assert not stored.client.keys("*:q:rurik/0.9/*")


async def test_a_walk_meets_every_decision_whatever_stays(client: Client, pod: Any, stored: Stored) -> None:
    seats = await bots_only(client)
    left = leave_behind(stored, seats.id, LEFT)
    store = pod._store
    for task in pod._desk._tasks:  # which walk too
        task.cancel()
    walk = Overdue(pod._desk._play, 1000)
    met: list[str] = []
    whole = store.overdue

    async def overdue(before: int, offsets: list[int]) -> Any:
        pages = await whole(before, offsets)
        met.extend(work.match_id for page in pages for work in page)
        return pages

    store.overdue = overdue
    for _ in range(3):
        await walk.step(10_000, 5_000)
    assert sorted(met) == sorted(left)
    assert stranded() == LEFT
