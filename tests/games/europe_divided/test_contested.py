"""Special actions, effects and reactions of the twelve grey cards of each side, by name."""

import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import CARD_INDEX, CARDS
from engine.games.europe_divided.data import CONTESTED, REGIONS
from tests.games.europe_divided.scenario import (
    EU,
    EUROPE,
    NATO,
    RUS,
    RUSSIA,
    armies,
    asked,
    die,
    legal,
    money,
    offered,
    play,
    scenario,
    using,
)

GREY = [card for card in CARDS if card.grey]


@pytest.mark.parametrize("card", GREY, ids=lambda card: f"{'europe' if card.owner == EUROPE else 'russia'}-{card.id}")
def test_every_grey_card_has_a_special_text_and_every_action_of_it_can_be_taken(card):
    assert card.action or card.effects or card.reactions
    dice = {faction: dict.fromkeys(REGIONS[:CONTESTED], 1) for faction in (EU, NATO, RUS)}
    for faction in (EU, NATO):
        dice[faction][card.id] = 5
        del dice[faction]["moldova" if card.id != "moldova" else "belarus"]
    dice[RUS] = {} if card.id == "baltics" else {"poland": 1, "ukraine": 1}
    home = {EUROPE: "germany", RUSSIA: "moscow"}[card.owner]
    state = using(scenario(dice=dice, armies={card.owner: {home: 1}}), card.owner, card.id)
    kinds = {
        "place_influence": a.PlaceInfluence,
        "increase_influence": a.IncreaseInfluence,
        "gain_money": a.GainMoney,
        "build_army": a.BuildArmy,
        "move_army": a.MoveArmy,
    }
    for action in card.actions:
        if action.op != "increase_influence" or any(state.dice[action.faction]):
            found = offered(state, card.owner, kinds[action.op])
            assert found
            play(state, card.owner, found[0])


#: Owner, card, position, action taken, and what the owner's effect offers (stopping left out).
EFFECTS = [
    (
        EUROPE,
        "armenia",
        {"dice": {EU: {"armenia": 5, "georgia": 2}}},
        a.IncreaseInfluence(EU, "georgia", 1),
        [a.IncreaseInfluence(EU, "georgia", 1)],
    ),
    (
        EUROPE,
        "armenia",
        {"dice": {NATO: {"armenia": 5}}},
        a.IncreaseInfluence(NATO, "armenia", 1),
        [a.PlaceInfluence(NATO, "georgia", 2)],
    ),
    (
        EUROPE,
        "baltics",
        {"dice": {NATO: {"baltics": 5, "poland": 3}}},
        a.BuildArmy("baltics", 2),
        [a.IncreaseInfluence(NATO, "poland", 1)],
    ),
    (
        EUROPE,
        "czechia_slovakia",
        {"dice": {EU: {"czechia_slovakia": 5}}},
        a.PlaceInfluence(EU, "moldova", 2),
        [a.IncreaseInfluence(EU, "moldova", 1)],
    ),
    (
        EUROPE,
        "eastern_balkans",
        {"dice": {NATO: {"eastern_balkans": 5}}, "armies": {EUROPE: {"turkey": 1, "germany": 1}}},
        a.BuildArmy("eastern_balkans", 2),
        [a.MoveArmy("eastern_balkans"), a.MoveArmy("turkey")],
    ),
    (
        EUROPE,
        "poland",
        {"dice": {NATO: {"poland": 5}}},
        a.BuildArmy("poland", 2),
        [a.PlaceInfluence(NATO, "baltics", 2)],
    ),
    (
        EUROPE,
        "western_balkans",
        {"dice": {NATO: {"western_balkans": 5}, EU: {"western_balkans": 2}}},
        a.IncreaseInfluence(NATO, "western_balkans", 2),
        [a.IncreaseInfluence(EU, "western_balkans", 1)],
    ),
    (RUSSIA, "armenia", {}, a.BuildArmy("armenia", 2), [a.PlaceInfluence(RUS, "azerbaijan", 2)]),
    (
        RUSSIA,
        "belarus",
        {"dice": {RUS: {"baltics": 4}}},
        a.BuildArmy("belarus", 2),
        [a.IncreaseInfluence(RUS, "baltics", 1)],
    ),
    (
        RUSSIA,
        "czechia_slovakia",
        {"dice": {RUS: {"moldova": 1, "hungary": 2}}},
        "increase",
        [a.IncreaseInfluence(RUS, "hungary", 1)],
    ),
    (RUSSIA, "georgia", {}, a.BuildArmy("georgia", 2), [a.PlaceInfluence(RUS, "armenia", 2)]),
    (RUSSIA, "moldova", {}, a.BuildArmy("moldova", 2), [a.PlaceInfluence(RUS, "ukraine", 2)]),
    (RUSSIA, "ukraine", {}, a.BuildArmy("ukraine", 2), [a.PlaceInfluence(RUS, "moldova", 2)]),
    (
        RUSSIA,
        "western_balkans",
        {"dice": {RUS: {"moldova": 1}}},
        "increase",
        [a.PlaceInfluence(RUS, "eastern_balkans", 2)],
    ),
]


def taken(state, seat, action):
    """Return the position after an action; "increase" stands for the first one, whatever its amount."""
    return play(state, seat, offered(state, seat, a.IncreaseInfluence)[0] if action == "increase" else action)


@pytest.mark.parametrize(
    ("seat", "card", "position", "action", "choices"), EFFECTS, ids=[f"{row[0]}-{row[1]}" for row in EFFECTS]
)
def test_the_effect_is_offered_to_the_owner_and_may_be_declined(seat, card, position, action, choices):
    state = taken(using(scenario(**position), seat, card), seat, action)
    assert asked(state)[0][0] == seat
    assert list(legal(state, seat)) == [*choices, a.Done()]
    after = play(state, seat, choices[0])
    assert after.dice != state.dice or isinstance(choices[0], a.MoveArmy)
    assert play(state, seat, a.Done()).dice == state.dice


#: Owner, card, position, action taken, and what the opponent's reaction offers (stopping left out).
REACTIONS = [
    (
        EUROPE,
        "baltics",
        {"dice": {NATO: {"baltics": 5}}, "armies": {RUSSIA: {"moscow": 1}}},
        a.BuildArmy("baltics", 2),
        [a.MoveArmy("moscow")],
    ),
    (
        EUROPE,
        "belarus",
        {"dice": {NATO: {"belarus": 5}}},
        a.BuildArmy("belarus", 2),
        [a.BuildArmy("western_military_district", 2)],
    ),
    (
        EUROPE,
        "georgia",
        {"dice": {NATO: {"georgia": 5}}, "armies": {RUSSIA: {"southern_federal_district": 1}}},
        a.BuildArmy("georgia", 2),
        [a.MoveArmy("southern_federal_district")],
    ),
    (
        EUROPE,
        "moldova",
        {"dice": {EU: {"moldova": 5, "poland": 1}}},
        a.IncreaseInfluence(EU, "poland", 2),
        [a.PlaceInfluence(RUS, "moldova", 2)],
    ),
    (EUROPE, "poland", {"dice": {NATO: {"poland": 5}}}, a.BuildArmy("poland", 2), [a.BuildArmy("kaliningrad", 2)]),
    (
        EUROPE,
        "ukraine",
        {"dice": {NATO: {"ukraine": 5}}, "armies": {RUSSIA: {"moscow": 1}}},
        a.BuildArmy("ukraine", 2),
        [a.MoveArmy("moscow")],
    ),
    (RUSSIA, "belarus", {"armies": {EUROPE: {"germany": 1}}}, a.BuildArmy("belarus", 2), [a.MoveArmy("germany")]),
    (RUSSIA, "georgia", {"armies": {EUROPE: {"turkey": 1}}}, a.BuildArmy("georgia", 2), [a.MoveArmy("turkey")]),
    (RUSSIA, "moldova", {}, a.BuildArmy("moldova", 2), [a.PlaceInfluence(EU, "eastern_balkans", 2)]),
    (RUSSIA, "poland", {"armies": {EUROPE: {"germany": 1}}}, a.BuildArmy("poland", 2), [a.MoveArmy("germany")]),
    (
        RUSSIA,
        "ukraine",
        {"dice": {NATO: {"poland": 3}}},
        a.BuildArmy("ukraine", 2),
        [a.PlaceInfluence(EU, "poland", 2), a.IncreaseInfluence(NATO, "poland", 1)],
    ),
]


@pytest.mark.parametrize(
    ("seat", "card", "position", "action", "choices"), REACTIONS, ids=[f"{row[0]}-{row[1]}" for row in REACTIONS]
)
def test_the_reaction_is_offered_to_the_opponent_and_may_be_declined(seat, card, position, action, choices):
    state = taken(using(scenario(**position), seat, card), seat, action)
    if asked(state)[0][0] == seat:
        state = play(state, seat, a.Done())
    other = 1 - seat
    assert asked(state)[0][0] == other
    assert list(legal(state, other)) == [*choices, a.Done()]
    play(state, other, choices[0])
    assert play(state, other, a.Done()).dice == state.dice


def test_every_effect_and_reaction_of_the_data_is_among_these():
    automatic = {(EUROPE, "azerbaijan"), (RUSSIA, "azerbaijan"), (RUSSIA, "eastern_balkans")}
    effects = {(card.owner, card.id) for card in GREY if card.effects}
    assert effects == {(row[0], row[1]) for row in EFFECTS} | automatic
    assert {(card.owner, card.id) for card in GREY if card.reactions} == {(row[0], row[1]) for row in REACTIONS}
    assert {(card.owner, card.id) for card in GREY if card.action} == {
        (EUROPE, "hungary"),
        (RUSSIA, "hungary"),
        (RUSSIA, "baltics"),
    }


@pytest.mark.parametrize(
    ("seat", "card", "dice", "lacking"),
    [
        (EUROPE, "azerbaijan", {EU: {"azerbaijan": 5, "georgia": 5}}, {EU: {"azerbaijan": 5, "georgia": 4}}),
        (RUSSIA, "azerbaijan", {RUS: {"armenia": 5}}, {RUS: {"armenia": 4}}),
        (RUSSIA, "eastern_balkans", {RUS: {"western_balkans": 5}}, {RUS: {"western_balkans": 4}}),
    ],
    ids=["europe-azerbaijan", "russia-azerbaijan", "russia-eastern_balkans"],
)
def test_the_effect_on_money_comes_by_itself_when_its_condition_holds(seat, card, dice, lacking):
    plain, more = (using(scenario(dice=position), seat, card) for position in (lacking, dice))
    gain = offered(plain, seat, a.GainMoney)[0]
    assert money(play(plain, seat, gain), seat) == 20 + gain.amount
    assert money(play(more, seat, gain), seat) == 20 + gain.amount + 1


def test_hungary_of_europe_raises_both_other_visegrad_regions_with_a_six_in_hungary():
    dice = {EU: {"hungary": 6, "poland": 2, "czechia_slovakia": 1}}
    state = using(scenario(dice=dice), EUROPE, "hungary")
    state = play(state, EUROPE, a.TakeSpecial())
    assert (die(state, EU, "poland"), die(state, EU, "czechia_slovakia")) == (4, 3)
    assert a.TakeSpecial() not in legal(
        using(scenario(dice={EU: {**dice[EU], "hungary": 5}}), EUROPE, "hungary"), EUROPE
    )


def test_hungary_of_europe_raises_the_dice_of_the_faction_that_has_the_six():
    dice = {NATO: {"hungary": 6, "poland": 2}, EU: {"hungary": 1, "poland": 2, "czechia_slovakia": 3}}
    state = play(using(scenario(dice=dice), EUROPE, "hungary"), EUROPE, a.TakeSpecial())
    assert (die(state, NATO, "poland"), die(state, EU, "poland")) == (4, 2)
    dice = {NATO: {"hungary": 6, "poland": 2}, EU: {"hungary": 6, "poland": 2}}
    state = play(using(scenario(dice=dice), EUROPE, "hungary"), EUROPE, a.TakeSpecial())
    assert set(offered(state, EUROPE, a.IncreaseInfluence)) == {
        a.IncreaseInfluence(EU, "poland", 2),
        a.IncreaseInfluence(NATO, "poland", 2),
    }


def test_hungary_of_russia_raises_both_other_visegrad_regions_with_a_six_in_hungary():
    state = using(scenario(dice={RUS: {"hungary": 6, "poland": 2, "czechia_slovakia": 1}}), RUSSIA, "hungary")
    state = play(state, RUSSIA, a.TakeSpecial())
    assert (die(state, RUS, "poland"), die(state, RUS, "czechia_slovakia")) == (3, 2)
    lesser = {RUS: {"hungary": 5, "poland": 2, "czechia_slovakia": 1}}
    assert a.TakeSpecial() not in legal(using(scenario(dice=lesser), RUSSIA, "hungary"), RUSSIA)


def test_a_special_action_buys_no_die():
    state = using(scenario(dice={RUS: {"hungary": 6}}), RUSSIA, "hungary")
    assert a.TakeSpecial() not in legal(state, RUSSIA)


def test_the_baltics_of_russia_lowers_an_opposing_die_there():
    state = using(scenario(dice={NATO: {"baltics": 6}, EU: {"baltics": 1, "poland": 5}}), RUSSIA, "baltics")
    state = play(state, RUSSIA, a.TakeSpecial())
    assert die(state, NATO, "baltics") == 5
    assert a.TakeSpecial() not in legal(using(scenario(dice={EU: {"baltics": 1}}), RUSSIA, "baltics"), RUSSIA)


def test_an_army_of_an_effect_or_reaction_still_costs_two():
    state = scenario(dice={NATO: {"belarus": 5}}, money={RUSSIA: 1})
    state = play(using(state, EUROPE, "belarus"), EUROPE, a.BuildArmy("belarus", 2))
    assert asked(state)[0] != (RUSSIA, "build_army")
    state = play(using(scenario(dice={NATO: {"belarus": 5}}), EUROPE, "belarus"), EUROPE, a.BuildArmy("belarus", 2))
    state = play(state, RUSSIA, a.BuildArmy("western_military_district", 2))
    assert money(state, RUSSIA) == 18
    assert armies(state, RUSSIA, "western_military_district") == 1


def test_a_move_of_an_effect_or_reaction_costs_one_for_each_space_after_the_first():
    state = scenario(dice={NATO: {"ukraine": 5}}, armies={RUSSIA: {"moscow": 1}}, money={RUSSIA: 0})
    state = play(using(state, EUROPE, "ukraine"), EUROPE, a.BuildArmy("ukraine", 2))
    assert asked(state)[0] != (RUSSIA, "move_army")


def test_a_die_of_an_effect_costs_two_and_without_money_there_is_none():
    state = play(using(scenario(money={RUSSIA: 3}), RUSSIA, "armenia"), RUSSIA, a.BuildArmy("armenia", 2))
    assert asked(state)[0] != (RUSSIA, "increase_influence")
    state = play(using(scenario(money={RUSSIA: 4}), RUSSIA, "armenia"), RUSSIA, a.BuildArmy("armenia", 2))
    assert money(play(state, RUSSIA, a.PlaceInfluence(RUS, "azerbaijan", 2)), RUSSIA) == 0


def test_an_effect_raises_no_die_that_cannot_rise():
    for dice in ({RUS: {"azerbaijan": 6}}, {RUS: {"azerbaijan": 5}, EU: {"azerbaijan": 6}}):
        state = play(using(scenario(dice=dice), RUSSIA, "armenia"), RUSSIA, a.BuildArmy("armenia", 2))
        assert asked(state)[0] != (RUSSIA, "increase_influence")


def test_an_effect_or_reaction_builds_no_sixteenth_army():
    state = scenario(dice={NATO: {"belarus": 5}}, armies={RUSSIA: {"moscow": 15}})
    state = play(using(state, EUROPE, "belarus"), EUROPE, a.BuildArmy("belarus", 2))
    assert asked(state)[0] != (RUSSIA, "build_army")


def test_the_eastern_balkans_effect_goes_to_the_black_sea_alone():
    state = scenario(dice={NATO: {"eastern_balkans": 5}})
    state = play(using(state, EUROPE, "eastern_balkans"), EUROPE, a.BuildArmy("eastern_balkans", 2))
    state = play(state, EUROPE, a.MoveArmy("eastern_balkans"))
    assert armies(state, EUROPE, "black_sea") == 1
    assert money(state, EUROPE) == 18


def test_the_effect_comes_before_the_reaction():
    state = scenario(dice={NATO: {"poland": 5}})
    state = play(using(state, EUROPE, "poland"), EUROPE, a.BuildArmy("poland", 2))
    assert asked(state) == ((EUROPE, "increase_influence"),)
    state = play(state, EUROPE, a.Done())
    assert asked(state) == ((RUSSIA, "build_army"),)


def test_another_action_of_the_card_sets_nothing_off():
    state = play(
        using(scenario(dice={NATO: {"poland": 5}, EU: {"poland": 5}}), EUROPE, "poland"), EUROPE, a.GainMoney(1)
    )
    assert asked(state)[0][1] == "choose_cards"


def test_the_effect_of_the_western_balkans_answers_nato_influence_alone():
    dice = {EU: {"western_balkans": 5, "poland": 1}, NATO: {"western_balkans": 5}}
    state = using(scenario(dice=dice), EUROPE, "western_balkans")
    state = play(state, EUROPE, next(x for x in offered(state, EUROPE, a.IncreaseInfluence) if x.region == "poland"))
    assert asked(state)[0][1] == "choose_cards"


def test_an_army_lost_where_it_was_built_still_sets_the_effect_off():
    state = scenario(dice={NATO: {"poland": 5}}, armies={RUSSIA: {"poland": 1}})
    state = play(using(state, EUROPE, "poland"), EUROPE, a.BuildArmy("poland", 2))
    assert asked(state) == ((EUROPE, "increase_influence"),)


def test_a_special_action_is_told_in_words():
    state = using(scenario(dice={RUS: {"hungary": 6, "poland": 1}}), RUSSIA, "hungary")
    line = RULES.describe(a.TakeSpecial(), RULES.observe(state, RUSSIA))
    assert line == "Special action: raise a die by 1 in Czechia and Slovakia and Poland"


def test_card_indices_differ_by_side():
    assert CARD_INDEX[EUROPE]["poland"] != CARD_INDEX[RUSSIA]["poland"]
