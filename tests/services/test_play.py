"""Moves are stored once, in order, with their answers; races and repetitions do no harm."""

import asyncio
import random

import grpc
import pytest

from engine.core import codec
from engine.core.registry import GAMES
from engine.core.replay import Entry, Record, replay
from services.server import Pod
from services.store import rows
from services.store.rows import Actor
from tests.services.conftest import Stored
from tests.services.table import Client, Seats, fresh, refusal
from veche.v1 import common_pb2, match_pb2

RURIK = GAMES["rurik"]


async def test_a_match_goes_from_creation_to_its_outcome(client: Client) -> None:
    seats = await client.create(3)
    await seats.play(2500, random.Random(2))
    match = await seats.match()
    assert match.status == common_pb2.MATCH_STATUS_FINISHED
    assert min(result.rank for result in match.outcome.results) == 1
    assert match.end_time.seconds >= match.start_time.seconds >= match.create_time.seconds > 0


async def test_the_record_with_the_seed_replays_to_the_same_end(client: Client) -> None:
    from hashlib import sha256

    from protos.wire import for_game

    seats = await client.create(2)
    await seats.play(2500, random.Random(3))
    match = await seats.match()
    seed = bytes.fromhex(match.seed)
    assert sha256(match.id.encode() + seed).hexdigest() == match.seed_commitment
    record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=seats.id, page_size=1000))
    entries = tuple(
        Entry(entry.actor.seat, for_game(RURIK).action_from_message(entry.action)) for entry in record.entries
    )
    options = for_game(RURIK).options_from_message(match.options)
    played = Record("rurik", match.rules_version, match.data_version, 2, options, int.from_bytes(seed, "big"), entries)
    outcome = RURIK.outcome(replay(RURIK, played))
    assert outcome is not None
    assert list(outcome.scores) == [result.score for result in match.outcome.results]


async def test_a_chosen_seed_marks_the_match_and_gives_the_same_deal(client: Client) -> None:
    one, two = [await client.create(seed=seed) for seed in ("0x2a", "42")]
    for seats in (one, two):
        assert (await seats.match()).seeded
        assert (await seats.match()).seed == ""
    views = [await seats.view(0) for seats in (one, two)]
    for view in views:
        view.match_id = ""
    assert views[0] == views[1]
    assert not (await (await client.create()).match()).seeded


async def test_the_same_request_twice_has_its_effect_once_and_the_same_answer(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view)
    first = await seats.submit(request, view.seat)
    before = stored.dump()
    assert await seats.submit(request, view.seat) == first
    assert stored.dump() == before


async def test_an_old_request_is_still_answered_when_the_match_has_moved_on(client: Client) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view)
    first = await seats.submit(request, view.seat)
    await seats.play(20, random.Random(1))
    again = await seats.submit(request, view.seat)
    assert not again.HasField("choice")
    first.ClearField("choice")
    assert again == first


async def test_only_the_last_32_requests_of_a_seat_are_kept(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(150, random.Random(1))
    (key,) = stored.client.keys("*:replies")
    fields = [name for name in stored.client.hkeys(key) if b"|" in name and not name.startswith(b"create")]
    assert len(fields) == 2 * 32


@pytest.mark.parametrize(
    "name", ["CreateMatch", "JoinMatch", "AddBot", "LeaveMatch", "StartMatch", "Resign", "CloseMatch"]
)
async def test_every_change_may_be_sent_twice(client: Client, stored: Stored, name: str) -> None:
    from tests.services.table import DEADLINE, bearer

    seats = await client.create(auto_start=False)
    if name in {"JoinMatch", "AddBot"}:
        created = await client.matches.CreateMatch(
            match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2)
        )
        seats = Seats(client, created)
    if name == "Resign":
        await client.matches.StartMatch(
            match_pb2.StartMatchRequest(match_id=seats.id, request_id=fresh()), metadata=bearer(seats.host)
        )
    request = getattr(match_pb2, f"{name}Request")(request_id=fresh())
    if name == "CreateMatch":
        request.game, request.seat_count = "rurik", 2
        request.seats.add(seat=1, claim=match_pb2.SeatClaim(name="x"))
    else:
        request.match_id = seats.id
    if name == "AddBot":
        request.policy = "random"
    token = seats.tokens[0] if name in {"LeaveMatch", "Resign"} else seats.host
    call = getattr(client.matches, name)
    metadata = () if name in {"CreateMatch", "JoinMatch"} else bearer(token)
    first = await call(request, timeout=DEADLINE, metadata=metadata)
    before = stored.dump()
    assert await call(request, timeout=DEADLINE, metadata=metadata) == first
    assert stored.dump() == before


async def test_tokens_are_not_stored(client: Client, stored: Stored) -> None:
    created = await client.matches.CreateMatch(
        match_pb2.CreateMatchRequest(
            request_id=fresh(),
            game="rurik",
            seat_count=2,
            visibility=common_pb2.VISIBILITY_PRIVATE,
            seats=[match_pb2.SeatSetup(seat=0, claim=match_pb2.SeatClaim(name="x"))],
        )
    )
    secret = stored.client.get("veche:secret")
    everything = repr(stored.dump()).encode()
    tokens = [created.host_token, created.join_code, created.seat_tokens[0].token]
    assert len(set(tokens)) == 3
    assert secret
    for token in tokens:
        assert token.encode() not in everything


async def test_several_submissions_are_stored_together_up_to_the_first_barrier(client: Client, stored: Stored) -> None:
    seats = await client.create()
    dice = random.Random(9)
    runs, stops = 0, 0
    while (view := await seats.on_turn()) is not None:
        request = seats.answer(view, dice.randrange(len(view.choice.legal_actions)))
        for _ in range(2):
            request.submissions.add(index=0)
        try:
            reply = await seats.submit(request, view.seat)
        except grpc.aio.AioRpcError:
            # The seat is not asked again, so nothing of the three was applied.
            assert (await seats.match()).version == view.version
            del request.submissions[1:]
            reply = await seats.submit(seats.answer(view, request.submissions[0].index), view.seat)
        assert reply.version == view.version + reply.applied
        runs += reply.applied > 1
        stops += reply.stopped_at_barrier
        assert reply.stopped_at_barrier == (reply.applied < len(request.submissions))
    assert runs
    assert stops
    (key,) = stored.client.keys("*:log")
    assert stored.client.llen(key) == (await seats.match()).version


async def test_validate_only_stores_draws_and_tells_nothing(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(30, random.Random(4))
    view = await seats.on_turn()
    before = stored.dump()
    for index in range(len(view.choice.legal_actions)):
        reply = await seats.submit(seats.answer(view, index, validate_only=True), view.seat)
        assert (reply.version, reply.applied) == (view.version, 1)
        assert not reply.events
        assert not reply.HasField("choice")
    assert stored.dump() == before


async def test_the_reply_tells_what_the_caller_saw_and_must_decide_next(client: Client) -> None:
    seats = await client.create()
    told, choices = 0, 0
    dice = random.Random(8)
    for _ in range(60):
        view = await seats.on_turn()
        reply = await seats.submit(seats.answer(view, dice.randrange(len(view.choice.legal_actions))), view.seat)
        after = await seats.view(view.seat)
        assert reply.choice == after.choice
        assert reply.version == after.version
        told += len(reply.events)
        choices += reply.HasField("choice")
        assert all(event.text for event in reply.events)
    assert told
    assert choices


async def test_the_state_stored_is_the_log_replayed(client: Client, stored: Stored) -> None:
    seats = await client.create(seed="77")
    await seats.play(80, random.Random(6))
    (log,) = stored.client.keys("*:log")
    (state,) = stored.client.keys("*:state")
    entries = [rows.unpack_entry(item) for item in stored.client.lrange(log, 0, -1)]
    assert {entry.actor for entry in entries} == {Actor.SEAT}
    played = Record(
        "rurik",
        RURIK.info.rules_version,
        RURIK.info.data_version,
        2,
        {},
        77,
        tuple(Entry(e.seat, codec.decode_action(RURIK, e.action)) for e in entries),
    )
    assert codec.encode(RURIK, replay(RURIK, played)) == stored.client.get(state)


async def two_at_once(client: Client) -> tuple[Seats, list[tuple[int, match_pb2.SubmitActionsRequest]]]:
    """Return a match in which several seats decide at the same time, with an answer for each."""
    for seed in range(20):
        seats = await client.create(4, seed=str(seed))
        dice = random.Random(seed)
        for _ in range(40):
            view = await seats.view(0)
            if len(view.pending) > 1:
                views = [await seats.view(decision.seat) for decision in view.pending]
                return seats, [(v.seat, seats.answer(v)) for v in views]
            if await seats.play(1, dice) == 0:
                break
    raise AssertionError("no simultaneous decisions found")


async def test_seats_that_decide_at_once_do_not_collide(client: Client) -> None:
    seats, answers = await two_at_once(client)
    before = (await seats.match()).version
    replies = await asyncio.gather(*(seats.submit(request, seat) for seat, request in answers))
    assert sorted(reply.version for reply in replies) == [before + n for n in range(1, len(answers) + 1)]


async def test_the_same_request_sent_many_times_at_once_has_its_effect_once(client: Client) -> None:
    seats = await client.create()
    for _ in range(20):
        view = await seats.on_turn()
        request = seats.answer(view)
        replies = await asyncio.gather(*(seats.submit(request, view.seat) for _ in range(8)))
        assert {reply.version for reply in replies} == {view.version + 1}
    assert (await seats.match()).version == 20


async def test_of_many_different_answers_to_one_decision_one_is_taken(client: Client) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    told = await asyncio.gather(
        *(seats.submit(seats.answer(view), view.seat) for _ in range(8)), return_exceptions=True
    )
    accepted = [reply for reply in told if not isinstance(reply, BaseException)]
    assert len(accepted) == 1
    assert {error.code() for error in told if isinstance(error, grpc.aio.AioRpcError)} == {grpc.StatusCode.ABORTED}
    assert (await seats.match()).version == 1


async def test_a_pod_with_an_old_copy_plays_on_from_what_is_stored(pod: Pod, client: Client) -> None:
    from services.server import Pod as OtherPod

    other = OtherPod(pod.config)
    await other.start()
    elsewhere = Client(f"127.0.0.1:{other.port}")
    try:
        here = await client.create()
        there = here.at(elsewhere)
        dice = random.Random(3)
        while await here.play(1, dice) and await there.play(2, dice):
            pass
        assert (await there.match()).status == common_pb2.MATCH_STATUS_FINISHED
    finally:
        await elsewhere.close()
        await other.stop()


async def test_a_resigned_seat_is_played_on_by_a_bot_and_its_token_reads_on(client: Client, stored: Stored) -> None:
    from tests.services.table import bearer

    seats = await client.create()
    view = await seats.on_turn()
    reply = await client.matches.Resign(
        match_pb2.ResignRequest(match_id=seats.id, request_id=fresh()), metadata=bearer(seats.tokens[view.seat])
    )
    seat = reply.match.seats[view.seat]
    assert (seat.kind, seat.policy, seat.resigned) == (common_pb2.SEAT_KIND_BOT, "greedy", True)
    assert (await seats.view(view.seat)).seat == view.seat
    told = await refusal(seats.submit(seats.answer(view), view.seat))
    assert told.reason == "WRONG_SEAT"
    (queue,) = stored.client.keys("*:q:*")
    assert stored.client.zrange(queue, 0, -1) == [f"{seats.id}|{view.choice.decision.id}".encode()]
