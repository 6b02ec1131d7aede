"""List all that a seat may do, by the part of a turn in which it does it; regions and cards are ids of the data."""

import msgspec

from engine.core.codec import snake_case
from engine.games.europe_divided.ids import Faction


class _Action(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Be an action; the seat is in the envelope, never in here."""


class SetAsideAdvantage(_Action, frozen=True):
    """Remove one of three dealt advantage cards from the game, in secret (Advantage Cards)."""

    card: str


class ChooseCards(_Action, frozen=True):
    """Choose two action cards of the hand for this turn, in secret (2. Initiative)."""

    first: str
    second: str


# The own turn.


class PlayCard(_Action, frozen=True):
    """Reveal an action card and take one of its actions next (3. Actions)."""

    card: str


class PlayExtraCard(_Action, frozen=True):
    """Reveal one more action card, of the hand, and take one of its actions next (Summit)."""

    card: str


class PlayAdvantage(_Action, frozen=True):
    """Use an advantage card for its special action."""

    card: str


class SellAdvantage(_Action, frozen=True):
    """Discard an advantage card for money."""

    card: str


class UseSeaCard(_Action, frozen=True):
    """Move an army by the sea card held, once a turn, without a card or money."""

    sea: str
    source: str
    target: str


class EndTurn(_Action, frozen=True):
    """End the own actions of this turn, after both cards."""


# Actions of a card, and what special texts ask.


class PlaceInfluence(_Action, frozen=True):
    """Place a die with the 1 face up for money."""

    faction: Faction
    region: str
    cost: int


class IncreaseInfluence(_Action, frozen=True):
    """Raise a die by an amount, to 6 at most."""

    faction: Faction
    region: str
    amount: int


class ReduceInfluence(_Action, frozen=True):
    """Lower an opposing die by an amount."""

    faction: Faction
    region: str
    amount: int


class GainMoney(_Action, frozen=True):
    """Gain money, money tokens counted."""

    amount: int


class BuildArmy(_Action, frozen=True):
    """Place an army for money."""

    region: str
    cost: int


class MoveArmy(_Action, frozen=True):
    """Choose an army to move; where to is asked next."""

    source: str


class MoveTo(_Action, frozen=True):
    """Move the chosen army, for one money a space after the free ones."""

    target: str
    cost: int


class TakeSpecial(_Action, frozen=True):
    """Take the special action of the card."""


class ForgoCard(_Action, frozen=True):
    """Play the card for nothing: none of its actions is possible."""


class FractureCountry(_Action, frozen=True):
    """Place the EU fracture marker in a region of Europe."""

    region: str


class PlaceHeadline(_Action, frozen=True):
    """Choose a headline of the hand for the forthcoming spaces, in secret (7. Place New Headlines)."""

    headline: str


class Done(_Action, frozen=True):
    """Decline an effect or a reaction, or stop before all that is allowed is done."""


Action = (
    SetAsideAdvantage
    | ChooseCards
    | PlayCard
    | PlayExtraCard
    | PlayAdvantage
    | SellAdvantage
    | UseSeaCard
    | EndTurn
    | PlaceInfluence
    | IncreaseInfluence
    | ReduceInfluence
    | GainMoney
    | BuildArmy
    | MoveArmy
    | MoveTo
    | TakeSpecial
    | ForgoCard
    | FractureCountry
    | PlaceHeadline
    | Done
)
