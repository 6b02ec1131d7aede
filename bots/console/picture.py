"""Draw the README's picture: the screen of a seeded solo match in the middle of its third round, as an SVG file."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

from bots.console import games, rurik, screen
from bots.console.text import HEIGHT, WIDTH
from bots.policies import BLIND, SIGHTED
from engine.core.events import seen_by
from engine.core.registry import GAMES
from engine.core.rules import View

SEED = 11
ROUND = 3
#: The picture shows the first decision of the round's action phase with so many moves, after the rival has acted.
MOVES = 4
RIVAL = "Rebellion"
FILE = Path(__file__).parent / "picture.svg"

_CELL_WIDTH, _LINE_HEIGHT, _MARGIN = 8.4, 17, 14
_COLOURS = {
    "1": 'font-weight="bold"',
    "2": 'fill="#7d8590"',
    "31": 'fill="#ff7b72"',
    "32": 'fill="#7ee787"',
    "33": 'fill="#e3b341"',
    "94": 'fill="#79c0ff"',
    "35": 'fill="#d2a8ff"',
    "36": 'fill="#56d4dd"',
    "97": 'fill="#ffffff"',
    "91": 'fill="#ffa198"',
}
_PARTS = re.compile(r"\x1b\[(\d+)m(.*?)\x1b\[0m")


def lines(seed: int = SEED) -> list[str]:
    """Return the screen of the match: greedy on seat 0, the easy Rebellion on seat 1."""
    view, news = _play(seed)
    rules = GAMES["rurik"]
    options = [rules.describe(action, view) for action in view.legal]
    question = rules.describe(view.decision, view)
    return [*screen.compose(rurik.draw(view.table, 0), news, question, options, 0, games.foot("rurik"))[0], "> "]


def _play(seed: int) -> tuple[View, list[str]]:
    rules, rng, news = GAMES["rurik"], Random(seed), [""]
    state = rules.initial_state(rules.config(2, {"automa": {1: "easy"}}), seed)
    while True:
        decision = rules.pending(state)[0]
        view = rules.observe(state, decision.seat)
        table = view.table
        own = decision.seat == 0 and table.round == ROUND and table.phase == "action"
        if own and len(view.legal) >= MOVES and any(RIVAL in line for line in news):
            return view, news
        if decision.automa:
            index = BLIND["automa"](len(view.legal), rng)
        else:
            index = SIGHTED["greedy"](view, rng)
            news = []
        step = rules.apply(state, decision.seat, view.legal[index])
        state = step.state
        seen = (seen_by(emitted, 0) for emitted in step.events)
        after = rules.observe(state, 0)
        news += [rules.describe(event, after) for event in seen if event is not None]


def svg(screen_lines: Sequence[str]) -> str:
    """Return a drawing of coloured terminal lines."""
    width = round(WIDTH * _CELL_WIDTH + 2 * _MARGIN)
    height = HEIGHT * _LINE_HEIGHT + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#c9d1d9">',
    ]
    for number, line in enumerate(screen_lines):
        y = _MARGIN + (number + 1) * _LINE_HEIGHT - 4
        parts += [_text(x, y, text, style) for x, text, style in _runs(line) if text.strip()]
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _runs(line: str) -> list[tuple[int, str, str]]:
    """Return the column, text and style of each run of one colour."""
    runs, column, last = [], 0, 0
    for match in _PARTS.finditer(line):
        before = line[last : match.start()]
        runs += [(column, before, ""), (column + len(before), match[2], _COLOURS[match[1]])]
        column += len(before) + len(match[2])
        last = match.end()
    return [*runs, (column, line[last:], "")]


def _text(column: int, y: int, text: str, style: str) -> str:
    stripped = text.lstrip()
    x = _MARGIN + (column + len(text) - len(stripped)) * _CELL_WIDTH
    stripped = stripped.rstrip()
    # The stated length keeps columns aligned whatever font the viewer has.
    attributes = [
        f'x="{x:.1f}" y="{y}" xml:space="preserve"',
        f'textLength="{len(stripped) * _CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"',
        *([style] if style else []),
    ]
    return f"<text {' '.join(attributes)}>{escape(stripped)}</text>"


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="python -m bots.console.picture", description=__doc__)
    parser.add_argument("--to", type=Path, default=FILE, help="file to write (default: beside this module)")
    path: Path = parser.parse_args().to
    path.write_text(svg(lines()))
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
