"""Hold the closed vocabulary in which cards are written: records as in the data files, checked field by field."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.core.codec import snake_case
from engine.games.europe_divided.ids import Faction, RegionKind, Side

#: Bounds within which action objects are made at load.
MOST_RAISE, MOST_COST, MOST_STEPS = 6, 5, 31

Raise = Annotated[int, Meta(ge=1, le=MOST_RAISE)]
Cost = Annotated[int, Meta(ge=0, le=MOST_COST)]
Count = Annotated[int, Meta(ge=0, le=99)]
Pips = Annotated[int, Meta(ge=1, le=6)]

ActionOp = Literal["place_influence", "increase_influence", "gain_money", "build_army", "move_army"]
#: Whose dice: a faction, any of the acting side, that of the action which set the effect off, or those that met the
#: card's condition.
Whose = Literal["eu", "nato", "russia", "any_own", "same_as_trigger", "faction_of_condition"]
#: Where: a list of ids, every contested region, those with an own die, or the region of the action that set it off.
Where = tuple[str, ...] | Literal["any_contested", "any_contested_with_own_die", "trigger_region"]


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Be a record of a data file; a field that it does not know is an error."""


class _Op(_Record, frozen=True, tag_field="op", tag=snake_case):
    """Be an operation of a special action, an effect, a reaction or an advantage card."""


class PlaceInfluence(_Op, frozen=True):
    """Put a die at 1 into a contested region without one."""

    faction: Whose
    regions: Where
    cost: Cost


class IncreaseInfluence(_Op, frozen=True):
    """Raise a die of one of the regions; `each`: one of every region."""

    faction: Whose
    regions: Where
    amount: Raise
    each: bool = False


class DistributeInfluence(_Op, frozen=True):
    """Raise dice by a total, split as wanted."""

    faction: Whose
    total: Raise
    regions: Where


class ReduceInfluence(_Op, frozen=True):
    """Lower one die of the opponent, not under a floor."""

    amount: Raise
    regions: Where
    floor: Pips = 1


class Needs(_Record, frozen=True):
    """Hold the die that a region must show."""

    faction: Faction
    at_least: Pips


class BuildArmy(_Op, frozen=True):
    """Place an army in one of the regions; `needs`: only where that die lies."""

    where: Where
    cost: Cost
    needs: Needs | None = None


class MoveArmy(_Op, frozen=True):
    """Move `count` armies, to a region of `to` or anywhere, so many steps at most, the first ones free."""

    to: tuple[str, ...] = ()
    max_steps: Annotated[int, Meta(ge=1, le=MOST_STEPS)] = MOST_STEPS
    free_steps: Count = 1
    count: Annotated[int, Meta(ge=1, le=9)] = 1


class GainMoney(_Op, frozen=True):
    """Gain money."""

    amount: Count


class GainMoneyPerRegion(_Op, frozen=True):
    """Gain money for each contested region where an own die shows enough."""

    own_die_at_least: Pips
    amount: Count
    max: Count


class DenyOpponentSpending(_Op, frozen=True):
    """Forbid the opponent to spend money until the end of the turn."""


class PlaceFracture(_Op, frozen=True):
    """Place the EU fracture marker: EU actions of that region's Europe card cannot be used for the rest of the game."""

    regions: Literal["any_europe_region_with_eu_actions"]


class PlayExtraActionCard(_Op, frozen=True):
    """Play one more action card from hand, and draw as many as `draws_back`."""

    count: Annotated[int, Meta(ge=1, le=4)]
    draws_back: Count


class OpponentDiscardRandomActionCard(_Op, frozen=True):
    """Discard random action cards of the opponent's hand; it draws as many as `draws_back`."""

    count: Annotated[int, Meta(ge=1, le=4)]
    draws_back: Count


Operation = (
    PlaceInfluence
    | IncreaseInfluence
    | DistributeInfluence
    | ReduceInfluence
    | BuildArmy
    | MoveArmy
    | GainMoney
    | GainMoneyPerRegion
    | DenyOpponentSpending
    | PlaceFracture
    | PlayExtraActionCard
    | OpponentDiscardRandomActionCard
)


class ActionRecord(_Record, frozen=True):
    """Be an action symbol of a card."""

    op: ActionOp
    faction: Faction
    source: str
    amount: Annotated[int, Meta(ge=1, le=9)] | None = None
    cost: Cost | None = None
    where: str | None = None


class TriggerRecord(_Record, frozen=True):
    """Say which action of the card sets an effect or a reaction off; `faction` None: of any."""

    op: ActionOp
    faction: Faction | None = None


class ConditionRecord(_Record, frozen=True):
    """Say which own die a special text needs."""

    region: str
    faction: Literal["eu", "nato", "russia", "any_own"]
    at_least: Pips


class SpecialRecord(_Record, frozen=True):
    """Be a special text: an action of its own, an effect of the owner's, or a reaction of the opponent's."""

    kind: Literal["action", "effect", "reaction"]
    do: Annotated[tuple[Operation, ...], Meta(min_length=1)]
    source: str
    trigger: TriggerRecord | None = None
    condition: ConditionRecord | None = None
    optional: bool = True


class CardRecord(_Record, frozen=True):
    """Be an action card."""

    id: str
    name: str
    source: str
    initiative: Annotated[int, Meta(ge=0, le=9)]
    initiative_source: str
    actions: tuple[ActionRecord, ...]
    region: str | None = None
    special: tuple[SpecialRecord, ...] = ()
    note: str = ""


class AdvantageRecord(_Record, frozen=True):
    """Be an advantage card."""

    id: str
    name: str
    owner: Side
    source: str
    money: Count
    money_source: str
    do: Annotated[tuple[Operation, ...], Meta(min_length=1)]
    do_source: str
    note: str = ""


class ArmyAtLeast(_Record, frozen=True, tag_field="pred", tag="army_at_least"):
    """Hold that a side has so many armies in the region or more."""

    owner: Literal["nato", "russia"]
    n: Annotated[int, Meta(ge=1, le=15)]


class InfluenceGt(_Record, frozen=True, tag_field="pred", tag="influence_gt"):
    """Hold that one faction's die shows more than another's; no die counts as 0."""

    a: Faction
    b: Faction


class InfluenceEq(_Record, frozen=True, tag_field="pred", tag="influence_eq"):
    """Hold that a faction's die shows a value."""

    faction: Faction
    value: Pips


Predicate = ArmyAtLeast | InfluenceGt | InfluenceEq


class HeadlineRecord(_Record, frozen=True):
    """Be a headline: every predicate must hold in every region."""

    id: str
    name: str
    period: Literal[1, 2]
    banner: Side
    source: str
    regions: Annotated[tuple[str, ...], Meta(min_length=1)]
    condition: Annotated[tuple[Predicate, ...], Meta(min_length=1)]
    condition_source: str
    prestige: Count
    money_tokens: tuple[str, ...]
    award_source: str
    literal: tuple[Predicate, ...] = ()
    note: str = ""


class RegionRecord(_Record, frozen=True):
    """Be a region or a sea space."""

    id: str
    name: str
    kind: RegionKind
    source: str
    note: str = ""


class SpaceRecord(_Record, frozen=True):
    """Be a space beside the regions that takes money tokens."""

    id: str
    name: str
    source: str


class EdgeRecord(_Record, frozen=True):
    """Be a border."""

    a: str
    b: str
    source: str
    reasons: str = ""


class RussiaBenefit(_Record, frozen=True, rename={"sources": "from"}):
    """Move an army each turn from one of some regions straight to one of others."""

    sources: tuple[str, ...]
    to: tuple[str, ...]
    source: str


class NatoBenefit(_Record, frozen=True, rename={"sources": "from"}):
    """Move an army of some regions each turn, so many steps."""

    sources: tuple[str, ...]
    max_steps: Annotated[int, Meta(ge=1, le=9)]
    source: str


class EuBenefit(_Record, frozen=True):
    """Gain money with every EU action of some grey cards."""

    amount: Count
    cards: tuple[str, ...]
    source: str


class Benefits(_Record, frozen=True):
    """Hold what each power gains from a sea card."""

    russia: RussiaBenefit
    nato: NatoBenefit
    eu: EuBenefit


class SeaRecord(_Record, frozen=True):
    """Be a sea card."""

    id: str
    name: str
    source: str
    regions: tuple[str, ...]
    minimum: Annotated[int, Meta(ge=1, le=18)]
    tie_order: tuple[Faction, Faction, Faction]
    benefits: Benefits


Step = Literal[
    "resolve",
    "shift",
    "place",
    "discard_2",
    "new",
    "new_3_period_2",
    "score_dominance",
    "advantage_refresh",
    "advantage_score",
]


class TurnRecord(_Record, frozen=True):
    """Be a space of the turn track."""

    turn: int
    period: Literal[1, 2]
    steps: tuple[Step, ...]
    source: str
