"""Say what is being asked about: the card that asks, whose it is, the army that moves, what is left to do."""

from typing import Any

import msgspec

from engine.games.europe_divided.cards import ADVANTAGES, CARDS, SOURCES
from engine.games.europe_divided.data import REGIONS
from engine.games.europe_divided.frames.armies import March, MoveOn
from engine.games.europe_divided.frames.influence import Distribute, RaiseDie
from engine.games.europe_divided.frames.operation import Operation
from engine.games.europe_divided.frames.turn import UseCard
from engine.games.europe_divided.ids import NONE
from engine.games.europe_divided.state import State


class Step(msgspec.Struct, frozen=True):
    """Hold the step being taken, which everybody sees.

    `seat` takes it by the action card `card` of the seat `owner`, the opponent's in a reaction, or by the own advantage
    card `advantage`. `source` is where the army stands that moves; `region` the only one that is asked about, where
    the card leaves no other; `left` counts pips to distribute or armies to move, the chosen one among them.
    """

    seat: int
    card: str | None = None
    owner: int | None = None
    advantage: str | None = None
    source: str | None = None
    region: str | None = None
    left: int = 0


def build_step(state: State) -> Step | None:
    """Return the step that a redacted state is in; None where its question stands alone."""
    match state.flow.stack:
        case [*_, UseCard(seat, card)]:
            return _by_card(Step(seat), card)
        case [*_, MoveOn() as army]:
            return _army(army, state.flow.stack[-2])
        case [*_, Operation() as operation]:
            return _by_text(_operation(operation), operation.op)
    return None


def _army(frame: MoveOn, below: Any) -> Step:
    step = Step(frame.seat, source=REGIONS[frame.source], left=1)
    if frame.op == NONE:
        return _by_card(step, frame.card)
    if isinstance(below, March) and below.op == frame.op:
        step = msgspec.structs.replace(step, left=1 + below.left)
    return _by_text(step, frame.op)


def _operation(frame: Operation) -> Step:
    step = Step(frame.of.seat)
    replace = msgspec.structs.replace
    match frame:
        case Distribute():
            return replace(step, left=frame.left or frame.of.amount)
        case March():
            return replace(step, left=frame.left or frame.of.count)
        case RaiseDie() if frame.only != NONE:
            return replace(step, region=REGIONS[frame.only])
    return replace(step, region=REGIONS[frame.region]) if frame.of.at_trigger else step


def _by_text(step: Step, op: int) -> Step:
    card, advantage = SOURCES[op]
    return (
        _by_card(step, card) if advantage == NONE else msgspec.structs.replace(step, advantage=ADVANTAGES[advantage].id)
    )


def _by_card(step: Step, card: int) -> Step:
    return msgspec.structs.replace(step, card=CARDS[card].id, owner=CARDS[card].owner)
