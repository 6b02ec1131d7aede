"""Start the parts of Veche as child processes that end when the launcher ends, however it ends."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from services.cli import tether

#: How many lines of a part's log are shown when it fails.
_TAIL = 12


class Pipe:
    """Hold the pipe that tells every tether that the launcher lives: its writing end is open here alone."""

    def __init__(self) -> None:
        self.reading, self._writing = os.pipe()

    def close(self) -> None:
        """Let go, so that every tether stops its command."""
        for end in (self.reading, self._writing):
            with suppress(OSError):
                os.close(end)


class Child:
    """Be a started part: its name, its process (the tether) and where its log goes."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], log: Path | None) -> None:
        self.name = name
        self.process = process
        self.log = log

    def alive(self) -> bool:
        """Return whether the part still runs."""
        return self.process.poll() is None

    def tail(self) -> str:
        """Return the last lines of the part's log; empty when it has none."""
        if self.log is None or not self.log.is_file():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-_TAIL:])

    def ask(self) -> None:
        """Ask the part to stop."""
        if self.alive():
            self.process.terminate()

    def stop(self) -> int:
        """Ask the part to stop and wait until it did; return its exit code."""
        self.ask()
        try:
            return self.process.wait(tether.GRACE + 5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def start(name: str, command: Sequence[str], pipe: Pipe, log: Path, environment: Mapping[str, str]) -> Child:
    """Start a part in a session of its own, its output in `log`; `environment` is added to the launcher's."""
    with log.open("ab") as sink:
        process = subprocess.Popen(
            [*_tether(pipe), *command],
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            pass_fds=(pipe.reading,),
            start_new_session=True,
            env=os.environ | environment,
        )
    return Child(name, process, log)


def start_in_front(name: str, command: Sequence[str], pipe: Pipe, environment: Mapping[str, str]) -> Child:
    """Start a part that talks with the terminal: it shares the launcher's streams and its Ctrl-C."""
    arguments = [*_tether(pipe, "--foreground"), *command]
    return Child(name, subprocess.Popen(arguments, pass_fds=(pipe.reading,), env=os.environ | environment), None)


def _tether(pipe: Pipe, *flags: str) -> list[str]:
    return [sys.executable, "-I", "-S", tether.__file__, *flags, str(pipe.reading)]
