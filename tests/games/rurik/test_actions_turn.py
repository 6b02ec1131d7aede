"""Rule on turns of the action phase and on who rules a region (2. Action Phase, Ruling Regions)."""

import pytest

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import REGIONS, SPACES
from engine.games.rurik.flow import ActionPhase, StrategyPhase
from engine.games.rurik.ids import COLUMNS, NONE, Column, Phase
from engine.games.rurik.state import occupied, ruler
from tests.games.rurik.scenario import act, asked, at, legal, offered, place, play, ready, scenario, told, troops, turn

C = Column


# Ruling Regions.


def test_example_a_two_troops_against_one_troop_and_one_rebel_rule() -> None:
    """Ruling Regions 2, Example A: blue has two troops in Galich, maroon one, the rebels one."""
    state = scenario(3, troops={0: {"galich": 2}, 1: {"galich": 1}}, rebels=["galich"])
    assert ruler(state, at("galich")) == 0


def test_others_are_compared_separately() -> None:
    """Ruling Regions 1: two against one and one and a rebel still rules."""
    state = scenario(3, troops={0: {"kiev": 2}, 1: {"kiev": 1}, 2: {"kiev": 1}}, rebels=["kiev"])
    assert ruler(state, at("kiev")) == 0


def test_a_tie_between_players_means_nobody_rules() -> None:
    """Ruling Regions 1."""
    state = scenario(3, troops={0: {"kiev": 2}, 1: {"kiev": 2}, 2: {"kiev": 1}})
    assert ruler(state, at("kiev")) == NONE


def test_a_tie_with_the_rebels_means_nobody_rules() -> None:
    """Ruling Regions 1: more troops than the rebels are needed."""
    state = scenario(troops={0: {"kiev": 1}}, rebels=["kiev"])
    assert ruler(state, at("kiev")) == NONE


def test_a_tie_among_the_weaker_does_not_matter() -> None:
    """Ruling Regions 1."""
    state = scenario(3, troops={0: {"kiev": 3}, 1: {"kiev": 2}, 2: {"kiev": 2}})
    assert ruler(state, at("kiev")) == 0


def test_a_leader_counts_as_a_troop_for_rule() -> None:
    """Leaders 1, Ruling Regions 1."""
    state = scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}, leader_at={0: "kiev"})
    assert ruler(state, at("kiev")) == 0


def test_an_own_stronghold_counts_as_a_troop_for_rule() -> None:
    """Build 8."""
    state = scenario(troops={0: {"kiev": 1}, 1: {"kiev": 1}}, built={("stronghold", "kiev"): 0})
    assert ruler(state, at("kiev")) == 0


def test_a_lone_stronghold_rules_an_empty_region() -> None:
    """Build 8 [note 2]: it counts for rule without any troop."""
    state = scenario(built={("stronghold", "kiev"): 1})
    assert ruler(state, at("kiev")) == 1


def test_churches_and_markets_do_not_count_for_rule() -> None:
    """Build 6, 7."""
    state = scenario(built={("church", "kiev"): 0, ("market", "kiev"): 0})
    assert ruler(state, at("kiev")) == NONE


# Turns.


def test_seats_take_turns_until_all_advisors_are_resolved() -> None:
    """2. Action Phase 1: clockwise from the first player, one advisor a turn; a seat without one is passed over."""
    state = scenario(3, first_player=1)
    for column, seat, number in (("muster", 1, 1), ("tax", 1, 2), ("move", 2, 1), ("build", 0, 1), ("scheme", 0, 4)):
        place(state, column, 2, seat, number)
    ready(state, ActionPhase(1))
    order = []
    while state.phase == Phase.ACTION:
        seat = asked(state)[0][0]
        order.append(seat)
        state = act(state, seat, offered(state, seat, a.ForfeitAction)[0]).state
    assert order == [1, 2, 0, 1, 0]
    assert state.phase == Phase.CLAIM


def test_the_lowest_number_resolves_first() -> None:
    """Resolving Advisors 1, Power vs. Initiative 2."""
    state = scenario()
    place(state, "muster", 1, 0, 4)
    place(state, "tax", 2, 0, 2)
    state = turn(state, 0, "build", 3, 1)
    assert offered(state, 0, a.ForfeitAction) == [a.ForfeitAction(C.BUILD, 3)]


def test_of_two_equal_numbers_the_owner_chooses() -> None:
    """Resolving Advisors 1: the other one follows on the next turn."""
    state = scenario()
    place(state, "tax", 1, 0, 2)
    state = turn(state, 0, "build", 1, 2)
    assert offered(state, 0, a.ForfeitAction) == [a.ForfeitAction(C.TAX, 1), a.ForfeitAction(C.BUILD, 1)]
    state = act(state, 0, a.ForfeitAction(C.BUILD, 1)).state
    assert state.columns[COLUMNS.index("build")][0][0] == NONE
    assert state.columns[COLUMNS.index("tax")][0] == (0, 2, 0)


def test_a_resolved_advisor_leaves_its_space_and_nobody_moves_up() -> None:
    """Resolving Advisors 1: the advisors below stay where they are."""
    state = scenario()
    place(state, "build", 2, 1, 4)
    state = act(turn(state, 0, "build", 1), 0, a.ForfeitAction(C.BUILD, 1)).state
    assert a.ForfeitAction(C.BUILD, 2) in legal(state, 1)


def test_the_coins_of_a_bribe_go_to_the_supply() -> None:
    """Resolving Advisors 1: not back to their owner."""
    state = turn(scenario(coins={0: 1}), 0, "move", 1)
    place(state, "move", 1, 0, 1, coins=4)
    state = act(ready(state, *state.flow.stack[1:]), 0, a.ForfeitAction(C.MOVE, 1)).state
    assert state.players[0].coins == 2


def test_a_coin_cost_is_paid_before_the_action() -> None:
    """Taking Actions 10 (Coin Costs)."""
    state = turn(scenario(troops={0: {"kiev": 1}}, coins={0: 1}), 0, "muster", 3)
    step = act(state, 0, a.TakeAction(C.MUSTER, 3))
    assert step.state.players[0].coins == 0
    assert asked(step.state) == ((0, "muster"),)
    assert told(step, e.ActionTaken)[0].cost == 1


def test_two_coins_are_asked_by_the_lowest_attack_and_build_spaces_for_many() -> None:
    """Taking Actions 10: one or two coins."""
    dear = {(COLUMNS[c], s.row) for c in range(6) for s in SPACES[4][c] if s.coin_cost == 2}
    assert dear == {("attack", 4), ("build", 4)}
    assert not any(s.coin_cost == 2 for column in SPACES[2] for s in column)


def test_who_cannot_pay_the_coin_cost_must_forfeit() -> None:
    """Taking Actions 11 (Forfeited Actions)."""
    state = turn(scenario(4, coins={0: 1}), 0, "attack", 4)
    assert not offered(state, 0, a.TakeAction)
    assert offered(state, 0, a.ForfeitAction)


def test_a_forfeit_brings_one_coin_instead_of_the_action() -> None:
    """Taking Actions 11 (Forfeited Actions): also by choice."""
    state = turn(scenario(troops={0: {"kiev": 1}}, coins={0: 3}), 0, "muster", 1)
    state = act(state, 0, a.ForfeitAction(C.MUSTER, 1)).state
    assert state.players[0].coins == 4
    assert troops(state, 0, "kiev") == 1


def test_a_forfeit_of_the_top_scheme_space_moves_no_marker() -> None:
    """Taking Actions 11, Scheme 3 [note 2]: the space is not taken."""
    state = turn(scenario(marker=1), 0, "scheme", 1)
    state = act(state, 0, a.ForfeitAction(C.SCHEME, 1)).state
    assert state.marker == 1
    assert asked(state) == ((1, "turn"),)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("muster", "muster"),
        ("move", "move"),
        ("attack", "attack"),
        ("tax", "turn"),
        ("build", "turn"),
        ("scheme", "draw_schemes"),
    ],
)
def test_each_column_gives_its_main_action(column: str, kind: str) -> None:
    """Taking Actions 1-8: the action of the space that the advisor stands on."""
    state = scenario(troops={0: {"kiev": 2, "volyn": 2}, 1: {"kiev": 1}})
    state = act(turn(state, 0, column, 2), 0, a.TakeAction(C(column), 2)).state
    assert asked(state) == ((0, kind),)


@pytest.mark.parametrize("column", ["muster", "move", "attack", "tax", "build", "scheme"])
def test_higher_spaces_give_at_least_as_much_for_no_more(column: str) -> None:
    """Power vs. Initiative 1: high power gains better actions."""
    for seats in (2, 3, 4):
        spaces = SPACES[seats][COLUMNS.index(column)]
        assert [s.icons for s in spaces] == sorted((s.icons for s in spaces), reverse=True)
        assert [s.coin_cost for s in spaces] == sorted(s.coin_cost for s in spaces)


def test_a_main_action_is_taken_once_a_turn() -> None:
    """Taking Actions 1: one advisor a turn."""
    state = scenario(troops={0: {"kiev": 1}})
    place(state, "tax", 1, 0, 2)
    state = turn(state, 0, "muster", 1)
    state = play(state, 0, a.TakeAction(C.MUSTER, 1), a.Done())
    assert asked(state) == ((1, "turn"),)


# No troops.


def test_without_troops_the_leader_and_a_troop_may_come_back_anywhere() -> None:
    """Taking Actions 9: immediately before resolving the next advisor, in any one region in play."""
    state = turn(scenario(troops={1: {"kiev": 2}}, rebels=["volyn"]), 0, "muster", 1)
    assert offered(state, 0, a.RecoverTroops) == [a.RecoverTroops(r) for r in REGIONS[:8]]
    state = act(state, 0, a.RecoverTroops("kiev")).state
    assert troops(state, 0, "kiev") == 2
    assert state.players[0].leader_at == at("kiev")
    assert state.players[0].supply == 11
    assert a.TakeAction(C.MUSTER, 1) in legal(state, 0)
    assert not offered(state, 0, a.RecoverTroops)


def test_coming_back_is_a_choice() -> None:
    """Taking Actions 9: they may."""
    state = turn(scenario(), 0, "scheme", 2)
    assert a.TakeAction(C.SCHEME, 2) in legal(state, 0)


def test_who_has_a_leader_on_the_board_cannot_come_back() -> None:
    """Taking Actions 9, Leaders 1: a leader is a troop."""
    state = turn(scenario(leader_at={0: "kiev"}), 0, "scheme", 2)
    assert not offered(state, 0, a.RecoverTroops)


def test_a_lone_structure_is_no_troop() -> None:
    """Taking Actions 9, Build 8 [note 2]: a stronghold does not occupy."""
    state = turn(scenario(built={("stronghold", "kiev"): 0}), 0, "scheme", 2)
    assert offered(state, 0, a.RecoverTroops)


def test_after_resolving_the_advisor_nobody_comes_back() -> None:
    """Taking Actions 9: before resolving, not after."""
    state = turn(scenario(hands={0: ("coin_2",)}), 0, resolved=True)
    assert not offered(state, 0, a.RecoverTroops)


def test_nobody_comes_back_twice_in_a_turn() -> None:
    """Taking Actions 9: troops that came back and went for a deed come back before the next advisor, not this one."""
    state = turn(scenario(deeds={0: ("peace_maker",)}), 0, "scheme", 2)
    state = play(state, 0, a.RecoverTroops("kiev"), a.AccomplishDeed("peace_maker"), a.ChooseDeck(0))
    state = act(state, 0, offered(state, 0, a.KeepScheme)[0]).state
    assert asked(state) == ((0, "turn"),)
    assert not occupied(state.players[0])
    assert not offered(state, 0, a.RecoverTroops)


def test_who_gives_the_last_troops_away_in_a_turn_comes_back_before_the_next_advisor() -> None:
    """Taking Actions 1, 9: bonus actions belong to the advisor being resolved; coming back comes before the next."""
    state = scenario(troops={0: {"kiev": 2}}, deeds={0: ("retire_veterans",)})
    place(state, "tax", 1, 0, 4)
    state = turn(state, 0, "muster", 1)
    state = play(state, 0, a.AccomplishDeed("retire_veterans"), a.ChooseDeck(0))
    state = act(state, 0, offered(state, 0, a.KeepScheme)[0]).state
    assert not occupied(state.players[0])
    assert not offered(state, 0, a.RecoverTroops)
    state = play(state, 0, a.ForfeitAction(C.MUSTER, 1), a.EndTurn())
    state = play(state, 1, a.ForfeitAction(C.SCHEME, 3))
    assert asked(state) == ((0, "turn"),)
    assert a.RecoverTroops("volyn") in legal(state, 0)


def test_who_comes_back_may_take_a_bonus_action_before() -> None:
    """Taking Actions 9 [ours]: the board is as empty after it."""
    state = turn(scenario(hands={0: ("coin_2",)}), 0, "scheme", 2)
    assert a.RecoverTroops("kiev") in legal(act(state, 0, a.PlayScheme("coin_2")).state, 0)


# Nobody answers.


def test_a_seat_that_does_not_answer_takes_its_action_without_spending_and_ends_its_turn() -> None:
    """Taking Actions 1 [ours]: the default is legal, plays no card and stops at once."""
    state = turn(scenario(troops={0: {"kiev": 1}}, hands={0: ("coin_2",)}), 0, "muster", 1)
    taken = []
    while asked(state)[0][0] == 0:
        taken.append(RULES.default_action(state, 0))
        assert taken[-1] in legal(state, 0)
        state = act(state, 0, taken[-1]).state
    assert taken == [a.TakeAction(C.MUSTER, 1), a.Done(), a.EndTurn()]


def test_a_seat_that_does_not_answer_gives_no_bribe() -> None:
    """Adding Bribes 1 [ours]."""
    state = ready(scenario(phase=Phase.STRATEGY), StrategyPhase(0))
    state = act(state, 0, RULES.default_action(state, 0)).state
    assert RULES.default_action(state, 0) == a.AddBribe(0)
