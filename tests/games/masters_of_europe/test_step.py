"""Say of every question in a meld what it is about: the table has a step, the line of the decision has its words."""

from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.ids import MeldAction
from engine.games.masters_of_europe.step import Step
from tests.games.masters_of_europe.scenario import act, asked, meld, play, scenario, turn


def said(state):
    """Return the step that everybody sees and the line of the only open decision."""
    steps = [RULES.observe(state, seat).table.step for seat in (0, 1, 2, None)]
    assert steps.count(steps[0]) == len(steps)
    view = RULES.observe(state, 0)
    return steps[0], RULES.describe(view.pending[0], view)


def melded(action, *countries, number="three", **more):
    return meld(turn(scenario(hands={0: (action, *countries, number)}, **more)), 0, action, number, *countries).state


def test_a_turn_stands_alone():
    step, line = said(turn(scenario(hands={0: ("war", "england", "three")})))
    assert (step, line) == (None, "Seat 0: start a meld or end the turn")


def test_a_meld_says_what_has_been_played_of_it():
    state = act(
        turn(scenario(hands={0: ("alliance", "england", "france", "two")}, tokens={0: {"england": 1}})),
        0,
        a.StartMeld(MeldAction.ALLIANCE),
    ).state
    assert said(state) == (
        Step(0, MeldAction.ALLIANCE, ("alliance",)),
        "Seat 0: choose the country of the meld: alliance",
    )
    state = act(state, 0, a.ChooseCountry("england", "england")).state
    if asked(state) == [(0, "choose_country")]:
        assert said(state)[1] == "Seat 0: choose the country of the meld: alliance on England and one more"
        state = act(state, 0, a.ChooseCountry("france", "france")).state
    assert said(state) == (
        Step(0, MeldAction.ALLIANCE, ("alliance", "england", "france"), ("england", "france")),
        "Seat 0: choose the number of the meld: alliance on England and France",
    )


def test_a_war_says_where_tokens_go_and_how_many_are_left():
    state = melded(MeldAction.WAR, "england", tokens={1: {"england": 2}, 2: {"england": 2}})
    assert said(state) == (
        Step(0, MeldAction.WAR, (), ("england",), 3, 3),
        "Seat 0: war 3: remove a token from England, 3 left",
    )
    state = act(state, 0, a.RemoveToken(2)).state
    assert said(state)[0] == Step(0, MeldAction.WAR, (), ("england",), 3, 2)


def test_a_revolution_names_the_seat_whose_tokens_go():
    state = melded(MeldAction.REVOLUTION, "england", tokens={1: {"england": 2}, 2: {"england": 1}})
    assert said(state) == (
        Step(0, MeldAction.REVOLUTION, (), ("england",), 3, 3, victim=1),
        "Seat 0: revolution 3: remove a token of seat 1 from England, 3 left",
    )


def test_absolutism_names_its_country_and_then_its_victim():
    tokens = {0: {"england": 3}, 1: {"england": 2}, 2: {"england": 1}}
    state = melded(MeldAction.ABSOLUTISM, "england", number="one", tokens=tokens)
    assert said(state) == (
        Step(0, MeldAction.ABSOLUTISM, (), ("england",), 1),
        "Seat 0: choose whom absolutism 1 strikes in England",
    )
    state = act(state, 0, a.ChooseSeat(2)).state
    assert said(state)[0] == Step(0, MeldAction.ABSOLUTISM, (), ("england",), 1, 1, victim=2)


def test_a_treaty_names_its_country_and_how_many_moves_are_left():
    state = melded(MeldAction.TREATY, "england", number="two", tokens={0: {"england": 2}})
    assert said(state) == (
        Step(0, MeldAction.TREATY, (), ("england",), None, 2),
        "Seat 0: move a token to or from England by the treaty, 2 left",
    )
    state = play(state, (0, a.Done()))
    assert said(state)[0] == Step(0, MeldAction.TREATY)
    state = play(state, (0, a.DrawCards()))
    assert said(state) == (Step(0, left=1), "Seat 0: discard a card")
