"""Say what is being asked about: the step of a turn that the top of the stack is in, and the cards it belongs to."""

from typing import Any

import msgspec

from engine.games.rurik.data import DEEDS, REGIONS, SCHEMES
from engine.games.rurik.frames.advisors import Bribe
from engine.games.rurik.frames.attack import Attack, Casualty, CasualtyCheck
from engine.games.rurik.frames.build import Church
from engine.games.rurik.frames.deeds import PayGoods, PaySameGoods, PayStructure, PayTroops
from engine.games.rurik.frames.move import Move
from engine.games.rurik.frames.muster import Muster
from engine.games.rurik.frames.rebellion import Points, RebellionChurch
from engine.games.rurik.frames.schemes import DrawSchemes, KeepOne, PayScheme, PutBack
from engine.games.rurik.frames.turn import DeedReward, PlayedScheme
from engine.games.rurik.ids import COLUMNS, HIDDEN, Column
from engine.games.rurik.state import State


class Step(msgspec.Struct, frozen=True):
    """Hold the step being taken, which everybody sees, and in `drawn` the scheme cards that its seat alone sees.

    `seat` takes it, even where the card lets another one choose; `points` are its muster, movement or attack points not
    yet spent; `left` counts what the question itself is about: goods or troops to pay, cards to draw, reveal or put
    back. `deed` is the deed whose cost is being paid and `scheme` the card whose reward is being gained, if the step
    belongs to one.
    """

    seat: int
    points: int = 0
    left: int = 0
    region: str | None = None
    deed: str | None = None
    scheme: str | None = None
    advisor: int | None = None
    column: Column | None = None
    deck: int | None = None
    drawn: tuple[str, ...] = ()


def build_step(state: State) -> Step | None:
    """Return the step that a redacted state is in; None where its question stands alone."""
    step = _asked(state.flow.stack)
    if step is None:
        return None
    points, deed, scheme = 0, None, None
    for frame in state.flow.stack:
        match frame:
            case Muster() | Move() | Attack() | Points():
                points = frame.points
            case DeedReward():
                deed = DEEDS[frame.deed].id
            case PlayedScheme():
                scheme = SCHEMES[frame.played].id
    return msgspec.structs.replace(step, points=points, deed=deed, scheme=scheme)


def _asked(stack: list[Any]) -> Step | None:
    match stack:
        case [*_, Muster(seat) | Move(seat) | Attack(seat) | Points(seat) | PayStructure(seat) | PayScheme(seat)]:
            return Step(seat)
        case [*_, Bribe(seat, advisor, column)]:
            return Step(seat, advisor=advisor, column=COLUMNS[column])
        case [*_, CasualtyCheck(seat, region, count)]:
            return Step(seat, left=count, region=REGIONS[region])
        case [*_, Casualty(seat, region) | Church(seat, region) | RebellionChurch(seat, region)]:
            return Step(seat, region=REGIONS[region])
        case [
            *_,
            DrawSchemes(seat, count) | PayGoods(seat, count) | PaySameGoods(seat, count) | PayTroops(seat, count),
        ]:
            return Step(seat, left=count)
        case [*_, KeepOne(seat, deck, cards)]:
            return Step(seat, left=1, deck=deck, drawn=_names(cards))
        case [*_, PutBack(seat, deck, cards)]:
            return Step(seat, left=len(cards), deck=deck, drawn=_names(cards))
    return None


def _names(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(SCHEMES[card].id for card in cards if card != HIDDEN)
