import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from services.cli import children, tether

pytestmark = pytest.mark.processes

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def lives(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until_gone(pids: list[int], seconds: float = 60.0) -> list[int]:
    end = time.monotonic() + seconds
    while (left := [p for p in pids if lives(p)]) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def family(pid: int, count: int) -> list[int]:
    """Return the pids of all descendants once there are `count` of them."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = [p.pid for p in psutil.Process(pid).children(recursive=True)]
        if len(found) >= count:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{pid} has {len(found)} descendants, not {count}")


def launcher(tmp_path: Path, command: list[str]) -> subprocess.Popen[bytes]:
    script = textwrap.dedent(
        f"""
        import time
        from pathlib import Path
        from services.cli import children
        pipe = children.Pipe()
        child = children.start("part", {command!r}, pipe, Path({str(tmp_path / "log")!r}), {{}})
        time.sleep(600)
        """
    )
    return subprocess.Popen([sys.executable, "-c", script])


def test_a_part_ends_when_its_launcher_is_killed(tmp_path):
    process = launcher(tmp_path, SLEEP)
    pids = family(process.pid, 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert wait_until_gone(pids) == []


def test_what_a_part_started_ends_with_it(tmp_path):
    grandchild = f"import subprocess, sys; subprocess.Popen({SLEEP!r}); import time; time.sleep(600)"
    process = launcher(tmp_path, [sys.executable, "-c", grandchild])
    pids = family(process.pid, 3)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert wait_until_gone(pids) == []


def test_a_part_ends_when_its_tether_is_killed(tmp_path):
    pipe = children.Pipe()
    child = children.start("part", SLEEP, pipe, tmp_path / "log", {})
    pids = family(child.process.pid, 1)
    child.process.kill()
    child.process.wait()
    if sys.platform == "linux":
        assert wait_until_gone(pids) == []
    pipe.close()


def test_a_part_that_is_asked_to_stop_may_say_goodbye(tmp_path):
    polite = """
        import signal, sys, time
        signal.signal(signal.SIGTERM, lambda *_: (print("bye"), sys.exit(7)))
        print("up", flush=True)
        time.sleep(600)
    """
    pipe = children.Pipe()
    child = children.start("part", [sys.executable, "-c", textwrap.dedent(polite)], pipe, tmp_path / "log", {})
    while "up" not in child.tail():
        time.sleep(0.02)
    assert child.stop() == 7
    assert child.tail() == "up\nbye"
    pipe.close()


def test_a_part_that_does_not_stop_is_killed(tmp_path, monkeypatch):
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
    source = Path(tether.__file__).read_text().replace("GRACE = 8.0", "GRACE = 0.3")
    quick = tmp_path / "quick.py"
    quick.write_text(source)
    monkeypatch.setattr(children.tether, "__file__", str(quick))
    pipe = children.Pipe()
    child = children.start("part", [sys.executable, "-c", deaf], pipe, tmp_path / "log", {})
    while "up" not in child.tail():
        time.sleep(0.02)
    begun = time.monotonic()
    assert child.stop() == 128 + signal.SIGKILL
    assert time.monotonic() - begun < tether.GRACE
    pipe.close()


def test_the_exit_code_of_a_part_is_passed_on(tmp_path):
    pipe = children.Pipe()
    child = children.start("part", [sys.executable, "-c", "raise SystemExit(3)"], pipe, tmp_path / "log", {})
    assert child.process.wait(60) == 3
    assert not child.alive()
    pipe.close()


def test_parts_do_not_hold_the_pipe_that_tells_of_the_launcher(tmp_path):
    pipe = children.Pipe()
    command = [sys.executable, "-c", "print('up', flush=True); import time; time.sleep(600)"]
    child = children.start("part", command, pipe, tmp_path / "log", {})
    while "up" not in child.tail():
        time.sleep(0.02)
    (pid,) = family(child.process.pid, 1)
    held_here = os.fstat(pipe.reading)
    if sys.platform == "linux":
        held = [fd for fd in Path(f"/proc/{pid}/fd").iterdir() if os.path.samestat(fd.stat(), held_here)]
        assert held == []
    child.stop()
    pipe.close()
