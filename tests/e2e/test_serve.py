"""Play, watch, replay and look after matches on a service started as `make serve` does."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bots.console import __main__ as console
from tests.bots.terminal import PATIENCE, Terminal
from veche.v1 import bot_pb2, bot_pb2_grpc

pytestmark = pytest.mark.processes

CLI = [sys.executable, "-m", "services.cli"]
CONSOLE = [sys.executable, "-m", "bots.console"]


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> dict[str, str]:
    return {"VECHE_HOME": str(tmp_path_factory.mktemp("serve") / "home"), "VECHE_BOT_TOKEN": "known to another worker"}


@pytest.fixture(scope="module")
def engine(home) -> Iterator[str]:
    process = subprocess.Popen([*CLI, "serve", "--port", "0"], env=os.environ | home, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield next(line for line in process.stdout if "engine at" in line).split()[3]
    finally:
        process.terminate()
        assert process.wait(90) == 0
        process.stdout.close()


@pytest.fixture
def call(home):
    def call(*command: str, code: int = 0, text: str | None = None) -> str:
        done = subprocess.run(
            command, env=os.environ | home, capture_output=True, text=True, timeout=240, check=False, input=text
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr

    return call


@pytest.fixture(scope="module")
def played(engine) -> str:
    """Return the id of a finished match."""
    told = subprocess.run(
        [*CONSOLE, "--engine", engine, "--auto", "--opponents", "random"],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return told.stdout.split()[2]


def test_a_worker_that_knows_the_token_of_the_environment_may_take_turns(engine, home):
    capability = bot_pb2.Capability(game="rurik", rules_version="none", data_version="none", policies=["random"])
    request = bot_pb2.SubscribeRequest(worker_id="another", capacity=1, capabilities=[capability])
    metadata = [("authorization", f"Bearer {home['VECHE_BOT_TOKEN']}")]
    with grpc.insecure_channel(engine) as channel:
        stream = bot_pb2_grpc.BotServiceStub(channel).Subscribe(request, metadata=metadata, timeout=60)
        assert next(stream).WhichOneof("message") == "heartbeat"


def test_a_finished_match_is_replayed_from_its_record(engine, played, call, tmp_path):
    file = tmp_path / "record.json"
    fetched = call(*CLI, "replay", "--engine", engine, "--match", played, "--save", str(file))
    assert call(*CLI, "replay", str(file)) == fetched
    assert call(*CLI, "replay", "-", text=file.read_text()) == fetched
    lines = fetched.splitlines()
    assert re.fullmatch(r"Rurik: Dawn of Kiev, 2 seats, seed [0-9a-f]{64}", lines[0])
    assert sum(bool(re.match(r" +\d+ seat \d \(bot\): ", line)) for line in lines) > 50
    assert {line.split(",")[0] for line in lines[-2:]} & {"seat 0: place 1", "seat 1: place 1"}


def test_a_record_that_was_tampered_with_is_refused_at_the_place(engine, played, call, tmp_path):
    file = tmp_path / "record.json"
    call(*CLI, "replay", "--engine", engine, "--match", played, "--save", str(file))
    record = json.loads(file.read_text())
    del record["entries"][20]
    file.write_text(json.dumps(record))
    assert re.search(r"entry \d+: ", call(*CLI, "replay", str(file), code=1))
    file.write_text("{}")
    assert "the record is empty" in call(*CLI, "replay", str(file), code=1)
    file.write_text("not JSON")
    assert "not the JSON of GetRecord" in call(*CLI, "replay", str(file), code=1)


def test_a_replay_needs_a_record(call):
    assert "name a record file" in call(*CLI, "replay", code=2)


def test_two_persons_play_through_two_consoles_and_a_third_watches(engine):
    first = Terminal([*CONSOLE, "--engine", engine, "--opponents", "open", "--name", "Olga"])
    second = watcher = None
    try:
        screen = first.wait_for(r"--match (\S+)\n")
        match = re.search(r"--match (\S+)\n", screen)
        assert match is not None
        second = Terminal([*CONSOLE, "--engine", engine, "--match", match[1], "--name", "Igor"])
        players = {"Olga": first, "Igor": second}
        watcher = subprocess.Popen(
            [*CONSOLE, "--engine", engine, "--match", match[1], "--watch"], stdout=subprocess.PIPE, text=True
        )
        for _ in range(8):
            asked = next(p for p in _ready(players.values()))
            asked.type("1")
            asked.wait_for(r"\n> $|waiting for")
        assert watcher.stdout is not None
        told = "".join(watcher.stdout.readline() for _ in range(6))
        assert "seat 0 (Olga), seat 1 (Igor)" in told
        assert "  Seat " in told
        for player in players.values():
            player.interrupt()
            assert player.end() == 0
            assert re.search(r"--token \S+:\S+", player.screen)
    finally:
        first.close()
        if second is not None:
            second.close()
        if watcher is not None and watcher.stdout is not None:
            watcher.kill()
            watcher.wait()
            watcher.stdout.close()


def _ready(players) -> Iterator[Terminal]:
    """Yield the players that are asked, as soon as one is."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for player in players:
            player.read(0.05)
            if player.screen.endswith("\n> "):
                yield player
                return
    raise AssertionError("nobody is asked")


def test_the_operator_lists_closes_and_is_refused_without_the_token(engine, played, call, home):
    assert f"{played}  rurik  finished" in call(*CLI, "admin", "list")
    person = Terminal([*CONSOLE, "--engine", engine])
    try:
        person.wait_for(r"\n> $")
        person.type("q")
        person.end()
        match = re.search(r"--token (\S+):", person.screen)
        assert match is not None
    finally:
        person.close()
    assert match[1] in call(*CLI, "admin", "list", "--status", "active")
    assert call(*CLI, "admin", "incidents") == ""
    assert "closed" in call(*CLI, "admin", "close", match[1])
    assert "FAILED_PRECONDITION" in call(*CLI, "admin", "close", match[1], code=1)
    assert "engine says" in call(*CLI, "admin", "requeue", "nosuchmatch", code=1)
    denied = subprocess.run(
        [*CLI, "admin", "--engine", engine, "incidents"],
        env=os.environ | home | {"VECHE_ADMIN_TOKEN": "wrong"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert denied.returncode == 1
    assert "UNAUTHENTICATED" in denied.stderr


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (["--match", "nosuchmatch"], "MATCH_NOT_FOUND"),
        (["--token", "nonsense"], "copy it whole"),
        (["--game", "chess"], "no game 'chess'"),
        (["--option", "deed_row=maybe"], "true or false"),
    ],
)
def test_the_console_explains_what_it_cannot_do(engine, call, flags, word):
    assert word in call(*CONSOLE, "--engine", engine, *flags, code=1 if word.isupper() else 2)


def test_a_console_without_an_engine_says_how_to_name_one(monkeypatch, capsys):
    monkeypatch.setattr(console, "_CONNECT", 1.0)
    assert console.main(["--engine", "127.0.0.1:1"]) == 1
    assert "--engine HOST:PORT" in capsys.readouterr().err


def test_the_services_data_survives_the_service(tmp_path):
    home = {"VECHE_HOME": str(tmp_path / "home")}
    token = ""
    for attempt in range(2):
        serve = subprocess.Popen(
            [*CLI, "serve", "--port", "0", "--workers", "1"], env=os.environ | home, stdout=subprocess.PIPE, text=True
        )
        assert serve.stdout is not None
        try:
            address = next(line for line in serve.stdout if "engine at" in line).split()[3]
            flags = ["--token", token] if token else []
            person = Terminal([*CONSOLE, "--engine", address, *flags])
            try:
                person.wait_for(r"agenda (?:to|card)[\s\S]*\n> $" if attempt else r"choose a leader[\s\S]*\n> $")
                if not attempt:
                    person.type("2")
                    person.wait_for(r"agenda[\s\S]*\n> $")
                person.type("q")
                assert person.end() == 0
                found = re.search(r"--token (\S+)", person.screen)
                assert found is not None
                token = found[1]
            finally:
                person.close()
        finally:
            serve.terminate()
            assert serve.wait(90) == 0
            serve.stdout.close()
    log = Path(home["VECHE_HOME"]) / "serve" / "engine.log"
    assert "Traceback" not in log.read_text()
