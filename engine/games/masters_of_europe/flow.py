"""Tell the game as the rulebook does: rounds of a draw, a trade, an action, a score and an end phase."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe import options as o
from engine.games.masters_of_europe import scoring
from engine.games.masters_of_europe.data import (
    CARDS_DRAWN,
    COUNTRIES,
    COUNTRY_INDEX,
    HAND_LIMIT,
    TOKENS_PER_COUNTRY,
    TOKENS_PLACED,
)
from engine.games.masters_of_europe.frames.hands import Discard, draw
from engine.games.masters_of_europe.frames.melds import (
    Aftermath,
    MeldCountry,
    MeldNumber,
    Pretender,
    Removal,
    TreatyCards,
    TreatyMoves,
    Turn,
)
from engine.games.masters_of_europe.frames.trade import Trade
from engine.games.masters_of_europe.ids import Phase
from engine.games.masters_of_europe.state import State, ends_now, initiative, is_last_round, is_won


class Game(Frame, tag="game"):
    """Go from phase to phase and from round to round (Round Sequence)."""

    def run(self, ctx: Ctx) -> None:
        """Start the next phase, or end the game."""
        state = ctx.state
        if ends_now(state) or (state.phase is Phase.SCORE and (is_won(state) or is_last_round(state))):
            _end(ctx)
            return
        match state.phase:
            case Phase.SETUP:
                _start(ctx, Phase.DRAW)
                for seat in initiative(state):
                    draw(ctx, seat, CARDS_DRAWN)
            case Phase.DRAW:
                _start(ctx, Phase.TRADE)
                if state.config.offer_cap:
                    ctx.push(Trade())
            case Phase.TRADE:
                _start(ctx, Phase.ACTION)
                for seat in reversed(initiative(state)):
                    ctx.push(Turn(seat))
            case Phase.ACTION:
                _start(ctx, Phase.SCORE)
                scoring.score_countries(ctx)
            case Phase.SCORE:
                _start(ctx, Phase.END)
                for seat in reversed(initiative(state)):
                    ctx.push(Discard(seat, HAND_LIMIT))
            case _:
                state.leader = (state.leader + 1) % len(state.players)
                state.round += 1
                ctx.emit(e.LeaderPassed, state.leader)
                _start(ctx, Phase.DRAW)
                for seat in initiative(state):
                    draw(ctx, seat, CARDS_DRAWN)


def _start(ctx: Ctx, phase: Phase) -> None:
    ctx.state.phase = phase
    ctx.emit(e.PhaseStarted, ctx.state.round, phase)


def _end(ctx: Ctx) -> None:
    state = ctx.state
    state.phase = Phase.OVER
    scoring.wrestle(ctx)
    outcome = scoring.final(state)
    ctx.pop()
    ctx.emit(e.GameEnded, outcome.scores, outcome.ranks)


class PlaceTokens(Frame, tag="place_token"):
    """Place ten tokens each, one at a time in initiative order, at most five a country (Setup)."""

    turn: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        seats = len(state.players)
        return ((state.leader + self.turn) % seats,) if self.turn < TOKENS_PLACED * seats else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the countries with fewer than five own tokens."""
        return tuple(o.PLACE_TOKEN[i] for i, n in enumerate(state.players[seat].tokens) if n < TOKENS_PER_COUNTRY)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place the token."""
        country = COUNTRY_INDEX[action.country]
        ctx.state.players[seat].tokens[country] += 1
        ctx.emit(e.TokenPlaced, seat, COUNTRIES[country].id)
        self.turn += 1

    def run(self, ctx: Ctx) -> None:
        """End when all stand."""
        ctx.pop()


class RollForLeader(Frame, tag="roll_for_leader"):
    """Roll one die each for the Leader token, again among those tied for high (Setup)."""

    def run(self, ctx: Ctx) -> None:
        """Roll until one is highest."""
        ctx.pop()
        ctx.state.leader, ctx.state.leader_rolls = scoring.roll_off(ctx, list(range(len(ctx.state.players))))


#: Every frame that may stand on the stack.
StackFrame = (
    Game
    | RollForLeader
    | PlaceTokens
    | Trade
    | Turn
    | MeldCountry
    | MeldNumber
    | Removal
    | Aftermath
    | Pretender
    | TreatyMoves
    | TreatyCards
    | Discard
)
