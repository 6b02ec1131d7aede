"""Hold what a seat sees of the table, for people and foreign clients."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine.games.rurik.data import (
    AGENDAS,
    BOAT,
    DEEDS,
    LEADERS,
    MATS,
    REBELLION_CARDS,
    REGIONS,
    REWARDS,
    SCHEMES,
    SPACES,
)
from engine.games.rurik.ids import (
    COLOURS,
    COLUMNS,
    GOODS,
    HIDDEN,
    NONE,
    PRIORITIES,
    STRUCTURES,
    TOKENS,
    BonusKind,
    Colour,
    Column,
    Difficulty,
    Good,
    Phase,
    Priority,
    Structure,
    Token,
)
from engine.games.rurik.scoring import open_points
from engine.games.rurik.state import Known, State, boat, ruler
from engine.games.rurik.state import Rebellion as RebellionState
from engine.games.rurik.step import Step, build_step


class Pieces(msgspec.Struct, frozen=True):
    """Hold a seat's pieces in a region: troops without the leader, and whether the leader is there."""

    seat: int
    troops: int
    leader: bool


class Built(msgspec.Struct, frozen=True):
    """Hold a structure and its owner."""

    structure: Structure
    seat: int


class Region(msgspec.Struct, frozen=True):
    """Hold a region in play: the good it produces, whether one lies there, who stands there, the seat that rules."""

    id: str
    good: Good
    has_good: bool
    rebels: int
    neutrals: int
    pieces: tuple[Pieces, ...]
    structures: tuple[Built, ...]
    ruler: int | None


class Advisor(msgspec.Struct, frozen=True):
    """Hold an advisor on the strategy board with its coins of bribe."""

    seat: int
    number: int
    coins: int


class Space(msgspec.Struct, frozen=True):
    """Hold a space of an action column: points or cards it gives, its coin cost, its advisor."""

    row: int
    icons: int
    coin_cost: int
    first_player_marker: bool
    advisor: Advisor | None


class ActionColumn(msgspec.Struct, frozen=True):
    """Hold an action column, its top space first."""

    column: Column
    spaces: tuple[Space, ...]


class GoodCount(msgspec.Struct, frozen=True):
    """Hold how many of a good lie on the boat and on the dock, and how many slots the boat has for it."""

    good: Good
    boat: int
    slots: int
    dock: int


class ClaimMarkers(msgspec.Struct, frozen=True):
    """Hold how far a seat's markers are; 0 is below the track."""

    rule: int
    build: int
    trade: int
    warfare: int


class StructuresLeft(msgspec.Struct, frozen=True):
    """Hold how many structures a seat has left to build."""

    church: int
    market: int
    stronghold: int


class Bonus(msgspec.Struct, frozen=True):
    """Hold a bonus space of the Rebellion's mat; a coin on it locks it."""

    priority: Priority
    on_action: Column
    bonus: BonusKind
    amount: int
    locked: bool


class StrategyRow(msgspec.Struct, frozen=True):
    """Hold a row of a rebellion card that has been read: the advisor and its column by priority, left to right."""

    advisor: int
    columns: tuple[Column, ...]
    bribes: tuple[bool, ...]


class Rebellion(msgspec.Struct, frozen=True):
    """Hold what lies open of the Rebellion; `seen_cards` are listed top first, `rows_read` are the bottom card's."""

    seat: int
    difficulty: Difficulty
    priority: Priority
    top_card: int
    location_order: tuple[str, ...]
    build_order: tuple[Structure, ...]
    seen_cards: tuple[int, ...]
    rows_read: tuple[StrategyRow, ...]
    bonuses: tuple[Bonus, ...]


class Reward(msgspec.Struct, frozen=True):
    """Hold what a defeated rebel brought: so much of a good, or (None) so many coins."""

    good: Good | None
    amount: int


class Player(msgspec.Struct, frozen=True):
    """Hold a seat's player area.

    `hand`, `agenda` and `agendas` are filled for the own seat only, `agenda` for all after the end. `hand` holds
    scheme cards, and `known_hand` those of it that the viewer has seen go there; `conversions` lists the tokens still
    face up; `rewards` are those of the defeated rebels, in order; `points` are the victory points as they stand,
    agendas left out.
    """

    seat: int
    leader: str | None
    colour: Colour | None
    coins: int
    goods: tuple[GoodCount, ...]
    troops_left: int
    leader_on_board: bool
    structures_left: StructuresLeft
    advisors: tuple[int, ...]
    claims: ClaimMarkers
    cards_in_hand: int
    hand: tuple[str, ...]
    known_hand: tuple[str, ...]
    agenda: str | None
    agendas: tuple[str, ...]
    deeds: tuple[str, ...]
    accomplished: tuple[str, ...]
    conversions: tuple[Token, ...]
    defeated_rebels: int
    rewards: tuple[Reward, ...]
    ability_used: bool
    points: int


class Turn(msgspec.Struct, frozen=True):
    """Hold the turn being taken: what is left to do in it and the points still open."""

    seat: int
    resolved: bool
    scheme_played: bool
    deed_accomplished: bool
    goods_converted: bool
    tax_points: int
    build_points: int


class Table(msgspec.Struct, frozen=True):
    """Hold the table as a seat sees it.

    `step` is what the open question is about, None where it stands alone; `known_first` and `known_second` are the
    cards this seat knows of each scheme deck, top first, "" where it does not; what lies below the last known one is
    left out.
    """

    round: int
    phase: Phase
    first_player: int
    marker: int
    regions: tuple[Region, ...]
    columns: tuple[ActionColumn, ...]
    players: tuple[Player, ...]
    deed_row: tuple[str, ...]
    deed_deck: int
    deed_discard: tuple[str, ...]
    scheme_decks: tuple[int, ...]
    scheme_discard: tuple[str, ...]
    known_first: tuple[str, ...]
    known_second: tuple[str, ...]
    turn: Turn | None
    step: Step | None
    rebellion: Rebellion | None


def build_table(state: State, seat: int | None) -> Table:
    """Return the table of a redacted state: nothing hidden is in it any more."""
    turn = next((f for f in state.flow.stack if f.__struct_config__.tag == "turn"), None)
    own = None if seat is None else state.known[seat]
    return Table(
        round=state.round,
        phase=state.phase,
        first_player=state.first_player,
        marker=state.marker,
        regions=tuple(_region(state, r) for r in range(len(state.icons))),
        columns=tuple(_column(state, c) for c in range(len(COLUMNS))),
        players=tuple(_player(state, i, own) for i in range(len(state.players))),
        deed_row=_names(DEEDS, state.deed_row),
        deed_deck=len(state.deed_deck),
        deed_discard=_names(DEEDS, state.deed_discard),
        scheme_decks=tuple(len(deck) for deck in state.decks),
        scheme_discard=_names(SCHEMES, state.discard),
        known_first=() if own is None else _known(own.decks[0]),
        known_second=() if own is None else _known(own.decks[1]),
        turn=None if turn is None else _turn(turn),
        step=build_step(state),
        rebellion=None if state.rebellion is None else _rebellion(state, state.rebellion),
    )


def _names(cards: Sequence[Any], indices: Iterable[int]) -> tuple[str, ...]:
    return tuple(cards[i].id for i in indices if i != HIDDEN)


def _known(memory: list[int]) -> tuple[str, ...]:
    """Return what is known of a deck, top first, without the unknown rest below."""
    names = ["" if card == HIDDEN else SCHEMES[card].id for card in reversed(memory)]
    while names and not names[-1]:
        names.pop()
    return tuple(names)


def _region(state: State, r: int) -> Region:
    who = ruler(state, r)
    return Region(
        id=REGIONS[r],
        good=GOODS[state.icons[r]],
        has_good=state.goods[r],
        rebels=int(state.rebels[r] != NONE),
        neutrals=state.neutrals[r],
        pieces=tuple(
            Pieces(seat, player.troops[r], player.leader_at == r)
            for seat, player in enumerate(state.players)
            if player.troops[r] or player.leader_at == r
        ),
        structures=tuple(Built(STRUCTURES[s], owners[r]) for s, owners in enumerate(state.built) if owners[r] != NONE),
        ruler=None if who == NONE else who,
    )


def _column(state: State, c: int) -> ActionColumn:
    placed = state.columns[c]
    spaces = []
    for i, space in enumerate(SPACES[state.config.seats][c]):
        standing = placed[i] if i < len(placed) and placed[i][0] != NONE else None
        advisor = None if standing is None else Advisor(*standing)
        spaces.append(Space(space.row, space.icons, space.coin_cost, space.first_player_marker, advisor))
    return ActionColumn(COLUMNS[c], tuple(spaces))


def _player(state: State, seat: int, known: Known | None) -> Player:
    player = state.players[seat]
    loaded = boat(player)
    return Player(
        seat=seat,
        leader=None if player.leader == NONE else LEADERS[player.leader],
        colour=None if player.colour == NONE else COLOURS[player.colour],
        coins=player.coins,
        goods=tuple(GoodCount(good, loaded[i], BOAT[i], player.goods[i] - loaded[i]) for i, good in enumerate(GOODS)),
        troops_left=player.supply,
        leader_on_board=player.leader_at != NONE,
        structures_left=StructuresLeft(*player.structures),
        advisors=tuple(player.advisors),
        claims=ClaimMarkers(player.claims[0], player.claims[1], player.claims[2], player.warfare),
        cards_in_hand=len(player.hand),
        hand=_names(SCHEMES, player.hand),
        known_hand=() if known is None else _names(SCHEMES, known.hands[seat]),
        agenda=None if player.agenda < 0 else AGENDAS[player.agenda].id,
        agendas=_names(AGENDAS, player.agendas),
        deeds=_names(DEEDS, player.deeds),
        accomplished=_names(DEEDS, player.accomplished),
        conversions=tuple(token for i, token in enumerate(TOKENS) if not player.tokens >> i & 1),
        defeated_rebels=len(player.rebels),
        rewards=tuple(Reward(REWARDS[i].good, REWARDS[i].amount) for i in player.rebels),
        ability_used=player.ability_used,
        points=sum(open_points(state, seat).values()),
    )


def _turn(frame: Any) -> Turn:
    return Turn(
        frame.seat,
        frame.resolved,
        frame.scheme_played,
        frame.deed_accomplished,
        frame.goods_converted,
        frame.tax,
        frame.build,
    )


def _rebellion(state: State, rebellion: RebellionState) -> Rebellion:
    top = REBELLION_CARDS[rebellion.deck[-1]]
    lowest = rebellion.bottom[0] if rebellion.bottom else rebellion.deck[0]
    rows: tuple[StrategyRow, ...] = ()
    if rebellion.rows and lowest != HIDDEN:
        strategy = REBELLION_CARDS[lowest].strategy
        rows = tuple(
            StrategyRow(
                strategy[0][i].advisor,
                tuple(column[i].action for column in strategy),
                tuple(column[i].bribe_to_top for column in strategy),
            )
            for i in range(rebellion.rows)
        )
    difficulty = state.config.automa[rebellion.seat]
    return Rebellion(
        seat=rebellion.seat,
        difficulty=difficulty,
        priority=PRIORITIES[rebellion.priority],
        top_card=top.number,
        location_order=tuple(REGIONS[r] for r in top.location_order),
        build_order=top.build_order[rebellion.priority],
        seen_cards=tuple(REBELLION_CARDS[card].number for card in reversed(rebellion.deck) if card != HIDDEN),
        rows_read=rows,
        bonuses=tuple(
            Bonus(priority, space.on_action, space.bonus, space.amount, rebellion.coins[i][j])
            for i, priority in enumerate(PRIORITIES)
            for j, space in enumerate(MATS[difficulty].columns[i])
        ),
    )
