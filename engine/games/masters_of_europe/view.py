"""Say what a seat may know, and make up the rest.

`redact` builds a state field by field in which all that a seat must not know reads HIDDEN; the table and the flow of a
view come from it and from nothing else.
"""

from collections import Counter
from typing import Any

import msgspec

from engine.core import frames, rng
from engine.core.frames import Flow
from engine.core.rules import RulesInfo, View
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import scoring
from engine.games.masters_of_europe.data import DECK
from engine.games.masters_of_europe.flow import StackFrame
from engine.games.masters_of_europe.ids import HIDDEN
from engine.games.masters_of_europe.state import Offer, Player, State, StateOf, concerns
from engine.games.masters_of_europe.table import build_table

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(StateOf[StackFrame]).decode


def observe(info: RulesInfo, state: State, seat: int | None) -> View:
    """Return what a seat (None: a spectator) may know, with its own decision and legal actions."""
    shown = redact(state, seat)
    pending = frames.pending(state)
    decision = next((d for d in pending if d.seat == seat), None)
    return View(
        game=info.id,
        rules_version=info.rules_version,
        data_version=info.data_version,
        version=state.flow.version,
        seat=seat,
        table=build_table(shown, seat),
        flow=_encode(shown),
        pending=pending,
        decision=decision,
        legal=frames.legal_actions(state, seat) if decision is not None and seat is not None else (),
        outcome=scoring.outcome(state),
    )


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
        wrestling=state.wrestling,
    )


def _closed(offer: Offer) -> Offer:
    """Return an offer as those see it whom it does not concern: who made it, to whom."""
    return Offer(offer.id, offer.seat, offer.to, (), 0, (), (), 0, offer.declined, hidden=True)


def determinize(view: View, source: Any) -> State:
    """Return a full state that fits a view, its unseen parts drawn with `source`, a `random.Random`."""
    state = _decode(view.flow)
    _fill(state, view.seat, source)
    return state


def SECRETS(state: State, seat: int | None, source: Any) -> State:  # noqa: N802 - the contract's name
    """Return a copy of a true state in which all that a seat must not know is dealt anew: it must look the same."""
    other = state.clone()
    other.flow.legal = None
    for i, player in enumerate(other.players):
        if i != seat:
            player.hand = [HIDDEN] * len(player.hand)
            other.known[i] = [[] for _ in other.players]
    other.deck = [HIDDEN] * len(other.deck)
    other.offers = [offer if concerns(offer, seat) else _closed(offer) for offer in other.offers]
    _fill(other, seat, source)
    return other


def _fill(state: State, seat: int | None, source: Any) -> None:
    """Deal everything that reads HIDDEN, in keeping with what the seat knows; the generator is keyed anew.

    A spectator knows of hands what standing offers to all show.
    """
    state.rng = rng.rekeyed(source)
    remembered = [list(hand) for hand in state.known[seat]] if seat is not None else [[] for _ in state.players]
    for offer in state.offers:
        if not offer.hidden and offer.seat != seat:
            missing = Counter(offer.give_cards) - Counter(remembered[offer.seat])
            remembered[offer.seat] += missing.elements()
    left = Counter(DECK)
    left.subtract(state.discard)
    left.subtract(card for frame in state.flow.stack for card in getattr(frame, "cards", ()))
    left.subtract(card for i, player in enumerate(state.players) if i == seat for card in player.hand)
    left.subtract(card for i, hand in enumerate(remembered) if i != seat for card in hand)
    pool = list(left.elements())
    source.shuffle(pool)
    for i, player in enumerate(state.players):
        if i != seat:
            unknown = len(player.hand) - len(remembered[i])
            player.hand = sorted([*remembered[i], *(pool.pop() for _ in range(unknown))])
    state.deck = pool


def default_action(state: State, seat: int) -> Any:
    """Return a harmless move: stop trading, stop, end the turn; else the first thing legal."""
    legal = frames.legal_actions(state, seat)
    for kind in (a.FinishTrading, a.Done, a.EndTurn):
        for action in legal:
            if isinstance(action, kind):
                return action
    return legal[0]
