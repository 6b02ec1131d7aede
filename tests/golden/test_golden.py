"""Compare every game with its playthroughs and node counts."""

import difflib
from pathlib import Path

import pytest

from engine.core.registry import GAMES
from tests.conformance.cases import Case
from tests.golden import perft, playthrough


@pytest.mark.parametrize("case", playthrough.cases(), ids=str)
def test_a_game_goes_as_it_is_written_down(case: Case) -> None:
    path = playthrough.path_of(case)
    assert path.exists(), f"no playthrough of {case}: write it with python -m tests.golden --update, and read it"
    wanted, got = path.read_text().splitlines(), playthrough.playthrough(case)
    difference = list(difflib.unified_diff(wanted, got, "written down", "played now", lineterm="", n=2))[:60]
    assert not difference, "\n".join(["", *difference])


@pytest.mark.parametrize("game", GAMES)
def test_every_game_and_seat_count_has_a_playthrough_and_node_counts(game: str) -> None:
    seats = {case.seats for case in playthrough.cases() if case.game == game}
    assert seats == set(range(GAMES[game].info.min_seats, GAMES[game].info.max_seats + 1))
    assert any(path.parent.name == game for path in perft.files())


@pytest.mark.parametrize("path", perft.files(), ids=lambda path: path.parent.name)
def test_the_tree_of_moves_has_as_many_leaves_as_written_down(path: Path) -> None:
    for named in perft.read(path):
        assert perft.counts(named) == named.leaves, f"{named.case}, seed {named.seed}, {named.kind}"


def test_no_playthrough_is_left_of_a_case_that_is_gone() -> None:
    kept = {playthrough.path_of(case) for case in playthrough.cases()}
    assert set(playthrough.FOLDER.glob("*/*.txt")) <= kept
