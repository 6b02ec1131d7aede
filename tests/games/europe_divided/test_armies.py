from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.data import KINDS
from engine.games.europe_divided.ids import RegionKind
from engine.games.europe_divided.state import armies_left
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    act,
    armies,
    at,
    die,
    legal,
    money,
    offered,
    play,
    scenario,
    targets,
    told,
    using,
)


def moving(seat, source, **position):
    card = {EUROPE: "germany", RUSSIA: "the_president"}[seat]
    return play(using(scenario(**position), seat, card), seat, a.MoveArmy(source))


def test_an_army_costs_two_money_and_is_built_in_the_region_of_the_card():
    state = using(scenario(), EUROPE, "norway")
    assert offered(state, EUROPE, a.BuildArmy) == [a.BuildArmy("norway", 2)]
    state = play(state, EUROPE, a.BuildArmy("norway", 2))
    assert armies(state, EUROPE, "norway") == 1
    assert money(state, EUROPE) == 18
    assert offered(using(scenario(money={EUROPE: 1}), EUROPE, "norway"), EUROPE, a.BuildArmy) == []


def test_a_red_card_says_where_its_army_is_built():
    for card, region in (("the_president", "moscow"), ("kaliningrad", "kaliningrad")):
        assert offered(using(scenario(), RUSSIA, card), RUSSIA, a.BuildArmy) == [a.BuildArmy(region, 2)]


def test_a_sixteenth_army_cannot_be_built():
    state = scenario(armies={EUROPE: {"germany": 15}})
    assert armies_left(state, EUROPE) == 0
    assert offered(using(state, EUROPE, "norway"), EUROPE, a.BuildArmy) == []


def test_a_removed_army_goes_back_to_the_supply():
    state = scenario(dice={NATO: {"poland": 5}}, armies={EUROPE: {"germany": 14}, RUSSIA: {"poland": 1}})
    state = play(using(state, EUROPE, "poland"), EUROPE, a.BuildArmy("poland", 2))
    assert armies_left(state, EUROPE) == 1
    assert armies_left(state, RUSSIA) == 15


def test_the_first_space_is_free_and_each_further_one_costs_one():
    found = targets(moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}), EUROPE)
    assert (found["poland"], found["baltics"], found["belarus"], found["baltic_sea"]) == (0, 1, 1, 0)


def test_an_army_goes_as_far_as_the_money():
    found = targets(moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}, money={EUROPE: 1}), EUROPE)
    assert max(found.values()) == 1
    found = targets(moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}, money={EUROPE: 0}), EUROPE)
    assert set(found.values()) == {0}


def test_seas_count_as_spaces():
    found = targets(moving(EUROPE, "georgia", armies={EUROPE: {"georgia": 1}}), EUROPE)
    assert (found["black_sea"], found["ukraine"]) == (0, 1)


def test_neither_side_enters_the_home_of_the_other():
    found = targets(moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}), EUROPE)
    assert not [name for name in found if KINDS[at(name)] is RegionKind.RUSSIA]
    found = targets(moving(RUSSIA, "moscow", armies={RUSSIA: {"moscow": 1}}), RUSSIA)
    assert not [name for name in found if KINDS[at(name)] is RegionKind.EUROPE]
    assert "poland" in found


def test_any_own_army_may_move_whatever_the_card():
    state = using(scenario(armies={EUROPE: {"norway": 2, "georgia": 1, "black_sea": 1}}), EUROPE, "germany")
    assert {action.source for action in offered(state, EUROPE, a.MoveArmy)} == {"norway", "georgia", "black_sea"}


def test_two_opposing_armies_in_a_region_are_both_discarded():
    state = moving(RUSSIA, "kaliningrad", armies={RUSSIA: {"kaliningrad": 1}, EUROPE: {"poland": 1}})
    step = act(state, RUSSIA, a.MoveTo("poland", 0))
    assert told(step, e.ArmiesClashed) == [e.ArmiesClashed("poland")]
    assert armies(step.state, EUROPE, "poland") == armies(step.state, RUSSIA, "poland") == 0


def test_armies_clash_at_sea_too():
    state = moving(RUSSIA, "kaliningrad", armies={RUSSIA: {"kaliningrad": 1}, EUROPE: {"baltic_sea": 2}})
    state = play(state, RUSSIA, a.MoveTo("baltic_sea", 0))
    assert armies(state, EUROPE, "baltic_sea") == 1
    assert armies(state, RUSSIA, "baltic_sea") == 0


def test_an_army_cannot_pass_a_region_or_a_sea_with_an_opposing_army():
    position = {"armies": {EUROPE: {"germany": 1}, RUSSIA: {"poland": 1, "baltic_sea": 1, "ukraine": 1}}}
    found = targets(moving(EUROPE, "germany", **position), EUROPE)
    assert found["poland"] == found["baltic_sea"] == 0
    assert "baltics" not in found
    assert "belarus" not in found


def test_an_army_cannot_pass_an_opposing_six_but_lesser_dice():
    armies_of = {EUROPE: {"germany": 1}, RUSSIA: {"baltic_sea": 1, "ukraine": 1}}
    found = targets(moving(EUROPE, "germany", armies=armies_of, dice={RUS: {"poland": 6}}), EUROPE)
    assert "poland" in found
    assert "baltics" not in found
    found = targets(moving(EUROPE, "germany", armies=armies_of, dice={RUS: {"poland": 5}}), EUROPE)
    assert found["baltics"] == 1


def test_an_army_that_enters_a_six_is_lost_and_the_six_falls_to_five():
    state = moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}, dice={RUS: {"poland": 6}})
    step = act(state, EUROPE, a.MoveTo("poland", 0))
    assert told(step, e.ArmyStopped) == [e.ArmyStopped(EUROPE, "poland")]
    assert die(step.state, RUS, "poland") == 5
    assert armies(step.state, EUROPE, "poland") == 0


def test_dice_below_six_are_unaffected():
    state = moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}, dice={RUS: {"poland": 5}})
    state = play(state, EUROPE, a.MoveTo("poland", 0))
    assert die(state, RUS, "poland") == 5
    assert armies(state, EUROPE, "poland") == 1
    # Not even beside a six that stops the army.
    dice = {EU: {"ukraine": 6}, NATO: {"ukraine": 3}}
    state = moving(RUSSIA, "southern_federal_district", armies={RUSSIA: {"southern_federal_district": 1}}, dice=dice)
    state = play(state, RUSSIA, a.MoveTo("ukraine", 0))
    assert (die(state, EU, "ukraine"), die(state, NATO, "ukraine")) == (5, 3)


def test_an_army_meets_armies_before_dice():
    position = {"armies": {EUROPE: {"germany": 1}, RUSSIA: {"poland": 1}}, "dice": {RUS: {"poland": 6}}}
    state = play(moving(EUROPE, "germany", **position), EUROPE, a.MoveTo("poland", 0))
    assert armies(state, EUROPE, "poland") == armies(state, RUSSIA, "poland") == 0
    assert die(state, RUS, "poland") == 6


def test_own_sixes_stop_nobody_of_the_own_side():
    state = moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}, dice={EU: {"poland": 6}, NATO: {"poland": 6}})
    assert targets(state, EUROPE)["baltics"] == 1


def test_armies_of_one_side_stand_together_without_limit():
    state = moving(EUROPE, "germany", armies={EUROPE: {"germany": 1, "poland": 14}})
    assert armies(play(state, EUROPE, a.MoveTo("poland", 0)), EUROPE, "poland") == 15


def test_a_six_that_falls_may_hand_over_a_sea_card():
    dice = {RUS: {"poland": 6}, NATO: {"baltics": 5, "poland": 0}}
    state = moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}}, dice=dice)
    assert state.seas[0] == 2
    step = act(state, EUROPE, a.MoveTo("poland", 0))
    assert told(step, e.SeaCardTaken) == [e.SeaCardTaken("baltic_sea", NATO)]


def test_every_space_is_told_with_its_price():
    state = moving(EUROPE, "germany", armies={EUROPE: {"germany": 1}})
    view = RULES.observe(state, EUROPE)
    lines = [RULES.describe(action, view) for action in legal(state, EUROPE)]
    assert "To Poland (free)" in lines
    assert "To The Baltics (1 money)" in lines
