"""Read the data tables once and shape them for the rules: small integers inside, ids at the edge."""

import hashlib
from collections import Counter, deque
from typing import Any

import msgspec

from engine.core import effects, registry
from engine.core.effects import Effect
from engine.core.errors import BadData
from engine.games.rurik.ids import (
    COLUMNS,
    GOODS,
    PRIORITIES,
    BonusKind,
    Column,
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


class Board(msgspec.Struct, frozen=True):
    """Hold the regions in play for one size of board; neighbours and distances count those only."""

    size: int
    adjacent: tuple[tuple[int, ...], ...]
    distance: tuple[tuple[int, ...], ...]


class SpaceData(msgspec.Struct, frozen=True):
    """Hold a space of the strategy board."""

    row: int
    icons: int
    coin_cost: int
    first_player_marker: bool = False


class ClaimSpace(msgspec.Struct, frozen=True):
    """Hold a space of a claim track: its points and what it needs; `must_include` lists regions to be ruled."""

    vp: int
    needs: int
    must_include: tuple[str, ...] = ()


class Scheme(msgspec.Struct, frozen=True):
    """Hold a kind of scheme card."""

    id: str
    effects: tuple[Effect, ...]
    coin_cost: int
    casualty: bool
    count: int


class DeedCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what a deed costs."""

    coins: int = 0
    goods: dict[Good, int] = {}
    goods_any: int = 0
    goods_same_type: int = 0
    goods_different_types: int = 0
    discard_schemes: int = 0
    remove_own_structures: int = 0
    remove_own_troops: dict[str, Any] = {}


class DeedRequirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what must be true for a deed; nothing of it is spent."""

    troops_in_one_region: int = 0
    occupied_regions: int = 0
    defeated_rebels: int = 0
    first_player_marker: bool = False
    own_structures_same_region: tuple[Structure, ...] = ()
    own_structure_in_adjacent_regions: dict[str, Any] = {}
    own_markets_with_different_goods_icons: int = 0


class Deed(msgspec.Struct, frozen=True):
    """Hold a deed card."""

    id: str
    name: str
    vp: int
    require: DeedRequirement
    cost: DeedCost
    effects: tuple[Effect, ...]
    solo: bool


class Agenda(msgspec.Struct, frozen=True):
    """Hold an agenda card: the metric in which its owner must be first or tied for first."""

    id: str
    name: str
    metric: str
    means: str
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


class BonusSpace(msgspec.Struct, frozen=True):
    """Hold a bonus space of the Rebellion's mat."""

    on_action: Column
    bonus: BonusKind
    amount: int
    covered_by_coin: bool


class Mat(msgspec.Struct, frozen=True):
    """Hold the Rebellion's mat of one difficulty: bonus spaces by priority column, top first."""

    id: Difficulty
    starting_priority: Priority
    columns: tuple[tuple[BonusSpace, ...], ...]


class StrategyCell(msgspec.Struct, frozen=True):
    """Hold one row of a rebellion card in one priority column."""

    advisor: int
    asterisk: bool
    action: Column
    bribe_to_top: bool


class RebellionCard(msgspec.Struct, frozen=True):
    """Hold a rebellion card: region indices in location order; build order and strategy by priority column."""

    number: int
    location_order: tuple[int, ...]
    build_order: tuple[tuple[Structure, ...], ...]
    strategy: tuple[tuple[StrategyCell, ...], ...]


def _read(name: str, digest: "hashlib._Hash", sources: Counter[str]) -> Any:
    path, content = registry.table("rurik", name)
    digest.update(content)
    try:
        raw = msgspec.yaml.decode(content)
    except msgspec.DecodeError as error:
        raise BadData(f"{path}: not YAML: {error}") from error
    _count_sources(raw, sources)
    return raw


#: What a source may be: the rulebook, public code or pictures, derived from those, or proposed here.
_KINDS = ("rulebook", "public", "derived", "proposed")


def _count_sources(node: Any, sources: Counter[str]) -> None:
    if isinstance(node, dict):
        for key, value in node.items():
            if str(key).endswith("source"):
                # One record may name a source for each of its fields.
                for text in value.values() if isinstance(value, dict) else [value]:
                    sources[_kind(text)] += 1
            else:
                _count_sources(value, sources)
    elif isinstance(node, list):
        for child in node:
            _count_sources(child, sources)


def _kind(source: str) -> str:
    """Return the kind that a source names first; texts that name none speak of public code."""
    named = [kind for kind in _KINDS if kind in source]
    return min(named, key=source.index, default="public")


def _as(kind: Any, value: Any, where: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}: {error}") from error


def _board(size: int, names: list[str], adjacent: dict[str, list[str]]) -> Board:
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


_digest = hashlib.sha256()
_sources: Counter[str] = Counter()
_raw = {name: _read(name, _digest, _sources) for name in TABLES}

DATA_VERSION = _digest.hexdigest()
PROVENANCE: dict[str, int] = dict(sorted(_sources.items()))

# The board.

REGIONS: tuple[str, ...] = tuple(r["id"] for r in _raw["map"]["regions"])
REGION_NAMES: dict[str, str] = {r["id"]: r["name"] for r in _raw["map"]["regions"]}
REGION_INDEX: dict[str, int] = {name: i for i, name in enumerate(REGIONS)}
#: The good printed on each region, as an index into GOODS.
ICONS: tuple[int, ...] = tuple(GOODS.index(_as(Good, r["good"], f"map {r['id']}.good")) for r in _raw["map"]["regions"])
KIEV = REGION_INDEX["kiev"]
_SIZES: dict[int, int] = {n: _raw["setup"]["board"][n]["regions"] for n in (2, 3, 4)}
_ADJACENT = {r["id"]: r["adjacent"] for r in _raw["map"]["regions"]}
#: Number of seats to the board in play.
BOARDS: dict[int, Board] = {n: _board(size, list(REGIONS), _ADJACENT) for n, size in _SIZES.items()}
_TOKENS_BY_COLOUR = _raw["rebels"]["goods_tokens"]["proposed"]
#: Number of seats to the goods tokens of the alternate board variant, as indices into GOODS.
GOODS_TOKENS: dict[int, tuple[int, ...]] = {
    seats: tuple(
        GOODS.index(good)
        for colour in _raw["map"]["players_to_colours"][seats]
        for good, count in _TOKENS_BY_COLOUR[colour].items()
        for _ in range(count)
    )
    for seats in (2, 3, 4)
}

# The strategy board.

_SIDES: dict[int, tuple[tuple[SpaceData, ...], ...]] = {
    seats: tuple(
        _as(tuple[SpaceData, ...], column["spaces"], f"strategy_board {side['id']}.{column['action']}")
        for column in sorted(side["columns"], key=lambda c: COLUMNS.index(c["action"]))
    )
    for side in _raw["strategy_board"]["sides"]
    for seats in side["players"]
}
#: Number of seats to the spaces of each column, top first.
SPACES: dict[int, tuple[tuple[SpaceData, ...], ...]] = {n: _SIDES[n] for n in (2, 3, 4)}

# The claim board, the mat and the set-up.

CLAIMS: tuple[tuple[ClaimSpace, ...], ...] = tuple(
    _as(tuple[ClaimSpace, ...], track["spaces"], f"claim_board {track['id']}.spaces")
    for track in _raw["claim_board"]["tracks"]
)
WARFARE_SPACES: int = _raw["claim_board"]["warfare_track"]["spaces"]
WARFARE_VP: tuple[int, int] = (
    _raw["claim_board"]["warfare_track"]["vp"]["first"],
    _raw["claim_board"]["warfare_track"]["vp"]["second"],
)
MARKER_INCOME: int = _raw["claim_board"]["income_per_unplaced_marker"]["coins"]
BOAT: tuple[int, ...] = tuple(
    next(c["slots"] for c in _raw["household_mat"]["boat"]["columns"] if c["good"] == good) for good in GOODS
)
CONVERSIONS: tuple[TokenData, ...] = tuple(
    TokenData(
        _as(Token, t["id"], "household_mat conversion_tokens.id"),
        _as(tuple[Good, ...], t["pay"]["one_of"], f"household_mat {t['id']}.pay"),
        effects.parse(f"household_mat {t['id']}.gain", [t["gain"]], OPERATIONS),
    )
    for t in _raw["household_mat"]["conversion_tokens"]
)
START_COINS: int = _raw["setup"]["per_player"]["coins"]
TROOPS: int = _raw["setup"]["per_player"]["troops"]
START_ADVISORS: tuple[int, ...] = tuple(_raw["setup"]["advisors"]["start"])
#: Round to the advisor received at its start and the numbers of seats for which that holds.
ADDED_ADVISORS: dict[int, tuple[int, tuple[int, ...]]] = {
    int(name.removeprefix("round_")): (added["advisor"], tuple(added["players"]))
    for name, added in _raw["setup"]["advisors"]["added"].items()
}
ROUNDS: int = _raw["setup"]["rounds"]
DEED_ROW: int = _raw["setup"]["shared"]["deed_row"]
REBELLION_TROOPS: int = _raw["setup"]["shared"]["rebels"]
LEADERS: tuple[str, ...] = tuple(leader["id"] for leader in _raw["leaders"]["leaders"])
LEADER_NAMES: dict[str, str] = {leader["id"]: leader["name"] for leader in _raw["leaders"]["leaders"]}

# Cards.

SCHEMES: tuple[Scheme, ...] = tuple(
    Scheme(
        card["id"],
        effects.parse(f"scheme_cards {card['id']}.reward", card["reward"], OPERATIONS),
        card["coin_cost"],
        card["casualty_icons"] > 0,
        card["count"],
    )
    for card in _raw["scheme_cards"]["cards"]
)
SCHEME_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(SCHEMES)}
#: Every scheme card of the game, as indices into SCHEMES.
SCHEME_CARDS: tuple[int, ...] = tuple(i for i, card in enumerate(SCHEMES) for _ in range(card.count))
DEEDS: tuple[Deed, ...] = tuple(
    Deed(
        card["id"],
        card["name"],
        card["vp"],
        _as(DeedRequirement, card["require"], f"deed_cards {card['id']}.require"),
        _as(DeedCost, card["cost"], f"deed_cards {card['id']}.cost"),
        effects.parse(f"deed_cards {card['id']}.reward", [card["reward"]], OPERATIONS),
        card["solo"],
    )
    for card in _raw["deed_cards"]["cards"]
)
DEED_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(DEEDS)}
AGENDAS: tuple[Agenda, ...] = _as(tuple[Agenda, ...], _raw["agenda_cards"]["cards"], "agenda_cards")
AGENDA_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(AGENDAS)}
AGENDA_VP: int = _raw["agenda_cards"]["vp"]
#: Kinds of reward; the stickers and the tokens are indices into it.
REWARDS: tuple[Reward, ...] = tuple(
    Reward(None if r["reward"] == "coins" else Good(r["reward"]), r["amount"])
    for r in _raw["rebels"]["sticker_rewards"]
)
STICKERS: tuple[int, ...] = tuple(i for i, r in enumerate(_raw["rebels"]["sticker_rewards"]) for _ in range(r["count"]))

# The Rebellion.

MATS: dict[Difficulty, Mat] = {
    Difficulty(mat["id"]): Mat(
        Difficulty(mat["id"]),
        _as(Priority, mat["starting_priority"], f"solo_mats {mat['id']}.starting_priority"),
        tuple(
            _as(tuple[BonusSpace, ...], column["spaces"], f"solo_mats {mat['id']}.{column['priority']}")
            for column in sorted(mat["columns"], key=lambda c: PRIORITIES.index(c["priority"]))
        ),
    )
    for mat in _raw["solo_mats"]["mats"]
}


def _rebellion_card(card: Any) -> RebellionCard:
    where = f"solo_cards {card['number']}"
    columns = sorted(card["priorities"], key=lambda p: PRIORITIES.index(p["priority"]))
    order = tuple(REGION_INDEX[name] for name in card["location_order"])
    if sorted(order) != list(range(_SIZES[2])):
        raise BadData(f"{where}.location_order: must list the {_SIZES[2]} green regions once each")
    return RebellionCard(
        card["number"],
        order,
        tuple(_as(tuple[Structure, ...], p["build_order"], f"{where}.{p['priority']}.build_order") for p in columns),
        tuple(_as(tuple[StrategyCell, ...], p["strategy"], f"{where}.{p['priority']}.strategy") for p in columns),
    )


#: The rebellion cards, in the order of their numbers; a deck holds indices into it.
REBELLION_CARDS: tuple[RebellionCard, ...] = tuple(_rebellion_card(card) for card in _raw["solo_cards"]["cards"])
