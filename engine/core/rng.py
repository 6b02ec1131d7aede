"""Draw random integers from the state: counter-based, in named streams, the same on every machine."""

from hashlib import sha256
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_WORD = 1 << 64


class Rng(msgspec.Struct, array_like=True):
    """Hold a 32-byte seed and how many values each stream has given.

    A value is the first 64 bits of SHA-256(seed, stream, counter): one stream never disturbs another, and an undone
    draw comes out the same.
    """

    seed: bytes
    counters: dict[str, int] = {}

    def clone(self) -> "Rng":
        """Return an independent copy."""
        return Rng(self.seed, self.counters.copy())

    def below(self, stream: str, n: int) -> int:
        """Return an unbiased integer in [0, n) from `stream`."""
        value, self.counters[stream] = _draw(self._prefix(stream), self.counters.get(stream, 0), n)
        return value

    def shuffle(self, stream: str, items: list[T]) -> None:
        """Shuffle `items` in place (Fisher-Yates)."""
        prefix, counter = self._prefix(stream), self.counters.get(stream, 0)
        for i in range(len(items) - 1, 0, -1):
            j, counter = _draw(prefix, counter, i + 1)
            items[i], items[j] = items[j], items[i]
        if len(items) > 1:
            self.counters[stream] = counter

    def _prefix(self, stream: str) -> bytes:
        return b"%s|%s|" % (self.seed, stream.encode())

    def drawn(self) -> int:
        """Return how many values all streams have given."""
        return sum(self.counters.values())


def _draw(prefix: bytes, counter: int, n: int) -> tuple[int, int]:
    """Return an unbiased integer in [0, n) from the values that follow `counter`, and the counter after it."""
    limit = _WORD - _WORD % n
    while True:
        value = int.from_bytes(sha256(b"%s%d" % (prefix, counter)).digest()[:8], "big")
        counter += 1
        if value < limit:
            return value % n, counter


def from_seed(seed: int) -> Rng:
    """Return a generator for an integer seed; raise ValueError outside [0, 2**256)."""
    if not 0 <= seed < 1 << 256:
        raise ValueError("seed must be an integer from 0 to 2**256 - 1")
    return Rng(seed.to_bytes(32, "big"))


def rekeyed(source: Any) -> Rng:
    """Return a generator that owes nothing to the true one; `source` is a `random.Random`."""
    return Rng(source.getrandbits(256).to_bytes(32, "big"))


#: What a view holds instead of the true generator.
HIDDEN = Rng(b"")
