"""Take a turn of the action phase: one advisor resolved, bonus actions before and after it (Action Phase)."""

from typing import Any

from engine.core import effects
from engine.core.frames import Ctx, Frame
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.data import (
    CONVERSIONS,
    DEED_INDEX,
    DEEDS,
    REGION_INDEX,
    REGIONS,
    SCHEME_INDEX,
    SCHEMES,
    SPACES,
)
from engine.games.rurik.effects import deeds
from engine.games.rurik.effects.points import OPERATIONS
from engine.games.rurik.frames.advisors import EMPTY
from engine.games.rurik.frames.build import build, buildings, tax, taxes
from engine.games.rurik.frames.move import move_opponent, opponents_to_move
from engine.games.rurik.frames.pieces import gain_coins, spend_coins, spend_good
from engine.games.rurik.frames.schemes import HandOnMarker, discard, lose_from_hand
from engine.games.rurik.ids import COLUMNS, GOODS, PREDSLAVA, TOKENS
from engine.games.rurik.records import SpaceData
from engine.games.rurik.state import State


class Turn(Frame, tag="turn"):
    """Hold a seat's turn: what it has done, and the tax and build points that stay open until it ends.

    `may_return` says that the turn began with nobody of the seat on the board, and that nobody has come back yet.
    """

    seat: int
    resolved: bool = False
    scheme_played: bool = False
    deed_accomplished: bool = False
    goods_converted: bool = False
    tax: int = 0
    build: int = 0
    may_return: bool = False

    def asks(self, state: State, seat: int) -> bool:
        """Return whether a scheme might still be played: that it cannot be must not show."""
        return not self.scheme_played and bool(state.players[seat].hand)

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the advisor to resolve, open points to spend, bonus actions, and the end of the turn after all."""
        player = state.players[seat]
        listed: list[Any] = []
        if not self.resolved:
            listed += _advisors(state, seat)
            if self.may_return:
                listed += o.RECOVER_TROOPS[: len(state.icons)]
        if self.tax:
            listed += taxes(state, seat, self.tax)
        if self.build:
            listed += buildings(state, seat, self.build)
        if player.hand and not self.scheme_played:
            for card in sorted(set(player.hand)):
                if SCHEMES[card].coin_cost <= player.coins:
                    listed.append(o.PLAY_SCHEME[card])
        if not self.deed_accomplished:
            for card in player.deeds:
                if deeds.can_accomplish(state, seat, card):
                    listed.append(o.ACCOMPLISH_DEED[card])
        if not self.goods_converted:
            listed += conversions(state, seat)
        if player.leader == PREDSLAVA and not player.ability_used:
            listed += opponents_to_move(state, seat)
        if self.resolved:
            listed.append(o.END_TURN)
        return tuple(listed)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Do one thing of the turn."""
        match action:
            case a.EndTurn():
                ctx.pop()
            case a.TakeAction():
                self.resolved = True
                take_action(ctx, seat, action)
            case a.ForfeitAction():
                self.resolved = True
                forfeit(ctx, seat, COLUMNS.index(action.column), action.row - 1)
            case a.CollectGood():
                self.tax -= tax(ctx, seat, action)
            case a.BuildStructure():
                self.build -= build(ctx, seat, action)
            case a.PlayScheme():
                self.scheme_played = True
                _play_scheme(ctx, seat, SCHEME_INDEX[action.card])
            case a.AccomplishDeed():
                self.deed_accomplished = True
                ctx.push(DeedReward(seat, DEED_INDEX[action.deed]))
                deeds.pay(ctx, seat, DEEDS[DEED_INDEX[action.deed]])
            case a.ConvertGoods():
                self.goods_converted = True
                _convert(ctx, seat, action)
            case a.RecoverTroops():
                self.may_return = False
                _recover(ctx, seat, REGION_INDEX[action.region])
            case a.MoveOpponentTroop() | a.MoveOpponentLeader():
                move_opponent(ctx, seat, action)


def fastest(state: State, seat: int) -> list[tuple[int, int]]:
    """Return column and row of the seat's advisors of the lowest number, the next to be resolved, left to right."""
    lowest = 0
    places: list[tuple[int, int]] = []
    for column, advisors in enumerate(state.columns):
        for row, (owner, number, _) in enumerate(advisors):
            if owner == seat and (not places or number <= lowest):
                if number != lowest:
                    lowest, places = number, []
                places.append((column, row))
    return places


def _advisors(state: State, seat: int) -> list[Any]:
    coins, spaces = state.players[seat].coins, SPACES[state.config.seats]
    taken: list[Any] = []
    forfeited: list[Any] = []
    for column, row in fastest(state, seat):
        if spaces[column][row].coin_cost <= coins:
            taken.append(o.TAKE_ACTION[column][row])
        forfeited.append(o.FORFEIT_ACTION[column][row])
    return taken + forfeited


def lift_advisor(ctx: Ctx, column: int, row: int) -> int:
    """Take an advisor off the strategy board, its bribe going to the supply; return its number."""
    advisors = ctx.state.columns[column]
    ctx.state.columns[column] = (*advisors[:row], EMPTY, *advisors[row + 1 :])
    number: int = advisors[row][1]
    return number


def forfeit(ctx: Ctx, seat: int, column: int, row: int) -> None:
    """Resolve an advisor without its action, for one coin (Forfeited Actions)."""
    number = lift_advisor(ctx, column, row)
    ctx.emit(e.ActionForfeited, seat, number, COLUMNS[column])
    gain_coins(ctx, seat, 1)


def resolve_advisor(ctx: Ctx, seat: int, column: int, row: int) -> SpaceData:
    """Lift an advisor, pay the coin cost of its space, and return the space."""
    space = SPACES[ctx.state.config.seats][column][row]
    number = lift_advisor(ctx, column, row)
    ctx.emit(e.ActionTaken, seat, number, COLUMNS[column], row + 1, space.coin_cost)
    if space.coin_cost:
        spend_coins(ctx, seat, space.coin_cost)
    return space


#: Column to the operation that its icons stand for.
MAIN_ACTIONS = ("muster_points", "movement_points", "attack_points", "tax_points", "build_points", "draw_schemes")


def take_action(ctx: Ctx, seat: int, action: a.TakeAction) -> None:
    """Take the main action of an advisor's space (Taking Actions)."""
    column = COLUMNS.index(action.column)
    space = resolve_advisor(ctx, seat, column, action.row - 1)
    if space.first_player_marker and ctx.state.rebellion is None:
        ctx.push(HandOnMarker(seat))
    OPERATIONS[MAIN_ACTIONS[column]](ctx, seat, space.icons)


def _play_scheme(ctx: Ctx, seat: int, card: int) -> None:
    """Reveal a scheme card, pay what it costs, gain its rewards (Playing Schemes)."""
    scheme = SCHEMES[card]
    lose_from_hand(ctx, seat, card)
    ctx.reveal()
    ctx.emit(e.SchemePlayed, seat, scheme.id)
    ctx.push(PlayedScheme(card))
    if scheme.coin_cost:
        spend_coins(ctx, seat, scheme.coin_cost)
    effects.run(ctx, seat, scheme.effects, OPERATIONS)


class PlayedScheme(Frame, tag="played_scheme"):
    """Hold a scheme card, face up, until its rewards are gained: new decks made meanwhile are made without it."""

    played: int

    def run(self, ctx: Ctx) -> None:
        """Discard it."""
        ctx.pop()
        discard(ctx, [self.played])


class DeedReward(Frame, tag="deed_reward"):
    """Give a deed's reward once its cost is paid, and tuck the card."""

    seat: int
    deed: int

    def run(self, ctx: Ctx) -> None:
        """Tuck the card and run its effects."""
        player, deed = ctx.state.players[self.seat], DEEDS[self.deed]
        ctx.pop()
        player.deeds.remove(self.deed)
        player.accomplished.append(self.deed)
        ctx.emit(e.DeedAccomplished, self.seat, deed.id)
        effects.run(ctx, self.seat, deed.effects, OPERATIONS)


def conversions(state: State, seat: int) -> list[Any]:
    """Return the conversions a seat can make: a token face up, one good that it names and any other one."""
    player = state.players[seat]
    listed: list[Any] = []
    if sum(player.goods) < 2:
        return listed
    for index, token in enumerate(CONVERSIONS):
        if player.tokens >> index & 1:
            continue
        for first in token.first:
            for second in GOODS:
                # Of two goods that the token names either could be first: one order stands for both.
                if second in token.first and token.first.index(second) < token.first.index(first):
                    continue
                need = 2 if first is second else 1
                if player.goods[GOODS.index(first)] >= need and player.goods[GOODS.index(second)]:
                    listed.append(_CONVERT[index][first, second])
    return listed


_CONVERT = tuple(
    {(first, second): a.ConvertGoods(token.id, first, second) for first in token.first for second in GOODS}
    for token in CONVERSIONS
)


def _convert(ctx: Ctx, seat: int, action: a.ConvertGoods) -> None:
    """Flip a token, spend its goods, gain its points (Converting Goods)."""
    index = TOKENS.index(action.token)
    ctx.state.players[seat].tokens |= 1 << index
    ctx.emit(e.GoodsConverted, seat, action.token, action.first, action.second)
    for good in (action.first, action.second):
        spend_good(ctx, seat, GOODS.index(good))
    effects.run(ctx, seat, CONVERSIONS[index].effects, OPERATIONS)


def _recover(ctx: Ctx, seat: int, region: int) -> None:
    """Bring back the leader and one troop of a seat that has none on the board (Taking Actions, NOTE)."""
    player = ctx.state.players[seat]
    player.leader_at = region
    player.supply -= 1
    player.troops[region] += 1
    ctx.emit(e.TroopsRecovered, seat, REGIONS[region])
