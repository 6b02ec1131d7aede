"""Talk to the person at the launcher: steps on standard output, complaints on standard error."""

import sys


def step(text: str) -> None:
    """Say that a step is done."""
    print(f"veche: {text}", flush=True)


def complain(text: str) -> None:
    """Say what went wrong and what to do."""
    print(f"veche: {text}", file=sys.stderr, flush=True)
