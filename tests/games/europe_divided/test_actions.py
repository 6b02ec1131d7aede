import pytest

from engine.core.errors import IllegalAction
from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided.cards import CARD_INDEX, CARDS
from engine.games.europe_divided.data import CONTESTED, REGIONS
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    act,
    asked,
    at,
    choose,
    die,
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


def test_influence_is_placed_in_any_contested_region_without_an_own_die():
    state = using(scenario(dice={EU: {"poland": 1, "hungary": 4}, NATO: {"ukraine": 2}}), EUROPE, "germany")
    places = {action.region for action in offered(state, EUROPE, a.PlaceInfluence)}
    assert places == set(REGIONS[:CONTESTED]) - {"poland", "hungary"}


def test_placing_influence_costs_two_money():
    assert offered(using(scenario(money={EUROPE: 1}), EUROPE, "germany"), EUROPE, a.PlaceInfluence) == []
    state = using(scenario(money={EUROPE: 2}), EUROPE, "germany")
    assert money(play(state, EUROPE, a.PlaceInfluence(EU, "moldova", 2)), EUROPE) == 0


def test_influence_rises_by_the_amount_of_the_card_to_six_at_most():
    state = using(scenario(dice={EU: {"poland": 2, "hungary": 5}}), EUROPE, "germany")
    assert a.IncreaseInfluence(EU, "poland", 3) in legal(state, EUROPE)
    assert die(play(state, EUROPE, a.IncreaseInfluence(EU, "poland", 3)), EU, "poland") == 5
    assert die(play(state, EUROPE, a.IncreaseInfluence(EU, "hungary", 3)), EU, "hungary") == 6


def test_a_six_cannot_rise_and_where_there_is_no_die_nothing_rises():
    state = using(scenario(dice={EU: {"poland": 6}}), EUROPE, "germany")
    assert offered(state, EUROPE, a.IncreaseInfluence) == []


def test_a_five_beside_an_opposing_army_or_six_cannot_rise():
    for position in (
        {"dice": {EU: {"poland": 5}, RUS: {"poland": 6}}},
        {"dice": {EU: {"poland": 5}}, "armies": {RUSSIA: {"poland": 1}}},
    ):
        assert offered(using(scenario(**position), EUROPE, "germany"), EUROPE, a.IncreaseInfluence) == []


def test_russia_is_barred_from_a_six_by_either_six_of_europe():
    for faction in (EU, NATO):
        state = using(scenario(dice={RUS: {"poland": 4}, faction: {"poland": 6}}), RUSSIA, "the_president")
        state = play(state, RUSSIA, *offered(state, RUSSIA, a.IncreaseInfluence))
        assert die(state, RUS, "poland") == 5


def test_the_eu_and_nato_may_both_have_a_six():
    state = using(scenario(dice={EU: {"poland": 6}, NATO: {"poland": 5}}), EUROPE, "uk_ireland")
    assert die(play(state, EUROPE, a.IncreaseInfluence(NATO, "poland", 3)), NATO, "poland") == 6


def test_a_card_is_taken_at_five_into_the_discard_pile_once():
    state = using(scenario(dice={EU: {"poland": 2}}), EUROPE, "germany")
    step = act(state, EUROPE, a.IncreaseInfluence(EU, "poland", 3))
    assert told(step, e.CardTaken) == [e.CardTaken(EUROPE, "poland")]
    state = using(scenario(dice={EU: {"poland": 5}}, taken={EUROPE: ["poland"]}), EUROPE, "germany")
    step = act(state, EUROPE, a.IncreaseInfluence(EU, "poland", 3))
    assert told(step, e.CardTaken) == []
    # In the middle of a turn, before its end could make a new deck of the pile.
    state = play(turn(scenario(dice={EU: {"poland": 2}}), EUROPE, "germany", "italy"), EUROPE, a.PlayCard("germany"))
    player = act(state, EUROPE, a.IncreaseInfluence(EU, "poland", 3)).state.players[EUROPE]
    assert names(player.discard) == ["poland"]


def test_the_second_die_of_europe_brings_no_second_card():
    state = using(scenario(dice={EU: {"poland": 5}, NATO: {"poland": 3}}, taken={EUROPE: ["poland"]}), EUROPE, "turkey")
    step = act(state, EUROPE, a.IncreaseInfluence(NATO, "poland", 3))
    assert told(step, e.CardTaken) == []
    assert step.state.players[EUROPE].taken == [at("poland")]


def test_a_card_once_taken_stays_when_the_die_drops():
    state = scenario(dice={NATO: {"ukraine": 5}, RUS: {"ukraine": 6}}, taken={RUSSIA: ["ukraine"]})
    state = play(using(state, EUROPE, "ukraine"), EUROPE, a.BuildArmy("ukraine", 2))
    assert at("ukraine") in state.players[RUSSIA].taken


def test_money_gained_is_the_amount_of_the_card():
    step = act(using(scenario(), RUSSIA, "energy_sector"), RUSSIA, a.GainMoney(3))
    assert money(step.state, RUSSIA) == 23
    assert told(step, e.MoneyGained) == [e.MoneyGained(RUSSIA, 3)]


def test_money_tokens_raise_the_income_of_either_players_card_of_the_region():
    dice = {EU: {"hungary": 5}}
    state = scenario(dice=dice, tokens={"hungary": 2, "energy_sector": 1})
    assert a.GainMoney(3) in legal(using(state.clone(), EUROPE, "hungary"), EUROPE)
    assert a.GainMoney(3) in legal(using(state.clone(), RUSSIA, "hungary"), RUSSIA)
    assert a.GainMoney(4) in legal(using(state, RUSSIA, "energy_sector"), RUSSIA)


def test_money_and_tokens_have_no_limit():
    state = scenario(tokens={"germany": 90}, money={EUROPE: 500})
    assert money(play(using(state, EUROPE, "germany"), EUROPE, a.GainMoney(93)), EUROPE) == 593


def test_europe_needs_a_five_or_six_of_the_right_type_for_a_grey_card():
    for own, other in ((EU, NATO), (NATO, EU)):
        state = using(scenario(dice={own: {"armenia": 5}, other: {"armenia": 4}}), EUROPE, "armenia")
        assert {action.faction for action in offered(state, EUROPE, a.IncreaseInfluence)} == {own}
    state = using(scenario(dice={EU: {"armenia": 4}, NATO: {"armenia": 4}}), EUROPE, "armenia")
    assert legal(state, EUROPE) == (a.ForgoCard(),)


def test_the_die_counts_when_the_card_is_used_not_when_it_is_chosen():
    state = scenario(dice={EU: {"armenia": 4}})
    choose(state, EUROPE, "germany")
    state = turn(state, EUROPE, "armenia")
    state = play(state, EUROPE, a.PlayCard("germany"), a.IncreaseInfluence(EU, "armenia", 3))
    state = state if asked(state)[0][1] == "use_card" else play(state, EUROPE, a.PlayCard("armenia"))
    assert offered(state, EUROPE, a.PlaceInfluence)


def test_russia_uses_its_grey_cards_whatever_its_dice_show():
    assert a.BuildArmy("belarus", 2) in legal(using(scenario(), RUSSIA, "belarus"), RUSSIA)


def test_europe_uses_any_action_of_a_green_card():
    state = using(scenario(dice={EU: {"poland": 1}, NATO: {"poland": 1}}), EUROPE, "italy")
    kinds = {type(action) for action in legal(state, EUROPE)}
    assert kinds == {a.PlaceInfluence, a.IncreaseInfluence, a.GainMoney, a.BuildArmy}


def test_a_card_without_a_possible_action_is_discarded_for_nothing():
    state = using(scenario(money={EUROPE: 0}), EUROPE, "norway")
    assert legal(state, EUROPE) == (a.ForgoCard(),)
    step = act(state, EUROPE, a.ForgoCard())
    assert told(step, e.CardForgone) == [e.CardForgone(EUROPE, "norway")]
    assert "norway" in names(step.state.players[EUROPE].discard)


def test_both_cards_are_played_one_action_each_before_the_turn_may_end():
    state = turn(scenario(advantages={EUROPE: ["summit"]}), EUROPE, "germany", "sweden")
    assert a.EndTurn() not in legal(state, EUROPE)
    state = play(state, EUROPE, a.PlayCard("germany"), a.GainMoney(3))
    assert offered(state, EUROPE, a.PlayCard) == [a.PlayCard("sweden")]
    assert a.EndTurn() not in legal(state, EUROPE)
    state = play(state, EUROPE, a.PlayCard("sweden"), a.GainMoney(2))
    assert a.EndTurn() in legal(state, EUROPE)


def test_cards_are_revealed_as_they_are_played():
    state = turn(scenario(), EUROPE, "germany", "sweden")
    assert RULES.observe(state, RUSSIA).table.players[EUROPE].chosen == ()
    assert RULES.observe(state, RUSSIA).table.players[EUROPE].cards_chosen == 2
    step = act(state, EUROPE, a.PlayCard("sweden"))
    assert told(step, e.CardPlayed) == [e.CardPlayed(EUROPE, "sweden", extra=False)]
    assert RULES.observe(step.state, RUSSIA).table.players[EUROPE].played == ("sweden",)
    assert step.barrier


@pytest.mark.parametrize(
    "action",
    [
        a.PlaceInfluence(EU, "germany", 2),
        a.PlaceInfluence(EU, "poland", 0),
        a.PlaceInfluence(RUS, "poland", 2),
        a.IncreaseInfluence(EU, "poland", 3),
        a.GainMoney(-3),
        a.GainMoney(99),
        a.BuildArmy("poland", 2),
        a.MoveArmy("moscow"),
        a.PlayCard("france"),
        a.Done(),
        a.EndTurn(),
    ],
    ids=str,
)
def test_what_the_card_does_not_allow_is_refused_and_changes_nothing(action):
    state = using(scenario(), EUROPE, "germany")
    before = state.clone()
    with pytest.raises(IllegalAction, match="not among the"):
        RULES.apply(state, EUROPE, action)
    assert state == before or state.flow.legal == before.flow.legal


def test_a_seat_that_is_not_asked_is_refused():
    state = using(scenario(), EUROPE, "germany")
    with pytest.raises(IllegalAction, match="no open decision"):
        RULES.apply(state, RUSSIA, a.GainMoney(3))


GREEN = [card for card in CARDS if card.owner == EUROPE and not card.grey]
RED = [card for card in CARDS if card.owner == RUSSIA and not card.grey]
EVERY_DIE = {faction: dict.fromkeys(REGIONS[:CONTESTED], 1) for faction in (EU, NATO, RUS)}


@pytest.mark.parametrize("card", [*GREEN, *RED], ids=lambda card: card.id)
def test_every_action_of_the_card_can_be_taken(card):
    dice = {faction: {**values} for faction, values in EVERY_DIE.items()}
    for values in dice.values():
        del values["moldova"]
    home = {EUROPE: "germany", RUSSIA: "moscow"}[card.owner]
    state = using(scenario(dice=dice, armies={card.owner: {home: 1}}), card.owner, card.id)
    for action in card.actions:
        wanted = {
            "place_influence": a.PlaceInfluence,
            "increase_influence": a.IncreaseInfluence,
            "gain_money": a.GainMoney,
            "build_army": a.BuildArmy,
            "move_army": a.MoveArmy,
        }[action.op]
        found = offered(state, card.owner, wanted)
        assert found
        for taken in found[:2]:
            act(state, card.owner, taken)
    assert CARD_INDEX[card.owner][card.id] in state.players[card.owner].played


def test_germany_france_and_italy_belong_to_both_and_place_eu_influence():
    for card in ("germany", "france", "italy"):
        state = using(scenario(), EUROPE, card)
        assert a.PlaceInfluence(EU, "poland", 2) in legal(state, EUROPE)
        assert offered(state, EUROPE, a.BuildArmy)


def test_austria_sweden_and_finland_are_not_in_nato():
    for card in ("austria", "sweden", "finland"):
        assert {action.faction for action in CARDS[CARD_INDEX[EUROPE][card]].actions} == {0}


def test_norway_and_turkey_are_not_in_the_eu():
    for card in ("norway", "turkey"):
        assert {action.faction for action in CARDS[CARD_INDEX[EUROPE][card]].actions} == {1}


def test_the_end_of_the_turn_comes_by_itself_when_nothing_is_left():
    state = play(using(scenario(), EUROPE, "sweden"), EUROPE, a.GainMoney(2))
    assert asked(ready(state)) != ((EUROPE, "turn"),)
