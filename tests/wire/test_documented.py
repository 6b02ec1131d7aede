"""Hold the protos to saying what a client can find nowhere else: whose seat an event names."""

import re
from pathlib import Path

import pytest

from engine.core.registry import GAMES

PROTOS = Path(__file__).parents[2] / "protos" / "veche" / "games"


def text(game: str) -> str:
    """Return a game's proto with its comments run together."""
    return (PROTOS / game / "v1" / f"{game}.proto").read_text(encoding="utf-8").replace("\n//", "")


@pytest.mark.parametrize("game", GAMES)
def test_the_seat_of_an_event_acted_or_it_happened_to_it(game: str) -> None:
    head = text(game).partition("message Event {")[0].rpartition("\n\n")[2]
    assert "is the seat that acted or that it happened to" in re.sub(r"\s+", " ", head)
