"""Say of every question what it is about: the card that asks, whose it is, the army that moves, what is left."""

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import ADVANTAGES, CARDS, OPS, SOURCES
from engine.games.europe_divided.ids import NONE
from engine.games.europe_divided.step import Step
from tests.games.europe_divided.scenario import EUROPE, RUSSIA, act, advantage, play, scenario, turn, using
from tests.games.europe_divided.test_contested import REACTIONS


def said(state):
    """Return the step that everybody sees and the line of the open decision."""
    steps = [RULES.observe(state, seat).table.step for seat in (EUROPE, RUSSIA, None)]
    assert steps.count(steps[0]) == len(steps)
    view = RULES.observe(state, EUROPE)
    return steps[0], RULES.describe(view.pending[0], view)


def test_every_operation_is_printed_on_one_card():
    printed = {
        (i, NONE): [op for special in (card.action, *card.effects, *card.reactions) if special for op in special.ops]
        for i, card in enumerate(CARDS)
    }
    printed |= {(NONE, i): list(card.ops) for i, card in enumerate(ADVANTAGES)}
    found = {op: source for source, ops in printed.items() for op in ops}
    assert len(found) == len(OPS) == sum(map(len, printed.values()))
    assert tuple(found[op] for op in range(len(OPS))) == SOURCES


def test_a_turn_stands_alone():
    assert said(turn(scenario(), RUSSIA, "news_media", "the_president"))[0] is None


def test_a_card_in_use_is_named():
    state = using(scenario(), RUSSIA, "southern_federal_district")
    assert said(state) == (
        Step(RUSSIA, card="southern_federal_district", owner=RUSSIA),
        "Russia: take an action of Southern Federal District",
    )


def test_the_army_that_an_action_moves_is_named_with_its_card():
    state = using(scenario(armies={RUSSIA: {"moscow": 1}}), RUSSIA, "southern_federal_district")
    state = act(state, RUSSIA, a.MoveArmy("moscow")).state
    assert said(state) == (
        Step(RUSSIA, card="southern_federal_district", owner=RUSSIA, source="moscow", left=1),
        "Russia: choose where the army from Moscow goes (Southern Federal District)",
    )


def test_armies_of_an_advantage_card_are_counted():
    held = {RUSSIA: ("military_exercises",)}
    state = advantage(scenario(armies={RUSSIA: {"moscow": 2, "belarus": 1}}, advantages=held), "military_exercises")
    assert said(state) == (
        Step(RUSSIA, advantage="military_exercises", left=2),
        "Russia: choose the army to move (Military Exercises, 2 left)",
    )
    state = act(state, RUSSIA, a.MoveArmy("moscow")).state
    assert said(state)[0] == Step(RUSSIA, advantage="military_exercises", source="moscow", left=2)
    state = act(state, RUSSIA, a.MoveTo("ukraine", 0)).state
    assert said(state)[0] == Step(RUSSIA, advantage="military_exercises", left=1)
    state = act(state, RUSSIA, a.MoveArmy("moscow")).state
    assert said(state)[0] == Step(RUSSIA, advantage="military_exercises", source="moscow", left=1)


def test_a_reaction_names_the_card_of_the_opponent():
    for seat, card, position, action, _ in REACTIONS:
        state = play(using(scenario(**position), seat, card), seat, action)
        while RULES.pending(state)[0].seat == seat:
            state = act(state, seat, RULES.legal_actions(state, seat)[-1]).state
        step, line = said(state)
        assert (step.seat, step.card, step.owner) == (1 - seat, card, seat)
        assert f"({('Europe', 'Russia')[seat]}'s " in line
