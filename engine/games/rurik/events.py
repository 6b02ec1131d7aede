"""List all that may happen, in the past tense; regions and cards are ids of the data files."""

import msgspec

from engine.core.codec import snake_case
from engine.games.rurik.ids import (
    BonusKind,
    Colour,
    Column,
    Good,
    MarketBonus,
    Phase,
    Priority,
    Structure,
    Token,
    Track,
)


class _Event(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Be an event; `seat`, where there is one, is the seat that acted or that it happened to."""


# Set-up and the course of the game.


class LeaderChosen(_Event, frozen=True):
    """Tell that a seat has its leader."""

    seat: int
    leader: str


class AgendaChosen(_Event, frozen=True):
    """Tell that a seat has kept an agenda card; only that seat reads which."""

    seat: int
    agenda: str | None


class ColourChosen(_Event, frozen=True):
    """Tell a seat's colour."""

    seat: int
    colour: Colour


class TroopPlaced(_Event, frozen=True):
    """Tell where a starting troop stands."""

    seat: int
    region: str


class LeaderPlaced(_Event, frozen=True):
    """Tell where a leader starts."""

    seat: int
    region: str


class PhaseStarted(_Event, frozen=True):
    """Tell that a phase of a round begins, and who is first player."""

    round: int
    phase: Phase
    first_player: int


class TurnStarted(_Event, frozen=True):
    """Tell whose turn of the action phase begins."""

    seat: int


class AdvisorAdded(_Event, frozen=True):
    """Tell that each seat receives an advisor from the round track."""

    advisor: int


class GameEnded(_Event, frozen=True):
    """Tell the final scores and ranks, by seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


# Strategy phase.


class AdvisorPlaced(_Event, frozen=True):
    """Tell where an advisor stands (row 1 is the top) and with how many coins of bribe."""

    seat: int
    advisor: int
    column: Column
    row: int
    coins: int


# Action phase.


class ActionTaken(_Event, frozen=True):
    """Tell which action an advisor brought, and the coins paid for it."""

    seat: int
    advisor: int
    column: Column
    row: int
    cost: int


class ActionForfeited(_Event, frozen=True):
    """Tell that a seat gave up an action for one coin."""

    seat: int
    advisor: int
    column: Column


class TroopMustered(_Event, frozen=True):
    """Tell that a troop or the leader came onto the board."""

    seat: int
    region: str
    leader: bool


class TroopMoved(_Event, frozen=True):
    """Tell that a troop or the leader went from one region to another, with how many escorts."""

    seat: int
    source: str
    target: str
    leader: bool
    escorts: int


class OpponentMoved(_Event, frozen=True):
    """Tell that Predslava's seat moved a troop or leader of `victim`, who gains a coin."""

    seat: int
    victim: int
    source: str
    target: str
    leader: bool


class RebelDefeated(_Event, frozen=True):
    """Tell that a rebel fell, and its reward: coins, or one or more of a good."""

    seat: int
    region: str
    good: Good | None
    amount: int


class PlayerAttacked(_Event, frozen=True):
    """Tell that `victim` lost a troop or the leader, and how far the attacker's warfare marker now is."""

    seat: int
    victim: int
    region: str
    leader: bool
    warfare: int


class NeutralRemoved(_Event, frozen=True):
    """Tell that a neutral troop left the board."""

    seat: int
    region: str


class CasualtyChecked(_Event, frozen=True):
    """Tell the scheme cards revealed for an attacker's casualty check, and whether one had the icon."""

    seat: int
    region: str
    deck: int
    cards: tuple[str, ...]
    casualty: bool


class TroopRemoved(_Event, frozen=True):
    """Tell that a seat's own troop or leader went back to its supply: a casualty or a cost."""

    seat: int
    region: str
    leader: bool


class CoinStolen(_Event, frozen=True):
    """Tell that Boris took a coin."""

    seat: int
    victim: int


class CoinsGained(_Event, frozen=True):
    """Tell that a seat gained coins from the supply."""

    seat: int
    coins: int


class CoinsSpent(_Event, frozen=True):
    """Tell that a seat paid coins to the supply."""

    seat: int
    coins: int


class GoodTaxed(_Event, frozen=True):
    """Tell that a seat taxed a region, for how many points, and what its market added."""

    seat: int
    region: str
    good: Good
    points: int
    market: MarketBonus


class GoodSpent(_Event, frozen=True):
    """Tell that a seat spent a good."""

    seat: int
    good: Good


class StructureBuilt(_Event, frozen=True):
    """Tell that a seat built a structure, for how many points."""

    seat: int
    structure: Structure
    region: str
    points: int


class StructureRemoved(_Event, frozen=True):
    """Tell that a seat took back an own structure."""

    seat: int
    structure: Structure
    region: str


class ChurchConverted(_Event, frozen=True):
    """Tell whom a new church removed: a seat's troop, or (None) a rebel or a neutral troop."""

    seat: int
    region: str
    victim: int | None
    neutral: bool


class SchemesDrawn(_Event, frozen=True):
    """Tell that a seat drew scheme cards; only that seat reads which."""

    seat: int
    deck: int
    count: int
    cards: tuple[str, ...]


class SchemeKept(_Event, frozen=True):
    """Tell that a seat took a scheme card into its hand; only that seat reads which."""

    seat: int
    card: str | None


class SchemePutBack(_Event, frozen=True):
    """Tell that a seat put a scheme card back on its deck; only that seat reads which."""

    seat: int
    deck: int
    card: str | None


class SchemePlayed(_Event, frozen=True):
    """Tell that a seat played a scheme card."""

    seat: int
    card: str


class SchemeDiscarded(_Event, frozen=True):
    """Tell that a seat discarded a scheme card as a cost."""

    seat: int
    card: str


class SchemesShuffled(_Event, frozen=True):
    """Tell that a scheme deck ran out and both were made anew, with how many cards each."""

    first: int
    second: int


class MarkerGiven(_Event, frozen=True):
    """Tell who holds the first player marker now."""

    seat: int
    to: int


class DeedTaken(_Event, frozen=True):
    """Tell that a seat took a deed card from the row."""

    seat: int
    deed: str


class DeedRowRefilled(_Event, frozen=True):
    """Tell the deed row after new cards were revealed."""

    row: tuple[str, ...]


class DeedAccomplished(_Event, frozen=True):
    """Tell that a seat accomplished a deed."""

    seat: int
    deed: str


class GoodsConverted(_Event, frozen=True):
    """Tell that a seat flipped a conversion token, and the goods it spent."""

    seat: int
    token: Token
    first: Good
    second: Good


class TroopsRecovered(_Event, frozen=True):
    """Tell that a seat without troops came back with its leader and a troop."""

    seat: int
    region: str


# Claim phase.


class ClaimAdvanced(_Event, frozen=True):
    """Tell that a claim marker moved up to a space (1 is the lowest)."""

    seat: int
    track: Track
    space: int


class IncomeEarned(_Event, frozen=True):
    """Tell a seat's income: coins for unplaced markers and for full boat columns."""

    seat: int
    markers: int
    columns: int


class TokensRefreshed(_Event, frozen=True):
    """Tell that all conversion tokens are face up again."""


class GoodsReplenished(_Event, frozen=True):
    """Tell the regions that got a new good."""

    regions: tuple[str, ...]


# The Rebellion.


class PriorityAssigned(_Event, frozen=True):
    """Tell the Rebellion's priority."""

    seat: int
    priority: Priority


class BonusUnlocked(_Event, frozen=True):
    """Tell that the Rebellion moved a coin to its dock and so opened a bonus."""

    seat: int
    priority: Priority
    on_action: Column
    bonus: BonusKind
    amount: int


class CardTurned(_Event, frozen=True):
    """Tell the rebellion card that now lies on top and rules this turn."""

    seat: int
    card: int


class BonusGained(_Event, frozen=True):
    """Tell a bonus that the Rebellion gains with its main action."""

    seat: int
    bonus: BonusKind
    amount: int


Event = (
    LeaderChosen
    | AgendaChosen
    | ColourChosen
    | TroopPlaced
    | LeaderPlaced
    | PhaseStarted
    | TurnStarted
    | AdvisorAdded
    | GameEnded
    | AdvisorPlaced
    | ActionTaken
    | ActionForfeited
    | TroopMustered
    | TroopMoved
    | OpponentMoved
    | RebelDefeated
    | PlayerAttacked
    | NeutralRemoved
    | CasualtyChecked
    | TroopRemoved
    | CoinStolen
    | CoinsGained
    | CoinsSpent
    | GoodTaxed
    | GoodSpent
    | StructureBuilt
    | StructureRemoved
    | ChurchConverted
    | SchemesDrawn
    | SchemeKept
    | SchemePutBack
    | SchemePlayed
    | SchemeDiscarded
    | SchemesShuffled
    | MarkerGiven
    | DeedTaken
    | DeedRowRefilled
    | DeedAccomplished
    | GoodsConverted
    | TroopsRecovered
    | ClaimAdvanced
    | IncomeEarned
    | TokensRefreshed
    | GoodsReplenished
    | PriorityAssigned
    | BonusUnlocked
    | CardTurned
    | BonusGained
)
