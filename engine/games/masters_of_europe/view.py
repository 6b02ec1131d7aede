"""Say what a seat may know, and make up the rest.

`redact` builds a state field by field in which all that a seat must not know reads HIDDEN; the flow of a view is that
state, the table is built from the flow, and from nothing else.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import msgspec

from engine.core import frames, rng
from engine.core.frames import Flow
from engine.core.rules import RulesInfo, View
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import scoring
from engine.games.masters_of_europe.data import CARDS, COUNTRY_INDEX, DECK
from engine.games.masters_of_europe.flow import StackFrame
from engine.games.masters_of_europe.frames.melds import MeldCountry, MeldNumber, country_options
from engine.games.masters_of_europe.ids import CARD_KINDS, HIDDEN, CardKind
from engine.games.masters_of_europe.state import Offer, Player, State, StateOf, concerns, holds
from engine.games.masters_of_europe.table import build_table

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(StateOf[StackFrame]).decode


@lru_cache(maxsize=64)
def seen(flow: bytes) -> State:
    """Return the state that a view's flow holds, kept because every line about the view asks it: nobody changes it."""
    return _decode(flow)


def observe(info: RulesInfo, state: State, seat: int | None) -> View:
    """Return what a seat (None: a spectator) may know, with its own decision and legal actions."""
    flow = _encode(redact(state, seat))
    return frames.view(info, state, seat, lambda: build_table(seen(flow), seat), flow, scoring.outcome(state))


def redact(state: State, seat: int | None) -> State:
    """Return a new state with only what a seat may know in it."""
    flow = state.flow
    return StateOf(
        config=state.config,
        rng=rng.HIDDEN,
        flow=Flow(flow.stack, flow.automa, flow.version, flow.opened),
        players=[
            player
            if i == seat
            else Player(player.tokens, [HIDDEN] * len(player.hand), player.chips, player.offers, player.done)
            for i, player in enumerate(state.players)
        ],
        cubes=state.cubes,
        deck=[HIDDEN] * len(state.deck),
        discard=state.discard,
        known=[hands if i == seat else [[] for _ in hands] for i, hands in enumerate(state.known)],
        offers=[offer if concerns(offer, seat) else _closed(offer) for offer in state.offers],
        leader=state.leader,
        round=state.round,
        phase=state.phase,
        next_offer=state.next_offer,
        leader_rolls=state.leader_rolls,
        wrestling=state.wrestling,
    )


def _closed(offer: Offer) -> Offer:
    """Return an offer as those see it whom it does not concern: who made it, to whom."""
    return Offer(offer.id, offer.seat, offer.to, (), 0, (), (), 0, offer.declined, hidden=True)


def determinize(view: View, source: Any) -> State:
    """Return a full state that fits a view, its unseen parts drawn with `source`, a `random.Random`."""
    state = _decode(view.flow)
    _fill(state, view.seat, source)
    state.offers = [_guess(state, offer, source) if offer.hidden else offer for offer in state.offers]
    return state


def _guess(state: State, offer: Offer, source: Any) -> Offer:
    """Return an offer whose terms a seat does not know as a likely one: a card, or else a chip, for a card."""
    kind = source.randrange(len(CARD_KINDS))
    hand = state.players[offer.seat].hand
    cards = (source.choice(hand),) if hand else ()
    chips = 0 if cards else min(1, state.players[offer.seat].chips)
    return Offer(offer.id, offer.seat, offer.to, cards, chips, (), (kind,), 0, offer.declined)


def SECRETS(state: State, seat: int | None, source: Any) -> State:  # noqa: N802 - the contract's name
    """Return a copy of a true state in which all that a seat must not know is dealt anew: it must look the same.

    Offers between others name other cards, as many as before: how many change hands is told to all.
    """
    other = state.clone()
    other.flow.legal = None
    for i, player in enumerate(other.players):
        if i != seat:
            player.hand = [HIDDEN] * len(player.hand)
            other.known[i] = [[] for _ in other.players]
    other.deck = [HIDDEN] * len(other.deck)
    _fill(other, seat, source)
    other.offers = [offer if concerns(offer, seat) else _reworded(other, offer, source) for offer in other.offers]
    return other


def _reworded(state: State, offer: Offer, source: Any) -> Offer:
    gives = source.sample(state.players[offer.seat].hand, len(offer.give_cards))
    wants = source.sample(range(len(CARDS)), len(offer.want_cards))
    return msgspec.structs.replace(offer, give_cards=tuple(sorted(gives)), want_cards=tuple(sorted(wants)))


def _fill(state: State, seat: int | None, source: Any) -> None:
    """Deal everything that reads HIDDEN, in keeping with what the seat knows; the generator is keyed anew.

    A spectator knows of hands what standing offers to all show.
    """
    state.rng = rng.rekeyed(source)
    remembered = [list(hand) for hand in state.known[seat]] if seat is not None else [[] for _ in state.players]
    for offer in state.offers:
        if not offer.hidden and concerns(offer, seat) and offer.seat != seat:
            missing = Counter(offer.give_cards) - Counter(remembered[offer.seat])
            remembered[offer.seat] += missing.elements()
    left = Counter(DECK)
    left.subtract(state.discard)
    left.subtract(card for frame in state.flow.stack for card in getattr(frame, "cards", ()))
    left.subtract(card for i, player in enumerate(state.players) if i == seat for card in player.hand)
    left.subtract(card for i, hand in enumerate(remembered) if i != seat for card in hand)
    pool = list(left.elements())
    source.shuffle(pool)
    top = state.flow.stack[-1] if state.flow.stack else None
    if isinstance(top, MeldCountry | MeldNumber) and top.seat != seat:
        remembered[top.seat] += _to_complete(state, top, remembered[top.seat], pool, source)
    for i, player in enumerate(state.players):
        if i != seat:
            unknown = len(player.hand) - len(remembered[i])
            player.hand = sorted([*remembered[i], *(pool.pop() for _ in range(unknown))])
    state.deck = pool


def _to_complete(state: State, top: Any, known: list[int], pool: list[int], source: Any) -> list[int]:
    """Draw what a seat that is putting a meld together must hold besides: a meld is begun if it can be completed."""
    player = state.players[top.seat]
    unseen = player.hand
    wanted: list[tuple[int, ...]] = []
    if isinstance(top, MeldCountry):
        lands = [card for card in range(len(CARDS)) if card in pool and CARDS[card].countries]
        for count in (0, 1, 2):
            for cards in combinations_with_replacement(lands, count):
                player.hand = [*known, *cards]
                if holds(pool, cards) and any(country_options(state, top.seat, top.action, top.countries)):
                    wanted.append(cards)
            if wanted:
                break
    cards = source.choice(wanted) if wanted else ()
    if not any(CARDS[card].kind is CardKind.NUMBER for card in known):
        cards = (*cards, source.choice([card for card in pool if CARDS[card].kind is CardKind.NUMBER]))
    for card in cards:
        pool.remove(card)
    player.hand = unseen
    return list(cards)


def default_action(state: State, seat: int) -> Any:
    """Return a harmless move: stop trading, stop, end the turn, place a token where it counts; else the first legal."""
    legal = frames.legal_actions(state, seat)
    if isinstance(legal[0], a.PlaceToken):
        return max(legal, key=lambda action: _foothold(state, seat, COUNTRY_INDEX[action.country]))
    for kind in (a.FinishTrading, a.Done, a.EndTurn):
        for action in legal:
            if isinstance(action, kind):
                return action
    return legal[0]


def _foothold(state: State, seat: int, country: int) -> tuple[bool, int]:
    """Return how good a place for a token is: seats that always take the best one do not block each other for ever."""
    most = max(player.tokens[country] for i, player in enumerate(state.players) if i != seat)
    own = state.players[seat].tokens[country]
    return own > 0 or most == 0, own - most
