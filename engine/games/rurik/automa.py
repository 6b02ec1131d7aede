"""Play the Rebellion, the solo opponent, as its cards say (Solo Mode).

Every step is a decision of its seat that offers exactly what the cards allow; frames/rebellion.py spends its points.
Public of the deck are the top card, the cards already turned and the rows read of the bottom one.
"""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.actions import AddBribe, RecoverTroops, TakeAction
from engine.games.rurik.data import (
    ADDED_ADVISORS,
    KIEV,
    MATS,
    REBELLION_CARDS,
    REBELLION_TROOPS,
    REGION_INDEX,
    SPACES,
)
from engine.games.rurik.frames.advisors import is_full, place
from engine.games.rurik.frames.pieces import gain_coins, muster
from engine.games.rurik.frames.rebellion import (
    Points,
    RebellionAttack,
    RebellionBuild,
    RebellionChurch,
    RebellionMove,
    RebellionMuster,
    RebellionTax,
    Unlock,
    person,
    rebellion,
    top_card,
)
from engine.games.rurik.frames.turn import MAIN_ACTIONS, fastest, forfeit, resolve_advisor
from engine.games.rurik.ids import (
    ATTACK,
    BUILD,
    COLUMNS,
    MOVE,
    MUSTER,
    NONE,
    PRIORITIES,
    SCHEME,
    SVIATOPOLK,
    TAX,
    BonusKind,
    Difficulty,
    Priority,
)
from engine.games.rurik.records import BonusSpace, StrategyCell
from engine.games.rurik.state import State, boat, is_on_board, largest_group, occupied

#: Coins of income that the Rebellion always gets (Claim Phase, Earn Income).
DEFAULT_INCOME = 1

#: Rebels in each of the regions where the Rebellion starts, and how many such regions there are beside Kiev.
START_REBELS = 2
START_REGIONS = 2


def set_up(state: State) -> None:
    """Place the Rebellion and the neutral troops (Rebellion Setup, Game Board Setup)."""
    rebels = state.players[rebellion(state).seat]
    elsewhere = [r for r in top_card(state).location_order if r != KIEV]
    for region in (KIEV, *elsewhere[:START_REGIONS]):
        rebels.troops[region] = START_REBELS
    rebels.supply = REBELLION_TROOPS - sum(rebels.troops)
    rebels.leader, rebels.leader_at = SVIATOPOLK, KIEV
    for region in elsewhere[START_REGIONS:]:
        state.neutrals[region] = 1


# 1. Strategy phase.

#: Advisor that is locked at first (an asterisk marks it) to the round that unlocks it.
_UNLOCKED_IN = {advisor: first for first, (advisor, _) in ADDED_ADVISORS.items()}


class Placement(Frame, tag="rebellion_placement"):
    """Place the next advisor of the bottom card (Placing Advisors, Adding Bribes).

    `read` says that its row has been read; `column` is where it goes, while its bribe is open.
    """

    seat: int
    read: bool = False
    column: int = NONE

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the Rebellion's seat, once the row is read."""
        return (self.seat,) if self.read else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the advisor and its column, then the bribe if there is one."""
        cell = cell_read(state)
        if self.column == NONE:
            return (o.PLACE_ADVISOR[cell.advisor][column_for(state, cell)],)
        return (o.bribes(bribe(state, cell, self.column))[-1],)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place the advisor; a bribe is a decision of its own."""
        cell = cell_read(ctx.state)
        coins = 0
        if isinstance(action, AddBribe):
            coins = action.coins
        else:
            self.column = COLUMNS.index(action.column)
            if bribe(ctx.state, cell, self.column):
                return
        ctx.pop()
        place(ctx, seat, cell.advisor, self.column, coins)

    def run(self, ctx: Ctx) -> None:
        """Slide the bottom card down to the next advisor that is not locked."""
        state = ctx.state
        deck = rebellion(state)
        rows = REBELLION_CARDS[deck.deck[0]].strategy[deck.priority]
        while rows[deck.rows].asterisk and state.round < _UNLOCKED_IN[rows[deck.rows].advisor]:
            deck.rows += 1
        deck.rows += 1
        self.read = True
        ctx.reveal()


def cell_read(state: State) -> StrategyCell:
    """Return the last row read of the bottom card, in the column of the current priority."""
    deck = rebellion(state)
    return REBELLION_CARDS[deck.deck[0]].strategy[deck.priority][deck.rows - 1]


def column_for(state: State, cell: StrategyCell) -> int:
    """Return the printed column, or the next one to the right, wrapping, that is not full."""
    column = COLUMNS.index(cell.action)
    while is_full(state, column):
        column = (column + 1) % len(COLUMNS)
    return column


def bribe(state: State, cell: StrategyCell, column: int) -> int:
    """Return the coins the Rebellion adds to an advisor (Adding Bribes).

    A coin beside the printed column buys the top space, or nothing if that is too dear; equal power with an advisor of
    the person costs one coin.
    """
    seat = rebellion(state).seat
    coins = state.players[seat].coins
    if not coins:
        return 0
    placed = [(owner, number + added) for owner, number, added in state.columns[column]]
    if cell.bribe_to_top and column == COLUMNS.index(cell.action):
        needed = max([power + 1 - cell.advisor for _, power in placed], default=0)
        if 0 < needed <= coins:
            return needed
    return 1 if any(owner != seat and power == cell.advisor for owner, power in placed) else 0


# 2. Action phase.


class RebellionTurn(Frame, tag="rebellion_turn"):
    """Turn a card, resolve the fastest advisor, gain bonuses, act (Resolving Advisors, Taking Actions)."""

    seat: int
    turned: bool = False

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the Rebellion's seat, once the card is turned."""
        return (self.seat,) if self.turned else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the action of the fastest advisor, or its forfeit; before it the way back onto an empty board.

        Of equal numbers the leftmost comes first. Back on the board: in the first region of the location order.
        """
        if not is_on_board(state.players[seat]):
            return (o.RECOVER_TROOPS[top_card(state).location_order[0]],)
        column, row = fastest(state, seat)[0]
        return (o.TAKE_ACTION[column][row] if can_take(state, column, row) else o.FORFEIT_ACTION[column][row],)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Take the action with all its bonuses, or forfeit it for a coin."""
        if isinstance(action, RecoverTroops):
            region = REGION_INDEX[action.region]
            muster(ctx, seat, region, leader=True)
            muster(ctx, seat, region, leader=False)
            return
        ctx.pop()
        column, row = COLUMNS.index(action.column), action.row - 1
        if isinstance(action, TakeAction):
            space = resolve_advisor(ctx, seat, column, row)
            _act(ctx, seat, column, space.icons)
        else:
            forfeit(ctx, seat, column, row)

    def run(self, ctx: Ctx) -> None:
        """Move the bottom card to the top of the deck."""
        deck = rebellion(ctx.state)
        card = deck.deck.pop(0)
        deck.deck.append(card)
        deck.turned += 1
        deck.rows = 0
        self.turned = True
        ctx.reveal()
        ctx.emit(e.CardTurned, self.seat, REBELLION_CARDS[card].number)


def open_bonuses(state: State, column: int) -> list[BonusSpace]:
    """Return the unlocked bonuses of a main action, of all columns of the mat."""
    automa = rebellion(state)
    coins = automa.coins
    spaces = _BONUSES[state.config.automa[automa.seat]][column]
    return [space for priority, place, space in spaces if not coins[priority][place]]


#: Difficulty to the bonus spaces of each main action: column of the mat, place in it from the top, what it gives.
_BONUSES: dict[Difficulty, tuple[tuple[tuple[int, int, BonusSpace], ...], ...]] = {
    difficulty: tuple(
        tuple(
            (priority, place, space)
            for priority, spaces in enumerate(mat.columns)
            for place, space in enumerate(spaces)
            if space.on_action is column
        )
        for column in COLUMNS
    )
    for difficulty, mat in MATS.items()
}


def can_take(state: State, column: int, row: int) -> bool:
    """Return whether the Rebellion can pay for a space and do its action on the board as it stands.

    Bonus points of that action count; a scheme action can always be taken.
    """
    seat = rebellion(state).seat
    space = SPACES[state.config.seats][column][row]
    if space.coin_cost > state.players[seat].coins:
        return False
    if column == SCHEME:
        return True
    points, _ = _points(open_bonuses(state, column), column, space.icons)
    return _step(seat, column, points[column], 0).step(state) is not None


def _points(bonuses: list[BonusSpace], column: int, icons: int) -> tuple[list[int], int]:
    """Return the points by column of an action with its bonuses, and the cards left out of casualty checks."""
    points = [0] * len(COLUMNS)
    points[column] = 1 if column == SCHEME else icons
    fewer = 0
    for space in bonuses:
        if space.bonus is BonusKind.REVEAL_LESS:
            fewer += space.amount
        elif space.bonus in MAIN_ACTIONS:
            points[MAIN_ACTIONS.index(space.bonus)] += space.amount
    return points, fewer


def _act(ctx: Ctx, seat: int, column: int, icons: int) -> None:
    """Gain the bonuses and start spending the points, movement first."""
    bonuses = open_bonuses(ctx.state, column)
    for space in bonuses:
        ctx.emit(e.BonusGained, seat, space.bonus, space.amount)
        if space.bonus is BonusKind.COINS:
            gain_coins(ctx, seat, space.amount)
    points, fewer = _points(bonuses, column, icons)
    # The top of the stack runs first.
    for kind in (MUSTER, ATTACK, TAX, BUILD, SCHEME, MOVE):
        if points[kind]:
            ctx.push(_step(seat, kind, points[kind], fewer))


_STEPS: tuple[type[Points], ...] = (
    RebellionMuster,
    RebellionMove,
    RebellionAttack,
    RebellionTax,
    RebellionBuild,
    Unlock,
)


def _step(seat: int, column: int, points: int, fewer: int) -> Points:
    return RebellionAttack(seat, points, fewer) if column == ATTACK else _STEPS[column](seat, points)


# 3. Claim phase.


def assign_priority(ctx: Ctx) -> None:
    """Assign the Rebellion's priority by where the person is ahead (Assign Priority A to D)."""
    state = ctx.state
    automa = rebellion(state)
    seat, you = automa.seat, person(state)
    mine, yours = state.players[seat], state.players[you]
    if len(occupied(yours)) > len(occupied(mine)):
        assigned = Priority.ATTACK
    elif largest_group(state, you) > largest_group(state, seat):
        assigned = Priority.BUILD
    elif sum(boat(yours)) > sum(boat(mine)):
        assigned = Priority.RULE
    else:
        assigned = MATS[state.config.automa[seat]].starting_priority
    automa.priority = PRIORITIES.index(assigned)
    ctx.emit(e.PriorityAssigned, seat, assigned)


def tracks_behind(state: State) -> int:
    """Return on how many claim tracks the person is ahead of the Rebellion (Advance on Claim Tracks)."""
    mine, yours = state.players[rebellion(state).seat].claims, state.players[person(state)].claims
    return sum(theirs > own for own, theirs in zip(mine, yours, strict=True))


def claim_unlocks(state: State) -> Unlock:
    """Return the frame that unlocks a bonus for each of those tracks, by the priority just assigned."""
    return Unlock(rebellion(state).seat, tracks_behind(state))


def end_of_round(ctx: Ctx) -> None:
    """Muster a troop in Sviatopolk's region, if he is on the board (solo leader card)."""
    seat = rebellion(ctx.state).seat
    player = ctx.state.players[seat]
    if player.leader_at != NONE and player.supply:
        muster(ctx, seat, player.leader_at, leader=False)


#: Every frame of the Rebellion that may stand on the stack.
AutomaFrame = (
    Placement
    | RebellionTurn
    | RebellionMuster
    | RebellionMove
    | RebellionAttack
    | RebellionTax
    | RebellionBuild
    | RebellionChurch
    | Unlock
)
