"""Write what does not fit on the main screen of Rurik: borders, cards, other mats, the Rebellion. Pure functions."""

from typing import Any

import msgspec

from bots.console.rurik import BORDERS, card, draw_mat, mark, name, tint
from bots.console.text import WIDTH, beside, paint, wrap
from engine.core.effects import Effect
from engine.games.rurik import texts
from engine.games.rurik.data import AGENDAS, DEEDS, LEADER_NAMES, REGION_NAMES, SCHEMES, Deed
from engine.games.rurik.table import Table

_DEEDS = {deed.id: deed for deed in DEEDS}
_AGENDAS = {agenda.id: agenda for agenda in AGENDAS}
_SCHEMES = {scheme.id: scheme for scheme in SCHEMES}

#: Who leads the Rebellion, and what its leader card says instead of his own ability.
_REBEL = "sviatopolk"
_REBEL_MEANS = "its attacks in his region reveal one card fewer; it musters a troop there after a round"

GLOSSARY = (
    "Map: b3* are three blue troops and the blue leader, reb is a rebel, neu a neutral troop; Cb Mb Sb",
    "are a church, a market and a stronghold of blue; rule:b says who rules. A good in brackets has been",
    "taxed. Boxes that touch border each other, except across a wall of #; 'b' lists all borders.",
    "Strategy board: 3 are points, 1$2 one point that costs two coins, ^ the first player marker; b5+2",
    "is blue's advisor 5 with a bribe of 2. Highest power stands on top, lowest number resolves first.",
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
    return [*lines, *wrap(f"scheme discard: {discarded or '-'}", WIDTH), *leaders(table)]


def leaders(table: Table) -> list[str]:
    """Return what the leaders in play can do, all leaders while they are being chosen."""
    rival = None if table.rebellion is None else table.rebellion.seat
    mine = [p.leader for p in table.players if p.seat != rival]
    lines = [
        f" {LEADER_NAMES[leader]}: {means}"
        for leader, means in texts.ABILITIES.items()
        if leader in mine or (None in mine and (rival is None or leader != _REBEL))
    ]
    lines += [] if rival is None else [f" {LEADER_NAMES[_REBEL]} of the Rebellion: {_REBEL_MEANS}"]
    return [paint("LEADERS", "bold"), *(line for leader in lines for line in wrap(leader, WIDTH, "   "))]


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
        lines.append(
            f" {state:<7} {bonus.priority:<7} with {bonus.on_action}: {texts.bonus(bonus.bonus, bonus.amount)}"
        )
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
    terms = [f"have {_phrase(name, value)}" for name, value in _set_fields(deed.require)]
    terms += [
        f"{'remove' if 'remove' in name else 'spend'} {_phrase(name, value)}" for name, value in _set_fields(deed.cost)
    ]
    return ", ".join(terms) or "nothing"


def _set_fields(record: msgspec.Struct) -> list[tuple[str, Any]]:
    values = [(field.name, getattr(record, field.name)) for field in msgspec.structs.fields(record)]
    return [(name, value) for name, value in values if value]


#: How a field of a deed's record reads; {} is its value.
_WORDS = {
    "troops_in_one_region": "{} troops in one region",
    "occupied_regions": "troops in {} regions",
    "defeated_rebels": "{} defeated rebels",
    "first_player_marker": "the first player marker",
    "own_markets_with_different_goods_icons": "markets in {} regions with different goods",
    "coins": "{} coins",
    "goods_any": "{} goods of any kind",
    "goods_same_type": "{} goods of one kind",
    "goods_different_types": "{} goods of different kinds",
    "discard_schemes": "{} scheme card",
    "remove_own_structures": "{} of your structures",
}


def _phrase(name: str, value: Any) -> str:
    if name in _WORDS:
        return _WORDS[name].format(value)
    if name == "goods":
        return " and ".join(f"{count} {good}" for good, count in value.items())
    if name == "own_structures_same_region":
        return f"{' and '.join(value)} in one region"
    if name == "own_structure_in_adjacent_regions":
        return f"a {value.type} in each of {value.regions} adjacent regions"
    if value.one_from_each_of_regions:
        return f"a troop from each of {value.one_from_each_of_regions} regions"
    where = "" if value.place == "any" else f" from {value.place}"
    return f"{value.count} of your troops{where}"


def _gives(deed: Deed) -> str:
    return _effects(deed.effects)


def _scheme(identifier: str) -> str:
    scheme = _SCHEMES[identifier]
    cost = f", costs {scheme.coin_cost}" if scheme.coin_cost else ""
    return _effects(scheme.effects) + cost + (", casualty icon" if scheme.casualty else "")


def _effects(effects: tuple[Effect, ...]) -> str:
    return ", ".join(_EFFECTS[e.op].format(e.amount) for e in effects)


_EFFECTS = {
    "muster_points": "muster {}",
    "movement_points": "move {}",
    "attack_points": "attack {}",
    "attack_points_one_less": "attack {} with one card less for the casualty",
    "tax_points": "tax {}",
    "build_points": "build {}",
    "coins": "{} coins",
    "draw_schemes": "draw {} schemes, keep one",
    "relocate_troops": "move {} troops anywhere",
    "take_deed_cards": "take {} deed card",
}
