"""Hold what a seat sees of the table, for people and foreign clients."""

import msgspec

from engine.games.rurik.ids import Colour, Column, Difficulty, Good, Phase, Priority, Structure, Token


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
    """Hold a region in play; `good` is what it produces, `has_good` whether one lies there, `ruler` the seat that rules."""

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
    bonus: str
    amount: int
    locked: bool


class StrategyRow(msgspec.Struct, frozen=True):
    """Hold a row of a rebellion card that has been read: the advisor and its column by priority, left to right."""

    advisor: int
    columns: tuple[Column, ...]
    bribes: tuple[bool, ...]


class Rebellion(msgspec.Struct, frozen=True):
    """Hold what lies open of the Rebellion: priority, top card, order of the cards seen (top first), rows read below."""

    seat: int
    difficulty: Difficulty
    priority: Priority
    top_card: int
    location_order: tuple[str, ...]
    build_order: tuple[Structure, ...]
    seen_cards: tuple[int, ...]
    rows_read: tuple[StrategyRow, ...]
    bonuses: tuple[Bonus, ...]


class Player(msgspec.Struct, frozen=True):
    """Hold a seat's player area.

    `hand`, `agenda` and `agendas` are filled for the own seat only, the agendas for all after the end. `schemes` counts the
    hand; `conversions` lists the tokens still face up; `points` are the victory points as they stand, agendas left out.
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
    schemes: int
    hand: tuple[str, ...]
    agenda: str | None
    agendas: tuple[str, ...]
    deeds: tuple[str, ...]
    accomplished: tuple[str, ...]
    conversions: tuple[Token, ...]
    defeated_rebels: int
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

    `step_points` are the points left in the step being taken (muster, move, attack, relocate) and `drawn` the scheme cards
    in that seat's hands right now; `known_first` and `known_second` are the cards this seat knows of each scheme deck, top
    first, "" where it does not; what lies below the last known one is left out.
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
    scheme_decks: tuple[int, ...]
    scheme_discard: tuple[str, ...]
    known_first: tuple[str, ...]
    known_second: tuple[str, ...]
    turn: Turn | None
    step_points: int
    drawn: tuple[str, ...]
    rebellion: Rebellion | None
