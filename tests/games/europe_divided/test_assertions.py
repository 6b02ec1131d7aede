"""The thirty examples of the rulebook that figures can be checked against, A01 to A30."""

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.data import TURNS
from engine.games.europe_divided.flow import HeadlinesSegment
from engine.games.europe_divided.frames.armies import reach
from engine.games.europe_divided.frames.cards import DrawCards
from engine.games.europe_divided.frames.initiative import Initiative
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    act,
    advantage,
    armies,
    asked,
    at,
    die,
    hand,
    headlines,
    holder,
    legal,
    money,
    offered,
    play,
    ready,
    scenario,
    targets,
    turn,
    using,
)


def initiative(europe, russia):
    state = scenario()
    hand(state, EUROPE, *europe, "sweden", "norway")
    hand(state, RUSSIA, *russia, "news_media", "energy_sector")
    state = ready(state, HeadlinesSegment(), DrawCards(), Initiative())
    state = play(state, EUROPE, next(c for c in legal(state, EUROPE) if {c.first, c.second} == set(europe)))
    step = act(state, RUSSIA, next(c for c in legal(state, RUSSIA) if {c.first, c.second} == set(russia)))
    return step.state


def test_a01_greece_and_poland_have_initiative_seven():
    assert initiative(("greece", "poland"), ("the_president", "eastern_balkans")).initiative[EUROPE] == 7


def test_a02_eastern_balkans_and_the_president_have_nine_and_russia_must_act_first():
    state = initiative(("greece", "poland"), ("the_president", "eastern_balkans"))
    assert state.initiative == (7, 9)
    assert state.first == RUSSIA
    assert asked(state) == ((RUSSIA, "turn"),)


def test_a03_in_a_tie_europe_acts_first():
    state = initiative(("denmark", "finland"), ("southern_federal_district", "eastern_balkans"))
    assert state.initiative == (8, 8)
    assert asked(state) == ((EUROPE, "turn"),)


def test_a04_germany_places_an_eu_die_in_poland_at_one_for_two_money():
    state = play(using(scenario(), EUROPE, "germany"), EUROPE, a.PlaceInfluence(EU, "poland", 2))
    assert die(state, EU, "poland") == 1
    assert money(state, EUROPE) == 18


def test_a05_poland_raises_the_eu_in_hungary_from_three_to_six_and_the_card_is_taken():
    state = using(scenario(dice={EU: {"poland": 5, "hungary": 3}}), EUROPE, "poland")
    step = act(state, EUROPE, a.IncreaseInfluence(EU, "hungary", 3))
    assert die(step.state, EU, "hungary") == 6
    assert e.CardTaken(EUROPE, "hungary") in [emitted.event for emitted in step.events]
    assert at("hungary") in step.state.players[EUROPE].taken


def test_a06_with_a_russian_army_or_six_there_it_stops_at_five_and_the_card_is_taken_all_the_same():
    for position in (
        {"dice": {EU: {"poland": 5, "hungary": 3}}, "armies": {RUSSIA: {"hungary": 1}}},
        {"dice": {EU: {"poland": 5, "hungary": 3}, RUS: {"hungary": 6}}},
    ):
        state = play(using(scenario(**position), EUROPE, "poland"), EUROPE, a.IncreaseInfluence(EU, "hungary", 3))
        assert die(state, EU, "hungary") == 5
        assert at("hungary") in state.players[EUROPE].taken


def test_a07_hungary_gains_one_money_and_its_tokens():
    for tokens, gain in ((0, 1), (2, 3)):
        state = scenario(dice={EU: {"hungary": 5}}, tokens={"hungary": tokens})
        assert offered(using(state, EUROPE, "hungary"), EUROPE, a.GainMoney) == [a.GainMoney(gain)]


def test_a08_the_president_builds_in_moscow_for_two_money():
    state = play(using(scenario(), RUSSIA, "the_president"), RUSSIA, a.BuildArmy("moscow", 2))
    assert armies(state, RUSSIA, "moscow") == 1
    assert money(state, RUSSIA) == 18


def test_a09_ukraine_builds_in_ukraine_with_nato_at_five():
    state = using(scenario(dice={NATO: {"ukraine": 5}}), EUROPE, "ukraine")
    assert offered(state, EUROPE, a.BuildArmy) == [a.BuildArmy("ukraine", 2)]


def test_a10_hungary_moves_an_army_from_georgia_over_the_black_sea_to_the_baltics_for_three_money():
    state = using(scenario(dice={NATO: {"hungary": 5}}, armies={EUROPE: {"georgia": 1}}), EUROPE, "hungary")
    state = play(state, EUROPE, a.MoveArmy("georgia"), a.MoveTo("baltics", 3))
    assert armies(state, EUROPE, "baltics") == 1
    assert money(state, EUROPE) == 17


def test_a11_the_southern_federal_district_is_closed_to_it():
    state = using(scenario(dice={NATO: {"hungary": 5}}, armies={EUROPE: {"georgia": 1}}), EUROPE, "hungary")
    assert "southern_federal_district" not in targets(play(state, EUROPE, a.MoveArmy("georgia")), EUROPE)


def test_a12_news_media_adds_one_in_czechia_and_two_in_hungary_and_that_is_its_action():
    state = using(scenario(dice={RUS: {"czechia_slovakia": 1, "hungary": 1}}), RUSSIA, "news_media")
    state = play(state, RUSSIA, a.TakeSpecial(), a.IncreaseInfluence(RUS, "czechia_slovakia", 1))
    state = play(state, RUSSIA, a.IncreaseInfluence(RUS, "hungary", 1), a.IncreaseInfluence(RUS, "hungary", 1))
    assert die(state, RUS, "czechia_slovakia") == 2
    assert die(state, RUS, "hungary") == 3
    assert asked(state)[0][1] == "choose_cards"


def belarus():
    state = scenario(armies={EUROPE: {"germany": 1}})
    return play(using(state, RUSSIA, "belarus"), RUSSIA, a.BuildArmy("belarus", 2))


def test_a13_belarus_builds_for_two_and_its_effect_places_a_die_in_the_baltics_for_two_more():
    state = belarus()
    assert money(state, RUSSIA) == 18
    assert asked(state) == ((RUSSIA, "increase_influence"),)
    state = play(state, RUSSIA, a.PlaceInfluence(RUS, "baltics", 2))
    assert die(state, RUS, "baltics") == 1
    assert money(state, RUSSIA) == 16


def test_a14_europe_reacts_with_an_army_from_germany_to_the_baltics_for_one():
    state = play(belarus(), RUSSIA, a.PlaceInfluence(RUS, "baltics", 2))
    assert asked(state) == ((EUROPE, "move_army"),)
    state = play(state, EUROPE, a.MoveArmy("germany"))
    assert armies(state, EUROPE, "baltics") == 1
    assert money(state, EUROPE) == 19


def southern(**more):
    armies_of = {RUSSIA: {"central_federal_district": 1}, EUROPE: {"poland": 2, **more}}
    state = using(scenario(armies=armies_of), RUSSIA, "southern_federal_district")
    return play(state, RUSSIA, a.MoveArmy("central_federal_district"))


def test_a15_an_army_goes_through_belarus_into_poland_and_one_of_each_side_is_lost():
    state = play(southern(), RUSSIA, a.MoveTo("poland", 1))
    assert armies(state, RUSSIA, "poland") == 0
    assert armies(state, EUROPE, "poland") == 1


def test_a16_a_nato_army_in_belarus_closes_that_way():
    assert targets(southern(belarus=1, ukraine=1), RUSSIA)["poland"] == 2


def test_a17_an_army_built_beside_an_opposing_one_costs_both():
    state = scenario(dice={NATO: {"poland": 5}}, armies={RUSSIA: {"poland": 1}}, money={RUSSIA: 0})
    state = play(using(state, EUROPE, "poland"), EUROPE, a.BuildArmy("poland", 2))
    assert armies(state, EUROPE, "poland") == armies(state, RUSSIA, "poland") == 0


def test_a18_a_russian_army_falls_to_both_sixes_which_drop_to_five():
    state = scenario(dice={EU: {"ukraine": 6}, NATO: {"ukraine": 6}}, armies={RUSSIA: {"moscow": 1}})
    state = play(using(state, RUSSIA, "armenia"), RUSSIA, a.MoveArmy("moscow"), a.MoveTo("ukraine", 1))
    assert armies(state, RUSSIA, "ukraine") == 0
    assert (die(state, EU, "ukraine"), die(state, NATO, "ukraine")) == (5, 5)


def test_a19_a_nato_army_built_on_a_russian_six_is_lost_and_the_six_drops():
    state = scenario(dice={NATO: {"ukraine": 5}, RUS: {"ukraine": 6}})
    state = play(using(state, EUROPE, "ukraine"), EUROPE, a.BuildArmy("ukraine", 2))
    assert armies(state, EUROPE, "ukraine") == 0
    assert die(state, RUS, "ukraine") == 5


def test_a20_russia_takes_the_baltic_sea_with_two_and_two_over_three_of_nato():
    state = scenario(dice={RUS: {"poland": 2, "baltics": 1}, NATO: {"poland": 2, "baltics": 1}})
    assert holder(state, "baltic_sea") is None
    state = play(using(state, RUSSIA, "news_media"), RUSSIA, a.TakeSpecial(), a.IncreaseInfluence(RUS, "baltics", 1))
    assert (die(state, RUS, "poland"), die(state, RUS, "baltics")) == (2, 2)
    assert holder(state, "baltic_sea") is RUS


def test_a21_nato_takes_it_from_russia_in_a_tie():
    state = scenario(dice={RUS: {"poland": 2, "baltics": 2}, NATO: {"poland": 2, "baltics": 1}})
    assert holder(state, "baltic_sea") is RUS
    state = play(using(state, EUROPE, "germany"), EUROPE, a.IncreaseInfluence(NATO, "poland", 1))
    assert holder(state, "baltic_sea") is NATO


def test_a22_the_eu_with_more_holds_it_and_gains_two_with_each_eu_action_of_the_two_cards():
    dice = {EU: {"poland": 2, "baltics": 3}, NATO: {"poland": 3, "baltics": 1}}
    assert holder(scenario(dice=dice), "baltic_sea") is EU
    for card in ("baltics", "poland"):
        state = scenario(dice={EU: {"poland": 5, "baltics": 5}})
        step = act(using(state, EUROPE, card), EUROPE, a.GainMoney(1))
        assert money(step.state, EUROPE) == 23


def test_a23_the_black_sea_asks_for_five_and_ties_go_to_russia_the_eu_then_nato():
    four = {"eastern_balkans": 1, "georgia": 1, "ukraine": 2}
    five = {"eastern_balkans": 2, "georgia": 1, "ukraine": 2}
    assert holder(scenario(dice={RUS: four, EU: four}), "black_sea") is None
    assert holder(scenario(dice={RUS: five, EU: five, NATO: five}), "black_sea") is RUS
    assert holder(scenario(dice={RUS: four, EU: five, NATO: five}), "black_sea") is EU


def test_a24_us_sanctions_deny_russia_its_money_or_bring_three_or_a_prestige():
    state = scenario(advantages={EUROPE: ["us_sanctions"]})
    sold = act(turn(state.clone(), EUROPE, "sweden"), EUROPE, a.SellAdvantage("us_sanctions")).state
    assert money(sold, EUROPE) == 23
    assert RULES.outcome(state) is None
    state = advantage(state, "us_sanctions")
    assert state.players[RUSSIA].denied


def test_a25_fracture_bars_the_eu_actions_of_the_united_kingdom_and_ireland():
    state = advantage(scenario(advantages={RUSSIA: ["fracture_in_the_eu"]}), "fracture_in_the_eu")
    state = play(state, RUSSIA, a.FractureCountry("uk_ireland"))
    later = scenario()
    later.fracture = state.fracture
    state = using(later, EUROPE, "uk_ireland")
    assert {getattr(action, "faction", NATO) for action in legal(state, EUROPE)} == {NATO}
    assert offered(state, EUROPE, a.GainMoney) == []
    sold = turn(scenario(advantages={RUSSIA: ["fracture_in_the_eu"]}), RUSSIA, "news_media")
    assert money(act(sold, RUSSIA, a.SellAdvantage("fracture_in_the_eu")).state, RUSSIA) == 22


def test_a26_nord_stream_brings_three_prestige_and_tokens_for_the_energy_sector_and_germany():
    state = scenario(dice={RUS: {"poland": 2, "baltics": 1}, EU: {"poland": 1}}, turn=12)
    state = ready(headlines(state, "nord_stream"), HeadlinesSegment())
    assert state.players[RUSSIA].prestige[0] == 3
    assert a.GainMoney(4) in legal(using(state.clone(), RUSSIA, "energy_sector"), RUSSIA)
    assert a.GainMoney(4) in legal(using(state, EUROPE, "germany"), EUROPE)


def test_a27_turn_four_resolves_shifts_places_and_draws_one_each():
    assert TURNS[3].steps == ("resolve", "shift", "place", "new")


def test_a28_turn_eight_discards_two_and_draws_three_of_the_second_period():
    assert TURNS[7].steps[-2:] == ("discard_2", "new_3_period_2")


def test_a29_eu_and_nato_sixes_in_one_region_score_one():
    state = scenario(dice={EU: {"poland": 6}, NATO: {"poland": 6}}, turn=20)
    state = ready(headlines(state), HeadlinesSegment())
    assert state.players[EUROPE].prestige[1] == 1


def test_a30_georgia_is_four_spaces_from_the_baltics_for_nato():
    assert reach(scenario(), EUROPE, at("georgia"), 31)[at("baltics")] == 4
