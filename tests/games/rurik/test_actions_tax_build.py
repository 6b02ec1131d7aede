"""Rule on taxing and building, and on what the three structures do (Tax, Build)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import SPACES
from engine.games.rurik.ids import CHURCH, COLUMNS, MARKET, NONE, STRONGHOLD, Good, MarketBonus, Structure, Token
from engine.games.rurik.state import boat
from tests.games.rurik.scenario import act, asked, at, good, legal, main, offered, play, scenario, told, troops, turn

CHURCH_IN_KIEV = a.BuildStructure(Structure.CHURCH, "kiev")
TAX_KIEV = a.CollectGood("kiev")


@pytest.mark.parametrize(("seats", "icons"), [(2, [2, 1, 1]), (3, [3, 2, 1, 1]), (4, [3, 2, 1, 1])])
def test_a_tax_space_gives_its_icons_in_points(seats: int, icons: list[int]) -> None:
    """Tax 1."""
    assert [space.icons for space in SPACES[seats][COLUMNS.index("tax")]] == icons


@pytest.mark.parametrize(("seats", "icons"), [(2, [2, 1, 1]), (3, [2, 1, 1, 1]), (4, [2, 1, 1, 1])])
def test_a_build_space_gives_its_icons_in_points(seats: int, icons: list[int]) -> None:
    """Build 1."""
    assert [space.icons for space in SPACES[seats][COLUMNS.index("build")]] == icons


# Tax.


def test_goods_are_collected_only_from_regions_occupied() -> None:
    """Tax 1."""
    state = main(scenario(troops={0: {"kiev": 1}, 1: {"volyn": 1}}), "tax")
    assert offered(state, 0, a.CollectGood) == [TAX_KIEV]


def test_a_good_from_a_ruled_region_costs_one_point() -> None:
    """Tax 2, 5: it leaves the board for the mat."""
    step = act(main(scenario(troops={0: {"kiev": 1, "volyn": 1}}), "tax"), 0, TAX_KIEV)
    assert told(step, e.GoodTaxed)[0].points == 1
    assert good(step.state, 0, "wood") == 1
    assert not step.state.goods[at("kiev")]
    assert step.state.flow.stack[-1].tax == 1


def test_a_good_from_a_region_not_ruled_costs_two_points() -> None:
    """Tax 3."""
    step = act(main(scenario(troops={0: {"kiev": 1}}, rebels=["kiev"]), "tax"), 0, TAX_KIEV)
    assert told(step, e.GoodTaxed)[0].points == 2


def test_one_point_takes_nothing_where_one_does_not_rule() -> None:
    """Tax 3."""
    state = main(scenario(troops={0: {"kiev": 1, "volyn": 1}}, rebels=["kiev"]), "tax", 2)
    assert offered(state, 0, a.CollectGood) == [a.CollectGood("volyn")]


def test_a_region_without_its_good_cannot_be_taxed() -> None:
    """Tax 5 [note 3]: one good lies there until the claim phase brings another."""
    state = play(main(scenario(troops={0: {"kiev": 1, "volyn": 1}}), "tax"), 0, TAX_KIEV)
    assert offered(state, 0, a.CollectGood) == [a.CollectGood("volyn")]


def test_a_market_cannot_tax_an_empty_region() -> None:
    """Build 7: without a good the market's ability is of no use."""
    state = scenario(troops={0: {"kiev": 1, "volyn": 1}}, built={("market", "kiev"): 0}, taxed=["kiev"])
    assert offered(main(state, "tax"), 0, a.CollectGood) == [a.CollectGood("volyn")]


def test_tax_points_of_main_and_bonus_actions_are_pooled() -> None:
    """Tax 4: one point of the action and one of a scheme tax a region not ruled."""
    state = main(scenario(troops={0: {"kiev": 1}}, rebels=["kiev"], hands={0: ("tax_1",)}), "tax", 2)
    assert not offered(state, 0, a.CollectGood)
    state = play(state, 0, a.PlayScheme("tax_1"), TAX_KIEV)
    assert good(state, 0, "wood") == 1


def test_tax_points_of_a_bonus_before_the_action_stay_open() -> None:
    """Tax 4 [note 2]: unspent points are kept until the turn ends."""
    state = scenario(troops={0: {"kiev": 1}}, rebels=["kiev"], hands={0: ("tax_1",)})
    state = play(turn(state, 0, "tax", 2), 0, a.PlayScheme("tax_1"), a.TakeAction(COLUMNS[3], 2), TAX_KIEV)
    assert good(state, 0, "wood") == 1


def test_unspent_points_are_lost_with_the_turn() -> None:
    """Tax 4, Build 4."""
    state = play(main(scenario(troops={0: {"kiev": 1}}), "tax"), 0, a.EndTurn())
    assert asked(state) == ((1, "turn"),)
    assert good(state, 0, "wood") == 0


def test_goods_lie_on_the_boat_as_long_as_it_has_room() -> None:
    """Tax 5: boat or dock, moved freely at any time, so the boat is always as full as it can be."""
    state = scenario(goods={0: {"wood": 5, "fur": 1}})
    assert boat(state.players[0]) == [3, 0, 0, 0, 1]


# Build.


def test_structures_are_built_only_in_regions_occupied() -> None:
    """Build 1."""
    state = main(scenario(troops={0: {"kiev": 1}}, built={("market", "volyn"): 0}), "build")
    assert {action.region for action in offered(state, 0, a.BuildStructure)} == {"kiev"}


def test_a_structure_costs_nothing_but_points() -> None:
    """Build 1: neither coins nor goods."""
    state = main(scenario(troops={0: {"kiev": 1}}, coins={0: 0}), "build")
    state = play(state, 0, a.BuildStructure(Structure.MARKET, "kiev"))
    assert state.built[MARKET][at("kiev")] == 0
    assert state.players[0].structures == [3, 2, 3]


def test_a_structure_in_a_ruled_region_costs_one_point() -> None:
    """Build 2."""
    state = main(scenario(troops={0: {"kiev": 1}}), "build")
    assert told(act(state, 0, a.BuildStructure(Structure.MARKET, "kiev")), e.StructureBuilt)[0].points == 1


def test_a_structure_in_a_region_not_ruled_costs_two_points() -> None:
    """Build 3."""
    state = main(scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}), "build")
    assert told(act(state, 0, a.BuildStructure(Structure.MARKET, "kiev")), e.StructureBuilt)[0].points == 2
    assert not offered(main(scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}), "build", 2), 0, a.BuildStructure)


def test_build_points_of_main_and_bonus_actions_are_pooled() -> None:
    """Build 4: one point of the action and one of a conversion."""
    state = scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}, goods={0: {"wood": 1, "fish": 1}})
    state = play(main(state, "build", 2), 0, a.ConvertGoods(Token.BUILD_TOKEN, Good.WOOD, Good.FISH))
    state = play(state, 0, a.BuildStructure(Structure.MARKET, "kiev"))
    assert state.built[MARKET][at("kiev")] == 0


def test_a_region_takes_one_structure_of_each_type_of_all_players() -> None:
    """Build 5."""
    state = scenario(troops={0: {"kiev": 1}}, built={("market", "kiev"): 1, ("church", "kiev"): 0})
    assert offered(main(state, "build"), 0, a.BuildStructure) == [a.BuildStructure(Structure.STRONGHOLD, "kiev")]


def test_after_three_of_a_type_no_more_can_be_built() -> None:
    """Build 5, Game Setup 11 [note 3]."""
    built = {("church", region): 0 for region in ("volyn", "rostov", "smolensk")}
    state = main(scenario(troops={0: {"kiev": 1}}, built=built), "build")
    assert CHURCH_IN_KIEV not in legal(state, 0)


def test_a_church_turns_a_rebel_into_an_own_troop() -> None:
    """Build 6: no reward, and not a defeated rebel."""
    state = main(scenario(troops={0: {"kiev": 2}}, rebels=["kiev"], coins={0: 0}), "build")
    state = play(state, 0, CHURCH_IN_KIEV)
    player = state.players[0]
    assert state.rebels[at("kiev")] == NONE
    assert (troops(state, 0, "kiev"), player.coins, player.rebels, player.warfare) == (3, 0, [], 0)


def test_a_church_turns_an_opponents_troop_into_an_own_one() -> None:
    """Build 6 [note 3]: no warfare, no casualty check."""
    state = main(scenario(troops={0: {"kiev": 2}, 1: {"kiev": 1}}), "build")
    step = act(state, 0, CHURCH_IN_KIEV)
    assert (troops(step.state, 0, "kiev"), troops(step.state, 1, "kiev")) == (3, 0)
    assert step.state.players[0].warfare == 0
    assert not told(step, e.CasualtyChecked)


def test_the_builder_chooses_whom_a_church_converts() -> None:
    """Build 6."""
    state = scenario(3, troops={0: {"kiev": 3}, 1: {"kiev": 1}, 2: {"kiev": 1}}, rebels=["kiev"])
    state = play(main(state, "build"), 0, CHURCH_IN_KIEV)
    assert legal(state, 0) == (a.ConvertRebel(), a.ConvertTroop(1), a.ConvertTroop(2))


def test_a_church_never_converts_a_leader() -> None:
    """Build 6: non-leader troops only; without a target it is built all the same [note 3]."""
    state = main(scenario(troops={0: {"kiev": 2}}, leader_at={1: "kiev"}), "build")
    state = play(state, 0, CHURCH_IN_KIEV)
    assert state.built[CHURCH][at("kiev")] == 0
    assert (troops(state, 0, "kiev"), state.players[1].leader_at) == (2, at("kiev"))


def test_a_church_without_a_target_brings_no_troop() -> None:
    """Build 6: a troop is placed only if one is removed."""
    state = play(main(scenario(troops={0: {"kiev": 2}}), "build"), 0, CHURCH_IN_KIEV)
    assert troops(state, 0, "kiev") == 2


def test_a_builder_out_of_troops_may_still_remove_one() -> None:
    """Build 6: may, so declining is offered too."""
    state = scenario(troops={0: {"kiev": 12}, 1: {"kiev": 1}})
    state = play(main(state, "build"), 0, CHURCH_IN_KIEV)
    assert legal(state, 0) == (a.ConvertTroop(1), a.Done())
    after = play(state, 0, a.ConvertTroop(1))
    assert (troops(after, 0, "kiev"), troops(after, 1, "kiev")) == (12, 0)
    assert troops(play(state, 0, a.Done()), 1, "kiev") == 1


def test_a_church_acts_once_when_it_is_built() -> None:
    """Build 6: when you build it."""
    state = scenario(troops={0: {"kiev": 2}}, built={("church", "kiev"): 0}, rebels=["kiev"])
    state = play(main(state, "build"), 0, a.BuildStructure(Structure.MARKET, "kiev"))
    assert state.rebels[at("kiev")] != NONE


def test_a_market_adds_a_good_of_that_type_or_a_coin() -> None:
    """Build 7."""
    state = scenario(troops={0: {"kiev": 1, "volyn": 1}}, built={("market", "kiev"): 0}, coins={0: 0})
    state = main(state, "tax")
    good_too, coin_too = a.CollectGood("kiev", MarketBonus.GOOD), a.CollectGood("kiev", MarketBonus.COIN)
    assert legal(state, 0)[:3] == (a.CollectGood("volyn"), good_too, coin_too)
    rich, paid = play(state, 0, good_too), play(state, 0, coin_too)
    assert (good(rich, 0, "wood"), rich.players[0].coins) == (2, 0)
    assert (good(paid, 0, "wood"), paid.players[0].coins) == (1, 1)


def test_an_opponents_market_adds_nothing() -> None:
    """Build 7: the ability is its owner's."""
    state = main(scenario(troops={0: {"kiev": 1}}, built={("market", "kiev"): 1}), "tax")
    assert offered(state, 0, a.CollectGood) == [TAX_KIEV]


def test_a_market_may_be_used_in_the_turn_that_builds_it() -> None:
    """Build 7, Tax 4: points of both kinds stay open side by side."""
    state = main(scenario(troops={0: {"kiev": 1}}, hands={0: ("tax_1",)}), "build", 2)
    state = play(state, 0, a.PlayScheme("tax_1"), a.BuildStructure(Structure.MARKET, "kiev"))
    state = play(state, 0, a.CollectGood("kiev", MarketBonus.GOOD))
    assert good(state, 0, "wood") == 2


def test_a_new_stronghold_gives_rule_at_once() -> None:
    """Build 8: a tie becomes rule, and the next structure costs one point."""
    state = main(scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}, hands={0: ("build_1",)}), "build")
    state = play(state, 0, a.PlayScheme("build_1"), a.BuildStructure(Structure.STRONGHOLD, "kiev"))
    assert state.built[STRONGHOLD][at("kiev")] == 0
    assert told(act(state, 0, a.BuildStructure(Structure.MARKET, "kiev")), e.StructureBuilt)[0].points == 1


def test_goods_and_coins_are_unlimited() -> None:
    """Game Components 13, 14, 25: more fur and coins than there are pieces in the box."""
    state = scenario(troops={0: {"pereyaslavl": 1}}, built={("market", "pereyaslavl"): 0}, goods={0: {"fur": 10}})
    state = play(main(state, "tax", 2), 0, a.CollectGood("pereyaslavl", MarketBonus.GOOD))
    assert good(state, 0, "fur") == 12
    rich = turn(scenario(coins={0: 36}), 0, "tax", 2)
    assert play(rich, 0, offered(rich, 0, a.ForfeitAction)[0]).players[0].coins == 37
