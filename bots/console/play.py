"""Let a person play a seat: draw the table, list the moves, read a number, submit, tell what the others did."""

import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import grpc

from bots.client import DEADLINE, bearer, may_retry, pause, reason
from bots.console import (
    europe_divided,
    generic,
    masters_of_europe,
    masters_of_europe_offers,
    rurik,
    rurik_pages,
    score,
    screen,
)
from bots.console.feed import Feed
from bots.console.text import HEIGHT, WIDTH, ascii_only, clip, plain, wrap
from engine.core.registry import GAMES
from protos.wire import for_game
from veche.v1 import common_pb2, match_pb2, match_pb2_grpc

#: Lines of news kept for the screen and the log page.
_NEWS_KEPT = 400
_ATTEMPTS = 20

HELP = (
    "Type the number of a move and Enter. Other keys:",
    "",
    " n, p   next and previous page of moves (Enter alone: next)",
    " l      log: what happened lately",
    " r      look what the others have done meanwhile",
    " h, ?   this page",
    " q      quit; your seat waits for you, and the token printed then brings you back",
    "",
)

#: The keys of each game's own pages.
KEYS: Mapping[str, Sequence[str]] = {
    "rurik": (
        " c      cards: the deed row and your own cards in full",
        " o      others: the mats of the other seats, the Rebellion's card and bonuses",
        " b      borders of every region",
        "",
    ),
    "masters_of_europe": (
        " c      cards: your hand, the discards, what actions do",
        " o      offers in full, and the rolls for the Leader token",
        "",
    ),
}

Draw = Callable[[Any, int | None], Sequence[str]]
#: How to draw the table of each game, and its pages by key.
DRAWINGS: Mapping[str, Draw] = {
    "europe_divided": europe_divided.draw,
    "masters_of_europe": masters_of_europe.draw,
    "rurik": rurik.draw,
}
PAGES: Mapping[str, Mapping[str, Draw]] = {
    "europe_divided": {
        "b": europe_divided.borders,
        "c": europe_divided.cards,
        "h": lambda *_: europe_divided.GLOSSARY,
    },
    "rurik": {
        "b": lambda table, _: rurik_pages.borders(table),
        "c": rurik_pages.cards,
        "o": rurik_pages.others,
        "h": lambda table, own: [*rurik_pages.names(table, own), "", *rurik_pages.GLOSSARY],
    },
    "masters_of_europe": {
        "c": masters_of_europe.cards,
        "o": masters_of_europe.others,
        "h": lambda *_: masters_of_europe.GLOSSARY,
    },
}
#: How to read a move that a person words, in games whose decisions are open to such; a ValueError says what is unclear.
WORDINGS: Mapping[str, Callable[[str], Any]] = {"masters_of_europe": masters_of_europe_offers.word}


class Terminal:
    """Write to and read from the person; `colour`, `unicode` and `clear` say what the terminal can do."""

    def __init__(self, *, colour: bool, unicode: bool, clear: bool) -> None:
        self.colour = colour
        self.unicode = unicode
        self.clear = clear

    def say(self, line: str = "") -> None:
        """Print one line."""
        text = line if self.colour else plain(line)
        print(text if self.unicode else ascii_only(text), flush=True)

    def show(self, lines: Sequence[str]) -> None:
        """Print a screen, over the last one where that is possible."""
        if self.clear:
            sys.stdout.write("\x1b[H\x1b[2J")
        for line in lines:
            self.say(clip(line, WIDTH))

    def ask(self) -> str:
        """Return what the person types; "q" at the end of the input or on Ctrl-C."""
        try:
            return input("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            self.say()
            return "q"


class Seat:
    """Hold what the console knows of a match from its seat."""

    def __init__(
        self,
        matches: "match_pb2_grpc.MatchServiceStub",
        match: common_pb2.Match,
        token: str,
        terminal: Terminal,
        engine: str = "",
    ) -> None:
        self.matches = matches
        self.match = match
        self.metadata = bearer(token)
        self.terminal = terminal
        self.engine = engine
        self.view: common_pb2.View | None = None
        self.news: list[str] = []
        self.fresh = 0
        self.answered = ""

    def play(self, feed: Feed) -> bool:
        """Play until the match ends or the person quits; return whether the match has ended."""
        waiting = False
        while True:
            message = feed.get(0.0 if self._choice() is not None else 0.5)
            if message is not None:
                if self._take(message, aloud=waiting):
                    return True
                continue
            if self._choice() is None:
                if not waiting and self.view is not None:
                    waiting = True
                    self._show_waiting()
                continue
            waiting = False
            if not self._turn():
                return False

    def _choice(self) -> common_pb2.Choice | None:
        """Return the open decision, unless it was answered and the news of that is still on its way."""
        view = self.view
        if view is None or not view.HasField("choice") or view.choice.decision.id == self.answered:
            return None
        return view.choice

    def _take(self, message: match_pb2.WatchMatchResponse, *, aloud: bool) -> bool:
        """Take in a message, saying its events at once if `aloud`; return whether the match is over."""
        kind = message.WhichOneof("message")
        if kind == "snapshot":
            self.match = message.snapshot.match
            if message.snapshot.HasField("view"):
                self.view = message.snapshot.view
            self.answered = ""
            self._invite()
        elif kind == "lobby":
            self.match = message.lobby.match
            self._invite()
        elif kind == "update":
            for seen in message.update.events:
                self._tell(seen.text, aloud=aloud)
            if message.update.HasField("view"):
                self.view = message.update.view
        elif kind == "rewound":
            self._tell(f"The match went back to move {message.rewound.to_version}.", aloud=aloud)
        elif kind == "finished":
            self._end(message.finished)
            return True
        return False

    def _invite(self) -> None:
        """Say how others may take the seats that are still open."""
        still = [s.seat for s in self.match.seats if s.kind == common_pb2.SEAT_KIND_OPEN]
        if self.match.status == common_pb2.MATCH_STATUS_LOBBY and still:
            self.terminal.say(f"Waiting for players on {len(still)} of {len(self.match.seats)} seats. They join with:")
            self.terminal.say(f"  python -m bots.console --engine {self.engine} --match {self.match.id}")

    def _tell(self, text: str, *, aloud: bool) -> None:
        self.news = [*self.news, text][-_NEWS_KEPT:]
        self.fresh += 1
        if aloud:
            for line in wrap(f" {text}", WIDTH):
                self.terminal.say(line)

    def _end(self, finished: match_pb2.WatchFinished) -> None:
        self.match = finished.match
        if finished.HasField("view"):
            self.terminal.show(self._table(finished.view))
        for text in self.news[-3:]:
            self.terminal.say(text)
        if self.match.status != common_pb2.MATCH_STATUS_FINISHED:
            self.terminal.say("The match was closed before its end.")
            return
        self.terminal.say()
        for line in score.breakdown(self.match.outcome, score.seat_names(self.match)):
            self.terminal.say(line)

    def _table(self, view: common_pb2.View) -> list[str]:
        draw = DRAWINGS.get(view.game, generic.draw)
        table = for_game(GAMES[view.game]).table_from_message(view.table)
        return [clip(line, WIDTH) for line in draw(table, view.seat if view.HasField("seat") else None)]

    def _show_waiting(self) -> None:
        if self.view is None:
            return
        waiting = ", ".join(dict.fromkeys(score.seat_names(self.match)[d.seat] for d in self.view.pending))
        lines = self._table(self.view)
        news = [line for text in self._latest() for line in wrap(text, WIDTH)]
        room = HEIGHT - len(lines) - 3
        self.terminal.show([*lines, "─" * WIDTH, *(news[-room:] if room > 0 else []), f"waiting for {waiting} ..."])

    def _latest(self) -> list[str]:
        return self.news[-self.fresh :] if self.fresh else self.news[-3:]

    def _turn(self) -> bool:
        """Ask until the open decision is answered or closed; return False when the person quits."""
        choice, view = self._choice(), self.view
        if choice is None or view is None:
            return True
        page, pages = 0, 1
        draw = True
        while True:
            if draw:
                options = [legal.text for legal in choice.legal_actions]
                lines, pages = screen.compose(self._table(view), self._latest(), choice.decision.text, options, page)
                self.terminal.show(lines)
            draw = True
            typed = self.terminal.ask()
            if typed in ("q", "quit", "exit"):
                return False
            if typed.isdecimal():
                if 1 <= int(typed) <= len(choice.legal_actions):
                    self.fresh = 0
                    return self._submit(choice, match_pb2.Submission(index=int(typed) - 1))
                self.terminal.say(f"There is no move {typed}: choose 1 to {len(choice.legal_actions)}, or h for help.")
                draw = False
            elif typed in ("n", "p", ""):
                page = (page + (-1 if typed == "p" else 1)) % pages
            elif typed == "r":
                return True
            elif worded := self._worded(typed, choice, view):
                if isinstance(worded, match_pb2.Submission):
                    self.fresh = 0
                    return self._submit(choice, worded)
                self.terminal.say(worded)
                draw = False
            elif not self._page(typed, view):
                self.terminal.say(f"{typed!r} is no move and no key; h shows the keys.")
                draw = False

    def _worded(
        self, typed: str, choice: common_pb2.Choice, view: common_pb2.View
    ) -> match_pb2.Submission | str | None:
        """Return the move that a person words, or what is unclear about it; None if it is something else."""
        if view.game not in WORDINGS or not choice.decision.open:
            return None
        try:
            action = WORDINGS[view.game](typed)
        except ValueError as error:
            return str(error)
        if action is None:
            return None
        return match_pb2.Submission(action=for_game(GAMES[view.game]).action_to_message(action))

    def _page(self, key: str, view: common_pb2.View) -> bool:
        """Show a page until Enter; return whether the key is known."""
        key = {"?": "h", "help": "h", "log": "l"}.get(key, key)
        pages = PAGES.get(view.game, {"t": generic.full})
        if key == "l":
            lines = [line for text in self.news for line in wrap(text, WIDTH)] or ["Nothing has happened yet."]
        elif key == "h" or key in pages:
            table = for_game(GAMES[view.game]).table_from_message(view.table)
            own = view.seat if view.HasField("seat") else None
            lines = list(pages[key](table, own)) if key in pages else []
            lines = [*HELP, *KEYS.get(view.game, ()), *lines] if key == "h" else lines
        else:
            return False
        self.terminal.show([*lines[-(HEIGHT - 2) :], "", "Enter: back to the table"][-(HEIGHT - 1) :])
        self.terminal.ask()
        return True

    def _submit(self, choice: common_pb2.Choice, move: match_pb2.Submission) -> bool:
        move.decision_id = choice.decision.id
        request = match_pb2.SubmitActionsRequest(
            match_id=self.match.id, request_id=str(uuid.uuid4()), submissions=[move]
        )
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                self.matches.SubmitActions(request, timeout=DEADLINE, metadata=self.metadata)
            except grpc.RpcError as error:
                if may_retry(error) and attempt < _ATTEMPTS:
                    if attempt == 1:
                        self.terminal.say("The engine does not answer; trying again ...")
                    time.sleep(pause(attempt))
                    continue
                if error.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION):
                    self._tell(f"Not played: {error.details()} ({reason(error)})", aloud=False)
                    if reason(error) == "DECISION_CLOSED":
                        self.answered = choice.decision.id
                    return True
                raise
            self.answered = choice.decision.id
            return True
        return True
