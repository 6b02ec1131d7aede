from hypothesis import given
from hypothesis import strategies as st

from bots.console.text import beside, clip, menu, pad, paint, plain, width, wrap

LINES = st.lists(st.tuples(st.text("ab ·", max_size=12), st.sampled_from(["", "red", "bold"])), max_size=6)


def painted(parts):
    return "".join(paint(text, colour) if colour else text for text, colour in parts)


@given(LINES, st.integers(2, 40))
def test_clipping_keeps_the_limit_and_a_prefix_whatever_the_colours(parts, limit):
    text = painted(parts)
    cut = clip(text, limit)
    assert width(cut) <= limit
    if width(text) <= limit:
        assert cut == text
    else:
        assert plain(cut) == plain(text)[: limit - 2] + ".."


@given(LINES, st.integers(2, 40))
def test_padding_gives_exactly_the_columns_asked_for(parts, columns):
    assert width(pad(painted(parts), columns)) == columns


@given(st.lists(st.text("abc", min_size=1, max_size=15), max_size=20), st.integers(10, 40))
def test_wrapping_loses_no_word_that_fits_and_keeps_the_width(words, columns):
    lines = wrap(" ".join(words), columns)
    assert all(len(line) <= columns for line in lines)
    if all(len(word) <= columns - 2 for word in words):
        assert " ".join(lines).split() == words


def test_a_menu_pages_through_all_options_with_running_numbers():
    options = [f"move number {i} with a long text that fills more than half of the line, surely" for i in range(1, 24)]
    numbers = []
    for page in range(menu(options, 0, 5)[1]):
        numbers += [int(line.split()[0]) for line in menu(options, page, 5)[0]]
    assert numbers == list(range(1, 24))


def test_short_options_stand_in_two_columns_when_one_is_not_enough():
    lines, pages = menu([f"move {i}" for i in range(1, 9)], 0, 5)
    assert pages == 1
    assert lines[0].split() == ["1", "move", "1", "5", "move", "5"]


def test_blocks_beside_each_other_keep_their_columns():
    assert beside(["a", "bb"], ["c"], 3) == ["a   c", "bb"]
