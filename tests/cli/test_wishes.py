"""Hold what `run` takes and refuses before it starts anything, and that its console would say the same."""

import pytest

from bots.console import new
from engine.core.registry import GAMES
from services.api.catalog import CatalogServicer
from services.cli import __main__ as cli
from services.cli import run, wishes

POLICIES = ("random", "greedy")


def parsed(*flags: str):
    parser = cli.argparse.ArgumentParser()
    run.add_arguments(parser)
    return parser.parse_args(flags)


def checked(*flags: str) -> list[str]:
    return wishes.check(parsed(*flags), POLICIES)


@pytest.mark.parametrize(
    ("flags", "opponents"),
    [
        ((), ["automa"]),
        (("--seats", "1"), ["automa"]),
        (("--seats", "2"), ["greedy"]),
        (("--seats", "4", "--opponents", "random, greedy"), ["random", "greedy", "greedy"]),
        (("--opponents", "open,random"), ["open", "random"]),
        (("--difficulty", "very_hard"), ["automa"]),
        (("--game", "masters_of_europe"), ["greedy", "greedy"]),
        (("--game", "masters_of_europe", "--opponents", "random"), ["random", "random"]),
        (("--game", "europe_divided", "--seed", "0x1F"), ["greedy"]),
        (("--option", "deed_row=true", "--option", "first_player=1"), ["automa"]),
    ],
)
def test_who_plays_the_other_seats_is_worked_out_as_the_console_does(flags, opponents):
    assert checked(*flags) == opponents
    args = parsed(*flags)
    asked = new.Wishes(
        game=args.game,
        seats=int(args.seats) if args.seats else None,
        opponents=tuple(name.strip() for name in (args.opponents or "").split(",") if name.strip()),
        difficulty=args.difficulty or "easy",
        options=tuple(args.option),
    )
    message = new.request(asked, CatalogServicer(POLICIES)._game(args.game))
    assert message.seat_count == len(opponents) + 1
    bots = {setup.seat: setup.bot.policy for setup in message.seats if setup.HasField("bot")}
    assert bots == {seat: who for seat, who in enumerate(opponents, 1) if who in POLICIES}


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (("--game", "chess"), "no game 'chess'; there are rurik, masters_of_europe, europe_divided"),
        (("--seats", "9"), "takes 2 to 4 seats, yours counted, or 1 for solo; asked for '9'"),
        (("--seats", "many"), "asked for 'many'"),
        (("--seats", "-2"), "asked for '-2'"),
        (("--game", "europe_divided", "--seats", "1"), "takes 2 seats"),
        (("--game", "masters_of_europe", "--seats", "2"), "takes 3 to 8 seats"),
        (("--game", "europe_divided", "--opponents", "greedy,random"), "2 opponents do not fit into 2 seats"),
        (("--seats", "2", "--opponents", "greedy,random"), "2 opponents do not fit into 2 seats"),
        (("--opponents", "genius"), "no opponent 'genius'; Rurik: Dawn of Kiev has automa, random, greedy, open"),
        (("--game", "masters_of_europe", "--opponents", "automa"), "has random, greedy, open"),
        (("--seats", "3", "--opponents", "automa"), "exactly two"),
        (("--difficulty", "brutal"), "no difficulty 'brutal'; there are easy, medium, hard, very_hard"),
        (("--game", "masters_of_europe", "--difficulty", "hard"), "plays none of these seats"),
        (("--seed", "soon"), "0 to 2^256 - 1, decimal or after 0x in hex; got 'soon'"),
        (("--seed", "-1"), "got '-1'"),
        (("--seed", "1_000"), "got '1_000'"),
        (("--seed", str(1 << 256)), "a seed is a whole number"),
        (("--option", "leaders=best"), "leaders: must be one of choose, random; got 'best'"),
        (("--option", "first_player=x"), "option first_player is a whole number"),
        (("--option", "deed_row=perhaps"), "option deed_row is true or false"),
        (("--option", "automa=easy"), "NAME=VALUE with a name of leaders"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_with_what_may_be_asked_for(flags, reason):
    with pytest.raises(wishes.Unmet) as refused:
        checked(*(f"--{flags[i][2:]}={flags[i + 1]}" for i in range(0, len(flags), 2)))
    assert reason in str(refused.value)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_run_without_a_wish(game):
    assert len(checked("--game", game)) + 1 >= GAMES[game].info.min_seats


def test_the_command_says_so_and_ends_with_2_before_anything_is_made(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("VECHE_HOME", str(tmp_path / "home"))
    for flags in (["--game", "chess"], ["--data-pack", "/nowhere"]):
        assert cli.main(["run", *flags]) == 2
        assert capsys.readouterr().err.startswith("veche: ")
    assert cli.main(["run", "--resume", "m:t"]) == 2
    assert "takes a terminal" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()
