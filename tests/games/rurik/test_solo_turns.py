"""Solo Mode: 2. Action Phase (Rebellion): Resolving Advisors and Taking Actions."""

import pytest

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.automa import RebellionTurn, open_bonuses
from engine.games.rurik.data import MATS, REBELLION_CARDS, REBELLION_TROOPS
from engine.games.rurik.flow import ActionPhase
from engine.games.rurik.ids import COLUMNS, NONE, Column, Difficulty
from engine.games.rurik.state import State
from tests.games.rurik.scenario import asked, at, legal, place, play
from tests.games.rurik.solo import CARDS, REBELLION, YOU, Played, let, on_board, solo, the

ANYWHERE = {REBELLION: {"kiev": 2, "volyn": 1}}


def resolve(state: State, column: str, row: int = 1, advisor: int = 1) -> Played:
    return let(place(state, column, row, REBELLION, advisor), RebellionTurn(REBELLION))


def test_the_bottom_card_goes_to_the_top_on_each_turn() -> None:
    """Resolving Advisors: move the bottom card of the rebellion deck to the top."""
    state = solo(card=3, bottom=9, troops=ANYWHERE)
    below = the(state).deck[1]
    played = resolve(state, "scheme")
    assert played.told(e.CardTurned) == [e.CardTurned(REBELLION, 9)]
    deck = the(played.state)
    assert (deck.deck[-1], deck.deck[-2], deck.deck[0]) == (8, 2, below)
    assert (deck.turned, deck.rows) == (1, 0)
    assert sorted(deck.deck) == list(range(CARDS))


def test_the_deck_is_never_shuffled_again() -> None:
    """[note 7]: nineteen turns in a game turn every card once and the first one twice."""
    state = solo(troops=ANYWHERE)
    order = [REBELLION_CARDS[i].number for i in the(state).deck]
    turned = []
    for _ in range(19):
        played = resolve(state, "scheme")
        state = played.state
        turned += [event.card for event in played.told(e.CardTurned)]
    assert turned == [*order, order[0]]
    assert state.rng.counters == solo(troops=ANYWHERE).rng.counters


def test_cards_turned_are_public_and_those_to_come_are_not() -> None:
    """Rebellion Setup 3: the deck lies face up: what has been on top is known in its order."""
    state = solo(card=3, bottom=9, troops=ANYWHERE)
    played = resolve(state, "scheme")
    shown = RULES.observe(played.state, YOU).table.rebellion
    assert shown is not None
    assert (shown.top_card, shown.seen_cards) == (9, (9, 3))


def test_the_lowest_number_resolves_first() -> None:
    """Resolving Advisors: the advisor with the fastest initiative, bribes notwithstanding."""
    state = solo(troops=ANYWHERE)
    place(state, "muster", 1, REBELLION, 4)
    place(state, "move", 1, YOU, 1)
    place(state, "move", 2, REBELLION, 2, 3)
    played = let(state, RebellionTurn(REBELLION))
    assert played.steps[0] == a.TakeAction(Column.MOVE, 2)
    assert [placed[0] for placed in played.state.columns[1]] == [YOU, NONE]


def test_of_two_equal_numbers_the_leftmost_resolves_first() -> None:
    """Resolving Advisors: the leftmost column now, the other one on the next turn."""
    state = solo(troops=ANYWHERE)
    place(state, "scheme", 1, REBELLION, 2)
    place(state, "muster", 2, REBELLION, 2)
    played = let(state, RebellionTurn(REBELLION))
    assert played.steps[0] == a.TakeAction(Column.MUSTER, 2)
    assert let(played.state, RebellionTurn(REBELLION)).steps[0] == a.TakeAction(Column.SCHEME, 1)


def test_turns_alternate_from_the_person_on() -> None:
    """Action Phase: clockwise from the first player, who is the person."""
    state = solo(troops={YOU: {"rostov": 1}, **ANYWHERE})
    place(state, "scheme", 1, YOU, 1)
    place(state, "muster", 1, REBELLION, 1)
    place(state, "tax", 1, REBELLION, 2)
    state = let(state, ActionPhase(YOU)).state
    assert asked(state) == ((YOU, "turn"),)
    state = play(state, YOU, a.ForfeitAction(Column.SCHEME, 1))
    assert asked(state) == ((REBELLION, "rebellion_turn"),)
    played = let(state)
    assert [step.column for step in played.steps if isinstance(step, a.TakeAction)] == ["muster", "tax"]


def test_an_action_whose_coin_cost_cannot_be_paid_is_forfeited_for_a_coin() -> None:
    """Resolving Advisors: they cannot pay its coin cost."""
    played = resolve(solo(troops=ANYWHERE, coins={REBELLION: 0}), "muster", row=3)
    assert played.steps == [a.ForfeitAction(Column.MUSTER, 3)]
    assert played.state.players[REBELLION].coins == 1
    assert on_board(played.state) == {"kiev": 2, "volyn": 1}


def test_a_coin_cost_is_paid_when_there_are_just_enough_coins() -> None:
    """Resolving Advisors: one coin pays a cost of one."""
    state = solo(troops=ANYWHERE, leader_at={REBELLION: "kiev"}, coins={REBELLION: 1})
    played = resolve(state, "muster", row=3)
    assert played.steps[0] == a.TakeAction(Column.MUSTER, 3)
    assert played.state.players[REBELLION].coins == 0
    assert played.told(e.CoinsSpent) == [e.CoinsSpent(REBELLION, 1)]


def test_muster_out_of_troops_is_forfeited() -> None:
    """Resolving Advisors: they are out of troops; a Sviatopolk off the board is a troop to muster."""
    everywhere = {REBELLION: {"kiev": REBELLION_TROOPS}}
    out = resolve(solo(troops=everywhere, leader_at={REBELLION: "kiev"}), "muster")
    assert out.steps == [a.ForfeitAction(Column.MUSTER, 1)]
    leader = resolve(solo(troops=everywhere), "muster")
    assert leader.steps == [a.TakeAction(Column.MUSTER, 1), a.MusterLeader("kiev")]


def test_move_without_a_troop_to_spare_is_forfeited() -> None:
    """Resolving Advisors: they cannot take the action."""
    state = solo(troops={REBELLION: {"kiev": 1, "volyn": 1}}, leader_at={REBELLION: "rostov"})
    assert resolve(state, "move").steps == [a.ForfeitAction(Column.MOVE, 1)]


def test_attack_without_a_target_is_forfeited() -> None:
    """Resolving Advisors: nobody of the person, no neutral troop in a region that they occupy."""
    state = solo(troops={YOU: {"rostov": 1}, **ANYWHERE}, neutrals={"rostov": 1})
    assert resolve(state, "attack").steps == [a.ForfeitAction(Column.ATTACK, 1)]


def test_tax_without_a_good_in_reach_is_forfeited() -> None:
    """Resolving Advisors: no good in a region that they occupy, or not enough points for it."""
    state = solo(troops=ANYWHERE, taxed=("kiev", "volyn"))
    assert resolve(state, "tax").steps == [a.ForfeitAction(Column.TAX, 1)]
    state = solo(troops={REBELLION: {"kiev": 1}}, neutrals={"kiev": 1})
    assert resolve(state, "tax", row=2).steps == [a.ForfeitAction(Column.TAX, 2)]
    state = solo(troops={REBELLION: {"kiev": 1}}, neutrals={"kiev": 1}, unlocked=(("rule", 0),))
    assert resolve(state, "tax", row=2).steps == [a.TakeAction(Column.TAX, 2), a.CollectGood("kiev")]


def test_build_without_room_is_forfeited() -> None:
    """Resolving Advisors: every structure of the region stands already."""
    built = {(structure, "kiev"): YOU for structure in ("church", "market", "stronghold")}
    state = solo(troops={REBELLION: {"kiev": 3}}, built=built)
    assert resolve(state, "build").steps == [a.ForfeitAction(Column.BUILD, 1)]


def test_a_forfeit_brings_no_bonus() -> None:
    """[note 7]: none on a forfeit. The medium mat has a coin for muster from the start."""
    state = solo("medium", troops=ANYWHERE, coins={REBELLION: 0})
    played = resolve(state, "muster", row=3)
    assert played.state.players[REBELLION].coins == 1
    assert played.told(e.BonusGained) == []


def test_the_rebellion_takes_no_bonus_actions() -> None:
    """Taking Actions: no schemes, deeds or conversions, whatever it has."""
    state = solo(troops=ANYWHERE, goods={REBELLION: {"wood": 3, "honey": 3}}, coins={REBELLION: 9})
    played = resolve(state, "muster", row=2)
    assert [type(step) for step in played.steps] == [a.TakeAction, a.MusterLeader, a.MusterTroop, a.MusterTroop]
    assert played.state.players[REBELLION].goods == state.players[REBELLION].goods
    assert asked(played.state) == ()


def test_every_open_bonus_of_the_action_is_gained_from_all_columns() -> None:
    """Taking Actions: all unlocked bonuses that correspond with the main action, not those of others."""
    state = solo("hard", unlocked=(("attack", 1), ("build", 3), ("rule", 1)))
    found = [(space.bonus, space.amount) for space in open_bonuses(state, COLUMNS.index(Column.ATTACK))]
    assert found == [("reveal_less", 1), ("attack_points", 1), ("attack_points", 1)]
    found = [(space.bonus, space.amount) for space in open_bonuses(state, COLUMNS.index(Column.BUILD))]
    assert found == [("movement_points", 1)]


def test_a_bonus_under_a_coin_is_locked() -> None:
    """Rebellion Setup 6, Taking Actions."""
    played = resolve(solo("easy", troops=ANYWHERE, leader_at={REBELLION: "kiev"}), "tax", row=2)
    assert played.told(e.BonusGained) == []
    assert len(played.steps) == 2


def test_a_space_that_never_had_a_coin_is_open_from_the_start() -> None:
    """Rebellion Setup 6: the easy mat gives a muster point more, always."""
    played = resolve(solo("easy", troops=ANYWHERE, leader_at={REBELLION: "kiev"}), "muster", row=2)
    assert played.told(e.BonusGained) == [e.BonusGained(REBELLION, "muster_points", 1)]
    assert len(played.told(e.TroopMustered)) == 3


def test_a_bonus_movement_point_comes_before_the_main_action() -> None:
    """Taking Actions, NOTE: hard mat, a movement point with each muster."""
    state = solo("hard", card=2, bottom=1, troops={REBELLION: {"kiev": 3}}, leader_at={REBELLION: "rostov"})
    played = resolve(state, "muster", row=2)
    assert [type(step) for step in played.steps] == [a.TakeAction, a.RelocateTroop, a.MusterTroop, a.MusterTroop]
    assert played.steps[1] == a.RelocateTroop("kiev", "volyn")


def test_a_bonus_movement_point_of_a_move_is_one_more_point() -> None:
    """Taking Actions: easy mat, third space of the build column."""
    state = solo(
        card=2, bottom=1, troops={REBELLION: {"kiev": 6}}, leader_at={REBELLION: "kiev"}, unlocked=(("build", 2),)
    )
    played = resolve(state, "move", row=3)
    assert len(played.told(e.TroopMoved)) == 2


def test_a_bonus_movement_point_that_nobody_can_use_is_lost() -> None:
    """Taking Actions, NOTE: the main action follows all the same."""
    state = solo("hard", troops={REBELLION: {"kiev": 1}}, leader_at={REBELLION: "volyn"})
    played = resolve(state, "muster", row=2)
    assert [type(step) for step in played.steps] == [a.TakeAction, a.MusterTroop, a.MusterTroop]


def test_bonus_coins_are_gained_with_the_action() -> None:
    """Taking Actions: medium mat, a coin with each muster."""
    state = solo("medium", troops=ANYWHERE, leader_at={REBELLION: "kiev"}, coins={REBELLION: 0})
    assert resolve(state, "muster", row=2).state.players[REBELLION].coins == 1


def test_bonus_coins_cannot_pay_for_the_space_that_brings_them() -> None:
    """Coin Costs: paid before the action is taken."""
    state = solo("medium", troops=ANYWHERE, coins={REBELLION: 0})
    assert resolve(state, "muster", row=3).steps == [a.ForfeitAction(Column.MUSTER, 3)]


@pytest.mark.parametrize("difficulty", Difficulty)
def test_every_bonus_of_every_mat_has_its_effect(difficulty: Difficulty) -> None:
    """Taking Actions; the four mats: with all coins gone each action brings every bonus printed for it."""
    unlocked = tuple(
        (priority, space)
        for priority, column in zip(("attack", "build", "rule"), MATS[difficulty].columns, strict=True)
        for space in range(len(column))
    )
    for column in Column:
        state = solo(
            difficulty,
            troops={YOU: {"kiev": 3}, REBELLION: {"kiev": 5, "volyn": 3, "polotsk": 2}},
            leader_at={REBELLION: "kiev"},
            unlocked=unlocked,
        )
        printed = [s for spaces in MATS[difficulty].columns for s in spaces if s.on_action is column]
        played = resolve(state, column, row=2)
        assert sorted((event.bonus, event.amount) for event in played.told(e.BonusGained)) == sorted(
            (space.bonus, space.amount) for space in printed
        )
        moves = sum(space.amount for space in printed if space.bonus == "movement_points")
        coins = sum(space.amount for space in printed if space.bonus == "coins")
        assert len(played.told(e.TroopMoved)) == moves + (2 if column is Column.MOVE else 0)
        assert sum(event.coins for event in played.told(e.CoinsGained)) == coins


def test_a_rebellion_without_troops_comes_back_in_the_first_region_of_its_card() -> None:
    """Taking Actions of the standard rules, NOTE: leader and one troop in any one region before the next advisor."""
    state = solo(bottom=4)
    first = REBELLION_CARDS[3].location_order[0]
    place(state, "muster", 2, REBELLION, 1)
    played = let(state, RebellionTurn(REBELLION))
    assert isinstance(played.steps[0], a.RecoverTroops)
    assert at(played.steps[0].region) == first
    assert played.steps[1] == a.TakeAction(Column.MUSTER, 2)
    assert played.state.players[REBELLION].leader_at == first
    assert played.state.players[REBELLION].troops[first] == 4


def test_every_step_of_the_rebellion_offers_exactly_one_move_marked_as_automa() -> None:
    """Taking Actions: the cards leave no choice."""
    state = place(solo(troops=ANYWHERE), "muster", 1, REBELLION, 1)
    state = let(state.clone(), RebellionTurn(REBELLION)).state
    assert asked(state) == ()
    for seed in range(5):
        state = RULES.initial_state(RULES.config(2, {"automa": {0: "hard"}, "leaders": "random"}), seed)
        while RULES.pending(state):
            (decision, *_) = RULES.pending(state)
            assert decision.automa is (decision.seat == 0)
            if decision.automa:
                assert len(legal(state, 0)) == 1
            RULES.advance(state, decision.seat, legal(state, decision.seat)[0])
