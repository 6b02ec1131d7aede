"""Draw, keep, put back and discard scheme cards, and hand on the first player marker (Scheme)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.data import SCHEME_INDEX, SCHEMES
from engine.games.rurik.ids import HIDDEN
from engine.games.rurik.state import State


def decks_to_choose(state: State) -> tuple[Any, ...]:
    """Return the scheme decks that hold cards."""
    return tuple(o.CHOOSE_DECK[d] for d in (0, 1) if state.decks[d])


def take_top(ctx: Ctx, deck: int) -> int | None:
    """Take the top card off a scheme deck, making new decks first when it has run out; None when no card is left."""
    state = ctx.state
    if not state.decks[deck]:
        _make_new_decks(ctx)
        if not state.decks[deck]:
            deck = 1 - deck
    if not state.decks[deck]:
        return None
    for known in state.known:
        known.decks[deck].pop()
    card: int = state.decks[deck].pop()
    return card


def put_on_top(ctx: Ctx, seat: int, deck: int, card: int) -> None:
    """Put a card back on a scheme deck; only the seat that does it knows which."""
    ctx.state.decks[deck].append(card)
    for other, known in enumerate(ctx.state.known):
        known.decks[deck].append(card if other == seat else HIDDEN)


def discard(ctx: Ctx, cards: list[int]) -> None:
    """Discard scheme cards, face up."""
    ctx.state.discard.extend(cards)


def refill_if_depleted(ctx: Ctx) -> None:
    """Make new decks when one has run out (Scheme, NOTE)."""
    state = ctx.state
    if not all(state.decks) and len(state.discard) + sum(map(len, state.decks)) > 1:
        _make_new_decks(ctx)


def _make_new_decks(ctx: Ctx) -> None:
    """Shuffle the discard pile and the other deck together and split them in two."""
    state = ctx.state
    cards = sorted([*state.discard, *state.decks[0], *state.decks[1]])
    ctx.rng.shuffle("scheme_decks", cards)
    half = (len(cards) + 1) // 2
    state.discard = []
    state.decks = [cards[:half], cards[half:]]
    for known in state.known:
        known.decks = [[HIDDEN] * len(deck) for deck in state.decks]
    ctx.emit(e.SchemesShuffled, len(state.decks[0]), len(state.decks[1]))


def lose_from_hand(ctx: Ctx, seat: int, card: int) -> None:
    """Take a scheme card out of a hand, face up: whoever knew it there need not remember it any more."""
    ctx.state.players[seat].hand.remove(card)
    for known in ctx.state.known:
        if card in known.hands[seat]:
            known.hands[seat].remove(card)


def _take_into_hand(ctx: Ctx, seat: int, card: int) -> None:
    hand = ctx.state.players[seat].hand
    hand.append(card)
    hand.sort()
    ctx.tell(seat, e.SchemeKept(seat, SCHEMES[card].id), e.SchemeKept(seat, None))


class DrawSchemes(Frame, tag="draw_schemes"):
    """Let a seat choose the deck to draw `count` cards from."""

    seat: int
    count: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the drawing seat, while there are cards."""
        return (self.seat,) if any(state.decks) else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the scheme decks."""
        return decks_to_choose(state)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Draw; a single card is kept without asking."""
        ctx.pop()
        memories = [known.decks[action.deck][-1:] for known in ctx.state.known]
        cards: list[int] = []
        while len(cards) < self.count:
            card = take_top(ctx, action.deck)
            if card is None:
                break
            cards.append(card)
        names = tuple(SCHEMES[card].id for card in cards)
        ctx.tell(
            seat,
            e.SchemesDrawn(seat, action.deck, len(cards), names),
            e.SchemesDrawn(seat, action.deck, len(cards), ()),
        )
        if len(cards) > 1:
            ctx.push(KeepOne(seat, action.deck, tuple(sorted(cards))))
            return
        for card in cards:
            _take_into_hand(ctx, seat, card)
            for other, (known, memory) in enumerate(zip(ctx.state.known, memories, strict=True)):
                if other != seat and memory == [card]:
                    known.hands[seat].append(card)
        refill_if_depleted(ctx)

    def run(self, ctx: Ctx) -> None:
        """End without a draw: all scheme cards are in hands."""
        ctx.pop()


class KeepOne(Frame, tag="keep_scheme"):
    """Let a seat keep one of the cards drawn."""

    secret = True

    seat: int
    deck: int
    cards: tuple[int, ...]

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the drawing seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the kinds of card drawn."""
        return tuple(o.KEEP_SCHEME[card] for card in sorted(set(self.cards)))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Keep the card; the others go back."""
        kept = SCHEME_INDEX[action.card]
        rest = list(self.cards)
        rest.remove(kept)
        ctx.replace(PutBack(seat, self.deck, tuple(rest)))
        _take_into_hand(ctx, seat, kept)


class PutBack(Frame, tag="put_back_scheme"):
    """Let a seat put cards back on their deck in the order of its choice, the last one on top."""

    secret = True

    seat: int
    deck: int
    cards: tuple[int, ...]

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the drawing seat, while there is an order to choose."""
        return (self.seat,) if len(self.cards) > 1 else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the kinds of card left."""
        return tuple(o.PUT_BACK_SCHEME[card] for card in sorted(set(self.cards)))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Put the card back."""
        card = SCHEME_INDEX[action.card]
        rest = list(self.cards)
        rest.remove(card)
        self.cards = tuple(rest)
        self._put(ctx, card)

    def run(self, ctx: Ctx) -> None:
        """Put the last card back and end."""
        ctx.pop()
        for card in self.cards:
            self._put(ctx, card)
        refill_if_depleted(ctx)

    def _put(self, ctx: Ctx, card: int) -> None:
        put_on_top(ctx, self.seat, self.deck, card)
        name = SCHEMES[card].id
        ctx.tell(self.seat, e.SchemePutBack(self.seat, self.deck, name), e.SchemePutBack(self.seat, self.deck, None))


class HandOnMarker(Frame, tag="give_marker"):
    """Let the taker of the top scheme space give the first player marker to anyone."""

    seat: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the taker."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return all seats, the own one included."""
        return o.GIVE_MARKER[: len(state.players)]

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Hand the marker on; turn order changes at the start of the claim phase."""
        ctx.pop()
        ctx.state.marker = action.seat
        ctx.emit(e.MarkerGiven, seat, action.seat)


class PayScheme(Frame, tag="discard_scheme"):
    """Let a seat discard a scheme card as the cost of a deed."""

    seat: int

    def asks(self, state: State, seat: int) -> bool:
        """Return whether the hand has more than one card: a single kind of card must not show."""
        return len(state.players[seat].hand) > 1

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the paying seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the kinds of card in hand."""
        return tuple(o.DISCARD_SCHEME[card] for card in sorted(set(state.players[seat].hand)))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Discard it, face up."""
        ctx.pop()
        card = SCHEME_INDEX[action.card]
        lose_from_hand(ctx, seat, card)
        discard(ctx, [card])
        ctx.reveal()
        ctx.emit(e.SchemeDiscarded, seat, action.card)
