import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.registry import GAMES
from protos import wire
from tests.conformance.cases import GAME_CASES
from tests.conformance.walk import told, viewers, walk
from tests.wire.strategies import values
from veche.v1 import common_pb2

ENVELOPES = (common_pb2.GameOptions, common_pb2.GameAction, common_pb2.GameTable, common_pb2.GameEvent)

any_game = pytest.mark.parametrize("game", list(GAMES))
# A table is a deep value: generating one is slow, and that says nothing about the code.
many = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda envelope: envelope.__name__)
def test_every_game_has_its_field_in_every_envelope(envelope):
    assert set(envelope.DESCRIPTOR.fields_by_name) == set(GAMES)
    assert [wire.game_field(game) for game in GAMES] == list(GAMES)


@any_game
def test_engine_types_and_proto_agree(game):
    assert wire.for_game(GAMES[game]).check() == []


@any_game
def test_every_option_with_its_choices_crosses_the_wire(game):
    plans = wire.for_game(GAMES[game])
    for option in GAMES[game].info.options:
        for choice in option.choices if option.type == "str" else ():
            given_options = {option.name: choice}
            assert plans.options_from_message(plans.options_to_message(given_options)) == given_options


@any_game
@many
@given(data=st.data())
def test_every_action_event_and_table_comes_back_equal(game, data):
    rules = GAMES[game]
    plans = wire.for_game(rules)
    action = data.draw(values(rules.types.action))
    assert plans.action_from_message(_sent(plans.action_to_message(action))) == action
    event = data.draw(values(rules.types.event))
    assert plans.event_from_message(_sent(plans.event_to_message(event))) == event
    table = data.draw(values(rules.types.table))
    assert plans.table_from_message(_sent(plans.table_to_message(table))) == table


@any_game
def test_an_envelope_without_a_game_is_refused_but_means_default_options(game):
    plans = wire.for_game(GAMES[game])
    with pytest.raises(wire.WireError, match="one game must be set") as caught:
        plans.action_from_message(common_pb2.GameAction())
    assert not isinstance(caught.value, wire.WrongGame)
    assert plans.options_from_message(common_pb2.GameOptions()) == {}


@any_game
def test_an_empty_action_is_refused_under_its_game(game):
    with pytest.raises(wire.WireError, match="one of its alternatives must be set") as caught:
        wire.for_game(GAMES[game]).action_from_message(common_pb2.GameAction(**{game: {}}))
    assert caught.value.field == game


@any_game
def test_a_payload_of_another_game_is_refused(game):
    plans = wire.GameWire(GAMES[game])
    plans.game = "chess"
    with pytest.raises(wire.WrongGame, match="the match is of chess") as caught:
        plans.action_from_message(common_pb2.GameAction(**{game: {}}))
    assert caught.value.field == game


@any_game
def test_plans_are_compiled_once(game):
    assert wire.for_game(GAMES[game]) is wire.for_game(GAMES[game])


@pytest.mark.parametrize("case", GAME_CASES, ids=str)
def test_views_and_events_of_real_games_come_back_equal(case):
    with told(case, 0):
        for moment in walk(case, 0):
            _check_moment(case, moment)


def _check_moment(case, moment):
    rules = GAMES[case.game]
    plans = wire.for_game(rules)
    for seat in viewers(case):
        view = rules.observe(moment.state, seat)
        message = common_pb2.View.FromString(wire.view_to_message(rules, view, "m").SerializeToString())
        back = wire.view_from_message(rules, message)
        assert (back, back.table) == (view, view.table)
    after = rules.observe(moment.step.state, random.Random(moment.index).choice(viewers(case)))
    for seen in wire.events_to_messages(rules, moment.step.events, after):
        assert seen.text
        plans.event_from_message(_sent(seen.event))


def _sent(message):
    return type(message).FromString(message.SerializeToString())
