"""States that differ only in what a seat must not know give it byte-identical answers on every RPC."""

import asyncio
import random
from importlib import import_module
from typing import Any

import grpc
import pytest

from engine.core import codec
from engine.core.registry import GAMES
from protos.wire import view_to_message
from services.config import Settings
from services.server import Pod
from tests.services.conftest import Stored
from tests.services.table import DEADLINE, Client, Seats, Worker, bearer
from tests.services.test_watch import until
from veche.v1 import common_pb2, match_pb2

RURIK = GAMES["rurik"]
ID = "00000000-0000-4000-8000-000000000000"


async def answer(call: Any) -> bytes:
    """Return a reply, or an error with all its trailers, as bytes."""
    try:
        reply = await call
    except grpc.aio.AioRpcError as error:
        return repr((error.code(), error.details(), sorted(error.trailing_metadata() or ()))).encode()
    return bytes(reply.SerializeToString(deterministic=True))


async def everything(
    seats: Seats, seat: int | None, past: Any, guesses: list[common_pb2.GameAction], game: str = "rurik"
) -> dict[str, bytes]:
    """Return what one caller gets on every RPC that reads, and on every submission that stores nothing."""
    matches, metadata = seats.client.matches, bearer(None if seat is None else seats.tokens[seat])
    told = {}
    for name, request in {
        "GetMatch": match_pb2.GetMatchRequest(match_id=seats.id),
        "GetView": match_pb2.GetViewRequest(match_id=seats.id),
        "GetRecord": match_pb2.GetRecordRequest(match_id=seats.id, page_size=1000),
        "ListMatches": match_pb2.ListMatchesRequest(),
    }.items():
        told[name] = await answer(getattr(matches, name)(request, timeout=DEADLINE, metadata=metadata))
    for views in (False, True):
        request = match_pb2.WatchMatchRequest(match_id=seats.id, include_views=views)
        stream = matches.WatchMatch(request, timeout=DEADLINE, metadata=metadata)
        (snapshot,) = await until(stream, "snapshot")
        told[f"WatchMatch {views}"] = snapshot.SerializeToString(deterministic=True)
        stream.cancel()
        resumed = match_pb2.WatchMatchRequest(match_id=seats.id, include_views=views, resume=past)
        stream = matches.WatchMatch(resumed, timeout=DEADLINE, metadata=metadata)
        messages = await until(stream, "lobby")
        told[f"WatchMatch resumed {views}"] = b"".join(m.SerializeToString(deterministic=True) for m in messages)
        stream.cancel()
    view = await seats.view(seat)
    pending = [decision.id for decision in view.pending]
    own = [view.choice.decision.id] if view.HasField("choice") else []
    for decision in {*pending, *own, "0.0", f"{view.version}.{seat or 0}", "x"}:
        count = len(view.choice.legal_actions) if decision in own else 1
        for index in (*range(count), count, 10_000):
            request = match_pb2.SubmitActionsRequest(match_id=seats.id, request_id=ID, validate_only=True)
            request.submissions.add(decision_id=decision, index=index)
            told[f"submit {decision} {index}"] = await answer(
                matches.SubmitActions(request, timeout=DEADLINE, metadata=metadata)
            )
        request = match_pb2.SubmitActionsRequest(match_id=seats.id, request_id=ID)
        getattr(request.submissions.add(decision_id=decision).action, game).SetInParent()
        told[f"malformed {decision}"] = await answer(
            matches.SubmitActions(request, timeout=DEADLINE, metadata=metadata)
        )
    for action in guesses:
        request = match_pb2.SubmitActionsRequest(match_id=seats.id, request_id=ID, validate_only=True)
        request.submissions.add(decision_id=(own or pending)[0]).action.CopyFrom(action)
        told[f"guess {action}"] = await answer(matches.SubmitActions(request, timeout=DEADLINE, metadata=metadata))
    return told


async def position(seats: Seats) -> Any:
    stream = seats.watch(None)
    (snapshot,) = await until(stream, "snapshot")
    stream.cancel()
    return snapshot.position


async def forget(pod: Pod, seats: Seats) -> None:
    """Make a pod read the match anew: a state does not change under one version but in this test."""
    async with asyncio.timeout(DEADLINE):
        while pod._watch._topics:
            await asyncio.sleep(0.005)
    pod._watch._play.tables.forget(seats.id)


@pytest.mark.parametrize(
    ("game", "count"), [("rurik", 2), ("rurik", 4), ("masters_of_europe", 3), ("europe_divided", 2)]
)
async def test_a_caller_cannot_tell_two_worlds_apart_that_differ_in_secrets(
    config: Settings, stored: Stored, game: str, count: int
) -> None:
    rules, secrets = GAMES[game], import_module(f"engine.games.{game}.view").SECRETS
    dice = random.Random(count)
    pod = Pod(config)
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    checked = 0
    try:
        seats = await client.create(count, game=game, seed="5")
        past = await position(seats)
        for _ in range(10 - 2 * count):
            if await seats.play(dice.randrange(5, 30), dice) == 0 or await seats.on_turn() is None:
                break
            (key,) = stored.client.keys("*:state")
            truth = stored.client.get(key)
            state = codec.decode(rules, truth)
            views = [await seats.view(seat) for seat in range(count)]
            # What other seats are offered is what a cheat would guess.
            guesses = [action.action for view in views for action in list(view.choice.legal_actions)[:6]]
            for seat in (*range(count), None):
                other = codec.encode(rules, secrets(state, seat, dice))
                if other == truth:
                    continue
                checked += 1
                here = await everything(seats, seat, past, guesses, game)
                await forget(pod, seats)
                stored.client.set(key, other)
                there = await everything(seats, seat, past, guesses, game)
                await forget(pod, seats)
                stored.client.set(key, truth)
                assert here.keys() == there.keys()
                different = [name for name in here if here[name] != there[name]]
                assert not different, (seat, different[0], here[different[0]], there[different[0]])
    finally:
        await client.close()
        await pod.stop()
    assert checked > 4


async def test_a_token_planted_in_no_answer_is_the_seed(client: Client, stored: Stored) -> None:
    seats = await client.create()
    await seats.play(40, random.Random(1))
    (head,) = [key for key in stored.client.keys("*:m:*") if key.count(b":") == 3]
    seed = stored.client.hget(head, "seed")
    assert len(seed) == 32
    past = await position(seats)
    for seat in (0, 1, None):
        for name, told in (await everything(seats, seat, past, [])).items():
            assert seed not in told, name
            assert seed.hex().encode() not in told, name


async def test_a_bots_offer_shows_what_its_seat_may_see_and_no_more(client: Client, stored: Stored) -> None:
    seats = await client.create(2, bots={1: "random"})
    worker = await Worker.subscribe(client)
    for _ in range(10):
        await seats.play(1, random.Random(1))
    offer = await worker.offer()
    (key,) = stored.client.keys("*:state")
    state = codec.decode(RURIK, stored.client.get(key))
    assert offer.view == view_to_message(RURIK, RURIK.observe(state, 1), seats.id)
    worker.leave()
