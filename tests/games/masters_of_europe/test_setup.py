"""Rule on the map, the deck, the Leader token and the placing of tokens (The Map, Master Deck Card List, Setup)."""

from collections import Counter

import pytest

from engine.core.frames import Ctx
from engine.games.masters_of_europe import RULES, scoring
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.data import CARDS, COUNTRIES, DECK, POINTS
from engine.games.masters_of_europe.flow import PlaceTokens
from engine.games.masters_of_europe.ids import CardKind, MeldAction
from engine.games.masters_of_europe.state import initiative
from tests.games.masters_of_europe.scenario import act, asked, hand, legal, offered, ready, rolling, scenario, tokens

MAJORS = ["england", "france", "spain", "prussia", "austria", "italy", "netherlands"]
MINORS = ["russia", "sweden", "norway", "denmark", "belgium", "portugal", "poland", "hungary"]
COPIES = {card.id: card.count for card in CARDS}


def test_there_are_seven_major_and_eight_minor_countries():
    assert [country.id for country in COUNTRIES] == MAJORS + MINORS
    assert [country.size for country in COUNTRIES] == ["major"] * 7 + ["minor"] * 8


@pytest.mark.parametrize("country", MAJORS)
def test_a_major_country_has_three_cards_and_scores_five(country):
    assert COPIES[country] == 3
    assert POINTS[MAJORS.index(country)] == 5


@pytest.mark.parametrize("country", MINORS)
def test_a_minor_country_has_one_card_and_scores_two(country):
    assert COPIES[country] == 1
    assert POINTS[len(MAJORS) + MINORS.index(country)] == 2


def test_two_major_powers_and_one_minor_power_stand_for_any_country_of_their_size():
    majors, minors = (next(card for card in CARDS if card.id == name) for name in ("major_power", "minor_power"))
    assert (majors.count, minors.count) == (2, 1)
    assert [COUNTRIES[i].id for i in majors.countries] == MAJORS
    assert [COUNTRIES[i].id for i in minors.countries] == MINORS


@pytest.mark.parametrize("action", MeldAction)
def test_each_action_card_comes_four_times(action):
    assert COPIES[action] == 4


@pytest.mark.parametrize(("number", "value"), [("one", 1), ("two", 2), ("three", 3), ("four", 4)])
def test_each_number_card_comes_eight_times(number, value):
    assert COPIES[number] == 8
    assert next(card.value for card in CARDS if card.id == number) == value


def test_the_deck_has_96_cards_of_three_types():
    assert len(DECK) == 96
    assert Counter(CARDS[card].kind for card in DECK) == {
        CardKind.COUNTRY: 32,
        CardKind.ACTION: 32,
        CardKind.NUMBER: 32,
    }


@pytest.mark.parametrize("seats", range(3, 9))
def test_three_to_eight_seats_may_play(seats):
    assert len(RULES.initial_state(RULES.config(seats, {}), 1).players) == seats


def test_the_highest_roll_takes_the_leader_token():
    for seed in range(20):
        state = RULES.initial_state(RULES.config(4, {}), seed)
        seats, dice = state.leader_rolls[-1]
        assert state.leader == seats[dice.index(max(dice))]
        assert all(1 <= die <= 6 for _, rolled in state.leader_rolls for die in rolled)


def test_those_tied_for_the_highest_roll_roll_again():
    state = scenario()
    state.rng = rolling(6, 2, 6, 3, 3, 5, 4)
    assert scoring.roll_off(Ctx(state, None), [0, 1, 2]) == (
        0,
        (((0, 1, 2), (6, 2, 6)), ((0, 2), (3, 3)), ((0, 2), (5, 4))),
    )


def test_the_rolls_are_shown_on_the_table():
    state = RULES.initial_state(RULES.config(3, {}), 5)
    table = RULES.observe(state, None).table
    assert [(roll.seats, roll.dice) for roll in table.leader_rolls] == list(state.leader_rolls)
    assert table.leader == state.leader


def test_tokens_are_placed_one_at_a_time_in_initiative_order():
    state = ready(scenario(leader=1), PlaceTokens())
    order = []
    for _ in range(6):
        ((seat, kind),) = asked(state)
        assert kind == "place_token"
        order.append(seat)
        state = act(state, seat, a.PlaceToken("england")).state
    assert order == [1, 2, 0, 1, 2, 0]
    assert initiative(state) == [1, 2, 0]


def test_at_most_five_own_tokens_are_placed_in_a_country():
    state = ready(scenario(tokens={0: {"france": 4, "spain": 5}}), PlaceTokens())
    assert a.PlaceToken("spain") not in legal(state, 0)
    state = act(state, 0, a.PlaceToken("france")).state
    assert tokens(state, 0, "france") == 5
    state = act(state, 1, a.PlaceToken("france")).state
    state = act(state, 2, a.PlaceToken("france")).state
    assert len(offered(state, 0, a.PlaceToken)) == 13


def test_each_seat_places_ten_tokens_and_the_first_round_begins():
    state = RULES.initial_state(RULES.config(3, {}), 2)
    while RULES.pending(state)[0].kind == "place_token":
        state = RULES.apply(state, RULES.pending(state)[0].seat, legal(state, RULES.pending(state)[0].seat)[-1]).state
    assert [sum(player.tokens) for player in state.players] == [10, 10, 10]
    assert [len(hand(state, seat)) for seat in range(3)] == [6, 6, 6]
    assert asked(state) == [(0, "trade"), (1, "trade"), (2, "trade")]


def test_seats_that_never_answer_do_not_block_each_other_for_ever():
    """Their tokens lead somewhere, so that somebody scores and the game ends."""
    for seats in (3, 8):
        state = RULES.initial_state(RULES.config(seats, {}), 1)
        while pending := RULES.pending(state):
            if state.round > 1:
                break
            state = RULES.apply(state, pending[0].seat, RULES.default_action(state, pending[0].seat)).state
        assert max(player.chips for player in state.players) > 0
