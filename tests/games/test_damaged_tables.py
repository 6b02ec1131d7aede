"""Whatever a host writes into a table is refused in words, or can be played."""

import subprocess
import sys

import pytest

from engine.core.registry import GAMES
from tests.games.packs import ROOT


@pytest.mark.parametrize("game", GAMES)
def test_a_damaged_field_is_refused_or_makes_no_match_fail(game, tmp_path):
    command = [sys.executable, "-m", "tests.games.packs", game, "25", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=True)
    told = ran.stdout.splitlines()
    assert len(told) == 25, ran.stderr
    assert set(told) == {"refused", "plays"}
