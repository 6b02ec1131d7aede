"""Run a command that must not outlive the one who ordered it.

Started as `python -I -S tether.py [--foreground] FD COMMAND...`, where FD is the reading end of a pipe whose writing
end only the launcher holds. However the launcher dies, kill -9 included, the pipe ends and the command is stopped:
asked first, killed with its whole process group after a grace. SIGTERM does the same. The exit code is the command's.

With `--foreground` the command stays in the terminal's foreground group and is left to handle Ctrl-C by itself. Uses
the standard library alone, so that it starts in a few milliseconds and works wherever a POSIX Python does.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from types import FrameType

#: Seconds between asking a command to stop and killing it; longer than an engine needs to drain.
GRACE = 8.0
_PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code, 128 + n if signal n ended it."""
    foreground = arguments[0] == "--foreground"
    pipe, command = int(arguments[foreground]), arguments[foreground + 1 :]
    stop_asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal stop_asked
        stop_asked = True

    wake, alarm = os.pipe()
    os.set_blocking(alarm, False)
    signal.set_wakeup_fd(alarm)
    # Handlers, not SIG_IGN: an ignored signal would stay ignored in the command.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda _number, _frame: None)
    signal.signal(signal.SIGTERM, ask)
    child = subprocess.Popen(command, start_new_session=not foreground, preexec_fn=_bind_to(os.getpid()))  # noqa: PLW1509 - one thread
    deadline: float | None = None
    while True:
        code = child.poll()
        if code is not None:
            break
        if stop_asked and deadline is None:
            child.terminate()
            deadline = time.monotonic() + GRACE
        if deadline is not None and time.monotonic() > deadline:
            child.kill()
        ready, _, _ = select.select([wake] if deadline else [wake, pipe], [], [], 0.2 if deadline else None)
        if wake in ready:
            os.read(wake, 4096)
        if pipe in ready:
            stop_asked = True
    if not foreground:
        # Whatever the command started and left behind is in its group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    return 128 - code if code < 0 else code


def _bind_to(parent: int) -> Callable[[], None]:
    """Return what the command does before it begins: ask the kernel, where it can, to end it with the tether."""

    def bind() -> None:
        # Until the command begins, the tether's own handler would swallow what the kernel sends.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)  # the tether was killed before it could be asked

    return bind


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
