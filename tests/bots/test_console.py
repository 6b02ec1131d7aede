"""Hold what the console teaches and answers: help, pages, keys of the foot, terminals that are too small."""

import os

import msgspec
import pytest

from bots.console import games, guide, play, rurik, rurik_pages, score, screen
from bots.console.terminal import Terminal
from bots.console.text import HEIGHT, WIDTH, paint, plain, width
from engine.core.registry import GAMES
from engine.games.rurik.ids import Phase
from engine.games.rurik.step import Step
from engine.games.rurik.table import Turn
from engine.games.rurik.texts import ABILITIES
from protos.wire import view_to_message
from tests.bots.tables import table
from veche.v1 import common_pb2

SEATS = {"rurik": 4, "masters_of_europe": 8, "europe_divided": 2}


def first_view(game: str):
    rules = GAMES[game]
    state = rules.initial_state(rules.config(SEATS[game], {}), 3)
    return rules.observe(state, rules.pending(state)[0].seat)


@pytest.mark.parametrize("game", GAMES)
def test_the_help_page_of_every_game_names_its_keys_tells_how_it_goes_and_fits_the_screen(game):
    view = first_view(game)
    lines = [plain(line) for line in games.help_page(game, view.table, view.seat)]
    for key in games.pages(game):
        assert any(line.startswith(f" {key} ") for line in lines)
    assert guide.GOES[game].split()[0] in "\n".join(lines)
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) <= HEIGHT - play._BELOW_PAGE


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_every_game_fits_100_columns(game):
    view = first_view(game)
    for _, draw in games.pages(game).values():
        assert max(map(width, draw(view.table, view.seat))) <= WIDTH


def test_the_foot_of_the_screen_names_the_pages_and_fits():
    lines, pages = screen.compose(["table"] * 28, [], "Choose.", ["a move " * 9] * 300, 32, games.foot("rurik"))
    assert plain(lines[-1]).startswith(f"number = choose · n/p: page 33 of {pages} · c cards · o others · b borders")
    assert plain(lines[-1]).endswith("q quit")


def test_an_offer_can_be_worded_as_the_question_shows_it():
    hint = games.HINTS["masters_of_europe"]
    assert games.WORDINGS["masters_of_europe"](hint.partition(": ")[2]) is not None
    lines, _ = screen.compose(["table"], [], f"Seat 0: make or answer offers, or finish trading{hint}", ["Finish"], 0)
    assert "word an offer of your own, as in: offer 2 give" in " ".join(" ".join(map(plain, lines)).split())


def test_a_narrow_terminal_gets_news_question_moves_and_keys_wrapped():
    moves = ["Move a troop from Pereyaslavl to Chernigov and take the leader along"] * 3
    lines, _ = screen.compose(
        ["table" * 20], ["Something long has happened here."] * 3, "Q? " * 30, moves, 0, columns=50
    )
    shown = [plain(line) for line in lines[2:]]
    assert max(map(len, shown)) <= 50
    assert sum("leader along" in line for line in shown) == 3
    assert "q quit" in shown[-1]


def test_pages_are_cut_to_the_height_of_the_terminal(monkeypatch, capsys):
    monkeypatch.setattr(os, "get_terminal_size", lambda: os.terminal_size((80, 24)))
    person = Terminal(colour=False, unicode=True, clear=True)
    typed = iter(["n"] * 5 + ["q"])
    monkeypatch.setattr(person, "ask", lambda *_: next(typed))
    view = first_view("rurik")
    seat = play.Seat(None, common_pb2.Match(), "", person)
    assert seat._page("h", view_to_message(GAMES["rurik"], view, "m")) == "q"
    pages = [page for page in capsys.readouterr().out.split("\x1b[H\x1b[2J") if page]
    assert max(len(page.splitlines()) for page in pages) < 24
    assert any("Strategy board: 3 are points" in page for page in pages)


def test_the_log_opens_at_a_full_page_of_the_latest_and_pages_back_to_the_first(monkeypatch):
    person = Terminal(colour=False, unicode=True, clear=False)
    typed, pages = iter(["p", "p", "p", ""]), []
    monkeypatch.setattr(person, "ask", lambda *_: next(typed))
    monkeypatch.setattr(person, "show", lambda lines: pages.append([line for line in lines if "event" in line]))
    seat = play.Seat(None, common_pb2.Match(), "", person)
    seat.news = [f"event {i}" for i in range(80)]
    seat._page("l", view_to_message(GAMES["rurik"], first_view("rurik"), "m"))
    rows = HEIGHT - play._BELOW_PAGE
    assert pages == [seat.news[-rows:], seat.news[-2 * rows : -rows], seat.news[: 80 - 2 * rows], seat.news[-rows:]]


def test_a_turn_that_begins_stands_out_among_the_news():
    lines, _ = screen.compose(["table"], [paint("Turn of the Rebellion. " * 8, "bold"), "It attacks."], "Q?", ["a"], 0)
    bold = [line for line in lines if "Rebellion" in line]
    assert len(bold) == 2
    assert all(line == paint(plain(line), "bold") for line in bold)


def test_news_take_the_room_that_the_moves_leave_and_say_how_many_stay_in_the_log():
    news = [f"event {i}" for i in range(30)]
    lines, _ = screen.compose(["table"] * 20, news, "Choose.", ["a", "b"], 0)
    assert len(lines) == HEIGHT - 1
    shown = [plain(line) for line in lines if plain(line).startswith("event")]
    assert shown == news[-len(shown) :]
    assert any(plain(line) == f"... {30 - len(shown)} earlier lines: l" for line in lines)


def test_points_left_to_spend_stand_on_the_table():
    turn = Turn(
        0,
        resolved=True,
        scheme_played=False,
        deed_accomplished=False,
        goods_converted=False,
        tax_points=2,
        build_points=0,
    )
    busy = msgspec.structs.replace(table(2, solo=True), turn=turn, step=Step(0, points=3))
    lines = [plain(line) for line in rurik.draw(busy, 0)]
    assert any(line.startswith("points left to spend: 3 in this step, 2 tax") for line in lines)
    assert not rurik.draw_points(table(2, solo=True))


def test_advisors_that_are_to_be_placed_stand_on_the_table_while_they_are():
    placing = msgspec.structs.replace(table(3), phase=Phase.STRATEGY)
    assert [plain(line) for line in rurik.draw_unplaced(placing)] == ["to place: b 1 2 4 · m 1 2 4 · w 1 2 4"]
    assert rurik.draw_unplaced(table(3)) == []


def test_nothing_on_the_own_mat_is_cut():
    for own in (0, None):
        mat = [plain(line) for line in rurik.draw_mat(table(4, own=own), 0, 30, own)]
        assert max(map(len, mat)) <= 30
        assert not any(line.endswith("..") for line in mat)
    assert "deeds: Great Library, Capital City, Hoard done" in " ".join(" ".join(mat).split())


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_a_game_is_called_so_on_its_table(game):
    table = first_view(game).table
    over = msgspec.structs.replace(table, phase=list(type(table.phase))[-1])
    assert "the game is over" in plain(games.DRAWINGS[game](over, 0)[0])


def test_all_leaders_are_told_while_they_are_chosen_and_later_those_in_play():
    view = first_view("rurik")
    assert len(rurik_pages.leaders(view.table)) >= 1 + len(ABILITIES)
    chosen = "\n".join(map(plain, rurik_pages.leaders(table(4))))
    for player in table(4).players:
        assert rurik.name(table(4), player.seat, None) in chosen


def test_a_seat_is_called_as_the_events_call_it():
    match = common_pb2.Match(seats=[common_pb2.Seat(seat=0, name="Olga"), common_pb2.Seat(seat=1, policy="greedy")])
    view = first_view("europe_divided")
    called = [games.called("europe_divided", view.table, seat) for seat in range(2)]
    assert score.seat_names(match, called) == ["Europe (Olga)", "Russia (greedy)"]
    assert games.called("masters_of_europe", None, 3) == "seat 3"


def test_a_terminal_that_is_too_small_is_told_so_and_gets_no_line_that_wraps(monkeypatch, capsys):
    monkeypatch.setattr(os, "get_terminal_size", lambda: os.terminal_size((80, 24)))
    Terminal(colour=False, unicode=True, clear=True).show(["x" * WIDTH])
    shown = capsys.readouterr().out.replace("\x1b[H\x1b[2J", "").splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[-1].startswith("This terminal has 80x24 characters, 100x40 are needed")
