"""Bot decisions are leased, offered again, and answered in the end whatever workers do."""

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest
import structlog
from msgspec.structs import replace
from structlog.testing import capture_logs

from engine.core.registry import GAMES
from services.config import Settings
from services.server import Pod
from services.store.feed import SWEEP_SECONDS
from tests.services.conftest import Stored
from tests.services.table import ADMIN_TOKEN, BOT_TOKEN, DEADLINE, Client, Worker, bearer, fresh, refusal
from veche.v1 import admin_pb2, bot_pb2, common_pb2, match_pb2

CODE = grpc.StatusCode


#: Times (s) that no test waits for: what must not end by itself lasts longer than any test.
LONG = 600.0


@pytest.fixture
def times() -> dict[str, float]:
    """Return the times of bot turns; a test that waits for the end of one makes that one short."""
    return {"lease": LONG, "longest_thought": LONG, "patience": LONG}


@pytest.fixture
def config(redis_url: str, times: dict[str, float]) -> Settings:
    return Settings(
        redis_url=redis_url,
        port=0,
        bot_token=BOT_TOKEN,
        admin_token=ADMIN_TOKEN,
        drain=0.0,
        grace=0.5,
        attempts=2,
        rate=1e6,
        **times,
    )


def short(**times: float) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("times", [{"lease": LONG, "longest_thought": LONG, "patience": LONG, **times}])


async def bots_only(client: Client, seats: int = 2) -> Any:
    return await client.create(seats, bots=dict.fromkeys(range(seats), "random"))


async def ended(client: Client, match_id: str, within: float = 200.0) -> Any:
    async with asyncio.timeout(within):
        while True:
            reply = await client.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id), timeout=DEADLINE)
            if reply.match.status == common_pb2.MATCH_STATUS_FINISHED:
                return reply.match
            await asyncio.sleep(0.05)


async def play_on(worker: Worker, dice: random.Random) -> None:
    while True:
        offer = await worker.offer(LONG)
        await worker.answer(offer, dice.randrange(len(offer.view.choice.legal_actions)))


async def test_a_worker_plays_a_match_of_bots_to_its_end(client: Client, stored: Stored) -> None:
    match_id = (await bots_only(client)).id
    worker = await Worker.subscribe(client)
    playing = asyncio.create_task(play_on(worker, random.Random(1)))
    match = await ended(client, match_id)
    playing.cancel()
    record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id, page_size=1000))
    assert len(record.entries) == match.version
    assert {entry.actor.kind for entry in record.entries} == {common_pb2.ACTOR_KIND_BOT}
    # Nothing of the work is left.
    assert not stored.work()


async def test_an_automa_seat_is_offered_to_the_automa_policy_with_its_difficulty(client: Client) -> None:
    options = common_pb2.GameOptions()
    options.rurik.automa[1] = 2
    seats = await client.create(2, automa={1}, options=options)
    worker = await Worker.subscribe(client, ("automa",))
    dice = random.Random(1)
    while True:
        view = await seats.view(0)
        if any(decision.seat == 1 for decision in view.pending):
            break
        await seats.play(1, dice)
    offer = await worker.offer()
    assert (offer.seat, offer.policy, dict(offer.parameters)) == (1, "automa", {"difficulty": "medium"})
    assert offer.view.choice.decision.automa
    await worker.answer(offer)
    record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=seats.id, page_size=1000))
    assert record.entries[-1].actor.kind == common_pb2.ACTOR_KIND_AUTOMA


async def test_a_turn_goes_to_a_worker_of_its_policy_alone(client: Client) -> None:
    await bots_only(client)
    other = await Worker.subscribe(client, ("greedy",), name="other")
    with pytest.raises(TimeoutError):
        await other.offer(1.5)
    assert await (await Worker.subscribe(client)).offer()


def able(game: str, rules: str, data: str) -> bot_pb2.Capability:
    return bot_pb2.Capability(game=game, rules_version=rules, data_version=data, policies=["random"])


def subscribed(client: Client, *capabilities: bot_pb2.Capability) -> Worker:
    request = bot_pb2.SubscribeRequest(worker_id="other", capabilities=capabilities, capacity=1)
    return Worker(client, client.bots.Subscribe(request, timeout=60, metadata=bearer(BOT_TOKEN)), BOT_TOKEN)


async def test_a_worker_of_other_rules_is_told_and_sent_elsewhere(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.api.bot._UNSERVED", 0.5)
    structlog.reset_defaults()
    await bots_only(client)
    info = GAMES["rurik"].info
    with capture_logs() as lines:
        for _ in range(2):
            old = subscribed(client, able("rurik", "0", "d"), able("chess", "1", ""))
            told = (await old.next("not_served")).capabilities
            assert [(each.game, each.rules_version, each.data_version) for each in told] == [
                ("rurik", info.rules_version, info.data_version),
                ("chess", "", ""),
            ]
            assert await old.next("going_away", 3.0) is not None
    warned = [line for line in lines if line["event"].startswith("worker of other versions")]
    assert [(w["game"], w["worker_rules"], w["pod_rules"]) for w in warned] == [
        ("'rurik'", "'0'", info.rules_version),
        ("'chess'", "'1'", ""),
    ]


async def test_a_worker_served_in_part_is_told_and_gets_the_rest(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.api.bot._UNSERVED", 0.1)
    info = GAMES["rurik"].info
    worker = subscribed(client, able("europe_divided", "0", "d"), able("rurik", info.rules_version, info.data_version))
    assert [each.game for each in (await worker.next("not_served")).capabilities] == ["europe_divided"]
    await asyncio.sleep(0.5)
    await bots_only(client)
    assert await worker.offer()


class TestOldStreams:
    @pytest.fixture
    def config(self, config: Settings) -> Settings:
        return replace(config, stream_age=3.0, lease=30.0)

    async def test_a_stream_of_a_certain_age_ends_and_what_it_gave_is_still_good(self, client: Client) -> None:
        await bots_only(client)
        worker = await Worker.subscribe(client)
        offer = await worker.offer()
        assert await worker.next("going_away") is not None
        assert (await worker.answer(offer)).applied == 1
        assert await (await Worker.subscribe(client)).offer()


async def test_a_lease_that_ends_is_offered_again_and_the_late_answer_is_refused(
    client: Client, stored: Stored
) -> None:
    await bots_only(client)
    late = await Worker.subscribe(client, name="late")
    offer = await late.offer()
    late.leave()
    prompt = await Worker.subscribe(client, name="prompt")
    stored.end_leases()
    again = await prompt.offer()
    assert (again.match_id, again.seat, again.attempt) == (offer.match_id, offer.seat, 2)
    assert again.lease_token != offer.lease_token
    told = await refusal(late.answer(offer))
    assert (told.code, told.reason) == (CODE.ABORTED, "LEASE_LOST")
    assert (await prompt.answer(again)).applied == 1


@short(lease=1.0)
async def test_a_worker_is_told_that_its_lease_ended(client: Client) -> None:
    await bots_only(client)
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    assert (await worker.next("withdrawn")).lease_token == offer.lease_token


async def test_an_answer_sent_twice_counts_once(client: Client) -> None:
    await bots_only(client)
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    request = match_pb2.SubmitActionsRequest(match_id=offer.match_id, request_id=fresh())
    request.submissions.add(decision_id=offer.view.choice.decision.id, index=0)
    call = worker.client.matches.SubmitActions
    first = await call(request, timeout=DEADLINE, metadata=bearer(offer.lease_token))
    assert await call(request, timeout=DEADLINE, metadata=bearer(offer.lease_token)) == first
    told = await refusal(worker.answer(offer))
    assert told.reason == "LEASE_LOST"


async def test_only_the_last_32_requests_of_the_bots_of_a_seat_are_kept(client: Client, stored: Stored) -> None:
    seats = await bots_only(client)
    worker = await Worker.subscribe(client)
    dice = random.Random(1)
    answered = [0, 0]
    while min(answered) <= 32:
        offer = await worker.offer()
        await worker.answer(offer, dice.randrange(len(offer.view.choice.legal_actions)))
        answered[offer.seat] += 1
    (key,) = stored.client.keys(f"*{seats.id}:replies")
    fields = [name for name in stored.client.hkeys(key) if b"|" in name and not name.startswith(b"create")]
    assert len(fields) == 2 * 32
    assert {name.partition(b"|")[0] for name in fields} == {b"bot.0", b"bot.1"}


async def test_a_request_id_of_an_earlier_turn_is_refused_and_the_turn_stays_open(
    client: Client, stored: Stored
) -> None:
    await bots_only(client)
    worker = await Worker.subscribe(client)
    played: dict[int, str] = {}
    while True:
        offer = await worker.offer()
        request = match_pb2.SubmitActionsRequest(match_id=offer.match_id, request_id=played.get(offer.seat, fresh()))
        request.submissions.add(decision_id=offer.view.choice.decision.id, index=0)
        call = client.matches.SubmitActions(request, timeout=DEADLINE, metadata=bearer(offer.lease_token))
        if offer.seat in played:
            break
        await call
        played[offer.seat] = request.request_id
    before = stored.dump()
    told = await refusal(call)
    assert (told.code, told.reason) == (CODE.INVALID_ARGUMENT, "REQUEST_ID_REUSED")
    assert stored.dump() == before
    assert (await worker.answer(offer)).applied == 1


async def test_a_lease_is_no_key_to_the_records_of_another_match(client: Client, stored: Stored) -> None:
    await bots_only(client)
    await bots_only(client)
    worker = await Worker.subscribe(client, capacity=2)
    one, two = await worker.offer(), await worker.offer()
    request = match_pb2.SubmitActionsRequest(match_id=one.match_id, request_id=fresh())
    request.submissions.add(decision_id=one.view.choice.decision.id, index=0)
    call = client.matches.SubmitActions
    await call(request, timeout=DEADLINE, metadata=bearer(one.lease_token))
    told = await refusal(call(request, timeout=DEADLINE, metadata=bearer(two.lease_token)))
    assert told.reason == "TOKEN_UNKNOWN"


@short(lease=4.0, longest_thought=5.0)
async def test_a_lease_is_prolonged_but_not_for_ever(client: Client) -> None:
    await bots_only(client)
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    first = offer.lease_deadline.ToMilliseconds()
    ends = [first]
    async with asyncio.timeout(30):
        while ends[-1] < first + 1000:
            await asyncio.sleep(0.05)
            ends.append((await worker.renew(offer)).lease_deadline.ToMilliseconds())
        assert ends == sorted(ends)
        assert ends[-1] == first + 1000
        # It is at its longest: from here on it only runs out.
        while time.time() * 1000 <= ends[-1]:
            await asyncio.sleep(0.05)
    told = await refusal(worker.renew(offer))
    assert (told.code, told.reason) == (CODE.ABORTED, "LEASE_LOST")


@short(lease=30.0)
async def test_an_offer_and_a_renewal_tell_how_long_the_lease_lasts(client: Client, config: Settings) -> None:
    await bots_only(client)
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    assert 0.0 < offer.lease.ToMilliseconds() / 1000 <= config.lease
    await asyncio.sleep(0.3)
    assert (await worker.renew(offer)).lease.ToMilliseconds() / 1000 == config.lease


class TestClocks:
    """Leases go by the clock of Redis: what a pod's own says is no matter."""

    @pytest.fixture
    def config(self, config: Settings) -> Settings:
        return replace(config, lease=60.0)

    @pytest.fixture
    def ahead(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
        """Set the clock of this process ahead by some seconds."""
        whole = time.time_ns
        return lambda seconds: monkeypatch.setattr(time, "time_ns", lambda: whole() + int(seconds * 1e9))

    @pytest.mark.parametrize("seconds", [-80.0, 80.0], ids=["behind", "ahead"])
    async def test_a_turn_opened_by_a_pod_with_another_clock_is_offered_at_once(
        self, client: Client, ahead: Callable[[float], None], seconds: float
    ) -> None:
        worker = await Worker.subscribe(client)
        ahead(seconds)
        await bots_only(client)
        assert (await worker.offer()).attempt == 1
        ahead(0.0)
        await bots_only(client)
        assert (await (await Worker.subscribe(client, name="other")).offer()).attempt == 1

    @pytest.mark.parametrize("seconds", [-80.0, 80.0], ids=["behind", "ahead"])
    async def test_a_pod_with_another_clock_takes_no_turn_from_a_worker_nor_prolongs_it(
        self, client: Client, config: Settings, ahead: Callable[[float], None], seconds: float
    ) -> None:
        await bots_only(client)
        worker = await Worker.subscribe(client)
        offer = await worker.offer()
        ahead(seconds)
        other = Pod(config)
        await other.start()
        elsewhere = Client(f"127.0.0.1:{other.port}")
        with pytest.raises(TimeoutError):
            await (await Worker.subscribe(elsewhere, name="other")).offer(2.5)
        request = bot_pb2.RenewLeaseRequest(lease_token=offer.lease_token)
        renewed = await elsewhere.bots.RenewLease(request, timeout=DEADLINE, metadata=bearer(BOT_TOKEN))
        grown = renewed.lease_deadline.ToMilliseconds() - offer.lease_deadline.ToMilliseconds()
        assert 2_000 < grown < 70_000
        await elsewhere.close()
        await other.stop()
        assert (await worker.answer(offer)).applied == 1


async def test_a_turn_handed_back_is_offered_at_once(client: Client) -> None:
    await bots_only(client)
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    await worker.release(offer)
    again = await worker.offer()
    assert again.attempt == 1
    assert again.lease_token != offer.lease_token
    await worker.release(offer)
    assert (await worker.answer(again)).applied == 1


async def test_a_worker_has_as_many_turns_as_it_takes(client: Client) -> None:
    for _ in range(5):
        await bots_only(client)
    worker = await Worker.subscribe(client, capacity=3)
    offers = [await worker.offer() for _ in range(3)]
    with pytest.raises(TimeoutError):
        await worker.offer(0.3)
    assert len({offer.match_id for offer in offers}) == 3
    await worker.answer(offers[0])
    assert (await worker.offer()).match_id


async def test_the_same_worker_again_replaces_its_stream(client: Client) -> None:
    first = await Worker.subscribe(client)
    second = await Worker.subscribe(client)
    assert await first.next("going_away") is not None
    await bots_only(client)
    assert await second.offer()


@short(lease=1.0)
async def test_a_turn_that_nobody_answers_gets_the_default_move(client: Client) -> None:
    match_id = (await bots_only(client)).id
    worker = await Worker.subscribe(client)
    offers = [await worker.offer(), await worker.offer()]
    assert [offer.attempt for offer in offers] == [1, 2]
    async with asyncio.timeout(60):
        while True:
            record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id))
            if record.entries:
                break
            await asyncio.sleep(0.05)
    assert record.entries[0].actor.kind == common_pb2.ACTOR_KIND_CLOCK


@short(patience=1.0)
async def test_without_any_worker_the_match_goes_on_by_default_moves(client: Client) -> None:
    match_id = (await bots_only(client)).id
    async with asyncio.timeout(60):
        while True:
            record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id))
            if len(record.entries) > 1:
                break
            await asyncio.sleep(0.1)
    assert {entry.actor.kind for entry in record.entries} == {common_pb2.ACTOR_KIND_CLOCK}


async def test_time_without_any_engine_tries_no_patience(config: Settings, stored: Stored) -> None:
    pod = Pod(config)
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    match_id = (await bots_only(client)).id
    await client.close()
    await pod.stop()
    stored.age_work(2 * LONG)
    again = Pod(config)
    await again.start()
    client = Client(f"127.0.0.1:{again.port}")
    try:
        await asyncio.sleep(2.5 * SWEEP_SECONDS)
        match = await client.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id), timeout=DEADLINE)
        assert match.match.version == 0
        assert (await (await Worker.subscribe(client)).offer()).attempt == 1
    finally:
        await client.close()
        await again.stop()


async def test_work_opened_on_one_pod_is_offered_on_another(client: Client, config: Settings) -> None:
    other = Pod(config)
    await other.start()
    elsewhere = Client(f"127.0.0.1:{other.port}")
    try:
        worker = await Worker.subscribe(elsewhere)
        playing = asyncio.create_task(play_on(worker, random.Random(1)))
        seats = await client.create(2, bots={1: "random"})
        await seats.play(10, random.Random(1))
        async with asyncio.timeout(120):
            while (await seats.match()).version <= 40:
                if not await seats.play(1, random.Random(2)):
                    await asyncio.sleep(0.01)
        playing.cancel()
    finally:
        await elsewhere.close()
        await other.stop()


async def test_a_closed_match_withdraws_its_turns(client: Client, stored: Stored) -> None:
    seats = await bots_only(client)
    worker = await Worker.subscribe(client)
    offer = await worker.offer()
    await client.matches.CloseMatch(
        match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh()), metadata=bearer(seats.host)
    )
    assert (await worker.next("withdrawn")).lease_token == offer.lease_token
    told = await refusal(worker.answer(offer))
    assert told.reason in {"MATCH_ENDED", "LEASE_LOST"}
    assert not stored.work()


class TestFailingRules:
    @pytest.fixture
    def broken(self, monkeypatch: pytest.MonkeyPatch) -> set[str]:
        """Rules that fail: add "apply" or "default_action" to the set."""
        failing: set[str] = set()
        rules = GAMES["rurik"]
        for name in ("apply", "default_action"):
            whole = getattr(rules, name)

            def part(*args: Any, whole: Any = whole, name: str = name) -> Any:
                if name in failing:
                    raise RuntimeError(f"card {args} has no such side")
                return whole(*args)

            monkeypatch.setattr(rules, name, part)
        return failing

    async def test_a_failure_stores_nothing_but_the_incident(
        self, client: Client, stored: Stored, broken: set[str]
    ) -> None:
        seats = await client.create()
        view = await seats.on_turn()
        before = stored.dump()
        broken.add("apply")
        told = await refusal(seats.submit(seats.answer(view, 1), view.seat))
        assert (told.code, told.reason) == (CODE.INTERNAL, "RULES_FAILURE")
        assert "card" not in told.message
        after = {key: value for key, value in stored.dump().items() if b"incidents" not in key}
        assert after == before
        listed = await client.admin.ListIncidents(admin_pb2.ListIncidentsRequest(), metadata=bearer(ADMIN_TOKEN))
        (incident,) = listed.incidents
        assert incident.id == told.metadata["incident"]
        assert incident.action == view.choice.legal_actions[1].action
        assert incident.cause.startswith("RuntimeError at tests.services.test_bots.part:")
        broken.clear()
        assert (await seats.submit(seats.answer(view, 1), view.seat)).applied == 1

    async def test_a_move_that_is_only_checked_stores_no_incident(
        self, client: Client, stored: Stored, broken: set[str]
    ) -> None:
        seats = await client.create()
        view = await seats.on_turn()
        before = stored.dump()
        broken.add("apply")
        told = await refusal(seats.submit(seats.answer(view, 1, validate_only=True), view.seat))
        assert (told.code, told.reason) == (CODE.INTERNAL, "RULES_FAILURE")
        assert told.metadata["incident"]
        assert stored.dump() == before

    @short(patience=5.0)
    async def test_when_the_default_move_fails_too_the_match_waits_for_an_administrator(
        self, client: Client, broken: set[str]
    ) -> None:
        seats = await client.create(2, bots={1: "random"})
        stream = seats.watch(0)
        broken.add("apply")
        async with asyncio.timeout(60):
            while (await seats.match()).status != common_pb2.MATCH_STATUS_ERROR:
                if (view := await seats.on_turn()) is not None:
                    broken.clear()
                    await seats.submit(seats.answer(view), view.seat)
                    broken.add("apply")
                await asyncio.sleep(0.05)
        async for message in stream:
            if message.WhichOneof("message") == "lobby":
                assert message.lobby.match.status == common_pb2.MATCH_STATUS_ERROR
                break
        stream.cancel()
        told = await refusal(seats.submit(seats.answer(await seats.view(0)), 0))
        assert told.reason == "INVALID_FIELD"
        broken.clear()
        request = admin_pb2.RequeueMatchRequest(match_id=seats.id, request_id=fresh())
        reply = await client.admin.RequeueMatch(request, metadata=bearer(ADMIN_TOKEN))
        assert reply.match.status == common_pb2.MATCH_STATUS_ACTIVE
        offer = await (await Worker.subscribe(client)).offer()
        assert offer.attempt == 1

    async def test_a_bot_whose_move_fails_does_not_stop_the_match(
        self, client: Client, stored: Stored, broken: set[str]
    ) -> None:
        await bots_only(client)
        worker = await Worker.subscribe(client, capacity=2)
        broken.add("apply")
        told = await refusal(worker.answer(await worker.offer()))
        assert told.reason == "RULES_FAILURE"
        broken.clear()
        stored.end_leases()
        again = await worker.offer()
        assert again.attempt == 2
        assert (await worker.answer(again)).applied == 1

    async def test_a_turn_that_no_worker_can_be_shown_is_reported_and_played_by_default_at_once(
        self, client: Client, pod: Pod, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pod._desk, "_limits", pod._desk._limits._replace(lease_ms=60_000))
        rules = GAMES["rurik"]
        whole, failures = rules.observe, [ZeroDivisionError("a secret")]

        def observe(state: Any, seat: int | None) -> Any:
            if failures:
                raise failures.pop()
            return whole(state, seat)

        monkeypatch.setattr(rules, "observe", observe)
        match_id = (await bots_only(client)).id
        worker = await Worker.subscribe(client)
        offer = await worker.offer(5.0)
        assert offer.view.version == 1
        record = await client.matches.GetRecord(match_pb2.GetRecordRequest(match_id=match_id), timeout=DEADLINE)
        assert [entry.actor.kind for entry in record.entries] == [common_pb2.ACTOR_KIND_CLOCK]
        listed = await client.admin.ListIncidents(admin_pb2.ListIncidentsRequest(), metadata=bearer(ADMIN_TOKEN))
        (incident,) = listed.incidents
        assert incident.actor.kind == common_pb2.ACTOR_KIND_BOT
        assert incident.cause.startswith("ZeroDivisionError at tests.services.test_bots.observe:")
        assert not incident.HasField("action")
