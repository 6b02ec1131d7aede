"""Spend attack points, and check for casualties (Attack)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.actions import (
    AttackNeutral,
    AttackPlayer,
    AttackRebel,
    Done,
    MusterLeader,
    MusterTroop,
    RemoveLeader,
)
from engine.games.rurik.data import REGION_INDEX, REGIONS, REWARDS, SCHEMES, WARFARE_SPACES
from engine.games.rurik.frames.pieces import muster, remove_own, take_off
from engine.games.rurik.frames.schemes import decks_to_choose, discard, refill_if_depleted, take_top
from engine.games.rurik.ids import BORIS, GOODS, NONE, STRONGHOLD, SUDISLAV, SVIATOPOLK
from engine.games.rurik.state import State, has_structure, is_rebellion, occupied, ruler, troops_in


class Attack(Frame, tag="attack"):
    """Let a seat attack, one a point; `fewer` cards are left out of each casualty check."""

    seat: int
    points: int
    fewer: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat while points are left."""
        return (self.seat,) if self.points else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every rebel, opponent and neutral troop in regions occupied, and what Sudislav adds."""
        player = state.players[seat]
        listed: list[Any] = []
        for region in occupied(player):
            if state.rebels[region] != NONE:
                listed.append(o.ATTACK_REBEL[region])
            for other, victim in enumerate(state.players):
                if other != seat and (victim.troops[region] or victim.leader_at == region):
                    listed.append(o.ATTACK_PLAYER[region][other])
            if state.neutrals[region]:
                listed.append(o.ATTACK_NEUTRAL[region])
        if player.leader == SUDISLAV and player.leader_at != NONE and player.supply:
            listed.append(o.MUSTER_TROOP[player.leader_at])
        return (*listed, o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Attack once, muster with Sudislav, or stop."""
        if isinstance(action, Done):
            self.points = 0
            return
        self.points -= 1
        region = REGION_INDEX[action.region]
        match action:
            case AttackRebel():
                attack_rebel(ctx, seat, region)
            case AttackPlayer():
                attack_player(ctx, seat, region, action.seat, self.fewer)
            case AttackNeutral():
                attack_neutral(ctx, seat, region)
            case MusterTroop() | MusterLeader():
                muster(ctx, seat, region, leader=False)

    def run(self, ctx: Ctx) -> None:
        """End when the points are spent."""
        ctx.pop()


def attack_rebel(ctx: Ctx, seat: int, region: int) -> None:
    """Defeat a rebel: take its reward, no warfare, no casualty; Sviatopolk replaces it in his region."""
    state = ctx.state
    player = state.players[seat]
    sticker = state.reward_tokens.pop() if state.config.rebel_rewards else state.rebels[region]
    state.rebels[region] = NONE
    player.rebels.append(sticker)
    reward = REWARDS[sticker]
    if reward.good is None:
        player.coins += reward.amount
    else:
        player.goods[GOODS.index(reward.good)] += reward.amount
    ctx.reveal()
    ctx.emit(e.RebelDefeated, seat, REGIONS[region], reward.good, reward.amount)
    if player.leader == SVIATOPOLK and player.leader_at == region and player.supply and not is_rebellion(state, seat):
        muster(ctx, seat, region, leader=False)


def attack_neutral(ctx: Ctx, seat: int, region: int) -> None:
    """Remove a neutral troop: no reward, no warfare, no casualty (Gameplay Differences)."""
    ctx.state.neutrals[region] -= 1
    ctx.emit(e.NeutralRemoved, seat, REGIONS[region])


def attack_player(ctx: Ctx, seat: int, region: int, victim: int, fewer: int) -> None:
    """Attack an opponent: one troop lost, the leader last; a step of warfare; a casualty check."""
    state = ctx.state
    attacker, defender = state.players[seat], state.players[victim]
    cards = 1 - fewer
    cards += ruler(state, region) == victim
    cards += has_structure(state, victim, STRONGHOLD, region)
    leader = not defender.troops[region]
    take_off(ctx, victim, region, leader=leader)
    attacker.warfare = min(attacker.warfare + 1, WARFARE_SPACES)
    ctx.emit(e.PlayerAttacked, seat, victim, REGIONS[region], leader, attacker.warfare)
    if attacker.leader == BORIS and attacker.leader_at == region:
        cards -= 1
        if defender.coins:
            defender.coins -= 1
            attacker.coins += 1
            ctx.emit(e.CoinStolen, seat, victim)
    if is_rebellion(state, seat) and attacker.leader_at == region:
        cards -= 1  # The solo leader card: one card fewer where Sviatopolk is.
    if cards > 0:
        chooser = victim if is_rebellion(state, seat) else seat
        ctx.push(CasualtyCheck(seat, region, cards, chooser))


class CasualtyCheck(Frame, tag="casualty_check"):
    """Reveal up to `count` scheme cards of one deck; an icon costs the attacker a troop there."""

    seat: int
    region: int
    count: int
    chooser: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return who chooses the deck: the attacker, or the person whom the Rebellion attacks."""
        return (self.chooser,) if any(state.decks) else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the scheme decks."""
        return decks_to_choose(state)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Reveal one card at a time up to the first icon, then discard all revealed."""
        state = ctx.state
        ctx.pop()
        revealed: list[int] = []
        casualty = False
        while len(revealed) < self.count and not casualty:
            card = take_top(ctx, action.deck)
            if card is None:
                break
            revealed.append(card)
            casualty = SCHEMES[card].casualty
        ctx.reveal()
        ctx.emit(
            e.CasualtyChecked,
            self.seat,
            REGIONS[self.region],
            action.deck,
            tuple(SCHEMES[c].id for c in revealed),
            casualty,
        )
        discard(ctx, revealed)
        refill_if_depleted(ctx)
        player = state.players[self.seat]
        if casualty and troops_in(player, self.region):
            if is_rebellion(state, self.seat):
                # A rebel before Sviatopolk: the card leaves no choice.
                remove_own(ctx, self.seat, self.region, leader=not player.troops[self.region])
            else:
                ctx.push(Casualty(self.seat, self.region))

    def run(self, ctx: Ctx) -> None:
        """End without a check: all scheme cards are in hands."""
        ctx.pop()


class Casualty(Frame, tag="casualty"):
    """Let the attacker remove one of its troops from the region."""

    seat: int
    region: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the attacker."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return a troop and the leader; option casualty_leader=last spares the leader while troops are there."""
        player = state.players[seat]
        listed: list[Any] = [o.REMOVE_TROOP[self.region]] if player.troops[self.region] else []
        if player.leader_at == self.region and not (listed and state.config.casualty_leader == "last"):
            listed.append(o.REMOVE_LEADER[self.region])
        return tuple(listed)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Remove it."""
        ctx.pop()
        remove_own(ctx, seat, self.region, leader=isinstance(action, RemoveLeader))
