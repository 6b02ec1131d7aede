"""Prepare .venv and gen/: packages from a hash lock, stubs from the protos, one .pth for imports.

Each step is skipped when what it was made from has not changed, and a file lock lets several makes run at once.
Uses the standard library alone, so that any Python from 3.11 on can run it.
"""

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
GEN = ROOT / "gen"
LOCKS = {
    "run": "requirements.lock",
    "dev": "requirements-dev.lock",
    "ci": "requirements-ci.lock",
    "bench": "requirements-bench.lock",
}
# The dev lock holds every pin of the run lock, so installing it prepares for both.
COVERS = {"dev": ("dev", "run")}


def main() -> int:
    """Bring the asked-for parts up to date and return an exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*LOCKS, []], default=["run"], help="locks to install")
    parser.add_argument("--force-protos", action="store_true", help="generate the stubs even if nothing changed")
    args = parser.parse_args()
    if args.force_protos or stale_parts(args.parts) or stubs_stale():
        VENV.mkdir(exist_ok=True)
        with locked(VENV / ".setup.lock"):
            make_venv()
            for part in stale_parts(args.parts):
                install(part)
            if args.force_protos or stubs_stale():
                make_stubs()
    return 0


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive file lock; a second setup waits here and then finds its work done."""
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another setup is running here, waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def make_venv() -> None:
    """Create the virtual environment and its .pth; replace one whose interpreter is gone."""
    works = (
        PYTHON.exists()
        and subprocess.run([PYTHON, "-c", "import pip"], capture_output=True, check=False).returncode == 0
    )
    if not works:
        with step(f"virtual environment with Python {sys.version.split()[0]}"):
            for stamp in VENV.glob(".stamp-*"):
                stamp.unlink()
            for folder in ("bin", "lib", "lib64", "include"):
                path = VENV / folder
                if path.is_symlink():
                    path.unlink()
                elif path.exists():
                    shutil.rmtree(path)
            run([sys.executable, "-m", "venv", str(VENV)], "is the package python3-venv installed?")
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    pth = Path(site) / "veche.pth"
    text = f"{ROOT}\n{GEN}\n"
    GEN.mkdir(exist_ok=True)
    if not pth.exists() or pth.read_text() != text:
        pth.write_text(text)


def install(part: str) -> None:
    """Install one lock, hashes required, and leave stamps for all parts it covers."""
    lock = ROOT / LOCKS[part]
    count = sum(1 for line in lock.read_text().splitlines() if line[:1].isalnum())
    with step(f"up to {count} packages from {lock.name}"):
        command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        run([*command, "--require-hashes", "--no-deps", "-r", str(lock)], "a package could not be installed")
    for covered in COVERS.get(part, (part,)):
        stamp(covered).write_text(lock_digest(covered))


def make_stubs() -> None:
    """Generate modules and types for every proto into gen/, replaced in one rename."""
    fresh = ROOT / "gen.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    digest = proto_digest()
    files = [str(path.relative_to(ROOT / "protos")) for path in protos()]
    with step(f"stubs from {len(files)} protos"):
        if files:
            environment = os.environ | {"PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
            outputs = [f"--{kind}_out={fresh}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
            command = [str(PYTHON), "-m", "grpc_tools.protoc", "-I", str(ROOT / "protos"), *outputs, *files]
            run(command, "the protos do not compile", environment)
        (fresh / ".stamp").write_text(digest)
        old = ROOT / "gen.old"
        shutil.rmtree(old, ignore_errors=True)
        if GEN.exists():
            GEN.rename(old)
        fresh.rename(GEN)
        shutil.rmtree(old, ignore_errors=True)


def stale_parts(parts: Iterable[str]) -> list[str]:
    """Name the parts to install, leaving out those that another of them covers."""
    stale = [part for part in parts if not PYTHON.exists() or read(stamp(part)) != lock_digest(part)]
    return [part for part in stale if not any(part in COVERS.get(other, ()) for other in stale if other != part)]


def stubs_stale() -> bool:
    """Tell whether gen/ was made from other protos or other generators than those here now."""
    return read(GEN / ".stamp") != proto_digest()


def protos() -> list[Path]:
    """List the project's proto files in a fixed order."""
    return sorted((ROOT / "protos" / "veche").rglob("*.proto"))


def proto_digest() -> str:
    """Digest names and contents of all protos and the lock that pins their generators."""
    digest = hashlib.sha256((ROOT / LOCKS["run"]).read_bytes())
    for path in protos():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def lock_digest(part: str) -> str:
    """Digest a lock file."""
    return hashlib.sha256((ROOT / LOCKS[part]).read_bytes()).hexdigest()


def stamp(part: str) -> Path:
    """Name the file that says which lock a part was installed from."""
    return VENV / f".stamp-{part}"


def read(path: Path) -> str:
    """Read a small file; one that is absent reads as empty."""
    return path.read_text() if path.exists() else ""


def run(command: list[str], hint: str, environment: dict[str, str] | None = None) -> None:
    """Run a command, silent on success; on failure show what it said and stop with the hint."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"\n{done.stdout}{done.stderr}\nsetup: failed: {hint}", file=sys.stderr)
        raise SystemExit(done.returncode)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Show a step on one line, with its seconds when it is done."""
    start = time.monotonic()
    print(f"setup: {what} ... ", end="", flush=True)
    yield
    print(f"done ({time.monotonic() - start:.1f} s)", flush=True)


def say(what: str) -> None:
    """Print one line of progress."""
    print(f"setup: {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
