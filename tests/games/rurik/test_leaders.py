"""Rule on the abilities of the eight leaders (Leaders)."""

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.frames.build import cost
from engine.games.rurik.frames.move import Relocate
from engine.games.rurik.ids import CHURCH, MARIA, MSTISLAV, NONE, SUDISLAV, Structure
from engine.games.rurik.state import State
from tests.games.rurik.scenario import (
    act,
    asked,
    at,
    legal,
    main,
    offered,
    on_top,
    play,
    ready,
    scenario,
    told,
    troops,
    turn,
)

# Common.


def test_a_leader_counts_as_a_troop() -> None:
    """Leaders 1: it occupies, rules, taxes and builds."""
    state = scenario(leader_at={0: "kiev"})
    assert cost(state, 0, at("kiev")) == 1
    assert offered(main(state, "tax"), 0, a.CollectGood) == [a.CollectGood("kiev")]


def test_a_leader_off_the_board_has_no_ability() -> None:
    """Leaders 1: abilities apply in the leader's region."""
    for leader, column in ((MARIA, "muster"), (SUDISLAV, "attack")):
        state = scenario(troops={0: {"kiev": 1}})
        state.players[0].leader = leader
        state = main(state, column)
        assert {action.region for action in offered(state, 0, a.MusterTroop)} <= {"kiev"}
        assert bool(offered(state, 0, a.MusterTroop)) is (leader == MARIA)


def test_an_ability_belongs_to_its_own_leader_alone() -> None:
    """Leaders 1: a leader beside Mstislav does not tax for one point."""
    state = scenario(leaders=("agatha", "mstislav"), leader_at={0: "kiev", 1: "kiev"}, rebels=["kiev"])
    assert (cost(state, 0, at("kiev")), cost(state, 1, at("kiev"))) == (2, 1)


# Agatha.


def test_agatha_takes_up_to_two_troops_along_for_free() -> None:
    """Leaders 2: none, one or two."""
    state = main(scenario(troops={0: {"kiev": 3}}, leader_at={0: "kiev"}), "move")
    moves = [action for action in offered(state, 0, a.MoveLeader) if action.target == "volyn"]
    assert [action.escorts for action in moves] == [0, 1, 2]
    state = play(state, 0, moves[2])
    assert (troops(state, 0, "volyn"), troops(state, 0, "kiev")) == (3, 1)
    assert state.flow.stack[-1].points == 2


def test_agathas_escorts_come_from_her_region() -> None:
    """Leaders 2: they start and end with her."""
    state = main(scenario(troops={0: {"kiev": 1, "volyn": 5}}, leader_at={0: "kiev"}), "move")
    assert {action.escorts for action in offered(state, 0, a.MoveLeader)} == {0, 1}


def test_agatha_takes_escorts_along_again_with_each_step() -> None:
    """Leaders 2 [note 6]."""
    state = main(scenario(troops={0: {"kiev": 2}}, leader_at={0: "kiev"}), "move")
    state = play(state, 0, a.MoveLeader("kiev", "chernigov", 2), a.MoveLeader("chernigov", "rostov", 2))
    assert troops(state, 0, "rostov") == 3


def test_agatha_takes_escorts_along_when_a_deed_moves_her() -> None:
    """Leaders 2 [note 6]: they go to the same region for free."""
    state = scenario(
        troops={0: {"kiev": 2}},
        leader_at={0: "kiev"},
        deeds={0: ("send_gifts",)},
        goods={0: {"fish": 1, "fur": 1}},
    )
    state = play(turn(state, 0), 0, a.AccomplishDeed("send_gifts"), a.RelocateLeader("kiev", "novgorod", 2))
    assert troops(state, 0, "novgorod") == 3
    assert state.flow.stack[-1].points == 1


def test_a_deed_moves_no_more_escorts_than_stand_beside_agatha() -> None:
    """Leaders 2 [note 6]."""
    state = ready(scenario(troops={0: {"kiev": 1}}, leader_at={0: "kiev"}), Relocate(0, 2))
    assert {action.escorts for action in offered(state, 0, a.RelocateLeader)} == {0, 1}


def test_a_deed_moves_agatha_once() -> None:
    """Leaders 2, Deed Card Reference 2, 21, 25: two troops move, and she is one of them."""
    state = ready(scenario(troops={0: {"kiev": 4}}, leader_at={0: "kiev"}), Relocate(0, 2))
    state = act(state, 0, a.RelocateLeader("kiev", "novgorod", 2)).state
    assert not offered(state, 0, a.RelocateLeader)
    assert {action.source for action in offered(state, 0, a.RelocateTroop)} == {"kiev", "novgorod"}
    again = ready(scenario(troops={0: {"kiev": 4}}, leader_at={0: "kiev"}), Relocate(0, 2))
    again = act(again, 0, a.RelocateTroop("kiev", "volyn")).state
    assert a.RelocateLeader("kiev", "novgorod", 2) in legal(again, 0)


def test_no_other_leader_takes_troops_along() -> None:
    """Leaders 2."""
    state = main(scenario(leaders=("boris", "maria"), troops={0: {"kiev": 2}}, leader_at={0: "kiev"}), "move")
    assert {action.escorts for action in offered(state, 0, a.MoveLeader)} == {0}


def test_agatha_moved_by_predslava_takes_nobody_along() -> None:
    """Leaders 2, 6 [note 6]: it is not her own move."""
    state = scenario(leaders=("predslava", "agatha"), troops={1: {"kiev": 2}}, leader_at={0: "kiev", 1: "kiev"})
    state = play(turn(state, 0), 0, a.MoveOpponentLeader(1, "volyn"))
    assert (troops(state, 1, "volyn"), troops(state, 1, "kiev")) == (1, 2)


# Boris.


def boris(theirs: int = 1, **more: object) -> State:
    state = scenario(
        leaders=("boris", "agatha"),
        troops={0: {"kiev": 2}, 1: {"kiev": theirs}},
        leader_at={0: "kiev"},
        **more,  # type: ignore[arg-type]
    )
    return main(on_top(state, 0, "coin_2", "move_2"), "attack")


def test_boris_reveals_one_card_less_and_steals_a_coin() -> None:
    """Leaders 3: against a ruler that leaves one card."""
    step = act(boris(theirs=5, coins={0: 0, 1: 2}), 0, a.AttackPlayer("kiev", 1))
    assert [player.coins for player in step.state.players] == [1, 1]
    assert told(step, e.CoinStolen) == [e.CoinStolen(0, 1)]
    assert len(told(act(step.state, 0, a.ChooseDeck(0)), e.CasualtyChecked)[0].cards) == 1


def test_boris_needs_no_check_where_one_card_would_be_revealed() -> None:
    """Leaders 3 [note 3]: none is left; warfare advances all the same."""
    state = play(boris(theirs=2), 0, a.AttackPlayer("kiev", 1))
    assert asked(state) == ((0, "attack"),)
    assert state.players[0].warfare == 1


def test_boris_steals_nothing_from_who_has_nothing() -> None:
    """Leaders 3."""
    step = act(boris(coins={0: 0, 1: 0}), 0, a.AttackPlayer("kiev", 1))
    assert [player.coins for player in step.state.players] == [0, 0]
    assert not told(step, e.CoinStolen)


def test_boris_steals_with_every_attack() -> None:
    """Leaders 3: once for each attack point."""
    attack = a.AttackPlayer("kiev", 1)
    state = play(boris(theirs=2, coins={0: 0, 1: 3}), 0, attack, attack)
    assert [player.coins for player in state.players] == [2, 1]


def test_boris_helps_only_in_his_region() -> None:
    """Leaders 3."""
    state = scenario(
        leaders=("boris", "agatha"),
        troops={0: {"kiev": 2}, 1: {"kiev": 1}},
        leader_at={0: "volyn"},
        coins={0: 0, 1: 3},
    )
    state = play(main(state, "attack"), 0, a.AttackPlayer("kiev", 1))
    assert (asked(state), state.players[0].coins) == (((0, "casualty_check"),), 0)


def test_boris_does_not_help_against_rebels() -> None:
    """Leaders 3: only an opponent has coins to lose."""
    state = scenario(leaders=("boris", "agatha"), leader_at={0: "kiev"}, rebels=["kiev"], coins={0: 0})
    state = play(main(state, "attack"), 0, a.AttackRebel("kiev"))
    assert state.players[0].coins == 1


def test_boris_and_a_deed_take_off_two_cards() -> None:
    """Leaders 3, Deed Card Reference 8 [note 3]: never below none."""
    state = scenario(
        leaders=("boris", "agatha"),
        troops={1: {"kiev": 4}},
        leader_at={0: "kiev"},
        deeds={0: ("hire_mercenaries",)},
        goods={0: {"fish": 1, "ore": 1}},
    )
    state = play(turn(state, 0), 0, a.AccomplishDeed("hire_mercenaries"), a.AttackPlayer("kiev", 1))
    assert asked(state) == ((0, "turn"),)


# Maria.


def maria(**more: object) -> State:
    more.setdefault("troops", {0: {"kiev": 1}})
    return scenario(leaders=("maria", "agatha"), leader_at={0: "kiev"}, **more)  # type: ignore[arg-type]


def test_maria_musters_in_an_adjacent_region_without_own_troops() -> None:
    """Leaders 4: enemies and an own stronghold there are no obstacle [note 6]."""
    state = main(maria(rebels=["volyn"], built={("stronghold", "polotsk"): 0}), "muster")
    near = {"polotsk", "volyn", "chernigov", "pereyaslavl"}
    assert {action.region for action in offered(state, 0, a.MusterTroop)} == {"kiev", *near}


def test_maria_musters_in_a_single_region_afar() -> None:
    """Leaders 4: the other points may follow the first there or stay with her."""
    state = play(main(maria(), "muster"), 0, a.MusterTroop("volyn"))
    assert {action.region for action in offered(state, 0, a.MusterTroop)} == {"kiev", "volyn"}
    state = play(state, 0, a.MusterTroop("volyn"), a.MusterTroop("kiev"))
    assert (troops(state, 0, "volyn"), troops(state, 0, "kiev")) == (2, 3)


def test_maria_does_so_once_a_round() -> None:
    """Leaders 4."""
    state = play(main(maria(hands={0: ("muster_2",)}), "muster", 2), 0, a.MusterTroop("volyn"), a.Done())
    state = play(state, 0, a.PlayScheme("muster_2"))
    assert {action.region for action in offered(state, 0, a.MusterTroop)} == {"kiev", "volyn"}
    assert state.players[0].ability_used


def test_maria_does_not_reach_two_regions_far() -> None:
    """Leaders 4: adjacent to Maria, not to any troop."""
    state = main(maria(troops={0: {"novgorod": 1}}), "muster")
    assert a.MusterTroop("rostov") not in legal(state, 0)


def test_mustering_where_one_has_troops_does_not_use_maria_up() -> None:
    """Leaders 4."""
    state = play(main(maria(troops={0: {"volyn": 1}}), "muster"), 0, a.MusterTroop("volyn"))
    assert not state.players[0].ability_used


def test_maria_also_musters_afar_with_a_bonus_action() -> None:
    """Leaders 4: when you muster troops, by whatever means."""
    state = play(turn(maria(hands={0: ("muster_1",)}), 0), 0, a.PlayScheme("muster_1"), a.MusterTroop("volyn"))
    assert troops(state, 0, "volyn") == 1


# Mstislav.


def test_mstislav_taxes_and_builds_for_one_point_whoever_rules() -> None:
    """Leaders 5."""
    state = scenario(leaders=("mstislav", "agatha"), troops={1: {"kiev": 5}}, leader_at={0: "kiev"})
    taxed = act(main(state, "tax", 2), 0, a.CollectGood("kiev"))
    assert told(taxed, e.GoodTaxed)[0].points == 1


def test_mstislav_builds_for_one_point_in_his_region() -> None:
    """Leaders 5."""
    state = scenario(leaders=("mstislav", "agatha"), troops={1: {"kiev": 5}}, leader_at={0: "kiev"})
    step = act(main(state, "build", 2), 0, a.BuildStructure(Structure.MARKET, "kiev"))
    assert told(step, e.StructureBuilt)[0].points == 1


def test_mstislav_pays_two_points_elsewhere() -> None:
    """Leaders 5: only in his region."""
    state = scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}, leader_at={0: "volyn"}, leaders=("mstislav", "agatha"))
    assert state.players[0].leader == MSTISLAV
    assert (cost(state, 0, at("kiev")), cost(state, 0, at("volyn"))) == (2, 1)


# Sudislav.


def sudislav(**more: object) -> State:
    more.setdefault("troops", {0: {"volyn": 1}, 1: {"kiev": 2}})
    return scenario(leaders=("sudislav", "agatha"), leader_at={0: "kiev"}, **more)  # type: ignore[arg-type]


def test_sudislav_musters_with_attack_points_in_his_region_alone() -> None:
    """Leaders 7 [note 6]."""
    state = main(sudislav(), "attack")
    assert offered(state, 0, a.MusterTroop) == [a.MusterTroop("kiev")]


def test_sudislav_may_split_his_points() -> None:
    """Leaders 7: some to attack, some to muster."""
    state = play(main(on_top(sudislav(), 0, "coin_2", "move_2"), "attack"), 0, a.MusterTroop("kiev"))
    state = play(state, 0, a.AttackPlayer("kiev", 1), a.ChooseDeck(0))
    assert (troops(state, 0, "kiev"), troops(state, 1, "kiev")) == (2, 1)


def test_sudislav_may_muster_with_all_points() -> None:
    """Leaders 7: also without anybody to attack."""
    state = play(main(sudislav(troops={}), "attack"), 0, a.MusterTroop("kiev"), a.MusterTroop("kiev"))
    assert troops(state, 0, "kiev") == 3


def test_sudislav_musters_with_the_attack_point_of_a_scheme() -> None:
    """Leaders 7: any attack points."""
    state = turn(sudislav(hands={0: ("attack_1",)}), 0)
    state = play(state, 0, a.PlayScheme("attack_1"), a.MusterTroop("kiev"))
    assert troops(state, 0, "kiev") == 2


def test_sudislav_needs_a_troop_in_the_supply() -> None:
    """Leaders 7, Muster 1."""
    state = main(sudislav(troops={0: {"volyn": 12}}), "attack")
    assert not offered(state, 0, a.MusterTroop)


def test_a_church_may_be_built_beside_sudislav() -> None:
    """Leaders 1: abilities of leaders do not bar structures."""
    state = play(main(sudislav(), "build"), 0, a.BuildStructure(Structure.CHURCH, "kiev"))
    assert state.built[CHURCH][at("kiev")] == 0
    assert state.rebels[at("kiev")] == NONE
