"""Resolve, shift, place, discard and draw headlines (5. to 9., Turn 8, Turn 16)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided import options as o
from engine.games.europe_divided.data import SPACES
from engine.games.europe_divided.ids import EUROPE, NONE, RUSSIA
from engine.games.europe_divided.scoring import is_met
from engine.games.europe_divided.stakes import HEADLINE_INDEX, HEADLINES
from engine.games.europe_divided.state import FROM_HEADLINES, State


def resolve(ctx: Ctx) -> None:
    """Award each current headline whose conditions are met, remove the others from the game (5. Resolve Headlines)."""
    state = ctx.state
    # Both are judged on the same board; an award changes money tokens alone.
    for card in state.current:
        headline = HEADLINES[card]
        if not is_met(state, card):
            state.missed.append(card)
            ctx.emit(e.HeadlineMissed, headline.id)
            continue
        player = state.players[headline.banner]
        player.awarded.append(card)
        player.prestige[FROM_HEADLINES] += headline.prestige
        ctx.emit(e.HeadlineAwarded, headline.banner, headline.id, headline.prestige)
        for space in headline.tokens:
            state.tokens[space] += 1
            ctx.emit(e.TokenPlaced, SPACES[space], state.tokens[space])
    state.current = []


def shift(ctx: Ctx) -> None:
    """Move the forthcoming headlines up (6. Shift Headlines)."""
    state = ctx.state
    state.current, state.forthcoming = state.forthcoming, []
    ctx.emit(e.HeadlinesShifted, tuple(HEADLINES[card].id for card in state.current))


def discard(ctx: Ctx) -> None:
    """Discard the headlines left in both hands, face down (8. Discard Headlines); the track leaves none to choose."""
    for seat in (EUROPE, RUSSIA):
        player = ctx.state.players[seat]
        names = tuple(HEADLINES[card].id for card in player.headlines)
        player.shelved += player.headlines
        player.headlines = []
        ctx.tell(seat, e.HeadlinesDiscarded(seat, len(names), names), e.HeadlinesDiscarded(seat, len(names), ()))


def draw(ctx: Ctx, count: int) -> None:
    """Let each player draw headlines (9. Draw New Headlines)."""
    for seat in (EUROPE, RUSSIA):
        player = ctx.state.players[seat]
        drawn = [ctx.state.headline_deck.pop() for _ in range(count)]
        player.headlines = sorted([*player.headlines, *drawn])
        if ctx.events is None:
            ctx.reveal()
            continue
        names = tuple(HEADLINES[card].id for card in drawn)
        ctx.tell(seat, e.HeadlinesDrawn(seat, count, names), e.HeadlinesDrawn(seat, count, ()))


class PlaceHeadlines(Frame, tag="place_headline"):
    """Let both seats place a headline face down at the same time, then turn both up (7. Place New Headlines)."""

    secret = True

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seats that have not placed."""
        return tuple(seat for seat in (EUROPE, RUSSIA) if state.players[seat].placing == NONE)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the headlines of the hand."""
        return tuple(o.PLACE_HEADLINE[card] for card in state.players[seat].headlines)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place it face down."""
        player, card = ctx.state.players[seat], HEADLINE_INDEX[action.headline]
        player.headlines.remove(card)
        player.placing = card
        ctx.tell(seat, e.HeadlinePlaced(seat, action.headline), e.HeadlinePlaced(seat, None))

    def run(self, ctx: Ctx) -> None:
        """Turn both up."""
        state = ctx.state
        ctx.pop()
        state.forthcoming = [player.placing for player in state.players]
        for player in state.players:
            player.placing = NONE
        ctx.reveal()
        ctx.emit(e.HeadlinesRevealed, tuple(HEADLINES[card].id for card in state.forthcoming))
