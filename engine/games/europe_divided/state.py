"""Hold the whole state of a game as plain data, copy it, and ask it what the rulebook asks.

Regions, factions and cards are small integers here: indices into the tuples of `ids`, `data` and `cards`.
"""

from collections import Counter
from typing import Any, Generic, TypeVar

import msgspec

from engine.core.frames import Flow
from engine.core.rng import Rng
from engine.games.europe_divided.cards import ADVANTAGES_OF, CARDS, GREY_CARDS, START_CARDS, Condition
from engine.games.europe_divided.config import Config
from engine.games.europe_divided.data import ARMIES, BARRED, CONTESTED, DOMINANCE, KINDS, SETUP
from engine.games.europe_divided.ids import (
    EU,
    EUROPE,
    FACTIONS_OF,
    NATO,
    NONE,
    RIVALS_OF,
    RUS,
    RUSSIA,
    SEAT_OF,
    Phase,
)
from engine.games.europe_divided.stakes import HEADLINES, SEAS

F = TypeVar("F")

#: Where a player's prestige comes from, in the order of `Player.prestige`.
FROM_HEADLINES, FROM_DOMINANCE, FROM_ADVANTAGES = range(3)


class Player(msgspec.Struct, array_like=True):
    """Hold what is a side's own.

    `deck` and `advantage_deck` end with their top card. `chosen` are the action cards chosen and not yet played,
    `played` those of them played this turn, `extra` cards played besides. `held` are the cards that everybody knows to
    be in the hand or chosen: all that were there when the deck was last made anew, and have not been seen since.
    `set_aside` are advantage cards out of the game that nobody else has seen, `spent` those that were played; `shelved`
    headlines discarded face down; `placing` the headline chosen for the forthcoming spaces. `taken` lists regions of
    grey cards. `prestige` is by source; `denied`: no money may be spent in this turn.
    """

    money: int
    hand: list[int]
    deck: list[int]
    discard: list[int]
    chosen: list[int]
    played: list[int]
    extra: list[int]
    held: list[int]
    taken: list[int]
    advantages: list[int]
    advantage_deck: list[int]
    set_aside: list[int]
    spent: list[int]
    headlines: list[int]
    shelved: list[int]
    awarded: list[int]
    prestige: list[int]
    placing: int = NONE
    denied: bool = False

    def clone(self) -> "Player":
        """Return an independent copy."""
        return Player(
            self.money,
            self.hand.copy(),
            self.deck.copy(),
            self.discard.copy(),
            self.chosen.copy(),
            self.played.copy(),
            self.extra.copy(),
            self.held.copy(),
            self.taken.copy(),
            self.advantages.copy(),
            self.advantage_deck.copy(),
            self.set_aside.copy(),
            self.spent.copy(),
            self.headlines.copy(),
            self.shelved.copy(),
            self.awarded.copy(),
            self.prestige.copy(),
            self.placing,
            self.denied,
        )


class StateOf(msgspec.Struct, Generic[F], array_like=True):
    """Hold a game.

    `dice` are values by faction and contested region, 0 for no die; `armies` counts by seat and region; `tokens` money
    tokens by space; `seas` the faction that holds each sea card or NONE, `sea_used` the `sea_bit` of each one used in
    this turn by each side; `fracture` the green card under the marker or NONE. `current` and `forthcoming` are
    headlines on the board, `missed` those taken off it unmet; `headline_deck` ends with its top card. `initiative`
    holds the announced sums of this turn, empty before; `first` is the seat that acts first.
    """

    config: Config
    rng: Rng
    flow: Flow[F]
    players: list[Player]
    dice: list[list[int]]
    armies: list[list[int]]
    tokens: list[int]
    seas: list[int]
    current: list[int]
    forthcoming: list[int]
    headline_deck: list[int]
    missed: list[int]
    sea_used: int = 0
    fracture: int = NONE
    turn: int = 0
    phase: Phase = Phase.SETUP
    first: int = NONE
    initiative: tuple[int, ...] = ()

    def clone(self) -> "StateOf[F]":
        """Return an independent copy."""
        return StateOf(
            self.config,
            self.rng.clone(),
            self.flow.clone(),
            [player.clone() for player in self.players],
            [dice.copy() for dice in self.dice],
            [armies.copy() for armies in self.armies],
            self.tokens.copy(),
            self.seas.copy(),
            self.current.copy(),
            self.forthcoming.copy(),
            self.headline_deck.copy(),
            self.missed.copy(),
            self.sea_used,
            self.fracture,
            self.turn,
            self.phase,
            self.first,
            self.initiative,
        )


#: Frames act on the state and the state holds frames: rules write State, the codec names the union of frames.
State = StateOf[Any]


def purse(state: State, seat: int) -> int:
    """Return what a seat may spend now; nothing while its spending is denied (US Sanctions)."""
    player = state.players[seat]
    return 0 if player.denied else player.money


def armies_left(state: State, seat: int) -> int:
    """Return how many of a seat's armies are off the board (Component Limits)."""
    return ARMIES - sum(state.armies[seat])


def opposing_six(state: State, seat: int, region: int) -> bool:
    """Return whether an opposing die in a region shows 6."""
    if region >= CONTESTED:
        return False
    dice = state.dice
    if seat == EUROPE:
        return dice[RUS][region] == DOMINANCE
    return dice[EU][region] == DOMINANCE or dice[NATO][region] == DOMINANCE


def may_pass(state: State, seat: int, region: int) -> bool:
    """Return whether a seat's army may go on from a space it has entered (Army vs. Army, Army vs. Influence Dice)."""
    return not state.armies[1 - seat][region] and not opposing_six(state, seat, region)


def raised(state: State, faction: int, region: int, amount: int) -> int:
    """Return what a die would show after a raise: 6 at most, 5 where an opposing army or 6 is (Increase Influence)."""
    value = state.dice[faction][region] + amount
    if value < DOMINANCE:
        return value
    seat = SEAT_OF[faction]
    barred = state.armies[1 - seat][region] or opposing_six(state, seat, region)
    return DOMINANCE - 1 if barred else DOMINANCE


def can_raise(state: State, faction: int, region: int) -> bool:
    """Return whether a die lies in a region and could show more."""
    value = state.dice[faction][region]
    if value < DOMINANCE - 1:
        return value > 0
    return value < DOMINANCE and raised(state, faction, region, 1) > value


def holds(state: State, condition: Condition | None) -> bool:
    """Return whether one of the dice that a card asks for shows enough."""
    if condition is None:
        return True
    return any(state.dice[faction][condition.region] >= condition.at_least for faction in condition.factions)


def unlocked(state: State, card: int, faction: int) -> bool:
    """Return whether a seat may use actions of a faction on a card.

    A grey card needs a die of that type at 5 or 6 in its region (Europe Player); EU actions of the card under the
    fracture marker cannot be used (Fracture in the EU).
    """
    of = CARDS[card]
    if of.owner == RUSSIA:
        return True
    if of.grey:
        return state.dice[faction][of.region] >= DOMINANCE - 1
    return not (faction == EU and state.fracture == card)


def influence(state: State, sea: int, faction: int) -> int:
    """Return a faction's combined influence around a sea (Sea Cards)."""
    dice, total = state.dice[faction], 0
    for region in SEAS[sea].regions:
        total += dice[region]
    return total


def sea_power(state: State, sea: int) -> int:
    """Return which faction should hold a sea card: the most influence, at least the minimum, ties by the card's order.

    When nobody has the minimum the holder keeps the card, or returns it by option.
    """
    card = SEAS[sea]
    best, who = card.minimum - 1, NONE
    for faction in card.order:
        total = influence(state, sea, faction)
        if total > best:
            best, who = total, faction
    if who == NONE and state.config.sea_below_minimum == "keep":
        return state.seas[sea]
    return who


def sea_bit(sea: int, seat: int) -> int:
    """Return the bit of `sea_used` that says whether a seat has moved an army by a sea card in this turn."""
    return 1 << 2 * sea + seat


def dominated(state: State, seat: int) -> list[int]:
    """Return the contested regions where a seat has a die with a 6, each once (Score Dominance)."""
    return [
        region
        for region in range(CONTESTED)
        if any(state.dice[faction][region] == DOMINANCE for faction in FACTIONS_OF[seat])
    ]


def owned(state: State, seat: int) -> list[int]:
    """Return all action cards of a seat: those it started with and the grey ones it has taken."""
    return [*START_CARDS[seat], *(GREY_CARDS[seat][region] for region in state.players[seat].taken)]


def boxed(state: State) -> list[int]:
    """Return the headlines that are nowhere in the game: removed at set-up without a look."""
    seen = {*state.current, *state.forthcoming, *state.headline_deck, *state.missed}
    for player in state.players:
        seen.update(player.headlines, player.shelved, player.awarded, (player.placing,))
    return [card for card in range(len(HEADLINES)) if card not in seen]


def audit(state: State) -> list[str]:
    """Return the invariants that a state breaks; empty when it is sane. For tests: hidden cards must be in it."""
    return [*_audit_board(state), *(line for seat in (EUROPE, RUSSIA) for line in _audit_cards(state, seat))]


def _audit_board(state: State) -> list[str]:
    broken = []
    for seat in (EUROPE, RUSSIA):
        armies = state.armies[seat]
        if min(armies) < 0 or sum(armies) > ARMIES:
            broken.append(f"seat {seat} has {sum(armies)} armies on the board")
        if any(count and KINDS[region] is BARRED[seat] for region, count in enumerate(armies)):
            broken.append(f"seat {seat} has an army in the opponent's home")
        if any(count and not may_pass(state, seat, region) for region, count in enumerate(armies)):
            broken.append(f"seat {seat} has an army beside an opposing army or 6")
    for faction, dice in enumerate(state.dice):
        if not all(0 <= value <= DOMINANCE for value in dice):
            broken.append(f"a die of faction {faction} shows what no die shows")
        for region, value in enumerate(dice):
            if value == DOMINANCE and any(state.dice[rival][region] == DOMINANCE for rival in RIVALS_OF[faction]):
                broken.append(f"both sides have a 6 in region {region}")
    if any(state.seas[sea] != sea_power(state, sea) for sea in range(len(SEAS))):
        broken.append("a sea card is not with the power that should hold it")
    if min(state.tokens) < 0:
        broken.append("a space has less than no money tokens")
    box = Counter((HEADLINES[card].period, HEADLINES[card].banner) for card in boxed(state))
    wanted = {(period.period, seat): period.removed_per_colour for period in SETUP.periods for seat in (EUROPE, RUSSIA)}
    if box != wanted:
        broken.append(f"headlines out of the game are {dict(box)}, not {wanted}")
    out = [*state.current, *state.forthcoming, *state.headline_deck, *state.missed]
    out += [c for p in state.players for c in (*p.headlines, *p.shelved, *p.awarded, p.placing) if c != NONE]
    if len(out) != len(set(out)):
        broken.append("a headline is in two places")
    return broken


def _audit_cards(state: State, seat: int) -> list[str]:
    player, broken = state.players[seat], []
    if min(player.money, *player.prestige) < 0:
        broken.append(f"seat {seat} has less than no money or prestige")
    cards = [*player.hand, *player.deck, *player.discard, *player.chosen, *player.played, *player.extra]
    if Counter(cards) != Counter(owned(state, seat)):
        broken.append(f"seat {seat} has not exactly its own action cards")
    if Counter(player.held) - Counter([*player.hand, *player.chosen]):
        broken.append(f"seat {seat} does not hold what it is known to hold")
    if state.initiative:
        total = sum(CARDS[card].initiative for card in (*player.chosen, *player.played))
        if total != state.initiative[seat]:
            broken.append(f"seat {seat} has cards of initiative {total}, not the announced {state.initiative[seat]}")
    advantages = [*player.advantages, *player.advantage_deck, *player.set_aside, *player.spent]
    if sorted(advantages) != list(ADVANTAGES_OF[seat]):
        broken.append(f"seat {seat} has not exactly its own advantage cards")
    return broken
