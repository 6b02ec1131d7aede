"""Hold the game's README to its word; see tests/games/index.py for what that means."""

import pytest

from engine.games.masters_of_europe import RULES
from tests.games.index import RulebookIndex


class TestIndex(RulebookIndex):
    game = "masters_of_europe"
    sources = ("rulebook", "proposed")
    told = r"(\d+) (?:name the rulebook|is proposed)"
    chapters = {
        "Introduction": 2,
        "Victory": 4,
        "The Map": 18,
        "Control Tokens": 1,
        "Victory Chips": 2,
        "Industry Cubes": 2,
        "The Master Deck": 5,
        "Leader Token": 3,
        "Setup": 4,
        "Round Sequence": 6,
        "Draw Phase": 2,
        "Trade Phase": 1,
        "Action Phase": 10,
        "War Meld": 2,
        "Marriage Meld": 3,
        "Royalty Meld": 2,
        "Industry Meld": 2,
        "Treaty Meld": 2,
        "Revolution Meld": 3,
        "Absolutism Meld": 3,
        "Alliance Meld": 3,
        "Score Phase": 5,
        "End Phase": 3,
        "Master Card List Notation": 5,
        "Master Deck Card List": 30,
    }

    @pytest.mark.parametrize("option", RULES.info.options, ids=lambda option: option.name)
    def test_every_option_is_marked_among_the_rulings(self, option):
        assert [line for line in self.rulings if line.startswith("| * ") and f"(option {option.name}" in line]
