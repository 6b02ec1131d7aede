"""Read the data tables once: the board, the set-up and the turn track; small integers inside, ids at the edge."""

from collections.abc import Iterable

import msgspec

from engine.core.tables import Tables
from engine.games.europe_divided.ids import SIDES, RegionKind, Side
from engine.games.europe_divided.vocabulary import Cost, Count, EdgeRecord, Pips, RegionRecord, SpaceRecord, TurnRecord

TABLES = (
    "advantage_cards",
    "contested_europe_cards",
    "contested_russia_cards",
    "europe_action_cards",
    "headlines",
    "map",
    "russia_action_cards",
    "sea_cards",
    "setup",
    "turn_track",
)
#: Twelve contested regions, five of Russia's, two seas, as the rulebook names and counts them.
_KINDS = {RegionKind.CONTESTED: 12, RegionKind.RUSSIA: 5, RegionKind.SEA: 2}
_DISCARDED, _DRAWN_OF_PERIOD_2 = 2, 3


_tables = Tables("europe_divided", TABLES)
refuse, records = _tables.refuse, _tables.records

DATA_VERSION = _tables.version
PROVENANCE = _tables.provenance


def counted(table: str, what: str, found: int, wanted: int) -> None:
    """Raise BadData unless a table has as many of something as the game has."""
    _tables.require(found == wanted, table, f"there must be {wanted} {what}; got {found}")


# The board.

_regions = list(records(RegionRecord, "map", "regions"))
for _kind, _number in _KINDS.items():
    counted("map", f"regions of kind {_kind}", sum(r.kind is _kind for r in _regions), _number)
# Contested regions first, so that dice are kept for regions 0 to 11.
_regions.sort(key=lambda r: r.kind is not RegionKind.CONTESTED)
REGIONS: tuple[str, ...] = tuple(r.id for r in _regions)
KINDS: tuple[RegionKind, ...] = tuple(r.kind for r in _regions)
REGION_INDEX: dict[str, int] = {name: i for i, name in enumerate(REGIONS)}
CONTESTED = _KINDS[RegionKind.CONTESTED]
#: Where money tokens may lie: any region, and the Energy Sector space after the last one.
ENERGY_SECTOR = len(REGIONS)
_space = records(SpaceRecord, "map", "spaces")
counted("map", "spaces beside the regions", len(_space), 1)
SPACES: tuple[str, ...] = (*REGIONS, _space[0].id)
SPACE_INDEX: dict[str, int] = {name: i for i, name in enumerate(SPACES)}
NAMES: dict[str, str] = {r.id: r.name for r in _regions} | {_space[0].id: _space[0].name}


def region(table: str, record: str, name: str, kind: RegionKind | None = None) -> int:
    """Return a region's index; raise BadData when there is none of that name, or it is of another kind."""
    if name not in REGION_INDEX or (kind is not None and KINDS[REGION_INDEX[name]] is not kind):
        raise refuse(table, f"{record}: no {f'{kind} region' if kind else 'region'} is called {name!r}")
    return REGION_INDEX[name]


def regions(table: str, record: str, names: Iterable[str], kind: RegionKind | None = None) -> tuple[int, ...]:
    """Return the indices of regions in the order of the board."""
    return tuple(sorted(region(table, record, name, kind) for name in names))


def _neighbours() -> tuple[tuple[int, ...], ...]:
    near: list[set[int]] = [set() for _ in REGIONS]
    for number, edge in enumerate(records(EdgeRecord, "map", "edges"), 1):
        a, b = (region("map", f"edges, record {number}", name) for name in (edge.a, edge.b))
        near[a].add(b)
        near[b].add(a)
    for here, there in enumerate(near):
        if not there - {here}:
            raise refuse("map", f"edges: {REGIONS[here]} borders nothing")
    return tuple(tuple(sorted(there - {here})) for here, there in enumerate(near))


NEIGHBOURS = _neighbours()
#: The kind of region that a seat's armies may never enter (Move Army).
BARRED = (RegionKind.RUSSIA, RegionKind.EUROPE)
#: By seat and region: where an army may go from there.
NEAR = tuple(
    tuple(tuple(there for there in near if KINDS[there] is not barred) for near in NEIGHBOURS) for barred in BARRED
)


class _Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    where: tuple[str, ...]
    source: str
    note: str = ""


class _Starts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    europe: _Start
    russia: _Start


_starts = _tables.field(_Starts, "map", "start_armies")
#: By seat: where its armies start.
START_ARMIES = (
    regions("map", "start_armies, europe", _starts.europe.where, RegionKind.EUROPE),
    regions("map", "start_armies, russia", _starts.russia.where, RegionKind.RUSSIA),
)
counted("map", "start armies of europe", len(START_ARMIES[0]), 9)
counted("map", "start armies of russia", len(START_ARMIES[1]), 5)


# The set-up.


class _Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Side
    money: Count
    hand: Count
    source: str


class _Period(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    period: int
    cards_per_colour: Count
    removed_per_colour: Count
    source: str


class _Advantage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    draw: Count
    keep: Count
    prestige: Count
    source: str


class _Headlines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    forthcoming_per_colour: Count
    hand: Count
    source: str


class _Costs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    die_by_effect: Cost
    further_step: Cost
    source: str


class _Die(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card_taken_at: Pips
    source: str


class _Dominance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prestige: Count
    source: str


class _Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: tuple[_Player, _Player]
    advantage: _Advantage
    headlines: _Headlines
    periods: tuple[_Period, _Period]
    costs: _Costs
    die: _Die
    dominance: _Dominance


SETUP = _tables.whole(_Numbers, "setup")
_tables.require(sorted(p.id for p in SETUP.players) == sorted(SIDES), "setup", "players: must be europe and russia")
_tables.require([period.period for period in SETUP.periods] == [1, 2], "setup", "periods: must be 1 and 2")
_players = sorted(SETUP.players, key=lambda player: SIDES.index(player.id))
#: By seat.
START_MONEY, HAND = (tuple(p.money for p in _players), tuple(p.hand for p in _players))
CARD_AT = SETUP.die.card_taken_at
DIE_BY_EFFECT, FURTHER_STEP = SETUP.costs.die_by_effect, SETUP.costs.further_step
#: The size of each side's pool (Component Limits), the most a die shows, cards played and drawn in a turn.
ARMIES, DOMINANCE, PLAYED = 15, 6, 2


# The turn track.

TURNS = records(TurnRecord, "turn_track", "turns", "turn")
counted("turn_track", "turns", len(TURNS), 20)
LAST_TURN = len(TURNS)


def _check_track() -> None:
    """See that headlines dealt, drawn, placed and discarded add up, turn by turn."""
    hand = SETUP.headlines.hand
    period_1, period_2 = (2 * (p.cards_per_colour - p.removed_per_colour) for p in SETUP.periods)
    deck = period_1 - 2 * SETUP.headlines.forthcoming_per_colour - 2 * hand + period_2
    forthcoming = True
    current = False
    for number, turn in enumerate(TURNS, 1):
        for step in turn.steps:
            wrong = (
                turn.turn != number
                or (step == "shift" and (current or not forthcoming))
                or (step == "place" and (forthcoming or not hand))
                or (step == "resolve" and not current)
                or (step == "discard_2" and hand != _DISCARDED)
            )
            if wrong:
                raise refuse("turn_track", f"turns, {number}: {step} cannot be done then")
            forthcoming = (forthcoming or step == "place") and step != "shift"
            current = (current or step == "shift") and step != "resolve"
            drawn = {"new": 1, "new_3_period_2": _DRAWN_OF_PERIOD_2}.get(step, 0)
            hand += drawn - (step == "place") - _DISCARDED * (step == "discard_2")
            deck -= 2 * drawn
            if deck < 0:
                raise refuse("turn_track", f"turns, {number}: the headline deck has run out at {step}")


_check_track()
