"""Hold games to being the same in every process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.cases import CASES
from tests.conformance.digest import digest

ROOT = Path(__file__).parents[2]
SEEDS = (1, 2)


@pytest.mark.parametrize("hash_seed", ["1", "271828"])
def test_games_are_the_same_in_another_process_with_another_hash_seed(hash_seed: str) -> None:
    command = [sys.executable, "-m", "tests.conformance.digest", *map(str, SEEDS)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert ran.returncode == 0, ran.stderr
    here = [f"{case} {seed} {digest(case, seed)}" for case in CASES for seed in SEEDS]
    assert ran.stdout.split("\n")[:-1] == here


def test_another_seed_is_another_game() -> None:
    for case in CASES:
        assert digest(case, 1) != digest(case, 3), case
