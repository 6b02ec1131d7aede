"""Lay out plain text: widths that ignore colour codes, clipping, columns, pages. Pure functions, no terminal."""

import re
from collections.abc import Sequence

#: What every screen fits into.
WIDTH, HEIGHT = 100, 40

_CODE = re.compile(r"\x1b\[[0-9;]*m")
_RESET = "\x1b[0m"
_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "94",
    "magenta": "35",
    "cyan": "36",
    "white": "97",
    "maroon": "91",
}
_ASCII = str.maketrans("─│┌┐└┘├┤┬┴┼━┃·–—→•", "-|+++++++++=#.-->*")


def paint(text: str, colour: str) -> str:
    """Return text in a colour by name; `plain` takes it off again."""
    return f"\x1b[{_CODES[colour]}m{text}{_RESET}" if text else text


def plain(text: str) -> str:
    """Return text without colour codes."""
    return _CODE.sub("", text)


def ascii_only(text: str) -> str:
    """Return text with lines and dashes drawn in ASCII, and anything else that is not ASCII as a question mark."""
    return text.translate(_ASCII).encode("ascii", "replace").decode()


def width(text: str) -> int:
    """Return how many columns a line takes."""
    return len(plain(text))


def clip(text: str, limit: int) -> str:
    """Return a line cut to `limit` columns, an ellipsis of two dots in place of what is lost."""
    if width(text) <= limit:
        return text
    kept, room, coloured = [], max(limit - 2, 0), False
    for piece in re.split(f"({_CODE.pattern})", text):
        if _CODE.fullmatch(piece):
            kept.append(piece)
            coloured = piece != _RESET
        else:
            kept.append(piece[:room])
            room -= len(piece[:room])
    return "".join(kept) + ".."[:limit] + (_RESET if coloured else "")


def pad(text: str, columns: int) -> str:
    """Return a line clipped or filled with blanks to exactly `columns`."""
    text = clip(text, columns)
    return text + " " * (columns - width(text))


def beside(left: Sequence[str], right: Sequence[str], columns: int, gap: str = " ") -> list[str]:
    """Return two blocks side by side, the left one `columns` wide."""
    height = max(len(left), len(right))
    rows = zip([*left, *[""] * (height - len(left))], [*right, *[""] * (height - len(right))], strict=True)
    return [(pad(a, columns) + gap + b).rstrip() for a, b in rows]


def wrap(text: str, columns: int, indent: str = "  ") -> list[str]:
    """Return a plain sentence broken into lines of at most `columns`, later lines indented."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        candidate = f"{line} {word}" if line.strip() else line + word
        if len(candidate) > columns and line.strip():
            lines.append(line)
            line = indent + word
        else:
            line = candidate
    lines.append(line)
    return [clip(line, columns) for line in lines]
