"""Draw a table of Rurik in text: map, mat, strategy board, claim tracks. Pure functions of the table a seat sees."""

from collections.abc import Sequence

from bots.console.text import WIDTH, beside, clip, pad, paint, wrap
from engine.games.rurik.data import AGENDAS, BOARDS, CLAIMS, DEEDS, LEADER_NAMES, REGION_NAMES, REGIONS
from engine.games.rurik.ids import Phase
from engine.games.rurik.table import Advisor, Player, Region, Table

#: Where each region stands on the drawn map: row and column; neighbours side by side wherever that can be.
PLACES = {
    "pskov": (0, 0),
    "novgorod": (0, 1),
    "rostov": (0, 2),
    "suzdal": (0, 3),
    "brest": (1, 0),
    "polotsk": (1, 1),
    "smolensk": (1, 2),
    "murom": (1, 3),
    "volyn": (2, 0),
    "kiev": (2, 1),
    "chernigov": (2, 2),
    "pereyaslavl": (2, 3),
    "galich": (3, 0),
    "peresech": (3, 1),
    "azov": (3, 3),
}
_COLUMNS = 4
_CELL = 16
#: Width of the map, border to border.
MAP_WIDTH = _COLUMNS * (_CELL + 1) + 1
_PAINTS = {"blue": "blue", "maroon": "maroon", "white": "white", "yellow": "yellow"}
_LETTERS = {"church": "C", "market": "M", "stronghold": "S"}
#: Region to the regions it borders on the whole board.
BORDERS = {REGIONS[i]: tuple(REGIONS[j] for j in near) for i, near in enumerate(BOARDS[4].adjacent)}
_DEED_NAMES = {deed.id: deed.name for deed in DEEDS}
_AGENDAS = {agenda.id: agenda for agenda in AGENDAS}


def mark(table: Table, seat: int) -> str:
    """Return the letter of a seat: of its colour, R for the Rebellion, its number before it has a colour."""
    if table.rebellion is not None and table.rebellion.seat == seat:
        return "R"
    colour = table.players[seat].colour
    return str(seat) if colour is None else colour[0]


def tint(table: Table, seat: int, text: str) -> str:
    """Return text in the seat's colour."""
    if table.rebellion is not None and table.rebellion.seat == seat:
        return paint(text, "magenta")
    colour = table.players[seat].colour
    return text if colour is None else paint(text, _PAINTS[colour])


def name(table: Table, seat: int, own: int | None) -> str:
    """Return what a seat is called on screen."""
    if table.rebellion is not None and table.rebellion.seat == seat:
        return "the Rebellion"
    player = table.players[seat]
    leader = LEADER_NAMES.get(player.leader or "", "")
    return f"{leader or f'seat {seat}'}{' (you)' if seat == own else ''}"


def _titled(table: Table, seat: int) -> str:
    """Return a seat's letter and name; before it has a leader its name is its number, which would say it twice."""
    title = name(table, seat, None)
    return title if title == f"seat {seat}" else f"{tint(table, seat, mark(table, seat))} {title}"


def card(identifier: str) -> str:
    """Return a card's name: printed for deeds and agendas, spelled out for schemes."""
    if identifier in _AGENDAS:
        return _AGENDAS[identifier].name
    return _DEED_NAMES.get(identifier) or identifier.replace("_", " ")


def header(table: Table, own: int | None) -> str:
    """Return the line above the map."""
    who = "watching" if own is None else f"you are {_titled(table, own)}"
    parts = [
        paint("Rurik: Dawn of Kiev", "bold"),
        f"round {table.round} of 4",
        "the game is over" if table.phase == Phase.OVER else f"{table.phase} phase",
        who,
        f"first player {mark(table, table.first_player)}",
    ]
    return " · ".join(parts)


# The map.


def draw_map(table: Table) -> list[str]:
    """Return the map: a box for a region, a wall of # where boxes touch whose regions do not border."""
    cells = {PLACES[region.id]: region for region in table.regions if region.id in PLACES}
    rows = sorted({row for row, _ in cells})
    lines = [_rule(cells, rows[0] - 1, rows[0])]
    for row in rows:
        boxes = [_cell(table, cells.get((row, column))) for column in range(_COLUMNS)]
        lines += [_across(cells, row, [box[i] for box in boxes]) for i in range(3)]
        lines.append(_rule(cells, row, row + 1))
    return lines


def _cell(table: Table, region: Region | None) -> list[str]:
    if region is None:
        return [""] * 3
    good: str = region.good if region.has_good else f"({region.good})"
    title = REGION_NAMES[region.id]
    first = paint(title, "bold") + " " * (_CELL - len(title) - len(good))
    first += paint(good, "green") if region.has_good else paint(good, "dim")
    troops = [
        tint(table, p.seat, f"{mark(table, p.seat)}{p.troops or ''}{'*' if p.leader else ''}") for p in region.pieces
    ]
    troops += [paint(f"reb{region.rebels}", "red")] if region.rebels else []
    troops += [paint(f"neu{region.neutrals}", "cyan")] if region.neutrals else []
    built = [tint(table, b.seat, f"{_LETTERS[b.structure]}{mark(table, b.seat)}") for b in region.structures]
    ruler = "" if region.ruler is None else tint(table, region.ruler, f"rule:{mark(table, region.ruler)}")
    left = " ".join(built)
    third = pad(left, _CELL - 6) + pad(ruler, 6) if ruler else left
    return [first, " ".join(troops), third]


def _across(cells: dict[tuple[int, int], Region], row: int, parts: Sequence[str]) -> str:
    line = ""
    for column in range(_COLUMNS + 1):
        left, right = cells.get((row, column - 1)), cells.get((row, column))
        wall = " " if left is None and right is None else "│"
        if left is not None and right is not None and not _border(left, right):
            wall = "#"
        line += wall + (pad(parts[column], _CELL) if column < _COLUMNS else "")
    return line


def _rule(cells: dict[tuple[int, int], Region], above: int, below: int) -> str:
    line = ""
    for column in range(_COLUMNS + 1):
        nw, ne = (above, column - 1) in cells, (above, column) in cells
        sw, se = (below, column - 1) in cells, (below, column) in cells
        line += _CORNERS[(nw or ne, sw or se, nw or sw, ne or se)]
        if column < _COLUMNS:
            up, down = cells.get((above, column)), cells.get((below, column))
            fill = " " if up is None and down is None else "─"
            if up is not None and down is not None and not _border(up, down):
                fill = "#"
            line += fill * _CELL
    return line


def _border(one: Region, other: Region) -> bool:
    return other.id in BORDERS[one.id]


#: Which arms a corner has (up, down, left, right) to its sign.
_CORNERS = {
    (up, down, left, right): sign
    for sign, arms in {
        " ": "0000",
        "┌": "0101",
        "┐": "0110",
        "└": "1001",
        "┘": "1010",
        "├": "1101",
        "┤": "1110",
        "┬": "0111",
        "┴": "1011",
        "┼": "1111",
    }.items()
    for up, down, left, right in [tuple(arm == "1" for arm in arms)]
}


# The own mat.


def draw_mat(table: Table, seat: int, columns: int, own: int | None = None) -> list[str]:
    """Return a seat's mat with all that the viewer knows of it."""
    player = table.players[seat]
    lines = [tint(table, seat, f"{mark(table, seat)} = {name(table, seat, own)}"), _purse(player)]
    lines.append("goods   boat  dock")
    lines += [f" {g.good:<6} {g.boat}/{g.slots:<4} {g.dock or '-'}" for g in player.goods]
    left = player.structures_left
    lines.append(f"left: C{left.church} M{left.market} S{left.stronghold} · troops {player.troops_left}")
    texts = [
        f"advisors: {' '.join(map(str, player.advisors))}" if player.advisors else "",
        f"tokens: {', '.join(t.removesuffix('_token') for t in player.conversions) or 'used'}",
        f"rebels defeated: {player.defeated_rebels}" if player.defeated_rebels else "",
        _agenda(player),
    ]
    held = [card(c) for c in player.hand] or ([f"{player.cards_in_hand}"] if player.cards_in_hand else [])
    texts.append(f"schemes: {', '.join(held) or '-'}")
    done = [f"{card(c)} done" for c in player.accomplished]
    texts.append(f"deeds: {', '.join([*map(card, player.deeds), *done]) or '-'}")
    return [clip(line, columns) for line in lines] + [line for text in texts if text for line in wrap(text, columns)]


def _agenda(player: Player) -> str:
    """Return the agenda with what it asks for, while two are held their names; nothing where it is not known."""
    if player.agenda:
        return f"agenda: {card(player.agenda)}, {_AGENDAS[player.agenda].means}"
    return f"agenda: {' or '.join(map(card, player.agendas))}" if player.agendas else ""


def _purse(player: Player) -> str:
    return f"coins {paint(str(player.coins), 'yellow')} · points {paint(str(player.points), 'bold')}"


# The strategy board and the claim board.


def draw_strategy(table: Table) -> list[str]:
    """Return the strategy board, an action a line, best space first: points, cost in $, the advisor and its bribe."""
    lines = [paint("STRATEGY BOARD", "bold") + "  best space first; 1$2: costs 2 coins"]
    for column in table.columns:
        cells = []
        for space in column.spaces:
            cost = f"${space.coin_cost}" if space.coin_cost else ""
            bear = "^" if space.first_player_marker else ""
            cells.append(pad(f"{space.icons}{cost}{bear} {_advisor(table, space.advisor)}", 10))
        lines.append(f" {column.column:<7} {''.join(cells)}".rstrip())
    return lines


def draw_points(table: Table) -> list[str]:
    """Return a line on the points that are still to be spent in this turn, none if there are not any."""
    parts = [f"{table.step.points} in this step"] if table.step is not None and table.step.points else []
    if table.turn is not None:
        parts += [f"{table.turn.tax_points} tax"] if table.turn.tax_points else []
        parts += [f"{table.turn.build_points} build"] if table.turn.build_points else []
    return [f"points left to spend: {paint(', '.join(parts), 'bold')}"] if parts else []


def draw_unplaced(table: Table) -> list[str]:
    """Return a line on the advisors that are still to be placed in this phase, none in others."""
    if table.phase != Phase.STRATEGY:
        return []
    seats = [
        tint(table, p.seat, f"{mark(table, p.seat)} {' '.join(map(str, p.advisors)) or '-'}") for p in table.players
    ]
    return [f"to place: {' · '.join(seats)}"]


def _advisor(table: Table, advisor: Advisor | None) -> str:
    if advisor is None:
        return "·"
    bribe = f"+{advisor.coins}" if advisor.coins else ""
    return tint(table, advisor.seat, f"{mark(table, advisor.seat)}{advisor.number}{bribe}")


def draw_claims(table: Table) -> list[str]:
    """Return the claim tracks with the seats' markers at the points they are worth, and the warfare track."""
    values = [space.vp for space in CLAIMS[0]]
    lines = [paint("CLAIM TRACKS", "bold") + " off   " + "".join(f"{vp} VP  " for vp in values)]
    for track in ("rule", "build", "trade"):
        cells = []
        for space in range(len(values) + 1):
            here = [p.seat for p in table.players if getattr(p.claims, track) == space]
            cells.append(pad("".join(tint(table, s, mark(table, s)) for s in here) or "·", 6))
        lines.append(f" {track:<11} {''.join(cells)}".rstrip())
    steps = [tint(table, p.seat, f"{mark(table, p.seat)} {p.claims.warfare}") for p in table.players]
    lines.append(f" {'warfare':<11} {'   '.join(steps)}")
    return lines


def draw_others(table: Table, own: int | None, columns: int) -> list[str]:
    """Return a line on each other seat; for the Rebellion two, the second with its order of regions."""
    lines = []
    for player in table.players:
        if player.seat == own:
            continue
        goods = sum(g.boat + g.dock for g in player.goods)
        boat = sum(g.boat for g in player.goods)
        who = f"{mark(table, player.seat)} {name(table, player.seat, None)}"
        text = f"{who}: {player.points} VP, ${player.coins}, boat {boat}/{goods}"
        if table.rebellion is not None and table.rebellion.seat == player.seat:
            opened = sum(not bonus.locked for bonus in table.rebellion.bonuses)
            lines.append(clip(tint(table, player.seat, text), columns))
            text = f"  priority {table.rebellion.priority}, card {table.rebellion.top_card}"
            text += f", bonuses {opened} of {len(table.rebellion.bonuses)}"
        else:
            text += f", {player.cards_in_hand} cards"
        lines.append(clip(tint(table, player.seat, text), columns))
    return lines


def draw(table: Table, own: int | None) -> list[str]:
    """Return the whole table: header, map beside the own mat, strategy board beside the claim tracks."""
    seat = own if own is not None else 0
    upper = beside(draw_map(table), draw_mat(table, seat, WIDTH - MAP_WIDTH - 1, own), MAP_WIDTH)
    left = [*draw_strategy(table), *draw_unplaced(table), *draw_points(table)]
    lower = beside(left, [*draw_claims(table), *draw_others(table, own, 46)], 52)
    return [header(table, own), *upper, *lower]
