"""A store that loses replies, goes away or comes back does no harm: what was acknowledged is there, once."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import grpc
import pytest

import services.store
from services.config import Settings
from services.server import Pod
from services.store import keys
from services.store.changes import Work
from services.store.store import Store
from tests.chaos.proxy import Proxy
from tests.services.conftest import Stored
from tests.services.table import BOT_TOKEN, DEADLINE, Client, fresh, refusal
from tests.services.test_watch import until
from veche.v1 import common_pb2, match_pb2


@pytest.fixture
async def proxy(redis_url: str) -> AsyncIterator[Proxy]:
    port = urlsplit(redis_url).port
    assert port is not None
    proxy = Proxy(port)
    await proxy.start()
    yield proxy
    await proxy.cut()


@pytest.fixture
async def pod(redis_url: str, proxy: Proxy) -> AsyncIterator[Pod]:
    parts = urlsplit(redis_url)
    url = f"redis://:{parts.password}@127.0.0.1:{proxy.port}/0"
    pod = Pod(Settings(redis_url=url, port=0, bot_token=BOT_TOKEN, drain=0.0, grace=0.5))
    await pod.start()
    yield pod
    await pod.stop()


@pytest.fixture
async def client(pod: Pod) -> AsyncIterator[Client]:
    client = Client(f"127.0.0.1:{pod.port}")
    yield client
    await client.close()


async def test_a_lost_reply_is_one_move_and_a_good_answer(client: Client, proxy: Proxy, stored: Stored) -> None:
    seats = await client.create()
    dice = random.Random(1)
    for version in range(1, 11):
        view = await seats.on_turn()
        proxy.lose = 1 + version % 2
        before = proxy.scripts
        reply = await seats.submit(seats.answer(view, dice.randrange(len(view.choice.legal_actions))), view.seat)
        assert proxy.scripts - before == 2 + version % 2
        assert reply.version == version
    (log,) = stored.client.keys("*:log")
    assert stored.client.llen(log) == 10
    assert proxy.lost == 15


async def test_a_match_is_created_once_although_the_reply_was_lost(
    client: Client, proxy: Proxy, stored: Stored
) -> None:
    proxy.lose = 2
    seats = await client.create()
    assert len(stored.client.keys("*:log")) == 0
    assert len(stored.client.keys("*:state")) == 1
    assert await seats.on_turn() is not None


@pytest.mark.parametrize("form", ["the oldest", "this one"])
async def test_a_claim_whose_reply_was_lost_is_answered_with_what_it_took(
    redis_url: str, proxy: Proxy, stored: Stored, form: str
) -> None:
    queue, leases = keys.queue(keys.shard_of("m1"), "q"), keys.leases(keys.shard_of("m1"), "q")
    stored.client.zadd(queue, {"m1|0.0": 1, "m2|0.0": 2, "m3|0.0": 3})
    store = Store(f"redis://:{urlsplit(redis_url).password}@127.0.0.1:{proxy.port}/0")
    script = Path(services.store.__file__).with_name("claim.lua").read_bytes()
    proxy.signs = (stored.client.script_load(script).encode(),)
    proxy.lose = 2
    if form == "the oldest":
        (lease,) = await store.claim(keys.shard_of("m1"), "q", 30_000, 1)
    else:
        found = await store.claim_one(Work("q", "m1", "0.0"), 30_000)
        assert found is not None
        lease = found
    assert proxy.lost == 2
    assert (lease.work.match_id, lease.attempt) == ("m1", 1)
    ends = (b"m1|0.0", lease.until_ms)
    assert stored.client.zrange(queue, 0, -1, withscores=True) == [(b"m2|0.0", 2), (b"m3|0.0", 3), ends]
    assert stored.client.hlen(leases) == 1
    left, until = await store.renew(lease.work, lease.nonce, 0, 0)
    assert until == lease.until_ms
    assert 0 < left <= 30_000
    rest = await store.claim(keys.shard_of("m1"), "q", 30_000, 5)
    assert [(other.work.match_id, other.attempt) for other in rest] == [("m2", 1), ("m3", 1)]
    assert len({lease.nonce, *(other.nonce for other in rest)}) == 3
    await store.close()


async def test_while_the_store_is_away_calls_are_refused_and_then_go_on(pod: Pod, client: Client, proxy: Proxy) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    health = health_pb2_grpc.HealthStub(client.channel)

    async def serving(name: str) -> bool:
        reply = await health.Check(health_pb2.HealthCheckRequest(service=name))
        return reply.status == health_pb2.HealthCheckResponse.SERVING

    seats = await client.create()
    stream = seats.watch(0)
    await until(stream, "snapshot")
    view = await seats.on_turn()
    request = seats.answer(view)
    assert await serving("readiness")
    await proxy.cut()
    told = await refusal(seats.submit(request, view.seat))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    assert told.wait > 0
    assert "does not answer" in told.message
    async with asyncio.timeout(DEADLINE):
        while await serving("readiness"):
            await asyncio.sleep(0.1)
    assert await serving("liveness")
    await proxy.start()
    async with asyncio.timeout(DEADLINE):
        while not await serving("readiness"):
            await asyncio.sleep(0.1)
    assert (await seats.submit(request, view.seat)).version == 1
    (update,) = await asyncio.wait_for(until(stream, "update"), DEADLINE)
    assert update.position.version == 1
    stream.cancel()


async def test_callers_that_give_up_leave_no_answer_for_the_next(client: Client) -> None:
    """A cancelled command must not leave its reply on the connection for somebody else."""
    matches = [await client.create(2, visibility=common_pb2.VISIBILITY_PRIVATE) for _ in range(8)]
    dice = random.Random(2)

    async def give_up(n: int) -> None:
        seats = matches[n % 8]
        call = seats.client.matches.GetMatch(
            match_pb2.GetMatchRequest(match_id=seats.id),
            timeout=dice.uniform(0.0005, 0.01),
            metadata=(("authorization", f"Bearer {seats.host}"),),
        )
        (told,) = await asyncio.gather(call, return_exceptions=True)
        if isinstance(told, grpc.aio.AioRpcError):
            assert told.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        else:
            assert told.match.id == seats.id

    for _ in range(10):
        await asyncio.gather(*(give_up(n) for n in range(40)))
        for seats in matches:
            assert (await seats.match()).id == seats.id
            assert (await seats.view(0)).match_id == seats.id


async def test_a_pod_needs_a_redis_of_its_own_number_of_shards(redis_url: str, stored: Stored) -> None:
    from services.store.changes import StoreMisfitError

    stored.client.set("veche:shards", 16)
    pod = Pod(Settings(redis_url=redis_url, port=0))
    with pytest.raises(StoreMisfitError, match="16 virtual shards"):
        await pod.start()
    await pod.stop()


async def test_scripts_that_redis_forgot_are_sent_again(client: Client, stored: Stored) -> None:
    seats = await client.create()
    stored.client.script_flush()
    view = await seats.on_turn()
    assert (await seats.submit(seats.answer(view, request_id=fresh()), view.seat)).version == 1
