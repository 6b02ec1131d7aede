"""What a hostile or clumsy client sends is refused with a precise error, and opens nothing that is not its own."""

import asyncio
import base64
import random
import time
from types import SimpleNamespace
from typing import Any

import grpc
import msgspec
import pytest
import structlog
from structlog.testing import capture_logs

from services.api.convert import _fingerprint
from services.api.rpc import Gate
from services.api.rpc import refused as refused_by
from services.config import Settings
from services.errors import Refusal
from services.server import Pod
from tests.services.conftest import Stored
from tests.services.table import ADMIN_TOKEN, DEADLINE, Client, Said, Seats, Worker, bearer, fresh, refusal, said
from tests.services.test_watch import until
from veche.v1 import admin_pb2, match_pb2

UUID = "0b5bbd0c-25ac-4d70-8d4b-0a4b0e4f7f55"
INVALID = grpc.StatusCode.INVALID_ARGUMENT


def creation(**fields: Any) -> match_pb2.CreateMatchRequest:
    return match_pb2.CreateMatchRequest(**{"request_id": fresh(), "game": "rurik", "seat_count": 2, **fields})


async def rest(stream: Any) -> tuple[list[Any], Said]:
    """Return what a stream still tells, and the error it ends with."""
    messages = []
    try:
        async with asyncio.timeout(DEADLINE):
            async for message in stream:
                messages.append(message)  # noqa: PERF401 - the stream ends with an error
    except grpc.aio.AioRpcError as error:
        return messages, said(error)
    raise AssertionError("the stream ended well")


@pytest.mark.parametrize(("word", "times"), [("x", 200_000), ("é", 20_000), ("\n'\"\\", 20_000), ("\U0001f600", 5_000)])
async def test_an_error_about_a_huge_word_arrives_and_is_short(
    client: Client, stored: Stored, word: str, times: int
) -> None:
    word *= times
    before = stored.dump()
    game = await refusal(client.matches.CreateMatch(creation(game=word), timeout=DEADLINE))
    bot = match_pb2.SeatSetup(seat=0, bot=match_pb2.SeatBot(policy=word))
    policy = await refusal(client.matches.CreateMatch(creation(seats=[bot]), timeout=DEADLINE))
    assert (game.reason, game.field) == ("UNKNOWN_GAME", "game")
    assert (policy.reason, policy.field) == ("UNKNOWN_POLICY", "seats[0].bot.policy")
    assert game.message.endswith("ListGames tells which there are")
    assert policy.message.endswith("there are random, greedy")
    assert len(game.message.encode()) + len(policy.message.encode()) < 1_600
    assert stored.dump() == before


def test_a_long_message_keeps_its_beginning_and_its_advice_within_what_a_trailer_holds() -> None:
    refused = Refusal("INVALID_FIELD", "begin " + "\U0001f600" * 9_000 + " do that", field="é" * 9_000 + ".end")
    assert refused.message.startswith("begin ")
    assert refused.message.endswith(" do that")
    assert len(refused.message.encode()) <= 800
    assert refused.field.endswith(".end")
    assert len(refused.field.encode()) <= 160


@pytest.mark.parametrize(
    "seed", ["0x1_0", "0x1 ", "0x 1", " 1", "1_0", "\u0661\u0662", "+1", "-1", "0x", "1e3", "0x1" + "0" * 64, "9" * 79]
)
async def test_a_seed_is_digits_alone(client: Client, stored: Stored, seed: str) -> None:
    before = stored.dump()
    refused = await refusal(client.matches.CreateMatch(creation(seed=seed), timeout=DEADLINE))
    assert (refused.code, refused.reason, refused.field) == (INVALID, "INVALID_FIELD", "seed")
    assert stored.dump() == before


@pytest.mark.parametrize("request_id", ["1_1" + "1" * 29, "\u0661" * 32, "{" + UUID + "}", UUID + " ", "x", "1" * 99])
async def test_a_request_id_is_a_uuid_in_ascii(client: Client, stored: Stored, request_id: str) -> None:
    before = stored.dump()
    refused = await refusal(client.matches.CreateMatch(creation(request_id=request_id), timeout=DEADLINE))
    assert (refused.code, refused.reason, refused.field) == (INVALID, "INVALID_FIELD", "request_id")
    assert stored.dump() == before


@pytest.mark.parametrize("request_id", ["0" * 32, "0" * 31 + "7", "5e3f0a58-cb7a-11f0-8de9-0242ac120002"])
async def test_a_request_id_that_can_be_guessed_gets_no_tokens(client: Client, stored: Stored, request_id: str) -> None:
    open_match = await client.matches.CreateMatch(creation(), timeout=DEADLINE)
    before = stored.dump()
    join = match_pb2.JoinMatchRequest(match_id=open_match.match.id, request_id=request_id)
    for call in (
        client.matches.CreateMatch(creation(request_id=request_id), timeout=DEADLINE),
        client.matches.JoinMatch(join, timeout=DEADLINE),
    ):
        refused = await refusal(call)
        assert (refused.code, refused.reason, refused.field) == (INVALID, "INVALID_FIELD", "request_id")
    assert stored.dump() == before


async def test_a_status_named_many_times_is_looked_up_once(client: Client) -> None:
    seats = await client.create()
    request = match_pb2.ListMatchesRequest(statuses=[2] * 100_000)
    listed = await client.matches.ListMatches(request, timeout=DEADLINE)
    assert [match.id for match in listed.matches] == [seats.id]


@pytest.mark.parametrize("number", [-1, -(2**63)])
async def test_a_page_before_the_first_is_no_page(client: Client, stored: Stored, number: int) -> None:
    seats = await client.create()
    await seats.play(6, random.Random(1))
    before = stored.dump()
    for method, request, token in (
        (client.matches.GetRecord, match_pb2.GetRecordRequest(match_id=seats.id), None),
        (client.matches.ListMatches, match_pb2.ListMatchesRequest(), None),
        (client.admin.ListIncidents, admin_pb2.ListIncidentsRequest(), ADMIN_TOKEN),
    ):
        raw = msgspec.msgpack.encode((_fingerprint(request), number, "x"))
        request.page_token = base64.urlsafe_b64encode(raw).decode()
        refused = await refusal(method(request, timeout=DEADLINE, metadata=bearer(token)))
        assert (refused.code, refused.reason, refused.field) == (INVALID, "BAD_PAGE_TOKEN", "page_token")
    assert stored.dump() == before


@pytest.mark.parametrize("number", [6, 7, 2**32, 2**64 - 1])
async def test_a_page_after_the_last_is_empty(client: Client, number: int) -> None:
    seats = await client.create()
    await seats.play(6, random.Random(1))
    request = match_pb2.GetRecordRequest(match_id=seats.id)
    raw = msgspec.msgpack.encode((_fingerprint(request), number, ""))
    request.page_token = base64.urlsafe_b64encode(raw).decode()
    reply = await client.matches.GetRecord(request, timeout=DEADLINE)
    assert (list(reply.entries), reply.next_page_token) == ([], "")


@pytest.mark.parametrize(
    "forged", ["\u0663.0", "0{id}", "{id} ", "{id}\0", "{id}0", "-1.0", "1e3.0", "9" * 21 + ".0", "{id}.{id}", "x" * 99]
)
async def test_a_decision_id_has_one_spelling(client: Client, stored: Stored, forged: str) -> None:
    seats = await client.create()
    await seats.play(5, random.Random(1))
    view = await seats.on_turn()
    before = stored.dump()
    request = seats.answer(view)
    request.submissions[0].decision_id = forged.replace("{id}", view.choice.decision.id)
    refused = await refusal(seats.submit(request, view.seat))
    assert refused.field == "submissions[0].decision_id"
    assert refused.reason == ("WRONG_SEAT" if forged == "{id}0" and view.seat else "INVALID_FIELD")
    assert stored.dump() == before


async def test_who_left_a_seat_does_not_see_the_cards_of_who_took_it(client: Client) -> None:
    claim = match_pb2.SeatSetup(seat=0, claim=match_pb2.SeatClaim(name="leaver"))
    seats = Seats(client, await client.matches.CreateMatch(creation(seats=[claim], auto_start=True), timeout=DEADLINE))
    stream = seats.watch(0, views=True)
    await until(stream, "snapshot")
    leave = match_pb2.LeaveMatchRequest(match_id=seats.id, request_id=fresh())
    await client.matches.LeaveMatch(leave, timeout=DEADLINE, metadata=bearer(seats.tokens[0]))
    for seat in (0, 1):
        join = match_pb2.JoinMatchRequest(match_id=seats.id, request_id=fresh(), seat=seat)
        await client.matches.JoinMatch(join, timeout=DEADLINE)
    messages, why = await rest(stream)
    assert {message.WhichOneof("message") for message in messages} <= {"lobby"}
    assert why.reason == "TOKEN_UNKNOWN"


async def test_a_resigned_seats_stream_goes_on(client: Client) -> None:
    seats = await client.create()
    stream = seats.watch(0)
    await until(stream, "snapshot")
    resign = match_pb2.ResignRequest(match_id=seats.id, request_id=fresh())
    await client.matches.Resign(resign, timeout=DEADLINE, metadata=bearer(seats.tokens[0]))
    assert (await until(stream, "lobby"))[-1].lobby.match.seats[0].resigned
    stream.cancel()


async def leased(client: Client) -> tuple[Seats, Worker, Any]:
    """Return a match of a client and a bot in which the bot is to move, the worker, and its offer."""
    worker = await Worker.subscribe(client)
    seats = await client.create(bots={1: "random"})
    while (view := await seats.view(0)).HasField("choice"):
        await seats.submit(seats.answer(view), 0)
    return seats, worker, await worker.offer()


async def refused_by_lease(client: Client, seats: Seats, lease: str) -> dict[str, Said]:
    """Return what a lease's token gets on each call but SubmitActions."""
    told = {}
    for name in ("GetMatch", "GetView", "GetRecord", "WatchMatch", "Resign", "LeaveMatch", "AddBot", "CloseMatch"):
        request = getattr(match_pb2, f"{name}Request")(match_id=seats.id)
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            request.request_id = fresh()
        call = getattr(client.matches, name)(request, timeout=DEADLINE, metadata=bearer(lease))
        told[name] = await refusal(call.read() if name == "WatchMatch" else call)
    return told


async def test_a_lease_gives_no_seat_up_and_closes_no_match(client: Client, stored: Stored) -> None:
    seats, worker, offer = await leased(client)
    before = stored.dump()
    for name in ("Resign", "LeaveMatch", "CloseMatch", "AddBot"):
        request = getattr(match_pb2, f"{name}Request")(match_id=seats.id, request_id=fresh())
        call = getattr(client.matches, name)(request, timeout=DEADLINE, metadata=bearer(offer.lease_token))
        assert (await refusal(call)).reason == "WRONG_SEAT"
    assert stored.dump() == before
    assert (await worker.answer(offer)).applied == 1
    worker.leave()


async def test_an_answered_lease_reads_nothing_more(client: Client) -> None:
    seats, worker, offer = await leased(client)
    lease = bearer(offer.lease_token)
    view = await client.matches.GetView(match_pb2.GetViewRequest(match_id=seats.id), timeout=DEADLINE, metadata=lease)
    assert view.view.seat == 1
    stream = client.matches.WatchMatch(match_pb2.WatchMatchRequest(match_id=seats.id), timeout=60.0, metadata=lease)
    await until(stream, "snapshot")
    await worker.answer(offer)
    messages, why = await rest(stream)
    assert (messages, why.reason) == ([], "LEASE_LOST")
    told = await refused_by_lease(client, seats, offer.lease_token)
    reads = ("GetMatch", "GetView", "GetRecord", "WatchMatch")
    assert {name: told[name].reason for name in reads} == dict.fromkeys(reads, "LEASE_LOST")
    worker.leave()


async def test_the_lease_of_one_match_is_nothing_in_another(client: Client, stored: Stored) -> None:
    _, worker, offer = await leased(client)
    other = await client.create(visibility=2)
    told = await refused_by_lease(client, other, offer.lease_token)
    assert {said.reason for said in told.values()} == {"MATCH_NOT_FOUND"}
    worker.leave()


def test_another_made_up_token_with_each_call_does_not_lift_the_limit() -> None:
    gate = Gate(rate=10.0, streams=1, message_bytes=1)
    for number in range(20):
        gate.call(f"token {number}", "host")
    with pytest.raises(Refusal) as refused:
        gate.call("token 20", "host")
    assert refused.value.reason == "LIMIT_REACHED"
    assert refused.value.retry_after > 0
    gate.call("token 1", "host")
    trusting = Gate(rate=10.0, streams=1, message_bytes=1, vouched=lambda token: token.startswith("lease."))
    for number in range(100):
        trusting.call(f"lease.{number}", "host")
    gate.call("token of another host", "another host")


def test_the_log_of_a_failed_call_holds_neither_its_request_id_nor_the_text_of_the_error() -> None:
    structlog.reset_defaults()
    seed = str(31337**9)
    with capture_logs() as lines:
        told = refused_by(KeyError("a card"), "CreateMatch", creation(request_id=UUID, seed=seed))
    assert told.reason == "INTERNAL"
    assert lines[0]["incident"] == told.metadata["incident"]
    assert not [word for word in (UUID, "a card", seed) if word in repr(lines) + told.message]


def test_creating_matches_counts_for_more_than_other_calls() -> None:
    gate = Gate(rate=100.0, streams=1, message_bytes=1)
    for _ in range(4):
        gate.call("", "host", "CreateMatch")
    with pytest.raises(Refusal) as refused:
        gate.call("a made-up token", "host", "CreateMatch")
    assert refused.value.message.startswith("more than 2 such calls a second")
    gate.call("", "another host", "CreateMatch")
    gate.call("a token", "another host", "GetMatch")


def exhaust(gate: Gate, method: str) -> None:
    for _ in range(100):
        gate.call("", "host", method)


@pytest.mark.parametrize(
    ("method", "most"), [("GetView", 600), ("ListMatches", 30), ("GetRecord", 30), ("CreateMatch", 12)]
)
def test_by_default_one_caller_gets_a_small_part_of_what_a_pod_can_do(method: str, most: int) -> None:
    gate = Gate(Settings(redis_url="").rate, streams=1, message_bytes=1)
    for _ in range(most):
        gate.call("", "host", method)
    with pytest.raises(Refusal) as refused:
        exhaust(gate, method)
    assert 0 < refused.value.retry_after < 1
    gate.call("", "another host", method)


async def test_a_caller_who_lists_without_pause_is_held_back_and_the_others_are_not(
    config: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without pause: no time passes, however long a busy machine takes.
    still = SimpleNamespace(monotonic=lambda: 0.0, perf_counter=time.perf_counter)
    monkeypatch.setattr("services.api.rpc.time", still)
    pod = Pod(msgspec.structs.replace(config, rate=Settings(redis_url="").rate))
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    try:
        seats = await client.create()
        assert (await seats.view(0)).seat == 0
        asked = [client.matches.ListMatches(match_pb2.ListMatchesRequest(), timeout=DEADLINE) for _ in range(64)]
        replies = await asyncio.gather(*asked, return_exceptions=True)
        refusals = [reply for reply in replies if isinstance(reply, grpc.aio.AioRpcError)]
        assert len(refusals) > 16
        assert {said(error).reason for error in refusals} == {"LIMIT_REACHED"}
        assert (await seats.view(0)).seat == 0
    finally:
        await client.close()
        await pod.stop()


def test_one_host_holds_half_of_the_streams_at_most() -> None:
    gate = Gate(rate=1.0, streams=4, message_bytes=1)
    gate.enter("host")
    gate.enter("host")
    with pytest.raises(Refusal) as refused:
        gate.enter("host")
    assert refused.value.message.startswith("too many streams from this host")
    gate.enter("another host")
    gate.exit("host")
    gate.enter("host")
    gate.enter("another host")
    with pytest.raises(Refusal) as refused:
        gate.enter("a third host")
    assert refused.value.message.startswith("this pod serves no more streams")
