"""Hold what the console knows of each game: its drawing, its pages by key, names of seats, moves in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bots.console import (
    europe_divided,
    generic,
    guide,
    masters_of_europe,
    masters_of_europe_offers,
    rurik,
    rurik_pages,
)
from bots.console.text import WIDTH, wrap

Draw = Callable[[Any, int | None], Sequence[str]]
#: How to draw the table of each game.
DRAWINGS: Mapping[str, Draw] = {
    "europe_divided": europe_divided.draw,
    "masters_of_europe": masters_of_europe.draw,
    "rurik": rurik.draw,
}
#: Each game's own pages by key, each with its word for the line of keys.
PAGES: Mapping[str, Mapping[str, tuple[str, Draw]]] = {
    "europe_divided": {
        "c": ("cards", europe_divided.cards),
        "b": ("borders", europe_divided.borders),
    },
    "masters_of_europe": {
        "c": ("cards", masters_of_europe.cards),
        "o": ("offers", masters_of_europe.others),
    },
    "rurik": {
        "c": ("cards", rurik_pages.cards),
        "o": ("others", rurik_pages.others),
        "b": ("borders", lambda table, _: rurik_pages.borders(table)),
    },
}
#: The pages of a game without a drawing.
PLAIN_PAGES: Mapping[str, tuple[str, Draw]] = {"t": ("table", generic.full)}
#: What the help page says of each game's table.
GLOSSARIES: Mapping[str, Draw] = {
    "europe_divided": lambda *_: europe_divided.GLOSSARY,
    "masters_of_europe": lambda *_: masters_of_europe.GLOSSARY,
    "rurik": lambda table, own: [*rurik_pages.names(table, own), "", *rurik_pages.GLOSSARY],
}
#: How to read a move that a person words, in games whose decisions are open to such; a ValueError says what is unclear.
WORDINGS: Mapping[str, Callable[[str], Any]] = {"masters_of_europe": masters_of_europe_offers.word}
#: What reminds of that behind the question.
HINTS: Mapping[str, str] = {"masters_of_europe": masters_of_europe_offers.HINT}
#: What a seat is called in games where events do not call it by its number.
_CALLED: Mapping[str, Callable[[Any, int], str]] = {
    "europe_divided": lambda _, seat: europe_divided.SIDES[seat],
    "rurik": lambda table, seat: rurik.name(table, seat, None),
}


def called(game: str, table: Any, seat: int) -> str:
    """Return what the events of a game call a seat."""
    return _CALLED[game](table, seat) if game in _CALLED else f"seat {seat}"


def pages(game: str) -> Mapping[str, tuple[str, Draw]]:
    """Return a game's own pages by key."""
    return PAGES.get(game, PLAIN_PAGES)


def foot(game: str) -> list[str]:
    """Return the keys of a game's own pages with their words, for the foot of the screen."""
    return [f"{key} {name}" for key, (name, _) in pages(game).items()]


def help_page(game: str, table: Any, own: int | None) -> list[str]:
    """Return the page of help: the keys, how the game goes, how to read its table."""
    glossary = GLOSSARIES[game](table, own) if game in GLOSSARIES else ()
    goes = wrap(guide.GOES.get(game, ""), WIDTH, indent="")
    return [*guide.KEYS, *guide.GAME_KEYS.get(game, ()), "", *goes, "", *glossary]
