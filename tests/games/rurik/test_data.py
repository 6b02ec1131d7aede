"""Hold data packs to what the rules can play with."""

import re

import pytest

from engine.games.rurik.data import TABLES
from services.cli import datapack
from tests.games.packs import pack, tried

GAME = "rurik"


def test_the_unchanged_template_is_a_good_pack(tmp_path):
    assert datapack.write(tmp_path, GAME) == len(TABLES)
    assert re.fullmatch(r"[0-9a-f]{64}\n", tried(tmp_path, GAME))


@pytest.mark.parametrize(
    ("table", "path", "value"),
    [
        ("rebels", ("sticker_rewards", 0, "amount"), 2),
        ("claim_board", ("tracks", 2, "spaces", 4, "needs"), 10),
        ("scheme_cards", ("cards", 0, "count"), 3),
        ("setup", ("per_player", "structures", "church"), 4),
        ("setup", ("per_player", "agendas_dealt"), 1),
        ("deed_cards", ("cards", 0, "cost"), {"remove_own_troops": {"count": 1, "from": "any"}}),
    ],
)
def test_a_host_may_change_figures(tmp_path, table, path, value):
    assert re.fullmatch(r"[0-9a-f]{64}\n", tried(pack(tmp_path, GAME, table, path, value), GAME))


@pytest.mark.parametrize(
    ("table", "path", "value", "says"),
    [
        ("map", ("regions", 0, "good"), "gold", "regions, novgorod: Invalid enum value 'gold'"),
        ("map", ("regions", 0, "size"), 3, "regions, novgorod: Object contains unknown field `size`"),
        ("map", ("regions", 0, "adjacent", 0), "kiev", "regions, novgorod: 'kiev' is no region that borders it"),
        ("map", ("regions", 0, "min_players"), 3, "regions: the first 8 must be those of 2 players"),
        ("map", ("regions", 0), None, "regions, rostov: 'novgorod' is no region that borders it"),
        ("setup", ("board", 2, "regions"), None, "board.2.regions: missing"),
        ("setup", ("advisors", "added", "round_3", "advisor"), 0, "advisors.added: Expected `int` >= 1"),
        ("setup", ("advisors", "added", "round_9"), {"advisor": 3, "players": [2]}, "advisors.added: 'round_9' is no"),
        ("setup", ("per_player", "agendas_dealt"), 3, "cards: too few to deal 3 each"),
        ("rebels", ("goods_tokens", "proposed", "brown", "wood"), 2, "goods_tokens: there must be 15 for 4 players"),
        ("rebels", ("sticker_rewards", 0, "count"), 1, "sticker_rewards: must be 15 or more in all"),
        ("claim_board", ("tracks", 1), None, "tracks: must be rule, build, trade"),
        ("claim_board", ("tracks", 0, "spaces", 4, "must_include", 0), "moscow", "tracks, rule: must_include names no"),
        ("strategy_board", ("sides", 0, "columns", 0), None, "sides, side_1_2: must have each column once"),
        ("strategy_board", ("sides", 1), None, "sides: there must be one for 2, 3 and 4 players"),
        ("household_mat", ("boat", "columns", 0), None, "boat.columns: there must be one for each good"),
        ("leaders", ("leaders", 0), None, "leaders: must be agatha, boris,"),
        ("scheme_cards", ("cards", 0, "reward"), [{"sing": 1}], "muster_1: unknown effect 'sing'"),
        ("deed_cards", ("cards", 0, "cost"), {"gold": 1}, "cards, amass_forces: Object contains unknown field `gold`"),
        ("agenda_cards", ("cards", 0, "metric"), "songs", "cards, capable: Invalid enum value 'songs'"),
        ("agenda_cards", ("cards", 0, "id"), "wealthy", "cards: wealthy occurs twice"),
        ("solo_mats", ("mats", 0, "columns", 0, "spaces", 0, "bonus"), "songs", "mats, easy: Invalid enum value"),
        ("solo_mats", ("mats", 0), None, "mats: must be easy, medium, hard, very_hard"),
        ("solo_cards", ("cards", 0, "location_order", 0), "azov", "cards, 1: location_order must list the 8 green"),
        (
            "solo_cards",
            ("cards", 0, "priorities", 0, "strategy", 0, "advisor"),
            5,
            r"cards, 1, attack: strategy must place advisors [1, 2, 2, 3, 4, 5] once each",
        ),
    ],
)
def test_a_pack_that_cannot_be_used_is_refused_with_file_record_and_field(tmp_path, table, path, value, says):
    error = tried(pack(tmp_path, GAME, table, path, value), GAME)
    assert says in error
    assert ".yaml: " in error
