"""List all that may happen, in the past tense; countries and cards are ids of the data files."""

import msgspec

from engine.core.codec import snake_case
from engine.games.masters_of_europe.actions import Bundle
from engine.games.masters_of_europe.ids import MeldAction, Phase


class _Event(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Be an event; `seat`, where there is one, is the seat that acted or that it happened to."""


class LeaderPassed(_Event, frozen=True):
    """Tell who has the Leader token now."""

    seat: int


class TokenPlaced(_Event, frozen=True):
    """Tell where a starting token stands."""

    seat: int
    country: str


class PhaseStarted(_Event, frozen=True):
    """Tell that a phase of a round begins."""

    round: int
    phase: Phase


class CardsDrawn(_Event, frozen=True):
    """Tell that a seat drew cards; only that seat reads which."""

    seat: int
    count: int
    cards: tuple[str, ...]


class DeckRebuilt(_Event, frozen=True):
    """Tell that the discards were shuffled into a new deck of so many cards."""

    cards: int


class OfferMade(_Event, frozen=True):
    """Tell of an offer; those whom it does not concern read neither side of it."""

    seat: int
    offer: int
    to: int | None
    give: Bundle | None
    want: Bundle | None


class OfferDeclined(_Event, frozen=True):
    """Tell that a seat declined an offer."""

    seat: int
    offer: int


class OfferWithdrawn(_Event, frozen=True):
    """Tell that a seat took its offer back."""

    seat: int
    offer: int


class OfferLapsed(_Event, frozen=True):
    """Tell that an offer can no longer be met."""

    offer: int


class Traded(_Event, frozen=True):
    """Tell that an offer was accepted; others than the two read how many cards changed hands, and the chips."""

    seat: int
    offer: int
    maker: int
    given: tuple[str, ...]
    given_count: int
    given_chips: int
    taken: tuple[str, ...]
    taken_count: int
    taken_chips: int


class TradingFinished(_Event, frozen=True):
    """Tell that a seat declared itself done."""

    seat: int


class MeldPlayed(_Event, frozen=True):
    """Tell a meld: its cards, its countries, its number."""

    seat: int
    action: MeldAction
    cards: tuple[str, ...]
    countries: tuple[str, ...]
    number: int


class TokensAdded(_Event, frozen=True):
    """Tell that a seat put tokens onto a country."""

    seat: int
    country: str
    count: int


class TokenRemoved(_Event, frozen=True):
    """Tell that a token of `owner` left a country."""

    seat: int
    owner: int
    country: str


class TokenMoved(_Event, frozen=True):
    """Tell that a token of `owner` went from one country to another."""

    seat: int
    owner: int
    source: str
    target: str


class IndustryBuilt(_Event, frozen=True):
    """Tell that a country got industry cubes."""

    seat: int
    country: str
    count: int


class ChipsGained(_Event, frozen=True):
    """Tell that a seat gained chips."""

    seat: int
    chips: int


class ChipsLost(_Event, frozen=True):
    """Tell that a seat lost chips."""

    seat: int
    chips: int


class CountryScored(_Event, frozen=True):
    """Tell what the controller of a country scored."""

    seat: int
    country: str
    chips: int


class CardDiscarded(_Event, frozen=True):
    """Tell that a seat discarded a card."""

    seat: int
    card: str


class ArmsWrestled(_Event, frozen=True):
    """Tell a roll of the arm wrestling between tied seats."""

    seats: tuple[int, ...]
    dice: tuple[int, ...]


class GameEnded(_Event, frozen=True):
    """Tell the final chips and ranks, by seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


Event = (
    LeaderPassed
    | TokenPlaced
    | PhaseStarted
    | CardsDrawn
    | DeckRebuilt
    | OfferMade
    | OfferDeclined
    | OfferWithdrawn
    | OfferLapsed
    | Traded
    | TradingFinished
    | MeldPlayed
    | TokensAdded
    | TokenRemoved
    | TokenMoved
    | IndustryBuilt
    | ChipsGained
    | ChipsLost
    | CountryScored
    | CardDiscarded
    | ArmsWrestled
    | GameEnded
)
