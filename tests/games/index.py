"""Hold a game's README to its word: every paragraph of its rulebook has its place in the code and its test."""

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from engine.core.registry import GAMES

_GAMES = Path(__file__).parents[2] / "engine" / "games"
_ROW = re.compile(r"^\| (?P<chapter>.+?) (?P<number>\d+): .+? \| (?P<where>.+?) \| (?P<tests>.*?) \|$")
_TEST = re.compile(r"(test_\w+)\.py::(test_\w+)")


class RulebookIndex:
    """Be the tests of one README; a game's class names the game and counts the paragraphs of its rulebook.

    `chapters` are the chapters in their order, with how many paragraphs (lines under the heading) each has; `sources`
    are the kinds of source as the README tells their counts, in order, and `told` finds those.
    """

    game: ClassVar[str]
    chapters: ClassVar[dict[str, int]]
    least_rulings: ClassVar[int] = 30
    sources: ClassVar[tuple[str, ...]] = ("rulebook", "public", "derived", "proposed")
    told: ClassVar[str] = r"(\d+) (?:rest|on public|are)"

    @property
    def text(self) -> str:
        return (_GAMES / self.game / "README.md").read_text(encoding="utf-8")

    @property
    def index(self) -> list[str]:
        return self.text.partition("\n## Index\n")[2].splitlines()

    @property
    def rows(self) -> list[re.Match[str]]:
        return [match for line in self.index if (match := _ROW.match(line))]

    @property
    def rulings(self) -> list[str]:
        part = self.text.partition("\n## Rulings\n")[2].partition("\n## Index\n")[0]
        head = ("| ruling", "| ---")
        return [line for line in part.splitlines() if line.startswith("| ") and not line.startswith(head)]

    def resolve(self, name: str) -> Any:
        """Return what a dotted name below the package stands for; raise AttributeError or ImportError."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            try:
                found: Any = import_module(".".join(["engine.games", self.game, *parts[:length]]))
            except ModuleNotFoundError:
                continue
            for part in parts[length:]:
                # Fields of a Struct are named on its class too, as slots.
                found = getattr(found, part)
            return found
        raise ImportError(name)

    def test_every_paragraph_has_one_row_in_order(self):
        expected = [(chapter, n) for chapter, count in self.chapters.items() for n in range(1, count + 1)]
        assert [(row["chapter"], int(row["number"])) for row in self.rows] == expected

    def test_every_row_of_the_index_can_be_read(self):
        lines = [line for line in self.index if line.startswith("|")][2:]
        assert len(self.rows) == len(lines) == sum(self.chapters.values())

    def test_every_paragraph_names_a_test(self):
        assert [row[0] for row in self.rows if not _TEST.search(row["tests"])] == []

    def test_every_test_named_exists(self):
        """In the index and in the rulings above it."""
        existing = {
            (path.stem, node.name)
            for path in (Path(__file__).parent / self.game).glob("test_*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef)
        }
        assert sorted(set(_TEST.findall(self.text)) - existing) == []

    def test_every_ruling_names_its_source_and_a_test(self):
        assert len(self.rulings) > self.least_rulings
        source = re.compile(r"\| \[(rulebook|note|ours)\] \|")
        assert [line for line in self.rulings if not source.search(line) or not _TEST.search(line)] == []

    def test_every_place_named_exists(self):
        for row in self.rows:
            names = re.findall(r"[\w.]+", row["where"])
            assert names, row[0]
            for name in names:
                assert self.resolve(name) is not None, row[0]

    def test_the_counts_of_sources_told_are_those_of_the_data(self):
        counts = list(map(int, re.findall(self.told, self.text)[: len(self.sources)]))
        assert dict(zip(self.sources, counts, strict=True)) == GAMES[self.game].info.provenance

    def test_every_option_is_told(self):
        for option in GAMES[self.game].info.options:
            assert f"| `{option.name}` |" in self.text
            assert all(f"`{choice}`" in self.text for choice in option.choices)
