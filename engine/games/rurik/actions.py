"""List all that a seat may do, by the phase in which it does it; regions and cards are ids of the data files."""

import msgspec

from engine.core.codec import snake_case
from engine.games.rurik.ids import Colour, Column, Good, MarketBonus, Priority, Structure, Token


class _Action(msgspec.Struct, frozen=True, tag_field="type", tag=snake_case):
    """Be an action; the seat is in the envelope, never in here."""


# Set-up.


class ChooseLeader(_Action, frozen=True):
    """Take a leader that nobody has (Setup 8)."""

    leader: str


class ChooseAgenda(_Action, frozen=True):
    """Keep one of two dealt agenda cards, in secret (Setup 10)."""

    agenda: str


class ChooseColour(_Action, frozen=True):
    """Take a player colour that nobody has (Setup 11)."""

    colour: Colour


class PlaceTroop(_Action, frozen=True):
    """Place one of three starting troops (Setup 16)."""

    region: str


class PlaceLeader(_Action, frozen=True):
    """Place the leader beside an own troop (Setup 17)."""

    region: str


# Strategy phase.


class PlaceAdvisor(_Action, frozen=True):
    """Choose an advisor and a column for it; the bribe is asked next."""

    advisor: int
    column: Column


class AddBribe(_Action, frozen=True):
    """Add coins to the advisor being placed; 0 places it without a bribe."""

    coins: int


# Action phase: the turn.


class TakeAction(_Action, frozen=True):
    """Resolve an own advisor (column, row from 1 at the top) and take its main action, paying the coin cost."""

    column: Column
    row: int


class ForfeitAction(_Action, frozen=True):
    """Resolve an own advisor without its action, for one coin."""

    column: Column
    row: int


class PlayScheme(_Action, frozen=True):
    """Play a scheme card from hand (bonus action)."""

    card: str


class AccomplishDeed(_Action, frozen=True):
    """Accomplish a chosen deed card (bonus action); what it costs is asked next."""

    deed: str


class ConvertGoods(_Action, frozen=True):
    """Flip a conversion token and spend two goods, the first of a kind that the token names (bonus action)."""

    token: Token
    first: Good
    second: Good


class RecoverTroops(_Action, frozen=True):
    """Muster the leader and one troop in any region, having no troops on the board."""

    region: str


class EndTurn(_Action, frozen=True):
    """End the turn; unspent points are lost."""


class Done(_Action, frozen=True):
    """Stop spending the points of this step, or decline what is optional."""


# Main actions and what they ask.


class MusterTroop(_Action, frozen=True):
    """Muster a troop from the supply."""

    region: str


class MusterLeader(_Action, frozen=True):
    """Muster the own leader, who is off the board."""

    region: str


class MoveTroop(_Action, frozen=True):
    """Move a troop into an adjacent region."""

    source: str
    target: str


class MoveLeader(_Action, frozen=True):
    """Move the own leader into an adjacent region; `escorts` troops go along with Agatha."""

    source: str
    target: str
    escorts: int = 0


class AttackRebel(_Action, frozen=True):
    """Attack a rebel."""

    region: str


class AttackPlayer(_Action, frozen=True):
    """Attack an opponent."""

    region: str
    seat: int


class AttackNeutral(_Action, frozen=True):
    """Attack a neutral troop (solo)."""

    region: str


class ChooseDeck(_Action, frozen=True):
    """Choose the scheme deck (0 or 1) to draw from, or to reveal from for a casualty."""

    deck: int


class RemoveTroop(_Action, frozen=True):
    """Remove an own troop: a casualty, or the cost of a deed."""

    region: str


class RemoveLeader(_Action, frozen=True):
    """Remove the own leader: a casualty, or the cost of a deed."""

    region: str


class CollectGood(_Action, frozen=True):
    """Tax a region; `market` says what an own market there adds."""

    region: str
    market: MarketBonus = MarketBonus.NONE


class BuildStructure(_Action, frozen=True):
    """Build a structure."""

    structure: Structure
    region: str


class ConvertRebel(_Action, frozen=True):
    """Let a new church remove a rebel."""


class ConvertTroop(_Action, frozen=True):
    """Let a new church remove an opponent's non-leader troop."""

    seat: int


class ConvertNeutral(_Action, frozen=True):
    """Let a new church remove a neutral troop (solo)."""


class KeepScheme(_Action, frozen=True):
    """Keep one of the scheme cards drawn."""

    card: str


class PutBackScheme(_Action, frozen=True):
    """Put a drawn scheme card back on its deck; the next one goes on top of it."""

    card: str


class GiveMarker(_Action, frozen=True):
    """Give the first player marker to a seat."""

    seat: int


# Costs and rewards of deeds, abilities.


class SpendGood(_Action, frozen=True):
    """Spend a good of the buyer's choice."""

    good: Good


class RemoveStructure(_Action, frozen=True):
    """Remove an own structure."""

    structure: Structure
    region: str


class DiscardScheme(_Action, frozen=True):
    """Discard a scheme card from hand, face up."""

    card: str


class RelocateTroop(_Action, frozen=True):
    """Move a troop to any region, regardless of distance."""

    source: str
    target: str


class RelocateLeader(_Action, frozen=True):
    """Move the own leader to any region, regardless of distance; `escorts` troops go along with Agatha."""

    source: str
    target: str
    escorts: int = 0


class TakeDeed(_Action, frozen=True):
    """Take a deed card from the face-up row."""

    deed: str


class MoveOpponentTroop(_Action, frozen=True):
    """Move an opponent's troop from Predslava's region into an adjacent one."""

    seat: int
    target: str


class MoveOpponentLeader(_Action, frozen=True):
    """Move an opponent's leader from Predslava's region into an adjacent one."""

    seat: int
    target: str


# The Rebellion.


class UnlockBonus(_Action, frozen=True):
    """Move the top coin of a priority's column to the Rebellion's dock."""

    priority: Priority


Action = (
    ChooseLeader
    | ChooseAgenda
    | ChooseColour
    | PlaceTroop
    | PlaceLeader
    | PlaceAdvisor
    | AddBribe
    | TakeAction
    | ForfeitAction
    | PlayScheme
    | AccomplishDeed
    | ConvertGoods
    | RecoverTroops
    | EndTurn
    | Done
    | MusterTroop
    | MusterLeader
    | MoveTroop
    | MoveLeader
    | AttackRebel
    | AttackPlayer
    | AttackNeutral
    | ChooseDeck
    | RemoveTroop
    | RemoveLeader
    | CollectGood
    | BuildStructure
    | ConvertRebel
    | ConvertTroop
    | ConvertNeutral
    | KeepScheme
    | PutBackScheme
    | GiveMarker
    | SpendGood
    | RemoveStructure
    | DiscardScheme
    | RelocateTroop
    | RelocateLeader
    | TakeDeed
    | MoveOpponentTroop
    | MoveOpponentLeader
    | UnlockBonus
)
