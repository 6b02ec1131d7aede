"""Rule on the strategy phase: power, columns, bumping, bribes (1. Strategy Phase)."""

from engine.core.frames import Ctx
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.flow import ActionPhase, StrategyPhase
from engine.games.rurik.frames.advisors import place as put
from engine.games.rurik.frames.advisors import placements
from engine.games.rurik.ids import COLUMNS, Column, Phase
from engine.games.rurik.state import State
from tests.games.rurik.scenario import act, asked, legal, offered, place, play, ready, scenario, told

C = Column


def strategy(seats: int = 2, coins: int = 3, **more: object) -> State:
    state = scenario(seats, phase=Phase.STRATEGY, coins=dict.fromkeys(range(seats), coins), **more)  # type: ignore[arg-type]
    return ready(state, StrategyPhase(0))


def stand(state: State, column: str, *advisors: tuple[int, int, int]) -> State:
    """Place advisors in this order, each with its bribe."""
    for seat, number, coins in advisors:
        if number not in state.players[seat].advisors:
            state.players[seat].advisors.append(number)
        state.players[seat].coins += coins
        put(Ctx(state, None), seat, number, COLUMNS.index(column), coins)
    return state


def column(state: State, name: str) -> list[tuple[int, int]]:
    """Return seat and number of a column's advisors, top first."""
    return [(seat, number) for seat, number, _ in state.columns[COLUMNS.index(name)]]


def test_seats_place_one_advisor_each_in_turn_from_the_first_player() -> None:
    """1. Strategy Phase 1."""
    state = scenario(3, phase=Phase.STRATEGY, first_player=1, coins={0: 0, 1: 0, 2: 0})
    state = ready(state, StrategyPhase(1))
    order = []
    while asked(state)[0][1] == "place_advisor":
        seat = asked(state)[0][0]
        order.append(seat)
        state = act(state, seat, legal(state, seat)[0]).state
    assert order[:6] == [1, 2, 0, 1, 2, 0]
    assert len(order) >= 11


def test_the_phase_ends_when_all_advisors_stand() -> None:
    """1. Strategy Phase 1: then the action phase begins with the first player."""
    state = strategy(coins=0)
    while state.phase == Phase.STRATEGY:
        seat = asked(state)[0][0]
        state = act(state, seat, legal(state, seat)[0]).state
    assert not any(player.advisors for player in state.players)
    assert sum(map(len, state.columns)) == 8
    assert (state.phase, asked(state)) == (Phase.ACTION, ((0, "turn"),))


def test_any_available_advisor_may_be_placed_in_any_order() -> None:
    """Placing Advisors 1."""
    state = strategy()
    assert set(legal(state, 0)) == {a.PlaceAdvisor(n, c) for n in (1, 2, 4, 5) for c in COLUMNS}


def test_an_advisor_in_an_empty_column_takes_the_top_space() -> None:
    """Placing Advisors 2."""
    state = play(strategy(), 0, a.PlaceAdvisor(1, C.TAX), a.AddBribe(0))
    assert column(state, "tax") == [(0, 1)]


def test_a_stronger_advisor_bumps_all_weaker_ones_down() -> None:
    """Placing Advisors 3."""
    state = stand(strategy(), "move", (0, 2, 0), (0, 1, 0))
    stand(state, "move", (1, 4, 0))
    assert column(state, "move") == [(1, 4), (0, 2), (0, 1)]


def test_an_advisor_goes_between_stronger_and_weaker_ones() -> None:
    """Placing Advisors 3: only the weaker ones are bumped."""
    state = stand(strategy(), "move", (0, 5, 0), (0, 1, 0), (1, 4, 0))
    assert column(state, "move") == [(0, 5), (1, 4), (0, 1)]


def test_equal_power_is_not_bumped() -> None:
    """Placing Advisors 3."""
    state = stand(strategy(), "move", (0, 4, 0), (1, 4, 0))
    assert column(state, "move") == [(0, 4), (1, 4)]


def test_a_high_number_has_more_power() -> None:
    """Power vs. Initiative 1."""
    state = stand(strategy(), "build", (0, 1, 0), (1, 5, 0))
    assert column(state, "build")[0] == (1, 5)


def test_a_full_column_takes_nobody_however_strong() -> None:
    """Placing Advisors 4: nothing is ever bumped out of a column."""
    state = strategy()
    for row, number in enumerate((4, 2, 1), start=1):
        place(state, "attack", row, 1, number)
    ready(state, StrategyPhase(0))
    assert a.PlaceAdvisor(5, C.ATTACK) not in legal(state, 0)
    assert a.PlaceAdvisor(5, C.BUILD) in legal(state, 0)


def test_a_column_holds_four_advisors_with_three_or_four_seats() -> None:
    """Placing Advisors 4, Game Setup 2."""
    state = strategy(3)
    for row, number in enumerate((4, 2, 1), start=1):
        place(state, "attack", row, 1, number)
    ready(state, StrategyPhase(0))
    assert a.PlaceAdvisor(5, C.ATTACK) in legal(state, 0)


def test_a_second_own_advisor_needs_own_advisors_in_three_other_columns_first() -> None:
    """Placing Advisors 5 [note 1]: columns are counted before the placement."""
    state = strategy()
    for name in ("muster", "move"):
        place(state, name, 1, 0, 1)
    ready(state, StrategyPhase(0))
    assert {action.column for action in offered(state, 0, a.PlaceAdvisor)} == {C.ATTACK, C.TAX, C.BUILD, C.SCHEME}
    place(state, "tax", 1, 0, 1)
    ready(state, StrategyPhase(0))
    assert {action.column for action in offered(state, 0, a.PlaceAdvisor)} == set(COLUMNS)


def test_columns_with_advisors_of_others_only_are_open() -> None:
    """Placing Advisors 5."""
    state = strategy()
    place(state, "muster", 1, 1, 5)
    assert a.PlaceAdvisor(1, C.MUSTER) in legal(ready(state, StrategyPhase(0)), 0)


def test_the_three_columns_rule_is_dropped_where_it_leaves_nothing() -> None:
    """Placing Advisors 5 [note 1]: every advisor must be placed."""
    state = strategy()
    for name in COLUMNS[1:]:
        for row in (1, 2, 3):
            place(state, name, row, 1, 1)
    place(state, "muster", 1, 0, 5)
    assert {action.column for action in placements(state, 0)} == {C.MUSTER}


def test_a_bribe_is_any_number_of_own_coins() -> None:
    """Adding Bribes 1 [note 1]: also more than needed."""
    state = act(strategy(coins=3), 0, a.PlaceAdvisor(1, C.TAX)).state
    assert legal(state, 0) == tuple(a.AddBribe(n) for n in range(4))
    state = act(state, 0, a.AddBribe(3)).state
    assert state.players[0].coins == 0


def test_without_coins_no_bribe_is_asked() -> None:
    """Adding Bribes 1."""
    state = act(strategy(coins=0), 0, a.PlaceAdvisor(1, C.TAX)).state
    assert asked(state) == ((1, "place_advisor"),)


def test_each_coin_adds_one_to_the_power() -> None:
    """Adding Bribes 1: a 1 with four coins goes above a 4."""
    state = stand(strategy(), "tax", (1, 4, 0), (0, 1, 4))
    assert column(state, "tax") == [(0, 1), (1, 4)]


def test_a_bribe_that_only_equals_goes_below() -> None:
    """Adding Bribes 1, Placing Advisors 3."""
    state = stand(strategy(), "tax", (1, 4, 0), (0, 1, 3))
    assert column(state, "tax") == [(1, 4), (0, 1)]


def test_a_bribe_defends_for_the_whole_phase() -> None:
    """Adding Bribes 2: a bribed 2 is not bumped by a 4."""
    state = stand(strategy(), "tax", (1, 2, 2), (0, 4, 0))
    assert column(state, "tax") == [(1, 2), (0, 4)]


def test_a_bribe_does_not_change_initiative() -> None:
    """Adding Bribes 1, Power vs. Initiative 2: a bribed 1 still resolves before a 2."""
    state = scenario(troops={0: {"kiev": 1}})
    stand(state, "tax", (0, 1, 5))
    stand(state, "move", (0, 2, 0))
    ready(state, ActionPhase(0))
    assert {action.column for action in offered(state, 0, a.ForfeitAction)} == {C.TAX}


def test_a_placement_is_told_with_its_space_and_its_bribe() -> None:
    """Placing Advisors 3, Adding Bribes 1: row 1 is the top."""
    state = stand(strategy(), "tax", (1, 4, 0))
    state = act(state, 0, a.PlaceAdvisor(2, C.TAX)).state
    below = act(state, 0, a.AddBribe(1))
    assert told(below, e.AdvisorPlaced) == [e.AdvisorPlaced(0, 2, C.TAX, 2, 1)]
    above = act(state, 0, a.AddBribe(3))
    assert told(above, e.AdvisorPlaced) == [e.AdvisorPlaced(0, 2, C.TAX, 1, 3)]
