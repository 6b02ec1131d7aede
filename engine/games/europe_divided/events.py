"""List all that may happen, in the past tense; regions and cards are ids of the data files."""

import msgspec

from engine.core.codec import snake_case
from engine.games.europe_divided.ids import Faction


class _Event(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Be an event; `seat`, where there is one, is the seat that acted or that it happened to."""


# The course of the game.


class AdvantagesDealt(_Event, frozen=True):
    """Tell that a seat drew advantage cards; only that seat reads which."""

    seat: int
    count: int
    cards: tuple[str, ...]


class AdvantageSetAside(_Event, frozen=True):
    """Tell that a seat has removed one of the advantage cards dealt; only that seat reads which."""

    seat: int
    card: str | None


class TurnStarted(_Event, frozen=True):
    """Tell that a turn begins."""

    turn: int
    period: int


class CardsChosen(_Event, frozen=True):
    """Tell that a seat has chosen its two action cards; only that seat reads which."""

    seat: int
    cards: tuple[str, ...]


class InitiativeAnnounced(_Event, frozen=True):
    """Tell both sums, by seat, and who acts first."""

    sums: tuple[int, ...]
    first: int


class ActionsStarted(_Event, frozen=True):
    """Tell whose actions begin."""

    seat: int


class CardPlayed(_Event, frozen=True):
    """Tell that a seat revealed an action card; `extra`: one of its hand, besides the two chosen."""

    seat: int
    card: str
    extra: bool


class CardForgone(_Event, frozen=True):
    """Tell that a card was played for nothing."""

    seat: int
    card: str


class SpecialTaken(_Event, frozen=True):
    """Tell that a seat takes the special action of a card."""

    seat: int
    card: str


class CardsDrawn(_Event, frozen=True):
    """Tell that a seat drew action cards; only that seat reads which."""

    seat: int
    count: int
    cards: tuple[str, ...]


class DeckShuffled(_Event, frozen=True):
    """Tell that a seat's discard pile became its new deck."""

    seat: int
    cards: int


class CardTaken(_Event, frozen=True):
    """Tell that a seat took its grey card of a region into its discard pile."""

    seat: int
    region: str


class CardLost(_Event, frozen=True):
    """Tell that a seat lost a random action card of its hand to its discard pile."""

    seat: int
    card: str


class GameEnded(_Event, frozen=True):
    """Tell the final scores and ranks, by seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


# Influence, money and armies.


class InfluencePlaced(_Event, frozen=True):
    """Tell that a die was placed with the 1 face up, and what it cost."""

    faction: Faction
    region: str
    cost: int


class InfluenceRaised(_Event, frozen=True):
    """Tell that a die was raised, and what it shows now."""

    faction: Faction
    region: str
    value: int


class InfluenceLowered(_Event, frozen=True):
    """Tell that a die was lowered, and what it shows now."""

    faction: Faction
    region: str
    value: int


class MoneyGained(_Event, frozen=True):
    """Tell that a seat gained money."""

    seat: int
    amount: int


class SeaIncome(_Event, frozen=True):
    """Tell that a seat gained money by a sea card."""

    seat: int
    sea: str
    amount: int


class ArmyBuilt(_Event, frozen=True):
    """Tell that a seat placed an army, and what it cost."""

    seat: int
    region: str
    cost: int


class ArmyMoved(_Event, frozen=True):
    """Tell that an army moved, and what it cost."""

    seat: int
    source: str
    target: str
    cost: int


class ArmiesClashed(_Event, frozen=True):
    """Tell that both sides lost an army in a region."""

    region: str


class ArmyStopped(_Event, frozen=True):
    """Tell that a seat lost an army to opposing dice of 6, which fall to 5."""

    seat: int
    region: str


class SeaCardTaken(_Event, frozen=True):
    """Tell who holds a sea card now; nobody when it was returned."""

    sea: str
    faction: Faction | None


class SeaCardUsed(_Event, frozen=True):
    """Tell that a seat moves an army by a sea card."""

    seat: int
    sea: str


# Advantage cards.


class AdvantagePlayed(_Event, frozen=True):
    """Tell that a seat used an advantage card for its special action."""

    seat: int
    card: str


class AdvantageSold(_Event, frozen=True):
    """Tell that a seat discarded an advantage card for money."""

    seat: int
    card: str
    amount: int


class SpendingDenied(_Event, frozen=True):
    """Tell that a seat may not spend money for the rest of the turn."""

    seat: int


class CountryFractured(_Event, frozen=True):
    """Tell where the EU fracture marker lies."""

    region: str


# Headlines and scoring.


class HeadlinePlaced(_Event, frozen=True):
    """Tell that a seat has placed a headline face down; only that seat reads which."""

    seat: int
    headline: str | None


class HeadlinesRevealed(_Event, frozen=True):
    """Tell the new forthcoming headlines."""

    headlines: tuple[str, ...]


class HeadlinesShifted(_Event, frozen=True):
    """Tell the new current headlines."""

    headlines: tuple[str, ...]


class HeadlineAwarded(_Event, frozen=True):
    """Tell that a headline's conditions were met."""

    seat: int
    headline: str
    prestige: int


class HeadlineMissed(_Event, frozen=True):
    """Tell that a headline's conditions were not met: it leaves the game."""

    headline: str


class TokenPlaced(_Event, frozen=True):
    """Tell that a space got a money token, and how many lie there now."""

    space: str
    tokens: int


class HeadlinesDiscarded(_Event, frozen=True):
    """Tell that a seat discarded headlines face down; only that seat reads which."""

    seat: int
    count: int
    headlines: tuple[str, ...]


class HeadlinesDrawn(_Event, frozen=True):
    """Tell that a seat drew headlines; only that seat reads which."""

    seat: int
    count: int
    headlines: tuple[str, ...]


class DominanceScored(_Event, frozen=True):
    """Tell the regions for which a seat scored dominance."""

    seat: int
    regions: tuple[str, ...]
    prestige: int


class AdvantagesScored(_Event, frozen=True):
    """Tell that a seat scored the advantage cards it kept."""

    seat: int
    count: int
    prestige: int


Event = (
    AdvantagesDealt
    | AdvantageSetAside
    | TurnStarted
    | CardsChosen
    | InitiativeAnnounced
    | ActionsStarted
    | CardPlayed
    | CardForgone
    | SpecialTaken
    | CardsDrawn
    | DeckShuffled
    | CardTaken
    | CardLost
    | GameEnded
    | InfluencePlaced
    | InfluenceRaised
    | InfluenceLowered
    | MoneyGained
    | SeaIncome
    | ArmyBuilt
    | ArmyMoved
    | ArmiesClashed
    | ArmyStopped
    | SeaCardTaken
    | SeaCardUsed
    | AdvantagePlayed
    | AdvantageSold
    | SpendingDenied
    | CountryFractured
    | HeadlinePlaced
    | HeadlinesRevealed
    | HeadlinesShifted
    | HeadlineAwarded
    | HeadlineMissed
    | TokenPlaced
    | HeadlinesDiscarded
    | HeadlinesDrawn
    | DominanceScored
    | AdvantagesScored
)
