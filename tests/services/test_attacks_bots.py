"""Workers that refuse, hoard, or answer nonsense stop no match and touch no turn but their own."""

import asyncio
import random
from typing import Any

import grpc
import pytest

from services.config import Settings
from services.store import keys
from tests.services.conftest import Stored
from tests.services.table import ADMIN_TOKEN, BOT_TOKEN, DEADLINE, Client, Worker, bearer, fresh, refusal
from veche.v1 import common_pb2, match_pb2


@pytest.fixture
def config(redis_url: str) -> Settings:
    return Settings(
        redis_url=redis_url, port=0, bot_token=BOT_TOKEN, admin_token=ADMIN_TOKEN, drain=0.0, grace=0.5, rate=1e6
    )


async def first_step(client: Client, match_id: str, within: float) -> Any:
    async with asyncio.timeout(within):
        while True:
            record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id), timeout=DEADLINE)
            if record.entries:
                return record.entries[0]
            await asyncio.sleep(0.05)


async def test_a_worker_that_hands_every_turn_back_does_not_hang_the_match(client: Client) -> None:
    seats = await client.create(bots={0: "random", 1: "random"})
    worker = await Worker.subscribe(client)

    async def refuse() -> None:
        while True:
            await worker.release(await worker.offer(100.0))

    refusing = asyncio.create_task(refuse())
    step = await first_step(client, seats.id, 60.0)
    assert step.actor.kind == common_pb2.ACTOR_KIND_CLOCK
    refusing.cancel()
    worker.leave()


async def test_work_left_over_of_an_answered_decision_is_cleared_away(client: Client, stored: Stored) -> None:
    seats = await client.create(bots={0: "random", 1: "random"})
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    shard = keys.shard_of(seats.id)
    (queue,) = (key.decode() for key in stored.client.keys("*:q:*"))
    member = f"{seats.id}|{offer.view.choice.decision.id}"
    await worker.answer(offer)
    stored.client.zadd(queue, {member: 0})
    named = f"{queue.partition(':q:')[2]}|{member}"
    stored.client.zadd(keys.open_work(shard), {named: 0})
    async with asyncio.timeout(DEADLINE):
        while stored.client.zscore(keys.open_work(shard), named) is not None:
            await worker.answer(await worker.offer())
            await asyncio.sleep(0.05)
    assert stored.client.zscore(queue, member) is None
    worker.leave()


async def test_what_is_no_answer_to_the_offer_changes_nothing_and_leaves_the_lease(
    client: Client, stored: Stored
) -> None:
    one = await client.create(bots={0: "random", 1: "random"})
    two = await client.create(bots={0: "random", 1: "random"})
    worker = await Worker.subscribe(client, capacity=2)
    offers = {offer.match_id: offer for offer in [await worker.offer(), await worker.offer()]}
    mine, other = offers[one.id], offers[two.id]
    decision = mine.view.choice.decision.id
    before = stored.dump()

    async def refused(lease: str, **fields: Any) -> str:
        move = match_pb2.Submission(**{"decision_id": decision, "index": 0, **fields})
        request = match_pb2.SubmitActionsRequest(match_id=one.id, request_id=fresh(), submissions=[move])
        return (await refusal(client.matches.SubmitActions(request, timeout=DEADLINE, metadata=bearer(lease)))).reason

    foreign = common_pb2.GameAction()
    foreign.masters_of_europe.SetInParent()
    assert await refused(mine.lease_token, index=10_000) == "INVALID_FIELD"
    assert await refused(mine.lease_token, decision_id=f"0.{1 - mine.seat}") == "WRONG_SEAT"
    assert await refused(mine.lease_token, decision_id=f"9.{mine.seat}") == "NOT_YOUR_TURN"
    assert await refused(mine.lease_token, index=None, action=foreign) == "WRONG_GAME"
    assert await refused(other.lease_token) == "TOKEN_UNKNOWN"
    assert await refused(mine.lease_token[:-4] + "AAAA") == "TOKEN_UNKNOWN"
    assert await refused(BOT_TOKEN) == "TOKEN_UNKNOWN"
    assert await refused(ADMIN_TOKEN) == "TOKEN_UNKNOWN"
    assert stored.dump() == before
    assert (await worker.answer(mine)).applied == 1
    assert await refused(mine.lease_token) == "LEASE_LOST"
    worker.leave()


async def test_a_lease_handed_back_answers_nothing(client: Client, stored: Stored) -> None:
    await client.create(bots={0: "random", 1: "random"})
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    await worker.release(offer)
    again = await worker.offer()
    before = stored.dump()
    assert (await refusal(worker.answer(offer))).reason == "LEASE_LOST"
    assert (await refusal(worker.renew(offer))).reason == "LEASE_LOST"
    assert stored.dump() == before
    assert (await worker.answer(again)).applied == 1
    worker.leave()


async def test_two_streams_of_one_worker_that_take_turns_answer_every_decision_once(client: Client) -> None:
    seats = await client.create(bots={0: "random", 1: "random"})
    dice = random.Random(1)
    worker = await Worker.subscribe(client, name="twin")
    for turn in range(12):
        offer = await worker.offer()
        twin = await Worker.subscribe(client, name="twin")
        await worker.next("going_away")
        # The earlier stream has ended, and what it holds is good until its lease ends.
        index = dice.randrange(len(offer.view.choice.legal_actions))
        assert (await worker.answer(offer, index)).version == turn + 1
        worker = twin
    assert (await seats.match()).version == 12


@pytest.mark.parametrize("game", ["rurik", "masters_of_europe", "europe_divided"])
async def test_mutated_actions_are_legal_or_refused_and_never_break_the_rules(
    client: Client, stored: Stored, game: str
) -> None:
    count = 3 if game == "masters_of_europe" else 2
    seats = await client.create(count, game=game)
    dice = random.Random(7)
    reasons: set[str] = set()
    for _ in range(60):
        view = await seats.on_turn()
        legal = [legal_action.action for legal_action in view.choice.legal_actions]
        for _ in range(3):
            request = seats.answer(view, validate_only=True)
            request.submissions[0].action.CopyFrom(dice.choice(legal))
            mutate(request.submissions[0].action, dice)
            try:
                await seats.submit(request, view.seat)
            except grpc.aio.AioRpcError as error:
                reasons.add((await refusal(_raise(error))).reason)
        await seats.submit(seats.answer(view, dice.randrange(len(legal))), view.seat)
    assert reasons <= {"ILLEGAL_ACTION", "INVALID_FIELD", "WRONG_GAME"}
    assert "ILLEGAL_ACTION" in reasons
    assert not stored.client.keys("*incidents*")


async def _raise(error: Exception) -> Any:
    raise error


def mutate(message: Any, dice: random.Random) -> None:
    """Change one scalar somewhere in a message, as a client with a fault would."""
    places: list[tuple[Any, Any]] = []

    def walk(part: Any) -> None:
        for field in part.DESCRIPTOR.fields:
            if field.message_type is None:
                if field.containing_oneof is None or field.containing_oneof.name.startswith("_"):
                    places.append((part, field))
            elif not field.is_repeated and part.HasField(field.name):
                walk(getattr(part, field.name))

    walk(message)
    if not places:
        return
    part, field = dice.choice(places)
    values: dict[int, list[Any]] = {
        field.CPPTYPE_STRING: ["", "x" * 300, "\u0000", "novgorod", "é"],
        field.CPPTYPE_BOOL: [True, False],
        field.CPPTYPE_ENUM: [0, 1, 2, 99],
        field.CPPTYPE_UINT32: [0, 1, 7, 2**32 - 1],
        field.CPPTYPE_UINT64: [0, 2**64 - 1],
    }
    value = dice.choice(values.get(field.cpp_type, [0, -1, 1, 2**31 - 1, -(2**31)]))
    if field.is_repeated:
        getattr(part, field.name).extend([value] * dice.choice((1, 2, 500)))
    else:
        setattr(part, field.name, value)
