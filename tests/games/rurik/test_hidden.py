"""Shuffle what lies face down by hand, without the help of the game's own view: nobody may notice.

Cards change places with cards, so that nothing here shares a line with the code that hides them.
"""

import random
from typing import Any

import pytest

from engine.core import rng as rng_module
from engine.games.rurik.ids import HIDDEN, NONE, Phase
from engine.games.rurik.state import State, audit
from tests.conformance.cases import CASES, Case, rules_of
from tests.conformance.test_secrecy import follow
from tests.conformance.walk import packed, told, viewers, walk

RURIK = [case for case in CASES if case.game == "rurik"]


def shuffled(state: State, seat: int | None, rng: random.Random) -> State:
    """Return a copy in which everything face down to `seat` has changed places."""
    other = state.clone()
    other.flow.legal = None
    other.rng = rng_module.rekeyed(rng)
    shuffle_schemes(other, seat, rng)
    rng.shuffle(other.deed_deck)
    rng.shuffle(other.reward_tokens)
    hidden = [region for region, sticker in enumerate(other.rebels) if sticker != NONE]
    stickers = [other.rebels[region] for region in hidden]
    for region, sticker in zip(hidden, rng.sample(stickers, len(stickers)), strict=True):
        other.rebels[region] = sticker
    if other.phase is not Phase.OVER:
        shuffle_agendas(other, seat, rng)
    if other.rebellion is not None:
        deck, first = other.rebellion.deck, 1 if other.rebellion.rows else 0
        end = max(first, len(deck) - other.rebellion.turned - 1)
        deck[first:end] = rng.sample(deck[first:end], end - first)
    return other


def shuffle_schemes(state: State, seat: int | None, rng: random.Random) -> None:
    known = None if seat is None else state.known[seat]
    places: list[tuple[list[Any], int]] = []
    for number, deck in enumerate(state.decks):
        places += [(deck, i) for i in range(len(deck)) if known is None or known.decks[number][i] == HIDDEN]
    for owner, player in enumerate(state.players):
        if owner != seat:
            remembered = [] if known is None else known.hands[owner].copy()
            for i, card in enumerate(player.hand):
                if card in remembered:
                    remembered.remove(card)
                else:
                    places.append((player.hand, i))
    in_frames = []
    for frame in state.flow.stack:
        if getattr(frame, "cards", None) and frame.seat != seat:
            in_frames.append((frame, list(frame.cards)))
            places += [(in_frames[-1][1], i) for i in range(len(frame.cards))]
    cards = [where[i] for where, i in places]
    for (where, i), card in zip(places, rng.sample(cards, len(cards)), strict=True):
        where[i] = card
    for frame, held in in_frames:
        frame.cards = tuple(sorted(held))
    for owner, player in enumerate(state.players):
        player.hand.sort()
        if owner != seat:
            state.known[owner].decks = [[HIDDEN] * len(deck) for deck in state.decks]
            state.known[owner].hands = [[] for _ in state.players]


def shuffle_agendas(state: State, seat: int | None, rng: random.Random) -> None:
    owners = [player for owner, player in enumerate(state.players) if owner != seat and player.agendas]
    cards = [card for player in owners for card in player.agendas]
    rng.shuffle(cards)
    for player in owners:
        dealt = sorted(cards.pop() for _ in player.agendas)
        player.agendas = tuple(dealt)
        player.agenda = NONE if player.agenda == NONE else rng.choice(dealt)


@pytest.mark.parametrize("case", RURIK, ids=str)
def test_shuffling_what_lies_face_down_shows_in_no_view(case: Case) -> None:
    rules = rules_of(case)
    for seed in (900, 902):
        rng = random.Random(seed)
        with told(case, seed):
            for moment in walk(case, seed):
                seat = rng.choice(viewers(case))
                twin = shuffled(moment.state, seat, rng)
                assert audit(twin) == []
                view, other = rules.observe(moment.state, seat), rules.observe(twin, seat)
                assert other == view, f"seat {seat} at decision {moment.index}"
                assert packed(other) == packed(view)


@pytest.mark.parametrize("case", RURIK, ids=str)
def test_shuffling_what_lies_face_down_shows_in_nothing_that_follows(case: Case) -> None:
    for seed in (903, 905):
        rng = random.Random(seed)
        with told(case, seed):
            for moment in walk(case, seed):
                if moment.index % 2:
                    seat = rng.choice(viewers(case))
                    follow(case, moment.state, shuffled(moment.state, seat, rng), seat, rng)
