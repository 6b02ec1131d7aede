"""Draw, discard and remember cards (Draw Phase, End Phase)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe import options as o
from engine.games.masters_of_europe.data import CARD_INDEX, CARDS
from engine.games.masters_of_europe.state import State


def draw(ctx: Ctx, seat: int, count: int) -> None:
    """Draw cards; a deck that runs out is rebuilt from the discards, and the draw stops when both are empty."""
    state = ctx.state
    cards: list[int] = []
    while len(cards) < count:
        if not state.deck:
            if not state.discard:
                break
            state.deck, state.discard = sorted(state.discard), []
            ctx.rng.shuffle("deck", state.deck)
            ctx.emit(e.DeckRebuilt, len(state.deck))
        cards.append(state.deck.pop())
    hand = state.players[seat].hand
    hand += cards
    hand.sort()
    names = tuple(CARDS[card].id for card in cards)
    ctx.tell(seat, e.CardsDrawn(seat, len(cards), names), e.CardsDrawn(seat, len(cards), ()))


def leave_hand(ctx: Ctx, seat: int, card: int) -> None:
    """Take a card out of a hand, face up: whoever knew it there need not remember it any more."""
    ctx.state.players[seat].hand.remove(card)
    for hands in ctx.state.known:
        if card in hands[seat]:
            hands[seat].remove(card)
    ctx.reveal()


class Discard(Frame, tag="discard_card"):
    """Let a seat discard cards down to `keep`."""

    secret = True

    seat: int
    keep: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat while its hand is too large."""
        return (self.seat,) if len(state.players[self.seat].hand) > self.keep else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the kinds of card in hand."""
        return tuple(o.DISCARD_CARD[card] for card in sorted(set(state.players[seat].hand)))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Discard the card, face up."""
        card = CARD_INDEX[action.card]
        leave_hand(ctx, seat, card)
        ctx.state.discard.append(card)
        ctx.emit(e.CardDiscarded, seat, action.card)

    def run(self, ctx: Ctx) -> None:
        """End when the hand is small enough."""
        ctx.pop()
