"""Put a screen together that fits 100 by 40: the table, what happened, the question, a page of numbered answers."""

from collections.abc import Sequence

from bots.console.text import HEIGHT, WIDTH, clip, menu, paint, wrap

#: Lines kept for the footer and the prompt.
_FOOTER = 2
_LEAST_OPTIONS = 5
_MOST_NEWS = 8
FOOTER = "number = choose · n/p = next/previous page · h = help · q = quit"


def compose(
    table: Sequence[str], news: Sequence[str], question: str, options: Sequence[str], page: int
) -> tuple[list[str], int]:
    """Return the lines of a screen (one is left for the prompt) and how many pages the answers take.

    The newest news stay; older ones give way to the answers, which give way to the table.
    """
    body = [clip(line, WIDTH) for line in table]
    asked = wrap(question, WIDTH)[:2]
    room = HEIGHT - _FOOTER - len(body) - len(asked) - 1
    wanted = min(len(options), max(_LEAST_OPTIONS, room - _MOST_NEWS))
    told = [line for text in news for line in wrap(text, WIDTH)]
    latest = told[-max(0, min(_MOST_NEWS, room - wanted)) :] if room > wanted else []
    rows = max(_LEAST_OPTIONS, room - len(latest))
    shown, pages = menu(options, page, rows)
    where = f" · page {page % pages + 1} of {pages}" if pages > 1 else ""
    lines = [*body, paint("─" * WIDTH, "dim"), *latest]
    lines += [paint(line, "bold") for line in asked]
    return [*lines, *shown, paint(FOOTER + where, "dim")], pages
