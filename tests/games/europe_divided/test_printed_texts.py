"""Rule on texts that no proposed card has, as the printed ones of a data pack may have them."""

import msgspec
import pytest

from engine.core.frames import Ctx
from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import ADVANTAGES, CARD_INDEX, CARDS, Op, Special
from engine.games.europe_divided.data import REGIONS
from engine.games.europe_divided.frames import operation as operation_module
from engine.games.europe_divided.frames import turn as turn_module
from engine.games.europe_divided.frames.armies import Build
from engine.games.europe_divided.frames.influence import Distribute, LowerDie, PlaceDie, RaiseDie
from engine.games.europe_divided.ids import FACTIONS
from tests.games.europe_divided.scenario import EU, EUROPE, NATO, RUS, RUSSIA, at, die, legal, scenario, using


@pytest.mark.parametrize(
    ("operation", "choices"),
    [
        (Distribute, [a.IncreaseInfluence(RUS, "poland", 1)]),
        (RaiseDie, [a.IncreaseInfluence(RUS, "poland", 2)]),
        (LowerDie, [a.ReduceInfluence(EU, "poland", 2)]),
        (Build, [a.BuildArmy("poland", 2)]),
        (PlaceDie, []),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_text_on_the_region_of_the_action_that_set_it_off_touches_no_other(monkeypatch, operation, choices):
    op = Op("", RUSSIA, (FACTIONS.index(RUS),), regions=(0, 1, 9, 10), at_trigger=True, amount=2, floor=1, cost=2)
    if operation is LowerDie:
        op = msgspec.structs.replace(op, factions=(FACTIONS.index(EU),))
    monkeypatch.setattr(operation_module, "OPS", (op,))
    dice = {faction: {"poland": 3, "ukraine": 3, "armenia": 3} for faction in (EU, RUS)}
    assert operation(0, region=at("poland")).choices(scenario(dice=dice)) == choices


def offers(monkeypatch, operation, op, **position):
    """Return what an operation offers in a position."""
    monkeypatch.setattr(operation_module, "OPS", (op,))
    return operation(0).choices(scenario(**position))


def test_a_text_that_builds_anywhere_keeps_out_of_the_opponents_home_and_near_own_dice(monkeypatch):
    places = (at("poland"), at("ukraine"), at("moscow"), at("germany"))
    op = Op("", EUROPE, regions=places)
    assert [action.region for action in offers(monkeypatch, Build, op)] == ["poland", "ukraine", "germany"]
    op = Op("", EUROPE, regions=places[:2], own_die=True)
    found = offers(monkeypatch, Build, op, dice={NATO: {"ukraine": 1}, RUS: {"poland": 1}})
    assert [action.region for action in found] == ["ukraine"]


def test_a_die_that_a_text_places_for_money_needs_the_money(monkeypatch):
    op = Op("", RUSSIA, (FACTIONS.index(RUS),), regions=(0,), cost=3)
    assert offers(monkeypatch, PlaceDie, op, money={RUSSIA: 2}) == []
    assert offers(monkeypatch, PlaceDie, op, money={RUSSIA: 3}) == [a.PlaceInfluence(RUS, REGIONS[0], 3)]


def test_a_die_is_not_lowered_under_the_floor(monkeypatch):
    op = Op("", RUSSIA, (FACTIONS.index(EU),), regions=(at("poland"),), amount=3, floor=2)
    monkeypatch.setattr(operation_module, "OPS", (op,))
    state = scenario(dice={EU: {"poland": 4}})
    lower = LowerDie(0)
    state.flow.stack.append(lower)
    lower.do(Ctx(state, None), RUSSIA, a.ReduceInfluence(EU, "poland", 3))
    assert die(state, EU, "poland") == 2


def test_europe_needs_a_five_or_six_for_the_special_action_of_a_grey_card_too(monkeypatch):
    card = CARD_INDEX[EUROPE]["hungary"]
    funds = next(advantage for advantage in ADVANTAGES if advantage.id == "eu_funds")
    cards = [*CARDS]
    cards[card] = msgspec.structs.replace(CARDS[card], action=Special("action", funds.ops))
    monkeypatch.setattr(turn_module, "CARDS", tuple(cards))
    for value, may in ((4, False), (5, True)):
        state = using(scenario(dice={NATO: {"hungary": value}, EU: {"poland": 1}}), EUROPE, "hungary")
        assert (a.TakeSpecial() in legal(state, EUROPE)) == may
