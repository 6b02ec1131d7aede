import sys
from pathlib import Path

import pytest

from bots.console import __main__ as console
from bots.console.new import Unclear, Wishes, command, parse_resume, request, resume_token
from engine.core.registry import GAMES
from veche.v1 import catalog_pb2

INFO = GAMES["rurik"].info
GAME = catalog_pb2.Game(
    id="rurik",
    name=INFO.name,
    min_seats=INFO.min_seats,
    max_seats=INFO.max_seats,
    options=[catalog_pb2.GameOption(name=o.name, type=o.type) for o in INFO.options],
    policies=["random", "greedy"],
)


def seats(message):
    return [(s.seat, s.WhichOneof("occupant"), s.bot.policy) for s in message.seats]


def test_without_wishes_it_is_solo_on_easy():
    message = request(Wishes("rurik"), GAME)
    assert message.seat_count == 2
    assert seats(message) == [(0, "claim", "")]
    assert message.options.rurik.automa[1] == 1
    assert message.auto_start


def test_a_stand_in_plays_the_own_seat_without_a_person():
    assert seats(request(Wishes("rurik", auto=True), GAME)) == [(0, "bot", "greedy")]


def test_a_number_of_seats_alone_means_bots():
    assert seats(request(Wishes("rurik", seats=3), GAME)) == [
        (0, "claim", ""),
        (1, "bot", "greedy"),
        (2, "bot", "greedy"),
    ]


def test_a_game_for_more_seats_is_filled_up_to_its_least():
    game = catalog_pb2.Game()
    game.CopyFrom(GAME)
    game.min_seats = 3
    assert request(Wishes("rurik", opponents=("random",)), game).seat_count == 3


def test_one_seat_is_refused_by_a_game_without_solo():
    game = catalog_pb2.Game(id="europe_divided", name="Europe Divided", min_seats=2, max_seats=2, policies=["greedy"])
    with pytest.raises(Unclear, match="Europe Divided has no solo"):
        request(Wishes("europe_divided", seats=1), game)


def test_the_command_for_another_person_can_be_typed_where_this_one_was(monkeypatch):
    monkeypatch.setattr(sys, "executable", str(Path.cwd() / ".venv/bin/python"))
    assert command() == ".venv/bin/python -m bots.console"
    monkeypatch.setattr(sys, "executable", "/opt/venv/bin/python")
    assert command() == "/opt/venv/bin/python -m bots.console"


def test_one_seat_means_solo():
    assert request(Wishes("rurik", seats=1), GAME).seat_count == 2


def test_named_opponents_are_repeated_to_fill_the_seats():
    message = request(Wishes("rurik", seats=4, opponents=("random", "greedy")), GAME)
    assert [policy for _, _, policy in seats(message)] == ["", "random", "greedy", "greedy"]
    assert not message.HasField("options")


def test_an_open_seat_is_left_for_another_person():
    message = request(Wishes("rurik", opponents=("open", "random")), GAME)
    assert message.seat_count == 3
    assert [(seat, policy) for seat, _, policy in seats(message)] == [(0, ""), (2, "random")]


def test_the_difficulty_goes_to_the_automa():
    message = request(Wishes("rurik", opponents=("automa",), difficulty="very_hard"), GAME)
    assert message.options.rurik.automa[1] == 4


def test_options_are_typed_by_the_game():
    message = request(Wishes("rurik", options=("deed_row=true", "leaders=random", "first_player=1")), GAME)
    assert message.options.rurik.deed_row
    assert message.options.rurik.first_player == 1


@pytest.mark.parametrize(
    ("wishes", "word"),
    [
        (Wishes("rurik", seats=9), "takes 2 to 4 seats"),
        (Wishes("rurik", seats=2, opponents=("greedy", "random")), "do not fit"),
        (Wishes("rurik", opponents=("genius",)), "no opponent 'genius'"),
        (Wishes("rurik", difficulty="brutal"), "no difficulty 'brutal'; there are easy, medium, hard, very_hard"),
        (Wishes("rurik", options=("nonsense",)), "NAME=VALUE"),
        (Wishes("rurik", options=("deed_row=perhaps",)), "true or false"),
        (Wishes("rurik", options=("first_player=x",)), "whole number"),
        (Wishes("rurik", options=("first_player=--1",)), "whole number"),
        (Wishes("rurik", options=("first_player=99999999999",)), "first_player"),
        (Wishes("rurik", options=("leaders=best",)), "leaders"),
    ],
)
def test_a_wish_that_cannot_be_met_is_named(wishes, word):
    with pytest.raises(Unclear, match=word):
        request(wishes, GAME)


def test_a_resume_token_holds_match_and_seat():
    assert parse_resume(resume_token("abc", "d-e_f")) == ("abc", "d-e_f")
    with pytest.raises(Unclear, match="copy it whole"):
        parse_resume("abc")


@pytest.mark.parametrize(
    ("flags", "word"),
    [(["--watch"], "--watch wants --match"), (["--game", "chess"], "no game 'chess'; there are rurik")],
)
def test_what_no_engine_could_do_is_refused_without_one(flags, word, capsys):
    with pytest.raises(SystemExit) as refused:
        console.main([*flags, "--engine", "127.0.0.1:1"])
    assert refused.value.code == 2
    assert word in capsys.readouterr().err
