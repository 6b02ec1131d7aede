"""Take the actions of a seat: both cards, their special texts, advantage cards and sea cards (3. Actions)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.europe_divided import actions as a
from engine.games.europe_divided import events as e
from engine.games.europe_divided import options as o
from engine.games.europe_divided.cards import ADVANTAGE_INDEX, ADVANTAGES, CARD_INDEX, CARDS, CardAction, Special
from engine.games.europe_divided.data import CONTESTED, REGION_INDEX
from engine.games.europe_divided.effects.operations import possible, push
from engine.games.europe_divided.frames.armies import MoveOn, sea_moves, sources, use_sea
from engine.games.europe_divided.frames.cards import draw, show
from engine.games.europe_divided.frames.pieces import build_army, gain, place_die, raise_die
from engine.games.europe_divided.ids import EU, FACTIONS, NONE
from engine.games.europe_divided.stakes import SEA_INDEX, SEAS
from engine.games.europe_divided.state import State, armies_left, can_raise, holds, purse, unlocked

_CONTESTED = range(CONTESTED)


class Turn(Frame, tag="turn"):
    """Hold the actions of a seat; `extra` more cards of the hand may be played, drawing `draws_back` each (Summit)."""

    seat: int
    extra: int = 0
    draws_back: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the acting seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the cards to play, what sea and advantage cards allow, and the end after both cards.

        A hand with advantage cards always leaves a choice: that none of their special actions is possible never shows.
        """
        player = state.players[seat]
        listed: list[Any] = [o.PLAY_CARD[card] for card in player.chosen]
        if self.extra:
            listed += [o.PLAY_EXTRA_CARD[card] for card in player.hand]
        listed += sea_moves(state, seat)
        for card in player.advantages:
            if any(possible(state, op) for op in ADVANTAGES[card].ops):
                listed.append(o.PLAY_ADVANTAGE[card])
            listed.append(o.SELL_ADVANTAGE[card])
        if not player.chosen:
            listed.append(o.END_TURN)
        return tuple(listed)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Do one thing."""
        player = ctx.state.players[seat]
        match action:
            case a.EndTurn():
                ctx.pop()
            case a.PlayCard(name):
                _play(ctx, seat, CARD_INDEX[seat][name])
            case a.PlayExtraCard(name):
                self._play_extra(ctx, seat, CARD_INDEX[seat][name])
            case a.UseSeaCard(sea, source, target):
                use_sea(ctx, seat, SEA_INDEX[sea], REGION_INDEX[source], REGION_INDEX[target])
            case a.PlayAdvantage(name):
                card = _spend(ctx, seat, name)
                ctx.emit(e.AdvantagePlayed, seat, name)
                push(ctx, ADVANTAGES[card].ops)
            case a.SellAdvantage(name):
                card = _spend(ctx, seat, name)
                player.money += ADVANTAGES[card].money
                ctx.emit(e.AdvantageSold, seat, name, ADVANTAGES[card].money)

    def _play_extra(self, ctx: Ctx, seat: int, card: int) -> None:
        """Reveal a card of the hand and draw back what the advantage card allows."""
        player = ctx.state.players[seat]
        self.extra -= 1
        player.hand.remove(card)
        player.extra.append(card)
        _reveal(ctx, seat, card, extra=True)
        draw(ctx, seat, self.draws_back)
        ctx.push(UseCard(seat, card))


def _play(ctx: Ctx, seat: int, card: int) -> None:
    """Reveal a card chosen for this turn and ask for its action."""
    player = ctx.state.players[seat]
    player.chosen.remove(card)
    player.played.append(card)
    _reveal(ctx, seat, card, extra=False)
    ctx.push(UseCard(seat, card))


def _reveal(ctx: Ctx, seat: int, card: int, *, extra: bool) -> None:
    show(ctx, seat, card)
    ctx.emit(e.CardPlayed, seat, CARDS[card].id, extra)


def _spend(ctx: Ctx, seat: int, name: str) -> int:
    """Take an advantage card out of the hand, face up; return it."""
    player, card = ctx.state.players[seat], ADVANTAGE_INDEX[name]
    player.advantages.remove(card)
    player.spent.append(card)
    ctx.reveal()
    return card


class UseCard(Frame, tag="use_card"):
    """Let a seat take one action of a card.

    It is asked even with one option: the card has just been revealed, and what it leads to is no part of that step.
    """

    secret = True

    seat: int
    card: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the acting seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every action of the card that the dice, the money and the board allow; none: it is played for nothing.

        The Europe player needs the right die for a grey card (Action Cards: Europe Player).
        """
        card = CARDS[self.card]
        listed: list[Any] = []
        money = purse(state, seat)
        for action in card.actions:
            if unlocked(state, self.card, action.faction):
                listed += _uses(state, seat, self.card, action, money)
        if card.action is not None and _may_take(state, self.card, card.action):
            listed.append(o.TAKE_SPECIAL)
        return tuple(listed) if listed else (o.FORGO_CARD,)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Take the action; effects and reactions follow it."""
        ctx.pop()
        card = CARDS[self.card]
        match action:
            case a.ForgoCard():
                ctx.emit(e.CardForgone, seat, card.id)
            case a.TakeSpecial():
                ctx.emit(e.SpecialTaken, seat, card.id)
                if card.action is not None:
                    push(ctx, card.action.ops)
            case a.PlaceInfluence(faction, region, cost):
                self._follow(ctx, "place_influence", FACTIONS.index(faction), REGION_INDEX[region])
                place_die(ctx, FACTIONS.index(faction), REGION_INDEX[region], cost)
            case a.IncreaseInfluence(faction, region, amount):
                self._follow(ctx, "increase_influence", FACTIONS.index(faction), REGION_INDEX[region])
                raise_die(ctx, FACTIONS.index(faction), REGION_INDEX[region], amount)
            case a.GainMoney(amount):
                self._follow(ctx, "gain_money", self._faction("gain_money"), card.region)
                gain(ctx, seat, amount)
            case a.BuildArmy(region, cost):
                self._follow(ctx, "build_army", self._faction("build_army"), REGION_INDEX[region])
                build_army(ctx, seat, REGION_INDEX[region], cost)
            case a.MoveArmy(source):
                self._follow(ctx, "move_army", self._faction("move_army"), NONE)
                ctx.push(MoveOn(seat, REGION_INDEX[source], card=self.card))

    def _faction(self, op: str) -> int:
        return next(action.faction for action in CARDS[self.card].actions if action.op == op)

    def _follow(self, ctx: Ctx, op: str, faction: int, region: int) -> None:
        """Pay the EU's income from sea cards and put what follows the action under it."""
        card = CARDS[self.card]
        if card.effects or card.reactions:
            ctx.push(AfterAction(self.card, op, faction, region))
        if faction == EU and card.grey:
            for sea, holder in enumerate(ctx.state.seas):
                if holder == EU and card.region in SEAS[sea].income_regions:
                    ctx.state.players[self.seat].money += SEAS[sea].income
                    ctx.emit(e.SeaIncome, self.seat, SEAS[sea].id, SEAS[sea].income)


def _uses(state: State, seat: int, card: int, action: CardAction, money: int) -> list[Any]:
    """Return the ways to take an action of a card (Action Cards: Actions)."""
    match action.op:
        case "place_influence":
            if action.cost > money:
                return []
            row, dice = o.PLACE[action.cost][action.faction], state.dice[action.faction]
            return [row[region] for region in _CONTESTED if not dice[region]]
        case "increase_influence":
            rises, faction = o.INCREASE[action.amount][action.faction], action.faction
            return [rises[region] for region in _CONTESTED if can_raise(state, faction, region)]
        case "gain_money":
            space = CARDS[card].space
            return [o.gain_money(action.amount + (state.tokens[space] if space != NONE else 0))]
        case "build_army":
            return [o.BUILD[action.cost][action.where]] if action.cost <= money and armies_left(state, seat) else []
        case _:
            return sources(state, seat)


def _may_take(state: State, card: int, special: Special) -> bool:
    """Return whether a special action's condition holds and it does anything."""
    of = CARDS[card]
    if of.grey and not any(unlocked(state, card, faction) for faction in range(len(FACTIONS))):
        return False
    return holds(state, special.condition) and any(possible(state, op) for op in special.ops)


class AfterAction(Frame, tag="after_action"):
    """Offer the effects that an action sets off to its owner, then the reactions to the opponent."""

    card: int
    op: str
    faction: int
    region: int

    def run(self, ctx: Ctx) -> None:
        """Put them on the stack, the first effect on top."""
        ctx.pop()
        card = CARDS[self.card]
        for special in reversed((*card.effects, *card.reactions)):
            fits = special.trigger == self.op and special.faction in (NONE, self.faction)
            if fits and holds(ctx.state, special.condition):
                push(ctx, special.ops, self.faction, self.region)
