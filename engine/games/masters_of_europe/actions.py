"""List all that a seat may do, by the phase in which it does it; countries and cards are ids of the data files."""

from typing import Annotated

import msgspec
from msgspec import Meta

from engine.core.codec import snake_case
from engine.games.masters_of_europe.ids import CardKind, MeldAction

#: Most chips that one side of an offer may name.
MOST_CHIPS = 1000


class _Action(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Be an action; the seat is in the envelope, never in here."""


# Set-up.


class PlaceToken(_Action, frozen=True):
    """Place one of ten starting tokens (Setup)."""

    country: str


# Trade phase.


class Bundle(msgspec.Struct, frozen=True):
    """Hold what one side of an offer hands over: cards by name, cards by type, chips."""

    cards: tuple[str, ...] = ()
    kinds: tuple[CardKind, ...] = ()
    chips: Annotated[int, Meta(ge=0, le=MOST_CHIPS)] = 0


class MakeOffer(_Action, frozen=True):
    """Offer own cards and chips to a seat (None: to whoever accepts first) for cards, types of card or chips."""

    to: int | None
    give: Bundle
    want: Bundle


class AcceptOffer(_Action, frozen=True):
    """Accept an offer; `cards` are those handed over for the types of card it asks for: countries, actions, numbers."""

    offer: int
    cards: tuple[str, ...] = ()


class DeclineOffer(_Action, frozen=True):
    """Decline an offer."""

    offer: int


class CounterOffer(_Action, frozen=True):
    """Decline an offer and make another one to its maker instead."""

    offer: int
    give: Bundle
    want: Bundle


class WithdrawOffer(_Action, frozen=True):
    """Take an own offer back."""

    offer: int


class FinishTrading(_Action, frozen=True):
    """Declare oneself done: the offers of others are declined, the own ones stand until they are answered."""


# Action phase.


class StartMeld(_Action, frozen=True):
    """Play an action card: the rest of the meld is asked next."""

    action: MeldAction


class ChooseCountry(_Action, frozen=True):
    """Play a country card (a power for one of its countries) into the meld."""

    card: str
    country: str


class ChooseNumber(_Action, frozen=True):
    """Play a number card into the meld; then it takes effect."""

    card: str


class RemoveToken(_Action, frozen=True):
    """Remove a token of a seat from the meld's country."""

    seat: int


class MoveToken(_Action, frozen=True):
    """Move a token of a seat to or from the treaty's country."""

    seat: int
    source: str
    target: str


class ChooseSeat(_Action, frozen=True):
    """Choose the seat that absolutism strikes."""

    seat: int


class DrawCards(_Action, frozen=True):
    """Draw two cards after a treaty, to discard one."""


class Done(_Action, frozen=True):
    """Stop what may be done up to a number of times, or decline what is optional."""


class EndTurn(_Action, frozen=True):
    """End the turn without another meld."""


# Hands.


class DiscardCard(_Action, frozen=True):
    """Discard a card from hand."""

    card: str


Action = (
    PlaceToken
    | MakeOffer
    | AcceptOffer
    | DeclineOffer
    | CounterOffer
    | WithdrawOffer
    | FinishTrading
    | StartMeld
    | ChooseCountry
    | ChooseNumber
    | RemoveToken
    | MoveToken
    | ChooseSeat
    | DrawCards
    | Done
    | EndTurn
    | DiscardCard
)
