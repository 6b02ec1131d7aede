"""Be a small card game in the shape of a real one: the core's tests and the conformance suite play it first.

Each round every seat is dealt a card and secretly bids one. The highest bid wins what a die shows; every other seat may
answer with the spy (card 1) and take a point away, then the winner may look at the deck's top card and leave or bury
it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.core import frames
from engine.core.errors import BadConfig
from engine.core.frames import Ctx, Flow, Frame
from engine.core.rng import Rng, from_seed
from engine.core.rules import OptionInfo, Outcome, RulesInfo, Types
from tests.core import toy_view

CARDS = 24
SPY = 1
HAND = 2
#: Where a card is that a seat knows of: on top of the deck, else the seat that holds it.
TOP = -1


class Config(msgspec.Struct, frozen=True):
    seats: int
    rounds: int = 3
    automa: dict[int, str] = {}


class Bid(msgspec.Struct, frozen=True, tag="bid", tag_field="type"):
    card: int


class Look(msgspec.Struct, frozen=True, tag="look", tag_field="type"):
    pass


class Leave(msgspec.Struct, frozen=True, tag="leave", tag_field="type"):
    pass


class Bury(msgspec.Struct, frozen=True, tag="bury", tag_field="type"):
    pass


class PlaySpy(msgspec.Struct, frozen=True, tag="play_spy", tag_field="type"):
    pass


class Pass(msgspec.Struct, frozen=True, tag="pass", tag_field="type"):
    pass


Action = Bid | Look | Leave | Bury | PlaySpy | Pass


class Dealt(msgspec.Struct, frozen=True, tag="dealt", tag_field="type"):
    seat: int
    card: int | None = None


class HasChosen(msgspec.Struct, frozen=True, tag="has_chosen", tag_field="type"):
    seat: int


class Revealed(msgspec.Struct, frozen=True, tag="revealed", tag_field="type"):
    cards: tuple[int, ...]
    winner: int
    die: int


class Looked(msgspec.Struct, frozen=True, tag="looked", tag_field="type"):
    seat: int
    card: int | None = None


class Buried(msgspec.Struct, frozen=True, tag="buried", tag_field="type"):
    seat: int
    card: int


class Spied(msgspec.Struct, frozen=True, tag="spied", tag_field="type"):
    seat: int
    winner: int


Event = Dealt | HasChosen | Revealed | Looked | Buried | Spied


class RoundFrame(Frame, tag="round"):
    """Deal and let bid, or end the game."""

    def run(self, ctx: Ctx) -> None:
        state = ctx.state
        if state.round == state.config.rounds:
            ctx.pop()
            return
        state.round += 1
        for seat in range(state.config.seats):
            deal(ctx, seat)
        ctx.push(BidFrame((0,) * state.config.seats))


class BidFrame(Frame, tag="bid"):
    """Let all seats bid in secret; 0 stands for no choice yet."""

    choices: tuple[int, ...]

    def deciders(self, state: Any) -> tuple[int, ...]:
        return tuple(seat for seat, card in enumerate(self.choices) if not card)

    def options(self, state: Any, seat: int) -> tuple[Action, ...]:
        hand = state.hands[seat]
        return tuple(Bid(card) for card in (hand[-1:] if seat in state.config.automa else hand))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        self.choices = (*self.choices[:seat], action.card, *self.choices[seat + 1 :])
        ctx.emit(HasChosen, seat)
        if all(self.choices):
            self.reveal(ctx)

    def reveal(self, ctx: Ctx) -> None:
        state = ctx.state
        for seat, card in enumerate(self.choices):
            state.hands[seat].remove(card)
            state.discard.append(card)
            forget(state, card)
        winner = self.choices.index(max(self.choices))
        die = 1 + ctx.rng.below("dice", 6)
        state.scores[winner] += die
        ctx.emit(Revealed, self.choices, winner, die)
        ctx.replace(SpoilsFrame(winner))
        for seat in range(state.config.seats):
            if seat != winner:
                ctx.push(SpyFrame(seat, winner))


class SpyFrame(Frame, tag="spy"):
    """Ask a seat that could hold the spy; the window opens whether it holds it or not."""

    secret = True
    seat: int
    winner: int

    def deciders(self, state: Any) -> tuple[int, ...]:
        return (self.seat,)

    def options(self, state: Any, seat: int) -> tuple[Action, ...]:
        return (Pass(), PlaySpy()) if SPY in state.hands[seat] else (Pass(),)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        ctx.pop()
        if isinstance(action, PlaySpy):
            state = ctx.state
            state.hands[seat].remove(SPY)
            state.discard.append(SPY)
            forget(state, SPY)
            state.scores[self.winner] -= 1
            ctx.emit(Spied, seat, self.winner)


class SpoilsFrame(Frame, tag="spoils"):
    """Let the winner look at the top card; with an empty deck there is only one answer."""

    seat: int

    def deciders(self, state: Any) -> tuple[int, ...]:
        return (self.seat,)

    def options(self, state: Any, seat: int) -> tuple[Action, ...]:
        return (Pass(), Look()) if state.deck else (Pass(),)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        ctx.pop()
        if isinstance(action, Look):
            card = ctx.state.deck[-1]
            ctx.state.known[seat][card] = TOP
            ctx.tell(seat, Looked(seat, card), Looked(seat))
            ctx.push(PutFrame(seat))


class PutFrame(Frame, tag="put"):
    """Let the seat that looked leave the card on top or bury it face up."""

    seat: int

    def deciders(self, state: Any) -> tuple[int, ...]:
        return (self.seat,)

    def options(self, state: Any, seat: int) -> tuple[Action, ...]:
        return (Leave(), Bury())

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        ctx.pop()
        if isinstance(action, Bury):
            card = ctx.state.deck.pop()
            ctx.state.discard.append(card)
            forget(ctx.state, card)
            ctx.reveal()
            ctx.emit(Buried, seat, card)


AnyFrame = RoundFrame | BidFrame | SpyFrame | SpoilsFrame | PutFrame


class State(msgspec.Struct, array_like=True):
    config: Config
    rng: Rng
    flow: Flow[AnyFrame]
    hands: list[list[int]]
    deck: list[int]
    discard: list[int]
    scores: list[int]
    known: list[dict[int, int]]
    round: int = 0

    def clone(self) -> "State":
        return State(
            self.config,
            self.rng.clone(),
            self.flow.clone(),
            [hand.copy() for hand in self.hands],
            self.deck.copy(),
            self.discard.copy(),
            self.scores.copy(),
            [known.copy() for known in self.known],
            self.round,
        )


def deal(ctx: Ctx, seat: int) -> None:
    """Give a seat the top card, if there is one; whoever knew it knows now who holds it."""
    state = ctx.state
    if not state.deck:
        return
    card = state.deck.pop()
    state.hands[seat] = sorted([*state.hands[seat], card])
    for known in state.known:
        if card in known:
            known[card] = seat
    state.known[seat].pop(card, None)
    ctx.tell(seat, Dealt(seat, card), Dealt(seat))


def forget(state: State, card: int) -> None:
    """Drop a card that lies open now from what seats know in private."""
    for known in state.known:
        known.pop(card, None)


def audit(state: State) -> list[str]:
    """Return the broken invariants: every card is in exactly one place."""
    cards = sorted([*state.deck, *state.discard, *(card for hand in state.hands for card in hand)])
    return [] if cards == list(range(1, CARDS + 1)) else [f"cards in play: {cards}"]


class Toy:
    """Be the rules object of the toy game."""

    info = RulesInfo(
        id="toy",
        name="Toy",
        rules_version="1",
        data_version="0",
        min_seats=2,
        max_seats=4,
        options=(
            OptionInfo("rounds", "int", "3", "how many rounds are played", ("1", "2", "3", "4")),
            OptionInfo("automa", "map", "{}", "seats that always bid their highest card", ("easy",)),
        ),
        flags=("automa",),
        max_decisions=80,
        provenance={"invented": 1},
    )
    types = Types(Config, State, Action, Event, toy_view.Table)

    legal_actions = staticmethod(frames.legal_actions)
    pending = staticmethod(frames.pending)
    apply = staticmethod(frames.apply)
    advance = staticmethod(frames.advance)

    def config(self, seats: int, options: Mapping[str, Any]) -> Config:
        if seats not in range(2, 5):
            raise BadConfig("seats", "must be 2 to 4")
        if unknown := set(options) - {"rounds", "automa"}:
            raise BadConfig(min(unknown), "no such option")
        config = Config(seats, **options)
        if config.rounds not in range(1, 5):
            raise BadConfig("rounds", "must be 1 to 4")
        if not set(config.automa) < set(range(seats)):
            raise BadConfig("automa", "must leave a seat to a player")
        return config

    def initial_state(self, config: Config, seed: int) -> State:
        rng = from_seed(seed)
        deck = list(range(1, CARDS + 1))
        rng.shuffle("deck", deck)
        hands = [sorted(deck.pop() for _ in range(HAND)) for _ in range(config.seats)]
        flow: Flow[AnyFrame] = Flow([RoundFrame()], tuple(sorted(config.automa)))
        state = State(config, rng, flow, hands, deck, [], [0] * config.seats, [{} for _ in hands])
        frames.start(state)
        return state

    def observe(self, state: State, seat: int | None) -> Any:
        return toy_view.observe(self, state, seat)

    def determinize(self, view: Any, rng: Any) -> State:
        return toy_view.determinize(view, rng)

    def default_action(self, state: State, seat: int) -> Action:
        return frames.legal_actions(state, seat)[0]

    def outcome(self, state: State) -> Outcome | None:
        if state.flow.stack:
            return None
        scores = tuple(state.scores)
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        return Outcome(ranks, scores, tuple({"dice": score} for score in scores), (), f"{state.round} rounds played")

    def describe(self, thing: Any, view: Any) -> str:
        return toy_view.describe(thing, view)


RULES = Toy()
