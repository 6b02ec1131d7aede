"""Put a screen together that fits 100 by 40: the table, what happened, the question, a page of numbered answers."""

from collections.abc import Sequence

from bots.console import menu
from bots.console.text import HEIGHT, WIDTH, clip, paint, plain, wrap

#: Lines kept for the footer and the prompt.
_FOOTER = 2
_LEAST_OPTIONS = 5
_LEAST_NEWS = 8
#: Columns below which nothing is wrapped any more.
_NARROW = 20
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
    columns: int = WIDTH,
) -> tuple[list[str], int]:
    """Return the lines of a screen (one is left for the prompt) and how many pages the answers take.

    The newest news stay; older ones give way to the answers, which give way to the table. `keys` name the game's own
    pages in the line at the foot; with `only` the answers are those with these words. On fewer
    columns than a screen has, all but the table is wrapped to fit them.
    """
    columns = max(_NARROW, min(columns, WIDTH))
    body = [clip(line, WIDTH) for line in table]
    moves = menu.numbered(options)
    found = menu.find(moves, only) if only else moves
    asked = _asked(question, f"the {len(found)} of {len(moves)} moves with {only!r}" if only else "", columns)
    room = HEIGHT - _FOOTER - len(body) - len(asked) - 1
    wanted = min(menu.height(found, columns), max(_LEAST_OPTIONS, room - _LEAST_NEWS))
    told = tell(news, columns)
    latest = _newest(told, max(0, room - wanted))
    rows = max(_LEAST_OPTIONS, room - len(latest))
    shown, pages = menu.menu(found, page, rows, columns)
    where = [f"n/p: page {page % pages + 1} of {pages}"] if pages > 1 else []
    where += ["Enter: all moves"] if only else []
    if pages > 1 and not only:
        asked = _asked(question, f"{len(moves)} moves; type words to find some", columns)
    lines = [*body, RULE, *latest]
    lines += [paint(line, "bold") for line in asked]
    return [*lines, *shown, *foot(["number = choose", *where, *keys], columns)], pages


def _asked(question: str, about: str, columns: int) -> list[str]:
    """Return the question in at most two lines, and about its moves as far as that fits into the last of them."""
    *lines, last = wrap(question, columns)[:2]
    longer = f"{last} ({about})"
    return [*lines, longer if about and len(longer) <= columns else last]


def foot(parts: Sequence[str], columns: int = WIDTH) -> list[str]:
    """Return the foot: what is to be done or waited for, then keys, the common ones last; a line on a whole screen."""
    common = ("l log", "h help", "q quit")
    if columns < WIDTH:
        lines = wrap(" · ".join([*parts, *common]), columns)
    else:
        keys = " · ".join(["", *common])
        lines = [clip(" · ".join(parts), WIDTH - len(keys)) + keys]
    return [paint(line, "dim") for line in lines]


def tell(news: Sequence[str], columns: int = WIDTH) -> list[str]:
    """Return the lines of news, those of one that is painted painted all over."""
    lines = []
    for text in news:
        bare = plain(text)
        lines += [paint(line, "bold") if bare != text else line for line in wrap(bare, columns)]
    return lines


def _newest(told: Sequence[str], rows: int) -> list[str]:
    """Return the last lines that fit, below a line that says how many are left out."""
    if len(told) <= rows:
        return list(told)
    if rows < 2:
        return list(told[len(told) - rows :])
    left = len(told) - rows + 1
    return [paint(f"... {left} earlier lines: l", "dim"), *told[left:]]
