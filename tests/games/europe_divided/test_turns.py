import random

import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.cards import ADVANTAGE_INDEX
from engine.games.europe_divided.data import TURNS
from engine.games.europe_divided.flow import HeadlinesSegment
from engine.games.europe_divided.frames.cards import DrawCards
from engine.games.europe_divided.frames.initiative import Initiative
from engine.games.europe_divided.frames.turn import Turn
from engine.games.europe_divided.ids import Phase
from engine.games.europe_divided.stakes import HEADLINES
from engine.games.europe_divided.state import State, audit
from tests.games.europe_divided.scenario import (
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    act,
    asked,
    choose,
    discarded,
    hand,
    headlines,
    legal,
    money,
    names,
    play,
    ready,
    scenario,
    told,
    turn,
    using,
)


def choosing(state: State | None = None) -> State:
    return ready(state or scenario(), HeadlinesSegment(), DrawCards(), Initiative())


def walked(seed: int, until: int) -> State:
    """Return a random game at the choice of cards of a turn."""
    rng = random.Random(seed)
    state = RULES.initial_state(RULES.config(2, {}), seed)
    while not (state.turn == until and state.phase is Phase.INITIATIVE):
        seat = RULES.pending(state)[0].seat
        RULES.advance(state, seat, rng.choice(legal(state, seat)))
    return state


def test_the_track_has_two_periods_of_ten_turns():
    assert [turn.period for turn in TURNS] == [1] * 10 + [2] * 10


def test_the_marker_advances_one_space_a_turn():
    assert walked(3, 1).turn == 1
    assert walked(3, 2).turn == 2


def test_both_choose_two_cards_in_secret_and_at_the_same_time():
    state = choosing()
    assert asked(state) == ((EUROPE, "choose_cards"), (RUSSIA, "choose_cards"))
    assert len(legal(state, EUROPE)) == 6
    step = act(state, RUSSIA, legal(state, RUSSIA)[0])
    assert [emitted.public for emitted in step.events] == [e.CardsChosen(RUSSIA, ())]
    seen = RULES.observe(step.state, EUROPE).table.players[RUSSIA]
    assert (seen.cards_chosen, seen.chosen, seen.cards_in_hand) == (2, (), 2)
    assert RULES.observe(step.state, EUROPE).table.initiative == ()
    assert RULES.pending(step.state)[0].id == RULES.pending(state)[0].id


def test_a_card_that_is_not_in_hand_cannot_be_chosen():
    state = hand(scenario(), EUROPE, "germany", "france", "italy", "norway")
    state = choosing(state)
    pairs = {(action.first, action.second) for action in legal(state, EUROPE)}
    assert all("turkey" not in pair for pair in pairs)
    assert not any(first == second for first, second in pairs)


def test_sums_are_announced_and_the_cards_stay_hidden():
    state = hand(choosing(), EUROPE, "germany", "france", "italy", "norway")
    state = choosing(state)
    state = play(state, EUROPE, a.ChooseCards("germany", "norway"))
    step = act(state, RUSSIA, legal(state, RUSSIA)[0])
    assert told(step, e.InitiativeAnnounced)[0].sums[EUROPE] == 5
    assert RULES.observe(step.state, RUSSIA).table.players[EUROPE].chosen == ()


def test_the_other_side_acts_after_both_cards_of_the_first():
    state = hand(
        hand(scenario(), EUROPE, "denmark", "greece", "italy", "norway"), RUSSIA, "energy_sector", "kaliningrad"
    )
    state = choosing(state)
    state = play(state, EUROPE, a.ChooseCards("denmark", "greece"))
    state = play(state, RUSSIA, legal(state, RUSSIA)[0])
    assert state.first == EUROPE
    state = play(state, EUROPE, a.PlayCard("denmark"), a.GainMoney(1))
    assert asked(state)[0][0] == EUROPE
    state = play(state, EUROPE, a.GainMoney(1))
    assert asked(state) == ((RUSSIA, "turn"),)


def test_played_cards_are_discarded_and_two_are_drawn():
    state = scenario()
    before = len(state.players[EUROPE].hand)
    chosen = names(state.players[EUROPE].deck)[0]
    state = using(state, EUROPE, chosen)
    state = play(state, EUROPE, legal(state, EUROPE)[-1])
    while asked(state)[0][1] != "choose_cards":
        seat = asked(state)[0][0]
        state = play(state, seat, legal(state, seat)[0])
    assert chosen in names(state.players[EUROPE].discard)
    assert len(state.players[EUROPE].hand) == before + 2


def test_an_empty_deck_is_made_anew_from_the_discard_pile_at_once():
    state = hand(scenario(), RUSSIA, "the_president", "news_media")
    state = discarded(state, RUSSIA, "kaliningrad", "energy_sector", "security_services")
    step_state = ready(state, HeadlinesSegment(), DrawCards())
    player = step_state.players[RUSSIA]
    assert len(player.hand) == 4
    assert player.discard == []
    assert len(player.deck) == 3


def test_a_deck_that_runs_out_in_the_middle_of_a_draw_is_made_anew_and_the_draw_goes_on():
    state = hand(scenario(), RUSSIA, "the_president", "news_media")
    state = discarded(state, RUSSIA, "kaliningrad", "energy_sector", "security_services", "southern_federal_district")
    state = ready(state, HeadlinesSegment(), DrawCards())
    player = state.players[RUSSIA]
    assert len(player.hand) == 4
    assert len(player.deck) == 3
    assert audit(state) == []


def test_everybody_knows_what_a_side_holds_when_its_deck_is_made_anew():
    state = hand(scenario(), RUSSIA, "the_president", "news_media")
    state = discarded(state, RUSSIA, "kaliningrad", "energy_sector", "security_services", "southern_federal_district")
    state = ready(state, HeadlinesSegment(), DrawCards())
    seen = RULES.observe(state, EUROPE).table.players[RUSSIA]
    assert {"the_president", "news_media", "western_military_district"} == set(seen.known_hand)
    assert seen.hand == ()


def test_cards_chosen_and_not_yet_played_are_known_too_when_a_deck_is_made_anew():
    state = hand(
        choose(scenario(advantages={EUROPE: ["summit"]}), EUROPE, "sweden", "italy"), EUROPE, "france", "norway"
    )
    state = discarded(state, EUROPE, *(card for card in names(state.players[EUROPE].deck) if card != "greece"))
    state = ready(state, HeadlinesSegment(), DrawCards(), Turn(EUROPE))
    state = play(state, EUROPE, a.PlayAdvantage("summit"), a.PlayExtraCard("norway"))
    assert set(RULES.observe(state, RUSSIA).table.players[EUROPE].known_hand) == {"sweden", "italy", "france", "greece"}


def test_a_known_card_that_is_shown_leaves_the_others_known():
    state = hand(scenario(), RUSSIA, "the_president", "news_media", "kaliningrad")
    state = turn(state, RUSSIA, "energy_sector", "security_services")
    state.players[RUSSIA].held = sorted([*state.players[RUSSIA].hand, *state.players[RUSSIA].chosen])
    state = play(state, RUSSIA, a.PlayCard("energy_sector"))
    seen = RULES.observe(state, EUROPE).table.players[RUSSIA]
    assert set(seen.known_hand) == {"the_president", "news_media", "kaliningrad", "security_services"}


def test_the_discard_pile_is_shuffled_into_the_new_deck():
    orders = set()
    for seed in range(5):
        state = hand(scenario(seed=seed), EUROPE, "france", "norway")
        state = discarded(state, EUROPE, *names(state.players[EUROPE].deck))
        orders.add(tuple(ready(state, HeadlinesSegment(), DrawCards()).players[EUROPE].deck))
    assert len(orders) == 5


def test_action_cards_are_drawn_before_the_headlines_segment():
    state = walked(1, 2)
    while asked(state)[0][1] != "place_headline":
        step = act(state, asked(state)[0][0], legal(state, asked(state)[0][0])[0])
        state = step.state
    order = [type(emitted.event) for emitted in step.events]
    assert order.index(e.CardsDrawn) < order.index(e.HeadlinesShifted)
    assert all(len(player.hand) == 4 for player in state.players)


def test_turns_without_printed_steps_skip_the_headlines():
    assert [turn.turn for turn in TURNS if not turn.steps] == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]


def test_headlines_are_resolved_before_they_are_shifted_placed_discarded_and_drawn():
    order = ["resolve", "shift", "place", "discard_2", "new", "new_3_period_2", "score_dominance"]
    for space in TURNS:
        known = [step for step in space.steps if step in order]
        assert known == sorted(known, key=order.index)


def test_nine_pairs_of_headlines_are_resolved_and_eight_placed():
    steps = [step for turn in TURNS for step in turn.steps]
    assert steps.count("resolve") == 9
    assert steps.count("place") == 8


@pytest.mark.parametrize("seed", range(3))
def test_on_turn_eight_two_headlines_are_discarded_unseen_and_three_of_period_two_drawn(seed):
    state = walked(seed, 9)
    for player in state.players:
        assert len(player.shelved) == 2
        assert len(player.headlines) == 3
    table = RULES.observe(state, EUROPE).table
    assert table.players[EUROPE].shelved
    assert table.players[RUSSIA].shelved == ()
    assert {HEADLINES[card].period for player in state.players for card in player.headlines} == {2}


def test_turn_ten_scores_dominance_and_advantage_cards_and_deals_three_of_the_four_left():
    state = walked(1, 10)
    kept = [len(player.advantages) for player in state.players]
    rng = random.Random(5)
    while asked(state)[0][1] != "set_aside_advantage":
        seat = asked(state)[0][0]
        kept = [len(player.advantages) for player in state.players]
        state = act(state, seat, rng.choice(legal(state, seat))).state
    for seat, player in enumerate(state.players):
        assert len(player.advantages) == 3
        assert len(player.advantage_deck) == 1
        assert player.prestige[2] == kept[seat]
        state = play(state, seat, legal(state, seat)[0])
    assert [len(player.advantages) for player in state.players] == [2, 2]
    assert state.turn == 11


def test_advantage_cards_kept_at_turn_ten_score_one_each_and_leave_the_game():
    kept = {EUROPE: ["summit", "eu_funds"], RUSSIA: ["cyber_attack"]}
    state = scenario(turn=10, dice={RUS: {"belarus": 6}}, advantages=kept)
    for player in state.players:
        player.advantage_deck = [player.set_aside.pop() for _ in range(4)]
    state = ready(state, HeadlinesSegment(step=TURNS[9].steps.index("score_dominance")))
    assert [player.prestige for player in state.players] == [[0, 0, 2], [0, 1, 1]]
    assert asked(state) == ((EUROPE, "set_aside_advantage"), (RUSSIA, "set_aside_advantage"))
    for seat, player in enumerate(state.players):
        assert {ADVANTAGE_INDEX[name] for name in kept[seat]} <= set(player.set_aside)
        assert (len(player.advantages), len(player.advantage_deck)) == (3, 1)
    assert audit(state) == []


def test_dominance_scores_each_region_with_a_six_once_for_either_side():
    dice = {NATO: {"poland": 6, "hungary": 5}, RUS: {"belarus": 6, "moldova": 6}}
    state = ready(headlines(scenario(dice=dice, turn=20)), HeadlinesSegment())
    assert state.players[EUROPE].prestige[1] == 1
    assert state.players[RUSSIA].prestige[1] == 2


def test_dominance_of_the_first_period_scores_again_at_the_end():
    dice = {RUS: {"belarus": 6}}
    state = scenario(dice=dice, turn=20)
    state.players[RUSSIA].prestige[1] = 1
    state = ready(headlines(state), HeadlinesSegment())
    assert state.players[RUSSIA].prestige[1] == 2


def test_advantage_cards_kept_in_the_second_period_add_to_those_of_the_first():
    state = scenario(turn=20, advantages={RUSSIA: ["cyber_attack", "disinformation"]})
    state.players[RUSSIA].prestige[2] = 1
    assert ready(headlines(state), HeadlinesSegment()).players[RUSSIA].prestige[2] == 3


def test_on_turn_sixteen_the_last_two_headlines_are_discarded_and_no_more_are_placed():
    state = walked(2, 17)
    assert all(player.headlines == [] and len(player.shelved) == 4 for player in state.players)
    assert state.headline_deck == []
    assert not any("place" in turn.steps for turn in TURNS[16:])


def test_the_second_period_draws_up_to_turn_fourteen():
    assert [turn.turn for turn in TURNS if "new" in turn.steps] == [2, 4, 6, 10, 12, 14]


def test_money_denied_comes_back_with_the_next_turn():
    state = scenario()
    state.players[RUSSIA].denied = True
    assert not ready(state, HeadlinesSegment(), DrawCards()).players[RUSSIA].denied
    assert money(state, RUSSIA) == 20
