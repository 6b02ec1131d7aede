"""Hold the game's README to its word: every paragraph of the rulebook has its place in the code and its test."""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.games.rurik import RULES

HERE = Path(__file__).parent
PACKAGE = "engine.games.rurik"
README = HERE.parents[2] / "engine" / "games" / "rurik" / "README.md"

#: Chapters of the rulebook in its order, with how many paragraphs (lines under the chapter's heading) each has.
CHAPTERS = {
    "Paths to Victory": 8,
    "Game Components": 26,
    "Leaders": 9,
    "Credits": 1,
    "Game Setup": 30,
    "Gameplay Overview": 5,
    "Ruling Regions": 2,
    "1. Strategy Phase": 1,
    "Power vs. Initiative": 2,
    "Placing Advisors": 5,
    "Adding Bribes": 2,
    "2. Action Phase": 1,
    "Resolving Advisors": 1,
    "Taking Actions": 11,
    "Muster": 2,
    "Move": 2,
    "Attack": 7,
    "Tax": 5,
    "Build": 8,
    "Scheme": 3,
    "Bonus Actions": 5,
    "Playing Schemes": 2,
    "Accomplishing Deeds": 2,
    "Converting Goods": 4,
    "3. Claim Phase": 2,
    "A) Advance on Claim Tracks": 5,
    "B) Earn Income": 3,
    "C) Choose Deed Cards": 2,
    "D) Refresh Conversion Tokens": 1,
    "E) Replenish Goods": 1,
    "F) Advance Round Marker": 1,
    "End of the Game": 6,
    "Alternate Board Variant": 1,
    "Rebel Rewards Variant": 1,
    "Deed Row Variant": 1,
    "Solo Mode": 4,
    "Rebellion Setup": 7,
    "Game Board Setup": 3,
    "Gameplay Differences for You": 4,
    "Rebellion Cards": 5,
    "Rebellion Strategy": 6,
    "Rebellion Action": 32,
    "Rebellion Claim": 9,
    "Rebellion Scoring": 5,
    "Deed Card Reference": 26,
    "Agenda Card Reference": 12,
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
    assert len(lines) > 50
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


def test_the_designer_is_named() -> None:
    """Credits 1."""
    assert "Stanislav Kordonskiy" in README.read_text(encoding="utf-8")
    assert "Stanislav Kordonskiy" in str(import_module(PACKAGE).__doc__)
