"""Name the things of the game: the words of the rulebook, the strings of the data files."""

from enum import StrEnum


class Side(StrEnum):
    """Name the two sides, in the order of their seats."""

    EUROPE = "europe"
    RUSSIA = "russia"


class Faction(StrEnum):
    """Name whose influence a die is: yellow, blue and red."""

    EU = "eu"
    NATO = "nato"
    RUSSIA = "russia"


class RegionKind(StrEnum):
    """Name the kinds of regions: grey, red, green, and the two seas."""

    CONTESTED = "contested"
    RUSSIA = "russia"
    EUROPE = "europe"
    SEA = "sea"


class Phase(StrEnum):
    """Name where a game stands."""

    SETUP = "setup"
    INITIATIVE = "initiative"
    ACTIONS = "actions"
    HEADLINES = "headlines"
    OVER = "over"


SIDES = tuple(Side)
FACTIONS = tuple(Faction)

EUROPE, RUSSIA = range(2)
EU, NATO, RUS = range(3)
#: The factions of each seat, and the seat of each faction.
FACTIONS_OF = ((EU, NATO), (RUS,))
SEAT_OF = (EUROPE, EUROPE, RUSSIA)
#: The factions that oppose each faction.
RIVALS_OF = ((RUS,), (RUS,), (EU, NATO))

#: Nothing, nobody or nowhere, where a small integer is kept.
NONE = -1
#: A card that the view's seat must not know.
HIDDEN = -2
