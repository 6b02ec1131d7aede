"""Rule on Predslava, Sviatopolk and Yaroslav (Leaders 6, 8, 9)."""

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import DEED_INDEX
from engine.games.rurik.effects.deeds import can_accomplish
from engine.games.rurik.ids import CHURCH, NONE, MarketBonus, Structure
from engine.games.rurik.scoring import metric
from engine.games.rurik.state import State, ruler
from tests.games.rurik.scenario import (
    act,
    asked,
    at,
    legal,
    main,
    offered,
    on_top,
    play,
    scenario,
    told,
    troops,
    turn,
)

KIEV = at("kiev")

# Predslava.


def predslava(**more: object) -> State:
    more.setdefault("troops", {0: {"kiev": 1}, 1: {"kiev": 2, "volyn": 1}})
    return scenario(leaders=("predslava", "agatha", "boris"), leader_at={0: "kiev"}, coins={0: 3, 1: 3}, **more)  # type: ignore[arg-type]


def test_predslava_moves_an_opponents_troop_from_her_region_for_a_coin() -> None:
    """Leaders 6: to an adjacent region, for free; its owner gains a coin from the supply."""
    step = act(turn(predslava(), 0), 0, a.MoveOpponentTroop(1, "polotsk"))
    assert (troops(step.state, 1, "kiev"), troops(step.state, 1, "polotsk")) == (1, 1)
    assert [player.coins for player in step.state.players] == [3, 4]
    assert asked(step.state) == ((0, "turn"),)


def test_predslava_reaches_adjacent_regions_in_play_only() -> None:
    """Leaders 6 [note 6]: not Galich or Azov in a game for two, and not from elsewhere."""
    moves = offered(turn(predslava(), 0), 0, a.MoveOpponentTroop)
    assert {action.target for action in moves} == {"polotsk", "volyn", "chernigov", "pereyaslavl"}


def test_predslava_may_move_an_opponents_leader() -> None:
    """Leaders 6."""
    state = scenario(leaders=("predslava", "agatha"), leader_at={0: "kiev", 1: "kiev"})
    assert not offered(turn(state, 0), 0, a.MoveOpponentTroop)
    state = play(state, 0, a.MoveOpponentLeader(1, "volyn"))
    assert state.players[1].leader_at == at("volyn")


def test_predslava_does_so_once_a_round() -> None:
    """Leaders 6."""
    state = play(turn(predslava(), 0), 0, a.MoveOpponentTroop(1, "volyn"))
    assert not offered(state, 0, a.MoveOpponentTroop)
    assert not offered(turn(state, 0), 0, a.MoveOpponentTroop)


def test_predslava_acts_before_or_after_the_main_action_of_an_own_turn() -> None:
    """Leaders 6 [note 6]: any time outside another step; it is no bonus action."""
    state = predslava(hands={0: ("coin_2",)})
    state = play(turn(state, 0, "tax", 2), 0, a.TakeAction(legal(state, 0)[0].column, 2), a.PlayScheme("coin_2"))
    assert offered(state, 0, a.MoveOpponentTroop)
    assert not offered(turn(predslava(), 1), 1, a.MoveOpponentTroop)


def test_predslava_moves_neither_own_troops_nor_rebels() -> None:
    """Leaders 6: an opponent's troop."""
    state = turn(predslava(troops={0: {"kiev": 3}}, rebels=["kiev"]), 0)
    assert not offered(state, 0, a.MoveOpponentTroop)
    assert not offered(state, 0, a.MoveOpponentLeader)


def test_predslava_chooses_among_several_opponents() -> None:
    """Leaders 6."""
    state = turn(predslava(seats=3, troops={1: {"kiev": 1}, 2: {"kiev": 1}}), 0)
    assert {action.seat for action in offered(state, 0, a.MoveOpponentTroop)} == {1, 2}


# Sviatopolk.


def sviatopolk(**more: object) -> State:
    more.setdefault("leaders", ("sviatopolk", "agatha", "boris"))
    more.setdefault("leader_at", {0: "kiev"})
    return scenario(rebels=["kiev", "volyn"], **more)  # type: ignore[arg-type]


def test_rebels_in_sviatopolks_region_count_as_his_troops_for_rule() -> None:
    """Leaders 8: he and a rebel against one troop."""
    assert ruler(sviatopolk(troops={1: {"kiev": 1}}), KIEV) == 0
    assert ruler(sviatopolk(troops={1: {"kiev": 2}}), KIEV) == NONE


def test_rebels_beside_sviatopolk_stop_being_rivals() -> None:
    """Leaders 8 [note 6]: he alone with a rebel rules; an opponent needs more than him and the rebel, not the rebel."""
    assert ruler(sviatopolk(), KIEV) == 0
    assert ruler(sviatopolk(troops={1: {"kiev": 3}}), KIEV) == 1


def test_rebels_elsewhere_are_rivals_of_sviatopolk() -> None:
    """Leaders 8: only in his region."""
    state = sviatopolk(troops={0: {"volyn": 1}})
    assert ruler(state, at("volyn")) == NONE


def test_a_rebel_defeated_in_sviatopolks_region_is_replaced_by_a_troop() -> None:
    """Leaders 8: the reward is gained as well."""
    state = sviatopolk(coins={0: 0})
    state = play(main(state, "attack"), 0, a.AttackRebel("kiev"))
    assert (troops(state, 0, "kiev"), state.players[0].coins, len(state.players[0].rebels)) == (2, 1, 1)


def test_without_a_troop_in_supply_the_rebel_is_only_defeated() -> None:
    """Leaders 8 [note 6]."""
    state = sviatopolk(troops={0: {"novgorod": 12}})
    state = play(main(state, "attack"), 0, a.AttackRebel("kiev"))
    assert troops(state, 0, "kiev") == 1


def test_a_rebel_defeated_elsewhere_is_not_replaced() -> None:
    """Leaders 8."""
    state = play(main(sviatopolk(troops={0: {"volyn": 1}}), "attack"), 0, a.AttackRebel("volyn"))
    assert troops(state, 0, "volyn") == 1


def test_a_rebel_defeated_by_an_opponent_in_his_region_is_not_replaced() -> None:
    """Leaders 8: if you defeat it."""
    state = sviatopolk(troops={1: {"kiev": 1}})
    state = play(main(state, "attack", seat=1), 1, a.AttackRebel("kiev"))
    assert (troops(state, 0, "kiev"), state.players[0].supply) == (1, 12)


def test_rebels_are_sviatopolks_troops_for_rule_alone() -> None:
    """Leaders 8: opponents attack a rebel as a rebel, and it does not shield him."""
    state = main(sviatopolk(troops={1: {"kiev": 1}}), "attack", seat=1)
    assert legal(state, 1) == (a.AttackRebel("kiev"), a.AttackPlayer("kiev", 0), a.Done())
    state = play(on_top(state, 0, "coin_2", "move_2"), 1, a.AttackPlayer("kiev", 0))
    assert state.players[0].leader_at == NONE


def test_rebels_count_as_sviatopolks_troops_neither_for_deeds_nor_to_occupy() -> None:
    """Leaders 8: for rule and nothing else; Amass Forces needs six troops of his own."""
    state = sviatopolk(troops={0: {"kiev": 4}})
    assert not can_accomplish(state, 0, DEED_INDEX["amass_forces"])
    assert metric(state, 0, "occupied_regions") == 1


def test_his_rebels_add_a_card_to_a_check_by_giving_him_rule() -> None:
    """Leaders 8, Attack 6: rule by rebels is rule."""
    state = main(on_top(sviatopolk(troops={1: {"kiev": 1}}), 0, "coin_2", "move_2"), "attack", seat=1)
    state = play(state, 1, a.AttackPlayer("kiev", 0))
    assert len(told(act(state, 1, a.ChooseDeck(0)), e.CasualtyChecked)[0].cards) == 2


# Yaroslav.


def yaroslav(**more: object) -> State:
    more.setdefault("leaders", ("yaroslav", "agatha", "boris"))
    more.setdefault("leader_at", {0: "kiev"})
    return scenario(**more)  # type: ignore[arg-type]


def test_yaroslav_wins_ties_for_rule_in_his_region() -> None:
    """Leaders 9."""
    assert ruler(yaroslav(troops={1: {"kiev": 1}}), KIEV) == 0
    assert ruler(yaroslav(troops={1: {"kiev": 2}}), KIEV) == 1


def test_yaroslav_wins_a_tie_of_three_and_with_the_rebels() -> None:
    """Leaders 9, Ruling Regions 1."""
    assert ruler(yaroslav(seats=3, troops={1: {"kiev": 1}, 2: {"kiev": 1}}, rebels=["kiev"]), KIEV) == 0


def test_yaroslav_does_not_win_when_two_others_tie_above_him() -> None:
    """Leaders 9: his own tie, not theirs."""
    assert ruler(yaroslav(seats=3, troops={1: {"kiev": 2}, 2: {"kiev": 2}}), KIEV) == NONE


def test_yaroslav_wins_ties_against_sviatopolks_rebels() -> None:
    """Leaders 8, 9 [note 6]: one troop and himself against Sviatopolk and a rebel."""
    state = scenario(
        leaders=("yaroslav", "sviatopolk"),
        troops={0: {"kiev": 1}},
        leader_at={0: "kiev", 1: "kiev"},
        rebels=["kiev"],
    )
    assert ruler(state, KIEV) == 0


def test_ties_elsewhere_stay_ties() -> None:
    """Leaders 9: only in his region."""
    assert ruler(yaroslav(troops={0: {"volyn": 1}, 1: {"volyn": 1}}), at("volyn")) == NONE


def test_opponents_strongholds_beside_yaroslav_do_not_count_for_rule() -> None:
    """Leaders 9, Build 8 [note 6]; his owner's do."""
    assert ruler(yaroslav(troops={1: {"kiev": 1}}, built={("stronghold", "kiev"): 1}), KIEV) == 0
    assert ruler(yaroslav(troops={1: {"kiev": 2}}, built={("stronghold", "kiev"): 0}), KIEV) == 0


def test_opponents_strongholds_beside_yaroslav_add_no_card() -> None:
    """Leaders 9, Attack 7 [note 6]."""
    state = yaroslav(troops={0: {"kiev": 1}, 1: {"kiev": 1}}, built={("stronghold", "kiev"): 1})
    state = play(main(on_top(state, 0, "coin_2", "move_2"), "attack"), 0, a.AttackPlayer("kiev", 1))
    assert len(told(act(state, 0, a.ChooseDeck(0)), e.CasualtyChecked)[0].cards) == 1


def test_yaroslavs_own_stronghold_still_adds_a_card() -> None:
    """Leaders 9: only opponents lose their abilities; two cards for his rule and it."""
    state = yaroslav(troops={1: {"kiev": 1}}, built={("stronghold", "kiev"): 0})
    state = play(main(on_top(state, 0, "coin_2", "move_2", "tax_1"), "attack", seat=1), 1, a.AttackPlayer("kiev", 0))
    assert len(told(act(state, 1, a.ChooseDeck(0)), e.CasualtyChecked)[0].cards) == 3


def test_opponents_markets_beside_yaroslav_give_nothing() -> None:
    """Leaders 9, Build 7 [note 6]."""
    state = main(yaroslav(troops={1: {"kiev": 3}}, built={("market", "kiev"): 1}), "tax", seat=1)
    assert offered(state, 1, a.CollectGood) == [a.CollectGood("kiev")]


def test_yaroslavs_own_market_works() -> None:
    """Leaders 9: your opponents lose theirs."""
    state = main(yaroslav(built={("market", "kiev"): 0}), "tax")
    assert a.CollectGood("kiev", MarketBonus.GOOD) in legal(state, 0)


def test_an_opponents_church_beside_yaroslav_is_built_and_does_not_convert() -> None:
    """Leaders 9: allowed, without its ability."""
    state = main(yaroslav(troops={1: {"kiev": 4}}, rebels=["kiev"]), "build", seat=1)
    state = play(state, 1, a.BuildStructure(Structure.CHURCH, "kiev"))
    assert state.built[CHURCH][KIEV] == 1
    assert state.rebels[KIEV] != NONE
    assert troops(state, 1, "kiev") == 4


def test_yaroslavs_own_church_converts() -> None:
    """Leaders 9."""
    state = play(main(yaroslav(rebels=["kiev"]), "build"), 0, a.BuildStructure(Structure.CHURCH, "kiev"))
    assert (state.rebels[KIEV], troops(state, 0, "kiev")) == (NONE, 2)


def test_structures_work_again_when_yaroslav_has_left() -> None:
    """Leaders 9: in his region, while he is there."""
    state = yaroslav(leader_at={0: "volyn"}, troops={1: {"kiev": 1}}, built={("market", "kiev"): 1})
    assert a.CollectGood("kiev", MarketBonus.COIN) in legal(main(state, "tax", seat=1), 1)
