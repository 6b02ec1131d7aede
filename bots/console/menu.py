"""Lay out numbered moves in pages: long ones wrapped, short ones side by side; find some by their words."""

from collections.abc import Sequence

from bots.console.text import WIDTH, pad, wrap

#: A move with its number on the screen.
Move = tuple[int, str]
_GAP = 2
_MOST_COLUMNS = 3
#: One move in so many may be wrapped where moves stand side by side.
_FEW = 4


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
    return sum(map(len, _blocks(moves, _digits(moves), columns)))


def menu(moves: Sequence[Move], page: int, rows: int, columns: int = WIDTH) -> tuple[list[str], int]:
    """Return one page of moves in at most `rows` lines, and the number of pages.

    Where one column is not enough for all that is left, moves stand in two or three if nearly all are short enough.
    """
    digits, pages = _digits(moves), []
    while moves:
        count, lines = _page(moves, digits, rows, columns)
        moves = moves[count:]
        pages.append(lines)
    return pages[page % len(pages)] if pages else [], max(1, len(pages))


def _digits(moves: Sequence[Move]) -> int:
    return len(str(max((number for number, _ in moves), default=0)))


def _page(moves: Sequence[Move], digits: int, rows: int, columns: int) -> tuple[int, list[str]]:
    """Return how many of the moves stand on the next page, and its lines."""
    most, stacks, each = 0, [[""]], columns
    for side in range(1, _MOST_COLUMNS + 1):
        room = (columns - _GAP * (side - 1)) // side
        blocks = _blocks(moves[: rows * side], digits, room)
        count, filled = _fill(blocks, rows, side)
        if count > most and (side == 1 or sum(len(block) > 1 for block in blocks) <= len(blocks) // _FEW):
            most, stacks, each = count, filled, room
        if count == len(moves):
            break
    return most, [
        (" " * _GAP).join(pad(stack[row] if row < len(stack) else "", each) for stack in stacks).rstrip()
        for row in range(max(map(len, stacks)))
    ]


def _blocks(moves: Sequence[Move], digits: int, columns: int) -> list[list[str]]:
    """Return the lines of each move, its number in front."""
    indent = " " * (digits + 1)
    blocks = []
    for number, text in moves:
        first, *more = wrap(text, columns - len(indent), indent="")
        blocks.append([f"{number:>{digits}} {first}", *(indent + line for line in more)])
    return blocks


def _fill(blocks: list[list[str]], rows: int, side: int) -> tuple[int, list[list[str]]]:
    """Return how many blocks fit into so many stacks of at most `rows` lines, and the stacks, as even as can be."""
    even = max(-(-sum(map(len, blocks)) // side), 1)
    for high in range(min(even, rows), rows):
        count, stacks = _stack(blocks, high, side)
        if count == len(blocks):
            return count, stacks
    return _stack(blocks, rows, side)


def _stack(blocks: list[list[str]], rows: int, side: int) -> tuple[int, list[list[str]]]:
    stacks: list[list[str]] = [[]]
    for count, block in enumerate(blocks):
        if stacks[-1] and len(stacks[-1]) + len(block) > rows:
            if len(stacks) == side:
                return count, stacks
            stacks.append([])
        stacks[-1] += block[:rows]  # of a block that is too long for a page, a part
    return len(blocks), stacks
