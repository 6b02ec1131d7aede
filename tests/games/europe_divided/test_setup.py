from collections import Counter

import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import ADVANTAGES, CARDS, START_CARDS
from engine.games.europe_divided.data import KINDS, NEIGHBOURS, REGIONS, SPACES
from engine.games.europe_divided.ids import HIDDEN, RegionKind
from engine.games.europe_divided.stakes import HEADLINES, SEAS
from engine.games.europe_divided.state import armies_left, audit, boxed
from tests.games.europe_divided.scenario import EUROPE, RUSSIA, asked, at, play


def begin(seed=1):
    return RULES.initial_state(RULES.config(2, {}), seed)


def started(seed=1):
    state = begin(seed)
    for seat in (EUROPE, RUSSIA):
        state = play(state, seat, RULES.legal_actions(state, seat)[0])
    return state


def test_the_board_has_twelve_contested_regions_five_of_russia_and_two_seas():
    assert Counter(KINDS) == {RegionKind.CONTESTED: 12, RegionKind.RUSSIA: 5, RegionKind.EUROPE: 13, RegionKind.SEA: 2}
    assert SPACES[-1] == "energy_sector"


def test_borders_go_both_ways():
    for here, near in enumerate(NEIGHBOURS):
        assert near
        assert all(here in NEIGHBOURS[there] for there in near)


def test_there_are_as_many_cards_as_in_the_box():
    assert Counter((card.owner, card.grey) for card in CARDS) == {
        (EUROPE, False): 13,
        (EUROPE, True): 12,
        (RUSSIA, False): 7,
        (RUSSIA, True): 12,
    }
    assert Counter(card.owner for card in ADVANTAGES) == {EUROPE: 7, RUSSIA: 7}
    assert Counter(card.period for card in HEADLINES) == {1: 22, 2: 18}
    assert len(SEAS) == 2


def test_one_headline_of_each_colour_lies_face_up():
    state = begin()
    assert [HEADLINES[card].banner for card in state.forthcoming] == [EUROPE, RUSSIA]
    assert {HEADLINES[card].period for card in state.forthcoming} == {1}
    assert state.current == []


def test_four_and_three_headlines_of_each_colour_are_removed_unseen():
    out = Counter((HEADLINES[card].period, HEADLINES[card].banner) for card in boxed(begin()))
    assert out == {(1, EUROPE): 4, (1, RUSSIA): 4, (2, EUROPE): 3, (2, RUSSIA): 3}


def test_three_headlines_are_dealt_and_six_of_period_one_lie_on_top_of_twelve():
    state = begin()
    assert all(len(player.headlines) == 3 for player in state.players)
    assert [HEADLINES[card].period for card in state.headline_deck] == [2] * 12 + [1] * 6


def test_four_action_cards_are_dealt_to_each_side():
    state = begin()
    assert [len(player.hand) for player in state.players] == [4, 4]
    assert [len(player.deck) for player in state.players] == [9, 3]
    for seat, player in enumerate(state.players):
        assert sorted([*player.hand, *player.deck]) == list(START_CARDS[seat])


def test_europe_has_eight_money_and_russia_two():
    assert [player.money for player in begin().players] == [8, 2]


def test_each_side_keeps_two_of_three_advantage_cards_in_secret_and_at_the_same_time():
    state = begin()
    assert asked(state) == ((EUROPE, "set_aside_advantage"), (RUSSIA, "set_aside_advantage"))
    assert len(RULES.legal_actions(state, EUROPE)) == 3
    card = RULES.legal_actions(state, RUSSIA)[1]
    step = RULES.apply(state, RUSSIA, card)
    assert [emitted.public.card for emitted in step.events] == [None]
    assert asked(step.state) == ((EUROPE, "set_aside_advantage"),)
    player = step.state.players[RUSSIA]
    assert (len(player.advantages), len(player.advantage_deck), len(player.set_aside)) == (2, 4, 1)
    other = RULES.observe(step.state, EUROPE).table.players[RUSSIA]
    assert (other.advantages, other.set_aside, other.advantages_in_hand) == ((), (), 2)


def test_a_card_not_dealt_cannot_be_set_aside():
    state = begin()
    dealt = {action.card for action in RULES.legal_actions(state, EUROPE)}
    other = next(card.id for card in ADVANTAGES if card.owner == EUROPE and card.id not in dealt)
    assert a.SetAsideAdvantage(other) not in RULES.legal_actions(state, EUROPE)


def test_grey_cards_start_beside_the_board_and_no_die_is_placed():
    state = begin()
    assert all(player.taken == [] for player in state.players)
    assert not any(map(any, state.dice))


def test_sea_cards_and_prestige_start_with_nobody():
    state = begin()
    assert state.seas == [-1, -1]
    assert all(player.prestige == [0, 0, 0] for player in state.players)
    assert not any(state.tokens)


def test_five_russian_and_nine_nato_armies_stand_in_their_homes():
    state = begin()
    assert sum(state.armies[RUSSIA]) == 5
    assert all(KINDS[r] is RegionKind.RUSSIA for r, count in enumerate(state.armies[RUSSIA]) if count)
    assert sum(state.armies[EUROPE]) == 9
    assert all(KINDS[r] is RegionKind.EUROPE for r, count in enumerate(state.armies[EUROPE]) if count)
    assert state.armies[RUSSIA][at("kaliningrad")] == 1
    assert (armies_left(state, EUROPE), armies_left(state, RUSSIA)) == (6, 10)


def test_the_first_turn_begins_after_the_set_up():
    state = started()
    assert state.turn == 1
    assert asked(state) == ((EUROPE, "choose_cards"), (RUSSIA, "choose_cards"))


@pytest.mark.parametrize("seed", range(20))
def test_every_set_up_is_sane_and_another_seed_another_one(seed):
    assert audit(begin(seed)) == []
    assert begin(seed) != begin(seed + 1)


def test_a_view_hides_decks_and_the_other_hands():
    state = started()
    table = RULES.observe(state, EUROPE).table
    assert len(table.players[EUROPE].hand) == 4
    assert table.players[RUSSIA].hand == ()
    assert table.players[RUSSIA].cards_in_hand == 4
    assert HIDDEN not in state.headline_deck
    assert len(REGIONS) == len(table.regions)


def test_another_seed_deals_other_hands_and_both_colours_of_headlines_to_both_sides():
    states = [RULES.initial_state(RULES.config(2, {}), seed) for seed in range(10)]
    for seat in (EUROPE, RUSSIA):
        assert len({tuple(state.players[seat].hand) for state in states}) > 5
        banners = [{HEADLINES[card].banner for card in state.players[seat].headlines} for state in states]
        assert set().union(*banners) == {EUROPE, RUSSIA}
        assert max(map(len, banners)) == 2
