"""Streams are resumable logs: snapshot, then one update per version, from any position, on any pod."""

import asyncio
import random
from typing import Any

import pytest

from services.config import Settings
from services.security import SPECTATOR
from services.server import Pod
from tests.services.conftest import Stored
from tests.services.table import BOT_TOKEN, DEADLINE, Client, Seats, Worker, bearer, fresh
from veche.v1 import common_pb2, match_pb2


async def until(stream: Any, kind: str) -> list[Any]:
    """Read a stream up to and with the first message of a kind; other signs of life than asked for say nothing."""
    messages = []
    async for message in stream:
        is_kind = message.WhichOneof("message") == kind
        if is_kind or not message.HasField("heartbeat"):
            messages.append(message)
        if is_kind:
            return messages
    raise AssertionError(f"the stream ended without {kind}: {[m.WhichOneof('message') for m in messages]}")


async def follow(stream: Any) -> list[Any]:
    return [message async for message in stream]


def kinds(messages: list[Any]) -> list[str]:
    return [message.WhichOneof("message") for message in messages]


async def test_snapshot_first_then_each_version_once_then_the_end(client: Client) -> None:
    seats = await client.create()
    tasks = [asyncio.create_task(follow(seats.watch(seat))) for seat in (0, 1, None)]
    await seats.play(2500, random.Random(1))
    final = await seats.match()
    for seat, task in zip((0, 1, None), tasks, strict=True):
        messages = await task
        assert kinds(messages)[0] == "snapshot"
        assert kinds(messages)[-1] == "finished"
        start = messages[0].position.version
        versions = [m.position.version for m in messages if m.WhichOneof("message") == "update"]
        assert versions == list(range(start + 1, final.version + 1))
        assert messages[-1].finished.match == final
        assert messages[-1].finished.view == await seats.view(seat)


async def test_a_watcher_is_told_what_its_view_shows(client: Client) -> None:
    seats = await client.create()
    stream = seats.watch(0, views=True)
    await until(stream, "snapshot")
    dice = random.Random(5)
    for _ in range(40):
        await seats.play(1, dice)
        (message,) = await until(stream, "update")
        view = await seats.view(0)
        assert message.update.view == view
        assert list(message.update.pending) == list(view.pending)
        assert message.update.choice == view.choice
    stream.cancel()


async def test_a_stream_resumes_at_each_version_without_gap_or_repetition(client: Client) -> None:
    seats = await client.create()
    whole = asyncio.create_task(follow(seats.watch(0)))
    await seats.play(2500, random.Random(3))
    messages = await whole
    last = messages[-1].position.version
    for message in messages:
        if message.WhichOneof("message") == "finished" or message.position.version < last - 200:
            continue
        rest = await follow(seats.watch(0, message.position))
        assert kinds(rest)[:-1] == ["update"] * (last - message.position.version)
        expected = [m for m in messages if m.position.version > message.position.version]
        for told, again in zip(expected, rest, strict=False):
            assert told.position == again.position
            assert [e.event for e in told.update.events] == [e.event for e in again.update.events]
            assert told.update.actor == again.update.actor


async def test_a_stream_resumes_on_another_pod(client: Client, config: Settings) -> None:
    seats = await client.create()
    await seats.play(10, random.Random(3))
    (snapshot,) = await until(seats.watch(1), "snapshot")
    await seats.play(15, random.Random(4))
    other = Pod(config)
    await other.start()
    elsewhere = Client(f"127.0.0.1:{other.port}")
    try:
        stream = seats.at(elsewhere).watch(1, snapshot.position)
        messages = await until(stream, "lobby")
        assert [m.position.version for m in messages[:-1]] == list(range(11, 26))
        # What the first pod commits from now on reaches a stream of the second.
        await seats.play(1, random.Random(5))
        (update,) = await until(stream, "update")
        assert update.position.version == 26
        stream.cancel()
    finally:
        await elsewhere.close()
        await other.stop()


@pytest.mark.parametrize("change", ["epoch", "mark", "future", "garbage"])
async def test_a_position_of_another_history_gets_resync_and_a_snapshot(client: Client, change: str) -> None:
    seats = await client.create()
    await seats.play(10, random.Random(3))
    (snapshot,) = await until(seats.watch(1), "snapshot")
    position = match_pb2.ResumeToken()
    position.CopyFrom(snapshot.position)
    epoch, _, mark = position.epoch.partition(".")
    match change:
        case "epoch":
            position.epoch = f"0000.{mark}"
        case "mark":
            position.epoch = f"{epoch}.00000000"
        case "future":
            position.version = 400
        case _:
            position.epoch = "x" * 1000
    messages = await until(seats.watch(1, position), "snapshot")
    assert kinds(messages) == ["resync", "snapshot"]
    assert messages[1].snapshot.view == await seats.view(1)


async def test_a_gap_that_is_too_wide_gets_a_snapshot(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.matches.watch.KEPT", 16)
    seats = await client.create()
    (snapshot,) = await until(seats.watch(0), "snapshot")
    await seats.play(20, random.Random(3))
    assert kinds(await until(seats.watch(0, snapshot.position), "snapshot")) == ["resync", "snapshot"]


async def test_a_lobby_is_watched_from_the_first_seat_to_the_game(client: Client) -> None:
    created = await client.matches.CreateMatch(
        match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2), timeout=DEADLINE
    )
    seats = Seats(client, created)
    stream = seats.watch(None)
    (first,) = await until(stream, "snapshot")
    assert not first.snapshot.HasField("view")
    assert first.snapshot.match.status == common_pb2.MATCH_STATUS_LOBBY
    for seat in (0, 1):
        request = match_pb2.JoinMatchRequest(match_id=seats.id, request_id=fresh(), name=f"p{seat}")
        reply = await client.matches.JoinMatch(request, timeout=DEADLINE)
        seats.tokens[reply.seat_token.seat] = reply.seat_token.token
        (told,) = await until(stream, "lobby")
        assert told.lobby.match.seats[seat].name == f"p{seat}"
    await client.matches.StartMatch(
        match_pb2.StartMatchRequest(match_id=seats.id, request_id=fresh()),
        timeout=DEADLINE,
        metadata=bearer(seats.host),
    )
    (begun,) = await until(stream, "snapshot")
    assert begun.snapshot.match.status == common_pb2.MATCH_STATUS_ACTIVE
    assert begun.snapshot.view.pending
    stream.cancel()


async def test_a_closed_match_ends_its_streams(client: Client) -> None:
    seats = await client.create()
    stream = seats.watch(0)
    await until(stream, "snapshot")
    await client.matches.CloseMatch(
        match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh(), reason="late"),
        timeout=DEADLINE,
        metadata=bearer(seats.host),
    )
    messages = await follow(stream)
    assert kinds(messages) == ["finished"]
    assert messages[0].finished.match.status == common_pb2.MATCH_STATUS_CLOSED


class TestTimes:
    @pytest.fixture
    def config(self, redis_url: str, times: dict[str, float]) -> Settings:
        return Settings(
            **{"redis_url": redis_url, "port": 0, "bot_token": BOT_TOKEN, "drain": 0.0, "grace": 0.5, **times}
        )

    @pytest.mark.parametrize("times", [{"heartbeat": 0.2}])
    async def test_a_silent_stream_shows_that_it_lives(self, client: Client) -> None:
        seats = await client.create()
        messages = await until(seats.watch(0), "heartbeat")
        assert kinds(messages) == ["snapshot", "heartbeat"]
        assert messages[1].position == messages[0].position
        assert messages[1].heartbeat.server_time.seconds

    @pytest.mark.parametrize("times", [{"heartbeat": 0.2}])
    async def test_the_beginning_of_a_stream_tells_how_often_it_shows_that_it_lives(self, client: Client) -> None:
        seats = await client.create()
        messages = await until(seats.watch(0), "heartbeat")
        assert [m.heartbeat_interval.ToMilliseconds() for m in messages] == [200, 0]
        resumed = await until(seats.watch(0, messages[-1].position), "heartbeat")
        assert resumed[0].heartbeat_interval.ToMilliseconds() == 200
        work = await (await Worker.subscribe(client)).next("heartbeat")
        assert work.interval.ToMilliseconds() == 200

    @pytest.mark.parametrize("times", [{"stream_age": 1.0}])
    async def test_an_old_stream_is_asked_to_come_back(self, client: Client) -> None:
        seats = await client.create()
        messages = await follow(seats.watch(0))
        assert kinds(messages)[-1] == "going_away"
        assert messages[-1].going_away.resume == messages[0].position

    @pytest.mark.parametrize("times", [{"drain": 0.3}])
    async def test_a_pod_that_leaves_sends_each_stream_elsewhere(self, pod: Pod, client: Client) -> None:
        seats = await client.create()
        streams = [seats.watch(seat) for seat in 2 * (0, 1, None)]
        for stream in streams:
            await until(stream, "snapshot")
        leaving = asyncio.create_task(pod.stop())
        delays = set()
        for stream in streams:
            messages = await follow(stream)
            assert kinds(messages) == ["going_away"]
            assert messages[0].going_away.resume.version == 0
            delays.add(messages[0].going_away.delay.ToMilliseconds())
            assert (await stream.code()).name == "OK"
        assert len(delays) > 1
        await leaving


async def test_a_slow_reader_skips_to_the_newest(pod: Pod, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.matches.watch.KEPT", 8)
    seats = await client.create()
    watch = pod._watch
    slow = watch.watch(seats.id, lambda _: SPECTATOR, None, with_view=False)
    first = match_pb2.WatchMatchResponse.FromString(await anext(slow))
    assert first.WhichOneof("message") == "snapshot"
    await seats.play(30, random.Random(2))
    told = [match_pb2.WatchMatchResponse.FromString(await anext(slow)) for _ in range(2)]
    assert kinds(told) == ["resync", "snapshot"]
    assert told[1].position.version == 30
    await slow.aclose()


async def test_a_stream_that_is_busy_while_the_match_goes_on_misses_nothing(pod: Pod, client: Client) -> None:
    """A reader that takes its time over each message is told of every version all the same."""
    seats = await client.create()
    stream = pod._watch.watch(seats.id, lambda _table: SPECTATOR, None, with_view=False)
    await anext(stream)
    dice = random.Random(2)
    playing = asyncio.create_task(seats.play(60, dice))
    position = 0
    while position < 60:
        message = match_pb2.WatchMatchResponse.FromString(await anext(stream))
        if message.WhichOneof("message") == "update":
            assert message.position.version == position + 1
        position = message.position.version
        await asyncio.sleep(dice.uniform(0, 0.02))
    await playing
    await stream.aclose()


async def test_watchers_of_one_view_share_its_encoding(
    pod: Pod, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = await client.create()
    streams = [seats.watch(None) for _ in range(10)]
    for stream in streams:
        await until(stream, "snapshot")
    encoder = pod._watch._encoder
    made = []
    update = encoder.update

    def counted(*args: Any) -> bytes:
        made.append(args[0].version)
        return update(*args)

    monkeypatch.setattr(encoder, "update", counted)
    await seats.play(5, random.Random(1))
    for stream in streams:
        for version in range(1, 6):
            (message,) = await until(stream, "update")
            assert message.position.version == version
        stream.cancel()
    assert len(made) <= 10
    assert set(made) == {1, 2, 3, 4, 5}


async def test_lost_wake_ups_are_made_up_for_within_seconds(
    pod: Pod, client: Client, config: Settings, stored: Stored
) -> None:
    other = Pod(config)
    await other.start()
    elsewhere = Client(f"127.0.0.1:{other.port}")
    try:
        seats = await client.create()
        stream = seats.at(elsewhere).watch(0)
        await until(stream, "snapshot")
        dice = random.Random(1)
        for version in range(1, 6):
            # Cut every subscription: what is published now is heard by nobody.
            stored.client.client_kill_filter(_type="pubsub")
            await seats.play(1, dice)
            (update,) = await asyncio.wait_for(until(stream, "update"), DEADLINE)
            assert update.position.version == version
        stream.cancel()
    finally:
        await elsewhere.close()
        await other.stop()


async def test_streams_leave_nothing_behind(pod: Pod, client: Client) -> None:
    seats = await client.create()
    for _ in range(20):
        stream = seats.watch(0)
        await until(stream, "snapshot")
        stream.cancel()
    async with asyncio.timeout(DEADLINE):
        while pod._watch._topics:
            await asyncio.sleep(0.02)
    assert not any(pod._feed._followers.values())


async def test_a_store_that_went_back_is_noticed(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(5, random.Random(1))
    backup = {key: stored.client.dump(key) for key in stored.client.scan_iter()}
    await seats.play(5, random.Random(2))
    (snapshot,) = await until(seats.watch(0), "snapshot")
    assert snapshot.position.version == 10
    for key, value in backup.items():
        stored.client.restore(key, 0, value, replace=True)
    await seats.play(7, random.Random(3))
    messages = await until(seats.watch(0, snapshot.position), "snapshot")
    assert kinds(messages) == ["resync", "snapshot"]
    assert messages[1].position.version == 12
