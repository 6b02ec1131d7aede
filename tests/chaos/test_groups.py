"""The same code plays on a Redis Cluster and behind Sentinels, also while a master dies."""

import asyncio
import contextlib
import gc
import random
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.config import Settings
from services.server import Pod
from services.store import keys
from services.store.changes import StoreAwayError
from services.store.connect import POOL
from services.store.store import Store
from tests.chaos.groups import BUS, Group, cluster, kill_clustered, kill_watched, sentinels
from tests.chaos.proxy import Proxy
from tests.chaos.test_processes import patient
from tests.ports import free_ports
from tests.services.table import BOT_TOKEN, Client, Worker
from tests.services.test_bots import play_on
from tests.services.test_watch import kinds, until
from veche.v1 import common_pb2, match_pb2

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]


async def play_everything(url: str) -> None:
    """Play matches with clients, bots, streams and a listing; every script runs at least once."""
    pod = Pod(Settings(redis_url=url, port=0, bot_token=BOT_TOKEN, drain=0.0, grace=0.5))
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    try:
        worker = await Worker.subscribe(client, ("random", "greedy"), capacity=4)
        released = await client.create(2, bots={0: "random", 1: "random"})
        offer = await worker.offer()
        await worker.renew(offer)
        await worker.release(offer)
        playing = asyncio.create_task(play_on(worker, random.Random(1)))
        matches = [await client.create(2, bots={1: "greedy"}) for _ in range(4)]
        streams = [seats.watch(0) for seats in matches]
        for stream in streams:
            await until(stream, "snapshot")
        for seats, stream in zip(matches, streams, strict=True):
            dice = random.Random(seats.id)
            for _ in range(12):
                async with asyncio.timeout(60):
                    while not await seats.play(1, dice):
                        await asyncio.sleep(0.01)
            assert "update" in kinds(await until(stream, "update"))
            stream.cancel()
        listed = await client.matches.ListMatches(match_pb2.ListMatchesRequest())
        assert {match.id for match in listed.matches} == {seats.id for seats in [released, *matches]}
        record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=matches[0].id))
        assert len(record.entries) >= 12
        playing.cancel()
    finally:
        await client.close()
        await pod.stop()


async def survive(url: str, kill: Callable[[str], None]) -> None:
    """Play while the match's master dies: calls may be refused for a while, and then the match goes on to its end."""
    pod = Pod(Settings(redis_url=url, port=0, drain=0.0, grace=0.5))
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    try:
        seats = await client.create(2)
        dice = random.Random(1)
        await seats.play(30, dice)
        await asyncio.to_thread(kill, seats.id)
        refused = 0
        async with asyncio.timeout(200):
            while True:
                view = await patient(seats.on_turn)
                if view is None:
                    break
                request = seats.answer(view, dice.randrange(len(view.choice.legal_actions)))
                try:
                    await patient(lambda r=request, s=view.seat: seats.submit(r, s))
                except grpc.aio.AioRpcError as error:
                    # The store may go back to what the replica knew.
                    if error.code() is not grpc.StatusCode.ABORTED:
                        raise
                    refused += 1
        assert refused <= 3
        assert (await seats.match()).status == common_pb2.MATCH_STATUS_FINISHED
    finally:
        await client.close()
        await pod.stop()


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    group = Group(tmp_path)
    yield group
    group.close()


def run(playing: Coroutine[Any, Any, None]) -> None:
    """Play to the end, and clear away the connections to servers that died, which the library leaves unclosed."""
    asyncio.run(playing)
    gc.collect()


@pytest.mark.parametrize(
    ("password", "query"), [("", ""), ("p/w", ""), ("own", "?sentinel_password=own")], ids=["none", "same", "own"]
)
def test_sentinels_are_asked_with_their_password(group: Group, password: str, query: str) -> None:
    master, watcher = free_ports(2)
    group.start(master, "requirepass p/w")
    watch = [f"sentinel monitor veche 127.0.0.1 {master} 1", "sentinel auth-pass veche p/w"]
    group.start(watcher, *watch, *([f"requirepass {password}"] if password else []), mode="--sentinel")

    async def ask() -> None:
        store = Store(f"redis+sentinel://:p%2Fw@127.0.0.1:{watcher}/veche{query}")
        async with asyncio.timeout(20):
            while True:
                with contextlib.suppress(StoreAwayError):
                    await store.open()
                    break
                await asyncio.sleep(0.1)
        await store.ping()
        await store.close()

    run(ask())


def test_a_cluster_serves_more_callers_at_once_than_it_gets_connections(group: Group) -> None:
    (port,) = free_ports(1, 10_000)
    group.start(port, "cluster-enabled yes")
    group.call(port, "CLUSTER ADDSLOTS", *range(16384))
    group.until(port, "cluster_state", "ok", "CLUSTER INFO")

    async def ask() -> None:
        store = Store(f"redis+cluster://127.0.0.1:{port}")
        await store.open()
        await asyncio.gather(*(store.ping() for _ in range(5 * POOL)))
        await store.close()

    run(ask())


def test_a_master_that_became_a_replica_is_left_though_only_scripts_find_out(group: Group) -> None:
    former, master = free_ports(2)
    group.start(former)
    group.start(master, f"replicaof 127.0.0.1 {former}")
    group.until(master, "master_link_status", "up", "INFO", "replication")
    queue = keys.queue(0, "q")

    async def claim() -> None:
        proxy = Proxy(former)
        await proxy.start()
        store = Store(f"redis://127.0.0.1:{proxy.port}/0")
        await store.open()
        await store.ping()
        group.until_copied(former)
        group.call(master, "REPLICAOF", "NO", "ONE")
        group.call(former, "REPLICAOF", "127.0.0.1", master)
        group.call(master, "ZADD", queue, 1, "m1|0.0")
        group.until(former, "master_link_status", "up", "INFO", "replication")
        group.until_copied(master)
        with pytest.raises(StoreAwayError, match="READONLY"):
            await store.ping()
        with pytest.raises(StoreAwayError, match="READONLY"):
            await store.claim(0, "q", 30_000, 1)
        # The address now leads to the new master; the connection that is there does not.
        proxy.target = master
        (lease,) = await store.claim(0, "q", 30_000, 1)
        assert lease.work.match_id == "m1"
        await store.ping()
        await store.close()
        await proxy.cut()

    run(claim())


def test_a_cluster_without_its_majority_is_waited_for(group: Group) -> None:
    most, one = free_ports(2, BUS)
    for port in (most, one):
        group.start(port, "cluster-enabled yes", "cluster-node-timeout 30000")
    group.call(most, "CLUSTER ADDSLOTS", *range(1, 16384))
    group.call(one, "CLUSTER ADDSLOTS", 0)
    group.call(one, "CLUSTER SET-CONFIG-EPOCH", 1)
    group.call(one, "CLUSTER MEET", "127.0.0.1", most)
    group.until(most, "cluster_state", "ok", "CLUSTER INFO")
    group.kill(one)
    group.call(most, "CONFIG SET", "cluster-node-timeout", 1000)
    group.until(most, "cluster_state", "fail", "CLUSTER INFO")
    group.call(most, "CONFIG SET", "cluster-node-timeout", 30000)
    url = f"redis+cluster://127.0.0.1:{most}"

    async def wait() -> None:
        store = Store(url)
        with pytest.raises(StoreAwayError):
            await store.open()
        group.start(one)
        async with asyncio.timeout(60.0):
            while not store.secret:
                await asyncio.sleep(0.2)
                with contextlib.suppress(StoreAwayError):
                    await store.open()
        await store.ping()
        await store.close()

    run(wait())


def test_a_cluster_keeps_matches_and_survives_the_death_of_a_master(group: Group) -> None:
    url, masters = cluster(group)
    run(play_everything(url))
    run(survive(url, lambda match_id: kill_clustered(group, masters, match_id)))


def test_sentinels_lead_to_the_new_master(group: Group) -> None:
    url, master, watchers = sentinels(group)
    run(play_everything(url))
    run(survive(url, lambda _: kill_watched(group, master, watchers)))
