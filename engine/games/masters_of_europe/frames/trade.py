"""Let all seats negotiate at the same time (Trade Phase)."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import msgspec

from engine.core.frames import Ctx, Frame
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe import options as o
from engine.games.masters_of_europe.data import CARD_INDEX, CARDS
from engine.games.masters_of_europe.ids import CARD_KINDS, NONE, CardKind
from engine.games.masters_of_europe.state import KIND_OF, Offer, Player, State, ends_now, holds, without

#: An offer asks for at most so many cards by name, and so many by type.
MOST_CARDS, MOST_KINDS = 10, 3


class Trade(Frame, tag="trade"):
    """Hold the trade phase: it ends when every seat has declared itself done since the last completed trade."""

    secret = True
    open = ("make_offer", "counter_offer")

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seats that are not done, or have an offer to answer."""
        if ends_now(state):
            return ()
        offers = state.offers
        return tuple(
            [
                seat
                for seat, player in enumerate(state.players)
                if not player.done or (offers and any(is_asked(offer, seat) for offer in offers))
            ]
        )

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every answer to offers, the own offers that may be withdrawn, a sample of new offers, the end."""
        listed: list[Any] = []
        may_offer = state.players[seat].offers < state.config.offer_cap
        for offer in state.offers:
            if is_asked(offer, seat):
                listed += acceptances(state.players[seat], offer)
                listed.append(a.DeclineOffer(offer.id))
                if may_offer:
                    listed += _sample_counter(state, seat, offer)
            elif offer.seat == seat:
                listed.append(a.WithdrawOffer(offer.id))
        if may_offer:
            listed += _sample_offers(state, seat)
        return (*listed, o.FINISH_TRADING)

    def stamps(self, state: State, seats: Iterable[int]) -> dict[int, Any]:
        """Return what the options come from: the own hand, chips and count of offers, and the offers that stand."""
        players, offers = state.players, state.offers
        return {
            seat: (
                players[seat].hand.copy(),
                players[seat].chips,
                players[seat].offers,
                [
                    offer.id
                    for offer in offers
                    if offer.seat == seat or (offer.to in (NONE, seat) and seat not in offer.declined)
                ],
            )
            for seat in seats
        }

    def refusal(self, state: State, seat: int, action: Any) -> str | None:
        """Return what is wrong with an action, from what the seat may know; None allows an offer it words itself."""
        if (fault := _malformed(action)) is not None:
            return fault
        match action:
            case a.MakeOffer(to, give, want):
                if to == seat:
                    return "an offer to oneself is not possible; name another seat, or none for all"
                if to is not None and not 0 <= to < len(state.players):
                    return f"there is no seat {to}; seats are 0 to {len(state.players) - 1}"
                return _refuse_terms(state, seat, give, want)
            case a.CounterOffer(number, give, want):
                return _not_asked(state, seat, number) or _refuse_terms(state, seat, give, want)
            case a.AcceptOffer(number, cards):
                if (fault := _not_asked(state, seat, number) or _unknown(cards)) is not None:
                    return fault
                return (
                    f"seat {seat} cannot hand over what offer {number} asks for with these cards in this order; "
                    "the decision lists the cards it can"
                )
            case a.DeclineOffer(number):
                return _not_asked(state, seat, number)
            case a.WithdrawOffer(number):
                return f"seat {seat} has no standing offer {number}"
        return super().refusal(state, seat, action)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Make, answer or withdraw an offer, or declare oneself done."""
        match action:
            case a.MakeOffer(to, give, want):
                _make(ctx, seat, NONE if to is None else to, give, want)
            case a.AcceptOffer(number, cards):
                _accept(ctx, seat, _offer(ctx.state, number), [CARD_INDEX[card] for card in cards])
            case a.DeclineOffer(number):
                _decline(ctx, seat, _offer(ctx.state, number))
            case a.CounterOffer(number, give, want):
                offer = _offer(ctx.state, number)
                _decline(ctx, seat, offer)
                _make(ctx, seat, offer.seat, give, want)
            case a.WithdrawOffer(number):
                _withdraw(ctx, seat, _offer(ctx.state, number))
            case a.FinishTrading():
                _finish(ctx, seat)

    def run(self, ctx: Ctx) -> None:
        """End the phase."""
        ctx.pop()
        ctx.state.offers = []
        for player in ctx.state.players:
            player.offers, player.done = 0, False


def is_asked(offer: Offer, seat: int) -> bool:
    """Return whether a seat has an offer to answer."""
    return (offer.to == seat or (offer.to == NONE and offer.seat != seat)) and seat not in offer.declined


def _not_asked(state: State, seat: int, number: int) -> str | None:
    if any(offer.id == number and is_asked(offer, seat) for offer in state.offers):
        return None
    return f"offer {number} has lapsed, was answered or is not made to seat {seat}"


def _malformed(action: Any) -> str | None:
    """Return what is wrong with the form of an action: a program inside may pass anything, the wire checks before."""
    try:
        msgspec.convert(msgspec.to_builtins(action), a.Action)
    except (msgspec.ValidationError, TypeError) as error:
        return f"this is no action of the game: {error}"
    return None


def _unknown(cards: tuple[str, ...]) -> str | None:
    unknown = [card for card in cards if card not in CARD_INDEX]
    return f"there is no card {unknown[0]!r}; cards are named as in one's hand" if unknown else None


def _offer(state: State, number: int) -> Offer:
    return next(offer for offer in state.offers if offer.id == number)


def acceptances(player: Player, offer: Offer) -> list[a.AcceptOffer]:
    """Return the ways in which a player can accept an offer: one for each choice of cards for the types it asks for."""
    if player.chips < offer.want_chips or not holds(player.hand, offer.want_cards):
        return []
    if not offer.want_kinds:
        return [a.AcceptOffer(offer.id)]
    spare = player.hand.copy()
    for card in offer.want_cards:
        spare.remove(card)
    if len(offer.want_kinds) == 1:
        kind = offer.want_kinds[0]
        return [a.AcceptOffer(offer.id, (CARDS[c].id,)) for c in sorted(set(spare)) if KIND_OF[c] == kind]
    choices = []
    for kind in sorted(set(offer.want_kinds)):
        cards = sorted({card for card in spare if KIND_OF[card] == kind})
        picks = combinations_with_replacement(cards, offer.want_kinds.count(kind))
        choices.append([pick for pick in picks if holds(spare, pick)])
    return [
        a.AcceptOffer(offer.id, tuple(CARDS[card].id for pick in picks for card in pick)) for picks in product(*choices)
    ]


def _refuse_terms(state: State, seat: int, give: a.Bundle, want: a.Bundle) -> str | None:
    player = state.players[seat]
    if player.offers >= state.config.offer_cap:
        return f"seat {seat} has made its {state.config.offer_cap} offers of this phase"
    if (unknown := _unknown((*give.cards, *want.cards))) is not None:
        return unknown
    if give.kinds:
        return "name the cards to give; only what is wanted may be asked for by type"
    if not holds(player.hand, tuple(CARD_INDEX[card] for card in give.cards)):
        return f"seat {seat} does not hold all the cards it offers"
    if give.chips > player.chips:
        return f"seat {seat} has {player.chips} chips and offers {give.chips}"
    if len(want.cards) > MOST_CARDS or len(want.kinds) > MOST_KINDS:
        return f"ask for at most {MOST_CARDS} cards by name and {MOST_KINDS} by type"
    if not (give.cards or give.chips or want.cards or want.kinds or want.chips):
        return "an offer must give or ask for something"
    return None


def _make(ctx: Ctx, seat: int, to: int, give: a.Bundle, want: a.Bundle) -> None:
    state = ctx.state
    offer = Offer(
        state.next_offer,
        seat,
        to,
        tuple(sorted(CARD_INDEX[card] for card in give.cards)),
        give.chips,
        tuple(sorted(CARD_INDEX[card] for card in want.cards)),
        tuple(sorted(CARD_KINDS.index(kind) for kind in want.kinds)),
        want.chips,
    )
    state.next_offer += 1
    state.players[seat].offers += 1
    state.offers.append(offer)
    if to == NONE:
        ctx.emit(e.OfferMade, seat, offer.id, None, give, want)
        ctx.reveal()
    else:
        public = e.OfferMade(seat, offer.id, to, None, None)
        ctx.tell((seat, to), e.OfferMade(seat, offer.id, to, give, want), public)
    _learn_from_offer(state, offer)


def _decline(ctx: Ctx, seat: int, offer: Offer) -> None:
    state = ctx.state
    declined = msgspec.structs.replace(offer, declined=(*offer.declined, seat))
    everybody = len(state.players) - 1 if offer.to == NONE else 1
    place = state.offers.index(offer)
    state.offers[place : place + 1] = [] if len(declined.declined) == everybody else [declined]
    ctx.emit(e.OfferDeclined, seat, offer.id)


def _withdraw(ctx: Ctx, seat: int, offer: Offer) -> None:
    ctx.state.offers.remove(offer)
    ctx.emit(e.OfferWithdrawn, seat, offer.id)


def _finish(ctx: Ctx, seat: int) -> None:
    for offer in list(ctx.state.offers):
        if is_asked(offer, seat):
            _decline(ctx, seat, offer)
    ctx.state.players[seat].done = True
    ctx.emit(e.TradingFinished, seat)


def _accept(ctx: Ctx, seat: int, offer: Offer, chosen: list[int]) -> None:
    """Let what an offer names change hands, all of it or nothing, and let offers lapse that can no longer be met."""
    state = ctx.state
    state.offers.remove(offer)
    taken = sorted([*offer.want_cards, *chosen])
    _hand_over(state, offer.seat, seat, offer.give_cards, offer.give_chips)
    _hand_over(state, seat, offer.seat, taken, offer.want_chips)
    _tell_trade(ctx, seat, offer, taken)
    for number in [other.id for other in state.offers if not _can_meet(state, other)]:
        state.offers.remove(_offer(state, number))
        ctx.emit(e.OfferLapsed, number)
    for other in range(len(state.players)):
        if other not in (seat, offer.seat):
            _follow(state.known[other], offer.seat, seat, offer, offer.give_cards)
            _follow(state.known[other], seat, offer.seat, offer, taken)
    for standing in state.offers:
        _learn_from_offer(state, standing)
    for player in state.players:
        player.done = False


def _can_meet(state: State, offer: Offer) -> bool:
    maker = state.players[offer.seat]
    return holds(maker.hand, offer.give_cards) and maker.chips >= offer.give_chips


def _hand_over(state: State, giver: int, taker: int, cards: Any, chips: int) -> None:
    """Move cards and chips; the two remember where their cards went."""
    source, target = state.players[giver], state.players[taker]
    source.chips -= chips
    target.chips += chips
    for card in cards:
        source.hand.remove(card)
        target.hand.append(card)
        if card in state.known[taker][giver]:
            state.known[taker][giver].remove(card)
        state.known[giver][taker].append(card)
    target.hand.sort()
    state.known[giver][taker].sort()


def _follow(hands: list[list[int]], giver: int, taker: int, offer: Offer, cards: Any) -> None:
    """Let an onlooker forget what may have left a hand; of an offer to all it knows the cards that were named."""
    if offer.to != NONE:
        if cards:
            hands[giver] = []
        return
    named = offer.give_cards if giver == offer.seat else offer.want_cards
    hands[giver] = without(hands[giver], named)
    hands[taker] = sorted([*hands[taker], *named])
    if giver != offer.seat:
        hands[giver] = [card for card in hands[giver] if KIND_OF[card] not in offer.want_kinds]


def _tell_trade(ctx: Ctx, seat: int, offer: Offer, taken: list[int]) -> None:
    given = tuple(CARDS[card].id for card in offer.give_cards)
    got = tuple(CARDS[card].id for card in taken)
    counts = (len(given), offer.give_chips), (len(got), offer.want_chips)
    full = e.Traded(seat, offer.id, offer.seat, given, *counts[0], got, *counts[1])
    public = e.Traded(seat, offer.id, offer.seat, (), *counts[0], (), *counts[1])
    ctx.tell((seat, offer.seat), full, public)


def _learn_from_offer(state: State, offer: Offer) -> None:
    """Let seats remember the cards that a standing offer shows them: what is offered must be held."""
    if not offer.give_cards:
        return
    for seat in range(len(state.known)) if offer.to == NONE else (offer.to,):
        known = state.known[seat][offer.seat]
        if seat != offer.seat and not holds(known, offer.give_cards):
            known += without(offer.give_cards, known)
            known.sort()


def _sample_offers(state: State, seat: int) -> list[a.MakeOffer]:
    """Return a few offers so that players who choose from the list trade too; they turn with the offers made so far."""
    player = state.players[seat]
    turn = player.offers
    to = turn % (len(state.players) - 1)
    to += to >= seat
    cards = sorted(set(player.hand))
    kind = CARD_KINDS[turn % len(CARD_KINDS)]
    listed = list(_card_offers(to, cards[turn % len(cards)], kind)) if cards else []
    if player.chips > 1:
        listed.append(_chips_offer(to, kind))
    return listed


@cache
def _card_offers(to: int, card: int, kind: CardKind) -> tuple[a.MakeOffer, a.MakeOffer]:
    give = a.Bundle((CARDS[card].id,))
    return a.MakeOffer(to, give, a.Bundle(kinds=(kind,))), a.MakeOffer(None, give, a.Bundle(chips=2))


@cache
def _chips_offer(to: int, kind: CardKind) -> a.MakeOffer:
    return a.MakeOffer(to, a.Bundle(chips=2), a.Bundle(kinds=(kind,)))


def _sample_counter(state: State, seat: int, offer: Offer) -> list[a.CounterOffer]:
    """Return one counter-offer: a card of one's own for what is offered."""
    player = state.players[seat]
    cards = sorted(set(player.hand))
    if not cards or not (offer.give_cards or offer.give_chips) or len(offer.give_cards) > MOST_CARDS:
        return []
    card = CARDS[cards[player.offers % len(cards)]].id
    want = a.Bundle(tuple(CARDS[c].id for c in offer.give_cards), (), offer.give_chips)
    return [a.CounterOffer(offer.id, a.Bundle((card,)), want)]
