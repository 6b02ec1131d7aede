"""kill -9 of an engine or of a bot at any moment loses no acknowledged move and hangs no match."""

import asyncio
import random
from typing import Any

import grpc
import pytest

from engine.core import codec
from engine.core.registry import GAMES
from engine.core.replay import Entry, Record, replay
from services.config import Settings
from services.server import Pod
from services.store import rows
from tests.chaos.processes import BotWorker, Engine
from tests.services.conftest import Stored
from tests.services.table import BOT_TOKEN, DEADLINE, Client, Seats, bearer
from tests.services.test_watch import kinds, until
from veche.v1 import common_pb2, match_pb2

pytestmark = pytest.mark.processes
RURIK = GAMES["rurik"]
#: Codes after which the same request is sent again, as the protos tell clients to do.
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


async def patient(call: Any) -> Any:
    """Make a call, again and again while nobody answers; `call` makes it anew with the same request."""
    async with asyncio.timeout(90):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                if error.code() not in AGAIN:
                    raise
                await asyncio.sleep(0.1)


async def play_patiently(seats: Seats, dice: random.Random, acknowledged: dict[str, int]) -> None:
    """Play all seats that are held to the end, through all failures; note the version of each acknowledged answer."""
    async with asyncio.timeout(240):
        while True:
            view = await patient(seats.on_turn)
            if view is None:
                if (await patient(seats.match)).status == common_pb2.MATCH_STATUS_FINISHED:
                    return
                await asyncio.sleep(0.02)
                continue
            request = seats.answer(view, dice.randrange(len(view.choice.legal_actions)))
            reply = await patient(lambda r=request, s=view.seat: seats.submit(r, s))
            acknowledged[view.choice.decision.id] = reply.version


def check_whole(stored: Stored, acknowledged: dict[str, int], options: dict[str, Any], count: int) -> None:
    """Check that the log holds every acknowledged move at its version, and replays to the stored state."""
    client = stored.client
    (log,) = client.keys("*:log")
    (state,) = client.keys("*:state")
    head = log.removesuffix(b":log")
    entries = [rows.unpack_entry(item) for item in client.lrange(log, 0, -1)]
    assert len(entries) == int(client.hget(head, "version"))
    for decision, version in acknowledged.items():
        assert entries[version - 1].seat == int(decision.rpartition(".")[2])
    assert len(set(acknowledged.values())) == len(acknowledged)
    seed = int.from_bytes(client.hget(head, "seed"), "big")
    played = Record(
        "rurik",
        RURIK.info.rules_version,
        RURIK.info.data_version,
        count,
        options,
        seed,
        tuple(Entry(e.seat, codec.decode_action(RURIK, e.action)) for e in entries),
    )
    assert codec.encode(RURIK, replay(RURIK, played)) == client.get(state)


async def test_engines_killed_at_any_moment_lose_nothing(
    engines: list[Engine], workers: list[BotWorker], stored: Stored
) -> None:
    dice = random.Random(7)
    clients = [Client(engine.address) for engine in engines]
    workers.append(BotWorker(engines[0].address))
    seats = await clients[0].create(3, bots={2: "random"})
    acknowledged: dict[str, int] = {}
    playing = asyncio.create_task(play_patiently(seats, dice, acknowledged))
    kills = 0
    while not playing.done() and kills < 8:
        await asyncio.sleep(dice.uniform(0.1, 0.8))
        await asyncio.to_thread(engines[0].kill)
        await asyncio.to_thread(engines[0].start)
        kills += 1
    await playing
    assert kills
    check_whole(stored, acknowledged, {}, 3)
    assert not stored.work()
    for client in clients:
        await client.close()


async def test_between_any_two_moves_the_engine_may_be_another_one(redis_url: str, stored: Stored) -> None:
    """Every single move is played on a pod that has just begun; the one before vanished without a word."""
    dice = random.Random(1)
    config = Settings(redis_url=redis_url, port=0, bot_token=BOT_TOKEN, drain=0.0, grace=0.0)
    seats, acknowledged = None, {}
    while True:
        pod = Pod(config)
        await pod.start()
        client = Client(f"127.0.0.1:{pod.port}")
        seats = await client.create(2) if seats is None else seats.at(client)
        view = await seats.on_turn()
        if view is not None:
            index = dice.randrange(len(view.choice.legal_actions))
            reply = await seats.submit(seats.answer(view, index), view.seat)
            acknowledged[view.choice.decision.id] = reply.version
        await client.close()
        await pod.stop()
        if view is None:
            break
    check_whole(stored, acknowledged, {}, 2)


async def test_workers_killed_in_mid_thought_hang_no_match(
    engines: list[Engine], workers: list[BotWorker], stored: Stored
) -> None:
    dice = random.Random(3)
    client = Client(engines[0].address)
    options = common_pb2.GameOptions()
    options.rurik.automa[1] = 2
    workers += [BotWorker(engine.address) for engine in engines]
    seats = await client.create(2, automa={1}, options=options)
    acknowledged: dict[str, int] = {}
    playing = asyncio.create_task(play_patiently(seats, dice, acknowledged))
    for _ in range(4):
        await asyncio.sleep(dice.uniform(0.2, 1.0))
        if playing.done():
            break
        victim = workers.pop(0)
        await asyncio.to_thread(victim.kill)
        workers.append(BotWorker(engines[dice.randrange(2)].address))
    await playing
    check_whole(stored, acknowledged, {"automa": {1: "medium"}}, 2)
    assert not stored.work()
    await client.close()


async def test_four_clients_racing_over_two_engines_get_every_move_in_exactly_once(
    engines: list[Engine], stored: Stored
) -> None:
    clients = [Client(engine.address) for engine in engines]
    seats = await clients[0].create(4)
    accepted: list[int] = []
    refused: set[str] = set()

    async def race(number: int) -> None:
        """Answer whatever any seat is asked, as fast as it goes, against three others that do the same."""
        mine = seats.at(clients[number % 2])
        dice = random.Random(number)
        while True:
            view = await mine.on_turn()
            if view is None:
                if (await mine.match()).status == common_pb2.MATCH_STATUS_FINISHED:
                    return
                continue
            if not view.HasField("choice"):
                continue  # another client was quicker
            request = mine.answer(view, dice.randrange(len(view.choice.legal_actions)))
            try:
                reply = await mine.submit(request, view.seat)
            except grpc.aio.AioRpcError as error:
                refused.add(error.code().name)
                continue
            accepted.append(reply.version)
            # The same request again, on the other pod: the same answer and no second move.
            if dice.random() < 0.2:
                again = await mine.at(clients[(number + 1) % 2]).submit(request, view.seat)
                assert again.version == reply.version

    async with asyncio.timeout(200):
        await asyncio.gather(*(race(number) for number in range(4)))
    version = (await seats.match()).version
    assert sorted(accepted) == list(range(1, version + 1))
    assert refused <= {"ABORTED", "FAILED_PRECONDITION"}
    assert refused
    check_whole(stored, {}, {}, 4)
    for client in clients:
        await client.close()


async def test_a_pod_that_is_asked_to_leave_does_so_in_order(engines: list[Engine], workers: list[BotWorker]) -> None:
    here, there = [Client(engine.address) for engine in engines]
    workers.append(BotWorker(engines[0].address))
    seats = await here.create(2, bots={1: "random"})
    stream = seats.watch(0)
    await until(stream, "snapshot")
    leaving = asyncio.create_task(asyncio.to_thread(engines[0].stop))
    messages = [message async for message in stream]
    assert kinds(messages)[-1] == "going_away"
    resumed = seats.at(there).watch(0, messages[-1].going_away.resume)
    assert kinds(await until(resumed, "lobby"))[-1] == "lobby"
    resumed.cancel()
    assert await leaving == 0
    await here.close()
    await there.close()


async def test_the_log_of_a_pod_is_lines_of_json_without_secrets(redis_url: str) -> None:
    import json

    engine = Engine(redis_url)
    engine.environment["VECHE_LOG_LEVEL"] = "debug"
    seed = str(31337**9)
    engine.start()
    client = Client(engine.address)
    try:
        seats = await client.create(2, seed=seed)
        await seats.play(30, random.Random(1))
        request = match_pb2.GetViewRequest(match_id=seats.id)
        with pytest.raises(grpc.aio.AioRpcError):
            await client.matches.GetView(request, timeout=DEADLINE, metadata=bearer("a token that is wrong"))
        await client.close()
        assert await asyncio.to_thread(engine.stop) == 0
    finally:
        engine.kill()
    log = engine.log()
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"ready", "match created", "left"} <= {line["event"] for line in lines}
    secrets = [seats.host, *seats.tokens.values(), BOT_TOKEN, seed, "a token that is wrong"]
    assert not [secret for secret in secrets if secret in log]
