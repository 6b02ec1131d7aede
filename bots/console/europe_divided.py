"""Draw a table of Europe Divided in text: regions, headlines, seas, both sides. Pure functions of what a seat sees."""

from collections.abc import Iterable

from bots.console.text import WIDTH, beside, clip, pad, paint, width, wrap
from engine.games.europe_divided.cards import ADVANTAGE_INDEX, ADVANTAGES, CARD_INDEX, CARDS, Card
from engine.games.europe_divided.data import NAMES, NEIGHBOURS, REGIONS
from engine.games.europe_divided.describe import headline_text
from engine.games.europe_divided.ids import Phase
from engine.games.europe_divided.stakes import HEADLINE_INDEX, HEADLINES
from engine.games.europe_divided.table import Headline, Player, Region, Table
from engine.games.europe_divided.texts import does

#: Width of the block of contested regions, on the left.
LEFT = 50
#: The sides by seat.
SIDES = ("Europe", "Russia")
_PAINTS = ("blue", "red")

GLOSSARY = (
    "Regions: what the EU, NATO and Russia dice show (6 in bold is dominance); E2 are two armies of",
    "Europe, R1 one of Russia; $2 are two money tokens. E or R says whose headline it is, * that its",
    "conditions hold as things stand, the number its prestige; (3) behind a card adds to initiative.",
)


def _side(seat: int) -> str:
    return paint(SIDES[seat], _PAINTS[seat])


def header(table: Table, own: int | None) -> str:
    """Return the line above the board: where the game stands, and who acts."""
    parts = [
        paint("Europe Divided", "bold"),
        f"turn {table.turn} of 20",
        f"period {table.period}",
        "the game is over" if table.phase == Phase.OVER else f"{table.phase}",
        "watching" if own is None else f"you are {_side(own)}",
    ]
    if table.initiative:
        parts.append(f"initiative {table.initiative[0]}:{table.initiative[1]}")
    if table.acting is not None:
        parts.append(f"{_side(table.acting)} acts")
    return " · ".join(parts)


def _armies(region: Region) -> str:
    parts = [paint(f"E{region.europe_armies}", "blue")] if region.europe_armies else []
    parts += [paint(f"R{region.russia_armies}", "red")] if region.russia_armies else []
    return " ".join(parts)


def _die(value: int, colour: str) -> str:
    if not value:
        return pad("·", 5)
    return pad(paint(paint(str(value), "bold") if value == 6 else str(value), colour), 5)


def draw_regions(table: Table) -> list[str]:
    """Return the contested regions, a line each: dice, armies, money tokens."""
    lines = [paint(pad("CONTESTED REGION", 23) + "EU   NATO RUS  armies  $", "bold")]
    for region in table.regions:
        if region.kind == "contested":
            dice = _die(region.eu, "yellow") + _die(region.nato, "blue") + _die(region.russia, "red")
            tokens = f"${region.money_tokens}" if region.money_tokens else ""
            lines.append(f" {pad(NAMES[region.id], 22)}{dice}{pad(_armies(region), 8)}{tokens}")
    return lines


def draw_homes(table: Table) -> list[str]:
    """Return where armies stand outside the contested regions, tokens and the marker there, and the sea cards."""
    lines = []
    for kind, title in (("europe", "Europe"), ("russia", "Russia")):
        words = []
        for region in table.regions:
            if region.kind == kind:
                marks = [_armies(region)] if region.europe_armies or region.russia_armies else []
                marks += [f"${region.money_tokens}"] if region.money_tokens else []
                marks += ["fractured"] if region.fractured else []
                words += [f"{NAMES[region.id]} {' '.join(marks)}"] if marks else []
        if kind == "russia" and table.energy_sector_tokens:
            words.append(f"Energy Sector ${table.energy_sector_tokens}")
        lines += _joined(f"{title}: ", words)
    return lines + draw_seas(table)


def draw_seas(table: Table) -> list[str]:
    """Return who holds the sea cards, the influence there and the armies at sea, in one line where that is enough."""
    standing = {region.id: _armies(region) for region in table.regions}
    lines = []
    for sea in table.seas:
        holder = "on the table" if sea.holder is None else f"held by {sea.holder.upper()}"
        influence = f"EU {sea.eu}, NATO {sea.nato}, RUS {sea.russia}"
        lines.append(
            f"{NAMES[sea.id]}: {holder}{', used' if sea.used else ''} ({influence}) {standing[sea.id]}".rstrip()
        )
    together = "; ".join(lines)
    return [together] if width(together) <= WIDTH else lines


def _joined(head: str, words: list[str]) -> list[str]:
    """Return coloured words in lines of the screen's width, after a head."""
    lines, line = [], head
    for word in words or ["-"]:
        if width(line) > len(head) and width(line) + width(word) + 2 > WIDTH:
            lines.append(line)
            line = "  "
        line += word if line in (head, "  ") else f", {word}"
    return [*lines, line]


def draw_headlines(table: Table) -> list[str]:
    """Return the headlines on the board, those whose conditions hold marked, and how many are left."""
    lines = [paint("HEADLINES", "bold") + f"  ({table.headline_deck} in the deck)"]
    for title, cards in (("now", table.current), ("next", table.forthcoming)):
        lines += [clip(f"{title:<5}{_headline(card)}", LEFT - 1) for card in cards]
    return lines


def _headline(card: Headline) -> str:
    name = HEADLINES[HEADLINE_INDEX[card.id]].name
    seat = 0 if card.side == "europe" else 1
    return f"{'*' if card.met else ' '}{paint(f'{SIDES[seat][0]} {name}', _PAINTS[seat])} {card.prestige}"


def draw_side(table: Table, seat: int) -> list[str]:
    """Return a side's purse, prestige and cards, as far as the viewer knows them."""
    player = table.players[seat]
    prestige = player.prestige
    total = prestige.headlines + prestige.dominance + prestige.advantages
    denied = ", may not spend" if player.spending_denied else ""
    kept = f" · kept {prestige.advantages}" if prestige.advantages else ""
    money = paint(str(player.money), "yellow")
    scored = f"headlines {prestige.headlines}, dominance {prestige.dominance}"
    piles = f"hand {player.cards_in_hand}, chosen {player.cards_chosen}, deck {player.deck}, grey {len(player.taken)}"
    lines = [
        f"{_side(seat)} {paint(str(total), 'bold')} prestige: {scored}",
        f" money {money}{denied} · armies left {player.armies_left}",
        f" cards: {piles}",
        f" advantage cards {player.advantages_in_hand}{kept} · headlines {player.headlines_in_hand}",
    ]
    if player.played:
        lines.append(f" played: {', '.join(_card(seat, name).name for name in player.played)}")
    return [clip(line, WIDTH - LEFT - 1) for line in lines]


def _card(seat: int, name: str) -> Card:
    return CARDS[CARD_INDEX[seat][name]]


def draw_hand(table: Table, seat: int) -> list[str]:
    """Return the viewer's own cards, those that it chooses or plays now with what they do as far as a line holds."""
    player = table.players[seat]
    lines = []
    for title, names, open_now in (
        ("hand", player.hand, table.phase == Phase.INITIATIVE and not player.chosen),
        ("chosen", player.chosen, True),
    ):
        held = [_card(seat, name) for name in names]
        if open_now:
            lines += [clip(f"{title}: {_card_text(card)}", WIDTH) for card in held]
        elif held:
            lines += wrap(f"{title}: {', '.join(f'{card.name} ({card.initiative})' for card in held)}", WIDTH)
    for title, text in (
        ("advantage", _names(ADVANTAGES, ADVANTAGE_INDEX, player.advantages)),
        ("headlines", _names(HEADLINES, HEADLINE_INDEX, player.headlines)),
    ):
        lines += wrap(f"{title}: {text}", WIDTH)
    return lines


def _names(cards: Iterable[object], index: dict[str, int], names: tuple[str, ...]) -> str:
    held = list(cards)
    return ", ".join(str(getattr(held[index[name]], "name", name)) for name in names) or "-"


def draw(table: Table, own: int | None) -> list[str]:
    """Return the whole table: header, regions beside both sides and the headlines, homes and seas, the own cards."""
    right = [*draw_side(table, 0), *draw_side(table, 1), *draw_headlines(table)]
    lines = [header(table, own), *beside(draw_regions(table), right, LEFT), *draw_homes(table)]
    return [*lines, *draw_hand(table, own)] if own is not None else lines


def borders(_: Table, __: int | None) -> list[str]:
    """Return each region and sea with what it borders."""
    lines = [paint("BORDERS", "bold")]
    for here, near in enumerate(NEIGHBOURS):
        lines += wrap(f" {NAMES[REGIONS[here]]}: {', '.join(NAMES[REGIONS[there]] for there in near)}", WIDTH)
    return lines


def cards(table: Table, own: int | None) -> list[str]:
    """Return what the viewer's cards say, and the headlines on the board."""
    lines = [paint("HEADLINES", "bold")]
    shown = [*table.current, *table.forthcoming]
    lines += [
        line for card in shown for line in wrap(f" {headline_text(card.id, literal=table.literal_conditions)}", WIDTH)
    ]
    if own is None:
        return lines
    player: Player = table.players[own]
    lines.append(paint("YOUR CARDS", "bold"))
    for name in (*player.chosen, *player.hand):
        lines += wrap(f" {_card_text(_card(own, name))}", WIDTH)
    for name in player.advantages:
        card = ADVANTAGES[ADVANTAGE_INDEX[name]]
        lines += wrap(f" {card.name}: {does(card.ops)}; or {card.money} money", WIDTH)
    lines += [
        line
        for name in player.headlines
        for line in wrap(f" {headline_text(name, literal=table.literal_conditions)}", WIDTH)
    ]
    return lines


_ACTIONS = {
    "place_influence": "place {faction}",
    "increase_influence": "{faction} +{amount}",
    "gain_money": "gain {amount}",
    "build_army": "build {where}",
    "move_army": "move an army",
}


def _where(card: Card, region: int) -> str:
    return "there" if NAMES[REGIONS[region]] == card.name else f"in {NAMES[REGIONS[region]]}"


def _card_text(card: Card) -> str:
    words = [
        _ACTIONS[action.op].format(
            faction=("EU", "NATO", "Russia")[action.faction],
            amount=action.amount,
            where=_where(card, action.where),
        )
        for action in card.actions
    ]
    text = f"{card.name} ({card.initiative}): {', '.join(words)}"
    if card.action is not None:
        text += f"; special: {does(card.action.ops)}"
    for title, specials in (("effect", card.effects), ("reaction", card.reactions)):
        for special in specials:
            text += f"; {title} on {special.trigger.replace('_', ' ')}: {does(special.ops)}"
    return text
