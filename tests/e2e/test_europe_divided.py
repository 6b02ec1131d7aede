"""Host Europe Divided as `make run GAME=europe_divided` does: bots alone, and a person who plays Europe."""

import os
import re
import subprocess
import sys

import pytest

from bots.console.text import HEIGHT, WIDTH
from tests.bots.terminal import Terminal

pytestmark = pytest.mark.processes

RUN = [sys.executable, "-m", "services.cli", "run", "--game", "europe_divided", "--seed", "3"]


@pytest.fixture
def home(tmp_path):
    return {"VECHE_HOME": str(tmp_path / "home")}


def test_bots_play_twenty_turns_and_one_side_wins(home):
    command = [*RUN, "--opponents", "random", "--auto"]
    done = subprocess.run(command, env=os.environ | home, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "Turn 20 of 20, period 2." in done.stdout
    assert re.search(r"Initiative: Europe \d+, Russia \d+", done.stdout)
    assert re.search(r"seat \d \(\w+\) wins", done.stdout)
    # Nobody reads what the other side drew or chose.
    assert not re.search(r"drew (?!\d+ [\w ]+\.)", done.stdout)
    assert not re.search(r"chose two action cards:", done.stdout)


def test_a_person_sees_the_board_and_its_pages(home):
    terminal = Terminal([*RUN, "--opponents", "random"], home)
    try:
        screen = terminal.wait_for(r"remove from the game[\s\S]*\n> $")
        assert "CONTESTED REGION" in screen
        terminal.type("1")
        screen = terminal.wait_for(r"choose two action cards[\s\S]*\n> $")
        assert len(screen.splitlines()) <= HEIGHT
        assert max(map(len, screen.splitlines())) <= WIDTH
        for key, word in (("h", "dominance"), ("c", "YOUR CARDS"), ("b", "BORDERS")):
            terminal.type(key)
            screen = terminal.wait_for(rf"{word}[\s\S]*\n> $")
            assert len(screen.splitlines()) <= HEIGHT
            terminal.type("")
            terminal.wait_for(r"choose two action cards[\s\S]*\n> $")
        terminal.type("q")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()
