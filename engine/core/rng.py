"""Draw random integers from the state: counter-based, in named streams, the same on every machine."""

import hashlib
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
        limit = _WORD - _WORD % n
        while True:
            counter = self.counters.get(stream, 0)
            self.counters[stream] = counter + 1
            digest = hashlib.sha256(b"%s|%s|%d" % (self.seed, stream.encode(), counter)).digest()
            value = int.from_bytes(digest[:8], "big")
            if value < limit:
                return value % n

    def shuffle(self, stream: str, items: list[T]) -> None:
        """Shuffle `items` in place (Fisher-Yates)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(stream, i + 1)
            items[i], items[j] = items[j], items[i]

    def drawn(self) -> int:
        """Return how many values all streams have given."""
        return sum(self.counters.values())


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
