import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.cards import ADVANTAGES, CARD_INDEX
from engine.games.europe_divided.flow import HeadlinesSegment
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
    legal,
    money,
    names,
    offered,
    play,
    ready,
    scenario,
    told,
    turn,
    using,
)


def give(card, **position):
    owner = next(c.owner for c in ADVANTAGES if c.id == card)
    return scenario(advantages={owner: [card]}, **position)


@pytest.mark.parametrize("card", ADVANTAGES, ids=lambda card: card.id)
def test_every_advantage_card_may_be_discarded_for_money_on_the_own_turn(card):
    fill = "sweden" if card.owner == EUROPE else "news_media"
    state = turn(give(card.id), card.owner, fill)
    step = act(state, card.owner, a.SellAdvantage(card.id))
    assert told(step, e.AdvantageSold) == [e.AdvantageSold(card.owner, card.id, card.money)]
    assert money(step.state, card.owner) == 20 + card.money
    assert step.state.players[card.owner].advantages == []


@pytest.mark.parametrize("card", ADVANTAGES, ids=lambda card: card.id)
def test_every_advantage_card_kept_is_worth_a_prestige_at_the_end(card):
    state = ready(give(card.id, turn=20), HeadlinesSegment(step=2))
    outcome = RULES.outcome(state)
    assert outcome.breakdown[card.owner]["advantages"] == 1
    assert outcome.breakdown[1 - card.owner]["advantages"] == 0


@pytest.mark.parametrize("card", ADVANTAGES, ids=lambda card: card.id)
def test_no_advantage_card_can_be_used_outside_the_own_turn(card):
    other = 1 - card.owner
    state = turn(give(card.id), other, "sweden" if other == EUROPE else "news_media")
    assert legal(state, card.owner) == ()
    assert a.PlayAdvantage(card.id) not in legal(state, other)


def test_advantage_cards_are_played_besides_the_two_action_cards_and_without_a_limit():
    state = scenario(advantages={EUROPE: ["us_sanctions", "summit"]})
    state = turn(state, EUROPE, "sweden", "germany")
    state = play(state, EUROPE, a.SellAdvantage("summit"), a.PlayAdvantage("us_sanctions"))
    assert len(offered(state, EUROPE, a.PlayCard)) == 2


def test_us_sanctions_keep_russia_from_spending_until_the_turn_ends():
    stand = {EUROPE: {"germany": 1}, RUSSIA: {"moscow": 1}}
    state = give("us_sanctions", dice={NATO: {"belarus": 5}}, armies=stand)
    state = advantage(state, "us_sanctions")
    later = state.clone()
    later.players[EUROPE].money = 20
    # Russia acts in the same turn: nothing that costs money is left to it.
    later.players[RUSSIA].chosen.clear()
    later = using(later, RUSSIA, "the_president")
    assert offered(later, RUSSIA, a.PlaceInfluence) == []
    assert offered(later, RUSSIA, a.BuildArmy) == []
    assert offered(later, RUSSIA, a.GainMoney)
    assert {action.cost for action in offered(play(later, RUSSIA, a.MoveArmy("moscow")), RUSSIA, a.MoveTo)} == {0}
    state = play(state, EUROPE, *offered(state, EUROPE, a.GainMoney))
    assert asked(state)[0][1] == "choose_cards"
    assert not state.players[RUSSIA].denied


def test_us_sanctions_keep_russia_from_paying_for_a_reaction():
    state = give("us_sanctions", dice={NATO: {"belarus": 5}})
    state = turn(state, EUROPE, "belarus")
    state = play(state, EUROPE, a.PlayAdvantage("us_sanctions"), a.BuildArmy("belarus", 2))
    assert asked(state)[0][0:2] != (RUSSIA, "build_army")


def test_eu_funds_raise_eu_dice_by_two_in_all():
    state = advantage(give("eu_funds", dice={EU: {"poland": 1, "hungary": 5}, NATO: {"ukraine": 1}}), "eu_funds")
    assert set(offered(state, EUROPE, a.IncreaseInfluence)) == {
        a.IncreaseInfluence(EU, "poland", 1),
        a.IncreaseInfluence(EU, "hungary", 1),
    }
    assert a.Done() not in legal(state, EUROPE)
    state = play(state, EUROPE, a.IncreaseInfluence(EU, "hungary", 1))
    assert a.Done() in legal(state, EUROPE)
    assert die(play(state, EUROPE, a.IncreaseInfluence(EU, "poland", 1)), EU, "poland") == 2


def test_the_neighbourhood_policy_places_a_die_for_nothing():
    state = advantage(give("neighbourhood_policy", dice={EU: {"poland": 1}}, money={EUROPE: 0}), "neighbourhood_policy")
    found = offered(state, EUROPE, a.PlaceInfluence)
    assert a.PlaceInfluence(NATO, "poland", 0) in found
    assert a.PlaceInfluence(EU, "poland", 0) not in found
    assert die(play(state, EUROPE, a.PlaceInfluence(EU, "moldova", 0)), EU, "moldova") == 1


@pytest.mark.parametrize(
    ("card", "seat", "source", "target"),
    [
        ("rapid_reaction", EUROPE, "germany", "baltics"),
        ("military_exercises", RUSSIA, "moscow", "belarus"),
    ],
)
def test_two_armies_move_up_to_two_spaces_for_nothing(card, seat, source, target):
    state = advantage(give(card, armies={seat: {source: 2}}, money={seat: 0}), card)
    # The only army that can move is chosen by itself.
    assert {action.cost for action in offered(state, seat, a.MoveTo)} == {0}
    state = play(state, seat, a.MoveTo(target, 0))
    assert a.Done() in legal(state, seat)
    state = play(state, seat, a.MoveArmy(source), a.MoveTo(target, 0))
    assert armies(state, seat, target) == 2
    assert asked(state)[0][1] != "move_army"


def test_the_second_move_of_an_advantage_card_is_another_armys():
    state = advantage(give("rapid_reaction", armies={EUROPE: {"germany": 2, "poland": 1}}), "rapid_reaction")
    state = play(state, EUROPE, a.MoveArmy("germany"), a.MoveTo("baltics", 0))
    assert offered(state, EUROPE, a.MoveArmy) == [a.MoveArmy("poland"), a.MoveArmy("germany")]
    # In Poland there are two now, one of which has not moved.
    state = advantage(give("rapid_reaction", armies={EUROPE: {"germany": 1, "poland": 1}}), "rapid_reaction")
    state = play(state, EUROPE, a.MoveArmy("germany"), a.MoveTo("poland", 0))
    assert offered(state, EUROPE, a.MoveArmy) == [a.MoveArmy("poland")]
    state = advantage(give("rapid_reaction", armies={EUROPE: {"germany": 1}}), "rapid_reaction")
    assert asked(play(state, EUROPE, a.MoveTo("baltics", 0)))[0][1] != "move_army"


@pytest.mark.parametrize(
    ("card", "seat", "faction"), [("forward_presence", EUROPE, NATO), ("deniable_forces", RUSSIA, RUS)]
)
def test_an_army_is_built_for_nothing_where_the_own_die_shows_three(card, seat, faction):
    state = give(card, dice={faction: {"poland": 3, "hungary": 2, "ukraine": 6}}, money={seat: 0})
    state = advantage(state, card)
    assert set(legal(state, seat)) == {a.BuildArmy("poland", 0), a.BuildArmy("ukraine", 0)}
    assert armies(play(state, seat, a.BuildArmy("poland", 0)), seat, "poland") == 1


@pytest.mark.parametrize(
    ("card", "seat", "own", "other"), [("diplomatic_pressure", EUROPE, EU, RUS), ("cyber_attack", RUSSIA, RUS, NATO)]
)
def test_an_opposing_die_beside_an_own_one_is_lowered_not_below_one(card, seat, own, other):
    dice = {own: {"poland": 1, "hungary": 1}, other: {"poland": 6, "hungary": 1, "ukraine": 4}}
    fill = "sweden" if seat == EUROPE else "energy_sector"
    state = turn(give(card, dice=dice), seat, fill)
    step = act(state, seat, a.PlayAdvantage(card))
    assert die(step.state, other, "poland") == 5
    assert die(step.state, other, "hungary") == 1
    assert die(step.state, other, "ukraine") == 4


def test_the_summit_plays_one_more_card_of_the_hand_and_draws_one():
    state = give("summit")
    hand(state, EUROPE, "france", "norway")
    state = advantage(state, "summit")
    assert set(offered(state, EUROPE, a.PlayExtraCard)) == {a.PlayExtraCard("france"), a.PlayExtraCard("norway")}
    step = act(state, EUROPE, a.PlayExtraCard("france"))
    assert told(step, e.CardPlayed) == [e.CardPlayed(EUROPE, "france", extra=True)]
    assert told(step, e.CardsDrawn)[0].count == 1
    assert asked(step.state) == ((EUROPE, "use_card"),)
    state = play(step.state, EUROPE, a.GainMoney(2))
    assert offered(state, EUROPE, a.PlayExtraCard) == []
    assert len(state.players[EUROPE].hand) == 2


def test_the_extra_card_of_the_summit_may_be_left_in_the_hand():
    state = give("summit")
    hand(state, EUROPE, "france", "norway")
    state = play(advantage(state, "summit"), EUROPE, a.PlayCard("sweden"), a.GainMoney(2))
    assert offered(state, EUROPE, a.PlayExtraCard)
    state = play(state, EUROPE, a.EndTurn())
    assert {"france", "norway"} <= set(names(state.players[EUROPE].hand))


def test_an_advantage_card_used_or_sold_lies_open_and_is_not_taken_back():
    for action in (a.SellAdvantage("us_sanctions"), a.PlayAdvantage("us_sanctions")):
        step = act(turn(give("us_sanctions"), EUROPE, "sweden", "germany"), EUROPE, action)
        assert step.barrier
        assert RULES.observe(step.state, RUSSIA).table.players[EUROPE].spent == ("us_sanctions",)


def test_an_extra_card_is_discarded_with_the_others():
    state = give("summit")
    hand(state, EUROPE, "france", "norway")
    state = play(advantage(state, "summit"), EUROPE, a.PlayExtraCard("france"), a.GainMoney(2))
    state = play(state, EUROPE, *offered(state, EUROPE, a.PlayCard), *offered(state, EUROPE, a.GainMoney))
    state = play(state, EUROPE, *offered(state, EUROPE, a.GainMoney))
    assert {"france", "sweden"} <= set(names(state.players[EUROPE].discard))


def test_the_fracture_marker_bars_eu_actions_of_its_country_for_the_rest_of_the_game():
    state = advantage(give("fracture_in_the_eu"), "fracture_in_the_eu")
    places = {action.region for action in offered(state, RUSSIA, a.FractureCountry)}
    assert "uk_ireland" in places
    assert "norway" not in places
    assert "turkey" not in places
    step = act(state, RUSSIA, a.FractureCountry("germany"))
    assert told(step, e.CountryFractured) == [e.CountryFractured("germany")]
    later = scenario()
    later.fracture = step.state.fracture
    state = using(later, EUROPE, "germany")
    assert offered(state, EUROPE, a.GainMoney) == offered(state, EUROPE, a.PlaceInfluence) == []
    assert offered(state, EUROPE, a.BuildArmy)
    assert RULES.observe(state, EUROPE).table.regions[at("germany")].fractured


def test_energy_leverage_brings_a_money_for_each_own_five_or_six_and_four_at_most():
    for dice, gain in (({"poland": 5, "hungary": 6, "ukraine": 4}, 2), (dict.fromkeys(REGIONS_OF_FIVE, 5), 4)):
        state = advantage(give("energy_leverage", dice={RUS: dice}), "energy_leverage")
        assert money(state, RUSSIA) == 20 + gain
    state = turn(give("energy_leverage", dice={RUS: {"poland": 4}}), RUSSIA, "news_media")
    assert a.PlayAdvantage("energy_leverage") not in legal(state, RUSSIA)


REGIONS_OF_FIVE = ("poland", "hungary", "ukraine", "moldova", "belarus")


def test_the_frozen_conflict_raises_two_points_in_five_named_regions():
    dice = {RUS: {"armenia": 1, "georgia": 2, "poland": 3}}
    state = advantage(give("frozen_conflict", dice=dice), "frozen_conflict")
    assert {action.region for action in offered(state, RUSSIA, a.IncreaseInfluence)} == {"armenia", "georgia"}
    state = play(state, RUSSIA, a.IncreaseInfluence(RUS, "armenia", 1))
    state = play(state, RUSSIA, a.IncreaseInfluence(RUS, "georgia", 1))
    assert (die(state, RUS, "armenia"), die(state, RUS, "georgia")) == (2, 3)


def test_disinformation_costs_europe_a_random_card_of_its_hand_and_it_draws_one():
    state = give("disinformation")
    hand(state, EUROPE, "france", "norway")
    state = turn(state, RUSSIA, "news_media")
    step = act(state, RUSSIA, a.PlayAdvantage("disinformation"))
    lost = told(step, e.CardLost)[0].card
    assert lost in ("france", "norway")
    assert names(step.state.players[EUROPE].discard) == [lost]
    assert len(step.state.players[EUROPE].hand) == 2
    assert step.barrier


def test_any_card_of_the_hand_may_be_lost_to_disinformation():
    lost = set()
    for seed in range(10):
        state = hand(give("disinformation", seed=seed), EUROPE, "france", "norway")
        step = act(turn(state, RUSSIA, "news_media"), RUSSIA, a.PlayAdvantage("disinformation"))
        lost.add(told(step, e.CardLost)[0].card)
    assert lost == {"france", "norway"}


def test_a_special_action_that_would_do_nothing_is_not_offered():
    state = scenario(advantages={EUROPE: ["eu_funds", "diplomatic_pressure"]})
    assert offered(turn(state, EUROPE, "sweden"), EUROPE, a.PlayAdvantage) == []
    state = scenario(advantages={EUROPE: ["us_sanctions", "summit"], RUSSIA: ["disinformation"]})
    state.players[RUSSIA].denied = True
    assert offered(turn(hand(state, EUROPE), EUROPE, "sweden"), EUROPE, a.PlayAdvantage) == []
    assert offered(turn(state, RUSSIA, "news_media"), RUSSIA, a.PlayAdvantage) == []


def test_the_fracture_marker_is_not_placed_where_it_lies():
    state = give("fracture_in_the_eu")
    state.fracture = CARD_INDEX[EUROPE]["germany"]
    state = advantage(state, "fracture_in_the_eu")
    assert a.FractureCountry("germany") not in legal(state, RUSSIA)
    assert a.FractureCountry("italy") in legal(state, RUSSIA)


def test_a_hand_with_an_advantage_card_is_asked_before_its_turn_ends():
    state = play(turn(give("eu_funds"), EUROPE, "sweden"), EUROPE, a.PlayCard("sweden"), a.GainMoney(2))
    assert asked(state) == ((EUROPE, "turn"),)
    assert set(legal(state, EUROPE)) == {a.SellAdvantage("eu_funds"), a.EndTurn()}


def test_an_advantage_card_that_one_does_not_hold_cannot_be_used():
    state = turn(give("eu_funds"), EUROPE, "sweden")
    for action in (a.SellAdvantage("summit"), a.PlayAdvantage("us_sanctions"), a.SellAdvantage("cyber_attack")):
        assert action not in legal(state, EUROPE)
