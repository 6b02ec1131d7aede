"""Lay out numbered moves in pages: long ones wrapped, short ones side by side; find some by their words."""

from collections.abc import Iterator, Sequence

from bots.console.text import WIDTH, pad, width, wrap

#: A move with its number on the screen.
Move = tuple[int, str]
_GAP = 2
_MOST_COLUMNS = 3


def numbered(texts: Sequence[str]) -> list[Move]:
    """Return moves numbered from 1."""
    return list(enumerate(texts, 1))


def find(moves: Sequence[Move], words: str) -> list[Move]:
    """Return the moves whose text has all the words, each from the beginning of a word of the text; case is ignored."""
    wanted = words.lower().split()
    return [(number, text) for number, text in moves if all(_has(text.lower(), word) for word in wanted)]


def _has(text: str, word: str) -> bool:
    bare = "".join(letter if letter.isalnum() else " " for letter in text)
    return f" {word}" in f" {bare}" or f" {word}" in f" {text}"


def height(moves: Sequence[Move], columns: int = WIDTH) -> int:
    """Return how many lines the moves take below each other."""
    return sum(map(len, _blocks(moves, columns)))


def menu(moves: Sequence[Move], page: int, rows: int, columns: int = WIDTH) -> tuple[list[str], int]:
    """Return one page of moves in at most `rows` lines, and the number of pages.

    Where one column is not enough for all that is left, moves stand in two or three if they are short enough.
    """
    pages = list(_pages(_blocks(moves, columns), rows, columns)) or [[]]
    return pages[page % len(pages)], len(pages)


def _blocks(moves: Sequence[Move], columns: int) -> list[list[str]]:
    """Return the lines of each move, its number in front."""
    digits = len(str(max((number for number, _ in moves), default=0)))
    indent = " " * (digits + 1)
    blocks = []
    for number, text in moves:
        first, *more = wrap(text, columns - len(indent), indent="")
        blocks.append([f"{number:>{digits}} {first}", *(indent + line for line in more)])
    return blocks


def _pages(blocks: list[list[str]], rows: int, columns: int) -> Iterator[list[str]]:
    while blocks:
        count, lines = _below(blocks, rows)
        for side in range(2, _MOST_COLUMNS + 1):
            if count == len(blocks):
                break
            if beside := _side_by_side(blocks[: rows * side], side, columns):
                count, lines = min(len(blocks), rows * side), beside
        blocks = blocks[count:]
        yield lines


def _below(blocks: list[list[str]], rows: int) -> tuple[int, list[str]]:
    """Return how many blocks fit below each other, and their lines; of a block that is too long alone, a part."""
    lines: list[str] = []
    for count, block in enumerate(blocks):
        if lines and len(lines) + len(block) > rows:
            return count, lines
        lines += block[:rows]
    return len(blocks), lines


def _side_by_side(blocks: list[list[str]], side: int, columns: int) -> list[str]:
    """Return blocks of one line each in columns, read downwards; nothing when they are too long for that."""
    down = -(-len(blocks) // side)
    stacks = [blocks[i : i + down] for i in range(0, len(blocks), down)]
    each = (columns - _GAP * (side - 1)) // side
    if any(len(block) > 1 or width(block[0]) > each for block in blocks):
        return []
    return [
        (" " * _GAP).join(pad(stack[row][0], each) for stack in stacks if row < len(stack)).rstrip()
        for row in range(down)
    ]
