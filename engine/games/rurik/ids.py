"""Name the things of the game: the words of the rulebook, the strings of the data files."""

from enum import StrEnum


class Good(StrEnum):
    """Name the five goods, in the order in which lists of goods are kept."""

    WOOD = "wood"
    ORE = "ore"
    FISH = "fish"
    HONEY = "honey"
    FUR = "fur"


class Column(StrEnum):
    """Name the six action columns of the strategy board, from left to right."""

    MUSTER = "muster"
    MOVE = "move"
    ATTACK = "attack"
    TAX = "tax"
    BUILD = "build"
    SCHEME = "scheme"


class Structure(StrEnum):
    """Name the three structure types."""

    CHURCH = "church"
    MARKET = "market"
    STRONGHOLD = "stronghold"


class Track(StrEnum):
    """Name the three claim tracks."""

    RULE = "rule"
    BUILD = "build"
    TRADE = "trade"


class Priority(StrEnum):
    """Name the Rebellion's priorities, left to right on its mat."""

    ATTACK = "attack"
    BUILD = "build"
    RULE = "rule"


class BonusKind(StrEnum):
    """Name what a bonus space of the Rebellion's mat gives: points of an action, coins, a card fewer for a casualty."""

    MUSTER_POINTS = "muster_points"
    MOVEMENT_POINTS = "movement_points"
    ATTACK_POINTS = "attack_points"
    TAX_POINTS = "tax_points"
    BUILD_POINTS = "build_points"
    COINS = "coins"
    REVEAL_LESS = "reveal_less"


class Difficulty(StrEnum):
    """Name the four difficulty levels of the Rebellion, one dot to four."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very_hard"


class Token(StrEnum):
    """Name the two conversion tokens of a household mat."""

    BUILD_TOKEN = "build_token"
    MUSTER_TOKEN = "muster_token"


class MarketBonus(StrEnum):
    """Name what a market adds to a taxed good."""

    NONE = "none"
    GOOD = "good"
    COIN = "coin"


class Phase(StrEnum):
    """Name where a game stands."""

    SETUP = "setup"
    STRATEGY = "strategy"
    ACTION = "action"
    CLAIM = "claim"
    OVER = "over"


class Colour(StrEnum):
    """Name the four player colours."""

    BLUE = "blue"
    MAROON = "maroon"
    WHITE = "white"
    YELLOW = "yellow"


GOODS = tuple(Good)
COLUMNS = tuple(Column)
STRUCTURES = tuple(Structure)
TRACKS = tuple(Track)
PRIORITIES = tuple(Priority)
TOKENS = tuple(Token)
COLOURS = tuple(Colour)

MUSTER, MOVE, ATTACK, TAX, BUILD, SCHEME = range(6)
WOOD, ORE, FISH, HONEY, FUR = range(5)
CHURCH, MARKET, STRONGHOLD = range(3)
RULE_TRACK, BUILD_TRACK, TRADE_TRACK = range(3)
AGATHA, BORIS, MARIA, MSTISLAV, PREDSLAVA, SUDISLAV, SVIATOPOLK, YAROSLAV = range(8)

#: Nothing, nobody or nowhere, where a small integer is kept.
NONE = -1
#: A card or sticker that the view's seat must not know.
HIDDEN = -2
