"""Rule on control, scoring, the course of rounds, the end and its ties (Victory, Score Phase, End Phase)."""

import pytest

from engine.core.frames import Ctx
from engine.games.masters_of_europe import RULES, scoring
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe.data import COUNTRY_NAMES
from engine.games.masters_of_europe.ids import NONE, CardKind, MeldAction, Phase
from engine.games.masters_of_europe.state import controller
from tests.games.masters_of_europe.scenario import (
    act,
    asked,
    cards,
    chips,
    coins,
    kinds,
    meld,
    play,
    rolling,
    scenario,
    told,
    trade,
    turn,
)

AT_ONCE = {"end_check": "at_once"}


def scored(**more):
    """Score a position; return the step."""
    return act(turn(scenario(**more)), 0, a.EndTurn())


def ended(*dice, **more):
    """End the game in a position; return the step."""
    state = turn(scenario(**more))
    state.rng = rolling(*dice)
    return act(state, 0, a.EndTurn())


# Control.


@pytest.mark.parametrize(
    ("counts", "who"), [((0, 0, 0), NONE), ((1, 0, 0), 0), ((2, 3, 1), 1), ((2, 2, 1), NONE), ((1, 3, 3), NONE)]
)
def test_the_most_tokens_control_a_country_and_a_tie_controls_nothing(counts, who):
    state = scenario(tokens={seat: {"spain": count} for seat, count in enumerate(counts)})
    assert controller(state, 2) == who
    assert RULES.observe(state, None).table.countries[2].controller == (None if who == NONE else who)


# Score phase.


@pytest.mark.parametrize("country", COUNTRY_NAMES)
def test_the_controller_of_a_country_scores_five_or_two_and_its_cubes(country):
    points = 5 if country in list(COUNTRY_NAMES)[:7] else 2
    step = scored(tokens={1: {country: 2}, 2: {country: 1}}, cubes={country: 3})
    assert told(step, e.CountryScored) == [e.CountryScored(1, country, points + 3)]
    assert chips(step.state) == [0, points + 3, 0]


def test_countries_score_one_at_a_time_in_the_order_of_the_map():
    step = scored(tokens={0: {"hungary": 1, "england": 1}, 1: {"spain": 1}})
    assert [event.country for event in told(step, e.CountryScored)] == ["england", "spain", "hungary"]
    assert chips(step.state) == [7, 5, 0]


def test_a_country_that_nobody_controls_scores_nothing_however_much_industry_it_has():
    assert chips(scored(tokens={0: {"italy": 2}, 1: {"italy": 2}}, cubes={"italy": 9}).state) == [0, 0, 0]


def test_cubes_score_for_the_controller_whoever_built_them():
    state = turn(scenario(hands={0: ("italy", "industry", "four")}, tokens={1: {"italy": 1}}))
    state = meld(state, 0, MeldAction.INDUSTRY, "four", "italy").state
    assert chips(act(state, 0, a.EndTurn()).state) == [4, 9, 0]


# The round.


def test_a_round_has_its_five_phases_in_order():
    step = scored()
    state, phases = step.state, [event.phase for event in told(step, e.PhaseStarted)]
    while state.phase is not Phase.ACTION:
        step = act(state, asked(state)[0][0], a.FinishTrading())
        state = step.state
        phases += [event.phase for event in told(step, e.PhaseStarted)]
    assert phases == [Phase.SCORE, Phase.END, Phase.DRAW, Phase.TRADE, Phase.ACTION]
    assert state.round == 2


@pytest.mark.parametrize(("leader", "left"), [(0, 1), (1, 2), (2, 0)])
def test_the_leader_token_passes_to_the_left_at_the_end_of_a_round(leader, left):
    step = scored(leader=leader)
    assert told(step, e.LeaderPassed) == [e.LeaderPassed(left)]
    assert step.state.leader == left


# The end.


def test_a_hundred_chips_do_not_end_the_game():
    state = scored(chips={1: 95}, tokens={1: {"spain": 1}}).state
    assert chips(state)[1] == 100
    assert RULES.outcome(state) is None


def test_more_than_a_hundred_chips_end_the_game():
    step = scored(chips={0: 3, 1: 96}, tokens={1: {"spain": 1}})
    outcome = RULES.outcome(step.state)
    assert asked(step.state) == []
    assert (outcome.scores, outcome.ranks) == ((3, 101, 0), (2, 1, 3))
    assert (outcome.reason, outcome.tie_break) == ("more than 100 chips", ())
    assert told(step, e.GameEnded) == [e.GameEnded((3, 101, 0), (2, 1, 3))]


def test_the_most_chips_win_though_another_seat_passed_a_hundred_too():
    outcome = RULES.outcome(scored(chips={0: 120, 1: 130, 2: 101}).state)
    assert outcome.ranks == (2, 1, 3)
    assert outcome.breakdown == ({"chips": 120}, {"chips": 130}, {"chips": 101})


def test_the_end_is_looked_at_after_the_score_phase():
    """A seat may pass a hundred and fall back, and others may still overtake it."""
    state = turn(scenario(hands={0: ("italy", "marriage", "four")}, chips={0: 98, 1: 100}, tokens={1: {"spain": 1}}))
    state = meld(state, 0, MeldAction.MARRIAGE, "four", "italy").state
    assert (chips(state)[0], asked(state)) == (102, [(0, "turn")])
    assert RULES.outcome(act(state, 0, a.EndTurn()).state).scores == (107, 105, 0)


def test_a_game_that_nobody_wins_ends_with_the_score_phase_of_its_last_round():
    step = scored(options={"last_round": 1}, chips={0: 40}, tokens={1: {"spain": 1}})
    outcome = RULES.outcome(step.state)
    assert (outcome.scores, outcome.ranks, outcome.reason) == ((40, 5, 0), (1, 2, 3), "end of round 1")
    assert told(step, e.GameEnded) == [e.GameEnded((40, 5, 0), (1, 2, 3))]


def test_the_last_round_is_played_to_its_score_phase():
    state = scored(options={"last_round": 2}).state
    assert RULES.outcome(state) is None
    while state.phase is not Phase.ACTION:
        state = act(state, asked(state)[0][0], a.FinishTrading()).state
    for seat in (1, 2, 0):
        assert RULES.outcome(state) is None
        state = act(state, seat, a.EndTurn()).state
    assert RULES.outcome(state).reason == "end of round 2"


def test_who_wins_in_the_last_round_has_won_by_chips():
    assert RULES.outcome(scored(options={"last_round": 1}, chips={0: 101}).state).reason == "more than 100 chips"


def test_no_hand_is_cut_after_the_end():
    state = scored(chips={0: 101}, hands={1: ("one",) * 6}).state
    assert RULES.outcome(state) is not None
    assert len(state.players[1].hand) == 6


def test_by_option_a_meld_ends_the_game_at_once():
    hands = {0: ("italy", "marriage", "four", "spain", "royalty", "one")}
    state = turn(scenario(options=AT_ONCE, hands=hands, chips={0: 98, 1: 99}, tokens={1: {"spain": 1}}))
    step = meld(state, 0, MeldAction.MARRIAGE, "four", "italy")
    assert RULES.outcome(step.state).scores == (102, 99, 0)
    assert told(step, e.CountryScored) == []


def test_by_option_a_revolution_ends_the_game_at_once():
    hands = {0: ("italy", "revolution", "four")}
    state = turn(scenario(options=AT_ONCE, hands=hands, chips={0: 98, 1: 9}, tokens={1: {"italy": 1}}))
    state = meld(state, 0, MeldAction.REVOLUTION, "four", "italy").state
    assert RULES.outcome(act(state, 0, a.RemoveToken(1)).state).scores == (102, 5, 0)


def test_by_option_a_country_that_scores_ends_the_game_at_once():
    board = {0: {"england": 1}, 1: {"france": 1}}
    step = scored(options=AT_ONCE, chips={0: 98, 1: 99}, tokens=board)
    assert RULES.outcome(step.state).scores == (103, 99, 0)
    assert len(told(step, e.CountryScored)) == 1


def test_by_option_a_trade_ends_the_game_at_once():
    state = trade(scenario(options=AT_ONCE, chips={0: 90, 1: 20}, hands={0: ("one",)}))
    begging = a.MakeOffer(2, a.Bundle(), coins(1))
    state = play(state, (1, begging), (0, a.MakeOffer(1, cards("one"), coins(15))), (1, a.AcceptOffer(2)))
    assert RULES.outcome(state).scores == (105, 5, 0)
    assert state.offers == []


def test_chips_traded_above_a_hundred_do_not_end_the_game_before_the_score_phase():
    state = trade(scenario(chips={0: 90, 1: 20}, hands={0: ("one",), 2: ("two",)}))
    state = play(state, (0, a.MakeOffer(1, cards("one"), coins(15))), (1, a.AcceptOffer(1)))
    assert RULES.outcome(state) is None
    state = play(state, (0, a.MakeOffer(2, coins(20), kinds(CardKind.NUMBER))), (2, a.AcceptOffer(2, ("two",))))
    assert chips(state) == [85, 5, 20]


# Ties.


def test_tied_for_chips_the_most_countries_controlled_win():
    outcome = RULES.outcome(ended(chips={0: 102, 1: 100}, tokens={0: {"spain": 1}, 1: {"italy": 1, "norway": 1}}).state)
    assert outcome.scores == (107, 107, 0)
    assert outcome.ranks == (2, 1, 3)
    assert outcome.tie_break == ("seats 0, 1 tied at 107 chips", "most countries controlled: 2, by seats 1")


def test_countries_of_a_seat_that_is_not_tied_for_chips_break_no_tie():
    board = {
        0: {"spain": 1},
        1: {"italy": 1, "norway": 1},
        2: dict.fromkeys(("russia", "poland", "hungary"), 1),
    }
    outcome = RULES.outcome(ended(chips={0: 102, 1: 100, 2: 50}, tokens=board).state)
    assert outcome.ranks == (2, 1, 3)
    assert outcome.tie_break[1] == "most countries controlled: 2, by seats 1"


def test_still_tied_arm_wrestling_settles_it_and_the_outcome_says_so():
    step = ended(3, 5, chips={0: 102, 2: 102})
    outcome = RULES.outcome(step.state)
    assert outcome.ranks == (2, 3, 1)
    assert outcome.tie_break == (
        "seats 0, 2 tied at 102 chips",
        "most countries controlled: 0, by seats 0, 2",
        "arm wrestling: seats 0, 2 rolled 3, 5",
    )
    assert told(step, e.ArmsWrestled) == [e.ArmsWrestled((0, 2), (3, 5))]
    assert RULES.observe(step.state, None).table.wrestling[0].dice == (3, 5)


def test_arm_wrestlers_roll_until_one_is_higher():
    outcome = RULES.outcome(ended(4, 4, 2, 2, 6, 1, chips={0: 102, 2: 102}).state)
    assert outcome.ranks == (1, 3, 2)
    assert outcome.tie_break[2:] == (
        "arm wrestling: seats 0, 2 rolled 4, 4",
        "arm wrestling: seats 0, 2 rolled 2, 2",
        "arm wrestling: seats 0, 2 rolled 6, 1",
    )


def test_of_three_arm_wrestlers_those_tied_for_high_go_on():
    outcome = RULES.outcome(ended(5, 5, 1, 2, 3, chips={0: 102, 1: 102, 2: 102}).state)
    assert outcome.ranks == (2, 1, 2)


def test_places_below_the_first_are_tied_by_chips_and_countries_without_wrestling():
    outcome = RULES.outcome(ended(chips={0: 110, 1: 50, 2: 50}).state)
    assert outcome.ranks == (1, 2, 2)
    assert outcome.tie_break == ()
    outcome = RULES.outcome(ended(chips={0: 110, 1: 50, 2: 45}, tokens={2: {"spain": 1}}).state)
    assert outcome.ranks == (1, 3, 2)


def test_nobody_wrestles_when_one_is_ahead():
    state = scenario(chips={0: 110, 1: 50, 2: 50})
    scoring.wrestle(Ctx(state, None))
    assert state.wrestling == ()
