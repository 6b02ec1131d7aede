"""Hold the game's README to its word: every paragraph of the rulebook has its place in the code and its test."""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.games.masters_of_europe import RULES

HERE = Path(__file__).parent
PACKAGE = "engine.games.masters_of_europe"
README = HERE.parents[2] / "engine" / "games" / "masters_of_europe" / "README.md"

#: Chapters of the rulebook in its order, with how many paragraphs (lines under the chapter's heading) each has.
CHAPTERS = {
    "Introduction": 2,
    "Victory": 4,
    "The Map": 18,
    "Control Tokens": 1,
    "Victory Chips": 2,
    "Industry Cubes": 2,
    "The Master Deck": 5,
    "Leader Token": 3,
    "Setup": 4,
    "Round Sequence": 6,
    "Draw Phase": 2,
    "Trade Phase": 1,
    "Action Phase": 10,
    "War Meld": 2,
    "Marriage Meld": 3,
    "Royalty Meld": 2,
    "Industry Meld": 2,
    "Treaty Meld": 2,
    "Revolution Meld": 3,
    "Absolutism Meld": 3,
    "Alliance Meld": 3,
    "Score Phase": 5,
    "End Phase": 3,
    "Master Card List Notation": 5,
    "Master Deck Card List": 30,
}

_ROW = re.compile(r"^\| (?P<chapter>.+?) (?P<number>\d+): .+? \| (?P<where>.+?) \| (?P<tests>.*?) \|$")
_TEST = re.compile(r"(test_\w+)\.py::(test_\w+)")


def text() -> str:
    return README.read_text(encoding="utf-8")


def rows() -> list[re.Match[str]]:
    return [match for line in text().partition("\n## Index\n")[2].splitlines() if (match := _ROW.match(line))]


def rulings() -> list[str]:
    part = text().partition("\n## Rulings\n")[2].partition("\n## Index\n")[0]
    return [line for line in part.splitlines() if line.startswith("| ") and not line.startswith(("| ruling", "| ---"))]


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
            found = getattr(found, part)
        return found
    raise ImportError(name)


def test_every_paragraph_has_one_row_in_order() -> None:
    expected = [(chapter, n) for chapter, count in CHAPTERS.items() for n in range(1, count + 1)]
    assert [(row["chapter"], int(row["number"])) for row in rows()] == expected


def test_every_row_of_the_index_can_be_read() -> None:
    lines = [line for line in text().partition("\n## Index\n")[2].splitlines() if line.startswith("|")][2:]
    assert len(rows()) == len(lines) == sum(CHAPTERS.values())


def test_every_paragraph_names_a_test() -> None:
    assert [row[0] for row in rows() if not _TEST.search(row["tests"])] == []


def test_every_test_named_exists() -> None:
    assert sorted(set(_TEST.findall(text())) - existing_tests()) == []


def test_every_ruling_names_its_source_and_a_test() -> None:
    assert len(rulings()) > 30
    assert [
        line for line in rulings() if not re.search(r"\| \[(rulebook|note|ours)\] \|", line) or not _TEST.search(line)
    ] == []


def test_every_place_named_exists() -> None:
    for row in rows():
        names = re.findall(r"[\w.]+", row["where"])
        assert names, row[0]
        for name in names:
            assert resolve(name) is not None, row[0]


def test_the_counts_of_sources_told_are_those_of_the_data() -> None:
    told = dict(zip(("rulebook", "ours"), map(int, re.findall(r"(\d+) (?:records rest|is ours)", text())), strict=True))
    assert told == RULES.info.provenance


@pytest.mark.parametrize("option", RULES.info.options, ids=lambda option: option.name)
def test_every_option_is_told_and_marked_among_the_rulings(option: Any) -> None:
    assert f"| `{option.name}` |" in text()
    assert all(f"`{choice}`" in text() for choice in option.choices)
    assert [line for line in rulings() if line.startswith("| * ") and f"(option {option.name}" in line]
