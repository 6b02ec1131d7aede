"""Put a screen together that fits 100 by 40: the table, what happened, the question, a page of numbered answers."""

from collections.abc import Sequence

from bots.console.text import HEIGHT, WIDTH, clip, menu, paint, wrap

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
) -> tuple[list[str], int]:
    """Return the lines of a screen (one is left for the prompt) and how many pages the answers take.

    The newest news stay; older ones give way to the answers, which give way to the table. `keys` name the game's own
    pages in the line at the foot.
    """
    body = [clip(line, WIDTH) for line in table]
    asked = wrap(question, WIDTH)[:2]
    room = HEIGHT - _FOOTER - len(body) - len(asked) - 1
    wanted = min(len(options), max(_LEAST_OPTIONS, room - _LEAST_NEWS))
    told = [line for text in news for line in wrap(text, WIDTH)]
    latest = _newest(told, max(0, room - wanted))
    rows = max(_LEAST_OPTIONS, room - len(latest))
    shown, pages = menu(options, page, rows)
    where = [f"n/p: page {page % pages + 1} of {pages}"] if pages > 1 else []
    lines = [*body, RULE, *latest]
    lines += [paint(line, "bold") for line in asked]
    return [*lines, *shown, foot(["number = choose", *where, *keys])], pages


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
