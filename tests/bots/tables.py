"""Make tables of Rurik for drawings, by hand: every kind of thing that a screen shows occurs."""

from engine.games.rurik.data import BOARDS, BOAT, ICONS, REGIONS, SPACES
from engine.games.rurik.ids import COLUMNS, GOODS, TOKENS, Colour, Column, Difficulty, Phase, Priority, Structure
from engine.games.rurik.table import (
    ActionColumn,
    Advisor,
    Bonus,
    Built,
    ClaimMarkers,
    GoodCount,
    Pieces,
    Player,
    Rebellion,
    Region,
    Reward,
    Space,
    StructuresLeft,
    Table,
)

_COLOURS = (Colour.BLUE, Colour.MAROON, Colour.WHITE, Colour.YELLOW)
_LEADERS = ("yaroslav", "maria", "agatha", "boris")


def player(seat: int, *, rebellion: bool = False, own: bool = False) -> Player:
    return Player(
        seat=seat,
        leader="sviatopolk" if rebellion else _LEADERS[seat],
        colour=None if rebellion else _COLOURS[seat],
        coins=3 + seat,
        goods=tuple(GoodCount(good, min(i, BOAT[i]), BOAT[i], seat) for i, good in enumerate(GOODS)),
        troops_left=7,
        leader_on_board=True,
        structures_left=StructuresLeft(2, 3, 3),
        advisors=(1, 2, 4),
        claims=ClaimMarkers(seat, 1, min(seat + 2, 5), seat * 3),
        cards_in_hand=2,
        hand=("muster_2", "muster_1_pay_1") if own else (),
        known_hand=(),
        agenda="committed" if own else None,
        agendas=(),
        deeds=("great_library", "capital_city"),
        accomplished=("hoard",),
        conversions=TOKENS[:1],
        defeated_rebels=2,
        rewards=(Reward(None, 2), Reward(GOODS[0], 1)),
        ability_used=False,
        points=6,
    )


def table(seats: int, *, solo: bool = False, own: int | None = 0) -> Table:
    """Return a busy table; the longest names stand with the most pieces."""
    rebel_seat = 1 if solo else None
    regions = []
    for i, name in enumerate(REGIONS[: BOARDS[seats].size]):
        pieces = tuple(Pieces(s, (i + s) % 4, i == s) for s in range(seats) if (i + s) % 3 or i == s)
        built = tuple(
            Built(structure, (i + k) % seats)
            for k, structure in enumerate((Structure.CHURCH, Structure.MARKET, Structure.STRONGHOLD))
            if (i + k) % 2
        )
        ruler = i % (seats + 1)
        regions.append(
            Region(
                id=name,
                good=GOODS[ICONS[i]],
                has_good=i % 3 != 0,
                rebels=0 if solo else i % 2,
                neutrals=i % 2 if solo else 0,
                pieces=pieces,
                structures=built,
                ruler=None if ruler == seats else ruler,
            )
        )
    columns = tuple(
        ActionColumn(
            column,
            tuple(
                Space(
                    space.row,
                    space.icons,
                    space.coin_cost,
                    space.first_player_marker,
                    Advisor((k + space.row) % seats, 5 - space.row, space.row % 3) if (k + space.row) % 2 else None,
                )
                for space in SPACES[seats][k]
            ),
        )
        for k, column in enumerate(COLUMNS)
    )
    rebellion = None
    if solo:
        rebellion = Rebellion(
            seat=1,
            difficulty=Difficulty.VERY_HARD,
            priority=Priority.BUILD,
            top_card=12,
            location_order=REGIONS[:8],
            build_order=(Structure.MARKET, Structure.CHURCH, Structure.STRONGHOLD),
            seen_cards=(12, 4),
            rows_read=(),
            bonuses=(
                Bonus(Priority.ATTACK, Column.BUILD, "build_points", 1, locked=True),
                Bonus(Priority.BUILD, Column.MUSTER, "muster_points", 1, locked=False),
            ),
        )
    return Table(
        round=3,
        phase=Phase.ACTION,
        first_player=0,
        marker=1,
        regions=tuple(regions),
        columns=columns,
        players=tuple(player(s, rebellion=s == rebel_seat, own=s == own) for s in range(seats)),
        deed_row=("amass_forces", "border_patrols", "victory_march"),
        deed_deck=14,
        deed_discard=(),
        scheme_decks=(9, 8),
        scheme_discard=("move_2", "muster_1"),
        known_first=("", "move_3"),
        known_second=(),
        turn=None,
        step=None,
        rebellion=rebellion,
    )
