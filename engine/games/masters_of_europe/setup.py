"""Lay the game out up to the first decision (Setup)."""

from engine.core import frames, rng
from engine.core.frames import Flow
from engine.games.masters_of_europe.config import Config
from engine.games.masters_of_europe.data import COUNTRIES, DECK
from engine.games.masters_of_europe.flow import Game, PlaceTokens, RollForLeader
from engine.games.masters_of_europe.state import Player, State, StateOf


def initial_state(config: Config, seed: int) -> State:
    """Return the state at the first decision; all chance comes from `seed`."""
    source = rng.from_seed(seed)
    deck = sorted(DECK)
    source.shuffle("deck", deck)
    seats = range(config.seats)
    state: State = StateOf(
        config=config,
        rng=source,
        flow=Flow([Game(), PlaceTokens(), RollForLeader()]),
        players=[Player([0] * len(COUNTRIES), []) for _ in seats],
        cubes=[0] * len(COUNTRIES),
        deck=deck,
        discard=[],
        known=[[[] for _ in seats] for _ in seats],
        offers=[],
    )
    frames.start(state)
    return state
