"""Be a person at a terminal of 100 by 40: start a program on a pseudo-terminal, read its screens, type."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence

from bots.console.text import HEIGHT, WIDTH, plain

CLEAR = "\x1b[H\x1b[2J"
#: Run a command whose terminal is its standard input; done there, for a process with threads must not fork to do it.
AT_TERMINAL = [
    sys.executable,
    "-IS",
    "-c",
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])",
]
#: Seconds that a program gets for what it does next; a busy machine may take its time.
PATIENCE = 90.0


class Terminal:
    """Hold a program and all that it has written; `screen` is what stands there since the last clearing."""

    def __init__(self, command: Sequence[str], environment: dict[str, str] | None = None) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        self.process = subprocess.Popen(
            [*AT_TERMINAL, *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "xterm", "PYTHONUTF8": "1"} | (environment or {}),
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def screen(self) -> str:
        return plain(self.text.rpartition(CLEAR)[2]).replace("\r\n", "\n")

    def read(self, seconds: float) -> bool:
        """Take in what is there within some time; return whether anything came."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.text += self._decoder.decode(data)
        return bool(data)

    def wait_for(self, pattern: str, seconds: float = PATIENCE) -> str:
        """Return the screen once it matches; fail with what stands there instead."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.screen):
            if time.monotonic() > end or (not self.read(0.1) and self.process.poll() is not None):
                while self.read(0.1):
                    pass
                if re.search(pattern, self.screen):
                    break
                raise AssertionError(f"no {pattern!r} on the screen:\n{self.screen}")
        return self.screen

    def type(self, line: str) -> None:
        """Type a line; what it answers is waited for on a fresh screen."""
        self.text += CLEAR
        os.write(self.master, line.encode() + b"\n")

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.text += CLEAR
        os.write(self.master, b"\x03")

    def end(self, seconds: float = PATIENCE) -> int:
        """Wait until the program has ended and return its exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        while self.read(0.1):
            pass
        return self.process.wait(1)

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.master)
