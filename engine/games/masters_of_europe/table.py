"""Hold what a seat sees of the table, for people and foreign clients."""

from typing import Any

import msgspec

from engine.games.masters_of_europe.actions import Bundle
from engine.games.masters_of_europe.data import CARDS, COUNTRIES, POINTS
from engine.games.masters_of_europe.ids import CARD_KINDS, HIDDEN, NONE, Phase
from engine.games.masters_of_europe.state import Offer as OfferState
from engine.games.masters_of_europe.state import State, controlled, controller
from engine.games.masters_of_europe.step import Step, build_step


class Country(msgspec.Struct, frozen=True):
    """Hold a country: tokens by seat, industry cubes, the chips it scores without them, the seat that controls it."""

    id: str
    tokens: tuple[int, ...]
    cubes: int
    points: int
    controller: int | None


class Player(msgspec.Struct, frozen=True):
    """Hold a seat: `hand` is filled for the own seat only, `known_hand` lists cards that one knows it to hold."""

    seat: int
    chips: int
    cards_in_hand: int
    hand: tuple[str, ...]
    known_hand: tuple[str, ...]
    countries: int
    offers_made: int
    done: bool


class Offer(msgspec.Struct, frozen=True):
    """Hold a standing offer; `to` None is to all; its two sides are None for those whom it does not concern."""

    id: int
    seat: int
    to: int | None
    give: Bundle | None
    want: Bundle | None
    declined: tuple[int, ...]


class Roll(msgspec.Struct, frozen=True):
    """Hold a roll of several seats, a die each."""

    seats: tuple[int, ...]
    dice: tuple[int, ...]


class Table(msgspec.Struct, frozen=True):
    """Hold the table as a seat sees it.

    `leader_rolls` gave the Leader token at the start; `step` is what the open question is about, None where it
    stands alone; `wrestling` broke a tie at the end.
    """

    round: int
    phase: Phase
    leader: int
    leader_rolls: tuple[Roll, ...]
    countries: tuple[Country, ...]
    players: tuple[Player, ...]
    deck: int
    discard: tuple[str, ...]
    offers: tuple[Offer, ...]
    step: Step | None
    wrestling: tuple[Roll, ...]


def build_table(state: State, seat: int | None) -> Table:
    """Return the table of a redacted state: nothing hidden is in it any more."""
    return Table(
        round=state.round,
        phase=state.phase,
        leader=state.leader,
        leader_rolls=tuple(Roll(*roll) for roll in state.leader_rolls),
        countries=tuple(_country(state, i) for i in range(len(COUNTRIES))),
        players=tuple(_player(state, i, seat) for i in range(len(state.players))),
        deck=len(state.deck),
        discard=_names(state.discard),
        offers=tuple(show_offer(offer) for offer in state.offers),
        step=build_step(state),
        wrestling=tuple(Roll(*roll) for roll in state.wrestling),
    )


def _names(cards: Any) -> tuple[str, ...]:
    return tuple(CARDS[card].id for card in cards if card != HIDDEN)


def _country(state: State, i: int) -> Country:
    who = controller(state, i)
    tokens = tuple(player.tokens[i] for player in state.players)
    return Country(COUNTRIES[i].id, tokens, state.cubes[i], POINTS[i], None if who == NONE else who)


def _player(state: State, i: int, seat: int | None) -> Player:
    player = state.players[i]
    return Player(
        seat=i,
        chips=player.chips,
        cards_in_hand=len(player.hand),
        hand=_names(player.hand),
        known_hand=() if seat is None else _names(state.known[seat][i]),
        countries=controlled(state, i),
        offers_made=player.offers,
        done=player.done,
    )


def show_offer(offer: OfferState) -> Offer:
    """Return an offer of a redacted state as its seat sees it."""
    to = None if offer.to == NONE else offer.to
    if offer.hidden:
        return Offer(offer.id, offer.seat, to, None, None, offer.declined)
    give = Bundle(_names(offer.give_cards), (), offer.give_chips)
    kinds = tuple(CARD_KINDS[kind] for kind in offer.want_kinds)
    want = Bundle(_names(offer.want_cards), kinds, offer.want_chips)
    return Offer(offer.id, offer.seat, to, give, want, offer.declined)
