"""Special actions of the red cards of the Russia player."""

from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import CARD_INDEX, CARDS
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    asked,
    die,
    legal,
    offered,
    play,
    scenario,
    start_cards,
    using,
)


def test_news_media_takes_its_special_action_instead_of_another():
    state = using(scenario(dice={RUS: {"poland": 1}}), RUSSIA, "news_media")
    assert {type(action) for action in legal(state, RUSSIA)} == {a.PlaceInfluence, a.GainMoney, a.TakeSpecial}
    state = play(state, RUSSIA, a.TakeSpecial())
    assert asked(state) == ((RUSSIA, "distribute_influence"),) or die(state, RUS, "poland") == 4


def test_news_media_spreads_three_points_in_the_order_of_the_regions():
    state = using(scenario(dice={RUS: {"armenia": 1, "poland": 1, "ukraine": 5}}), RUSSIA, "news_media")
    state = play(state, RUSSIA, a.TakeSpecial(), a.IncreaseInfluence(RUS, "poland", 1))
    assert a.IncreaseInfluence(RUS, "armenia", 1) not in legal(state, RUSSIA)
    state = play(state, RUSSIA, a.IncreaseInfluence(RUS, "poland", 1), a.Done())
    assert (die(state, RUS, "poland"), die(state, RUS, "armenia")) == (3, 1)


def test_news_media_takes_the_card_of_a_region_that_reaches_five():
    state = using(scenario(dice={RUS: {"armenia": 4}}), RUSSIA, "news_media")
    state = play(state, RUSSIA, a.TakeSpecial())
    state = state if not offered(state, RUSSIA, a.Done) else play(state, RUSSIA, a.IncreaseInfluence(RUS, "armenia", 1))
    assert CARD_INDEX[RUSSIA]["armenia"] in [
        *state.players[RUSSIA].discard,
        *state.players[RUSSIA].deck,
        *state.players[RUSSIA].hand,
    ]


def test_news_media_without_a_die_that_can_rise_has_no_special_action():
    assert a.TakeSpecial() not in legal(using(scenario(dice={RUS: {"poland": 6}}), RUSSIA, "news_media"), RUSSIA)


def test_security_services_lower_an_opposing_die_beside_an_own_one():
    dice = {RUS: {"poland": 1, "hungary": 1}, EU: {"poland": 6}, NATO: {"hungary": 3, "ukraine": 6}}
    state = play(using(scenario(dice=dice), RUSSIA, "security_services"), RUSSIA, a.TakeSpecial())
    assert set(legal(state, RUSSIA)) == {a.ReduceInfluence(EU, "poland", 1), a.ReduceInfluence(NATO, "hungary", 1)}
    assert die(play(state, RUSSIA, a.ReduceInfluence(EU, "poland", 1)), EU, "poland") == 5


def test_special_texts_are_on_some_red_cards_and_on_no_green_one():
    red = [CARDS[CARD_INDEX[RUSSIA][name]] for name in start_cards(RUSSIA)]
    assert [card.id for card in red if card.action] == ["news_media", "security_services"]
    for name in start_cards(EUROPE):
        card = CARDS[CARD_INDEX[EUROPE][name]]
        assert not card.effects
        assert not card.reactions
        assert card.action is None
