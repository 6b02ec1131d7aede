"""Hold how moves are listed: all of them, whole, in as few pages as the room allows, and found by their words."""

from hypothesis import given
from hypothesis import strategies as st

from bots.console.menu import find, height, menu, numbered
from bots.console.text import WIDTH

TEXTS = st.lists(st.text("abc d", min_size=1, max_size=130).map(str.strip).filter(bool), min_size=1, max_size=60)


@given(TEXTS, st.integers(5, 30))
def test_every_move_stands_whole_on_one_page_that_fits(texts, rows):
    shown = []
    for page in range(menu(numbered(texts), 0, rows)[1]):
        lines, _ = menu(numbered(texts), page, rows)
        assert len(lines) <= rows
        assert max(map(len, lines)) <= WIDTH
        shown += " ".join(lines).split()
    words = [word for number, text in numbered(texts) for word in (str(number), *text.split())]
    assert sorted(shown) == sorted(words)


def test_moves_stand_below_each_other_as_long_as_there_is_room():
    lines, pages = menu(numbered([f"move {letter}" for letter in "abcde"]), 0, 5)
    assert pages == 1
    assert lines == ["1 move a", "2 move b", "3 move c", "4 move d", "5 move e"]


def test_short_moves_stand_in_as_few_columns_as_do():
    two, _ = menu(numbered(["place a troop"] * 9), 0, 5)
    assert [line.count("place") for line in two] == [2, 2, 2, 2, 1]
    three, pages = menu(numbered(["place a troop"] * 30), 0, 10)
    assert pages == 1
    assert [line.count("place") for line in three] == [3] * 10
    assert three[0].split()[::4] == ["1", "11", "21"]


def test_a_single_longer_move_is_wrapped_between_short_ones_side_by_side():
    moves = ["Place EU influence in Poland"] * 22
    moves[4] = "Place EU influence in Czechia and Slovakia (2 money)"
    lines, pages = menu(numbered(moves), 0, 12)
    assert pages == 1
    assert len(lines) == 12
    assert [line.count("Place") for line in lines[:5]] == [2] * 5
    assert lines[5].startswith("   money)")


def test_a_long_move_is_wrapped_below_its_own_text_not_cut():
    lines, _ = menu(numbered(["word " * 30, "short"]), 0, 9)
    assert height(numbered(["word " * 30, "short"])) == 3
    assert lines[0].startswith("1 word word")
    assert lines[1].startswith("  word")
    assert lines[2] == "2 short"


def test_moves_are_found_by_the_beginnings_of_words_and_keep_their_numbers():
    moves = numbered(["Move a troop from Kiev to Volyn", "Move a troop from Volyn to Kiev (2 coins)", "Done"])
    assert [number for number, _ in find(moves, "kiev VOL")] == [1, 2]
    assert [number for number, _ in find(moves, "coin")] == [2]
    assert [number for number, _ in find(moves, "(2")] == [2]
    assert find(moves, "iev") == []
