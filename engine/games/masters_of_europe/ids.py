"""Name the things of the game: the words of the rulebook, the strings of the data files."""

from enum import StrEnum


class MeldAction(StrEnum):
    """Name the eight action cards, which give a meld its effect."""

    WAR = "war"
    MARRIAGE = "marriage"
    TREATY = "treaty"
    ROYALTY = "royalty"
    INDUSTRY = "industry"
    REVOLUTION = "revolution"
    ABSOLUTISM = "absolutism"
    ALLIANCE = "alliance"


class CardKind(StrEnum):
    """Name the three types of card, as an offer may ask for them."""

    COUNTRY = "country"
    ACTION = "action"
    NUMBER = "number"


class Phase(StrEnum):
    """Name where a game stands; END is the end phase of a round, OVER the end of the game."""

    SETUP = "setup"
    DRAW = "draw"
    TRADE = "trade"
    ACTION = "action"
    SCORE = "score"
    END = "end"
    OVER = "over"


MELD_ACTIONS = tuple(MeldAction)
CARD_KINDS = tuple(CardKind)

#: Nobody, where a seat is kept.
NONE = -1
#: A card that the view's seat must not know.
HIDDEN = -2
