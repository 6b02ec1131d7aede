"""Word offers at random, good and bad: what is accepted keeps the game sane and its secrets, the rest is refused."""

import random

import pytest

from engine.core import codec
from engine.core.errors import IllegalAction
from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.data import CARDS
from engine.games.masters_of_europe.ids import CARD_KINDS
from engine.games.masters_of_europe.state import audit
from engine.games.masters_of_europe.view import SECRETS
from tests.games.masters_of_europe.scenario import hand

NAMES = [card.id for card in CARDS]


def bundle(rng, held, purse, kinds):
    """Return one side of an offer: mostly cards that are held, sometimes others, seldom ones that do not exist."""
    pool = held if rng.random() < 0.9 else [*NAMES, "atlantis"]
    names = tuple(rng.sample(pool, min(len(pool), rng.choice((0, 1, 1, 2, 3)))))
    wanted = tuple(rng.choice(CARD_KINDS) for _ in range(rng.choice((0, 0, 1, 2, 4)) if kinds else 0))
    return a.Bundle(names, wanted, rng.randrange(purse + 2))


def worded(rng, state, seat):
    """Return an offer or a counter-offer of a seat's own words."""
    give = bundle(rng, hand(state, seat), state.players[seat].chips, kinds=False)
    want = bundle(rng, NAMES, 3, kinds=True)
    if state.offers and rng.random() < 0.3:
        return a.CounterOffer(rng.choice(state.offers).id, give, want)
    return a.MakeOffer(rng.choice([None, *range(len(state.players))]), give, want)


def traded(state):
    """Return a copy at the first trade decision, with chips to trade."""
    rng = random.Random(0)
    while RULES.pending(state)[0].kind != "trade":
        seat = RULES.pending(state)[0].seat
        state = RULES.apply(state, seat, rng.choice(RULES.legal_actions(state, seat))).state
    state = state.clone()
    for player in state.players:
        player.chips = 9
    state.flow.legal = None
    return state


@pytest.mark.parametrize("seed", range(12))
def test_offers_worded_at_random_never_break_the_game_or_its_secrets(seed):
    rng = random.Random(seed)
    state = traded(RULES.initial_state(RULES.config(3 + seed % 3, {}), seed))
    made = refused = 0
    while state.round == 1 and (pending := RULES.pending(state)):
        seat = rng.choice(pending).seat
        legal = RULES.legal_actions(state, seat)
        action = worded(rng, state, seat) if pending[0].kind == "trade" and rng.random() < 0.5 else rng.choice(legal)
        before = codec.encode(RULES, state)
        try:
            after = RULES.apply(state, seat, action).state
        except IllegalAction:
            assert action not in legal
            assert codec.encode(RULES, state) == before
            refused += 1
            continue
        made += isinstance(action, a.MakeOffer | a.CounterOffer)
        state = after
        assert audit(state) == []
        for viewer in (None, *range(len(state.players))):
            view = RULES.observe(state, viewer)
            guess = RULES.determinize(view, rng)
            assert audit(guess) == []
            assert RULES.observe(guess, viewer) == view
            assert RULES.observe(SECRETS(state, viewer, rng), viewer) == view
    assert made > 5
    assert refused > 5
