"""Play a seat whose own cards decide: the engine offers what they dictate, and this submits it."""

from random import Random


def choose(options: int, rng: Random) -> int:
    """Return the first option: an automa's list holds what its cards allow, the best fit in front."""
    return 0
