"""Draw, discard and lose action cards (4. Draw New Action Cards)."""

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided.cards import CARDS
from engine.games.europe_divided.data import PLAYED
from engine.games.europe_divided.ids import EUROPE, NONE, RUSSIA, SIDES


def draw(ctx: Ctx, seat: int, count: int) -> None:
    """Draw cards; a deck is made anew as soon as it is empty, in the middle of a draw too."""
    player = ctx.state.players[seat]
    drawn: list[int] = []
    while len(drawn) < count:
        if not player.deck and not _make_deck(ctx, seat):
            break
        card = player.deck.pop()
        player.hand.append(card)
        drawn.append(card)
        if not player.deck:
            _make_deck(ctx, seat)
    player.hand.sort()
    if ctx.events is None:
        ctx.reveal()
        return
    names = tuple(CARDS[card].id for card in drawn)
    ctx.tell(seat, e.CardsDrawn(seat, len(drawn), names), e.CardsDrawn(seat, len(drawn), ()))


def _make_deck(ctx: Ctx, seat: int) -> bool:
    """Shuffle the discard pile into a new deck; return whether there was any.

    All other cards of the side are in its hand, chosen or played then: by their absence from the pile everybody knows
    which ones it holds.
    """
    player = ctx.state.players[seat]
    if not player.discard:
        return False
    player.deck = sorted(player.discard)
    ctx.rng.shuffle(f"{SIDES[seat]}_actions", player.deck)
    player.discard = []
    player.held = sorted([*player.hand, *player.chosen])
    ctx.emit(e.DeckShuffled, seat, len(player.deck))
    return True


def show(ctx: Ctx, seat: int, card: int) -> None:
    """Reveal a card that leaves the hand or the chosen ones: it need not be remembered any more."""
    held = ctx.state.players[seat].held
    if card in held:
        held.remove(card)
    ctx.reveal()


class DrawCards(Frame, tag="draw_cards"):
    """Let both sides discard what they played and draw two cards each."""

    def run(self, ctx: Ctx) -> None:
        """Discard and draw."""
        state = ctx.state
        ctx.pop()
        state.first, state.initiative, state.sea_used = NONE, (), 0
        for player in state.players:
            player.discard += [*player.played, *player.extra]
            player.played, player.extra = [], []
            player.denied = False
        for seat in (EUROPE, RUSSIA):
            draw(ctx, seat, PLAYED)


def lose_random(ctx: Ctx, seat: int, count: int, draws_back: int) -> None:
    """Discard random cards of a seat's hand, face up, and let it draw (Disinformation)."""
    player = ctx.state.players[seat]
    for _ in range(min(count, len(player.hand))):
        card = player.hand.pop(ctx.rng.below(f"{SIDES[seat]}_hand", len(player.hand)))
        player.discard.append(card)
        show(ctx, seat, card)
        ctx.emit(e.CardLost, seat, CARDS[card].id)
    draw(ctx, seat, draws_back)
