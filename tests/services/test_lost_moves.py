"""A store that lost its last moves, and went on with others, is believed: no pod plays or shows what is gone."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from services.config import Settings
from services.server import Pod
from services.store import keys
from services.store.feed import Feed
from services.store.store import Store
from tests.services.conftest import Stored
from tests.services.table import DEADLINE, Client, Seats, Worker, bearer, fresh, refusal
from tests.services.test_attacks_store import check_replay
from tests.services.test_watch import kinds, until
from veche.v1 import common_pb2, match_pb2


class Backup:
    """Be a replica that was behind when it took over."""

    def __init__(self, stored: Stored) -> None:
        self.client = stored.client
        self.values = {key: self.client.dump(key) for key in self.client.scan_iter()}

    def take_over(self) -> None:
        with self.client.pipeline(transaction=True) as pipe:
            pipe.flushall()
            for key, value in self.values.items():
                pipe.restore(key, 0, value)
            pipe.execute()


class Ears:
    """Be how pods hear of changes: `still` keeps their sweeps from looking; without `wake_ups` no message arrives."""

    def __init__(self) -> None:
        self.still = asyncio.Lock()
        self.wake_ups = True


@pytest.fixture(autouse=True)
def ears(monkeypatch: pytest.MonkeyPatch) -> Ears:
    """Hold the ears of all pods, so that none looks in the middle of what happened at once."""
    ears = Ears()
    sweep_once, message = Feed._sweep_once, Feed._message

    async def sweep(feed: Feed) -> None:
        async with ears.still:
            await sweep_once(feed)

    def hear(feed: Feed, channel: bytes, data: bytes) -> None:
        if ears.wake_ups:
            message(feed, channel, data)

    monkeypatch.setattr(Feed, "_sweep_once", sweep)
    monkeypatch.setattr(Feed, "_message", hear)
    return ears


@pytest.fixture
async def elsewhere(config: Settings) -> AsyncIterator[Client]:
    """Calls a second pod."""
    other = Pod(config)
    await other.start()
    client = Client(f"127.0.0.1:{other.port}")
    yield client
    await client.close()
    await other.stop()


async def forked(client: Client, elsewhere: Client, stored: Stored) -> tuple[Seats, Any]:
    """Return a match whose move 7 this pod stored, the store lost, and the other pod played otherwise, and its view."""
    seats = await client.create(seed="7")
    await seats.play(6, random.Random(1))
    backup = Backup(stored)
    view = await seats.on_turn()
    assert len(view.choice.legal_actions) > 1
    await seats.submit(seats.answer(view, 0), view.seat)
    lost = await seats.on_turn()
    backup.take_over()
    there = seats.at(elsewhere)
    view = await there.on_turn()
    assert view.version == 6
    await there.submit(there.answer(view, len(view.choice.legal_actions) - 1), view.seat)
    return seats, lost


async def test_a_pod_shows_and_plays_on_what_the_store_holds_not_the_move_it_lost(
    client: Client, elsewhere: Client, stored: Stored
) -> None:
    seats, lost = await forked(client, elsewhere, stored)
    there = seats.at(elsewhere)
    view = await seats.on_turn()
    assert view.version == lost.version == 7
    assert view == await there.on_turn()
    assert view.table != lost.table
    await seats.submit(seats.answer(view), view.seat)
    assert check_replay(stored.client, seats.id) == 8
    assert await seats.on_turn() == await there.on_turn()


async def test_an_answer_to_a_decision_that_the_store_lost_is_refused_and_stores_nothing(
    client: Client, elsewhere: Client, stored: Stored
) -> None:
    seats, lost = await forked(client, elsewhere, stored)
    before = stored.dump()
    told = await refusal(seats.submit(seats.answer(lost), lost.seat))
    assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "STALE_VERSION")
    assert told.metadata == {"version": "7"}
    assert stored.dump() == before
    view = await seats.on_turn()
    assert (await seats.submit(seats.answer(view), view.seat)).version == 8


async def test_a_bot_that_was_offered_a_turn_of_the_lost_game_gets_the_stored_one_at_once(
    client: Client, elsewhere: Client, stored: Stored
) -> None:
    options = common_pb2.GameOptions()
    options.rurik.first_player = 0
    seats = await client.create(2, bots={1: "random"}, seed="7", options=options)
    backup = Backup(stored)
    while (view := await seats.on_turn()) is not None:
        backup = Backup(stored)
        await seats.submit(seats.answer(view, 0), view.seat)
    backup.take_over()
    there = seats.at(elsewhere)
    view = await there.on_turn()
    await there.submit(there.answer(view, len(view.choice.legal_actions) - 1), view.seat)
    assert await there.on_turn() is None
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    told = await refusal(worker.answer(offer))
    assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "STALE_VERSION")
    again = await worker.offer()
    assert again.view.choice.decision == offer.view.choice.decision
    assert again.view != offer.view
    assert (await worker.answer(again)).version == view.version + 2
    assert check_replay(stored.client, seats.id) >= view.version + 2
    worker.leave()


async def test_a_request_answered_in_the_lost_part_is_carried_out_anew(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(6, random.Random(1))
    backup = Backup(stored)
    view = await seats.on_turn()
    request = seats.answer(view, 0)
    await seats.submit(request, view.seat)
    shown = await seats.view(view.seat)
    backup.take_over()
    assert (await seats.submit(request, view.seat)).version == 7
    assert await seats.view(view.seat) == shown
    assert check_replay(stored.client, seats.id) == 7


@pytest.mark.parametrize("hears", [True, False])
async def test_a_watcher_of_a_move_that_the_store_lost_gets_resync(
    client: Client, elsewhere: Client, stored: Stored, ears: Ears, hears: bool
) -> None:
    seats = await client.create(seed="7")
    await seats.play(6, random.Random(1))
    stream = seats.watch(0)
    await until(stream, "snapshot")
    backup = Backup(stored)
    view = await seats.on_turn()
    await seats.submit(seats.answer(view, 0), view.seat)
    (lost,) = await until(stream, "update")
    assert lost.position.version == 7
    there = seats.at(elsewhere)
    ears.wake_ups = hears
    async with ears.still:
        backup.take_over()
        view = await there.on_turn()
        await there.submit(there.answer(view, len(view.choice.legal_actions) - 1), view.seat)
    messages = await asyncio.wait_for(until(stream, "snapshot"), DEADLINE)
    assert kinds(messages) == ["resync", "snapshot"]
    assert messages[1].position.version == 7
    assert messages[1].position.epoch != lost.position.epoch
    assert messages[1].snapshot.view == await there.view(0)
    assert kinds(await until(seats.watch(0, lost.position), "snapshot")) == ["resync", "snapshot"]
    await there.play(1, random.Random(2))
    (update,) = await until(stream, "update")
    assert update.position.version == 8
    stream.cancel()


async def test_a_shard_that_went_back_and_on_does_not_tick_as_it_did(
    client: Client, config: Settings, stored: Stored
) -> None:
    store = Store(config.redis_url)
    seats = await client.create()
    shard, seen = keys.shard_of(seats.id), set()
    backup = Backup(stored)
    for _ in range(3):
        backup.take_over()
        await seats.play(1, random.Random(1))
        seen.add((await store.ticks())[shard])
    assert len(seen) == 3
    await store.close()


async def test_a_move_of_this_pod_does_not_join_on_to_the_lost_one_its_watchers_saw(
    client: Client, elsewhere: Client, stored: Stored, ears: Ears
) -> None:
    seats = await client.create(seed="7")
    stream = seats.watch(None)
    await until(stream, "snapshot")
    await seats.play(6, random.Random(1))
    backup = Backup(stored)
    view = await seats.on_turn()
    await seats.submit(seats.answer(view, 0), view.seat)
    while (await until(stream, "update"))[0].position.version < 7:
        pass
    there = seats.at(elsewhere)
    ears.wake_ups = False
    async with ears.still:
        backup.take_over()
        view = await there.on_turn()
        await there.submit(there.answer(view, len(view.choice.legal_actions) - 1), view.seat)
        await seats.play(1, random.Random(3))
    messages = await until(stream, "snapshot")
    assert kinds(messages) == ["resync", "snapshot"]
    assert messages[1].snapshot.view == await seats.view(None)
    stream.cancel()


async def test_a_change_of_seats_that_the_store_lost_is_told_and_kept_nowhere(
    client: Client, elsewhere: Client, stored: Stored, ears: Ears
) -> None:
    seats = await client.create(3)
    await seats.play(3, random.Random(1))
    stream = seats.watch(None)
    await until(stream, "snapshot")
    backup = Backup(stored)

    async def resign(at: Client, seat: int) -> None:
        request = match_pb2.ResignRequest(match_id=seats.id, request_id=fresh())
        await at.matches.Resign(request, timeout=DEADLINE, metadata=bearer(seats.tokens[seat]))

    def resigned(match: Any) -> list[int]:
        return [seat.seat for seat in match.seats if seat.resigned]

    await resign(client, 0)
    (told,) = await until(stream, "lobby")
    assert resigned(told.lobby.match) == [0]
    async with ears.still:
        backup.take_over()
        await resign(elsewhere, 1)
    (told,) = await asyncio.wait_for(until(stream, "lobby"), DEADLINE)
    assert resigned(told.lobby.match) == [1]
    assert resigned(await seats.match()) == [1]
    await resign(client, 2)
    assert resigned(await seats.at(elsewhere).match()) == [1, 2]
    stream.cancel()


async def test_a_match_that_was_lost_and_created_anew_by_the_same_request_is_another(
    client: Client, elsewhere: Client, stored: Stored, ears: Ears
) -> None:
    backup = Backup(stored)
    claims = [match_pb2.SeatSetup(seat=seat, claim=match_pb2.SeatClaim(name=f"p{seat}")) for seat in range(2)]
    request = match_pb2.CreateMatchRequest(
        request_id=fresh(), game="rurik", seat_count=2, seats=claims, auto_start=True
    )
    first = Seats(client, await client.matches.CreateMatch(request, timeout=DEADLINE))
    stream = first.watch(0)
    (begun,) = await until(stream, "snapshot")
    async with ears.still:
        backup.take_over()
        again = Seats(elsewhere, await elsewhere.matches.CreateMatch(request, timeout=DEADLINE))
    assert again.id == first.id
    assert again.created.match.seed_commitment != first.created.match.seed_commitment
    messages = await asyncio.wait_for(until(stream, "snapshot"), DEADLINE)
    assert kinds(messages) == ["resync", "snapshot"]
    assert messages[1].position.epoch != begun.position.epoch
    assert await first.view(0) == await again.view(0) == messages[1].snapshot.view
    assert messages[1].snapshot.match.status == common_pb2.MATCH_STATUS_ACTIVE
    stream.cancel()
