"""A pod says what it is, how it is, and what it needs."""

import asyncio
import re
import time
import tomllib
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import msgspec
import pytest
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from structlog.testing import capture_logs

import services
from engine.core import registry
from services import config as config_module
from services import server, telemetry
from services.config import Settings, settings
from services.errors import CODES
from services.matches import census
from services.server import Pod
from tests.services.conftest import Stored
from tests.services.table import DEADLINE, Client, bearer, fresh, refusal
from veche.v1 import catalog_pb2, common_pb2, match_pb2

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def serving(client: Client, name: str) -> Any:
    reply = await health_pb2_grpc.HealthStub(client.channel).Check(health_pb2.HealthCheckRequest(service=name))
    return reply.status


@pytest.mark.parametrize("name", ["", "liveness", "readiness", "veche.v1.MatchService", "veche.v1.BotService"])
async def test_health_is_told_by_name(client: Client, name: str) -> None:
    assert await serving(client, name) == health_pb2.HealthCheckResponse.SERVING


async def test_an_unknown_health_name_is_not_found(client: Client) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving(client, "weather")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("flag", [True, False])
async def test_reflection_is_there_by_flag(redis_url: str, flag: bool) -> None:
    pod = Pod(Settings(redis_url=redis_url, port=0, reflection=flag, drain=0.0, grace=0.5))
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    stub = reflection_pb2_grpc.ServerReflectionStub(client.channel)
    call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=DEADLINE)
    try:
        reply = await call.read()
        assert flag
        names = {service.name for service in reply.list_services_response.service}
        assert names >= {f"veche.v1.{kind}Service" for kind in ("Admin", "Bot", "Catalog", "Match")}
    except grpc.aio.AioRpcError as error:
        assert not flag
        assert error.code() is grpc.StatusCode.UNIMPLEMENTED  # noqa: PT017 - one of two flags
    finally:
        await client.close()
        await pod.stop()


async def test_two_pods_do_not_share_a_port_in_silence(pod: Pod, config: Settings) -> None:
    other = Pod(msgspec.structs.replace(config, port=pod.port))
    with pytest.raises((OSError, RuntimeError)):
        await other.start()
    await other.stop()


def test_every_reason_is_in_the_protos_with_its_code() -> None:
    text = Path(server.__file__).parents[1].joinpath("protos/veche/v1/common.proto").read_text()
    names = [name.removeprefix("ERROR_REASON_") for name in common_pb2.ErrorReason.keys()]  # noqa: SIM118
    assert set(CODES) == set(names) - {"UNSPECIFIED"}
    said = ""
    for line in text.splitlines():
        if comment := re.match(r"  // ([A-Z_]+): ", line):
            said = comment[1]
        if (value := re.match(r"  ERROR_REASON_(\w+) =", line)) and value[1] != "UNSPECIFIED":
            assert CODES[value[1]].name == said, line


def test_settings_come_from_flags_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VECHE_REDIS_URL", "redis://a:1")
    monkeypatch.setenv("VECHE_PORT", "7000")
    monkeypatch.setenv("VECHE_REFLECTION", "1")
    monkeypatch.setenv("VECHE_BOT_TOKEN", "t")
    monkeypatch.setenv("VECHE_POLICIES", "random, greedy,automa")
    found = settings(["--port", "8000", "--data-pack", "/x", "--data-pack", "/y"])
    assert (found.redis_url, found.port, found.reflection, found.bot_token) == ("redis://a:1", 8000, True, "t")
    assert found.policies == ("random", "greedy", "automa")
    assert found.data_packs == (Path("/x"), Path("/y"))
    assert settings(["--no-reflection"]).reflection is False
    assert settings([]).host == "127.0.0.1"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "no Redis given"),
        (["--redis-url", "redis://x", "--port", "many"], "invalid int value"),
        (["--redis-url", "redis://x", "--log-level", "loud"], "--log-level must be"),
        (["--colour"], "unrecognized arguments|no Redis given"),
    ],
)
def test_a_bad_setting_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], flags: list[str], words: str
) -> None:
    monkeypatch.delenv("VECHE_REDIS_URL", raising=False)
    with pytest.raises(SystemExit) as caught:
        settings(flags)
    assert caught.value.code == 2
    assert re.search(words, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("heartbeat", "0"),
        ("lease", "-1"),
        ("attempts", "0"),
        ("rate", "0"),
        ("rate", "nan"),
        ("streams", "0"),
        ("port", "70000"),
        ("patience", "inf"),
        ("matches", "-1"),
    ],
)
def test_a_number_with_which_no_pod_can_work_is_refused_with_what_may_be(
    capsys: pytest.CaptureFixture[str], flag: str, value: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        settings(["--redis-url", "redis://x", f"--{flag}", value])
    assert caught.value.code == 2
    assert re.search(rf"--{flag} must be from [0-9]+ to \S+, got {value}", capsys.readouterr().err)


def test_every_number_among_the_settings_has_bounds_and_its_default_is_within() -> None:
    defaults = Settings(redis_url="")
    for field in msgspec.structs.fields(Settings):
        if field.type in {int, float}:
            least, most = config_module._RANGES[field.name]
            assert least <= getattr(defaults, field.name) <= most


def test_help_teaches_every_variable(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        settings(["--help"])
    text = capsys.readouterr().out
    for name in Settings.__struct_fields__:
        variable = {"data_packs": "VECHE_DATA_PACKS"}.get(name, f"VECHE_{name.upper()}")
        assert variable in text, name
    assert "example:" in text


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(server.__file__).parents[1] / "pyproject.toml").read_text())
    assert services.__version__ == project["project"]["version"]


def test_every_metric_is_explained_to_the_operator() -> None:
    text = (Path(server.__file__).parents[1] / "deploy" / "README.md").read_text()
    for metric in vars(telemetry).values():
        if isinstance(metric, Counter | Gauge | Histogram):
            (family,) = metric.describe()
            name = family.name + ("_total" if family.type == "counter" else "")
            assert f"`{name}`" in text, name


async def test_metrics_answer_which_queue_waits_how_many_matches_there_are_and_what_redis_refuses(
    config: Settings, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(census, "COUNT_SECONDS", 0.1)
    monkeypatch.setattr(census, "TIDY_SECONDS", 0.05)
    monkeypatch.setattr(server, "_LOOK_SECONDS", 0.05)

    def value(name: str, **labels: str) -> float:
        return REGISTRY.get_sample_value(f"veche_{name}", labels) or 0.0

    pod = Pod(config)
    await pod.start()
    client = Client(f"127.0.0.1:{pod.port}")
    queue = {"game": "rurik", "rules_version": registry.GAMES["rurik"].info.rules_version, "policy": "greedy"}
    try:
        seats = await client.create(3, bots={0: "greedy", 1: "greedy", 2: "greedy"})
        request = match_pb2.CreateMatchRequest(request_id=fresh(), game="rurik", seat_count=2)
        await client.matches.CreateMatch(request, timeout=5)
        async with asyncio.timeout(DEADLINE):
            while (
                value("stored_matches", status="active") != 1
                or value("stored_matches", status="lobby") != 1
                or value("bot_queue_decisions", **queue) < 1
                or value("bot_queue_oldest_seconds", **queue) < 0.1
                or not value("store_ping_seconds")
            ):
                await asyncio.sleep(0.05)
        assert value("ready") == 1
        await refusal(client.matches.GetMatch(match_pb2.GetMatchRequest(match_id="x"), timeout=5))
        assert value("rpc_seconds_count", method="GetMatch", code="NOT_FOUND") >= 1
        refused = value("store_errors_total", kind="OOM")
        stored.client.config_set("maxmemory", 1)
        try:
            closing = match_pb2.CloseMatchRequest(match_id=seats.id, request_id=fresh())
            told = await refusal(client.matches.CloseMatch(closing, timeout=5, metadata=bearer(seats.host)))
        finally:
            stored.client.config_set("maxmemory", 0)
        assert told.reason == "STORE_UNAVAILABLE"
        assert value("store_errors_total", kind="OOM") > refused
    finally:
        await client.close()
        await pod.stop()
    assert value("ready") == 0


def test_metrics_hold_counts_and_no_match(redis_url: str) -> None:
    from tests.chaos.processes import Engine
    from tests.ports import free_ports

    (port,) = free_ports(1)
    engine = Engine(redis_url, "--metrics-port", str(port))
    engine.start()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=DEADLINE) as reply:
            text = reply.read().decode()
        assert "veche_bot_open_decisions 0.0" in text
        assert "veche_moves_total" in text
        assert f'veche_info{{version="{services.__version__}"}} 1.0' in text
        assert "veche_rules_info{data_version=" in text
        assert "veche_bot_oldest_decision_seconds" in text
        assert engine.stop() == 0
    finally:
        engine.kill()


async def test_a_pod_that_starts_without_redis_lives_says_why_it_waits_and_gets_ready_when_it_comes(
    config: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.chaos.proxy import Proxy

    monkeypatch.setattr(server, "_RETRY_SECONDS", 0.05)
    structlog.reset_defaults()
    proxy = Proxy(urlsplit(config.redis_url).port or 0)
    there = config.redis_url.replace(f":{proxy.target}", f":{proxy.port}")
    pod = Pod(msgspec.structs.replace(config, redis_url=there))
    with capture_logs() as lines:
        starting = asyncio.create_task(pod.start())
        try:
            while not lines:
                await asyncio.sleep(0.02)
            assert [line["event"] for line in lines] == ["waiting for redis: alive, not ready"]
            assert lines[0]["error"] == "ConnectionRefusedError"
            client = Client(f"127.0.0.1:{pod.port}")
            assert await serving(client, "liveness") == SERVING
            for name in ("", "readiness", "veche.v1.MatchService"):
                assert await serving(client, name) == NOT_SERVING
            told = await refusal(client.catalog.ListGames(catalog_pb2.ListGamesRequest(), timeout=DEADLINE))
            assert (told.code.name, told.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
            assert told.wait > 0
            assert not starting.done()
            await proxy.start()
            await starting
            assert await serving(client, "readiness") == SERVING
            assert (await client.create()).id
            await client.close()
        finally:
            starting.cancel()
            await pod.stop()
            await proxy.cut()


async def test_health_of_the_services_follows_readiness(pod: Pod, client: Client) -> None:
    names = ("", "readiness", "veche.v1.MatchService", "veche.v1.BotService")
    assert [await serving(client, name) for name in names] == [SERVING] * 4
    pod.config = msgspec.structs.replace(pod.config, drain=5.0)
    leaving = asyncio.create_task(pod.stop())
    while await serving(client, "readiness") == SERVING:
        await asyncio.sleep(0.02)
    assert [await serving(client, name) for name in names] == [NOT_SERVING] * 4
    assert await serving(client, "liveness") == SERVING
    await leaving


def test_a_pod_told_to_stop_while_it_waits_for_redis_ends_at_once() -> None:
    from tests.chaos.processes import Engine

    engine = Engine("redis://127.0.0.1:1/0")
    engine.launch()
    try:
        while "waiting for redis" not in engine.log():
            assert engine.process.poll() is None, engine.log()
            time.sleep(0.05)
        assert engine.stop(within=30.0) == 0
    finally:
        engine.kill()


def test_a_redis_that_can_never_be_reached_ends_a_pod(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.registry, "load", lambda _: None)  # others in this process have used the games
    assert server.main(["--redis-url", "ftp://nowhere", "--port", "0", "--log-level", "error"]) == 1
