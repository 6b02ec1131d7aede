"""Let a person play a seat: draw the table, list the moves, read a number, submit, tell what the others did."""

import time
import uuid
from collections.abc import Sequence
from contextlib import suppress

import grpc

from bots.client import DEADLINE, bearer, may_retry, pause, reason
from bots.console import games, generic, menu, new, score, screen, tell
from bots.console.feed import Feed
from bots.console.tell import closed
from bots.console.terminal import Terminal
from bots.console.text import HEIGHT, WIDTH, clip, paint, plain, wrap
from engine.core.registry import GAMES
from protos.wire import for_game
from veche.v1 import common_pb2, match_pb2, match_pb2_grpc

#: Lines of news kept for the screen and the log page.
_NEWS_KEPT = 400
_ATTEMPTS = 20
#: Seconds between two looks for what was typed while the others think.
_GLANCE = 0.2
#: Lines below a page: an empty one, how to go on, the prompt.
_BELOW_PAGE = 3
_LEAST_PAGE_ROWS = 5
#: The pages of every game, by what may be typed.
_COMMON_PAGES = {"l": "l", "log": "l", "h": "h", "?": "h", "help": "h"}
_QUIT = ("q", "quit", "exit")
#: A number of so many digits is none of a move.
_LONG = 9
#: What stands for coming back from a page; nobody can type it, for input is stripped.
_BACK = " "
_LOOK = " - r: look"
_NOT_NOW = "Offers are made while trading; now choose a number."


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
        self.told = 0
        self.answered = ""
        self.over = False

    def play(self, feed: Feed) -> bool:
        """Play until the match ends or the person quits; return whether the match has ended."""
        shown: common_pb2.View | None = None
        while not self.over:
            message = feed.get(0.0 if self._choice() is not None else _GLANCE)
            if message is not None:
                self._take(message, aloud=shown is not None)
            elif self._choice() is not None:
                shown = None
                if not self._turn(feed):
                    return False
            else:
                if self.view is not shown:
                    shown = self.view  # it is quiet, and the table has changed
                    self._show_waiting()
                typed = self.terminal.typed()
                if typed is not None and not self._bide(typed):
                    return False
        return True

    def _choice(self) -> common_pb2.Choice | None:
        """Return the open decision, unless it was answered and the news of that is still on its way."""
        view = self.view
        if view is None or not view.HasField("choice") or view.choice.decision.id == self.answered:
            return None
        return view.choice

    def _take(self, message: match_pb2.WatchMatchResponse, *, aloud: bool) -> None:
        """Take in a message, saying its events at once if `aloud`."""
        kind = message.WhichOneof("message")
        version = message.position.version
        if kind == "snapshot":
            self._catch_up(version)
            self.match = message.snapshot.match
            if message.snapshot.HasField("view"):
                self.view = message.snapshot.view
            self.answered = ""
            self._invite()
        elif kind == "lobby":
            self.match = message.lobby.match
            self._invite()
        elif kind == "update":
            self._catch_up(version - 1)
            for seen in message.update.events if version > self.told else ():
                self._tell(_line(seen), aloud=aloud)
            self.told = max(self.told, version)
            if message.update.HasField("view"):
                self.view = message.update.view
        elif kind == "rewound":
            self.told = message.rewound.to_version
            self._tell(f"The match went back to move {message.rewound.to_version}.", aloud=aloud)
        elif kind == "finished":
            self.over = True
            self._end(message.finished)

    def _catch_up(self, version: int) -> None:
        """Tell from the record what came by without an update: before the seat was come back to, or in a gap."""
        if version <= self.told:
            return
        # News are a help; a match can be played without those that nobody can tell any more.
        with suppress(grpc.RpcError):
            for entry in tell.record(self.matches, self.match.id, self.told, self.metadata):
                if entry.version > version:
                    break
                if entry.HasField("action"):
                    self.fresh = 0  # an own move: what followed it is new
                for seen in entry.events:
                    self._tell(_line(seen), aloud=False)
        self.told = version

    def _overhear(self, feed: Feed) -> str | None:
        """Take in what the others do while the person thinks; return a line on it, None when the match has ended."""
        before = self.fresh
        while not self.over and (message := feed.get(0.0)) is not None:
            self._take(message, aloud=False)
        if self.over:
            return None
        count = self.fresh - before
        if not count:
            return ""
        more = "" if count == 1 else f" (and {count - 1} more)"
        return clip(f"Meanwhile: {plain(self.news[-1])}", self._columns() - len(more) - len(_LOOK)) + more + _LOOK

    def _columns(self) -> int:
        return min(WIDTH, self.terminal.size()[0])

    def _invite(self) -> None:
        """Say how others may take the seats that are still open."""
        still = [s.seat for s in self.match.seats if s.kind == common_pb2.SEAT_KIND_OPEN]
        if self.match.status == common_pb2.MATCH_STATUS_LOBBY and still:
            self.terminal.say(f"Waiting for players on {len(still)} of {len(self.match.seats)} seats. They join with:")
            self.terminal.say(f"  {new.command()} --engine {self.engine} --match {self.match.id}")

    def _tell(self, text: str, *, aloud: bool) -> None:
        self.news = [*self.news, text][-_NEWS_KEPT:]
        self.fresh += 1
        if aloud:
            for line in screen.tell([text], self._columns()):
                self.terminal.say(line)

    def _end(self, finished: match_pb2.WatchFinished) -> None:
        self.match = finished.match
        view = finished.view if finished.HasField("view") else self.view or common_pb2.View()
        if finished.HasField("view"):
            self.terminal.show(self._table(view))
        for line in screen.tell(self.news[-3:]):
            self.terminal.say(line)
        if self.match.status != common_pb2.MATCH_STATUS_FINISHED:
            for line in wrap(closed(self.match), WIDTH):
                self.terminal.say(line)
            return
        self.terminal.say()
        names = [name[:1].upper() + name[1:] for name in self._names(view)]
        for line in score.breakdown(self.match.outcome, names):
            self.terminal.say(line)

    def _table(self, view: common_pb2.View) -> list[str]:
        draw = games.DRAWINGS.get(view.game, generic.draw)
        table = for_game(GAMES[view.game]).table_from_message(view.table)
        return [clip(line, WIDTH) for line in draw(table, view.seat if view.HasField("seat") else None)]

    def _names(self, view: common_pb2.View) -> list[str]:
        """Return what the events call each seat and who plays it; by numbers as long as there is no table."""
        if view.game not in tuple(GAMES):
            return score.seat_names(self.match)
        table = for_game(GAMES[view.game]).table_from_message(view.table)
        return score.seat_names(self.match, [games.called(view.game, table, s.seat) for s in self.match.seats])

    def _show_waiting(self) -> None:
        if self.view is None:
            self._invite()
            return
        names = self._names(self.view)
        others = dict.fromkeys(names[d.seat] for d in self.view.pending if d.id != self.answered)
        columns = self._columns()
        waiting = f"waiting for {', '.join(others) or 'the engine'} ..."
        lines = self._table(self.view)
        news = screen.tell(self._latest(), columns)
        room = HEIGHT - len(lines) - 3
        foot = screen.foot([waiting, *games.foot(self.view.game)], columns)
        self.terminal.show([*lines, screen.RULE, *(news[-room:] if room > 0 else []), *foot])

    def _bide(self, typed: str) -> bool:
        """Do what somebody types who waits for the others; return False when that is to quit."""
        if self.view is not None and (typed in games.pages(self.view.game) or typed in _COMMON_PAGES):
            typed = self._page(typed, self.view)
        if typed in _QUIT:
            return False
        if typed in ("r", "", _BACK):
            self._show_waiting()
        elif self.view is None:
            self.terminal.say("The match has not begun. q quits, your seat waits for you.")
        else:
            self.terminal.say("It is not your turn yet. q quits, your seat waits for you; h shows the other keys.")
        return True

    def _latest(self) -> list[str]:
        return self.news[-self.fresh :] if self.fresh else self.news[-3:]

    def _turn(self, feed: Feed) -> bool:
        """Ask until the open decision is answered or closed; return False when the person quits."""
        choice, view = self._choice(), self.view
        if choice is None or view is None:
            return True
        options = [legal.text for legal in choice.legal_actions]
        question = choice.decision.text + (games.HINTS.get(view.game, "") if choice.decision.open else "")
        page, pages, only = 0, 1, ""
        draw = True
        self.terminal.forget()
        while True:
            if draw:
                lines, pages = screen.compose(
                    self._table(view),
                    self._latest(),
                    question,
                    options,
                    page,
                    games.foot(view.game),
                    only=only,
                    columns=self._columns(),
                )
                self.terminal.show(lines)
            draw = True
            typed = self.terminal.ask(lambda: self._overhear(feed))
            if self.over:
                return True
            if typed in games.pages(view.game) or typed in _COMMON_PAGES:
                typed = self._page(typed, view)
            if typed in _QUIT:
                return False
            if typed.isdecimal():
                if len(typed) < _LONG and 1 <= int(typed) <= len(options):
                    self.fresh = 0
                    return self._submit(choice, match_pb2.Submission(index=int(typed) - 1))
                self.terminal.say(f"There is no move {typed[:40]}: choose 1 to {len(options)}, or h for help.")
                draw = False
            elif worded := self._worded(typed, choice, view):
                if isinstance(worded, match_pb2.Submission):
                    self.fresh = 0
                    return self._submit(choice, worded)
                for line in wrap(worded, WIDTH):
                    self.terminal.say(line)
                draw = False
            elif typed == "r" or self.view is not view:
                return True
            elif browsed := _browse(typed, options, page, pages, only):
                page, only = browsed
            else:
                self.terminal.say(clip(f"{typed[:40]!r} is no move, no key and in no move; h shows the keys.", WIDTH))
                draw = False

    def _worded(
        self, typed: str, choice: common_pb2.Choice, view: common_pb2.View
    ) -> match_pb2.Submission | str | None:
        """Return the move that a person words, or what is unclear about it; None if it is something else."""
        if view.game not in games.WORDINGS:
            return None
        try:
            action = games.WORDINGS[view.game](typed)
        except ValueError as error:
            return str(error) if choice.decision.open else _NOT_NOW
        if action is None:
            return None
        if not choice.decision.open:
            return _NOT_NOW
        return match_pb2.Submission(action=for_game(GAMES[view.game]).action_to_message(action))

    def _page(self, key: str, view: common_pb2.View) -> str:
        """Show the page of a key, and others from there; return _BACK for the table, or what quits."""
        own_pages = games.pages(view.game)
        table = for_game(GAMES[view.game]).table_from_message(view.table)
        own = view.seat if view.HasField("seat") else None
        number = -1  # the log opens at its end, other pages at their beginning
        while True:
            key = _COMMON_PAGES.get(key, key)
            if key == "l":
                lines = screen.tell(self.news) or ["Nothing has happened yet."]
            elif key == "h":
                lines = games.help_page(view.game, table, own)
            else:
                lines = list(own_pages[key][1](table, own))
            rows = max(_LEAST_PAGE_ROWS, min(HEIGHT, self.terminal.room()) - _BELOW_PAGE)
            count = max(1, -(-len(lines) // rows))
            number = number % count if key == "l" else max(number, 0)
            # Of the log the last page is the full one.
            end = len(lines) - (count - 1 - number) * rows if key == "l" else (number + 1) * rows
            more = f"n/p: page {number + 1} of {count} · " if count > 1 else ""
            self.terminal.show([*lines[max(0, end - rows) : end], "", f"{more}Enter: back to the table"])
            typed = self.terminal.ask()
            if typed in _QUIT:
                return typed
            if typed in ("n", "p") and count > 1:
                number = (number + (1 if typed == "n" else -1)) % count
            elif typed in own_pages or typed in _COMMON_PAGES:
                key, number = typed, -1
            else:
                return _BACK

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
                    if reason(error) == "DECISION_CLOSED":
                        self.answered = choice.decision.id
                        why = "Not played: the table had changed before. Look again and choose."
                    else:
                        said = (error.details() or error.code().name).removeprefix("submissions[0]: ")
                        why = f"Not played: {said}."
                    self._tell(paint(why, "bold"), aloud=False)
                    return True
                raise
            self.answered = choice.decision.id
            return True
        return True


def _line(seen: common_pb2.SeenEvent) -> str:
    """Return an event in words, painted where it opens a phase or a turn."""
    return paint(seen.text, "bold") if tell.begins(seen) else seen.text


def _browse(typed: str, options: Sequence[str], page: int, pages: int, only: str) -> tuple[int, str] | None:
    """Return the page and the words to show the moves of next; None for what is neither a key nor in any move."""
    if typed == _BACK:
        return page, only
    if typed in ("n", "p", ""):
        return (0, "") if only and not typed else ((page + (-1 if typed == "p" else 1)) % pages, only)
    return (0, typed) if menu.find(menu.numbered(options), typed) else None
