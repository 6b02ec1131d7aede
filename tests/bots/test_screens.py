"""Compare drawn screens with the texts in screens/; `python -m tests.bots.test_screens` writes them anew."""

import re
from pathlib import Path

import pytest

from bots.console import generic, rurik, rurik_pages, screen
from bots.console.text import HEIGHT, WIDTH, ascii_only, plain, width
from tests.bots.tables import table

SCREENS = Path(__file__).parent / "screens"
NEWS = [
    "The Rebellion turns rebellion card 12.",
    "The Rebellion moves a troop from Pereyaslavl to Chernigov.",
    "The Rebellion attacks you in Chernigov: you lose a troop, and its warfare marker goes to 3, so choose the deck.",
]
MOVES = [f"Move a troop from Pereyaslavl to Chernigov by way {i}" for i in range(1, 30)]


def solo() -> list[str]:
    return screen.compose(rurik.draw(table(2, solo=True), 0), NEWS, "Spend 2 movement points.", MOVES, 0)[0]


def three() -> list[str]:
    return screen.compose(rurik.draw(table(3), 0), NEWS, "Spend 2 movement points.", MOVES[:4], 0)[0]


def four() -> list[str]:
    return screen.compose(rurik.draw(table(4), 0), NEWS * 4, "Spend 2 movement points.", MOVES, 1)[0]


def watching() -> list[str]:
    return list(rurik.draw(table(4, own=None), None))


def pages() -> list[str]:
    busy = table(2, solo=True)
    return [*rurik_pages.cards(busy, 0), *rurik_pages.others(busy, 0), *rurik_pages.borders(table(4))]


DRAWN = {"solo": solo, "three": three, "four": four, "watching": watching, "pages": pages}


@pytest.mark.parametrize("name", DRAWN)
def test_a_screen_looks_as_written_down(name):
    assert plain("\n".join(DRAWN[name]())) + "\n" == (SCREENS / f"{name}.txt").read_text()


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("moves", [1, 5, 12, 80])
@pytest.mark.parametrize("news", [0, 2, 40])
@pytest.mark.parametrize("solo", [False, True])
def test_every_screen_fits_100_by_40_with_its_prompt(seats, moves, news, solo):
    if solo and seats != 2:
        return
    drawn = rurik.draw(table(seats, solo=solo), 0)
    long = ["word " * 45] * news
    options = [("a long move " * (1 + i % 14)).strip() for i in range(moves)]
    pages = screen.compose(drawn, long, "question " * 30, options, 0)[1]
    seen = set()
    for page in range(pages):
        lines, _ = screen.compose(drawn, long, "question " * 30, options, page)
        assert len(lines) + 1 <= HEIGHT
        assert max(map(width, lines)) <= WIDTH
        seen |= {int(n) for line in lines for n in re.findall(r"(\d+) a long move", plain(line))}
    assert seen == set(range(1, moves + 1))


def test_every_page_fits_100_columns():
    assert max(map(width, pages())) <= WIDTH


def test_the_map_shows_every_region_with_its_good_pieces_structures_and_ruler():
    text = plain("\n".join(rurik.draw_map(table(4))))
    for region in table(4).regions:
        assert rurik.REGION_NAMES[region.id] in text
    assert text.count("rule:") == sum(r.ruler is not None for r in table(4).regions)
    assert text.count("reb1") == sum(r.rebels for r in table(4).regions)


def test_walls_stand_exactly_where_drawn_neighbours_do_not_border():
    place = {v: k for k, v in rurik.PLACES.items()}
    apart = {
        frozenset((a, place[other]))
        for a, (row, column) in rurik.PLACES.items()
        for other in ((row, column + 1), (row + 1, column))
        if other in place and place[other] not in rurik.BORDERS[a]
    }
    assert apart == {frozenset(("smolensk", "murom")), frozenset(("kiev", "peresech"))}
    assert sum("#" in line for line in map(plain, rurik.draw_map(table(4)))) == 4


def test_a_game_without_a_drawing_shows_its_fields_within_the_screen():
    lines = generic.draw(table(4), 0)
    assert len(lines) == 24
    assert max(map(width, lines)) <= WIDTH
    assert "phase action" in lines[0]
    assert "more lines: t" in plain(lines[-1])
    assert any("id=pereyaslavl good=fur" in plain(line) for line in generic.full(table(4), 0))


def test_colour_is_optional_and_so_is_unicode():
    line = "\n".join(rurik.draw(table(4), 0))
    assert "\x1b[" in line
    assert "\x1b[" not in plain(line)
    assert ascii_only(plain(line)).isascii()
    assert "?" not in ascii_only(plain(line))


if __name__ == "__main__":
    SCREENS.mkdir(exist_ok=True)
    for name, draw in DRAWN.items():
        (SCREENS / f"{name}.txt").write_text(plain("\n".join(draw())) + "\n")
