"""Write to and read from the person at a terminal, or at whatever stands in for one."""

import os
import select
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress

from bots.console.text import HEIGHT, WIDTH, ascii_only, clip, plain, wrap

#: What is taken for typed at the end of the input, where nothing can be asked any more.
QUIT = "q"
_CHUNK = 4096
#: Seconds between two looks at what else happens while the person thinks.
_GLANCE = 0.2


class Terminal:
    """Write to and read from the person; `colour`, `unicode` and `clear` say what the terminal can do.

    `keyboard` is the descriptor that is read, None where standard input was closed from the start: its number may by
    now be anybody's. It is never read through `sys.stdin`, for what a buffer held back there could not be waited for.
    """

    def __init__(self, *, colour: bool, unicode: bool, clear: bool, keyboard: int | None = 0) -> None:
        self.colour = colour
        self.unicode = unicode
        self.clear = clear
        self._read = b""
        self._keyboard = -1 if keyboard is None else keyboard
        self._ended = keyboard is None

    def say(self, line: str = "") -> None:
        """Print one line."""
        text = line if self.colour else plain(line)
        print(text if self.unicode else ascii_only(text), flush=True)

    def size(self) -> tuple[int, int]:
        """Return the columns and rows there are as it is now; what does not say is taken for large enough."""
        # The environment's COLUMNS and LINES are a parent's, and do not follow a resize.
        try:
            columns, rows = os.get_terminal_size() if self.clear else (WIDTH, HEIGHT)
        except OSError:
            return WIDTH, HEIGHT
        return columns or WIDTH, rows or HEIGHT

    def show(self, lines: Sequence[str]) -> None:
        """Print a screen, over the last one where that is possible."""
        if self.clear:
            sys.stdout.write("\x1b[H\x1b[2J")
        columns, _ = self.size()
        for line in lines:
            self.say(clip(line, min(WIDTH, columns)))
        for line in self._small():
            self.say(line)

    def room(self) -> int:
        """Return the rows there are for a screen and its prompt."""
        return self.size()[1] - len(self._small())

    def _small(self) -> list[str]:
        """Return what is said below a screen for which the terminal is too small, nothing where it is not."""
        columns, rows = self.size()
        if columns >= WIDTH and rows >= HEIGHT:
            return []
        small = f"This terminal has {columns}x{rows} characters, {WIDTH}x{HEIGHT} are needed; r after resizing."
        return wrap(small, columns)

    def forget(self) -> None:
        """Drop what was typed before there was a question; what comes through a pipe was meant for it."""
        if self.clear and os.isatty(self._keyboard):
            self._read = b""
            with suppress(termios.error):
                termios.tcflush(self._keyboard, termios.TCIFLUSH)

    def ask(self, meanwhile: Callable[[], str | None] = lambda: "") -> str:
        """Return what the person types; "q" at the end of the input or on Ctrl-C.

        At a terminal `meanwhile` is called again and again: a line that it returns is said, and None ends the asking,
        as if only Enter had been typed.
        """
        self._prompt()
        try:
            while (line := self._line()) is None:
                if not os.isatty(self._keyboard) or select.select([self._keyboard], [], [], _GLANCE)[0]:
                    self._fill()
                    continue
                told = meanwhile()
                if told is None:
                    return ""
                if told:
                    self.say()
                    self.say(told)
                    self._prompt()
        except KeyboardInterrupt:
            line = QUIT
            self.say()
        else:
            if self._ended:
                self.say()
        return line

    def _prompt(self) -> None:
        sys.stdout.write("> ")
        sys.stdout.flush()

    def typed(self) -> str | None:
        """Return a line that was typed without a question, None if there is none yet.

        Only a terminal is asked: lines of a pipe are answers to questions, and wait for them.
        """
        if self._ended or not os.isatty(self._keyboard):
            return None
        line = self._line()
        if line is None and select.select([self._keyboard], [], [], 0.0)[0]:
            self._fill()
            line = self._line()
        return line

    def _line(self) -> str | None:
        """Return the next line that was read, "q" after the last one; None when more has to be read for it."""
        line, end, rest = self._read.partition(b"\n")
        if not end and not self._ended:
            return None
        if not line and not end:
            return QUIT
        self._read = rest
        return line.decode(errors="replace").strip().lower()

    def _fill(self) -> None:
        try:
            data = os.read(self._keyboard, _CHUNK)
        except OSError:
            data = b""  # closed, or its terminal is gone: nobody can type any more
        self._read += data
        self._ended = not data
