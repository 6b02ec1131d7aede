from random import Random

import pytest

from bots.games import evaluation
from bots.policies import BLIND, NAMES, SIGHTED
from engine.core.registry import GAMES
from protos.wire import view_from_message, view_to_message

RULES = GAMES["rurik"]


def walk(seats, options, seed, moves):
    """Yield the views of a random game's first decisions."""
    rng = Random(seed)
    state = RULES.initial_state(RULES.config(seats, options), seed)
    for _ in range(moves):
        pending = RULES.pending(state)
        if not pending:
            return
        seat = pending[0].seat
        yield state, RULES.observe(state, seat)
        state = RULES.apply(state, seat, rng.choice(RULES.legal_actions(state, seat))).state


def test_every_policy_has_one_name():
    assert len(set(NAMES)) == len(NAMES) == len(BLIND) + len(SIGHTED)


def test_random_takes_every_option_about_as_often():
    rng = Random(1)
    counts = [0] * 5
    for _ in range(5000):
        counts[BLIND["random"](5, rng)] += 1
    assert min(counts) > 850


@pytest.mark.parametrize("policy", SIGHTED)
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (4, {}), (2, {"automa": {1: "hard"}})])
def test_a_policy_answers_every_decision_from_the_view_alone(policy, seats, options):
    for _, view in walk(seats, options, 3, 60):
        assert 0 <= SIGHTED[policy](view, Random(5)) < len(view.legal)


def test_the_same_view_and_seed_give_the_same_answer():
    for _, view in walk(3, {}, 8, 40):
        assert SIGHTED["greedy"](view, Random(2)) == SIGHTED["greedy"](view, Random(2))


def test_ties_are_broken_at_random():
    _, view = next(walk(2, {}, 1, 1))
    assert len({SIGHTED["greedy"](view, Random(i)) for i in range(20)}) > 1


def test_greedy_beats_random():
    wins = 0
    for seed in range(6):
        own = seed % 2
        rng = Random(seed)
        state = RULES.initial_state(RULES.config(2, {}), seed)
        while pending := RULES.pending(state):
            seat = pending[0].seat
            legal = RULES.legal_actions(state, seat)
            index = (
                SIGHTED["greedy"](RULES.observe(state, seat), rng)
                if seat == own and len(legal) > 1
                else BLIND["random"](len(legal), rng)
            )
            state = RULES.apply(state, seat, legal[index]).state
        outcome = RULES.outcome(state)
        assert outcome is not None
        wins += outcome.ranks[own] == 1
    assert wins >= 5


def test_a_position_with_more_points_is_worth_more():
    evaluate = evaluation("rurik")
    for state, view in walk(2, {}, 4, 80):
        richer = state.clone()
        richer.players[view.seat].coins += 1
        assert evaluate(richer, view.seat) > evaluate(state, view.seat)
        ahead = state.clone()
        ahead.players[view.seat].claims[0] = 5
        assert evaluate(ahead, view.seat) > evaluate(state, view.seat)


def test_a_rivals_points_are_taken_off():
    evaluate = evaluation("rurik")
    *_, (state, view) = walk(2, {}, 4, 80)
    worse = state.clone()
    worse.players[1 - view.seat].claims[1] = 5
    assert evaluate(worse, view.seat) < evaluate(state, view.seat)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_can_play_out_every_action_as_it_came_over_the_wire(game):
    rules, rng = GAMES[game], Random(2)
    state = rules.initial_state(rules.config(rules.info.min_seats, {}), 2)
    for _ in range(150):
        seat = rules.pending(state)[0].seat
        view = view_from_message(rules, view_to_message(rules, rules.observe(state, seat), "m"))
        for action in view.legal[:12] + view.legal[12:][-1:]:
            rules.advance(rules.determinize(view, rng), seat, action)
        state = rules.apply(state, seat, rng.choice(rules.legal_actions(state, seat))).state
        if not rules.pending(state):
            return
