"""The data tables: what the rulebook fixes, and what a data pack may and may not say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.games.europe_divided import RULES
from engine.games.europe_divided.cards import CARD_INDEX, CARDS, OPS
from engine.games.europe_divided.data import CONTESTED, REGION_INDEX, TABLES
from engine.games.europe_divided.ids import EU, EUROPE, NATO, RUSSIA
from engine.games.europe_divided.stakes import HEADLINES
from services.cli import datapack
from tests.games import packs

GAME = "europe_divided"
ROOT = Path(__file__).parents[3]


def card(seat, name):
    return CARDS[CARD_INDEX[seat][name]]


def has(seat, name, op, **wanted):
    return any(
        action.op == op and all(getattr(action, key) == value for key, value in wanted.items())
        for action in card(seat, name).actions
    )


def test_initiative_sums_of_the_examples():
    assert card(EUROPE, "greece").initiative + card(EUROPE, "poland").initiative == 7
    assert card(RUSSIA, "the_president").initiative + card(RUSSIA, "eastern_balkans").initiative == 9


def test_green_cards_have_the_actions_of_the_examples():
    assert has(EUROPE, "germany", "place_influence", faction=EU)
    assert has(EUROPE, "germany", "gain_money")
    assert {action.faction for action in card(EUROPE, "uk_ireland").actions} == {EU, NATO}
    assert has(EUROPE, "austria", "gain_money")


def test_grey_cards_of_europe_have_the_actions_of_the_examples():
    assert has(EUROPE, "poland", "increase_influence", faction=EU, amount=3)
    assert has(EUROPE, "poland", "build_army")
    assert has(EUROPE, "hungary", "gain_money", faction=EU, amount=1)
    assert has(EUROPE, "hungary", "move_army", faction=NATO)
    assert has(EUROPE, "ukraine", "build_army")
    assert {action.faction for action in card(EUROPE, "armenia").actions} == {EU, NATO}
    for name in ("baltics", "poland"):
        assert EU in {action.faction for action in card(EUROPE, name).actions}


def test_cards_of_russia_have_the_actions_of_the_examples():
    assert has(RUSSIA, "the_president", "build_army", where=REGION_INDEX["moscow"])
    assert has(RUSSIA, "southern_federal_district", "move_army")
    assert has(RUSSIA, "energy_sector", "gain_money")
    assert has(RUSSIA, "belarus", "build_army")
    assert card(RUSSIA, "belarus").effects
    assert card(RUSSIA, "belarus").reactions
    assert has(RUSSIA, "armenia", "move_army")
    news = OPS[card(RUSSIA, "news_media").action.ops[0]]
    assert (news.kind, news.amount) == ("distribute_influence", 3)


def test_cards_of_regions_that_get_money_tokens_gain_money():
    for seat, names in (
        (EUROPE, ("germany", "austria", "azerbaijan", "georgia", "eastern_balkans")),
        (
            RUSSIA,
            ("energy_sector", "azerbaijan", "armenia", "belarus", "hungary", "eastern_balkans", "western_balkans"),
        ),
    ):
        assert all(has(seat, name, "gain_money") for name in names)


def test_money_is_an_eu_action_and_armies_are_nato_actions():
    for of in CARDS:
        for action in of.actions if of.owner == EUROPE else ():
            assert action.op != "gain_money" or action.faction == EU
            assert action.op not in ("build_army", "move_army") or action.faction == NATO


def test_no_single_increase_takes_a_die_to_six_with_two_cards():
    assert max(action.amount for of in CARDS for action in of.actions if action.op == "increase_influence") <= 4


def test_placing_and_building_cost_two_money():
    for of in CARDS:
        for action in of.actions:
            assert action.cost == (2 if action.op in ("place_influence", "build_army") else 0)


def test_an_army_of_a_europe_card_is_built_in_the_region_of_the_card():
    for of in CARDS:
        for action in of.actions:
            if action.op == "build_army" and (of.owner == EUROPE or of.grey):
                assert action.where == of.region


def test_awards_follow_the_pattern_of_the_printed_rows():
    exceptions = {"baltic_air_policing", "bosnian_war"}
    for headline in HEADLINES:
        kinds = sorted(pred.kind for pred in headline.condition)
        size = len(headline.regions)
        if size == 3 or (size == 2 and "army" in kinds):
            wanted = 4
        elif size == 2:
            wanted = 3
        elif kinds in (["eq"], ["army", "gt"]) or headline.condition[0].n == 2:
            wanted = 2
        else:
            wanted = 1
        assert headline.prestige == wanted + (headline.id in exceptions), headline.id


def test_proposed_figures_are_marked_and_counted():
    counts = RULES.info.provenance
    assert set(counts) == {"derived", "proposed", "public", "rulebook"}
    assert counts["proposed"] > 300


# Data packs.


def load(folder):
    """Load the game with a pack in a process of its own; return what it said."""
    command = [sys.executable, "-m", "services.cli", "datapack", "--game", "europe_divided", "--check", str(folder)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'gen'}"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


def pack(tmp_path, table, change):
    tables = packs.content(GAME, table)
    change(tables)
    return packs.write(tmp_path, GAME, table, tables)


def test_the_template_holds_every_table_with_its_fields_explained(tmp_path):
    assert datapack.write(tmp_path, "europe_divided") == len(TABLES)
    text = (tmp_path / "europe_divided" / "europe_action_cards.yaml").read_text()
    assert "#   cards[].initiative: whole number\n" in text


def test_the_unchanged_template_is_a_good_pack(tmp_path):
    datapack.write(tmp_path, "europe_divided")
    ran = load(tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "good pack for Europe Divided" in ran.stdout + ran.stderr


def test_an_owner_of_the_box_puts_printed_figures_in(tmp_path):
    def change(content):
        content["cards"][0]["initiative"] = 2
        content["cards"][0]["initiative_source"] = "rulebook"
        content["cards"][0]["actions"] = [{"op": "gain_money", "faction": "eu", "amount": 4, "source": "rulebook"}]

    ran = load(pack(tmp_path, "europe_action_cards", change))
    assert ran.returncode == 0, ran.stderr


def _initiative(content):
    content["cards"][0]["initiative"] = "high"


def _unknown_field(content):
    content["cards"][0]["speed"] = 3


def _unknown_op(content):
    content["cards"][0]["actions"][0]["op"] = "nuke"


def _foreign_faction(content):
    content["cards"][0]["actions"][0]["faction"] = "russia"


def _unknown_region(content):
    content["cards"][0]["region"] = "atlantis"


def _missing_amount(content):
    content["cards"][0]["actions"] = [{"op": "gain_money", "faction": "eu", "source": "rulebook"}]


def _one_card_less(content):
    content["cards"].pop()


def _two_alike(content):
    content["cards"][1]["id"] = content["cards"][0]["id"]


_UKRAINE = {"region": "ukraine", "faction": "russia", "at_least": 6}
_FRACTURE = {"op": "place_fracture", "regions": "any_europe_region_with_eu_actions"}


def _special(content, card, text=0, **change):
    """Change a special text of a card, or the first thing that it does."""
    special = content["cards"][card]["special"][text]
    for key, value in change.items():
        (special if key in ("trigger", "condition", "do") else special["do"][0])[key] = value


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        ("europe_action_cards", _initiative, r"europe_action_cards\.yaml: cards, germany: Expected `int`"),
        ("europe_action_cards", _unknown_field, r"germany: Object contains unknown field `speed`"),
        ("europe_action_cards", _unknown_op, r"germany: Invalid enum value 'nuke' - at `\$\.actions\[0\]\.op`"),
        ("europe_action_cards", _foreign_faction, r"germany, action place_influence: faction russia is not europe's"),
        ("europe_action_cards", _unknown_region, r"germany: no europe region is called 'atlantis'"),
        ("europe_action_cards", _missing_amount, r"germany, action gain_money: amount is missing"),
        ("europe_action_cards", _one_card_less, r"there must be 13 cards; got 12"),
        ("europe_action_cards", _two_alike, r"germany occurs twice"),
        (
            "headlines",
            lambda c: c["cards"][0].update(regions=["moscow"]),
            r"102nd_military_base, regions: no contested",
        ),
        ("headlines", lambda c: c["cards"][0].update(money_tokens=["x"]), r"money_tokens: no space is called 'x'"),
        ("headlines", lambda c: c["cards"][0].update(banner="europe"), r"headlines of period 1 for europe; got 12"),
        ("headlines", lambda c: c["cards"][0].update(prestige=-1), r"102nd_military_base: Expected `int` >= 0"),
        ("map", lambda c: c["edges"][0].update(a="atlantis"), r"edges, record 1: no region is called 'atlantis'"),
        ("map", lambda c: c["regions"].pop(0), r"there must be 12 regions of kind contested; got 11"),
        ("turn_track", lambda c: c["turns"][0].update(steps=["resolve"]), r"turns, 1: resolve cannot be done then"),
        ("turn_track", lambda c: c["turns"][7].update(steps=["resolve", "discard_2"]), r"turns, 8: discard_2 cannot"),
        ("map", lambda c: c["start_armies"].pop("russia"), r"start_armies: Object missing required field `russia`"),
        ("setup", lambda c: c["players"][0].update(id="russia"), r"players: must be europe and russia"),
        ("setup", lambda c: c["periods"].reverse(), r"periods: must be 1 and 2"),
        (
            "russia_action_cards",
            lambda c: c["cards"][0]["actions"][0].update(where="germany"),
            r"the_president, action build_army: where must not be the opponent's home",
        ),
        (
            "russia_action_cards",
            lambda c: c["cards"][0]["actions"].append(c["cards"][0]["actions"][0]),
            r"the_president: an action stands on the card twice",
        ),
        (
            "sea_cards",
            lambda c: c["cards"][0].update(tie_order=["eu", "eu", "russia"]),
            r"tie_order: must name eu, nato",
        ),
        ("setup", lambda c: c["costs"].update(further_step=None), r"setup\.yaml: Expected `int`, got `null`"),
        ("advantage_cards", lambda c: c["cards"][0].update(money=-2), r"us_sanctions: Expected `int` >= 0"),
        (
            "contested_europe_cards",
            lambda c: c["cards"][0]["special"][0].update(trigger=None),
            r"armenia, special effect: an effect or reaction has a trigger",
        ),
        (
            "europe_action_cards",
            lambda c: c["cards"][0]["actions"][4].update(where="france"),
            r"germany, action build_army: where must be the region of the card",
        ),
        (
            "contested_russia_cards",
            lambda c: c["cards"][3]["actions"][0].update(where="moscow"),
            r"belarus, action build_army: where must be the region of the card",
        ),
        (
            "contested_europe_cards",
            lambda c: _special(c, 8, faction="same_as_trigger"),
            r"moldova, special reaction: same_as_trigger has nothing to refer to",
        ),
        (
            "contested_russia_cards",
            lambda c: _special(c, 10, text=1, faction="faction_of_condition", condition=_UKRAINE),
            r"ukraine, special reaction: faction_of_condition has nothing to refer to",
        ),
        (
            "contested_europe_cards",
            lambda c: _special(c, 4, trigger={"op": "move_army"}),
            r"czechia_slovakia, special effect: trigger_region has nothing to refer to",
        ),
        (
            "contested_europe_cards",
            lambda c: _special(c, 4, each=True),
            r"czechia_slovakia, special effect: trigger_region has nothing to refer to",
        ),
        (
            "advantage_cards",
            lambda c: c["cards"][1]["do"][0].update(regions="trigger_region"),
            r"eu_funds: trigger_region has nothing to refer to",
        ),
        (
            "advantage_cards",
            lambda c: c["cards"][0].update(do=[_FRACTURE]),
            r"us_sanctions: place_fracture is for russia alone",
        ),
        (
            "contested_russia_cards",
            lambda c: _special(c, 3, text=1, do=[{"op": "play_extra_action_card", "count": 1, "draws_back": 1}]),
            r"belarus, special reaction: play_extra_action_card is for the own turn, not for a reaction",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "\\" not in value and " " not in value else None,
)
def test_a_pack_that_cannot_be_used_is_refused_with_file_record_and_field(tmp_path, table, change, says):
    error = packs.tried(pack(tmp_path, table, change), GAME)
    assert re.search(says, error), error
    assert f"{table}.yaml" in error


def test_the_command_line_refuses_a_bad_pack_without_a_trace(tmp_path):
    ran = load(pack(tmp_path, "europe_action_cards", _initiative))
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr
    assert "cards, germany: Expected `int`" in ran.stdout + ran.stderr


def test_a_pack_that_is_no_yaml_is_refused(tmp_path):
    folder = tmp_path / "europe_divided"
    folder.mkdir()
    (folder / "map.yaml").write_text("regions: [")
    assert "not YAML" in packs.tried(tmp_path, GAME)


def test_contested_regions_come_first():
    assert CONTESTED == 12
    assert all(REGION_INDEX[of.id] < CONTESTED for of in CARDS if of.grey)
