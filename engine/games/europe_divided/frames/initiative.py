"""Let both sides choose two cards in secret and announce their sums (2. Initiative)."""

from itertools import combinations
from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided import options as o
from engine.games.europe_divided.cards import CARD_INDEX, CARDS
from engine.games.europe_divided.data import PLAYED
from engine.games.europe_divided.frames.turn import Turn
from engine.games.europe_divided.ids import EUROPE, RUSSIA, Phase
from engine.games.europe_divided.state import State


class Initiative(Frame, tag="choose_cards"):
    """Hold the choice that both seats make at the same time; what they chose lies in `Player.chosen`."""

    secret = True

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seats that have not chosen."""
        return tuple(seat for seat in (EUROPE, RUSSIA) if not state.players[seat].chosen)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every pair of the hand."""
        return tuple(o.CHOOSE[first, second] for first, second in combinations(state.players[seat].hand, PLAYED))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Lay the cards face down."""
        player = ctx.state.players[seat]
        for name in (action.first, action.second):
            card = CARD_INDEX[seat][name]
            player.hand.remove(card)
            player.chosen.append(card)
        if ctx.events is None:
            ctx.reveal()
        else:
            ctx.tell(seat, e.CardsChosen(seat, (action.first, action.second)), e.CardsChosen(seat, ()))

    def run(self, ctx: Ctx) -> None:
        """Announce the sums; the higher one must act first, Europe in a tie."""
        state = ctx.state
        ctx.pop()
        state.initiative = tuple(sum(CARDS[card].initiative for card in player.chosen) for player in state.players)
        state.first = RUSSIA if state.initiative[RUSSIA] > state.initiative[EUROPE] else EUROPE
        state.phase = Phase.ACTIONS
        ctx.reveal()
        ctx.emit(e.InitiativeAnnounced, state.initiative, state.first)
        ctx.push(StartActions(1 - state.first))
        ctx.push(StartActions(state.first))


class StartActions(Frame, tag="start_actions"):
    """Begin the actions of a seat."""

    seat: int

    def run(self, ctx: Ctx) -> None:
        """Say so and give the turn."""
        ctx.emit(e.ActionsStarted, self.seat)
        ctx.replace(Turn(self.seat))
