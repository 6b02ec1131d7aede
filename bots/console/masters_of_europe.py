"""Draw a table of Masters of Europe in text: countries, seats, hand, offers. Pure functions of what a seat sees."""

from collections.abc import Sequence

from bots.console.text import WIDTH, beside, clip, pad, paint, wrap
from engine.games.masters_of_europe import texts
from engine.games.masters_of_europe.data import CARD_INDEX, CARDS, COUNTRY_NAMES, VICTORY_CHIPS
from engine.games.masters_of_europe.ids import CARD_KINDS, Phase
from engine.games.masters_of_europe.table import Country, Offer, Player, Table

_PAINTS = ("red", "green", "yellow", "blue", "magenta", "cyan", "white", "maroon")
#: Width of the countries, and of a seat's column in it.
_LEFT, _COLUMN = 54, 4
#: Offers shown at most: the newest ones.
_OFFERS = 6
_EFFECTS = tuple(f"{action:<12}{does}" for action, does in texts.EFFECTS.items())
GLOSSARY = (
    "A meld is an action, a country (an alliance: two) and a number card, whose value is X.",
    *(f" {line}" for line in _EFFECTS),
    "",
    "Countries: what each gives and its cubes, then the tokens of each seat. * has the most and controls;",
    "a tie controls nothing. More than 100 chips after the score phase end the game. L: the Leader token.",
    "",
    "While trading, word an offer of your own:",
    " offer 2 give england, 3 chips want any number, any action",
    " offer all give two want 2 chips",
    " counter 5 give war want spain, 1 chip          (5 is the offer that you answer)",
    " r looks whether anybody has answered",
)


def tint(seat: int, text: str) -> str:
    """Return text in the seat's colour."""
    return paint(text, _PAINTS[seat])


def name(seat: int, own: int | None) -> str:
    """Return what a seat is called on screen."""
    return tint(seat, f"seat {seat}") + (" (you)" if seat == own else "")


def draw(table: Table, own: int | None) -> list[str]:
    """Return the table."""
    lines = [header(table, own), *(clip(line, WIDTH) for line in beside(countries(table), seats(table, own), _LEFT))]
    step = table.step
    if step is not None and step.cards:
        lines.append(f"Meld of {name(step.seat, own)}: {texts.cards(step.cards)}")
    if step is not None and step.action is not None and step.left:
        lines.append(f"Tokens left to remove or move: {step.left}")
    if own is not None:
        lines += wrap(f"Your hand: {by_type(table.players[own].hand)}", WIDTH)
    return [*lines, *(clip(_offer(offer, own), WIDTH) for offer in table.offers[-_OFFERS:])]


def header(table: Table, own: int | None) -> str:
    """Return the line above the countries."""
    over = table.phase == Phase.OVER
    parts = [
        paint("Masters of Europe", "bold"),
        f"round {table.round}",
        "the game is over" if over else f"{table.phase}",
        "watching" if own is None else f"you are {name(own, None)}",
        *([] if over else [f"ends above {VICTORY_CHIPS} chips"]),
        f"deck {table.deck}",
        f"discards {len(table.discard)}",
    ]
    return clip(" · ".join(parts), WIDTH)


def countries(table: Table) -> list[str]:
    """Return a line for each country: what it gives, and the tokens of each seat."""
    head = "country      chips" + "".join(pad("", _COLUMN - 1) + tint(p.seat, str(p.seat)) for p in table.players)
    return [head, *map(_country, table.countries)]


def _country(country: Country) -> str:
    gives = str(country.points) + (f"+{country.cubes}" if country.cubes else "")
    line = f"{COUNTRY_NAMES[country.id]:<13}{gives:<5}"
    for seat, count in enumerate(country.tokens):
        text = ("*" if country.controller == seat else "") + (str(count) if count else ".")
        line += " " * (_COLUMN - len(text)) + (tint(seat, text) if count else paint(text, "dim"))
    return line


def seats(table: Table, own: int | None) -> list[str]:
    """Return two lines for each seat: what it has, and what one knows of its hand."""
    lines = []
    for player in table.players:
        lines += [_seat(table, player, own), _known(player)]
    # With few seats the second line of who is not known to hold anything may go.
    return lines if len(table.players) > 6 else [line for line in lines if line]


def _seat(table: Table, player: Player, own: int | None) -> str:
    done = " · done" if player.done else ""
    leader = " L" if player.seat == table.leader else ""
    line = f"{name(player.seat, own)}{leader} {paint(texts.count(player.chips, 'chip'), 'bold')}"
    return f"{line} · {texts.count(player.cards_in_hand, 'card')} · rules {player.countries}{done}"


def _known(player: Player) -> str:
    return paint(f"  holds {texts.cards(player.known_hand)}", "dim") if player.known_hand else ""


def by_type(cards: Sequence[str]) -> str:
    """Return cards by type: countries, actions, numbers; equal ones together."""
    parts = []
    for kind in CARD_KINDS:
        here = [card for card in cards if CARDS[CARD_INDEX[card]].kind is kind]
        counted = [(card, here.count(card)) for card in dict.fromkeys(here)]
        if counted:
            parts.append(", ".join(texts.card(card) + (f" x{count}" if count > 1 else "") for card, count in counted))
    return " | ".join(parts) or "nothing"


def _offer(offer: Offer, own: int | None) -> str:
    whom = "all" if offer.to is None else name(offer.to, own)
    if offer.give is None or offer.want is None:
        terms = "between them"
    else:
        terms = f"{texts.bundle(offer.give)} for {texts.bundle(offer.want)}"
    refused = f" (declined by {', '.join(map(str, offer.declined))})" if offer.declined else ""
    return f"Offer {offer.id} of {name(offer.seat, own)} to {whom}: {terms}{refused}"


def cards(table: Table, own: int | None) -> list[str]:
    """Return the page of cards: the own hand, the discards, what actions do."""
    lines = [] if own is None else [paint("YOUR HAND", "bold"), *wrap(by_type(table.players[own].hand), WIDTH), ""]
    lines += [paint(f"DISCARDS ({len(table.discard)})", "bold"), *wrap(by_type(sorted_cards(table.discard)), WIDTH)]
    return [*lines, "", paint("ACTIONS", "bold"), *(f" {line}" for line in _EFFECTS)]


def sorted_cards(names: Sequence[str]) -> list[str]:
    """Return cards in the order of the card list."""
    return sorted(names, key=CARD_INDEX.__getitem__)


def others(table: Table, own: int | None) -> list[str]:
    """Return the page of offers and rolls: every standing offer in full, the rolls for the Leader token."""
    lines = [paint("STANDING OFFERS", "bold")]
    for offer in table.offers:
        lines += wrap(_offer(offer, own), WIDTH)
    lines += ["none"] if not table.offers else []
    lines += ["", paint("ROLLS FOR THE LEADER TOKEN", "bold")]
    for roll in table.leader_rolls:
        lines.append(", ".join(f"seat {seat}: {die}" for seat, die in zip(roll.seats, roll.dice, strict=True)))
    return lines
