"""Spend the Rebellion's points as its cards dictate, one decision a step (2. Action Phase, Rebellion)."""

from functools import cache
from typing import Any

from engine.core.errors import RulesBug
from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.actions import AttackNeutral, MusterLeader, RelocateLeader
from engine.games.rurik.data import BOARDS, BOAT, MATS, REBELLION_CARDS, REGION_INDEX, RebellionCard
from engine.games.rurik.frames.attack import attack_neutral, attack_player
from engine.games.rurik.frames.build import NOT_RULED, RULED, convert, cost, put_up, tax
from engine.games.rurik.frames.move import move
from engine.games.rurik.frames.pieces import gain_coins, muster
from engine.games.rurik.ids import CHURCH, MARKET, NONE, PRIORITIES, STRUCTURES, Priority
from engine.games.rurik.state import Rebellion, State, has_structure, is_silenced, ruler, troops_in


def rebellion(state: State) -> Rebellion:
    """Return the Rebellion; raise RulesBug in a game without it."""
    if state.rebellion is None:
        raise RulesBug("there is no Rebellion in this game")
    return state.rebellion


def person(state: State) -> int:
    """Return the seat of the person who plays against the Rebellion."""
    return 1 - rebellion(state).seat


def top_card(state: State) -> RebellionCard:
    """Return the card that gives the location order and the build order."""
    return REBELLION_CARDS[rebellion(state).deck[-1]]


def priority(state: State) -> Priority:
    """Return the Rebellion's current priority."""
    return PRIORITIES[rebellion(state).priority]


class Points(Frame):
    """Spend points, one step at a time, each the only one that the cards allow; what cannot be spent is lost."""

    lapses = True

    seat: int
    points: int

    def step(self, state: State) -> Any:
        """Return the next step, or None when there is none."""
        raise RulesBug(f"{type(self).__name__} knows no step")

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the Rebellion's seat while a point is left."""
        return (self.seat,) if self.points else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the step that the cards dictate, if there is one."""
        step = self.step(state)
        return () if step is None else (step,)

    def run(self, ctx: Ctx) -> None:
        """End when the points are spent or no step is left."""
        ctx.pop()


class RebellionMuster(Points, tag="rebellion_muster"):
    """Muster a troop in each region occupied but not ruled, then one in each region ruled, in location order (Muster).

    `start` is where the continuous location order goes on; `ruled` says that the regions not ruled are done with.
    """

    start: int = 0
    ruled: bool = False

    def step(self, state: State) -> Any:
        """Return the next region for a troop; Sviatopolk comes first."""
        player = state.players[self.seat]
        if player.leader_at != NONE and not player.supply:
            return None
        region = self._region(state)
        if region == NONE:
            return None
        return o.MUSTER_LEADER[region] if player.leader_at == NONE else o.MUSTER_TROOP[region]

    def _region(self, state: State) -> int:
        order = top_card(state).location_order
        player, start = state.players[self.seat], self.start
        if not self.ruled:
            for region in (*order[start:], *order[:start]):
                if troops_in(player, region) and ruler(state, region) != self.seat:
                    return region
            start = 0
        for region in (*order[start:], *order[:start]):
            if troops_in(player, region):
                return region
        return NONE

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Muster, and go on below that region."""
        region = REGION_INDEX[action.region]
        self.ruled = ruler(ctx.state, region) == seat
        self.start = top_card(ctx.state).location_order.index(region) + 1
        self.points -= 1
        muster(ctx, seat, region, leader=isinstance(action, MusterLeader))


class RebellionMove(Points, tag="rebellion_move"):
    """Move one troop to each region not occupied, or all troops to a single region not ruled, by priority (Move).

    `target` is that single region, once chosen.
    """

    target: int = NONE

    def step(self, state: State) -> Any:
        """Return the next troop to go, and where to."""
        order = top_card(state).location_order
        if priority(state) is Priority.ATTACK:
            player = state.players[self.seat]
            target = next((r for r in order if not troops_in(player, r)), NONE)
            return None if target == NONE else self._move_to(state, target)
        if self.target != NONE:
            return self._move_to(state, self.target)
        steps = (self._move_to(state, r) for r in order if ruler(state, r) != self.seat)
        return next((step for step in steps if step is not None), None)

    def _move_to(self, state: State, target: int) -> Any:
        """Return the move from the closest region with a troop to spare, of equals the lowest in location order."""
        player = state.players[self.seat]
        for source in _sources(rebellion(state).deck[-1], target):
            if troops_in(player, source) > 1 and not self._would_cede(state, source):
                if player.leader_at == source:
                    return o.RELOCATE_LEADER[source][target][0]
                return o.RELOCATE_TROOP[source][target]
        return None

    def _would_cede(self, state: State, region: int) -> bool:
        """Return whether a troop less here would hand the person the rule; a tie would not."""
        you = person(state)
        if not troops_in(state.players[you], region) or ruler(state, region) == you:
            return False
        troops = state.players[self.seat].troops
        troops[region] -= 1
        ceded = ruler(state, region) == you
        troops[region] += 1
        return ceded

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Move the troop."""
        self.target = REGION_INDEX[action.target]
        self.points -= 1
        move(ctx, seat, REGION_INDEX[action.source], self.target, leader=isinstance(action, RelocateLeader))


@cache
def _sources(card: int, target: int) -> tuple[int, ...]:
    """Return the other regions, the closest first, of equals the lowest in the location order of a card."""
    distance = BOARDS[2].distance[target]
    others = [region for region in reversed(REBELLION_CARDS[card].location_order) if region != target]
    return tuple(sorted(others, key=distance.__getitem__))


class RebellionAttack(Points, tag="rebellion_attack"):
    """Attack the person before neutrals, in one region as long as possible, in the order of the priority (Attack).

    `fewer` cards are left out of each casualty check; `region` is where the last attack was.
    """

    fewer: int = 0
    region: int = NONE

    def step(self, state: State) -> Any:
        """Return the next attack."""
        you = person(state)
        mine, yours, neutrals = state.players[self.seat], state.players[you], state.neutrals
        order = top_card(state).location_order
        regions = [r for r in order if (neutrals[r] or troops_in(yours, r)) and troops_in(mine, r)]
        if not regions:
            return None
        region = self.region
        if region not in regions:
            ruled_first = priority(state) is not Priority.ATTACK
            region = next((r for r in regions if (ruler(state, r) == self.seat) is ruled_first), regions[0])
        return o.ATTACK_PLAYER[region][you] if troops_in(yours, region) else o.ATTACK_NEUTRAL[region]

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Attack; after an attack on the person a casualty is checked."""
        self.region = REGION_INDEX[action.region]
        self.points -= 1
        if isinstance(action, AttackNeutral):
            attack_neutral(ctx, seat, self.region)
        else:
            attack_player(ctx, seat, self.region, action.seat, self.fewer)


class RebellionTax(Points, tag="rebellion_tax"):
    """Tax regions in the order A to D, each in location order (Tax)."""

    def step(self, state: State) -> Any:
        """Return the next region to tax: boat column not full before full, ruled before not ruled."""
        player = state.players[self.seat]
        best, ranked = NONE, (True, self.points + 1)
        for region in top_card(state).location_order:
            if state.goods[region] and troops_in(player, region):
                good, price = state.icons[region], cost(state, self.seat, region)
                rank = (player.goods[good] >= BOAT[good], price)
                if price <= self.points and rank < ranked:
                    best, ranked = region, rank
                    if rank == (False, RULED):
                        break
        if best == NONE:
            return None
        if has_structure(state, self.seat, MARKET, best):
            return o.COLLECT_WITH_MARKET[best][0]
        return o.COLLECT_GOOD[best]

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Collect the good; an own market gives another one, never a coin."""
        self.points -= tax(ctx, seat, action)


class RebellionBuild(Points, tag="rebellion_build"):
    """Build in regions in the order A to D, each in location order (Build)."""

    def step(self, state: State) -> Any:
        """Return the next structure: topmost of the build order that can stand in the first region that takes one."""
        player = state.players[self.seat]
        deck = rebellion(state)
        order = [structure for structure in _BUILD_ORDERS[deck.deck[-1]][deck.priority] if player.structures[structure]]
        best, ranked = None, 4
        for region in top_card(state).location_order:
            if troops_in(player, region) and (rank := self._rank(state, region)) < ranked:
                structure = _structure(state, region, order)
                if structure != NONE:
                    best, ranked = o.BUILD_STRUCTURE[structure][region], rank
                    if rank == 0:
                        break
        return best

    def _rank(self, state: State, region: int) -> int:
        """Return 0 to 3 for the paragraphs A to D in a region occupied, 4 where nothing is built."""
        rules = ruler(state, region) == self.seat
        if self.points < (RULED if rules else NOT_RULED):
            return 4
        churches, markets, strongholds = state.built
        if self.seat not in (churches[region], markets[region], strongholds[region]):
            return 0 if rules else 1
        if not rules:
            return 4
        return 2 if state.neutrals[region] or troops_in(state.players[person(state)], region) else 3

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Build, and let a church convert."""
        region, structure = REGION_INDEX[action.region], STRUCTURES.index(action.structure)
        price = cost(ctx.state, seat, region)
        self.points -= price
        put_up(ctx, seat, structure, region, price)
        if structure == CHURCH and not is_silenced(ctx.state, seat, region):
            ctx.push(RebellionChurch(seat, region))


#: Build orders by card and priority, as indices into STRUCTURES.
_BUILD_ORDERS = tuple(
    tuple(tuple(STRUCTURES.index(structure) for structure in order) for order in card.build_order)
    for card in REBELLION_CARDS
)


def _structure(state: State, region: int, order: list[int]) -> int:
    """Return the first structure of `order` that a region takes, a church only with a target, or NONE."""
    for structure in order:
        if state.built[structure][region] == NONE and (structure != CHURCH or church_target(state, region) is not None):
            return structure
    return NONE


def church_target(state: State, region: int) -> Any:
    """Return whom a church of the Rebellion converts: the person's troop (no leader), else a neutral one, else None."""
    you = person(state)
    if state.players[you].troops[region]:
        return o.CONVERT_TROOP[you]
    return o.CONVERT_NEUTRAL if state.neutrals[region] else None


class RebellionChurch(Frame, tag="rebellion_church"):
    """Let a new church of the Rebellion convert (Build)."""

    seat: int
    region: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the Rebellion's seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the only target that the cards allow."""
        return (church_target(state, self.region),)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Convert it."""
        ctx.pop()
        convert(ctx, seat, self.region, action)


class Unlock(Points, tag="unlock_bonus"):
    """Unlock a bonus for each point: the scheme action gives one, each claim track on which the person is ahead one."""

    def step(self, state: State) -> Any:
        """Return the current priority column, or the leftmost that has a coin."""
        coins = rebellion(state).coins
        columns = (rebellion(state).priority, *range(len(coins)))
        column = next((c for c in columns if any(coins[c])), NONE)
        return None if column == NONE else o.UNLOCK_BONUS[column]

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Move the top coin of the column to the dock."""
        state, column = ctx.state, PRIORITIES.index(action.priority)
        coins = rebellion(state).coins[column]
        space = coins.index(True)
        coins[space] = False
        bonus = MATS[state.config.automa[seat]].columns[column][space]
        self.points -= 1
        ctx.emit(e.BonusUnlocked, seat, action.priority, bonus.on_action, bonus.bonus, bonus.amount)
        gain_coins(ctx, seat, 1)
