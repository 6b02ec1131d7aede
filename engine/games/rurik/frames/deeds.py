"""Take deed cards from the row, and pay what they cost by small choices in a fixed order."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.actions import RemoveLeader
from engine.games.rurik.data import DEED_INDEX, DEED_ROW, DEEDS, REGION_INDEX
from engine.games.rurik.frames.pieces import remove_own, spend_good
from engine.games.rurik.ids import GOODS, NONE, STRUCTURES
from engine.games.rurik.state import Player, State, occupied, ruler, troops_in


class ChooseDeed(Frame, tag="choose_deed"):
    """Let a seat take a deed card from the row; `last` marks the last choice of a round (Deed Row Variant)."""

    seat: int
    last: bool = False

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the choosing seat, while the row has a card."""
        return (self.seat,) if state.deed_row else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the cards of the row."""
        return tuple(o.TAKE_DEED[card] for card in state.deed_row)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Take the card and refill the row; the variant renews all of it after the last choice."""
        state = ctx.state
        ctx.pop()
        card = DEED_INDEX[action.deed]
        state.deed_row.remove(card)
        state.players[seat].deeds.append(card)
        ctx.emit(e.DeedTaken, seat, action.deed)
        if self.last and state.config.deed_row:
            state.deed_discard += state.deed_row
            state.deed_row = []
        refill_row(ctx)

    def run(self, ctx: Ctx) -> None:
        """End: no card is left to take."""
        ctx.pop()


def refill_row(ctx: Ctx) -> None:
    """Reveal deed cards up to a full row; discarded ones are shuffled in when the deck has run out."""
    state = ctx.state
    while len(state.deed_row) < DEED_ROW:
        if not state.deed_deck and state.deed_discard:
            state.deed_deck, state.deed_discard = sorted(state.deed_discard), []
            ctx.rng.shuffle("deeds", state.deed_deck)
        if not state.deed_deck:
            break
        state.deed_row.append(state.deed_deck.pop())
        ctx.reveal()
    ctx.emit(e.DeedRowRefilled, tuple(DEEDS[card].id for card in state.deed_row))


class PayGoods(Frame, tag="spend_goods"):
    """Let a seat spend `count` goods, kinds in the order of the goods; `different` allows each kind once."""

    seat: int
    count: int
    different: bool
    floor: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the paying seat, while goods are due."""
        return (self.seat,) if self.count else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the goods after which the rest can still be paid in order."""
        goods = state.players[seat].goods
        listed = []
        for good in range(self.floor, len(GOODS)):
            later = goods[good + 1 :]
            left = sum(count > 0 for count in later) if self.different else goods[good] - 1 + sum(later)
            if goods[good] and left >= self.count - 1:
                listed.append(o.SPEND_GOOD[good])
        return tuple(listed)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Spend the good."""
        good = GOODS.index(action.good)
        spend_good(ctx, seat, good)
        self.count -= 1
        self.floor = good + self.different

    def run(self, ctx: Ctx) -> None:
        """End when all is paid."""
        ctx.pop()


class PaySameGoods(Frame, tag="spend_same_goods"):
    """Let a seat spend `count` goods of one type (Hoard)."""

    seat: int
    count: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the paying seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the goods of which there are enough."""
        goods = state.players[seat].goods
        return tuple(o.SPEND_GOOD[good] for good, count in enumerate(goods) if count >= self.count)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Spend them."""
        ctx.pop()
        for _ in range(self.count):
            spend_good(ctx, seat, GOODS.index(action.good))


def _pieces(player: Player, region: int, floor: int) -> list[Any]:
    """Return the pieces of a region at or after `floor`, which is twice the region, plus one for the leader."""
    listed: list[Any] = []
    if player.troops[region] and 2 * region >= floor:
        listed.append(o.REMOVE_TROOP[region])
    if player.leader_at == region and 2 * region + 1 >= floor:
        listed.append(o.REMOVE_LEADER[region])
    return listed


class PayTroops(Frame, tag="remove_troops"):
    """Let a seat remove `count` of its troops, in order of the map; the leader may be one of them.

    `rule` words the cost: "any", "one_each" (each from another region) or "ruled" (all from one region it rules).
    """

    seat: int
    count: int
    rule: str
    floor: int = 0
    region: int = NONE

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the paying seat, while troops are due."""
        return (self.seat,) if self.count else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the pieces after which the rest can still be paid in order."""
        player = state.players[seat]
        here = [r for r in occupied(player) if 2 * r + 1 >= self.floor]
        if self.rule == "one_each":
            here = [r for r in here if 2 * r >= self.floor]
            here = here[: len(here) - self.count + 1]
            return tuple(piece for r in here for piece in _pieces(player, r, self.floor))
        if self.rule == "ruled":
            if self.region == NONE:
                here = [r for r in here if troops_in(player, r) >= self.count and ruler(state, r) == seat]
            else:
                here = [self.region]
        listed = []
        for region in here:
            for piece in _pieces(player, region, self.floor):
                left = self._left_after(player, region, here, leader=isinstance(piece, RemoveLeader))
                if left >= self.count - 1:
                    listed.append(piece)
        return tuple(listed)

    def _left_after(self, player: Player, region: int, here: list[int], *, leader: bool) -> int:
        """Return how many pieces may still follow once one of `region` has gone."""
        rest = 0 if leader else player.troops[region] - 1 + (player.leader_at == region)
        if self.rule == "any":
            rest += sum(troops_in(player, r) for r in here if r > region)
        return rest

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Remove the piece."""
        region, leader = REGION_INDEX[action.region], isinstance(action, RemoveLeader)
        remove_own(ctx, seat, region, leader=leader)
        self.count -= 1
        self.region = region
        self.floor = 2 * (region + 1) if self.rule == "one_each" else 2 * region + leader

    def run(self, ctx: Ctx) -> None:
        """End when all is paid."""
        ctx.pop()


class PayStructure(Frame, tag="remove_structure"):
    """Let a seat take back one of its structures (New Beginning)."""

    seat: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the paying seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return its structures on the board."""
        return tuple(
            o.REMOVE_STRUCTURE[structure][region]
            for structure, owners in enumerate(state.built)
            for region, owner in enumerate(owners)
            if owner == seat
        )

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Take it back."""
        ctx.pop()
        structure = STRUCTURES.index(action.structure)
        ctx.state.built[structure][REGION_INDEX[action.region]] = NONE
        ctx.state.players[seat].structures[structure] += 1
        ctx.emit(e.StructureRemoved, seat, action.structure, action.region)
