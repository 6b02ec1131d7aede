"""Callers that give up, a store that is full and a store that is killed leave no half of anything behind."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import grpc
import pytest
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from engine.core import codec
from engine.core.registry import GAMES
from engine.core.replay import Entry, Record, replay
from services import server
from services.config import Settings
from services.server import Pod
from services.store import embedded, keys, rows
from services.store.changes import StoreMisfitError
from tests.ports import free_ports
from tests.services.conftest import Stored
from tests.services.table import ADMIN_TOKEN, BOT_TOKEN, DEADLINE, Client, Seats, bearer, fresh, refusal
from veche.v1 import admin_pb2, match_pb2


def check_replay(client: Any, match_id: str) -> int:
    """Check that the log has one entry per version and leads to the stored state; return the version."""
    rules, names = GAMES["rurik"], keys.match(match_id)
    head = client.hgetall(names.head)
    log = [rows.unpack_entry(raw) for raw in client.lrange(names.log, 0, -1)]
    info, meta = rows.unpack_info(head[b"info"]), rows.unpack_meta(head[b"meta"])
    assert len(log) == int(head[b"version"])
    record = Record(
        info.game,
        info.rules_version,
        info.data_version,
        len(meta.seats),
        info.options,
        int.from_bytes(head[b"seed"], "big"),
        tuple(Entry(e.seat, codec.decode_action(rules, e.action), e.actor.value) for e in log),
    )
    assert codec.encode(rules, replay(rules, record)) == client.get(names.state)
    return len(log)


async def test_moves_cancelled_at_any_moment_are_whole_or_absent(client: Client, stored: Stored) -> None:
    seats = await client.create()
    dice = random.Random(3)
    acknowledged = 0
    for _ in range(500):
        view = await seats.on_turn()
        if view is None:
            break
        assert view.version >= acknowledged
        call = seats.submit(seats.answer(view, dice.randrange(len(view.choice.legal_actions))), view.seat)
        if dice.random() < 0.8:
            await asyncio.sleep(dice.random() * 0.003)
            call.cancel()
        try:
            acknowledged = (await call).version
        except asyncio.CancelledError:
            pass
        except grpc.aio.AioRpcError as error:
            # One that was cancelled before came in after all, when the view had been read already.
            assert error.code() is grpc.StatusCode.ABORTED  # noqa: PT017 - other codes are the fault
    assert check_replay(stored.client, seats.id) > 50


@pytest.mark.parametrize("deadline", [0.0005, 0.001, 0.003])
async def test_deadlines_of_a_millisecond_lose_nothing_that_a_retry_finds(
    client: Client, stored: Stored, deadline: float
) -> None:
    seats = await client.create()
    dice = random.Random(4)
    for turn in range(40):
        view = await seats.on_turn()
        request = seats.answer(view, dice.randrange(len(view.choice.legal_actions)))
        for attempt in range(4):
            wait = deadline if attempt < 3 else DEADLINE
            call = client.matches.SubmitActions(request, timeout=wait, metadata=bearer(seats.tokens[view.seat]))
            try:
                reply = await call
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED  # noqa: PT017 - other codes are the fault
            else:
                assert reply.version == turn + 1
                break
    assert check_replay(stored.client, seats.id) == 40


async def test_resigning_closing_and_moving_at_once_leaves_one_history(client: Client, stored: Stored) -> None:
    dice = random.Random(5)
    for _ in range(12):
        seats = await client.create()
        await seats.play(dice.randrange(8), dice)
        view = await seats.on_turn()
        calls = [
            seats.submit(seats.answer(view), view.seat),
            client.matches.Resign(
                match_pb2.ResignRequest(match_id=seats.id, request_id=fresh()),
                timeout=DEADLINE,
                metadata=bearer(seats.tokens[view.seat]),
            ),
            client.matches.CloseMatch(
                match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh()),
                timeout=DEADLINE,
                metadata=bearer(seats.host),
            ),
        ]
        dice.shuffle(calls)
        told = await asyncio.gather(*calls, return_exceptions=True)
        codes = {error.code().name for error in told if isinstance(error, grpc.aio.AioRpcError)}
        assert codes <= {"FAILED_PRECONDITION", "PERMISSION_DENIED", "ABORTED"}
        check_replay(stored.client, seats.id)
        assert not stored.work()


async def test_leaving_joining_and_starting_at_once_gives_each_seat_one_owner(client: Client) -> None:
    for _ in range(8):
        claim = match_pb2.SeatSetup(seat=0, claim=match_pb2.SeatClaim(name="first"))
        create = match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2, seats=[claim])
        seats = Seats(client, await client.matches.CreateMatch(create, timeout=DEADLINE))
        joins = [
            client.matches.JoinMatch(
                match_pb2.JoinMatchRequest(match_id=seats.id, request_id=fresh()), timeout=DEADLINE
            )
            for _ in range(4)
        ]
        leave = client.matches.LeaveMatch(
            match_pb2.LeaveMatchRequest(match_id=seats.id, request_id=fresh()),
            timeout=DEADLINE,
            metadata=bearer(seats.tokens[0]),
        )
        told = await asyncio.gather(*joins, leave, return_exceptions=True)
        joined = [reply for reply in told[:-1] if not isinstance(reply, BaseException)]
        taken = [reply.seat_token.seat for reply in joined]
        assert sorted(set(taken)) == sorted(taken)
        owners = 0
        for reply in joined:
            request = match_pb2.GetMatchRequest(match_id=seats.id)
            await client.matches.GetMatch(request, timeout=DEADLINE, metadata=bearer(reply.seat_token.token))
            owners += 1
        assert owners == len(joined) >= 1


async def test_a_full_store_refuses_and_goes_on_when_there_is_room(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view)
    before = stored.dump()
    stored.client.config_set("maxmemory", 1)
    try:
        refused = await refusal(seats.submit(request, view.seat))
        assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
        assert refused.wait > 0
        assert "refuses" in refused.message
        assert "operator" in refused.message
        create = match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2)
        assert (await refusal(client.matches.CreateMatch(create, timeout=DEADLINE))).reason == "STORE_UNAVAILABLE"
        assert (await seats.view(view.seat)).version == 0
        assert stored.dump() == before
    finally:
        stored.client.config_set("maxmemory", 0)
    assert (await seats.submit(request, view.seat)).version == 1
    await client.matches.CreateMatch(create, timeout=DEADLINE)


class Killable:
    """Be a Redis with a fixed port that may be killed and started again on its data.

    It hands every write to the system before it answers: with "everysec" it may hold one back while the disk is busy.
    """

    def __init__(self, folder: Path) -> None:
        (self.port,) = free_ports(1)
        self.command = [
            *(embedded.find_server(), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder)),
            *("--appendonly", "yes", "--appendfsync", "no", "--save", "", "--logfile", "redis.log"),
        ]
        self.process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=sys.stderr)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[Killable]:
    server = Killable(tmp_path)
    yield server
    server.kill()


async def test_a_store_killed_under_load_comes_back_with_all_that_was_acknowledged(killable: Killable) -> None:
    pod = Pod(
        Settings(
            redis_url=f"redis://127.0.0.1:{killable.port}/0",
            port=0,
            bot_token=BOT_TOKEN,
            drain=0.0,
            grace=0.5,
            rate=1e6,
        )
    )
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    acknowledged: dict[str, int] = {}
    going = True

    async def play(seats: Seats, dice: random.Random) -> None:
        while going:
            try:
                view = await seats.on_turn()
                if view is None:
                    return
                assert view.version >= acknowledged.get(seats.id, 0), "an acknowledged move is gone"
                request = seats.answer(view, dice.randrange(len(view.choice.legal_actions)))
                while going:
                    try:
                        acknowledged[seats.id] = (await seats.submit(request, view.seat)).version
                        break
                    except grpc.aio.AioRpcError as error:
                        assert error.code() is grpc.StatusCode.UNAVAILABLE, error  # noqa: PT017 - see above
                        await asyncio.sleep(0.05)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.UNAVAILABLE, error  # noqa: PT017 - see above
                await asyncio.sleep(0.05)

    try:
        tables = [await client.create(seed=str(n)) for n in range(4)]
        playing = {seats.id: asyncio.create_task(play(seats, random.Random(n))) for n, seats in enumerate(tables)}
        for _ in range(3):
            await asyncio.sleep(0.4)
            killable.kill()
            await asyncio.sleep(0.2)
            reached = {m: acknowledged.get(m, 0) for m in playing}
            killable.start()
            async with asyncio.timeout(60):
                while any(acknowledged.get(m, 0) <= reached[m] and not playing[m].done() for m in reached):
                    assert not any(task.done() and task.exception() for task in playing.values())
                    await asyncio.sleep(0.05)
        going = False
        await asyncio.gather(*playing.values())
        with redis.Redis(port=killable.port) as direct:
            for seats in tables:
                assert check_replay(direct, seats.id) >= acknowledged[seats.id]
    finally:
        going = False
        await client.close()
        await pod.stop()


async def test_a_match_whose_state_cannot_be_read_is_listed_and_closed(
    pod: Pod, client: Client, stored: Stored
) -> None:
    seats, other = await client.create(), await client.create()
    await seats.play(4, random.Random(1))
    for broken in (seats, other):
        stored.client.set(keys.match(broken.id).state, b"no state at all")
        pod._watch._play.tables.forget(broken.id)
    view = await refusal(seats.view(0))
    assert (view.code, view.reason) == (grpc.StatusCode.UNAVAILABLE, "RULES_VERSION_UNAVAILABLE")
    watch = await refusal(seats.watch(0).read())
    assert watch.reason == "RULES_VERSION_UNAVAILABLE"
    record = match_pb2.GetRecordRequest(match_id=seats.id)
    assert len((await client.matches.GetRecord(record, timeout=DEADLINE)).entries) == 4
    assert {m.id for m in (await client.matches.ListMatches(match_pb2.ListMatchesRequest())).matches} >= {seats.id}
    close = match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh())
    closed = await client.matches.CloseMatch(close, timeout=DEADLINE, metadata=bearer(seats.host))
    assert closed.match.seed
    terminate = admin_pb2.TerminateMatchRequest(match_id=other.id, request_id=fresh())
    await client.admin.TerminateMatch(terminate, timeout=DEADLINE, metadata=bearer(ADMIN_TOKEN))


async def ready(client: Client) -> bool:
    request = health_pb2.HealthCheckRequest(service="readiness")
    reply = await health_pb2_grpc.HealthStub(client.channel).Check(request, timeout=DEADLINE)
    return bool(reply.status == health_pb2.HealthCheckResponse.SERVING)


async def test_a_pod_whose_redis_stays_with_another_deployment_ends_so_that_it_starts_with_that_ones_secret(
    redis_url: str, stored: Stored, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server, "FOREIGN_SECONDS", 1.0)
    monkeypatch.setattr(server, "gc", Mock())  # this process has other things to collect
    ready = tmp_path / "address"
    config = Settings(redis_url=redis_url, port=0, drain=0.0, grace=0.5, announce=ready)
    serving = asyncio.create_task(server.serve(config))
    async with asyncio.timeout(20.0):
        while not ready.exists():
            await asyncio.sleep(0.05)
        stored.client.set(keys.SECRET, b"another deployment's secret, 32b")
        with pytest.raises(StoreMisfitError, match="another deployment"):
            await serving
    assert stored.client.get(keys.SECRET) == b"another deployment's secret, 32b"


async def test_a_pod_whose_store_takes_no_writes_is_not_ready(client: Client, stored: Stored) -> None:
    assert await ready(client)
    stored.client.config_set("maxmemory", 1)
    try:
        async with asyncio.timeout(15):
            while await ready(client):
                await asyncio.sleep(0.05)
    finally:
        stored.client.config_set("maxmemory", 0)
    async with asyncio.timeout(15):
        while not await ready(client):
            await asyncio.sleep(0.05)


async def test_a_store_that_lost_everything_gets_the_deployments_secret_back(client: Client, stored: Stored) -> None:
    secret = stored.client.get(keys.SECRET)
    stored.client.flushall()
    async with asyncio.timeout(DEADLINE):
        while stored.client.get(keys.SECRET) != secret:
            await asyncio.sleep(0.05)
    seats = await client.create()
    assert await seats.play(5, random.Random(1)) == 5
    assert await ready(client)


async def test_a_pod_that_finds_another_deployments_store_is_not_ready(client: Client, stored: Stored) -> None:
    secret = stored.client.get(keys.SECRET)
    assert await ready(client)
    stored.client.set(keys.SECRET, bytes(32))
    async with asyncio.timeout(DEADLINE):
        while await ready(client):
            await asyncio.sleep(0.05)
    stored.client.set(keys.SECRET, secret)
    async with asyncio.timeout(DEADLINE):
        while not await ready(client):
            await asyncio.sleep(0.05)
