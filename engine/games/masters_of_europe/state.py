"""Hold the whole state of a game as plain data, copy it, and ask it what the rulebook asks.

Countries and cards are small integers here: indices into the tuples of `data`.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.frames import Flow
from engine.core.rng import Rng
from engine.games.masters_of_europe.config import Config
from engine.games.masters_of_europe.data import CARDS, COUNTRIES, DECK, VICTORY_CHIPS
from engine.games.masters_of_europe.ids import CARD_KINDS, HIDDEN, NONE, Phase

F = TypeVar("F")

#: Rounds of a roll-off: the seats that rolled, and their dice.
Rolls = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


class Offer(msgspec.Struct, frozen=True, array_like=True):
    """Hold a standing offer of `seat` to `to` (NONE: to all); `declined` lists the seats that want none of it.

    In a view of those whom it does not concern both sides are empty and `hidden` is set.
    """

    id: int
    seat: int
    to: int
    give_cards: tuple[int, ...]
    give_chips: int
    want_cards: tuple[int, ...]
    want_kinds: tuple[int, ...]
    want_chips: int
    declined: tuple[int, ...] = ()
    hidden: bool = False


class Player(msgspec.Struct, array_like=True):
    """Hold a seat's tokens by country, its chips and its hand; `offers` counts those made in this phase."""

    tokens: list[int]
    hand: list[int]
    chips: int = 0
    offers: int = 0
    done: bool = False

    def clone(self) -> "Player":
        """Return an independent copy."""
        return Player(self.tokens.copy(), self.hand.copy(), self.chips, self.offers, self.done)


class StateOf(msgspec.Struct, Generic[F], array_like=True):
    """Hold a game.

    `deck` ends with its top card; `known` lists, by seat and other seat, the cards that one knows the other to hold;
    `leader` has the Leader token, `leader_rolls` are those that gave it first; `next_offer` numbers offers; `wrestling`
    keeps the rolls that broke the last tie.
    """

    config: Config
    rng: Rng
    flow: Flow[F]
    players: list[Player]
    cubes: list[int]
    deck: list[int]
    discard: list[int]
    known: list[list[list[int]]]
    offers: list[Offer]
    leader: int = NONE
    round: int = 1
    phase: Phase = Phase.SETUP
    next_offer: int = 1
    leader_rolls: Rolls = ()
    wrestling: Rolls = ()

    def clone(self) -> "StateOf[F]":
        """Return an independent copy."""
        return StateOf(
            self.config,
            self.rng.clone(),
            self.flow.clone(),
            [player.clone() for player in self.players],
            self.cubes.copy(),
            self.deck.copy(),
            self.discard.copy(),
            [[hand.copy() for hand in hands] for hands in self.known],
            self.offers.copy(),
            self.leader,
            self.round,
            self.phase,
            self.next_offer,
            self.leader_rolls,
            self.wrestling,
        )


#: Frames act on the state and the state holds frames: rules write State, the codec names the union of frames.
State = StateOf[Any]


def initiative(state: State) -> list[int]:
    """Return all seats clockwise from the Leader (Leader Token)."""
    seats = len(state.players)
    return [(state.leader + i) % seats for i in range(seats)]


def controller(state: State, country: int) -> int:
    """Return the seat with strictly the most tokens on a country, or NONE (Action Phase)."""
    best, who = 0, NONE
    for seat, player in enumerate(state.players):
        count = player.tokens[country]
        if count > best:
            best, who = count, seat
        elif count == best:
            who = NONE
    return who


def controlled(state: State, seat: int) -> int:
    """Return how many countries a seat controls."""
    return sum(controller(state, country) == seat for country in range(len(COUNTRIES)))


def is_won(state: State) -> bool:
    """Return whether somebody has more than 100 chips (Victory)."""
    return max(player.chips for player in state.players) > VICTORY_CHIPS


def is_last_round(state: State) -> bool:
    """Return whether the game ends with this round though nobody has won it (option last_round)."""
    return state.round >= state.config.last_round


def ends_now(state: State) -> bool:
    """Return whether the game ends in the middle of a phase (option end_check=at_once)."""
    return state.config.end_check == "at_once" and is_won(state)


def holds(hand: list[int], cards: tuple[int, ...]) -> bool:
    """Return whether a hand has all of these cards, counting copies."""
    if len(cards) == 1:
        return cards[0] in hand
    return all(hand.count(card) >= cards.count(card) for card in cards)


def without(cards: Iterable[int], taken: Iterable[int]) -> list[int]:
    """Return cards less those taken, counting copies; what is taken need not be among them."""
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return left


#: The type of each card as an index into CARD_KINDS.
KIND_OF: tuple[int, ...] = tuple(CARD_KINDS.index(card.kind) for card in CARDS)


def concerns(offer: Offer, seat: int | None) -> bool:
    """Return whether a seat may read an offer: its maker, its addressee, everybody if it is to all."""
    return offer.to == NONE or seat in (offer.seat, offer.to)


def audit(state: State) -> list[str]:
    """Return the invariants that a state breaks; empty when it is sane. For tests: hidden cards must be in it."""
    broken = []
    in_frames = [card for frame in state.flow.stack for card in getattr(frame, "cards", ())]
    cards = [*state.deck, *state.discard, *in_frames, *(c for player in state.players for c in player.hand)]
    if Counter(cards) != Counter(DECK):
        broken.append(f"{len(cards)} cards are not the {len(DECK)} of the game")
    for seat, player in enumerate(state.players):
        if min([player.chips, *player.tokens]) < 0:
            broken.append(f"seat {seat} has a negative count")
        for other, memory in enumerate(state.known[seat]):
            if HIDDEN in memory or Counter(memory) - Counter(state.players[other].hand):
                broken.append(f"seat {seat} remembers cards that seat {other} does not hold")
    if min(state.cubes) < 0:
        broken.append("a country has a negative count of cubes")
    for offer in state.offers:
        maker = state.players[offer.seat]
        if not holds(maker.hand, offer.give_cards) or maker.chips < offer.give_chips:
            broken.append(f"offer {offer.id} cannot be met by its maker")
    return broken
