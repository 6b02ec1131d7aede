"""Say what the records of the data tables look like; the rules use what `data` makes of them."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.games.rurik.ids import BonusKind, Column, Difficulty, Good, Priority, Structure, Token

#: A number of pieces or points, and one that may be 0.
Count = Annotated[int, Meta(ge=1, le=100)]
Amount = Annotated[int, Meta(ge=0, le=100)]
Advisor = Annotated[int, Meta(ge=1, le=5)]
Seats = Literal[1, 2, 3, 4]
#: Colours of the ground, by which regions are in play.
Ground = Literal["green", "yellow", "brown"]
Metric = Literal[
    "goods_total",
    "track_build",
    "track_warfare",
    "defeated_rebels",
    "accomplished_deeds",
    "occupied_regions",
    "track_trade",
    "structures_in_ruled_regions",
    "fur_plus_honey",
    "track_rule",
    "coins",
]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Be a record of a table; where it comes from and what was thought about it is for people."""

    source: Any = None
    confidence: Any = None
    note: Any = None
    corrected: Any = None


class RegionRecord(Record, frozen=True):
    """Hold a region of the map."""

    id: str
    name: str
    colour: Ground
    min_players: Literal[2, 3, 4]
    good: Good
    capital_for_rule_track: bool
    adjacent: tuple[str, ...]


class StickerRecord(Record, frozen=True):
    """Hold a kind of reward for a defeated rebel and how many stickers give it."""

    reward: Literal["coins", "wood", "ore", "fish", "honey", "fur"]
    amount: Count
    count: Count


class SpaceData(Record, frozen=True):
    """Hold a space of the strategy board."""

    row: Count
    icons: Count
    coin_cost: Amount
    first_player_marker: bool = False


class ColumnRecord(Record, frozen=True):
    """Hold a column of the strategy board, its top space first."""

    action: Column
    spaces: tuple[SpaceData, ...]


class SideRecord(Record, frozen=True):
    """Hold a side of the strategy board and the numbers of players that use it."""

    id: str
    players: tuple[Seats, ...]
    rows: Count
    columns: tuple[ColumnRecord, ...]


class ClaimSpace(Record, frozen=True):
    """Hold a space of a claim track: its points and what it needs; `must_include` lists regions to be ruled."""

    vp: Amount
    needs: Count
    must_include: tuple[str, ...] = ()


class TrackRecord(Record, frozen=True):
    """Hold a claim track."""

    id: str
    measure: str
    spaces: tuple[ClaimSpace, ...]


class BoatColumnRecord(Record, frozen=True):
    """Hold a column of the boat."""

    good: Good
    slots: Count
    position: str


class PayRecord(Record, frozen=True):
    """Hold what a conversion takes: one of some goods, and one of any."""

    one_of: tuple[Good, ...]
    any_good: Literal[1]


class ConversionRecord(Record, frozen=True):
    """Hold a conversion token."""

    id: Token
    pay: PayRecord
    gain: dict[str, Count]


class AddedAdvisorRecord(Record, frozen=True):
    """Hold an advisor that joins in a round, and the numbers of players for which it does."""

    advisor: Advisor
    players: tuple[Seats, ...]


class StructuresRecord(Record, frozen=True):
    """Hold how many structures of each type a player has."""

    church: Amount
    market: Amount
    stronghold: Amount


class LeaderRecord(Record, frozen=True):
    """Hold a leader; the ability is told for people, the rules have it under the leader's name."""

    id: str
    name: str
    ability: Any
    frequency: Any = None


class SchemeRecord(Record, frozen=True):
    """Hold a kind of scheme card."""

    id: str
    reward: tuple[dict[str, Count], ...]
    coin_cost: Amount
    casualty_icons: Literal[0, 1]
    count: Count


class DeedAdjacent(Record, frozen=True):
    """Hold a deed's need for own structures of a type in adjacent regions."""

    type: Structure
    regions: Count


class DeedRequirement(Record, frozen=True):
    """Hold what must be true for a deed; nothing of it is spent."""

    troops_in_one_region: Amount = 0
    occupied_regions: Amount = 0
    defeated_rebels: Amount = 0
    first_player_marker: bool = False
    own_structures_same_region: tuple[Structure, ...] = ()
    own_structure_in_adjacent_regions: DeedAdjacent | None = None
    own_markets_with_different_goods_icons: Amount = 0


class DeedTroops(Record, frozen=True, rename={"place": "from"}):
    """Hold which own troops a deed takes: one from each of some regions, or some from anywhere or a ruled region."""

    one_from_each_of_regions: Amount = 0
    count: Amount = 0
    place: Literal["any", "one region that you rule"] = "any"


class DeedCost(Record, frozen=True):
    """Hold what a deed costs."""

    coins: Amount = 0
    goods: dict[Good, Count] = {}
    goods_any: Amount = 0
    goods_same_type: Amount = 0
    goods_different_types: Amount = 0
    discard_schemes: Literal[0, 1] = 0
    remove_own_structures: Literal[0, 1] = 0
    remove_own_troops: DeedTroops | None = None


class DeedRecord(Record, frozen=True):
    """Hold a deed card."""

    id: str
    name: str
    vp: Amount
    require: DeedRequirement
    cost: DeedCost
    reward: dict[str, Count]
    solo: bool


class Agenda(Record, frozen=True):
    """Hold an agenda card: the metric in which its owner must be first or tied for first."""

    id: str
    name: str
    metric: Metric
    means: str
    solo: bool


class BonusSpace(Record, frozen=True):
    """Hold a bonus space of the Rebellion's mat."""

    on_action: Column
    bonus: BonusKind
    amount: Count
    covered_by_coin: bool


class MatColumnRecord(Record, frozen=True):
    """Hold a priority column of the Rebellion's mat, top space first."""

    priority: Priority
    spaces: tuple[BonusSpace, ...]


class MatRecord(Record, frozen=True):
    """Hold the Rebellion's mat of one difficulty."""

    id: Difficulty
    difficulty: Count
    starting_priority: Priority
    columns: tuple[MatColumnRecord, ...]
    covered_spaces: Amount
    open_spaces: Amount


class StrategyCell(Record, frozen=True):
    """Hold one row of a rebellion card in one priority column."""

    advisor: Advisor
    asterisk: bool
    action: Column
    bribe_to_top: bool


class CardColumnRecord(Record, frozen=True):
    """Hold a priority column of a rebellion card."""

    priority: Priority
    build_order: tuple[Structure, ...]
    strategy: tuple[StrategyCell, ...]


class RebellionCardRecord(Record, frozen=True):
    """Hold a rebellion card."""

    number: Count
    location_order: tuple[str, ...]
    setup_regions: tuple[str, ...]
    priorities: tuple[CardColumnRecord, ...]
