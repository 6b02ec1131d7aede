"""Solo Mode: 1. Strategy Phase (Rebellion)."""

from typing import Any

from engine.core import frames
from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.automa import Placement
from engine.games.rurik.data import REBELLION_CARDS
from engine.games.rurik.flow import StrategyPhase
from engine.games.rurik.ids import COLUMNS, PRIORITIES, Column, Phase
from engine.games.rurik.state import State
from tests.games.rurik.scenario import asked, legal, place, play
from tests.games.rurik.solo import CARDS, REBELLION, YOU, let, solo, the


def at_row(advisor: int, action: str, *, bribe: bool, **named: Any) -> State:
    """Return a state whose next row of the bottom card reads as asked for, in the last round."""
    for card in REBELLION_CARDS:
        for priority, rows in zip(PRIORITIES, card.strategy, strict=True):
            for index, cell in enumerate(rows):
                if (cell.advisor, cell.action, cell.bribe_to_top) == (advisor, action, bribe):
                    top = 1 + card.number % CARDS
                    state = solo(bottom=card.number, card=top, priority=priority, round_=4, **named)
                    the(state).rows = index
                    state.players[REBELLION].advisors = [advisor]
                    return state
    raise LookupError((advisor, action, bribe))


def fill(state: State, name: str, *numbers: int) -> None:
    """Put three advisors of the person in a column."""
    for row, number in enumerate(numbers, start=1):
        place(state, name, row, YOU, number)


def column(state: State, name: str) -> tuple[tuple[int, int, int], ...]:
    return state.columns[COLUMNS.index(name)]


def test_the_bottom_card_is_read_in_the_column_of_the_priority() -> None:
    """Strategy Phase, first paragraph; Placing Advisors: card 18 in its three priorities."""
    first = {"attack": "scheme", "build": "move", "rule": "scheme"}
    for priority, action in first.items():
        played = let(solo(bottom=18, priority=priority, in_hand=True), Placement(REBELLION))
        assert played.steps == [a.PlaceAdvisor(1, Column(action))]


def test_the_person_and_the_rebellion_place_in_turn_the_person_first() -> None:
    """Placing Advisors: when it is the Rebellion's turn; Gameplay Differences: the person is first player."""
    state = solo(in_hand=True, phase=Phase.STRATEGY, coins={YOU: 0, REBELLION: 0})
    state = let(state, StrategyPhase(YOU)).state
    for _ in range(4):
        assert asked(state) == ((YOU, "place_advisor"),)
        state = play(state, YOU, legal(state, YOU)[0])
        assert asked(state) == ((REBELLION, "rebellion_placement"),)
        state = let(state).state
    assert asked(state) == ()
    assert sum(len(placed) for placed in state.columns) == 8


def test_a_placement_is_asked_of_the_automa_though_it_has_one_option() -> None:
    """Strategy Phase: each printed step is a decision of the Rebellion's seat."""
    state = solo(bottom=18, in_hand=True)
    state.flow.stack = [StrategyPhase(REBELLION)]
    frames.start(state)
    (decision,) = RULES.pending(state)
    assert decision.automa
    assert len(legal(state, REBELLION)) == 1


def test_an_advisor_with_an_asterisk_is_skipped_while_locked() -> None:
    """Placing Advisors: reveal the next advisor instead. Card 15 begins with a locked 2, then a 1."""
    played = let(solo(bottom=15, in_hand=True, round_=2), Placement(REBELLION))
    assert played.steps[0].advisor == 1
    assert the(played.state).rows == 2
    played = let(solo(bottom=15, in_hand=True, round_=3), Placement(REBELLION))
    assert played.steps[0].advisor == 2
    assert the(played.state).rows == 1


def test_the_rows_read_and_no_others_are_public() -> None:
    """Placing Advisors: the card is slid down just enough to reveal the next advisor."""
    state = let(solo(bottom=15, in_hand=True, round_=1), Placement(REBELLION)).state
    shown = RULES.observe(state, YOU).table.rebellion
    assert shown is not None
    assert [row.advisor for row in shown.rows_read] == [2, 1]
    assert shown.seen_cards == (1,)


def test_three_columns_are_no_rule_for_the_rebellion() -> None:
    """[note 7]: it may stand twice in a column from the start. Card 2 in build priority: build, tax, build."""
    rounds = let(solo(bottom=2, priority="build", in_hand=True), *(Placement(REBELLION) for _ in range(3)))
    assert [step.column for step in rounds.steps if isinstance(step, a.PlaceAdvisor)] == ["build", "tax", "build"]


def test_from_a_full_column_an_advisor_goes_to_the_next_one_on_the_right() -> None:
    """Placing Advisors: the next available column to the right."""
    state = at_row(1, "move", bribe=False)
    fill(state, "move", 5, 4, 3)
    fill(state, "attack", 2, 2, 1)
    assert let(state, Placement(REBELLION)).steps == [a.PlaceAdvisor(1, Column.TAX)]


def test_to_the_right_of_scheme_comes_muster() -> None:
    """Placing Advisors: this may require wrapping around the strategy board."""
    state = at_row(1, "scheme", bribe=False)
    fill(state, "scheme", 5, 4, 3)
    assert let(state, Placement(REBELLION)).steps == [a.PlaceAdvisor(1, Column.MUSTER)]


def test_a_coin_on_the_card_buys_exactly_the_top_space() -> None:
    """Adding Bribes, first case. [note 7]: power counts with bribes, strongest power - number + 1."""
    state = at_row(5, "build", bribe=True, coins={REBELLION: 9})
    place(state, "build", 1, YOU, 5, 3)
    place(state, "build", 2, YOU, 4)
    played = let(state, Placement(REBELLION))
    assert played.steps == [a.PlaceAdvisor(5, Column.BUILD), a.AddBribe(4)]
    assert column(played.state, "build")[0] == (REBELLION, 5, 4)
    assert played.state.players[REBELLION].coins == 5
    assert played.told(e.AdvisorPlaced) == [e.AdvisorPlaced(REBELLION, 5, Column.BUILD, 1, 4)]


def test_no_coin_is_added_when_the_top_space_needs_none() -> None:
    """Adding Bribes, first case: in some cases zero coins."""
    state = at_row(5, "build", bribe=True, coins={REBELLION: 9})
    place(state, "build", 1, YOU, 4)
    assert let(state.clone(), Placement(REBELLION)).steps == [a.PlaceAdvisor(5, Column.BUILD)]
    state.columns = [()] * 6
    assert let(state, Placement(REBELLION)).steps == [a.PlaceAdvisor(5, Column.BUILD)]


def test_no_coin_is_added_when_the_top_space_is_too_dear() -> None:
    """Adding Bribes: if they have enough coins; otherwise they will not bribe, not even for a lower space."""
    state = at_row(5, "build", bribe=True, coins={REBELLION: 3})
    place(state, "build", 1, YOU, 5, 3)
    played = let(state, Placement(REBELLION))
    assert played.steps == [a.PlaceAdvisor(5, Column.BUILD)]
    assert column(played.state, "build")[1] == (REBELLION, 5, 0)


def test_the_top_is_bought_over_an_own_advisor_too() -> None:
    """Adding Bribes, first case: as many coins as are needed for the top space, whoever stands there."""
    state = at_row(4, "attack", bribe=True, coins={REBELLION: 3})
    place(state, "attack", 1, REBELLION, 5)
    assert let(state, Placement(REBELLION)).steps[1:] == [a.AddBribe(2)]


def test_after_a_diversion_the_coin_of_the_card_does_not_count() -> None:
    """[note 7]: a bribe for the top is tied to the printed column."""
    state = at_row(5, "build", bribe=True, coins={REBELLION: 9})
    fill(state, "build", 4, 3, 2)
    place(state, "scheme", 1, YOU, 5, 3)
    assert let(state, Placement(REBELLION)).steps == [a.PlaceAdvisor(5, Column.SCHEME)]


def test_one_coin_puts_an_advisor_above_an_equal_one_of_the_person() -> None:
    """Adding Bribes, second case."""
    state = at_row(1, "move", bribe=False, coins={REBELLION: 1})
    place(state, "move", 1, YOU, 4)
    place(state, "move", 2, YOU, 1)
    played = let(state, Placement(REBELLION))
    assert played.steps == [a.PlaceAdvisor(1, Column.MOVE), a.AddBribe(1)]
    assert column(played.state, "move") == ((YOU, 4, 0), (REBELLION, 1, 1), (YOU, 1, 0))


def test_one_coin_is_added_on_equal_power_not_on_equal_numbers() -> None:
    """Adding Bribes, second case: the same power; the person's bribe counts."""
    state = at_row(4, "move", bribe=False, coins={REBELLION: 2})
    place(state, "move", 1, YOU, 4, 1)
    assert len(let(state.clone(), Placement(REBELLION)).steps) == 1
    state.columns = [()] * 6
    place(state, "move", 1, YOU, 2, 2)
    assert let(state, Placement(REBELLION)).steps[1:] == [a.AddBribe(1)]


def test_an_equal_own_advisor_is_no_reason_to_bribe() -> None:
    """Adding Bribes, second case: one of your advisors."""
    state = at_row(2, "move", bribe=False, coins={REBELLION: 2})
    state.players[REBELLION].advisors = [2, 2]
    place(state, "move", 1, REBELLION, 2)
    assert len(let(state, Placement(REBELLION)).steps) == 1


def test_without_a_coin_equal_power_stays_below() -> None:
    """Adding Bribes: if they have enough coins."""
    state = at_row(1, "move", bribe=False, coins={REBELLION: 0})
    place(state, "move", 1, YOU, 1)
    played = let(state, Placement(REBELLION))
    assert column(played.state, "move") == ((YOU, 1, 0), (REBELLION, 1, 0))


def test_equal_power_is_bribed_after_a_diversion_too() -> None:
    """Adding Bribes, second case: in the column where the advisor is placed."""
    state = at_row(1, "move", bribe=False, coins={REBELLION: 2})
    fill(state, "move", 5, 4, 3)
    place(state, "attack", 1, YOU, 1)
    assert let(state, Placement(REBELLION)).steps == [a.PlaceAdvisor(1, Column.ATTACK), a.AddBribe(1)]


def test_equal_power_is_bribed_where_the_top_is_too_dear() -> None:
    """Adding Bribes: two cases, each on its own: 5 and 3 coins stand on top, an equal 5 below it."""
    state = at_row(5, "build", bribe=True, coins={REBELLION: 2})
    place(state, "build", 1, YOU, 5, 3)
    place(state, "build", 2, YOU, 4, 1)
    played = let(state, Placement(REBELLION))
    assert played.steps[1:] == [a.AddBribe(1)]
    assert column(played.state, "build")[1] == (REBELLION, 5, 1)
