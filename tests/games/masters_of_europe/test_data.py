"""Hold data packs to what the rules can play with."""

import re

import pytest

from engine.games.masters_of_europe.data import TABLES
from services.cli import datapack
from tests.games.packs import pack, tried

GAME = "masters_of_europe"


def test_the_unchanged_template_is_a_good_pack(tmp_path):
    assert datapack.write(tmp_path, GAME) == len(TABLES)
    assert re.fullmatch(r"[0-9a-f]{64}\n", tried(tmp_path, GAME))


@pytest.mark.parametrize(
    ("table", "path", "value"),
    [
        ("map", ("points", "minor"), 3),
        ("master_deck", ("copies", "number"), 10),
        ("setup", ("victory", "chips"), 60),
        ("setup", ("seats", "max"), 6),
    ],
)
def test_a_host_may_change_figures(tmp_path, table, path, value):
    assert re.fullmatch(r"[0-9a-f]{64}\n", tried(pack(tmp_path, GAME, table, path, value), GAME))


@pytest.mark.parametrize(
    ("table", "path", "value", "says"),
    [
        ("map", ("points",), None, "points.major: missing"),
        ("map", ("points", "minor"), "two", "points.minor: Expected `int`"),
        ("map", ("countries", 2, "size"), "vast", "countries, spain: Invalid enum value 'vast'"),
        ("map", ("countries", 2, "colour"), "red", "countries, spain: Object contains unknown field `colour`"),
        ("map", ("countries", 2, "id"), "france", "countries: france occurs twice"),
        ("master_deck", ("copies", "action"), 0, "copies: Expected `int` >= 1"),
        ("master_deck", ("actions", 0), "peace", "actions: Invalid enum value 'peace'"),
        ("master_deck", ("actions", 0), "treaty", "actions: must list each action once"),
        ("master_deck", ("numbers", 0), "two", "numbers: must list each number once"),
        ("master_deck", ("numbers", 0), "spain", "numbers: a number is called like another card"),
        ("setup", ("seats", "max"), 9, "seats: from at least 2 to at most 8"),
        ("setup", ("tokens", "placed"), 76, "tokens: there is no room"),
        ("setup", ("treaty", "discard"), 3, "treaty.discard: must not be more than are drawn"),
        ("setup", ("victory", "chips"), 0, "victory.chips: Expected `int` >= 1"),
    ],
)
def test_a_pack_that_cannot_be_used_is_refused_with_file_and_field(tmp_path, table, path, value, says):
    error = tried(pack(tmp_path, GAME, table, path, value), GAME)
    assert f"{table}.yaml: {says}" in error
    assert str(tmp_path) in error


def test_a_pack_that_is_no_yaml_is_refused(tmp_path):
    (tmp_path / GAME).mkdir()
    (tmp_path / GAME / "map.yaml").write_text("countries: [")
    assert "not YAML" in tried(tmp_path, GAME)
