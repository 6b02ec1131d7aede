"""Hold the game's README to its word: every paragraph of the rulebook has its place in the code and its test."""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.games.europe_divided import RULES

HERE = Path(__file__).parent
PACKAGE = "engine.games.europe_divided"
README = HERE.parents[2] / "engine" / "games" / "europe_divided" / "README.md"

#: Chapters of the rulebook in its order, with how many paragraphs (lines under the chapter's heading) each has.
CHAPTERS = {
    "Components": 21,
    "Setup: Game Board": 1,
    "Setup: Headlines": 8,
    "Setup: Starting Action Cards": 2,
    "Setup: Money": 2,
    "Setup: Advantage Cards": 1,
    "Setup: Contested Region Action Cards": 1,
    "Setup: Dice and Markers": 1,
    "Setup: Armies": 2,
    "Component Limits": 2,
    "Game Overview": 4,
    "Game Turn": 12,
    "1. Advance Turn Marker": 1,
    "2. Initiative": 2,
    "3. Actions": 1,
    "4. Draw New Action Cards": 1,
    "5. Resolve Headlines": 2,
    "6. Shift Headlines": 2,
    "7. Place New Headlines": 2,
    "8. Discard Headlines": 2,
    "9. Draw New Headlines": 5,
    "Action Cards": 1,
    "Action Cards: Banner": 1,
    "Action Cards: Initiative": 1,
    "Action Cards: Actions in Colours": 1,
    "Russia Player": 1,
    "Europe Player": 1,
    "Special Actions, Effects and Reactions": 2,
    "Place Influence": 2,
    "Increase Influence": 6,
    "Gain Money": 2,
    "Build Army": 4,
    "Move Army": 5,
    "Special Actions": 2,
    "Effects and Reactions": 7,
    "Military Presence": 3,
    "Army vs. Army": 5,
    "Army vs. Influence Dice": 5,
    "Sea Cards": 1,
    "Baltic Sea": 1,
    "Black Sea": 4,
    "Advantage Cards": 1,
    "Advantage Cards: Special Action": 1,
    "Advantage Cards: Money": 1,
    "Advantage Cards: Prestige": 3,
    "Headlines": 1,
    "Headlines: Period": 1,
    "Headlines: Banner": 1,
    "Headlines: Affected Regions": 1,
    "Headlines: Conditions": 1,
    "Headlines: Award Value": 1,
    "Headlines: Background": 3,
    "Headline Conditions": 12,
    "Headlines of Period 1": 17,
    "Headlines of Period 2": 16,
    "Turn 8": 1,
    "Turn 10": 2,
    "Turn 16": 1,
    "Turn 20": 2,
    "Determining Victory": 1,
    "Credits": 8,
}

_ROW = re.compile(r"^\| (?P<chapter>.+?) (?P<number>\d+): .+? \| (?P<where>.+?) \| (?P<tests>.*?) \|$")
_TEST = re.compile(r"(test_\w+)\.py::(test_\w+)")


def rows() -> list[re.Match[str]]:
    index = README.read_text(encoding="utf-8").partition("\n## Index\n")[2]
    return [match for line in index.splitlines() if (match := _ROW.match(line))]


def existing_tests() -> set[tuple[str, str]]:
    found = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.add((path.stem, node.name))
    return found


def resolve(name: str) -> Any:
    """Return what a dotted name below the package stands for; raise AttributeError or ImportError."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join([PACKAGE, *parts[:length]]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            # Fields of a Struct are named on its class too, as slots.
            found = getattr(found, part)
        return found
    raise ImportError(name)


@pytest.mark.parametrize(("chapter", "count"), CHAPTERS.items(), ids=str)
def test_every_paragraph_has_one_row_in_order(chapter: str, count: int) -> None:
    numbers = [int(row["number"]) for row in rows() if row["chapter"] == chapter]
    assert numbers == list(range(1, count + 1))


def test_no_row_is_of_a_chapter_that_does_not_exist() -> None:
    assert {row["chapter"] for row in rows()} <= set(CHAPTERS)


def test_every_row_of_the_index_can_be_read() -> None:
    index = README.read_text(encoding="utf-8").partition("\n## Index\n")[2]
    lines = [line for line in index.splitlines() if line.startswith("|")][2:]
    assert len(rows()) == len(lines) == sum(CHAPTERS.values())


def test_every_paragraph_names_a_test() -> None:
    assert [row[0] for row in rows() if not _TEST.search(row["tests"])] == []


def test_every_test_named_exists() -> None:
    """In the index and in the rulings above it."""
    named = set(_TEST.findall(README.read_text(encoding="utf-8")))
    assert sorted(named - existing_tests()) == []


def test_every_ruling_names_its_source_and_a_test() -> None:
    rulings = README.read_text(encoding="utf-8").partition("\n## Rulings\n")[2].partition("\n## Index\n")[0]
    lines = [
        line for line in rulings.splitlines() if line.startswith("| ") and not line.startswith(("| ruling", "| ---"))
    ]
    assert len(lines) > 30
    assert [
        line for line in lines if not re.search(r"\| \[(rulebook|note|ours)\] \|", line) or not _TEST.search(line)
    ] == []


def test_every_place_named_exists() -> None:
    for row in rows():
        names = re.findall(r"[\w.]+", row["where"])
        assert names, row[0]
        for name in names:
            assert resolve(name) is not None, row[0]


def test_the_counts_of_sources_told_are_those_of_the_data() -> None:
    text = README.read_text(encoding="utf-8")
    told = dict(
        zip(
            ("rulebook", "public", "derived", "proposed"),
            map(int, re.findall(r"(\d+) (?:rest|on public|are)", text)[:4]),
            strict=True,
        )
    )
    assert told == RULES.info.provenance


def test_every_option_is_told() -> None:
    text = README.read_text(encoding="utf-8")
    for option in RULES.info.options:
        assert f"| `{option.name}` |" in text
        assert all(f"`{choice}`" in text for choice in option.choices)


def test_the_designers_are_named() -> None:
    """Credits 1."""
    for name in ("David Thompson", "Chris Marling"):
        assert name in README.read_text(encoding="utf-8")
        assert name in str(import_module(PACKAGE).__doc__)
