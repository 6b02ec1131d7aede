"""Host Masters of Europe as `make run GAME=masters_of_europe` does: bots alone, and a person who words an offer."""

import os
import re
import subprocess
import sys

import pytest

from bots.console.text import HEIGHT, WIDTH
from tests.bots.terminal import Terminal

pytestmark = pytest.mark.processes

RUN = [sys.executable, "-m", "services.cli", "run", "--game", "masters_of_europe", "--seats", "3", "--seed", "3"]


@pytest.fixture
def home(tmp_path):
    return {"VECHE_HOME": str(tmp_path / "home")}


def test_bots_trade_meld_and_score_to_the_end(home):
    done = subprocess.run(
        [*RUN, "--auto", "--opponents", "random,greedy"],
        env=os.environ | home,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert re.search(r"Seat \d made offer \d+ to ", done.stdout)
    assert re.search(r"Seat \d melded \w+ \d on ", done.stdout)
    assert re.search(r"seat \d \((greedy|random)\) wins", done.stdout)
    # Nobody reads what another seat drew or what two seats offer each other.
    assert not re.search(r"\bdrew (?!\d+ cards?\.)", done.stdout)
    assert not re.search(r"made offer \d+ to seat \d:", done.stdout)


def offer(terminal: Terminal, words: str, says: str) -> str:
    """Make an offer, again when another seat's came before it; return the screen that says something of it."""
    while True:
        terminal.type(words)
        screen = terminal.wait_for(rf"({says}|the table had changed before)[\s\S]*\n> $")
        if re.search(says, screen):
            return screen


def test_a_person_words_an_offer_and_is_told_what_is_wrong_with_one(home):
    terminal = Terminal(RUN, home)
    try:
        screen = terminal.wait_for(r"\n> $")
        while "finish trading" not in screen:
            terminal.type("1")
            screen = terminal.wait_for(r"\n> $")
        card = re.split(r" x\d|, | \| |\n", screen.partition("Your hand: ")[2])[0].lower()
        for typed, says in (
            ("offer all", "Type offer SEAT"),
            ("offer 1 give atlantis want war", "There is no card 'atlantis'"),
        ):
            terminal.type(typed)
            terminal.wait_for(rf"{says}[\s\S]*\n> $")
        offer(terminal, f"offer 0 give {card} want 1 chip", "an offer to oneself is not possible")
        screen = offer(terminal, f"offer all give {card} want any 2 numbers, any action", r"made offer \d+ to all")
        assert f"{card.replace('_', ' ').title()} for any 1 action card, any 2 number cards" in screen
        for key, word in (("h", "word an offer of your own"), ("c", "YOUR HAND"), ("o", "STANDING OFFERS")):
            terminal.type(key)
            screen = terminal.wait_for(rf"{word}[\s\S]*\n> $")
            assert len(screen.splitlines()) <= HEIGHT
            assert max(map(len, screen.splitlines())) <= WIDTH
            terminal.type("")
            terminal.wait_for(r"finish trading[\s\S]*\n> $")
        terminal.type("q")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()
