"""Go through the Containerfile's steps in a clean folder, without a container engine.

Every instruction is read from the Containerfile itself: a stage becomes a folder, absolute paths of the image are moved
into it, COPY takes what git knows, RUN runs, and the final stage is left without write permission. Started as root, the
final stage runs as the image's user. The image's command must then become ready against a Redis, the bot worker
must stay up beside it, and both must end by themselves on SIGTERM.

What this does not show: the base image, layers, and the isolation that a container runtime adds.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

ROOT = Path(__file__).resolve().parent.parent
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
KNOWN = ("ARG", "FROM", "WORKDIR", "RUN", "COPY", "ENV", "USER", "EXPOSE", "CMD")
# The top folders of the image that the steps name; their paths are moved into the stage's folder.
IMAGE_PATHS = re.compile(r"(?<![\w/.])/(?=(?:app|opt)\b)")
WORKER = ("python", "-m", "bots.worker")


@dataclass
class Stage:
    """Be one stage of the build: its folder and what its instructions have set."""

    root: Path
    workdir: str = "/"
    env: dict[str, str] = field(default_factory=dict)
    user: str = "0:0"
    command: tuple[str, ...] = ()

    def inside(self, text: str) -> str:
        """Move every absolute image path in a text into the stage's folder."""
        return IMAGE_PATHS.sub(lambda _: f"{self.root}/", text)

    def path(self, target: str) -> Path:
        """Place a path of the image, absolute or relative to WORKDIR, in the stage's folder."""
        return self.root / os.path.normpath(Path(self.workdir) / target).lstrip("/")


def instructions(text: str) -> list[tuple[str, str]]:
    """Split a Containerfile into (instruction, rest); raises SystemExit at one that is not known here."""
    joined = re.sub(r"\\\n\s*", "", text)
    pairs = []
    for line in joined.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            word, _, rest = line.strip().partition(" ")
            if word not in KNOWN:
                raise SystemExit(f"rehearse: the Containerfile uses {word}, which the rehearsal does not know")
            pairs.append((word, rest.strip()))
    return pairs


def main() -> int:
    """Build the image's folders, start its two commands, and return 0 when both behaved."""
    parser = argparse.ArgumentParser(description="Go through the Containerfile's steps without a container engine.")
    parser.add_argument("--build-only", action="store_true", help="do not start the image's commands")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="veche-rehearsal-") as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101, S103 - the image's user must be able to enter it
        started = time.monotonic()
        stage = build(instructions(CONTAINERFILE.read_text()), Path(folder))
        size = sum(path.stat().st_size for path in stage.root.rglob("*") if path.is_file() and not path.is_symlink())
        print(f"rehearse: built in {time.monotonic() - started:.0f} s, {size / 2**20:.0f} MiB without the base image")
        if not args.build_only:
            start(stage, Path(folder))
    return 0


def build(steps: list[tuple[str, str]], folder: Path) -> Stage:
    """Carry out the build instructions and return the last stage, made read-only."""
    python = interpreter()
    stages: dict[str, Stage] = {}
    stage = Stage(folder)
    for word, rest in steps:
        if word in {"RUN", "COPY", "FROM"}:
            print(f"rehearse: {word} {rest[:100]}", flush=True)
        match word:
            case "FROM":
                _, _, name = rest.partition(" AS ")
                stage = stages[name] = Stage(folder / name)
                (stage.root / "base").mkdir(parents=True)
                (stage.root / "base" / "python").symlink_to(python)
                stage.env["PATH"] = f"{stage.root}/base:/usr/bin:/bin"
            case "WORKDIR":
                stage.workdir = rest
                stage.path(".").mkdir(parents=True, exist_ok=True)
            case "RUN":
                environment = machine_settings() | stage.env
                subprocess.run(
                    ["/bin/sh", "-ec", stage.inside(rest)],
                    cwd=stage.path("."),
                    env=environment,
                    check=True,
                    timeout=900,
                )
            case "COPY":
                copy(rest, stage, stages)
            case "ENV":
                for item in shlex.split(rest):
                    key, _, value = item.partition("=")
                    stage.env[key] = stage.inside(value).replace("$PATH", stage.env["PATH"])
            case "USER":
                stage.user = rest
            case "CMD":
                stage.command = tuple(part.strip(' "') for part in rest.strip("[]").split(","))
    for path in [stage.root, *stage.root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    return stage


def copy(rest: str, stage: Stage, stages: Mapping[str, Stage]) -> None:
    """Carry out a COPY: from an earlier stage, or of the files that git knows or would add."""
    words = rest.split()
    origin = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else None
    *sources, target = words
    for source in sources:
        if origin is not None:
            shutil.copytree(stages[origin].path(source), stage.path(target), symlinks=True, dirs_exist_ok=True)
            continue
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", source]
        files = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
        present = [name for name in files if name and (ROOT / name).is_file()]
        if not present:
            raise SystemExit(f"rehearse: COPY {source}: there is no such file in the repository")
        for name in present:
            relative = Path(name).relative_to(source) if (ROOT / source).is_dir() else Path(Path(name).name)
            place = stage.path(target) / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place)


def interpreter() -> str:
    """Find a Python that the image's user may run: this one's base, or the system's when started as root."""
    own = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    candidates = ["/usr/bin/python3", str(own)] if os.getuid() == 0 else [str(own)]
    for candidate in candidates:
        check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
        if Path(candidate).exists() and subprocess.run([candidate, "-c", check], check=False).returncode == 0:
            return candidate
    raise SystemExit("rehearse: no Python >= 3.11 with venv and ensurepip was found")


def machine_settings() -> dict[str, str]:
    """Keep what tells pip how to reach packages from this machine; an image build gets that from its builder."""
    return {key: value for key, value in os.environ.items() if key.startswith("PIP_") or key.lower().endswith("_proxy")}


def start(stage: Stage, folder: Path) -> None:
    """Run the image's command and the bot worker against a Redis of their own, then stop both with SIGTERM."""
    port, metrics, redis_port = free_ports(3)
    secrets = {"VECHE_BOT_TOKEN": "rehearsal"}
    engine_settings = secrets | {
        "VECHE_REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
        "VECHE_HOST": "127.0.0.1",
        "VECHE_PORT": str(port),
        "VECHE_METRICS_PORT": str(metrics),
    }
    worker_settings = secrets | {
        "VECHE_ENGINE": f"127.0.0.1:{port}",
        "VECHE_POLICIES": "random,greedy,automa",
        "VECHE_CAPACITY": "1",
    }
    with ExitStack() as stack:
        stack.enter_context(redis(folder, redis_port))
        engine = stack.enter_context(process(stage, folder, stage.command, engine_settings))
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{port}"))
        began = time.monotonic()
        for service in ("liveness", "readiness"):
            while not serving(channel, service):
                alive(engine, stage.command)
                if time.monotonic() - began > 30:
                    raise SystemExit(f"rehearse: {service} is not SERVING after 30 s")
                time.sleep(0.1)
        print(f"rehearse: {shlex.join(stage.command)} is live and ready after {time.monotonic() - began:.1f} s")
        worker = stack.enter_context(process(stage, folder, WORKER, worker_settings))
        time.sleep(5)
        alive(engine, stage.command)
        alive(worker, WORKER)
        for running, command in ((worker, WORKER), (engine, stage.command)):
            began = time.monotonic()
            running.send_signal(signal.SIGTERM)
            code = running.wait(timeout=50)
            print(f"rehearse: {shlex.join(command)} ended with {code}, {time.monotonic() - began:.1f} s after SIGTERM")
            if code:
                raise SystemExit(f"rehearse: {shlex.join(command)} must end with 0 on SIGTERM")


def serving(channel: grpc.Channel, service: str) -> bool:
    """Ask the health service as a Kubernetes probe does; no answer counts as not serving."""
    try:
        health = health_pb2_grpc.HealthStub(channel)
        answer = health.Check(  # type: ignore[attr-defined]  # the published types leave the methods out
            health_pb2.HealthCheckRequest(service=service), timeout=2
        )
    except grpc.RpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def alive(running: subprocess.Popen[bytes], command: tuple[str, ...]) -> None:
    """Raise SystemExit when a process has ended before it was told to."""
    if running.poll() is not None:
        raise SystemExit(f"rehearse: {shlex.join(command)} ended by itself with {running.returncode}")


@contextmanager
def process(
    stage: Stage, folder: Path, command: tuple[str, ...], settings: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command as the image would: its user, its environment alone, a writable temporary folder, no other."""
    uid, gid = (int(part) for part in stage.user.split(":"))
    scratch = folder / f"tmp-{command[-1]}"
    scratch.mkdir()
    if as_root := os.getuid() == 0:
        os.chown(scratch, uid, gid)
    program = shutil.which(command[0], path=stage.env["PATH"]) or command[0]
    running = subprocess.Popen(
        [program, *command[1:]],
        cwd=stage.path("."),
        env={**stage.env, **settings, "TMPDIR": str(scratch), "HOME": str(scratch)},
        stdin=subprocess.DEVNULL,
        user=uid if as_root else None,
        group=gid if as_root else None,
        extra_groups=[] if as_root else None,
    )
    try:
        yield running
    finally:
        if running.poll() is None:
            running.kill()
            running.wait()


@contextmanager
def redis(folder: Path, port: int) -> Iterator[None]:
    """Run a Redis with the deployment's own settings file on a loopback port."""
    found = [shutil.which(name) for name in ("redis-server", "valkey-server")]
    found += [str(path) for path in (ROOT / ".venv").glob("**/redis-server")]
    found += [str(path) for path in (ROOT / ".venv").glob("**/valkey-server")]
    servers = [name for name in found if name]
    if not servers:
        raise SystemExit("rehearse: no redis-server was found; run make setup first")
    data = folder / "redis"
    data.mkdir()
    text = (ROOT / "deploy" / "kustomize" / "base" / "redis.conf").read_text()
    settings = data / "redis.conf"
    settings.write_text(text.replace("dir /data", f"dir {data}"))
    flags = ["--port", str(port), "--bind", "127.0.0.1", "--daemonize", "no"]
    running = subprocess.Popen([servers[0], str(settings), *flags], stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    alive(running, ("redis-server", settings.name))
    try:
        yield
    finally:
        running.terminate()
        running.wait(timeout=10)


def free_ports(count: int) -> list[int]:
    """Find free loopback ports, all open at once so that they differ."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


if __name__ == "__main__":
    sys.exit(main())
