"""Rule on bonus actions in general and on converting goods (Bonus Actions)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import CONVERSIONS
from engine.games.rurik.frames.turn import conversions
from engine.games.rurik.ids import Column, Good, Structure, Token
from tests.games.rurik.scenario import act, asked, at, good, legal, main, offered, play, scenario, told, troops, turn

BUILD, MUSTER = Token.BUILD_TOKEN, Token.MUSTER_TOKEN
W, R, F, H, U = Good.WOOD, Good.ORE, Good.FISH, Good.HONEY, Good.FUR
ALL = {"wood": 2, "ore": 2, "fish": 2, "honey": 2, "fur": 2}


def test_bonus_actions_come_before_or_after_the_main_action() -> None:
    """Bonus Actions 1, Taking Actions 1."""
    state = scenario(
        hands={0: ("coin_2", "coin_2")}, goods={0: ALL}, deeds={0: ("trade_route",)}, troops={0: {"kiev": 1}}
    )
    kinds = (a.PlayScheme, a.AccomplishDeed, a.ConvertGoods)
    before = turn(state, 0, "muster", 2)
    assert all(offered(before, 0, kind) for kind in kinds)
    after = play(before, 0, a.TakeAction(Column.MUSTER, 2), a.Done())
    assert all(offered(after, 0, kind) for kind in kinds)


def test_no_bonus_action_within_the_main_action() -> None:
    """Bonus Actions 1 [note 2]: muster, move, attack and scheme are finished first."""
    state = main(scenario(hands={0: ("coin_2",)}, goods={0: ALL}, troops={0: {"kiev": 1}}), "muster")
    assert {type(action) for action in legal(state, 0)} == {a.MusterTroop, a.MusterLeader, a.Done}


def test_all_three_types_may_be_taken_in_one_turn() -> None:
    """Bonus Actions 2-5, in any order."""
    state = scenario(hands={0: ("coin_2",)}, goods={0: ALL}, deeds={0: ("trade_route",)}, coins={0: 0})
    state = turn(state, 0, "scheme", 2)
    state = play(state, 0, a.ConvertGoods(BUILD, W, W), a.PlayScheme("coin_2"), a.AccomplishDeed("trade_route"))
    state = play(state, 0, a.SpendGood(R), a.SpendGood(F), a.SpendGood(H))
    assert state.players[0].coins == 4
    assert len(offered(state, 0, a.TakeAction)) == 1


@pytest.mark.parametrize("resolved", [False, True])
def test_each_type_is_taken_once_a_turn(resolved: bool) -> None:
    """Bonus Actions 5: neither twice before nor once before and once after the main action."""
    state = scenario(hands={0: ("coin_2", "coin_2")}, goods={0: ALL}, troops={0: {"kiev": 1}})
    state = play(turn(state, 0, "tax", 1), 0, a.PlayScheme("coin_2"), a.ConvertGoods(BUILD, W, R))
    if resolved:
        state = play(state, 0, a.TakeAction(Column.TAX, 1))
    assert not offered(state, 0, a.PlayScheme)
    assert not offered(state, 0, a.ConvertGoods)


def test_bonus_actions_work_on_a_turn_that_forfeits() -> None:
    """Bonus Actions 1 [note 2]."""
    state = turn(scenario(hands={0: ("coin_2",)}, coins={0: 0}), 0, "scheme", 2)
    state = play(state, 0, a.ForfeitAction(Column.SCHEME, 2), a.PlayScheme("coin_2"))
    assert state.players[0].coins == 3


def test_bonus_actions_are_a_choice() -> None:
    """Bonus Actions 5: you may."""
    state = turn(scenario(hands={0: ("coin_2",)}), 0, "scheme", 2)
    state = play(state, 0, a.ForfeitAction(Column.SCHEME, 2), a.EndTurn())
    assert asked(state) == ((1, "turn"),)


def test_the_next_turn_allows_each_type_again() -> None:
    """Bonus Actions 5: once per turn, not per round."""
    state = turn(scenario(hands={0: ("coin_2",)}), 0, scheme_played=True)
    assert not offered(state, 0, a.PlayScheme)
    state = turn(state, 0)
    assert offered(state, 0, a.PlayScheme)


# Converting Goods.


def test_a_conversion_flips_its_token_and_spends_two_goods() -> None:
    """Converting Goods 1."""
    state = turn(scenario(goods={0: ALL}), 0)
    step = act(state, 0, a.ConvertGoods(BUILD, W, U))
    assert (good(step.state, 0, "wood"), good(step.state, 0, "fur")) == (1, 1)
    assert step.state.players[0].tokens == 1
    assert told(step, e.GoodsConverted) == [e.GoodsConverted(0, BUILD, W, U)]


def test_a_flipped_token_converts_no_more_that_round() -> None:
    """Converting Goods 1: so two conversions a round at most."""
    state = turn(scenario(goods={0: ALL}), 0)
    state = turn(play(state, 0, a.ConvertGoods(BUILD, W, U)), 0)
    assert {action.token for action in offered(state, 0, a.ConvertGoods)} == {MUSTER}
    state = play(state, 0, a.ConvertGoods(MUSTER, F, F))
    assert not offered(turn(state, 0), 0, a.ConvertGoods)


def test_there_are_two_conversions() -> None:
    """Converting Goods 2."""
    assert [token.id for token in CONVERSIONS] == [BUILD, MUSTER]


@pytest.mark.parametrize("first", [W, R])
@pytest.mark.parametrize("second", [W, R, F, H, U])
def test_wood_or_ore_and_any_good_bring_a_build_point(first: Good, second: Good) -> None:
    """Converting Goods 3: the second good may be of the same type."""
    state = turn(scenario(goods={0: ALL}, troops={0: {"kiev": 1}}), 0)
    chosen = a.ConvertGoods(BUILD, first, second)
    if chosen not in legal(state, 0):
        chosen = a.ConvertGoods(BUILD, second, first)
    state = play(state, 0, chosen)
    assert sum(state.players[0].goods) == 8
    assert play(state, 0, a.BuildStructure(Structure.MARKET, "kiev")).built[1][at("kiev")] == 0


@pytest.mark.parametrize("first", [H, F])
@pytest.mark.parametrize("second", [W, R, F, H, U])
def test_honey_or_fish_and_any_good_bring_a_muster_point(first: Good, second: Good) -> None:
    """Converting Goods 4."""
    state = turn(scenario(goods={0: ALL}, troops={0: {"kiev": 1}}), 0)
    chosen = a.ConvertGoods(MUSTER, first, second)
    if chosen not in legal(state, 0):
        chosen = a.ConvertGoods(MUSTER, second, first)
    state = play(state, 0, chosen, a.MusterTroop("kiev"))
    assert sum(state.players[0].goods) == 8
    assert troops(state, 0, "kiev") == 2


def test_fur_and_honey_make_no_build_point() -> None:
    """Converting Goods 3: wood or ore is needed."""
    state = scenario(goods={0: {"fur": 3, "honey": 3}})
    assert {action.token for action in conversions(state, 0)} == {MUSTER}


def test_one_good_alone_converts_nothing() -> None:
    """Converting Goods 3, 4: a second good is needed."""
    assert conversions(scenario(goods={0: {"wood": 1}}), 0) == []


def test_two_of_a_kind_convert_each_other() -> None:
    """Converting Goods 3: any one good is also another one of the same type."""
    assert conversions(scenario(goods={0: {"wood": 2}}), 0) == [a.ConvertGoods(BUILD, W, W)]


def test_each_pair_of_goods_is_listed_once() -> None:
    """Converting Goods 3: wood with ore is ore with wood."""
    listed = [
        frozenset((action.first, action.second))
        for action in conversions(scenario(goods={0: ALL}), 0)
        if action.token is BUILD
    ]
    assert len(listed) == len(set(listed)) == 9


def test_goods_of_boat_and_dock_convert_alike() -> None:
    """Converting Goods 1, Tax 5: goods move freely; fur beyond its one slot lies on the dock."""
    state = turn(scenario(goods={0: {"wood": 1, "fur": 3}}), 0)
    state = play(state, 0, a.ConvertGoods(BUILD, W, U))
    assert good(state, 0, "fur") == 2
