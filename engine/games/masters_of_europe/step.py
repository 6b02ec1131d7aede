"""Say what is being asked about: the meld or the discard that the top of the stack is in."""

import msgspec

from engine.games.masters_of_europe.data import CARDS, COUNTRIES
from engine.games.masters_of_europe.frames.hands import Discard
from engine.games.masters_of_europe.frames.melds import (
    Aftermath,
    MeldCountry,
    MeldNumber,
    Pretender,
    Removal,
    TreatyCards,
    TreatyMoves,
)
from engine.games.masters_of_europe.ids import NONE, MeldAction
from engine.games.masters_of_europe.state import State


class Step(msgspec.Struct, frozen=True):
    """Hold the step being taken, which everybody sees.

    `cards` are those of a meld that still lie before its seat; `countries` those it is aimed at; `number` is its X,
    where that still matters; `left` counts tokens that may yet go, or cards that must; `victim` is the seat whose
    tokens go, None: any other.
    """

    seat: int
    action: MeldAction | None = None
    cards: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    number: int | None = None
    left: int = 0
    victim: int | None = None


def build_step(state: State) -> Step | None:
    """Return the step that a redacted state is in; None where its question needs none."""
    match state.flow.stack:
        case [*_, MeldCountry(seat, action, cards, countries) | MeldNumber(seat, action, cards, countries)]:
            return Step(seat, action, tuple(CARDS[card].id for card in cards), _names(*countries))
        case [*_, Aftermath() as after, Removal(seat, country, count, owner)]:
            victim = None if owner == NONE else owner
            return Step(seat, after.action, (), _names(country), after.number, count, victim)
        case [*_, Pretender(seat, country, number)]:
            return Step(seat, MeldAction.ABSOLUTISM, (), _names(country), number)
        case [*_, TreatyMoves(seat, country, count)]:
            return Step(seat, MeldAction.TREATY, (), _names(country), None, count)
        case [*_, TreatyCards(seat)]:
            return Step(seat, MeldAction.TREATY)
        case [*_, Discard(seat, keep)]:
            return Step(seat, left=len(state.players[seat].hand) - keep)
    return None


def _names(*countries: int) -> tuple[str, ...]:
    return tuple(COUNTRIES[country].id for country in countries)
