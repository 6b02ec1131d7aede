"""Play anything legal, every option as likely as any other: the anchor that other policies are measured against."""

from random import Random


def choose(options: int, rng: Random) -> int:
    """Return an index below `options`, drawn uniformly."""
    return rng.randrange(options)
