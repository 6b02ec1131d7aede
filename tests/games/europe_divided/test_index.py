"""Hold the game's README to its word; see tests/games/index.py for what that means."""

from engine.games import europe_divided
from tests.games.index import RulebookIndex


class TestIndex(RulebookIndex):
    game = "europe_divided"
    chapters = {
        "Components": 21,
        "Setup: Game Board": 1,
        "Setup: Headlines": 8,
        "Setup: Starting Action Cards": 2,
        "Setup: Money": 2,
        "Setup: Advantage Cards": 1,
        "Setup: Contested Region Action Cards": 1,
        "Setup: Dice and Markers": 1,
        "Setup: Armies": 2,
        "Component Limits": 2,
        "Game Overview": 4,
        "Game Turn": 12,
        "1. Advance Turn Marker": 1,
        "2. Initiative": 2,
        "3. Actions": 1,
        "4. Draw New Action Cards": 1,
        "5. Resolve Headlines": 2,
        "6. Shift Headlines": 2,
        "7. Place New Headlines": 2,
        "8. Discard Headlines": 2,
        "9. Draw New Headlines": 5,
        "Action Cards": 1,
        "Action Cards: Banner": 1,
        "Action Cards: Initiative": 1,
        "Action Cards: Actions in Colours": 1,
        "Russia Player": 1,
        "Europe Player": 1,
        "Special Actions, Effects and Reactions": 2,
        "Place Influence": 2,
        "Increase Influence": 6,
        "Gain Money": 2,
        "Build Army": 4,
        "Move Army": 5,
        "Special Actions": 2,
        "Effects and Reactions": 7,
        "Military Presence": 3,
        "Army vs. Army": 5,
        "Army vs. Influence Dice": 5,
        "Sea Cards": 1,
        "Baltic Sea": 1,
        "Black Sea": 4,
        "Advantage Cards": 1,
        "Advantage Cards: Special Action": 1,
        "Advantage Cards: Money": 1,
        "Advantage Cards: Prestige": 3,
        "Headlines": 1,
        "Headlines: Period": 1,
        "Headlines: Banner": 1,
        "Headlines: Affected Regions": 1,
        "Headlines: Conditions": 1,
        "Headlines: Award Value": 1,
        "Headlines: Background": 3,
        "Headline Conditions": 12,
        "Headlines of Period 1": 17,
        "Headlines of Period 2": 16,
        "Turn 8": 1,
        "Turn 10": 2,
        "Turn 16": 1,
        "Turn 20": 2,
        "Determining Victory": 1,
        "Credits": 8,
    }


def test_the_designers_are_named():
    """Credits 1."""
    for name in ("David Thompson", "Chris Marling"):
        assert name in TestIndex().text
        assert name in str(europe_divided.__doc__)
