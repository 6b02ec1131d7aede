"""Tell the game as the rulebook does: four rounds of a strategy, an action and a claim phase, then the end."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import automa, scoring
from engine.games.rurik import events as e
from engine.games.rurik.data import ADDED_ADVISORS, MARKER_INCOME, REGIONS, ROUNDS, START_ADVISORS
from engine.games.rurik.frames.advisors import Bribe, has_advisor, place, placements
from engine.games.rurik.frames.attack import Attack, Casualty, CasualtyCheck
from engine.games.rurik.frames.build import Church
from engine.games.rurik.frames.deeds import ChooseDeed, PayGoods, PaySameGoods, PayStructure, PayTroops
from engine.games.rurik.frames.move import Move, Relocate
from engine.games.rurik.frames.muster import Muster
from engine.games.rurik.frames.schemes import DrawSchemes, HandOnMarker, KeepOne, PayScheme, PutBack
from engine.games.rurik.frames.setting_up import (
    PickAgendas,
    PickColours,
    PickLeaders,
    PlaceLeaders,
    PlaceTroops,
    people,
)
from engine.games.rurik.frames.turn import DeedReward, PlayedScheme, Turn
from engine.games.rurik.ids import COLUMNS, NONE, Phase
from engine.games.rurik.state import State, clockwise, full_columns, is_on_board, is_rebellion


class Game(Frame, tag="game"):
    """Go from phase to phase and from round to round (Gameplay Overview)."""

    def run(self, ctx: Ctx) -> None:
        """Start the next phase, or end the game after the claim tracks of the last round."""
        state = ctx.state
        match state.phase:
            case Phase.SETUP:
                _start(ctx, Phase.STRATEGY)
                ctx.push(StrategyPhase(state.first_player))
            case Phase.STRATEGY:
                _start(ctx, Phase.ACTION)
                ctx.push(ActionPhase(state.first_player))
            case Phase.ACTION:
                state.first_player = state.marker
                _start(ctx, Phase.CLAIM)
                claim_phase(ctx)
            case Phase.CLAIM if state.round < ROUNDS:
                next_round(ctx)
                _start(ctx, Phase.STRATEGY)
                ctx.push(StrategyPhase(state.first_player))
            case _:
                state.phase = Phase.OVER
                outcome = scoring.final(state)
                ctx.pop()
                ctx.reveal()
                ctx.emit(e.GameEnded, outcome.scores, outcome.ranks)


def _start(ctx: Ctx, phase: Phase) -> None:
    ctx.state.phase = phase
    ctx.emit(e.PhaseStarted, ctx.state.round, phase, ctx.state.first_player)


class StrategyPhase(Frame, tag="place_advisor"):
    """Let the seats place their advisors in turn until all stand (1. Strategy Phase)."""

    seat: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is, unless it is the Rebellion's or all advisors stand."""
        return (self.seat,) if state.players[self.seat].advisors and not is_rebellion(state, self.seat) else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every advisor with every column it may go to."""
        return placements(state, seat)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Ask for a bribe, or place the advisor if there are no coins."""
        self._pass_on(ctx)
        column = COLUMNS.index(action.column)
        if ctx.state.players[seat].coins:
            ctx.push(Bribe(seat, action.advisor, column))
        else:
            place(ctx, seat, action.advisor, column, 0)

    def run(self, ctx: Ctx) -> None:
        """Let the Rebellion place, or end."""
        if ctx.state.players[self.seat].advisors:
            ctx.push(automa.Placement(self.seat))
            self._pass_on(ctx)
        else:
            ctx.pop()

    def _pass_on(self, ctx: Ctx) -> None:
        self.seat = (self.seat + 1) % len(ctx.state.players)


class ActionPhase(Frame, tag="action_phase"):
    """Give the seats turns until all advisors are resolved (2. Action Phase)."""

    seat: int

    def run(self, ctx: Ctx) -> None:
        """Start the next turn, or end."""
        state = ctx.state
        seat = _next_with_advisor(state, self.seat)
        if seat == NONE:
            ctx.pop()
            return
        self.seat = (seat + 1) % len(state.players)
        ctx.emit(e.TurnStarted, seat)
        if is_rebellion(state, seat):
            ctx.push(automa.RebellionTurn(seat))
        else:
            ctx.push(Turn(seat, may_return=not is_on_board(state.players[seat])))


def _next_with_advisor(state: State, first: int) -> int:
    """Return the next seat that has an advisor to resolve, `first` before all others, or NONE."""
    for seat in clockwise(state, first):
        if has_advisor(state, seat):
            return seat
    return NONE


def claim_phase(ctx: Ctx) -> None:
    """Do steps A to C; after the last round only A (3. Claim Phase)."""
    state = ctx.state
    if state.rebellion is not None:
        automa.assign_priority(ctx)
    scoring.advance_claims(ctx)
    if state.rebellion is not None:
        ctx.push(automa.claim_unlocks(state))
    if state.round == ROUNDS:
        return
    # The top of the stack runs first: unlocking, then income, then the deed cards in order of turns.
    unlocks = [ctx.stack.pop()] if state.rebellion is not None else []
    order = people(state)
    for seat in reversed(order):
        ctx.push(ChooseDeed(seat, last=seat == order[-1]))
    ctx.push(Income())
    ctx.stack.extend(unlocks)


class Income(Frame, tag="income"):
    """Pay income: a coin for each marker not yet placed and for each full column of the boat (step B)."""

    def run(self, ctx: Ctx) -> None:
        """Pay all seats."""
        ctx.pop()
        for seat in clockwise(ctx.state, ctx.state.first_player):
            player = ctx.state.players[seat]
            if is_rebellion(ctx.state, seat):
                markers = automa.DEFAULT_INCOME
            else:
                markers = MARKER_INCOME * (player.claims.count(0) + (player.warfare == 0))
            columns = full_columns(player)
            player.coins += markers + columns
            ctx.emit(e.IncomeEarned, seat, markers, columns)


def next_round(ctx: Ctx) -> None:
    """Do steps D to F: refresh tokens, replenish goods, advance the round marker."""
    state = ctx.state
    for player in state.players:
        player.tokens = 0
        player.ability_used = False
    ctx.emit(e.TokensRefreshed)
    empty = [r for r, lies in enumerate(state.goods) if not lies]
    for region in empty:
        state.goods[region] = True
    ctx.emit(e.GoodsReplenished, tuple(REGIONS[r] for r in empty))
    if state.rebellion is not None:
        automa.end_of_round(ctx)
    state.round += 1
    added = ADDED_ADVISORS.get(state.round)
    if added is not None and len(state.players) in added[1]:
        ctx.emit(e.AdvisorAdded, added[0])
    hand_out_advisors(state)


def hand_out_advisors(state: State) -> None:
    """Give all seats their advisors of this round and clear the strategy board."""
    seats = len(state.players)
    added = [n for r, (n, sizes) in ADDED_ADVISORS.items() if r <= state.round and seats in sizes]
    state.columns = [()] * len(COLUMNS)
    for player in state.players:
        player.advisors = sorted([*START_ADVISORS, *added])


#: Every frame that may stand on the stack.
StackFrame = (
    Game
    | PickLeaders
    | PickAgendas
    | PickColours
    | PlaceTroops
    | PlaceLeaders
    | StrategyPhase
    | Bribe
    | ActionPhase
    | Turn
    | Muster
    | Move
    | Relocate
    | Attack
    | CasualtyCheck
    | Casualty
    | Church
    | DrawSchemes
    | KeepOne
    | PutBack
    | HandOnMarker
    | ChooseDeed
    | PayGoods
    | PaySameGoods
    | PayTroops
    | PayStructure
    | PayScheme
    | PlayedScheme
    | DeedReward
    | Income
    | automa.AutomaFrame
)
