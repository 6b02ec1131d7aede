"""Keep a local server alive exactly as long as its parent: run by path, with nothing but the standard library.

The first line of standard input is a JSON object: `argv` of the server, its `config` text, and `lock`, a file that one
keeper at a time may hold. After that the keeper waits for the end of its input, which comes when the parent closes it
or dies in any way, and then ends the server. Should the keeper itself be killed, the kernel ends the server (Linux).
"""

import ctypes
import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

#: Exit status that tells the parent that another keeper holds the directory.
LOCKED = 75
#: Seconds that a server gets to write its data after a polite request to end.
GRACE = 10.0
_PR_SET_PDEATHSIG = 1


def _die_with(keeper: int) -> Callable[[], None]:
    """Return what the server does before it begins: ask the kernel, where it can, to end it with its keeper."""

    def bind() -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != keeper:
            os._exit(1)  # the keeper was killed before it could be asked

    return bind


def main() -> int:
    """Run the server that the first line describes until the input ends; return the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order = json.loads(sys.stdin.readline())
    lock = Path(order["lock"]).open("w")  # noqa: SIM115 - held until the process ends
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return LOCKED
    server = subprocess.Popen(
        [*order["argv"], "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=(lock.fileno(),),  # the directory stays locked while the server writes, even without its keeper
        preexec_fn=_die_with(os.getpid()),  # noqa: PLW1509 - this process has one thread until the server runs
    )
    if server.stdin is None:
        return 1
    server.stdin.write(order["config"].encode())
    server.stdin.close()

    def end(*_: object) -> None:
        server.terminate()

    signal.signal(signal.SIGTERM, end)

    def watch() -> None:
        while os.read(0, 4096):
            pass
        server.terminate()
        try:
            server.wait(GRACE)
        except subprocess.TimeoutExpired:
            server.kill()

    threading.Thread(target=watch, daemon=True).start()
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
