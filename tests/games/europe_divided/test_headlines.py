import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.data import REGIONS, SPACES
from engine.games.europe_divided.flow import HeadlinesSegment
from engine.games.europe_divided.ids import FACTIONS
from engine.games.europe_divided.scoring import is_met
from engine.games.europe_divided.stakes import HEADLINE_INDEX, HEADLINES
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    act,
    asked,
    headlines,
    legal,
    ready,
    scenario,
)


def met(name, options=None, **position):
    return is_met(scenario(options, **position), HEADLINE_INDEX[name])


def fulfilled(card):
    """Return a position in which a headline's conditions hold, and nothing more than that."""
    dice = {faction: {} for faction in FACTIONS}
    armies = {EUROPE: {}, RUSSIA: {}}
    for region in (REGIONS[r] for r in card.regions):
        for pred in card.condition:
            if pred.kind == "army":
                armies[pred.a][region] = pred.n
            elif pred.kind == "eq":
                dice[FACTIONS[pred.a]][region] = pred.n
            else:
                dice[FACTIONS[pred.a]][region] = 3
                dice[FACTIONS[pred.b]][region] = 2
    return {"dice": dice, "armies": armies}


@pytest.mark.parametrize("card", HEADLINES, ids=lambda card: card.id)
def test_the_headline_is_awarded_to_its_banner_when_its_conditions_hold(card):
    state = ready(headlines(scenario(**fulfilled(card), turn=18), card.id), HeadlinesSegment())
    player = state.players[card.banner]
    assert HEADLINE_INDEX[card.id] in player.awarded
    assert player.prestige[0] == card.prestige
    for space in range(len(SPACES)):
        assert state.tokens[space] == card.tokens.count(space)


@pytest.mark.parametrize("card", HEADLINES, ids=lambda card: card.id)
def test_the_headline_leaves_the_game_when_a_condition_fails_in_one_region(card):
    position = fulfilled(card)
    last = REGIONS[card.regions[-1]]
    for values in (*position["dice"].values(), *position["armies"].values()):
        values.pop(last, None)
    state = ready(headlines(scenario(**position, turn=18), card.id), HeadlinesSegment())
    assert HEADLINE_INDEX[card.id] in state.missed
    assert state.players[card.banner].prestige[0] == 0
    assert not any(state.tokens)


def test_a_russian_army_icon_asks_for_one_army():
    assert met("102nd_military_base", armies={RUSSIA: {"armenia": 1}})
    assert met("102nd_military_base", armies={RUSSIA: {"armenia": 3}})
    assert not met("102nd_military_base")
    assert not met("102nd_military_base", armies={EUROPE: {"armenia": 1}})


def test_two_army_icons_ask_for_two_armies():
    assert met("russo_georgian_war", armies={RUSSIA: {"georgia": 2}})
    assert not met("russo_georgian_war", armies={RUSSIA: {"georgia": 1}})


def test_russia_above_the_eu_says_nothing_of_nato():
    assert met("caspian_agreement", dice={RUS: {"azerbaijan": 2}, EU: {"azerbaijan": 1}, NATO: {"azerbaijan": 5}})
    assert not met("caspian_agreement", dice={RUS: {"azerbaijan": 2}, EU: {"azerbaijan": 2}})


def test_russia_above_the_eu_and_nato_asks_for_both():
    assert met("cyberwarfare_estonia", dice={RUS: {"baltics": 3}, EU: {"baltics": 2}, NATO: {"baltics": 2}})
    assert not met("cyberwarfare_estonia", dice={RUS: {"baltics": 3}, EU: {"baltics": 2}, NATO: {"baltics": 3}})
    assert not met("cyberwarfare_estonia", dice={RUS: {"baltics": 3}, EU: {"baltics": 3}})


def test_an_army_and_russia_above_nato_asks_for_both():
    dice = {RUS: {"georgia": 2}, NATO: {"georgia": 1}, EU: {"georgia": 5}}
    assert met("georgian_civil_war", dice=dice, armies={RUSSIA: {"georgia": 1}})
    assert not met("georgian_civil_war", dice=dice)
    assert not met("georgian_civil_war", armies={RUSSIA: {"georgia": 1}})


def test_russian_dominance_asks_for_a_six():
    assert met("jeans_revolution", dice={RUS: {"belarus": 6}})
    assert not met("jeans_revolution", dice={RUS: {"belarus": 5}})


def test_a_nato_army_and_nato_above_russia_asks_for_both():
    assert met("kosovo_war", dice={NATO: {"western_balkans": 1}}, armies={EUROPE: {"western_balkans": 1}})
    assert not met("kosovo_war", dice={NATO: {"western_balkans": 1}})
    assert not met("kosovo_war", armies={EUROPE: {"western_balkans": 1}})


def test_nato_above_russia_does_not_count_the_eu():
    assert met("nato_ukraine_commission", dice={NATO: {"ukraine": 1}})
    assert not met("nato_ukraine_commission", dice={EU: {"ukraine": 6}})


def test_the_eu_above_russia_does_not_count_nato():
    assert met("orange_revolution", dice={EU: {"ukraine": 3}, RUS: {"ukraine": 2}})
    assert not met("orange_revolution", dice={NATO: {"ukraine": 6}, RUS: {"ukraine": 2}})


def test_nato_and_eu_dominance_ask_for_a_six_of_that_die():
    assert met("nato_force_integration_unit", dice={NATO: {"czechia_slovakia": 6}})
    assert not met("nato_force_integration_unit", dice={EU: {"czechia_slovakia": 6}})
    assert met("rose_revolution", dice={EU: {"georgia": 6}})
    assert not met("rose_revolution", dice={NATO: {"georgia": 6}})


def test_no_die_counts_as_nothing_and_a_tie_is_not_more():
    assert met("dodons_election", dice={RUS: {"moldova": 1}})
    assert not met("dodons_election")
    assert not met("dodons_election", dice={RUS: {"moldova": 4}, EU: {"moldova": 4}})


def test_conditions_must_hold_in_each_region():
    assert met("nord_stream", dice={RUS: {"poland": 1, "baltics": 1}})
    assert not met("nord_stream", dice={RUS: {"poland": 6}})


@pytest.mark.parametrize(
    ("card", "region"), [("nagorno_karabakh_war", "armenia"), ("regional_forces_group", "belarus")]
)
def test_the_legend_is_followed_where_a_row_differs_and_by_option_the_row(card, region):
    armies = {RUSSIA: {region: 1}}
    above, below = {RUS: {region: 2}}, {NATO: {region: 2}}
    assert met(card, dice=above, armies=armies)
    assert not met(card, dice=below, armies=armies)
    literal = {"headline_conditions": "literal"}
    assert not met(card, literal, dice=above, armies=armies)
    assert met(card, literal, dice=below, armies=armies)


def test_the_words_of_a_headline_follow_the_reading_too():
    for options, words in (({}, "Russia above NATO"), ({"headline_conditions": "literal"}, "NATO above Russia")):
        view = RULES.observe(scenario(options), RUSSIA)
        assert words in RULES.describe(a.PlaceHeadline("nagorno_karabakh_war"), view)


def test_an_award_moves_the_prestige_and_places_a_token_on_each_space():
    card = HEADLINES[HEADLINE_INDEX["south_stream"]]
    assert card.prestige == 4
    assert {SPACES[space] for space in card.tokens} == {
        "eastern_balkans",
        "energy_sector",
        "hungary",
        "western_balkans",
    }


def test_tokens_pile_up():
    dice = {RUS: dict.fromkeys(("poland", "baltics", "ukraine"), 2)}
    state = ready(headlines(scenario(dice=dice, turn=18), "nord_stream", "russia_ukraine_gas"), HeadlinesSegment())
    assert state.tokens[-1] == 2


def test_both_current_headlines_are_judged_and_leave():
    dice = {RUS: {"moldova": 1}}
    state = ready(headlines(scenario(dice=dice, turn=18), "dodons_election", "rose_revolution"), HeadlinesSegment())
    assert state.current == []
    assert state.players[RUSSIA].awarded == [HEADLINE_INDEX["dodons_election"]]
    assert HEADLINE_INDEX["rose_revolution"] in state.missed


def placing(turn=4):
    state = scenario(turn=turn)
    return ready(headlines(state, "rose_revolution", forthcoming=("dodons_election",)), HeadlinesSegment())


def test_headlines_are_placed_face_down_at_the_same_time_and_then_turned_up():
    state = placing()
    assert asked(state) == ((EUROPE, "place_headline"), (RUSSIA, "place_headline"))
    mine, theirs = legal(state, EUROPE)[0], legal(state, RUSSIA)[1]
    step = act(state, EUROPE, mine)
    assert [emitted.public for emitted in step.events] == [e.HeadlinePlaced(EUROPE, None)]
    table = RULES.observe(step.state, RUSSIA).table.players[EUROPE]
    assert (table.has_placed, table.placing) == (True, None)
    assert asked(step.state) == ((RUSSIA, "place_headline"),)
    state = act(step.state, RUSSIA, theirs).state
    assert [HEADLINES[card].id for card in state.forthcoming] == [mine.headline, theirs.headline]


def test_a_headline_of_either_colour_may_be_placed():
    state = placing()
    assert {action.headline for action in legal(state, EUROPE)} == {
        HEADLINES[card].id for card in state.players[EUROPE].headlines
    }
    assert a.PlaceHeadline("south_stream") not in legal(state, EUROPE)


def test_the_forthcoming_pair_becomes_the_current_one():
    assert [HEADLINES[card].id for card in placing().current] == ["dodons_election"]


def test_each_headline_has_its_colour_period_and_awards():
    assert sum(card.prestige for card in HEADLINES) > 60
    for card in HEADLINES:
        assert card.prestige >= 1
        assert card.regions
    assert HEADLINES[HEADLINE_INDEX["nato_command_posts"]].prestige == 4
    assert len(HEADLINES[HEADLINE_INDEX["nato_command_posts"]].regions) == 3
