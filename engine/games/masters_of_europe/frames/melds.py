"""Play melds, one country, one action and one number card each, and resolve them (Action Phase)."""

from collections.abc import Iterator
from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe import options as o
from engine.games.masters_of_europe.data import (
    ACTION_CARDS,
    CARD_INDEX,
    CARDS,
    COUNTRIES,
    COUNTRY_INDEX,
    TREATY_DISCARD,
    TREATY_DRAW,
)
from engine.games.masters_of_europe.frames.hands import Discard, draw, leave_hand
from engine.games.masters_of_europe.ids import MELD_ACTIONS, NONE, CardKind, MeldAction
from engine.games.masters_of_europe.state import State, controller, ends_now

#: Country cards of an alliance; every other meld has one.
ALLIES = 2


class Turn(Frame, tag="turn"):
    """Let a seat make any number of melds, each resolved before the next."""

    secret = True

    seat: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat, unless the game ends at once."""
        return () if ends_now(state) else (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the action cards with which a whole meld can be made, and the end of the turn."""
        hand = state.players[seat].hand
        if not any(CARDS[card].kind is CardKind.NUMBER for card in hand):
            return (o.END_TURN,)
        listed: list[Any] = [
            o.START_MELD[i]
            for i, card in enumerate(ACTION_CARDS)
            if card in hand and any(country_options(state, seat, MELD_ACTIONS[i], ()))
        ]
        return (*listed, o.END_TURN)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Begin a meld, or end the turn."""
        if isinstance(action, a.EndTurn):
            ctx.pop()
            return
        card = ACTION_CARDS[MELD_ACTIONS.index(action.action)]
        leave_hand(ctx, seat, card)
        ctx.push(MeldCountry(seat, action.action, (card,), ()))

    def run(self, ctx: Ctx) -> None:
        """End."""
        ctx.pop()


def country_options(state: State, seat: int, action: MeldAction, chosen: tuple[int, ...]) -> Iterator[Any]:
    """Yield the country cards and countries that may come next into a meld, so that it can be completed."""
    for card in sorted(set(state.players[seat].hand)):
        for country in CARDS[card].countries:
            if country in chosen or not may_target(state, seat, action, country):
                continue
            if action is MeldAction.ALLIANCE and not _ally_follows(state, seat, card, country, chosen):
                continue
            yield o.CHOOSE_COUNTRY[card][country]


def may_target(state: State, seat: int, action: MeldAction, country: int) -> bool:
    """Return whether a meld may be aimed at a country."""
    match action:
        case MeldAction.MARRIAGE:
            return controller(state, country) != seat
        case MeldAction.REVOLUTION:
            return controller(state, country) not in (NONE, seat)
        case MeldAction.ABSOLUTISM:
            return bool(pretenders(state, seat, country))
        case _:
            return True


def pretenders(state: State, seat: int, country: int) -> list[int]:
    """Return the other seats with tokens on a country that do not control it."""
    ruling = controller(state, country)
    return [
        other for other, player in enumerate(state.players) if other not in (seat, ruling) and player.tokens[country]
    ]


def _ally_follows(state: State, seat: int, card: int, country: int, chosen: tuple[int, ...]) -> bool:
    """Return whether an alliance with this country stands, or can still be completed by another country card."""
    tokens = state.players[seat].tokens
    if chosen:
        return bool(tokens[country] or tokens[chosen[0]])
    rest = state.players[seat].hand.copy()
    rest.remove(card)
    partners = {c for other in rest for c in CARDS[other].countries if c != country}
    return any(tokens[country] or tokens[partner] for partner in partners)


class MeldCountry(Frame, tag="choose_country"):
    """Ask for the country card of a meld, or for the two of an alliance; `cards` are the meld's so far."""

    secret = True

    seat: int
    action: MeldAction
    cards: tuple[int, ...]
    countries: tuple[int, ...]

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the melding seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the country cards with the countries they may stand for."""
        return tuple(country_options(state, seat, self.action, self.countries))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Take the card into the meld."""
        card = CARD_INDEX[action.card]
        leave_hand(ctx, seat, card)
        cards, countries = (*self.cards, card), (*self.countries, COUNTRY_INDEX[action.country])
        if self.action is MeldAction.ALLIANCE and len(countries) < ALLIES:
            ctx.replace(MeldCountry(seat, self.action, cards, countries))
        else:
            ctx.replace(MeldNumber(seat, self.action, cards, countries))


class MeldNumber(Frame, tag="choose_number"):
    """Ask for the number card of a meld, then resolve it."""

    secret = True

    seat: int
    action: MeldAction
    cards: tuple[int, ...]
    countries: tuple[int, ...]

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the melding seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the number cards in hand."""
        hand = sorted(set(state.players[seat].hand))
        return tuple(o.CHOOSE_NUMBER[card] for card in hand if CARDS[card].kind is CardKind.NUMBER)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Discard the meld's cards and do what it says."""
        ctx.pop()
        card = CARD_INDEX[action.card]
        leave_hand(ctx, seat, card)
        cards = (*self.cards, card)
        ctx.state.discard.extend(cards)
        names = tuple(CARDS[c].id for c in cards)
        value = CARDS[card].value
        ctx.emit(e.MeldPlayed, seat, self.action, names, tuple(COUNTRIES[c].id for c in self.countries), value)
        meld(ctx, seat, self.action, self.countries, value)


def meld(ctx: Ctx, seat: int, action: MeldAction, countries: tuple[int, ...], number: int) -> None:
    """Resolve a meld whose number card says `number`."""
    country = countries[0]
    match action:
        case MeldAction.WAR:
            ctx.push(Aftermath(seat, action, country, number, NONE))
            ctx.push(Removal(seat, country, number, NONE))
        case MeldAction.MARRIAGE:
            add_tokens(ctx, seat, country, number)
            gain_chips(ctx, seat, number)
        case MeldAction.ROYALTY:
            add_tokens(ctx, seat, country, number)
            draw(ctx, seat, 1)
        case MeldAction.INDUSTRY:
            ctx.state.cubes[country] += number
            ctx.emit(e.IndustryBuilt, seat, COUNTRIES[country].id, number)
            gain_chips(ctx, seat, number)
        case MeldAction.TREATY:
            ctx.push(TreatyCards(seat))
            ctx.push(TreatyMoves(seat, country, number))
        case MeldAction.REVOLUTION:
            victim = controller(ctx.state, country)
            ctx.push(Aftermath(seat, action, country, number, victim))
            ctx.push(Removal(seat, country, number, victim))
        case MeldAction.ABSOLUTISM:
            ctx.push(Pretender(seat, country, number))
        case MeldAction.ALLIANCE:
            for ally in countries:
                add_tokens(ctx, seat, ally, number)


def add_tokens(ctx: Ctx, seat: int, country: int, count: int) -> None:
    """Put own tokens onto a country."""
    ctx.state.players[seat].tokens[country] += count
    ctx.emit(e.TokensAdded, seat, COUNTRIES[country].id, count)


def gain_chips(ctx: Ctx, seat: int, chips: int) -> None:
    """Give a seat chips."""
    ctx.state.players[seat].chips += chips
    ctx.emit(e.ChipsGained, seat, chips)


def lose_chips(ctx: Ctx, seat: int, chips: int) -> int:
    """Take up to so many chips from a seat, never below 0; return how many it had to give."""
    player = ctx.state.players[seat]
    lost = min(chips, int(player.chips))
    player.chips -= lost
    ctx.emit(e.ChipsLost, seat, lost)
    return lost


class Removal(Frame, tag="remove_token"):
    """Let a seat remove up to `count` tokens from a country: those of `owner`, or (NONE) of any other seats."""

    seat: int
    country: int
    count: int
    owner: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the melding seat while tokens may go."""
        return (self.seat,) if self.count and self._owners(state) else ()

    def _owners(self, state: State) -> list[int]:
        return [
            seat
            for seat, player in enumerate(state.players)
            if player.tokens[self.country] and (seat == self.owner if self.owner != NONE else seat != self.seat)
        ]

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return whose token may go, and stopping."""
        return (*(o.REMOVE_TOKEN[owner] for owner in self._owners(state)), o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Remove a token, or stop."""
        if isinstance(action, a.Done):
            self.count = 0
            return
        self.count -= 1
        ctx.state.players[action.seat].tokens[self.country] -= 1
        ctx.emit(e.TokenRemoved, seat, action.seat, COUNTRIES[self.country].id)

    def run(self, ctx: Ctx) -> None:
        """End."""
        ctx.pop()


class Aftermath(Frame, tag="aftermath"):
    """Do what follows once tokens were removed: war puts own ones, revolution steals chips, absolutism costs some."""

    seat: int
    action: MeldAction
    country: int
    number: int
    victim: int

    def run(self, ctx: Ctx) -> None:
        """Finish the meld."""
        ctx.pop()
        match self.action:
            case MeldAction.WAR:
                add_tokens(ctx, self.seat, self.country, self.number)
            case MeldAction.REVOLUTION:
                gain_chips(ctx, self.seat, lose_chips(ctx, self.victim, self.number))
            case _:
                lose_chips(ctx, self.victim, self.number)


class Pretender(Frame, tag="choose_seat"):
    """Ask which seat absolutism strikes: one with tokens there that does not control the country."""

    seat: int
    country: int
    number: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the melding seat."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the seats it may strike."""
        return tuple(o.CHOOSE_SEAT[other] for other in pretenders(state, seat, self.country))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Strike."""
        ctx.replace(Aftermath(seat, MeldAction.ABSOLUTISM, self.country, self.number, action.seat))
        ctx.push(Removal(seat, self.country, self.number, action.seat))


class TreatyMoves(Frame, tag="treaty"):
    """Let a seat move up to `count` tokens to or from a country, from or to any others."""

    seat: int
    country: int
    count: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the melding seat while tokens may move."""
        return (self.seat,) if self.count else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return every token with its way; by option the own ones only."""
        here = self.country
        listed: list[Any] = []
        for owner, player in enumerate(state.players):
            if owner != seat and state.config.treaty_tokens == "own":
                continue
            ways = o.MOVE_TOKEN[owner]
            if player.tokens[here]:
                listed += [way for target, way in enumerate(ways[here]) if target != here]
            listed += [ways[source][here] for source, count in enumerate(player.tokens) if count and source != here]
        return (*listed, o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Move a token, or stop."""
        if isinstance(action, a.Done):
            self.count = 0
            return
        self.count -= 1
        tokens = ctx.state.players[action.seat].tokens
        tokens[COUNTRY_INDEX[action.source]] -= 1
        tokens[COUNTRY_INDEX[action.target]] += 1
        ctx.emit(e.TokenMoved, seat, action.seat, action.source, action.target)

    def run(self, ctx: Ctx) -> None:
        """End."""
        ctx.pop()


class TreatyCards(Frame, tag="treaty_cards"):
    """Ask whether to draw two cards and discard one after a treaty."""

    seat: int

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the melding seat: the treaty's own three cards are there to be drawn at the least."""
        return (self.seat,)

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return drawing, and leaving it."""
        return (o.DRAW_CARDS, o.DONE)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Draw, then discard; or leave it."""
        ctx.pop()
        if isinstance(action, a.DrawCards):
            draw(ctx, seat, TREATY_DRAW)
            ctx.push(Discard(seat, max(0, len(ctx.state.players[seat].hand) - TREATY_DISCARD)))
