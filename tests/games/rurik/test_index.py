"""Hold the game's README to its word; see tests/games/index.py for what that means."""

from engine.games import rurik
from tests.games.index import RulebookIndex


class TestIndex(RulebookIndex):
    game = "rurik"
    least_rulings = 50
    chapters = {
        "Paths to Victory": 8,
        "Game Components": 26,
        "Leaders": 9,
        "Credits": 1,
        "Game Setup": 30,
        "Gameplay Overview": 5,
        "Ruling Regions": 2,
        "1. Strategy Phase": 1,
        "Power vs. Initiative": 2,
        "Placing Advisors": 5,
        "Adding Bribes": 2,
        "2. Action Phase": 1,
        "Resolving Advisors": 1,
        "Taking Actions": 11,
        "Muster": 2,
        "Move": 2,
        "Attack": 7,
        "Tax": 5,
        "Build": 8,
        "Scheme": 3,
        "Bonus Actions": 5,
        "Playing Schemes": 2,
        "Accomplishing Deeds": 2,
        "Converting Goods": 4,
        "3. Claim Phase": 2,
        "A) Advance on Claim Tracks": 5,
        "B) Earn Income": 3,
        "C) Choose Deed Cards": 2,
        "D) Refresh Conversion Tokens": 1,
        "E) Replenish Goods": 1,
        "F) Advance Round Marker": 1,
        "End of the Game": 6,
        "Alternate Board Variant": 1,
        "Rebel Rewards Variant": 1,
        "Deed Row Variant": 1,
        "Solo Mode": 4,
        "Rebellion Setup": 7,
        "Game Board Setup": 3,
        "Gameplay Differences for You": 4,
        "Rebellion Cards": 5,
        "Rebellion Strategy": 6,
        "Rebellion Action": 32,
        "Rebellion Claim": 9,
        "Rebellion Scoring": 5,
        "Deed Card Reference": 26,
        "Agenda Card Reference": 12,
    }


def test_the_designer_is_named():
    """Credits 1."""
    assert "Stanislav Kordonskiy" in TestIndex().text
    assert "Stanislav Kordonskiy" in str(rurik.__doc__)
