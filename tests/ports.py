"""Find ports for servers that must keep theirs while they are down."""

import os
import random
import socket

_FIRST, _RANGE, _RANGES = 10_000, 1_000, 10
_given: set[int] = set()


def free_ports(count: int, spread: int = 0) -> list[int]:
    """Return free ports, each once; with `spread` also port + spread is free.

    They lie below those that systems give out by themselves, and each process of the test run draws from a range of its
    own: nobody takes one while its server is down.
    """
    dice = random.SystemRandom()
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _RANGES
    found: list[int] = []
    while len(found) < count:
        port = _FIRST + worker * _RANGE + dice.randrange(_RANGE)
        if port not in _given and _is_free(port) and _is_free(port + spread):
            _given.add(port)
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
