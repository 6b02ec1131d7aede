import asyncio
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from types import SimpleNamespace

import grpc
import psutil
import pytest
from google.protobuf.duration_pb2 import Duration
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from bots.worker import config as settings
from bots.worker.pool import PolicyFailed
from bots.worker.worker import Refused, Worker
from engine.core.registry import GAMES
from tests.bots import fake
from tests.chaos.groups import free_ports
from veche.v1 import bot_pb2

HEARTBEAT = bot_pb2.SubscribeResponse(heartbeat=bot_pb2.SubscribeHeartbeat())


class NoPool:
    """Stand in for the pool: thinks until told and remembers; with nothing told it has thought at once."""

    def __init__(self, until: Callable[[], bool] = lambda: True) -> None:
        self.until = until
        self.thoughts = 0
        self.dropped = 0

    async def think(self, policy: str, view: bytes, seed: str) -> int:
        self.thoughts += 1
        try:
            while not self.until():
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            self.dropped += 1
            raise
        return 2

    def wait_until_dropped(self) -> None:
        """Return when a thought was given up."""
        end = time.monotonic() + 60
        while not self.dropped:
            assert time.monotonic() < end, "the worker thinks on"
            time.sleep(0.01)


def never() -> bool:
    return False


@pytest.fixture
def engine():
    engine = fake.Engine()
    yield engine
    engine.close()


def config(engine, **changes):
    environment = {"VECHE_BOT_TOKEN": "worker-token", "VECHE_ENGINE": engine.address, "VECHE_WORKER_ID": "w"}
    base = settings.read([], environment)
    return base.__class__(**{**{f: getattr(base, f) for f in base.__struct_fields__}, **changes})


async def work(engine, until, pool=None, **changes):
    """Run a worker until a function that watches the engine returns; return what it returned."""
    worker = Worker(config(engine, **changes), pool or NoPool())
    task = asyncio.create_task(worker.run())
    try:
        return await asyncio.wait_for(asyncio.to_thread(until), 120)
    finally:
        worker.stopping.set()
        await asyncio.wait_for(task, 60)


async def test_an_offer_is_answered_under_its_lease(engine):
    engine.live.put(fake.offer("lease-1"))
    (request,) = await work(engine, lambda: engine.wait_for("SubmitActions"))
    assert request.match_id == "m"
    assert request.submissions[0].decision_id == "1.1"
    assert request.submissions[0].index < 3
    assert [bearer for name, _, bearer in engine.heard if name == "SubmitActions"] == ["Bearer lease-1"]
    assert [bearer for name, _, bearer in engine.heard if name == "Subscribe"] == ["Bearer worker-token"]


async def test_a_worker_says_what_it_can_play(engine):
    (request,) = await work(
        engine, lambda: engine.wait_for("Subscribe"), games=("rurik",), policies=("random", "automa"), capacity=7
    )
    assert request.worker_id == "w"
    assert request.capacity == 7
    (capability,) = request.capabilities
    assert capability.game == "rurik"
    assert capability.rules_version
    assert capability.data_version
    assert list(capability.policies) == ["random", "automa"]


async def test_the_automa_takes_the_first_option(engine):
    engine.live.put(fake.offer("lease-1", policy="automa"))
    (request,) = await work(engine, lambda: engine.wait_for("SubmitActions"))
    assert request.submissions[0].index == 0


async def test_a_sighted_policy_thinks_in_the_pool_and_a_single_option_needs_no_thought(engine):
    pool = NoPool()
    engine.live.put(fake.offer("lease-1", policy="greedy"))
    engine.live.put(fake.offer("lease-2", policy="greedy", options=1))
    requests = await work(engine, lambda: engine.wait_for("SubmitActions", 2), pool)
    assert sorted(r.submissions[0].index for r in requests) == [0, 2]
    assert pool.thoughts == 1


async def test_a_policy_that_fails_is_answered_for_at_random(engine):
    class Failing(NoPool):
        async def think(self, policy, view, seed):
            raise PolicyFailed("ZeroDivisionError at greedy.py:1")

    engine.live.put(fake.offer("lease-1", policy="greedy"))
    (request,) = await work(engine, lambda: engine.wait_for("SubmitActions"), Failing())
    assert request.submissions[0].index < 3
    assert engine.calls("ReleaseTurn") == []


@pytest.mark.parametrize("failure", [RuntimeError("cannot schedule new futures"), OSError(11), MemoryError()])
async def test_a_turn_in_which_anything_fails_is_handed_back(engine, failure):
    class Failing(NoPool):
        async def think(self, policy, view, seed):
            raise failure

    engine.live.put(fake.offer("lease-1", policy="greedy"))
    (release,) = await work(engine, lambda: engine.wait_for("ReleaseTurn"), Failing())
    assert (release.lease_token, release.reason) == ("lease-1", type(failure).__name__)
    assert engine.calls("SubmitActions") == []


async def test_an_answer_whose_reply_is_lost_is_repeated_with_the_same_request_id(engine):
    failures = iter([grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAVAILABLE])

    def answer(request, context):
        code = next(failures, None)
        if code is not None:
            fake.refuse(context, code, "STORE_UNAVAILABLE")

    engine.answer = answer
    engine.live.put(fake.offer("lease-1"))
    requests = await work(engine, lambda: engine.wait_for("SubmitActions", 3))
    assert len({r.request_id for r in requests}) == 1


async def test_a_refused_answer_is_replaced_a_few_times_and_then_the_turn_is_handed_back(engine):
    engine.answer = lambda _, context: fake.refuse(context, grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION")
    engine.live.put(fake.offer("lease-1"))
    (release,) = await work(engine, lambda: engine.wait_for("ReleaseTurn"))
    assert release.lease_token == "lease-1"
    assert release.reason == "ILLEGAL_ACTION"
    assert len({r.request_id for r in engine.calls("SubmitActions")}) == 3


async def test_a_decision_closed_elsewhere_is_dropped_without_a_word(engine):
    engine.answer = lambda _, context: fake.refuse(context, grpc.StatusCode.ABORTED, "DECISION_CLOSED")
    engine.live.put(fake.offer("lease-1"))

    def until():
        engine.wait_for("SubmitActions")
        time.sleep(0.3)

    await work(engine, until)
    assert engine.calls("ReleaseTurn") == []
    assert len(engine.calls("SubmitActions")) == 1


async def test_a_lease_is_renewed_while_the_policy_thinks(engine):
    engine.renewed_until = time.time() + 300
    engine.live.put(fake.offer("lease-1", policy="greedy", lease=1.0))
    twice = NoPool(lambda: len(engine.calls("RenewLease")) >= 2)
    await work(engine, lambda: engine.wait_for("SubmitActions"), twice)


@pytest.mark.parametrize("ahead", [-40.0, 40.0], ids=["behind", "ahead"])
async def test_a_lease_is_renewed_in_time_whatever_the_clock_of_the_engine_says(engine, ahead):
    engine.ahead = ahead
    engine.renewed_until = time.time() + 300
    engine.live.put(fake.offer("lease-1", policy="greedy", lease=4.0, ahead=ahead))
    begun = time.monotonic()
    await work(engine, lambda: engine.wait_for("SubmitActions"), NoPool(lambda: bool(engine.calls("RenewLease"))))
    assert 1.5 < time.monotonic() - begun < 20


def counted(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_turns_are_counted_by_what_came_of_them(engine):
    def turns(result):
        return counted("veche_worker_turns_total", policy="greedy", result=result)

    before = {result: turns(result) for result in ("answered", "overtaken", "handed_back")}
    thoughts = counted("veche_worker_thought_seconds_count", policy="greedy")
    failures = iter([None, "DECISION_CLOSED", "WRONG_SEAT"])
    codes = {"DECISION_CLOSED": grpc.StatusCode.ABORTED, "WRONG_SEAT": grpc.StatusCode.PERMISSION_DENIED}

    def answer(request, context):
        why = next(failures)
        if why is not None:
            fake.refuse(context, codes[why], why)

    engine.answer = answer
    for lease in ("lease-1", "lease-2", "lease-3"):
        engine.live.put(fake.offer(lease, policy="greedy"))

    def until():
        engine.wait_for("ReleaseTurn")
        assert counted("veche_worker_subscribed") == 1.0

    await work(engine, until)
    assert {result: turns(result) - before[result] for result in before} == dict.fromkeys(before, 1.0)
    assert counted("veche_worker_thought_seconds_count", policy="greedy") == thoughts + 3
    assert counted("veche_worker_subscribed") == counted("veche_worker_turns_held") == 0.0


async def test_a_lost_lease_ends_the_thought(engine):
    engine.live.put(fake.offer("lease-1", policy="greedy", lease=0.2))
    pool = NoPool(never)
    await work(engine, pool.wait_until_dropped, pool)
    assert engine.calls("RenewLease")
    assert engine.calls("SubmitActions") == []


async def test_a_withdrawn_turn_is_not_answered(engine):
    engine.live.put(fake.offer("lease-1", policy="greedy"))
    engine.live.put(bot_pb2.SubscribeResponse(withdrawn=bot_pb2.TurnWithdrawn(lease_token="lease-1")))

    pool = NoPool(never)
    await work(engine, pool.wait_until_dropped, pool)
    assert engine.calls("SubmitActions") == []


@pytest.mark.parametrize("end", [fake.END, fake.BREAK], ids=["ended", "broken"])
async def test_after_the_end_of_a_stream_the_worker_subscribes_again(engine, end):
    engine.streams.put([HEARTBEAT, end])
    assert len(await work(engine, lambda: engine.wait_for("Subscribe", 2))) == 2


async def test_a_pod_that_goes_away_is_left_and_turns_in_work_are_still_answered(engine):
    going = bot_pb2.SubscribeResponse(going_away=bot_pb2.SubscribeGoingAway())
    engine.streams.put([fake.offer("lease-1", policy="greedy"), going, fake.HANG])
    elsewhere = NoPool(lambda: len(engine.calls("Subscribe")) == 2)
    await work(engine, lambda: engine.wait_for("SubmitActions"), elsewhere)
    assert len(engine.calls("Subscribe")) == 2


async def test_a_stream_that_falls_silent_is_replaced(engine):
    engine.streams.put([HEARTBEAT, fake.HANG])
    begun = time.monotonic()
    await work(engine, lambda: engine.wait_for("Subscribe", 2), silence=0.4)
    assert engine.peers[0] != engine.peers[1]
    assert time.monotonic() - begun < 2 * 15.0


def not_served(*games):
    told = [bot_pb2.CapabilityNotServed(game=game, rules_version="9", data_version="d") for game in games]
    return bot_pb2.SubscribeResponse(not_served=bot_pb2.SubscribeNotServed(capabilities=told))


async def test_a_worker_that_nothing_serves_says_why_once_and_goes_elsewhere_with_growing_pauses(engine):
    going = bot_pb2.SubscribeResponse(going_away=bot_pb2.SubscribeGoingAway())
    for _ in range(4):
        engine.streams.put([HEARTBEAT, not_served("rurik"), going])
    begun = time.monotonic()
    with capture_logs() as lines:
        await work(engine, lambda: engine.wait_for("Subscribe", 4), games=("rurik",))
    assert time.monotonic() - begun > 0.15 + 0.3 + 0.6
    assert len(set(engine.peers)) == 4
    (line,) = [line for line in lines if line["log_level"] == "warning"]
    info = GAMES["rurik"].info
    assert (line["game"], line["engine_rules"], line["engine_data"]) == ("rurik", "9", "d")
    assert (line["worker_rules"], line["worker_data"]) == (info.rules_version, info.data_version[:16])


async def test_a_worker_that_is_served_in_part_stays_and_plays(engine):
    engine.streams.put([HEARTBEAT, not_served("rurik"), fake.HANG])
    engine.live.put(fake.offer("lease-1"))
    await work(engine, lambda: engine.wait_for("SubmitActions"), games=("rurik", "europe_divided"))
    assert len(engine.calls("Subscribe")) == 1


async def test_a_stream_whose_engine_says_that_heartbeats_are_rare_is_waited_for(engine):
    rare = bot_pb2.SubscribeResponse(heartbeat=bot_pb2.SubscribeHeartbeat(interval=Duration(seconds=3)))
    engine.streams.put([rare, fake.HANG])

    def until():
        engine.wait_for("Subscribe")
        time.sleep(3.0)
        assert len(engine.calls("Subscribe")) == 1
        engine.wait_for("Subscribe", 2)

    begun = time.monotonic()
    await work(engine, until, silence=2.0)
    assert time.monotonic() - begun > 4.8


async def test_a_worker_that_stops_hands_back_what_it_holds(engine, monkeypatch):
    monkeypatch.setattr("bots.worker.worker.LAST_WORK", 0.1)
    engine.live.put(fake.offer("lease-1", policy="greedy"))
    pool = NoPool(never)

    def until():
        while not pool.thoughts:
            time.sleep(0.01)

    await work(engine, until, pool)
    (release,) = engine.calls("ReleaseTurn")
    assert release.lease_token == "lease-1"
    assert engine.calls("SubmitActions") == []


@pytest.mark.parametrize("later", range(6))
async def test_a_worker_told_to_stop_stops_though_a_message_arrives_at_that_moment(engine, later):
    class Stream:
        def __init__(self):
            self.message = asyncio.get_running_loop().create_future()
            self.reads = 0

        async def read(self):
            self.reads += 1
            return await self.message if self.reads == 1 else await asyncio.Event().wait()

        def cancel(self):
            pass

    stream = Stream()
    worker = Worker(config(engine), NoPool())
    worker.bots = SimpleNamespace(Subscribe=lambda request, metadata: stream)
    task = asyncio.create_task(worker.run())
    while not stream.reads:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    worker.stopping.set()
    for _ in range(later):
        await asyncio.sleep(0)
    if not stream.message.done():
        stream.message.set_result(HEARTBEAT)
    done, _ = await asyncio.wait({task}, timeout=3.0)
    assert done


async def test_a_worker_without_the_right_token_says_so_and_ends(engine):
    def deny(request, context):
        fake.refuse(context, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
        yield

    engine.Subscribe = deny
    engine.restart()
    with pytest.raises(Refused, match="TOKEN_UNKNOWN"):
        await asyncio.wait_for(Worker(config(engine), NoPool()).run(), 60)


async def test_a_worker_that_is_refused_hands_back_what_it_holds(engine, monkeypatch):
    monkeypatch.setattr("bots.worker.worker.LAST_WORK", 0.1)
    first = engine.Subscribe

    def once(request, context):
        if engine.calls("Subscribe"):
            fake.refuse(context, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")
        yield from first(request, context)

    engine.Subscribe = once
    engine.restart()
    engine.streams.put([fake.offer("lease-1", policy="greedy"), fake.END])
    with pytest.raises(Refused, match="TOKEN_UNKNOWN"):
        await asyncio.wait_for(Worker(config(engine), NoPool(never)).run(), 60)
    assert [release.lease_token for release in engine.calls("ReleaseTurn")] == ["lease-1"]


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (["--policies", "random,genius"], "genius is not among"),
        (["--games", "chess"], "chess is not among"),
        (["--capacity", "0"], "at least 1"),
        (["--processes", "x"], "at least 1"),
        (["--seed", "abc"], "--seed: must be a whole number"),
        (["--silence", "long"], "--silence: must be a number of seconds"),
        (["--metrics", "9091"], "--metrics: must be host:port"),
        (["--silence", "-1"], "--silence: must be a number of seconds"),
        (["--log-level", "loud"], "--log-level: must be one of debug"),
    ],
)
def test_a_bad_setting_is_named(flags, word, capsys):
    with pytest.raises(SystemExit) as stop:
        settings.read(flags, {})
    assert stop.value.code == 2
    assert word in capsys.readouterr().err


def test_the_help_names_every_variable_and_what_holds_without_it(capsys):
    # What is set here is no default, and a sign of printf in it must not break the page.
    environment = {"VECHE_ENGINE": "elsewhere:1", "VECHE_WORKER_ID": "100%d"}
    with pytest.raises(SystemExit):
        settings.read(["--help"], environment)
    text = " ".join(capsys.readouterr().out.split())
    for shown in (
        "[VECHE_ENGINE; 127.0.0.1:50051]",
        "[VECHE_CAPACITY; 4]",
        "[VECHE_GAMES; rurik,",
        "[VECHE_BOT_SEED; none",
    ):
        assert shown in text
    assert "elsewhere" not in text
    for variable in ("VECHE_BOT_TOKEN", "VECHE_DATA_PACKS"):
        assert variable in text


@pytest.mark.processes
def test_no_process_of_the_pool_outlives_a_killed_worker(engine):
    engine.streams.put([HEARTBEAT, fake.HANG])
    environment = os.environ | {"VECHE_BOT_TOKEN": "t"}
    command = [sys.executable, "-m", "bots.worker", "--engine", engine.address, "--processes", "2"]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    engine.wait_for("Subscribe")
    children = psutil.Process(worker.pid).children(recursive=True)
    assert len(children) >= 2
    worker.kill()
    worker.wait()
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert alive == []
    assert len(gone) == len(children)


@pytest.mark.processes
def test_a_worker_shows_its_metrics_where_it_is_told_to(engine):
    engine.streams.put([HEARTBEAT, fake.HANG])
    (port,) = free_ports(1)
    environment = os.environ | {"VECHE_BOT_TOKEN": "t", "VECHE_BOT_METRICS": f"127.0.0.1:{port}"}
    command = [sys.executable, "-m", "bots.worker", "--engine", engine.address]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        engine.wait_for("Subscribe", seconds=60)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
            assert b"veche_worker_subscribed" in reply.read()
    finally:
        worker.terminate()
        worker.wait(20)


@pytest.mark.processes
def test_sigterm_ends_a_worker_in_order(engine):
    engine.streams.put([HEARTBEAT, fake.HANG])
    environment = os.environ | {"VECHE_BOT_TOKEN": "t"}
    command = [sys.executable, "-m", "bots.worker", "--engine", engine.address]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    engine.wait_for("Subscribe")
    children = psutil.Process(worker.pid).children(recursive=True)
    worker.send_signal(signal.SIGTERM)
    _, errors = worker.communicate(timeout=60)
    assert worker.returncode == 0
    assert b"Traceback" not in errors
    assert psutil.wait_procs(children, timeout=60)[1] == []
