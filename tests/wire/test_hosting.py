"""The shared parts, on rules reduced to what the wire asks of them: types, versions and a line for each thing."""

from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings

from engine.core.decision import Decision
from engine.core.events import Emitted
from engine.core.rules import Outcome, RulesInfo, View
from engine.games.rurik import actions, config, events, table
from protos import wire
from tests.wire.strategies import values
from veche.v1 import common_pb2

RULES = SimpleNamespace(
    info=RulesInfo("rurik", "Rurik", "1", "d", 2, 4, config.OPTIONS, (), 1, {}),
    types=SimpleNamespace(action=actions.Action, event=events.Event, table=table.Table),
    describe=lambda thing, view: f"{type(thing).__name__} for {view.seat}",
)
TABLE = table.Table(1, "action", 0, 0, (), (), (), (), 0, (), (), (), (), (), None, None, None)
OUTCOME = Outcome((1, 2), (30, -1), ({"rule": 30}, {"build": 2, "penalty": -3}), ("most coins",), "round 4 is over")
MINE = Decision(1, "7.1", "muster", False)
THEIRS = Decision(0, "7.0", "muster", True)
LEGAL = (actions.MusterTroop("kiev"), actions.Done())


def view(seat=1, pending=(THEIRS, MINE), decision=MINE, legal=LEGAL, outcome=None, shown=TABLE):
    return View("rurik", "1", "d", 7, seat, lambda: shown, b"\x00flow", pending, decision, legal, outcome)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values(table.Table))
def test_a_view_comes_back_equal(shown):
    for original in (view(shown=shown), view(None, (THEIRS,), None, (), None, shown)):
        message = wire.view_to_message(RULES, original, "m1")
        again = common_pb2.View.FromString(message.SerializeToString())
        back = wire.view_from_message(RULES, again)
        assert (back, back.table) == (original, shown)


def test_a_spectator_has_no_seat_and_no_choice():
    message = wire.view_to_message(RULES, view(None, (THEIRS,), None, ()), "m1")
    assert not message.HasField("seat")
    assert not message.HasField("choice")
    assert message.match_id == "m1"


def test_seat_zero_is_a_seat():
    message = wire.view_to_message(RULES, view(0), "m1")
    assert message.HasField("seat")
    assert wire.view_from_message(RULES, message).seat == 0


def test_the_choice_lists_every_action_with_its_index_and_line():
    choice = wire.choice_to_message(RULES, view())
    assert [(legal.index, legal.text) for legal in choice.legal_actions] == [
        (0, "MusterTroop for 1"),
        (1, "Done for 1"),
    ]
    assert choice.legal_actions[0].action.rurik.muster_troop.region == "kiev"
    assert choice.decision.id == "7.1"
    assert choice.decision.text == "Decision for 1"


def test_a_view_with_an_outcome_is_finished_unless_the_caller_knows_better():
    over = view(1, (), None, (), OUTCOME)
    assert wire.view_to_message(RULES, over, "m").status == common_pb2.MATCH_STATUS_FINISHED
    assert wire.view_to_message(RULES, view(), "m").status == common_pb2.MATCH_STATUS_ACTIVE
    closed = wire.view_to_message(RULES, view(), "m", common_pb2.MATCH_STATUS_CLOSED)
    assert closed.status == common_pb2.MATCH_STATUS_CLOSED


def test_an_outcome_comes_back_equal_with_negative_scores():
    message = wire.outcome_to_message(OUTCOME)
    assert [result.seat for result in message.results] == [0, 1]
    assert wire.outcome_from_message(message) == OUTCOME


def test_events_are_told_as_the_seat_may_read_them():
    secret = events.SchemeKept(1, "card_9")
    emitted = (
        Emitted(events.TurnStarted(0)),
        Emitted(secret, (1,), events.SchemeKept(1, None)),
        Emitted(events.CardTurned(0, 3), (0,)),
    )
    own = wire.events_to_messages(RULES, emitted, view(1))
    others = wire.events_to_messages(RULES, emitted, view(None))
    assert [seen.event.rurik.WhichOneof("event") for seen in own] == ["turn_started", "scheme_kept"]
    assert own[1].event.rurik.scheme_kept.card == "card_9"
    assert not others[1].event.rurik.scheme_kept.HasField("card")
    assert own[0].text == "TurnStarted for 1"


def test_a_view_of_other_rules_is_refused():
    message = wire.view_to_message(RULES, view(), "m")
    message.rules_version = "0"
    with pytest.raises(wire.WireError, match="made by rurik 0"):
        wire.view_from_message(RULES, message)


def test_an_unreadable_view_is_refused_with_the_path():
    message = wire.view_to_message(RULES, view(), "m")
    message.choice.legal_actions[1].action.rurik.Clear()
    with pytest.raises(wire.WireError) as caught:
        wire.view_from_message(RULES, message)
    assert caught.value.field == "choice.legal_actions[1].action.rurik"
    message.table.rurik.phase = 77
    with pytest.raises(wire.WireError, match="has no value 77") as caught:
        wire.view_from_message(RULES, message)
    assert caught.value.field == "table.rurik.phase"
