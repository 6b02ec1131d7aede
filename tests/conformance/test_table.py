"""Hold a table to what the flow of a view tells: a client without the engine knows as much as ours with it.

Every field of a state is named here with the fields of the table that show it to those who may know it; whoever adds
one must say where it is seen.
"""

from typing import Any, get_args

import msgspec
import pytest

from engine.core.registry import GAMES
from engine.games.europe_divided import state as europe_divided
from engine.games.masters_of_europe import state as masters_of_europe
from engine.games.rurik import state as rurik

#: Beside the table: the options of a match, a generator that nobody sees, the stack, whose top `step` tells.
ELSEWHERE = {"config", "rng", "flow"}

#: By game and Struct of its state: each field with the paths in the table that show it.
SHOWN: dict[str, dict[Any, dict[str, str]]] = {
    "rurik": {
        rurik.StateOf: {
            "players": "players",
            "columns": "columns.spaces.advisor",
            "rebels": "regions.rebels",
            "neutrals": "regions.neutrals",
            "icons": "regions.good",
            "goods": "regions.has_good",
            "built": "regions.structures",
            "decks": "scheme_decks",
            "discard": "scheme_discard",
            "deed_deck": "deed_deck",
            "deed_row": "deed_row",
            "deed_discard": "deed_discard",
            "reward_tokens": "players.rewards",  # those not yet drawn are the others of the known set
            "leaders": "players.leader",
            "known": "known_first known_second players.known_hand",
            "rebellion": "rebellion",
            "round": "round",
            "phase": "phase",
            "first_player": "first_player",
            "marker": "marker",
        },
        rurik.Player: {
            "troops": "regions.pieces.troops",
            "supply": "players.troops_left",
            "coins": "players.coins",
            "goods": "players.goods.boat players.goods.dock",
            "structures": "players.structures_left",
            "advisors": "players.advisors",
            "claims": "players.claims.rule players.claims.build players.claims.trade",
            "hand": "players.hand players.cards_in_hand",
            "deeds": "players.deeds",
            "accomplished": "players.accomplished",
            "rebels": "players.rewards players.defeated_rebels",
            "leader": "players.leader",
            "leader_at": "regions.pieces.leader players.leader_on_board",
            "colour": "players.colour",
            "warfare": "players.claims.warfare",
            "agendas": "players.agendas",
            "agenda": "players.agenda",
            "tokens": "players.conversions",
            "ability_used": "players.ability_used",
        },
        rurik.Known: {"decks": "known_first known_second", "hands": "players.known_hand"},
        rurik.Rebellion: {
            "seat": "rebellion.seat",
            "deck": "rebellion.seen_cards rebellion.top_card",
            "coins": "rebellion.bonuses.locked",
            "priority": "rebellion.priority",
            "turned": "rebellion.seen_cards",
            "rows": "rebellion.rows_read",
            "bottom": "rebellion.rows_read",
        },
    },
    "masters_of_europe": {
        masters_of_europe.StateOf: {
            "players": "players",
            "cubes": "countries.cubes",
            "deck": "deck",
            "discard": "discard",
            "known": "players.known_hand",
            "offers": "offers",
            "leader": "leader",
            "round": "round",
            "phase": "phase",
            "next_offer": "offers.id",  # only numbers offers; each is told as it is made
            "leader_rolls": "leader_rolls",
            "wrestling": "wrestling",
        },
        masters_of_europe.Player: {
            "tokens": "countries.tokens",
            "hand": "players.hand players.cards_in_hand",
            "chips": "players.chips",
            "offers": "players.offers_made",
            "done": "players.done",
        },
        masters_of_europe.Offer: {
            "id": "offers.id",
            "seat": "offers.seat",
            "to": "offers.to",
            "give_cards": "offers.give.cards",
            "give_chips": "offers.give.chips",
            "want_cards": "offers.want.cards",
            "want_kinds": "offers.want.kinds",
            "want_chips": "offers.want.chips",
            "declined": "offers.declined",
            "hidden": "offers.give",
        },
    },
    "europe_divided": {
        europe_divided.StateOf: {
            "players": "players",
            "dice": "regions.eu regions.nato regions.russia",
            "armies": "regions.europe_armies regions.russia_armies",
            "tokens": "regions.money_tokens energy_sector_tokens",
            "seas": "seas.holder",
            "current": "current",
            "forthcoming": "forthcoming",
            "headline_deck": "headline_deck",
            "missed": "missed",
            "sea_used": "seas.used",
            "fracture": "regions.fractured",
            "turn": "turn",
            "phase": "phase",
            "first": "first",
            "initiative": "initiative",
        },
        europe_divided.Player: {
            "money": "players.money",
            "hand": "players.hand players.cards_in_hand",
            "deck": "players.deck",
            "discard": "players.discard",
            "chosen": "players.chosen players.cards_chosen",
            "played": "players.played",
            "extra": "players.played",
            "held": "players.known_hand",
            "taken": "players.taken",
            "advantages": "players.advantages players.advantages_in_hand",
            "advantage_deck": "players.advantage_deck",
            "set_aside": "players.set_aside",
            "spent": "players.spent",
            "headlines": "players.headlines players.headlines_in_hand",
            "shelved": "players.shelved",
            "awarded": "players.awarded",
            "prestige": "players.prestige",
            "placing": "players.placing players.has_placed",
            "denied": "players.spending_denied",
        },
    },
}


def inside(kind: Any) -> Any:
    """Return the Struct inside a type: of a tuple its items', of an option its own."""
    parts = [part for part in get_args(kind) if part not in (type(None), Ellipsis)]
    return inside(parts[0]) if parts else kind


def at(table: Any, path: str) -> Any:
    """Return the type at a path in a table; raise KeyError where there is none."""
    for name in path.split("."):
        table = inside({field.name: field.type for field in msgspec.structs.fields(table)}[name])
    return table


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_a_state_has_its_place_in_the_table(game: str) -> None:
    for kind, shown in SHOWN[game].items():
        assert set(kind.__struct_fields__) - ELSEWHERE == set(shown), kind
        for paths in shown.values():
            for path in paths.split():
                at(GAMES[game].types.table, path)


@pytest.mark.parametrize("game", GAMES)
def test_the_phase_after_the_end_has_one_name_in_every_game(game: str) -> None:
    phase = at(GAMES[game].types.table, "phase")
    assert list(phase)[-1] == phase("over")
