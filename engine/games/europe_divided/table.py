"""Hold what a seat sees of the table, for people and foreign clients."""

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.games.europe_divided.cards import ADVANTAGES, CARDS
from engine.games.europe_divided.data import CONTESTED, ENERGY_SECTOR, KINDS, REGIONS, TURNS
from engine.games.europe_divided.ids import (
    EU,
    EUROPE,
    FACTIONS,
    HIDDEN,
    NATO,
    NONE,
    RUS,
    RUSSIA,
    SEAT_OF,
    SIDES,
    Faction,
    Phase,
    RegionKind,
    Side,
)
from engine.games.europe_divided.scoring import is_met
from engine.games.europe_divided.stakes import HEADLINES, SEAS
from engine.games.europe_divided.state import State, armies_left, influence, sea_bit
from engine.games.europe_divided.step import Step, build_step


class Region(msgspec.Struct, frozen=True):
    """Hold a region or sea: what the three dice show (0: no die), armies of both sides, money tokens, the marker."""

    id: str
    kind: RegionKind
    eu: int
    nato: int
    russia: int
    europe_armies: int
    russia_armies: int
    money_tokens: int
    fractured: bool


class Sea(msgspec.Struct, frozen=True):
    """Hold a sea card: who holds it, whether that side has moved an army by it in this turn, each power's influence."""

    id: str
    holder: Faction | None
    used: bool
    eu: int
    nato: int
    russia: int


class Headline(msgspec.Struct, frozen=True):
    """Hold a headline on the board: whose banner it has and whether its conditions are met as things stand."""

    id: str
    side: Side
    prestige: int
    met: bool


class Prestige(msgspec.Struct, frozen=True):
    """Hold a side's prestige by source; kept advantage cards count when they are scored."""

    headlines: int
    dominance: int
    advantages: int


class Player(msgspec.Struct, frozen=True):
    """Hold a side's own things.

    `hand`, `chosen`, `advantages`, `set_aside`, `headlines`, `shelved` and `placing` are filled for the own seat only;
    counts stand beside them. `known_hand` are cards that everybody knows to be in the hand or chosen.
    """

    seat: int
    side: Side
    money: int
    spending_denied: bool
    prestige: Prestige
    armies_left: int
    cards_in_hand: int
    hand: tuple[str, ...]
    cards_chosen: int
    chosen: tuple[str, ...]
    played: tuple[str, ...]
    known_hand: tuple[str, ...]
    deck: int
    discard: tuple[str, ...]
    taken: tuple[str, ...]
    advantages_in_hand: int
    advantages: tuple[str, ...]
    advantage_deck: int
    set_aside: tuple[str, ...]
    spent: tuple[str, ...]
    headlines_in_hand: int
    headlines: tuple[str, ...]
    has_placed: bool
    placing: str | None
    shelved: tuple[str, ...]
    awarded: tuple[str, ...]


class Table(msgspec.Struct, frozen=True):
    """Hold the table as a seat sees it.

    `initiative` are the announced sums by seat, empty before; `first` who acts first in this turn; `acting` the seat
    whose actions are being taken; `step` what the open question is about, None where it stands alone;
    `literal_conditions`: headlines read as printed.
    """

    turn: int
    period: int
    phase: Phase
    initiative: tuple[int, ...]
    first: int | None
    acting: int | None
    step: Step | None
    regions: tuple[Region, ...]
    energy_sector_tokens: int
    seas: tuple[Sea, ...]
    current: tuple[Headline, ...]
    forthcoming: tuple[Headline, ...]
    headline_deck: int
    missed: tuple[str, ...]
    players: tuple[Player, ...]
    literal_conditions: bool


def build_table(state: State) -> Table:
    """Return the table of a redacted state: nothing hidden is in it any more."""
    turn = next((f for f in state.flow.stack if f.__struct_config__.tag == "turn"), None)
    return Table(
        turn=state.turn,
        period=TURNS[max(state.turn, 1) - 1].period,
        phase=state.phase,
        initiative=state.initiative,
        first=None if state.first == NONE else state.first,
        acting=None if turn is None else turn.seat,
        step=build_step(state),
        regions=tuple(_region(state, region) for region in range(len(REGIONS))),
        energy_sector_tokens=state.tokens[ENERGY_SECTOR],
        seas=tuple(_sea(state, sea) for sea in range(len(SEAS))),
        current=tuple(_headline(state, card) for card in state.current),
        forthcoming=tuple(_headline(state, card) for card in state.forthcoming),
        headline_deck=len(state.headline_deck),
        missed=_names(HEADLINES, state.missed),
        players=tuple(_player(state, seat) for seat in (EUROPE, RUSSIA)),
        literal_conditions=state.config.headline_conditions == "literal",
    )


def _names(cards: Any, indices: Iterable[int]) -> tuple[str, ...]:
    return tuple(cards[i].id for i in indices if i != HIDDEN)


def _region(state: State, region: int) -> Region:
    contested = region < CONTESTED
    eu, nato, russia = (state.dice[f][region] if contested else 0 for f in (EU, NATO, RUS))
    return Region(
        id=REGIONS[region],
        kind=KINDS[region],
        eu=eu,
        nato=nato,
        russia=russia,
        europe_armies=state.armies[EUROPE][region],
        russia_armies=state.armies[RUSSIA][region],
        money_tokens=state.tokens[region],
        fractured=state.fracture != NONE and CARDS[state.fracture].region == region,
    )


def _sea(state: State, sea: int) -> Sea:
    holder = state.seas[sea]
    return Sea(
        SEAS[sea].id,
        None if holder == NONE else FACTIONS[holder],
        holder != NONE and bool(state.sea_used & sea_bit(sea, SEAT_OF[holder])),
        *(influence(state, sea, faction) for faction in (EU, NATO, RUS)),
    )


def _headline(state: State, card: int) -> Headline:
    of = HEADLINES[card]
    return Headline(of.id, SIDES[of.banner], of.prestige, is_met(state, card))


def _player(state: State, seat: int) -> Player:
    player = state.players[seat]
    placing = player.placing
    return Player(
        seat=seat,
        side=SIDES[seat],
        money=player.money,
        spending_denied=player.denied,
        prestige=Prestige(*player.prestige),
        armies_left=armies_left(state, seat),
        cards_in_hand=len(player.hand),
        hand=_names(CARDS, player.hand),
        cards_chosen=len(player.chosen),
        chosen=_names(CARDS, player.chosen),
        played=_names(CARDS, (*player.played, *player.extra)),
        known_hand=_names(CARDS, player.held),
        deck=len(player.deck),
        discard=_names(CARDS, player.discard),
        taken=tuple(REGIONS[region] for region in player.taken),
        advantages_in_hand=len(player.advantages),
        advantages=_names(ADVANTAGES, player.advantages),
        advantage_deck=len(player.advantage_deck),
        set_aside=_names(ADVANTAGES, player.set_aside),
        spent=_names(ADVANTAGES, player.spent),
        headlines_in_hand=len(player.headlines),
        headlines=_names(HEADLINES, player.headlines),
        has_placed=placing != NONE,
        placing=None if placing < 0 else HEADLINES[placing].id,
        shelved=_names(HEADLINES, player.shelved),
        awarded=_names(HEADLINES, player.awarded),
    )
