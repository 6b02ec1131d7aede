"""Deal advantage cards and let both sides keep two of three (Advantage Cards, Turn 10)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided import options as o
from engine.games.europe_divided.cards import ADVANTAGE_INDEX, ADVANTAGES
from engine.games.europe_divided.data import SETUP
from engine.games.europe_divided.ids import EUROPE, RUSSIA, SIDES
from engine.games.europe_divided.state import State


def deal(ctx: Ctx) -> None:
    """Shuffle each side's advantage deck and deal from it; the choice follows."""
    for seat in (EUROPE, RUSSIA):
        player = ctx.state.players[seat]
        player.advantage_deck.sort()
        ctx.rng.shuffle(f"{SIDES[seat]}_advantages", player.advantage_deck)
        count = min(SETUP.advantage.draw, len(player.advantage_deck))
        player.advantages = sorted(player.advantage_deck.pop() for _ in range(count))
        names = tuple(ADVANTAGES[card].id for card in player.advantages)
        ctx.tell(seat, e.AdvantagesDealt(seat, count, names), e.AdvantagesDealt(seat, count, ()))
    ctx.push(SetAside())


class SetAside(Frame, tag="set_aside_advantage"):
    """Let both seats remove what they do not keep, in secret and at the same time."""

    secret = True

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seats that hold more than they may keep."""
        return tuple(s for s in (EUROPE, RUSSIA) if len(state.players[s].advantages) > SETUP.advantage.keep)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the cards dealt."""
        return tuple(o.SET_ASIDE[card] for card in state.players[seat].advantages)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Remove the card from the game, unseen."""
        player, card = ctx.state.players[seat], ADVANTAGE_INDEX[action.card]
        player.advantages.remove(card)
        player.set_aside.append(card)
        ctx.tell(seat, e.AdvantageSetAside(seat, action.card), e.AdvantageSetAside(seat, None))

    def run(self, ctx: Ctx) -> None:
        """End when both have chosen."""
        ctx.pop()
