"""Write what does not fit on the main screen of Rurik: borders, cards, other mats, the Rebellion. Pure functions."""

from typing import Any

import msgspec

from bots.console.rurik import BORDERS, card, draw_mat, mark, name, tint
from bots.console.text import WIDTH, beside, clip, paint, wrap
from engine.core.effects import Effect
from engine.games.rurik.data import AGENDAS, DEEDS, REGION_NAMES, SCHEMES, Deed
from engine.games.rurik.table import Table

_DEEDS = {deed.id: deed for deed in DEEDS}
_AGENDAS = {agenda.id: agenda for agenda in AGENDAS}
_SCHEMES = {scheme.id: scheme for scheme in SCHEMES}

GLOSSARY = (
    "Map: b3* are three blue troops and the blue leader; reb is a rebel, neu a neutral troop; Cb Mb Sb are a church, a",
    "market and a stronghold of blue; rule:b says who rules. A good in brackets has been taxed and is not there.",
    "Boxes that touch border each other, except across a wall of #; 'b' lists every border, corners included.",
    "Strategy board: 3 are points, 1$2 one point that costs two coins, ^ the first player marker; b5+2 is blue's",
    "advisor 5 with a bribe of 2. Highest power stands on top; lowest number resolves first.",
)


def borders(table: Table) -> list[str]:
    """Return each region in play with the regions it borders."""
    here = [region.id for region in table.regions]
    lines = [paint("BORDERS", "bold")]
    for region in here:
        near = ", ".join(REGION_NAMES[other] for other in BORDERS[region] if other in here)
        lines.append(f" {REGION_NAMES[region]:<12} {near}")
    return lines


def cards(table: Table, own: int | None) -> list[str]:
    """Return the deed row and the viewer's cards with what they say, and the schemes it knows on the decks."""
    lines = [paint("DEED ROW", "bold") + f"  ({table.deed_deck} more in the deck)"]
    lines += [line for deed in table.deed_row for line in wrap(_deed(deed), WIDTH)]
    if own is not None:
        player = table.players[own]
        lines.append(paint("YOUR CARDS", "bold"))
        for deed in player.deeds:
            lines += wrap(_deed(deed), WIDTH)
        lines += [f"scheme {card(c)}: {_scheme(c)}" for c in player.hand]
        lines += [f"agenda {card(c)}: {_AGENDAS[c].means}" for c in (player.agenda,) if c]
    for number, (size, known) in enumerate(
        zip(table.scheme_decks, (table.known_first, table.known_second), strict=False), 1
    ):
        seen = ", ".join(card(c) if c else "?" for c in known)
        lines.append(f"scheme deck {number}: {size} cards{f', from the top you know: {seen}' if seen else ''}")
    discarded = ", ".join(card(c) for c in table.scheme_discard)
    return [*lines, *wrap(f"scheme discard: {discarded or '-'}", WIDTH)]


def others(table: Table, own: int | None) -> list[str]:
    """Return the mats of all other seats, two beside each other, and what lies open of the Rebellion."""
    mats = [draw_mat(table, p.seat, 48) for p in table.players if p.seat != own]
    lines: list[str] = []
    for i in range(0, len(mats), 2):
        lines += beside(mats[i], mats[i + 1] if i + 1 < len(mats) else [], 50)
    return [*lines, *_rebellion(table)]


def _rebellion(table: Table) -> list[str]:
    rebellion = table.rebellion
    if rebellion is None:
        return []
    lines = [paint("THE REBELLION", "bold") + f"  {rebellion.difficulty}, priority {rebellion.priority}"]
    order = " > ".join(REGION_NAMES[r] for r in rebellion.location_order)
    lines += wrap(f"card {rebellion.top_card}, location order: {order}", WIDTH)
    lines.append(f"build order: {' > '.join(rebellion.build_order)}")
    for bonus in rebellion.bonuses:
        state = "locked" if bonus.locked else "open"
        what = bonus.bonus.replace("_", " ")
        lines.append(f" {state:<7} {bonus.priority:<7} with {bonus.on_action}: {bonus.amount} {what}")
    return lines


def names(table: Table, own: int | None) -> list[str]:
    """Return who plays which letter."""
    return [tint(table, p.seat, f" {mark(table, p.seat)} {name(table, p.seat, own)}") for p in table.players]


def _deed(identifier: str) -> str:
    deed = _DEEDS.get(identifier)
    return (
        f"deed {identifier}" if deed is None else f"deed {deed.name} ({deed.vp} VP): {_needs(deed)} -> {_gives(deed)}"
    )


def _needs(deed: Deed) -> str:
    return "; ".join(_terms(deed.require, "have") + _terms(deed.cost, "spend")) or "nothing"


def _terms(struct: msgspec.Struct, verb: str) -> list[str]:
    """Return one phrase for each field that a card's record sets."""
    terms = []
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        if value:
            terms.append(f"{verb} {_phrase(field.name, value)}")
    return terms


def _phrase(label: str, value: Any) -> str:
    words = label.replace("_", " ")
    if value is True:
        return words
    if isinstance(value, dict):
        inner = ", ".join(f"{v} {str(k).replace('_', ' ')}" for k, v in value.items())
        return inner if label == "goods" else f"{words}: {inner}"
    if isinstance(value, tuple):
        return f"{words}: {', '.join(value)}"
    return f"{words} {value}"


def _gives(deed: Deed) -> str:
    return _effects(deed.effects)


def _scheme(identifier: str) -> str:
    scheme = _SCHEMES[identifier]
    cost = f", costs {scheme.coin_cost}" if scheme.coin_cost else ""
    return _effects(scheme.effects) + cost + (", casualty icon" if scheme.casualty else "")


def _effects(effects: tuple[Effect, ...]) -> str:
    return ", ".join(f"{e.amount} {e.op.replace('_', ' ')}" for e in effects)


def clipped(lines: list[str]) -> list[str]:
    """Return lines cut to the width of the screen."""
    return [clip(line, WIDTH) for line in lines]
