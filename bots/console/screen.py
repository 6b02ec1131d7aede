"""Put a screen together that fits 100 by 40: the table, what happened, the question, a page of numbered answers."""

from collections.abc import Sequence

from bots.console import menu
from bots.console.text import HEIGHT, WIDTH, clip, paint, wrap

#: Lines kept for the footer and the prompt.
_FOOTER = 2
_LEAST_OPTIONS = 5
_LEAST_NEWS = 8
#: The line between the table and what happened.
RULE = paint("─" * WIDTH, "dim")


def compose(
    table: Sequence[str],
    news: Sequence[str],
    question: str,
    options: Sequence[str],
    page: int,
    keys: Sequence[str] = (),
    *,
    only: str = "",
    hint: str = "",
) -> tuple[list[str], int]:
    """Return the lines of a screen (one is left for the prompt) and how many pages the answers take.

    The newest news stay; older ones give way to the answers, which give way to the table. `keys` name the game's own
    pages in the line at the foot; with `only` the answers are those with these words; `hint` stands below them.
    """
    body = [clip(line, WIDTH) for line in table]
    moves = menu.numbered(options)
    found = menu.find(moves, only) if only else moves
    asked = _asked(question, f"the {len(found)} of {len(moves)} moves with {only!r}" if only else "")
    room = HEIGHT - _FOOTER - len(body) - len(asked) - 1 - bool(hint)
    wanted = min(menu.height(found), max(_LEAST_OPTIONS, room - _LEAST_NEWS))
    told = [line for text in news for line in wrap(text, WIDTH)]
    latest = _newest(told, max(0, room - wanted))
    rows = max(_LEAST_OPTIONS, room - len(latest))
    shown, pages = menu.menu(found, page, rows)
    where = [f"n/p: page {page % pages + 1} of {pages}"] if pages > 1 else []
    where += ["Enter: all moves"] if only else []
    if pages > 1 and not only:
        asked = _asked(question, f"{len(moves)} moves; type words to find some")
    lines = [*body, RULE, *latest]
    lines += [paint(line, "bold") for line in asked]
    lines += [*shown, *([paint(clip(hint, WIDTH), "dim")] if hint else [])]
    return [*lines, foot(["number = choose", *where, *keys])], pages


def _asked(question: str, about: str) -> list[str]:
    """Return the question in at most two lines, and about its moves as far as that fits into the last of them."""
    *lines, last = wrap(question, WIDTH)[:2]
    longer = f"{last} ({about})"
    return [*lines, longer if about and len(longer) <= WIDTH else last]


def foot(parts: Sequence[str]) -> str:
    """Return the line at the foot: what is to be done or waited for, then keys, the common ones last."""
    keys = " · l log · h help · q quit"
    return paint(clip(" · ".join(parts), WIDTH - len(keys)) + keys, "dim")


def _newest(told: Sequence[str], rows: int) -> list[str]:
    """Return the last lines that fit, below a line that says how many are left out."""
    if len(told) <= rows:
        return list(told)
    if rows < 2:
        return list(told[len(told) - rows :])
    left = len(told) - rows + 1
    return [paint(f"... {left} earlier lines: l", "dim"), *told[left:]]
