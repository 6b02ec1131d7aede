"""Hold what influence is compared for, as the rules use it: headlines and sea cards."""

import msgspec

from engine.games.europe_divided import vocabulary as v
from engine.games.europe_divided.data import (
    CONTESTED,
    KINDS,
    SETUP,
    SPACE_INDEX,
    counted,
    records,
    refuse,
    region,
    regions,
)
from engine.games.europe_divided.ids import EUROPE, FACTIONS, NATO, NONE, RUS, RUSSIA, SIDES, RegionKind


class Pred(msgspec.Struct, frozen=True):
    """Hold a predicate of a headline: `army` a seat has `n` armies, `gt` die a shows more than b, `eq` a shows `n`."""

    kind: str
    a: int
    b: int
    n: int


class Headline(msgspec.Struct, frozen=True):
    """Hold a headline; `banner` is the seat it may go to, `tokens` the spaces that get a money token."""

    id: str
    name: str
    period: int
    banner: int
    regions: tuple[int, ...]
    condition: tuple[Pred, ...]
    literal: tuple[Pred, ...]
    prestige: int
    tokens: tuple[int, ...]


class SeaCard(msgspec.Struct, frozen=True):
    """Hold a sea card; `order` lists the factions as ties go; `sources` and `to` are by seat (the NATO side: any)."""

    id: str
    name: str
    regions: tuple[int, ...]
    minimum: int
    order: tuple[int, ...]
    sources: tuple[tuple[int, ...], tuple[int, ...]]
    to: tuple[int, ...]
    nato_steps: int
    income: int
    income_regions: tuple[int, ...]


def _pred(entry: v.Predicate) -> Pred:
    match entry:
        case v.ArmyAtLeast(owner, n):
            return Pred("army", EUROPE if owner == "nato" else RUSSIA, NONE, n)
        case v.InfluenceGt(a, b):
            return Pred("gt", FACTIONS.index(a), FACTIONS.index(b), 0)
        case v.InfluenceEq(faction, value):
            return Pred("eq", FACTIONS.index(faction), NONE, value)


def _headlines() -> list[Headline]:
    cards = []
    for entry in records(v.HeadlineRecord, "headlines", "cards"):
        condition = tuple(map(_pred, entry.condition))
        unknown = [name for name in entry.money_tokens if name not in SPACE_INDEX]
        if unknown:
            raise refuse("headlines", f"{entry.id}, money_tokens: no space is called {unknown[0]!r}")
        cards.append(
            Headline(
                id=entry.id,
                name=entry.name,
                period=entry.period,
                banner=SIDES.index(entry.banner),
                regions=regions("headlines", f"{entry.id}, regions", entry.regions, RegionKind.CONTESTED),
                condition=condition,
                literal=tuple(map(_pred, entry.literal)) or condition,
                prestige=entry.prestige,
                tokens=tuple(SPACE_INDEX[name] for name in entry.money_tokens),
            )
        )
    for period in SETUP.periods:
        for seat in (EUROPE, RUSSIA):
            found = sum(card.period == period.period and card.banner == seat for card in cards)
            counted(
                "headlines", f"headlines of period {period.period} for {SIDES[seat]}", found, period.cards_per_colour
            )
    return cards


#: Every headline; state holds indices into it.
HEADLINES: tuple[Headline, ...] = tuple(_headlines())
HEADLINE_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(HEADLINES)}


def _seas() -> list[SeaCard]:
    cards = []
    for entry in records(v.SeaRecord, "sea_cards", "cards"):
        region("sea_cards", entry.id, entry.id, RegionKind.SEA)
        if sorted(entry.tie_order) != sorted(FACTIONS):
            raise refuse("sea_cards", f"{entry.id}, tie_order: must name eu, nato and russia once each")
        russia, nato, eu = entry.benefits.russia, entry.benefits.nato, entry.benefits.eu
        to = regions("sea_cards", f"{entry.id}, benefits.russia.to", russia.to)
        if any(KINDS[here] is RegionKind.EUROPE for here in to):
            raise refuse("sea_cards", f"{entry.id}, benefits.russia.to: Russia may not enter a region of Europe")
        cards.append(
            SeaCard(
                id=entry.id,
                name=entry.name,
                regions=regions("sea_cards", f"{entry.id}, regions", entry.regions, RegionKind.CONTESTED),
                minimum=entry.minimum,
                order=tuple(FACTIONS.index(faction) for faction in entry.tie_order),
                sources=(
                    regions("sea_cards", f"{entry.id}, benefits.nato.from", nato.sources),
                    regions("sea_cards", f"{entry.id}, benefits.russia.from", russia.sources),
                ),
                to=to,
                nato_steps=nato.max_steps,
                income=eu.amount,
                income_regions=regions("sea_cards", f"{entry.id}, benefits.eu.cards", eu.cards, RegionKind.CONTESTED),
            )
        )
    counted("sea_cards", "cards", len(cards), 2)
    return cards


#: The sea cards; state holds indices into it.
SEAS: tuple[SeaCard, ...] = tuple(_seas())
SEA_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(SEAS)}
#: By contested region: the sea cards that its dice count for.
SEAS_BY_REGION: tuple[tuple[int, ...], ...] = tuple(
    tuple(sea for sea, card in enumerate(SEAS) if region in card.regions) for region in range(CONTESTED)
)
#: The faction whose side of a sea card moves armies, by seat.
SEA_MOVERS = (NATO, RUS)
