"""Hold the list of cases to its promise: no game and no seat count is left out."""

import pytest

from engine.core.registry import GAMES
from tests.conformance.cases import CASES, case_named


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_count_of_every_game_is_held_to_the_contract(game: str) -> None:
    info = GAMES[game].info
    assert {case.seats for case in CASES if case.game == game} == set(range(info.min_seats, info.max_seats + 1))


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_every_game_occurs_in_a_case(game: str) -> None:
    used = {name for case in CASES if case.game == game for name in case.options}
    assert used == {option.name for option in GAMES[game].info.options}


def test_names_are_those_that_the_command_line_takes() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert all(case_named(name).name == name for name in names)
