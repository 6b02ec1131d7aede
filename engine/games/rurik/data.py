"""Read the data tables once and shape them for the rules: small integers inside, ids at the edge."""

from collections import deque

import msgspec

from engine.core import effects
from engine.core.effects import Effect
from engine.core.tables import Tables
from engine.games.rurik import records as r
from engine.games.rurik.ids import (
    COLUMNS,
    GOODS,
    PRIORITIES,
    STRUCTURES,
    TOKENS,
    TRACKS,
    Difficulty,
    Good,
    Priority,
    Structure,
    Token,
)

TABLES = (
    "agenda_cards",
    "claim_board",
    "deed_cards",
    "household_mat",
    "leaders",
    "map",
    "rebels",
    "scheme_cards",
    "setup",
    "solo_cards",
    "solo_mats",
    "strategy_board",
)

#: The closed vocabulary of printed effects; the functions stand in effects/.
OPERATIONS = (
    "muster_points",
    "movement_points",
    "attack_points",
    "attack_points_one_less",
    "tax_points",
    "build_points",
    "coins",
    "draw_schemes",
    "relocate_troops",
    "take_deed_cards",
)

#: The leaders that the rules know, by their ids.
ABILITIES = ("agatha", "boris", "maria", "mstislav", "predslava", "sudislav", "sviatopolk", "yaroslav")

#: Troops that a seat places in set-up, and rebels of the Rebellion's.
STARTING_TROOPS, REBELS_SET_UP = 3, 6


class Board(msgspec.Struct, frozen=True):
    """Hold the regions in play for one size of board; neighbours and distances count those only."""

    size: int
    adjacent: tuple[tuple[int, ...], ...]
    distance: tuple[tuple[int, ...], ...]


class Scheme(msgspec.Struct, frozen=True):
    """Hold a kind of scheme card."""

    id: str
    effects: tuple[Effect, ...]
    coin_cost: int
    casualty: bool
    count: int


class Deed(msgspec.Struct, frozen=True):
    """Hold a deed card."""

    id: str
    name: str
    vp: int
    require: r.DeedRequirement
    cost: r.DeedCost
    effects: tuple[Effect, ...]
    solo: bool


class Reward(msgspec.Struct, frozen=True):
    """Hold what a defeated rebel gives: coins (`good` None) or goods."""

    good: Good | None
    amount: int


class TokenData(msgspec.Struct, frozen=True):
    """Hold a conversion: one good of `first`, any second one, for `effects`."""

    id: Token
    first: tuple[Good, ...]
    effects: tuple[Effect, ...]


class Mat(msgspec.Struct, frozen=True):
    """Hold the Rebellion's mat of one difficulty: bonus spaces by priority column, top first."""

    id: Difficulty
    starting_priority: Priority
    columns: tuple[tuple[r.BonusSpace, ...], ...]


class RebellionCard(msgspec.Struct, frozen=True):
    """Hold a rebellion card: region indices in location order; build order and strategy by priority column."""

    number: int
    location_order: tuple[int, ...]
    build_order: tuple[tuple[Structure, ...], ...]
    strategy: tuple[tuple[r.StrategyCell, ...], ...]


def _effects(table: str, card: str, rewards: tuple[dict[str, int], ...]) -> tuple[Effect, ...]:
    return effects.parse(_tables.place(table, card), rewards, OPERATIONS)


def _board(size: int, names: tuple[str, ...], adjacent: dict[str, tuple[str, ...]]) -> Board:
    index = {name: i for i, name in enumerate(names[:size])}
    near = tuple(tuple(sorted(index[a] for a in adjacent[name] if a in index)) for name in names[:size])
    distances = []
    for start in range(size):
        seen = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in near[here]:
                if there not in seen:
                    seen[there] = seen[here] + 1
                    queue.append(there)
        distances.append(tuple(seen[i] for i in range(size)))
    return Board(size, near, tuple(distances))


_tables = Tables("rurik", TABLES)
_field, _records, _require = _tables.field, _tables.records, _tables.require

DATA_VERSION = _tables.version
PROVENANCE = _tables.provenance

# The board.

_regions = _records(r.RegionRecord, "map", "regions")
REGIONS: tuple[str, ...] = tuple(region.id for region in _regions)
REGION_NAMES: dict[str, str] = {region.id: region.name for region in _regions}
REGION_INDEX: dict[str, int] = {name: i for i, name in enumerate(REGIONS)}
for _region in _regions:
    for _near in _region.adjacent:
        _back = _near in REGION_INDEX and _region.id in _regions[REGION_INDEX[_near]].adjacent
        _require(_back and _near != _region.id, "map", f"regions, {_region.id}: {_near!r} is no region that borders it")
_require({"kiev", "novgorod"} <= REGION_INDEX.keys(), "map", "regions: kiev and novgorod must be among them")
#: The good printed on each region, as an index into GOODS.
ICONS: tuple[int, ...] = tuple(GOODS.index(region.good) for region in _regions)
KIEV = REGION_INDEX["kiev"]
_SIZES: dict[int, int] = {n: _field(r.Count, "setup", f"board.{n}.regions") for n in (2, 3, 4)}
for _n, _size in _SIZES.items():
    _in_play = [region.min_players <= _n for region in _regions]
    _right = _in_play == [True] * _size + [False] * (len(_regions) - _size)
    _require(_right, "map", f"regions: the first {_size} must be those of {_n} players")
_require(_SIZES[2] > KIEV, "map", "regions, kiev: must be in play with any number of players")
_ADJACENT = {region.id: region.adjacent for region in _regions}
#: Number of seats to the board in play.
BOARDS: dict[int, Board] = {n: _board(size, REGIONS, _ADJACENT) for n, size in _SIZES.items()}
_COLOURS = {n: _field(tuple[r.Ground, ...], "map", f"players_to_colours.{n}") for n in (2, 3, 4)}
_TOKENS_BY_COLOUR = _field(dict[r.Ground, dict[Good, r.Amount]], "rebels", "goods_tokens.proposed")
#: Number of seats to the goods tokens of the alternate board variant, as indices into GOODS.
GOODS_TOKENS: dict[int, tuple[int, ...]] = {
    seats: tuple(
        GOODS.index(good)
        for colour in colours
        for good, count in _TOKENS_BY_COLOUR.get(colour, {}).items()
        for _ in range(count)
    )
    for seats, colours in _COLOURS.items()
}
for _n, _size in _SIZES.items():
    _right = len(GOODS_TOKENS[_n]) == _size
    _require(_right, "rebels", f"goods_tokens: there must be {_size} for {_n} players; got {len(GOODS_TOKENS[_n])}")

# The strategy board.


def _side(side: r.SideRecord) -> tuple[tuple[r.SpaceData, ...], ...]:
    where = f"sides, {side.id}"
    columns = sorted(side.columns, key=lambda column: COLUMNS.index(column.action))
    _require([c.action for c in columns] == list(COLUMNS), "strategy_board", f"{where}: must have each column once")
    for column in columns:
        rows = [space.row for space in column.spaces]
        right = rows == list(range(1, side.rows + 1))
        _require(right, "strategy_board", f"{where}, {column.action}: must have rows 1 to {side.rows}")
    return tuple(column.spaces for column in columns)


_SIDES = {n: _side(side) for side in _records(r.SideRecord, "strategy_board", "sides") for n in side.players}
_require({2, 3, 4} <= _SIDES.keys(), "strategy_board", "sides: there must be one for 2, 3 and 4 players")
#: Number of seats to the spaces of each column, top first.
SPACES: dict[int, tuple[tuple[r.SpaceData, ...], ...]] = {n: _SIDES[n] for n in (2, 3, 4)}

# The claim board, the mat and the set-up.

_tracks = _records(r.TrackRecord, "claim_board", "tracks")
_require([track.id for track in _tracks] == list(TRACKS), "claim_board", f"tracks: must be {', '.join(TRACKS)}")
for _track in _tracks:
    for _space in _track.spaces:
        _right = REGION_INDEX.keys() >= set(_space.must_include)
        _require(_right, "claim_board", f"tracks, {_track.id}: must_include names no region")
CLAIMS: tuple[tuple[r.ClaimSpace, ...], ...] = tuple(track.spaces for track in _tracks)
WARFARE_SPACES: int = _field(r.Count, "claim_board", "warfare_track.spaces")
WARFARE_VP: tuple[int, int] = (
    _field(r.Amount, "claim_board", "warfare_track.vp.first"),
    _field(r.Amount, "claim_board", "warfare_track.vp.second"),
)
MARKER_INCOME: int = _field(r.Amount, "claim_board", "income_per_unplaced_marker.coins")
_slots = {column.good: column.slots for column in _records(r.BoatColumnRecord, "household_mat", "boat.columns", "good")}
_require(_slots.keys() == set(GOODS), "household_mat", "boat.columns: there must be one for each good")
BOAT: tuple[int, ...] = tuple(_slots[good] for good in GOODS)
CONVERSIONS: tuple[TokenData, ...] = tuple(
    TokenData(token.id, token.pay.one_of, _effects("household_mat", f"conversion_tokens, {token.id}", (token.gain,)))
    for token in _records(r.ConversionRecord, "household_mat", "conversion_tokens")
)
_require([t.id for t in CONVERSIONS] == list(TOKENS), "household_mat", f"conversion_tokens: {', '.join(TOKENS)}")
START_COINS: int = _field(r.Amount, "setup", "per_player.coins")
TROOPS: int = _field(r.Count, "setup", "per_player.troops")
_require(TROOPS >= STARTING_TROOPS, "setup", f"per_player.troops: must be {STARTING_TROOPS} or more")
_structures = _field(r.StructuresRecord, "setup", "per_player.structures")
#: How many structures of each type a player has.
STRUCTURES_EACH: tuple[int, ...] = tuple(getattr(_structures, name) for name in STRUCTURES)
AGENDAS_DEALT: int = _field(r.Count, "setup", "per_player.agendas_dealt")
START_ADVISORS: tuple[int, ...] = _field(tuple[r.Advisor, ...], "setup", "advisors.start")
ROUNDS: int = _field(r.Count, "setup", "rounds")
_added = _field(dict[str, r.AddedAdvisorRecord], "setup", "advisors.added")
for _name in _added:
    _right = _name in [f"round_{n}" for n in range(1, ROUNDS + 1)]
    _require(_right, "setup", f"advisors.added: {_name!r} is no round_1 to round_{ROUNDS}")
#: Round to the advisor received at its start and the numbers of seats for which that holds.
ADDED_ADVISORS: dict[int, tuple[int, tuple[int, ...]]] = {
    int(name.removeprefix("round_")): (added.advisor, added.players) for name, added in _added.items()
}
DEED_ROW: int = _field(r.Count, "setup", "shared.deed_row")
REBELLION_TROOPS: int = _field(r.Count, "setup", "shared.rebels")
_require(REBELLION_TROOPS >= REBELS_SET_UP, "setup", f"shared.rebels: must be {REBELS_SET_UP} or more")
_leaders = _records(r.LeaderRecord, "leaders", "leaders")
LEADERS: tuple[str, ...] = tuple(leader.id for leader in _leaders)
_require(LEADERS == ABILITIES, "leaders", f"leaders: must be {', '.join(ABILITIES)}, in this order")
LEADER_NAMES: dict[str, str] = {leader.id: leader.name for leader in _leaders}

# Cards.

SCHEMES: tuple[Scheme, ...] = tuple(
    Scheme(card.id, _effects("scheme_cards", card.id, card.reward), card.coin_cost, card.casualty_icons > 0, card.count)
    for card in _records(r.SchemeRecord, "scheme_cards", "cards")
)
SCHEME_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(SCHEMES)}
#: Every scheme card of the game, as indices into SCHEMES.
SCHEME_CARDS: tuple[int, ...] = tuple(i for i, card in enumerate(SCHEMES) for _ in range(card.count))
DEEDS: tuple[Deed, ...] = tuple(
    Deed(
        card.id,
        card.name,
        card.vp,
        card.require,
        card.cost,
        _effects("deed_cards", card.id, (card.reward,)),
        card.solo,
    )
    for card in _records(r.DeedRecord, "deed_cards", "cards")
)
DEED_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(DEEDS)}
AGENDAS: tuple[r.Agenda, ...] = _records(r.Agenda, "agenda_cards", "cards")
for _number, _what in ((4 * AGENDAS_DEALT, AGENDAS), (AGENDAS_DEALT, [a for a in AGENDAS if a.solo])):
    _require(len(_what) >= _number, "agenda_cards", f"cards: too few to deal {AGENDAS_DEALT} each")
AGENDA_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(AGENDAS)}
AGENDA_VP: int = _field(r.Amount, "agenda_cards", "vp")
_stickers: tuple[r.StickerRecord, ...] = _field(tuple[r.StickerRecord, ...], "rebels", "sticker_rewards")
#: Kinds of reward; the stickers and the tokens are indices into it.
REWARDS: tuple[Reward, ...] = tuple(
    Reward(None if sticker.reward == "coins" else Good(sticker.reward), sticker.amount) for sticker in _stickers
)
STICKERS: tuple[int, ...] = tuple(i for i, sticker in enumerate(_stickers) for _ in range(sticker.count))
_require(len(STICKERS) >= len(REGIONS), "rebels", f"sticker_rewards: must be {len(REGIONS)} or more in all")

# The Rebellion.


def _mat(mat: r.MatRecord) -> Mat:
    columns = sorted(mat.columns, key=lambda column: PRIORITIES.index(column.priority))
    right = [column.priority for column in columns] == list(PRIORITIES)
    _require(right, "solo_mats", f"mats, {mat.id}: must have each priority once")
    return Mat(mat.id, mat.starting_priority, tuple(column.spaces for column in columns))


MATS: dict[Difficulty, Mat] = {mat.id: _mat(mat) for mat in _records(r.MatRecord, "solo_mats", "mats")}
_require(MATS.keys() == set(Difficulty), "solo_mats", f"mats: must be {', '.join(Difficulty)}")


def _rebellion_card(card: r.RebellionCardRecord) -> RebellionCard:
    where = f"cards, {card.number}"
    green = _SIZES[2]
    right = sorted(card.location_order) == sorted(REGIONS[:green])
    _require(right, "solo_cards", f"{where}: location_order must list the {green} green regions once each")
    columns = sorted(card.priorities, key=lambda column: PRIORITIES.index(column.priority))
    right = [column.priority for column in columns] == list(PRIORITIES)
    _require(right, "solo_cards", f"{where}: must have each priority once")
    advisors = sorted([*START_ADVISORS, *(advisor for advisor, _ in ADDED_ADVISORS.values())])
    for column in columns:
        right = sorted(column.build_order) == sorted(STRUCTURES)
        _require(right, "solo_cards", f"{where}, {column.priority}: build_order must list each structure once")
        right = sorted(cell.advisor for cell in column.strategy) == advisors
        _require(right, "solo_cards", f"{where}, {column.priority}: strategy must place advisors {advisors} once each")
    return RebellionCard(
        card.number,
        tuple(REGION_INDEX[name] for name in card.location_order),
        tuple(column.build_order for column in columns),
        tuple(column.strategy for column in columns),
    )


#: The rebellion cards, in the order of their numbers; a deck holds indices into it.
REBELLION_CARDS: tuple[RebellionCard, ...] = tuple(
    _rebellion_card(card) for card in _records(r.RebellionCardRecord, "solo_cards", "cards", "number")
)
