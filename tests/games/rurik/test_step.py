"""Say of every question within a turn what it is about: the table has a step, the line of the decision its words."""

import pytest

from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik.ids import Column, Structure
from engine.games.rurik.state import State
from engine.games.rurik.step import Step
from tests.games.rurik.scenario import act, main, on_top, play, scenario, turn
from tests.games.rurik.test_actions_attack import HERE, HIT, fight
from tests.games.rurik.test_deed_costs import begun


def said(state: State) -> tuple[Step | None, str]:
    """Return the step that everybody sees, what was drawn left to its seat, and the line of the open decision."""
    view = RULES.observe(state, RULES.pending(state)[0].seat)
    for seat in (0, 1, None):
        if seat != view.seat:
            step = RULES.observe(state, seat).table.step
            assert step == view.table.step or (step.drawn == () != view.table.step.drawn)
    return view.table.step, RULES.describe(view.pending[0], view)


def test_a_turn_stands_alone() -> None:
    assert said(turn(scenario(troops={0: {"kiev": 1}})))[0] is None


def test_a_bribe_names_the_advisor_and_its_column() -> None:
    state = RULES.initial_state(RULES.config(2, {}), 1)
    while RULES.pending(state)[0].kind != "add_bribe":
        seat = RULES.pending(state)[0].seat
        state = act(state, seat, RULES.legal_actions(state, seat)[0]).state
    step, line = said(state)
    assert (step.advisor, step.column) == (1, Column.MUSTER)
    assert line.endswith(": add coins to advisor 1 in muster")


@pytest.mark.parametrize(
    ("column", "words"), [("muster", "spend muster points"), ("move", "spend movement points"), ("attack", "attack")]
)
def test_a_main_action_says_how_many_points_are_left(column: str, words: str) -> None:
    step, line = said(main(scenario(troops={0: {"kiev": 2}, 1: {"kiev": 1}}), column))
    assert step.points >= 2
    assert words in line
    assert line.endswith(f", {step.points} left")


def test_an_attack_keeps_its_points_while_its_casualty_is_asked_about() -> None:
    """Attack 1: the second attack is still to come."""
    state = act(fight(mine=2, theirs=3, top=(HIT, "move_2")), 0, HERE).state
    assert said(state) == (
        Step(0, points=1, left=2, region="kiev"),
        "Agatha: choose the scheme deck to reveal from for the attack in Kiev: 2 cards",
    )


def test_a_casualty_names_its_region() -> None:
    state = fight(mine=1, theirs=3, top=(HIT, "move_2"), leader_at={0: "kiev"})
    state = play(state, 0, HERE, a.ChooseDeck(0))
    assert said(state) == (Step(0, points=1, region="kiev"), "Agatha: choose which troop falls in Kiev")


def test_a_church_names_its_region() -> None:
    state = scenario(troops={0: {"kiev": 3}, 1: {"kiev": 1}}, rebels=["kiev"])
    state = act(main(state, "build"), 0, a.BuildStructure(Structure.CHURCH, "kiev")).state
    assert said(state) == (Step(0, region="kiev"), "Agatha: choose whom the church converts in Kiev")


def test_the_cost_of_a_deed_names_the_deed_and_what_is_left() -> None:
    state = begun("border_patrols", troops={0: {"kiev": 2, "volyn": 2, "rostov": 2, "smolensk": 2}})
    step, line = said(state)
    assert (step.deed, step.left) == ("border_patrols", 3)
    assert line == "Agatha: choose a troop to remove for Border Patrols, 3 left"
    state = act(state, 0, RULES.legal_actions(state, 0)[0]).state
    assert said(state)[0].left == 2


def test_a_played_scheme_is_named_while_its_reward_is_gained() -> None:
    state = play(turn(scenario(hands={0: ("muster_2",)}, troops={0: {"kiev": 1}})), 0, a.PlayScheme("muster_2"))
    step, _ = said(state)
    assert (step.scheme, step.points) == ("muster_2", 2)


def test_a_draw_says_how_many_cards_and_shows_them_to_their_seat_alone() -> None:
    state = main(on_top(scenario(), 0, "move_2", "tax_1"), "scheme", 2)
    assert said(state)[1] == "Agatha: choose the scheme deck to draw from: 2 cards"
    step, _ = said(act(state, 0, a.ChooseDeck(0)).state)
    assert (step.deck, step.left, set(step.drawn)) == (0, 1, {"move_2", "tax_1"})
