"""Tell the game as the rulebook does: twenty turns of an actions segment and a headlines segment, then the end."""

from collections.abc import Callable, Mapping

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import events as e
from engine.games.europe_divided import scoring
from engine.games.europe_divided.data import LAST_TURN, TURNS
from engine.games.europe_divided.effects.operations import Automatic, Fracture
from engine.games.europe_divided.frames import advantage, headlines
from engine.games.europe_divided.frames.armies import Build, March, MoveOn
from engine.games.europe_divided.frames.cards import DrawCards
from engine.games.europe_divided.frames.influence import Distribute, LowerDie, PlaceDie, RaiseDie
from engine.games.europe_divided.frames.initiative import Initiative, StartActions
from engine.games.europe_divided.frames.turn import AfterAction, Turn, UseCard
from engine.games.europe_divided.ids import Phase


class Game(Frame, tag="game"):
    """Go from turn to turn; after the last one the game ends (Game Overview)."""

    def run(self, ctx: Ctx) -> None:
        """Advance the turn marker and lay out the turn, or end (Game Turn)."""
        state = ctx.state
        if state.turn == LAST_TURN:
            state.phase = Phase.OVER
            outcome = scoring.final(state)
            ctx.pop()
            ctx.reveal()
            ctx.emit(e.GameEnded, outcome.scores, outcome.ranks)
            return
        state.turn += 1
        state.phase = Phase.INITIATIVE
        ctx.emit(e.TurnStarted, state.turn, TURNS[state.turn - 1].period)
        ctx.push(HeadlinesSegment())
        ctx.push(DrawCards())
        ctx.push(Initiative())


class HeadlinesSegment(Frame, tag="headlines_segment"):
    """Do the headline steps printed on the turn's space, in order; spaces without any have none (5. to 9.)."""

    step: int = 0

    def run(self, ctx: Ctx) -> None:
        """Do the next steps up to one that asks, or to the end."""
        state = ctx.state
        state.phase = Phase.HEADLINES
        steps = TURNS[state.turn - 1].steps
        while self.step < len(steps):
            step = steps[self.step]
            self.step += 1
            _STEPS[step](ctx)
            if ctx.stack[-1] is not self:
                return
        ctx.pop()


def _refresh(ctx: Ctx) -> None:
    scoring.score_advantages(ctx)
    advantage.deal(ctx)


#: What each step of the turn track does; one that asks puts its question on the stack.
_STEPS: Mapping[str, Callable[[Ctx], None]] = {
    "resolve": headlines.resolve,
    "shift": headlines.shift,
    "place": lambda ctx: ctx.push(headlines.PlaceHeadlines()),
    "discard_2": headlines.discard,
    "new": lambda ctx: headlines.draw(ctx, 1),
    "new_3_period_2": lambda ctx: headlines.draw(ctx, 3),
    "score_dominance": scoring.score_dominance,
    "advantage_score": scoring.score_advantages,
    "advantage_refresh": _refresh,
}


#: Every frame that may stand on the stack.
StackFrame = (
    Game
    | HeadlinesSegment
    | Initiative
    | StartActions
    | Turn
    | UseCard
    | AfterAction
    | DrawCards
    | advantage.SetAside
    | headlines.PlaceHeadlines
    | PlaceDie
    | RaiseDie
    | Distribute
    | LowerDie
    | Build
    | March
    | MoveOn
    | Fracture
    | Automatic
)
