"""Bad calls get an exact status code, reason and field, and change no stored byte."""

import random
from typing import Any

import grpc
import pytest

from tests.services.conftest import Stored, refused
from tests.services.table import ADMIN_TOKEN, BOT_TOKEN, DEADLINE, Client, Seats, bearer, fresh
from veche.v1 import admin_pb2, bot_pb2, catalog_pb2, common_pb2, match_pb2

CODE = grpc.StatusCode


def create(client: Client, **fields: Any) -> Any:
    known = {"request_id": fresh(), "game": "rurik", "seat_count": 2}
    return client.matches.CreateMatch(match_pb2.CreateMatchRequest(**{**known, **fields}), timeout=DEADLINE)


@pytest.mark.parametrize(
    ("fields", "reason", "field"),
    [
        ({"game": "chess"}, "UNKNOWN_GAME", "game"),
        ({"game": ""}, "INVALID_FIELD", "game"),
        ({"seat_count": 0}, "BAD_SEAT_COUNT", "seat_count"),
        ({"seat_count": 1}, "BAD_SEAT_COUNT", "seat_count"),
        ({"seat_count": 5}, "BAD_SEAT_COUNT", "seat_count"),
        ({"seat_count": 0, "seats": [{"seat": 0, "claim": {"name": "x"}}]}, "BAD_SEAT_COUNT", "seat_count"),
        ({"request_id": ""}, "INVALID_FIELD", "request_id"),
        ({"request_id": "seven"}, "INVALID_FIELD", "request_id"),
        ({"seed": "lucky"}, "INVALID_FIELD", "seed"),
        ({"seed": str(1 << 256)}, "INVALID_FIELD", "seed"),
        ({"seed": "-1"}, "INVALID_FIELD", "seed"),
        ({"visibility": 7}, "INVALID_FIELD", "visibility"),
        ({"seats": [match_pb2.SeatSetup(seat=2, claim={"name": "x"})]}, "INVALID_FIELD", "seats[0].seat"),
        ({"seats": [{"seat": 1, "claim": {}}, {"seat": 1, "claim": {}}]}, "INVALID_FIELD", "seats[1].seat"),
        ({"seats": [match_pb2.SeatSetup(seat=0)]}, "INVALID_FIELD", "seats[0].occupant"),
        ({"seats": [{"seat": 0, "claim": {"name": "x" * 41}}]}, "INVALID_FIELD", "seats[0].claim.name"),
        ({"seats": [{"seat": 0, "claim": {"name": "a\nb"}}]}, "INVALID_FIELD", "seats[0].claim.name"),
        ({"seats": [{"seat": 1, "bot": {"policy": "oracle"}}]}, "UNKNOWN_POLICY", "seats[0].bot.policy"),
        ({"seats": [{"seat": 1, "bot": {"policy": "automa"}}]}, "UNKNOWN_POLICY", "seats[0].bot.policy"),
    ],
)
async def test_a_match_that_cannot_be_is_not_created(
    client: Client, stored: Stored, fields: dict[str, Any], reason: str, field: str
) -> None:
    await refused(create(client, **fields), stored, CODE.INVALID_ARGUMENT, reason, field)


async def test_an_option_with_a_value_it_cannot_have_is_named(client: Client, stored: Stored) -> None:
    options = common_pb2.GameOptions()
    options.rurik.first_player = 9
    await refused(
        create(client, options=options), stored, CODE.INVALID_ARGUMENT, "BAD_OPTION", "options.rurik.first_player"
    )


async def test_an_option_enum_of_no_known_value_is_named(client: Client, stored: Stored) -> None:
    options = common_pb2.GameOptions()
    options.rurik.leaders = 99
    await refused(create(client, options=options), stored, CODE.INVALID_ARGUMENT, "BAD_OPTION", "options.rurik.leaders")


async def test_the_automa_takes_no_other_occupant(client: Client, stored: Stored) -> None:
    options = common_pb2.GameOptions()
    options.rurik.automa[1] = 1
    seats = [{"seat": 1, "claim": {"name": "x"}}]
    call = create(client, options=options, seats=seats)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "SEAT_TAKEN", "seats")


CALLS = {
    "GetMatch": match_pb2.GetMatchRequest,
    "JoinMatch": match_pb2.JoinMatchRequest,
    "LeaveMatch": match_pb2.LeaveMatchRequest,
    "AddBot": match_pb2.AddBotRequest,
    "StartMatch": match_pb2.StartMatchRequest,
    "GetView": match_pb2.GetViewRequest,
    "SubmitActions": match_pb2.SubmitActionsRequest,
    "WatchMatch": match_pb2.WatchMatchRequest,
    "Resign": match_pb2.ResignRequest,
    "GetRecord": match_pb2.GetRecordRequest,
    "CloseMatch": match_pb2.CloseMatchRequest,
}


def call_on(client: Client, name: str, match_id: str, token: str, **fields: Any) -> Any:
    kind = CALLS[name]
    if "request_id" in kind.DESCRIPTOR.fields_by_name:
        fields.setdefault("request_id", fresh())
    if name == "SubmitActions":
        fields.setdefault("submissions", [match_pb2.Submission(decision_id="0.0", index=0)])
    if name == "AddBot":
        fields.setdefault("policy", "random")
    call = getattr(client.matches, name)(kind(match_id=match_id, **fields), timeout=DEADLINE, metadata=bearer(token))
    return call.read() if name == "WatchMatch" else call


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("match_id", ["nosuchmatch", "../../{v:07}", "a" * 65])
async def test_an_unknown_match_is_not_found(client: Client, stored: Stored, name: str, match_id: str) -> None:
    call = call_on(client, name, match_id, "some token")
    await refused(call, stored, CODE.NOT_FOUND, "MATCH_NOT_FOUND")


@pytest.mark.parametrize("name", CALLS)
async def test_a_match_id_is_required(client: Client, stored: Stored, name: str) -> None:
    await refused(call_on(client, name, "", "x"), stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD", "match_id")


@pytest.mark.parametrize("name", [name for name in CALLS if name != "JoinMatch"])
async def test_a_private_match_is_not_found_by_strangers(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create(visibility=common_pb2.VISIBILITY_PRIVATE)
    call = call_on(client, name, seats.id, "a stranger's token")
    await refused(call, stored, CODE.NOT_FOUND, "MATCH_NOT_FOUND")


async def test_a_private_match_is_joined_with_its_code_alone(client: Client, stored: Stored) -> None:
    created = await create(client, visibility=common_pb2.VISIBILITY_PRIVATE)
    told = await refused(call_on(client, "JoinMatch", created.match.id, ""), stored, CODE.NOT_FOUND, "MATCH_NOT_FOUND")
    assert "join code" in told.message
    reply = await call_on(client, "JoinMatch", created.match.id, "", join_code=created.join_code)
    assert reply.seat_token.token


@pytest.mark.parametrize("name", [name for name in CALLS if name != "JoinMatch"])
async def test_a_wrong_token_is_unknown(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create()
    call = call_on(client, name, seats.id, "wrong")
    await refused(call, stored, CODE.UNAUTHENTICATED, "TOKEN_UNKNOWN")


@pytest.mark.parametrize("name", ["LeaveMatch", "AddBot", "StartMatch", "SubmitActions", "Resign", "CloseMatch"])
async def test_an_absent_token_is_asked_for(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create()
    await refused(call_on(client, name, seats.id, ""), stored, CODE.UNAUTHENTICATED, "TOKEN_REQUIRED")


@pytest.mark.parametrize("name", ["AddBot", "StartMatch", "CloseMatch"])
async def test_a_seat_may_not_do_what_the_host_does(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create()
    call = call_on(client, name, seats.id, seats.tokens[0])
    await refused(call, stored, CODE.PERMISSION_DENIED, "WRONG_SEAT")


@pytest.mark.parametrize("name", ["LeaveMatch", "SubmitActions", "Resign"])
async def test_the_host_plays_no_seat(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create()
    await refused(call_on(client, name, seats.id, seats.host), stored, CODE.PERMISSION_DENIED, "WRONG_SEAT")


async def full_lobby(client: Client) -> Seats:
    return await client.create(auto_start=False)


async def test_a_full_match_is_not_joined(client: Client, stored: Stored) -> None:
    seats = await full_lobby(client)
    call = call_on(client, "JoinMatch", seats.id, "")
    await refused(call, stored, CODE.FAILED_PRECONDITION, "SEAT_TAKEN", "seat")
    call = call_on(client, "JoinMatch", seats.id, "", seat=1)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "SEAT_TAKEN", "seat")
    call = call_on(client, "AddBot", seats.id, seats.host)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "SEAT_TAKEN", "seat")


async def test_a_seat_that_the_match_does_not_have_is_not_joined(client: Client, stored: Stored) -> None:
    created = await create(client)
    call = call_on(client, "JoinMatch", created.match.id, "", seat=2)
    await refused(call, stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD", "seat")


@pytest.mark.parametrize("name", ["JoinMatch", "LeaveMatch", "AddBot", "StartMatch"])
async def test_a_running_match_is_no_lobby(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create()
    token = seats.tokens[0] if name == "LeaveMatch" else seats.host
    await refused(call_on(client, name, seats.id, token), stored, CODE.FAILED_PRECONDITION, "MATCH_STARTED")


@pytest.mark.parametrize(
    "name", ["JoinMatch", "LeaveMatch", "AddBot", "StartMatch", "SubmitActions", "Resign", "CloseMatch"]
)
async def test_a_match_that_ended_is_over(client: Client, stored: Stored, name: str) -> None:
    seats = await client.create()
    await call_on(client, "CloseMatch", seats.id, seats.host)
    token = seats.tokens[0] if name in {"LeaveMatch", "SubmitActions", "Resign"} else seats.host
    await refused(call_on(client, name, seats.id, token), stored, CODE.FAILED_PRECONDITION, "MATCH_ENDED")


async def test_a_finished_match_is_over(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(2000, random.Random(1))
    assert (await seats.match()).status == common_pb2.MATCH_STATUS_FINISHED
    for name, token in (("JoinMatch", ""), ("SubmitActions", seats.tokens[0]), ("CloseMatch", seats.host)):
        call = call_on(client, name, seats.id, token)
        await refused(call, stored, CODE.FAILED_PRECONDITION, "MATCH_ENDED")


@pytest.mark.parametrize("name", ["GetView", "GetRecord", "SubmitActions", "Resign"])
async def test_a_lobby_has_no_game_yet(client: Client, stored: Stored, name: str) -> None:
    seats = await full_lobby(client)
    call = call_on(client, name, seats.id, seats.tokens[0])
    await refused(call, stored, CODE.FAILED_PRECONDITION, "MATCH_NOT_STARTED")


async def test_a_match_with_open_seats_does_not_start(client: Client, stored: Stored) -> None:
    created = await create(client)
    call = call_on(client, "StartMatch", created.match.id, created.host_token)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "SEATS_OPEN")


async def test_lists_are_read_in_pages_of_one_listing(client: Client, stored: Stored) -> None:
    for page_token in ("%%%", "AAAA"):
        call = client.matches.ListMatches(match_pb2.ListMatchesRequest(page_token=page_token), timeout=DEADLINE)
        await refused(call, stored, CODE.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "page_token")
    call = client.matches.ListMatches(match_pb2.ListMatchesRequest(page_size=-1), timeout=DEADLINE)
    await refused(call, stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD", "page_size")
    for unknown in (
        client.catalog.GetGame(catalog_pb2.GetGameRequest(game="chess"), timeout=DEADLINE),
        client.matches.ListMatches(match_pb2.ListMatchesRequest(game="chess"), timeout=DEADLINE),
    ):
        await refused(unknown, stored, CODE.INVALID_ARGUMENT, "UNKNOWN_GAME", "game")


async def test_workers_and_operators_show_their_own_tokens(client: Client, stored: Stored) -> None:
    seats = await client.create()
    for token, reason in (("", "TOKEN_REQUIRED"), (seats.host, "TOKEN_UNKNOWN"), (ADMIN_TOKEN, "TOKEN_UNKNOWN")):
        call = client.bots.Subscribe(
            bot_pb2.SubscribeRequest(worker_id="w", capacity=1), timeout=DEADLINE, metadata=bearer(token)
        )
        await refused(call.read(), stored, CODE.UNAUTHENTICATED, reason)
    for token, reason in (("", "TOKEN_REQUIRED"), (seats.host, "TOKEN_UNKNOWN"), (BOT_TOKEN, "TOKEN_UNKNOWN")):
        request = admin_pb2.TerminateMatchRequest(match_id=seats.id, request_id=fresh())
        call = client.admin.TerminateMatch(request, timeout=DEADLINE, metadata=bearer(token))
        await refused(call, stored, CODE.UNAUTHENTICATED, reason)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"worker_id": ""}, "worker_id"),
        ({"worker_id": "w" * 101}, "worker_id"),
        ({"capacity": 0}, "capacity"),
        ({"capabilities": []}, "capabilities"),
        ({"capabilities": [{"game": "rurik"}]}, "capabilities[0].policies"),
    ],
)
async def test_a_worker_says_what_it_can_do(client: Client, stored: Stored, fields: dict[str, Any], field: str) -> None:
    known = {"worker_id": "w", "capacity": 1, "capabilities": [{"game": "rurik", "policies": ["random"]}]}
    request = bot_pb2.SubscribeRequest(**{**known, **fields})
    call = client.bots.Subscribe(request, timeout=DEADLINE, metadata=bearer(BOT_TOKEN))
    await refused(call.read(), stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD", field)


async def test_a_lease_that_was_made_up_is_no_lease(client: Client, stored: Stored) -> None:
    seats = await client.create()
    for token in ("lease.AAAA.BBBB", "lease.", "lease.x"):
        request = bot_pb2.RenewLeaseRequest(lease_token=token)
        call = client.bots.RenewLease(request, timeout=DEADLINE, metadata=bearer(BOT_TOKEN))
        await refused(call, stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD", "lease_token")
        call = call_on(client, "SubmitActions", seats.id, token)
        await refused(call, stored, CODE.UNAUTHENTICATED, "TOKEN_UNKNOWN")
