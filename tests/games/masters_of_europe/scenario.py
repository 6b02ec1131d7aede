"""Set a position up in words, so that a ruling is tested on the board that it speaks of.

The board of a scenario is empty but for what the keywords place; cards are taken from the deck, so that the invariants
of the game hold and `act` can check them after every action.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.events import seen_by
from engine.core.rng import Rng
from engine.core.rules import Step
from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.data import CARD_INDEX, CARDS, COUNTRY_INDEX, DECK
from engine.games.masters_of_europe.flow import Game
from engine.games.masters_of_europe.frames.melds import Turn
from engine.games.masters_of_europe.frames.trade import Trade
from engine.games.masters_of_europe.ids import CardKind, MeldAction, Phase
from engine.games.masters_of_europe.state import State, audit
from tests.games.referee import Referee

#: Nothing, as one side of an offer.
NOTHING = a.Bundle()


class Dice(Rng, array_like=True):
    """Roll what a test says; the rolls stand in the place of the counters."""

    def clone(self):
        return Dice(self.seed, self.counters.copy())

    def below(self, stream: str, n: int) -> int:
        assert (stream, n) == ("dice", 6)
        return self.counters.pop(next(iter(self.counters))) - 1


def rolling(*dice):
    """Return a generator that rolls these."""
    return Dice(b"", {str(i): die for i, die in enumerate(dice)})


_referee = Referee(RULES, audit, Game)
ready = _referee.ready
act = _referee.act
legal = _referee.legal
offered = _referee.offered


def scenario(
    seats: int = 3,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    *,
    tokens: Mapping[int, Mapping[str, int]] | None = None,
    hands: Mapping[int, Sequence[str]] | None = None,
    chips: Mapping[int, int] | None = None,
    cubes: Mapping[str, int] | None = None,
    leader: int = 0,
    phase: Phase = Phase.ACTION,
) -> State:
    """Return a position past set-up: an empty board and what the keywords place, by seat, with names of the data files.

    Hands hold exactly the cards named; all others lie in the deck.
    """
    state: State = RULES.initial_state(RULES.config(seats, dict(options or {})), seed)
    state.leader, state.phase = leader, phase
    deck = sorted(DECK)
    for seat, player in enumerate(state.players):
        player.tokens = [0] * len(COUNTRY_INDEX)
        for country, count in (tokens or {}).get(seat, {}).items():
            player.tokens[COUNTRY_INDEX[country]] = count
        player.chips = (chips or {}).get(seat, 0)
        player.hand = sorted(CARD_INDEX[card] for card in (hands or {}).get(seat, ()))
        for card in player.hand:
            deck.remove(card)
    for country, count in (cubes or {}).items():
        state.cubes[COUNTRY_INDEX[country]] = count
    state.rng.shuffle("deck", deck)
    state.deck, state.discard = deck, []
    state.flow.stack = [Game()]
    return state


def pile(state: State, *cards: str) -> State:
    """Leave these cards alone in the deck, the first one on top; the others are discarded."""
    rest = [*state.deck, *state.discard]
    state.deck = [CARD_INDEX[card] for card in reversed(cards)]
    for card in state.deck:
        rest.remove(card)
    state.discard = rest
    return state


def nowhere(state: State, seat: int) -> State:
    """Leave neither deck nor discards: a seat holds all the cards that lay there."""
    state.players[seat].hand = sorted([*state.players[seat].hand, *state.deck, *state.discard])
    state.deck, state.discard = [], []
    return state


def trade(state: State) -> State:
    """Begin the trade phase."""
    state.phase = Phase.TRADE
    return ready(state, Trade())


def turn(state: State, seat: int = 0) -> State:
    """Begin the turn of a seat, the last one of the action phase."""
    return ready(state, Turn(seat))


def play(state: State, *acts: tuple[int, Any]) -> State:
    """Play actions of seats in turn."""
    for seat, action in acts:
        state = act(state, seat, action).state
    return state


def meld(state: State, seat: int, action: MeldAction, number: str, *countries: str | tuple[str, str]) -> Step:
    """Play a meld up to its number card; a country is its own card, or a pair of a power and the country."""
    state = act(state, seat, a.StartMeld(action)).state
    for country in countries:
        card, name = (country, country) if isinstance(country, str) else country
        state = act(state, seat, a.ChooseCountry(card, name)).state
    return act(state, seat, a.ChooseNumber(number))


def asked(state: State) -> list[tuple[int, str]]:
    """Return who is asked what."""
    return [(decision.seat, decision.kind) for decision in RULES.pending(state)]


def told(step: Step, kind: Any, seat: int | None = None, *, full: bool = True) -> list[Any]:
    """Return the events of a kind: in full, or as a seat (None: a spectator) reads them."""
    seen = [emitted.event if full else seen_by(emitted, seat) for emitted in step.events]
    return [event for event in seen if isinstance(event, kind)]


def hand(state: State, seat: int) -> list[str]:
    """Return a seat's cards, in the order of the card list."""
    return [CARDS[card].id for card in state.players[seat].hand]


def known(state: State, seat: int, other: int) -> list[str]:
    """Return the cards that one seat knows another to hold."""
    return [CARDS[card].id for card in state.known[seat][other]]


def tokens(state: State, seat: int, country: str) -> int:
    """Return a seat's tokens on a country."""
    return int(state.players[seat].tokens[COUNTRY_INDEX[country]])


def chips(state: State) -> list[int]:
    """Return the chips of all seats."""
    return [player.chips for player in state.players]


def cards(*names: str) -> a.Bundle:
    """Return one side of an offer: cards by name."""
    return a.Bundle(names)


def kinds(*kinds_: CardKind) -> a.Bundle:
    """Return one side of an offer: cards by type."""
    return a.Bundle((), kinds_)


def coins(count: int) -> a.Bundle:
    """Return one side of an offer: chips."""
    return a.Bundle((), (), count)


def names(discards: Iterable[int]) -> list[str]:
    """Return the names of cards."""
    return [CARDS[card].id for card in discards]
