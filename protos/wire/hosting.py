"""Convert what every game shares: decisions with their legal actions, seen events, views and outcomes."""

from collections.abc import Iterable
from typing import Any

from engine.core.decision import Decision
from engine.core.events import Emitted, seen_by
from engine.core.rules import Outcome, Rules, View
from protos.wire.errors import WireError
from protos.wire.games import for_game
from veche.v1 import common_pb2


def decision_to_message(rules: Rules, decision: Decision, view: View) -> common_pb2.Decision:
    """Return a decision with its line, as the view's seat may read it."""
    return common_pb2.Decision(
        seat=decision.seat,
        id=decision.id,
        kind=decision.kind,
        automa=decision.automa,
        open=decision.open,
        text=rules.describe(decision, view),
    )


def pending_to_messages(rules: Rules, view: View) -> list[common_pb2.Decision]:
    """Return who must decide now, as the view tells it."""
    return [decision_to_message(rules, decision, view) for decision in view.pending]


def choice_to_message(rules: Rules, view: View) -> common_pb2.Choice | None:
    """Return the view's own decision with every legal action, its index and its line; None when it has none."""
    if view.decision is None:
        return None
    wire = for_game(rules)
    choice = common_pb2.Choice(decision=decision_to_message(rules, view.decision, view))
    # Filled in place: a list of messages would be copied, the actions in it twice.
    add = choice.legal_actions.add
    for index, action in enumerate(view.legal):
        add(index=index, action=wire.action_to_message(action), text=rules.describe(action, view))
    return choice


def events_to_messages(rules: Rules, events: Iterable[Emitted], view: View) -> list[common_pb2.SeenEvent]:
    """Return the events that the view's seat may read, each as it may read it, with their lines.

    `view` is the seat's view after the step that emitted them.
    """
    wire = for_game(rules)
    seen = (seen_by(emitted, view.seat) for emitted in events)
    return [
        common_pb2.SeenEvent(event=wire.event_to_message(event), text=rules.describe(event, view))
        for event in seen
        if event is not None
    ]


def outcome_to_message(outcome: Outcome) -> common_pb2.Outcome:
    """Return an outcome, one result for each seat."""
    return common_pb2.Outcome(
        results=[
            common_pb2.SeatResult(seat=seat, rank=rank, score=score, breakdown=breakdown)
            for seat, (rank, score, breakdown) in enumerate(
                zip(outcome.ranks, outcome.scores, outcome.breakdown, strict=True)
            )
        ],
        tie_break=outcome.tie_break,
        reason=outcome.reason,
    )


def outcome_from_message(message: common_pb2.Outcome) -> Outcome:
    """Return the outcome of a message; the breakdown is ordered by name, because a message keeps no order."""
    return Outcome(
        ranks=tuple(result.rank for result in message.results),
        scores=tuple(result.score for result in message.results),
        breakdown=tuple(dict(sorted(result.breakdown.items())) for result in message.results),
        tie_break=tuple(message.tie_break),
        reason=message.reason,
    )


def view_to_message(
    rules: Rules, view: View, match_id: str, status: common_pb2.MatchStatus.ValueType | None = None
) -> common_pb2.View:
    """Return a view of a match; without `status` the match is ACTIVE, or FINISHED once the view has an outcome."""
    if status is None:
        over = view.outcome is not None
        status = common_pb2.MATCH_STATUS_FINISHED if over else common_pb2.MATCH_STATUS_ACTIVE
    return common_pb2.View(
        match_id=match_id,
        game=view.game,
        rules_version=view.rules_version,
        data_version=view.data_version,
        version=view.version,
        seat=view.seat,
        status=status,
        table=for_game(rules).table_to_message(view.table),
        flow=view.flow,
        pending=pending_to_messages(rules, view),
        choice=choice_to_message(rules, view),
        outcome=None if view.outcome is None else outcome_to_message(view.outcome),
    )


def view_from_message(rules: Rules, message: common_pb2.View) -> View:
    """Return the engine's view that a message carries, equal to the one it was made from; raise WireError.

    Only for rules of the message's own rules_version and data_version: `flow` is opaque to all others.
    """
    here = (rules.info.id, rules.info.rules_version, rules.info.data_version)
    if (message.game, message.rules_version, message.data_version) != here:
        raise WireError("rules_version", f"the view was made by {message.game} {message.rules_version}")
    try:
        table = for_game(rules).table_from_message(message.table)
    except WireError as error:
        raise error.under("table") from None
    chosen = message.HasField("choice")
    return View(
        game=message.game,
        rules_version=message.rules_version,
        data_version=message.data_version,
        version=message.version,
        seat=message.seat if message.HasField("seat") else None,
        build_table=lambda: table,
        flow=message.flow,
        pending=tuple(_decision(decision) for decision in message.pending),
        decision=_decision(message.choice.decision) if chosen else None,
        legal=_legal(rules, message.choice) if chosen else (),
        outcome=outcome_from_message(message.outcome) if message.HasField("outcome") else None,
    )


def _decision(message: common_pb2.Decision) -> Decision:
    return Decision(message.seat, message.id, message.kind, message.automa, tuple(message.open))


def _legal(rules: Rules, choice: common_pb2.Choice) -> tuple[Any, ...]:
    wire = for_game(rules)
    actions: list[Any] = []
    try:
        for legal in choice.legal_actions:
            actions.append(wire.action_from_message(legal.action))  # noqa: PERF401 - the count names the one at fault
    except WireError as error:
        raise error.under(f"choice.legal_actions[{len(actions)}].action") from None
    return tuple(actions)
