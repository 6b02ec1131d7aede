import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.flow import HeadlinesSegment
from engine.games.europe_divided.frames.cards import DrawCards
from engine.games.europe_divided.frames.turn import Turn
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    act,
    armies,
    asked,
    choose,
    holder,
    money,
    offered,
    play,
    ready,
    scenario,
    told,
    turn,
    using,
)


def test_europe_does_not_add_eu_and_nato_up():
    assert holder(scenario(dice={EU: {"poland": 3}, NATO: {"poland": 3}}), "baltic_sea") is None
    dice = {EU: {"poland": 3}, NATO: {"poland": 3}, RUS: {"poland": 4}}
    assert holder(scenario(dice=dice), "baltic_sea") is RUS


@pytest.mark.parametrize(
    ("eu", "nato", "rus", "who"), [(4, 4, 4, NATO), (4, 3, 4, EU), (5, 4, 4, EU), (3, 3, 3, None), (0, 0, 4, RUS)]
)
def test_ties_for_the_baltic_sea_go_to_nato_the_eu_then_russia(eu, nato, rus, who):
    dice = {EU: {"poland": eu}, NATO: {"poland": nato}, RUS: {"poland": rus}}
    assert holder(scenario(dice=dice), "baltic_sea") is who


@pytest.mark.parametrize(
    ("eu", "nato", "rus", "who"), [(5, 5, 5, RUS), (5, 5, 4, EU), (4, 5, 4, NATO), (4, 4, 4, None)]
)
def test_ties_for_the_black_sea_go_to_russia_the_eu_then_nato(eu, nato, rus, who):
    dice = {EU: {"ukraine": eu}, NATO: {"ukraine": nato}, RUS: {"ukraine": rus}}
    assert holder(scenario(dice=dice), "black_sea") is who


def test_a_die_just_placed_counts_for_the_sea_card():
    state = using(scenario(dice={RUS: {"poland": 3}}), RUSSIA, "news_media")
    step = act(state, RUSSIA, a.PlaceInfluence(RUS, "baltics", 2))
    assert told(step, e.SeaCardTaken) == [e.SeaCardTaken("baltic_sea", RUS)]
    assert holder(step.state, "baltic_sea") is RUS


def lowered(options):
    # Russia's Baltics card lowers Europe's die there, which takes NATO below the minimum.
    state = scenario(options, dice={NATO: {"baltics": 2, "poland": 2}}, seas={"baltic_sea": NATO})
    state = play(using(state, RUSSIA, "baltics"), RUSSIA, a.TakeSpecial())
    return play(state, RUSSIA, *offered(state, RUSSIA, a.ReduceInfluence))


def test_a_holder_below_the_minimum_keeps_the_card_until_another_takes_it():
    assert holder(lowered({}), "baltic_sea") is NATO


def test_by_option_a_holder_below_the_minimum_returns_the_card():
    assert holder(lowered({"sea_below_minimum": "return"}), "baltic_sea") is None


def test_russia_moves_an_army_from_the_western_military_district_once_a_turn_for_nothing():
    state = scenario(dice={RUS: {"poland": 4}}, armies={RUSSIA: {"western_military_district": 2}})
    state = turn(state, RUSSIA, "energy_sector", "news_media")
    moves = offered(state, RUSSIA, a.UseSeaCard)
    assert {move.target for move in moves} == {"baltics", "kaliningrad", "poland"}
    step = act(state, RUSSIA, a.UseSeaCard("baltic_sea", "western_military_district", "poland"))
    assert told(step, e.SeaCardUsed) == [e.SeaCardUsed(RUSSIA, "baltic_sea")]
    assert armies(step.state, RUSSIA, "poland") == 1
    assert money(step.state, RUSSIA) == 20
    assert offered(step.state, RUSSIA, a.UseSeaCard) == []
    assert len(offered(step.state, RUSSIA, a.PlayCard)) == 2


def test_a_sea_card_taken_from_a_side_that_used_it_may_be_used_by_its_new_holder_in_the_same_turn():
    state = scenario(
        dice={RUS: {"poland": 4}, NATO: {"poland": 2}},
        armies={RUSSIA: {"western_military_district": 2}, EUROPE: {"germany": 2}},
        advantages={EUROPE: ["us_sanctions"]},
    )
    state = choose(choose(state, RUSSIA, "energy_sector"), EUROPE, "italy")
    state = ready(state, HeadlinesSegment(), DrawCards(), Turn(EUROPE), Turn(RUSSIA))
    state = play(state, RUSSIA, a.UseSeaCard("baltic_sea", "western_military_district", "kaliningrad"))
    assert RULES.observe(state, RUSSIA).table.seas[0].used
    # Russia's only card is played by itself.
    state = play(state, RUSSIA, a.GainMoney(3))
    state = play(state, EUROPE, a.PlayCard("italy"), a.IncreaseInfluence(NATO, "poland", 2))
    assert holder(state, "baltic_sea") is NATO
    assert not RULES.observe(state, RUSSIA).table.seas[0].used
    state = play(state, EUROPE, a.UseSeaCard("baltic_sea", "germany", "denmark"))
    assert RULES.observe(state, RUSSIA).table.seas[0].used
    assert offered(state, EUROPE, a.UseSeaCard) == []


def test_nato_moves_an_army_of_five_regions_one_space():
    stand = {"germany": 1, "denmark": 1, "norway": 1, "sweden": 1, "poland": 1, "italy": 1}
    state = turn(scenario(dice={NATO: {"poland": 4}}, armies={EUROPE: stand}), EUROPE, "sweden", "finland")
    moves = offered(state, EUROPE, a.UseSeaCard)
    assert {move.source for move in moves} == {"germany", "denmark", "norway", "sweden", "poland"}
    assert a.UseSeaCard("baltic_sea", "germany", "poland") in moves
    assert a.UseSeaCard("baltic_sea", "germany", "baltic_sea") in moves
    assert a.UseSeaCard("baltic_sea", "germany", "baltics") not in moves
    assert armies(play(state, EUROPE, a.UseSeaCard("baltic_sea", "germany", "poland")), EUROPE, "poland") == 2


def test_a_sea_card_moves_an_army_again_in_the_next_turn():
    state = scenario(dice={RUS: {"poland": 4}}, armies={RUSSIA: {"western_military_district": 1}})
    state = turn(state, RUSSIA, "energy_sector", "news_media")
    state = play(state, RUSSIA, a.UseSeaCard("baltic_sea", "western_military_district", "poland"))
    assert state.sea_used
    assert not ready(state, HeadlinesSegment(), DrawCards()).sea_used


def test_a_sea_card_of_another_power_pays_the_eu_nothing():
    for holding in (RUS, NATO):
        dice = {EU: {"poland": 5}, holding: {"baltics": 6}}
        state = using(scenario(dice=dice), EUROPE, "poland")
        step = act(state, EUROPE, a.PlaceInfluence(EU, "hungary", 2))
        assert holder(step.state, "baltic_sea") is holding
        assert told(step, e.SeaIncome) == []
        assert money(step.state, EUROPE) == 18


def test_the_eu_side_moves_nothing_and_pays_for_eu_actions_of_the_named_cards():
    state = scenario(dice={EU: {"poland": 5}, NATO: {"poland": 5, "baltics": 0}}, seas={"baltic_sea": EU})
    state.dice[0][2] = 5
    step = act(using(state, EUROPE, "poland"), EUROPE, a.PlaceInfluence(EU, "hungary", 2))
    assert told(step, e.SeaIncome) == [e.SeaIncome(EUROPE, "baltic_sea", 2)]
    assert money(step.state, EUROPE) == 20


def test_a_nato_action_brings_no_sea_income():
    state = scenario(dice={EU: {"poland": 5}, NATO: {"poland": 5}})
    state.dice[0][2] = 4
    state.seas[0] = 0
    step = act(using(state, EUROPE, "poland"), EUROPE, a.BuildArmy("poland", 2))
    assert told(step, e.SeaIncome) == []


def test_the_black_sea_moves_russia_from_the_southern_federal_district():
    state = scenario(dice={RUS: {"ukraine": 5}}, armies={RUSSIA: {"southern_federal_district": 1}})
    moves = offered(turn(state, RUSSIA, "energy_sector", "news_media"), RUSSIA, a.UseSeaCard)
    assert {move.target for move in moves} == {"eastern_balkans", "georgia", "ukraine"}


def test_the_black_sea_moves_nato_from_its_coasts():
    state = scenario(dice={NATO: {"ukraine": 5}}, armies={EUROPE: {"turkey": 1, "greece": 1, "germany": 1}})
    moves = offered(turn(state, EUROPE, "sweden", "finland"), EUROPE, a.UseSeaCard)
    assert {move.source for move in moves} == {"turkey", "greece"}


@pytest.mark.parametrize("card", ["eastern_balkans", "georgia", "ukraine"])
def test_the_black_sea_pays_the_eu_for_its_three_cards(card):
    state = using(scenario(dice={EU: {card: 5}}), EUROPE, card)
    gain = offered(state, EUROPE, a.GainMoney)[0]
    assert money(act(state, EUROPE, gain).state, EUROPE) == 20 + gain.amount + 2


def test_a_sea_move_meets_what_stands_there():
    state = scenario(
        dice={RUS: {"poland": 4}}, armies={RUSSIA: {"western_military_district": 1}, EUROPE: {"baltics": 1}}
    )
    state = turn(state, RUSSIA, "energy_sector", "news_media")
    state = play(state, RUSSIA, a.UseSeaCard("baltic_sea", "western_military_district", "baltics"))
    assert armies(state, EUROPE, "baltics") == armies(state, RUSSIA, "baltics") == 0


def test_a_sea_card_may_still_be_used_after_both_cards():
    state = scenario(dice={RUS: {"poland": 4}}, armies={RUSSIA: {"western_military_district": 1}})
    state = turn(state, RUSSIA, "energy_sector", "news_media")
    for card in ("energy_sector", "news_media"):
        state = play(state, RUSSIA, a.PlayCard(card))
        state = play(state, RUSSIA, *offered(state, RUSSIA, a.GainMoney))
    assert asked(state) == ((RUSSIA, "turn"),)
    assert offered(state, RUSSIA, a.UseSeaCard)
    assert a.EndTurn() in offered(state, RUSSIA, a.EndTurn)
