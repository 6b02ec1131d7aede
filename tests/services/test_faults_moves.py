"""Bad answers get an exact status code, reason and field, and change no stored byte."""

import random
from typing import Any

import grpc
import pytest

from tests.services.conftest import Stored, refused
from tests.services.table import DEADLINE, Client, bearer, fresh, refusal
from veche.v1 import match_pb2

CODE = grpc.StatusCode


async def test_another_seats_token_answers_nothing(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    other = 1 - view.seat
    call = seats.submit(seats.answer(view), other)
    await refused(call, stored, CODE.PERMISSION_DENIED, "WRONG_SEAT", "submissions[0].decision_id")


async def test_not_your_turn(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    other = 1 - view.seat
    request = seats.answer(view)
    request.submissions[0].decision_id = f"{view.version}.{other}"
    call = seats.submit(request, other)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "NOT_YOUR_TURN", "submissions[0].decision_id")


async def test_a_closed_decision_is_aborted(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    await seats.submit(seats.answer(view), view.seat)
    call = seats.submit(seats.answer(view), view.seat)
    before = stored.dump()
    told = await refusal(call)
    assert (told.code, told.reason) == (CODE.ABORTED, "DECISION_CLOSED")
    assert told.field == "submissions[0].decision_id"
    assert "another seat changed what may be chosen" in told.message
    assert told.metadata["version"] == "1"
    assert stored.dump() == before


async def test_a_decision_that_never_was_is_not_your_turn(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view)
    request.submissions[0].decision_id = f"999.{view.seat}"
    call = seats.submit(request, view.seat)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "NOT_YOUR_TURN", "submissions[0].decision_id")


async def test_a_stale_version_is_aborted(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    call = seats.submit(seats.answer(view, expected_version=7), view.seat)
    await refused(call, stored, CODE.ABORTED, "STALE_VERSION", "expected_version")


async def test_an_illegal_action_is_refused(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    action = view.choice.legal_actions[0].action
    await seats.submit(seats.answer(view, 0), view.seat)
    later = await seats.on_turn()
    request = seats.answer(later)
    request.submissions[0].action.CopyFrom(action)
    call = seats.submit(request, later.seat)
    await refused(call, stored, CODE.FAILED_PRECONDITION, "ILLEGAL_ACTION", "submissions[0].action")


async def test_a_second_submission_that_is_illegal_stores_nothing_of_the_first(client: Client, stored: Stored) -> None:
    seats = await client.create()
    dice = random.Random(5)
    for _ in range(400):
        view = await seats.on_turn()
        assert view is not None
        answer = seats.answer(view, dice.randrange(len(view.choice.legal_actions)))
        answer.validate_only = True
        answer.submissions.add(index=0)
        try:
            told = await seats.submit(answer, view.seat)
        except grpc.aio.AioRpcError:
            told = None
        if told is not None and told.applied == 2:
            break
        answer.validate_only = False
        del answer.submissions[1]
        await seats.submit(answer, view.seat)
    else:
        raise AssertionError("no two decisions in a row")
    answer.validate_only = False
    answer.submissions[1].index = 500
    call = seats.submit(answer, view.seat)
    await refused(call, stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD", "submissions[1].index")
    answer.submissions[1].index = 0
    answer.request_id = fresh()
    assert (await seats.submit(answer, view.seat)).applied == 2


@pytest.mark.parametrize(
    ("change", "code", "reason", "field"),
    [
        (lambda r: r.ClearField("submissions"), CODE.INVALID_ARGUMENT, "INVALID_FIELD", "submissions"),
        (
            lambda r: r.submissions[0].ClearField("index"),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].move",
        ),
        (
            lambda r: r.submissions[0].action.SetInParent(),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].action",
        ),
        (
            lambda r: r.submissions[0].action.rurik.SetInParent(),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].action.rurik",
        ),
        (
            lambda r: r.submissions[0].action.rurik.choose_colour.SetInParent(),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].action.rurik.choose_colour.colour",
        ),
        (
            lambda r: setattr(r.submissions[0], "index", 4_000_000_000),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].index",
        ),
        (
            lambda r: setattr(r.submissions[0], "decision_id", ""),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].decision_id",
        ),
        (
            lambda r: setattr(r.submissions[0], "decision_id", "zero.zero"),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions[0].decision_id",
        ),
        (lambda r: setattr(r, "request_id", "1"), CODE.INVALID_ARGUMENT, "INVALID_FIELD", "request_id"),
        (
            lambda r: r.submissions.extend([r.submissions[0]] * 64),
            CODE.INVALID_ARGUMENT,
            "INVALID_FIELD",
            "submissions",
        ),
    ],
)
async def test_a_malformed_submission_names_the_field(
    client: Client, stored: Stored, change: Any, code: grpc.StatusCode, reason: str, field: str
) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view)
    change(request)
    await refused(seats.submit(request, view.seat), stored, code, reason, field)


async def test_the_action_of_another_game_is_told_apart(
    client: Client, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.core.registry import GAMES
    from protos.wire import for_game

    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view)
    request.submissions[0].action.CopyFrom(view.choice.legal_actions[0].action)
    # One game is hosted so far: for this test the match is of a second one.
    monkeypatch.setattr(for_game(GAMES["rurik"]), "game", "scythe")
    call = seats.submit(request, view.seat)
    await refused(call, stored, CODE.INVALID_ARGUMENT, "WRONG_GAME", "submissions[0].action.rurik")


def raw(client: Client, body: bytes, token: str = "") -> Any:
    call = client.channel.unary_unary("/veche.v1.MatchService/SubmitActions")
    return call(body, timeout=DEADLINE, metadata=bearer(token))


async def test_bytes_that_are_no_message_are_malformed(client: Client, stored: Stored) -> None:
    await client.create()
    await refused(raw(client, b"\xff\xff\xff"), stored, CODE.INVALID_ARGUMENT, "INVALID_FIELD")


async def test_a_large_message_is_refused_with_its_limit(client: Client, stored: Stored) -> None:
    seats = await client.create()
    request = match_pb2.SubmitActionsRequest(match_id=seats.id, request_id="x" * 300_000)
    call = raw(client, request.SerializeToString(), seats.tokens[0])
    await refused(call, stored, CODE.RESOURCE_EXHAUSTED, "LIMIT_REACHED")


async def test_a_huge_message_is_refused_before_it_is_read(client: Client, stored: Stored) -> None:
    await client.create()
    before = stored.dump()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await raw(client, b"\x0a" + b"x" * (5 << 20))
    assert caught.value.code() is CODE.RESOURCE_EXHAUSTED
    assert stored.dump() == before


async def test_another_scheme_than_bearer_is_no_token(client: Client, stored: Stored) -> None:
    seats = await client.create()
    request = match_pb2.GetViewRequest(match_id=seats.id)
    call = client.matches.GetView(request, timeout=DEADLINE, metadata=(("authorization", "Basic Zm9v"),))
    await refused(call, stored, CODE.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def test_a_request_id_used_for_another_request_is_refused(client: Client, stored: Stored) -> None:
    seats = await client.create()
    view = await seats.on_turn()
    request = seats.answer(view, 0)
    await seats.submit(request, view.seat)
    request.submissions[0].index = 1
    call = seats.submit(request, view.seat)
    await refused(call, stored, CODE.INVALID_ARGUMENT, "REQUEST_ID_REUSED", "request_id")
