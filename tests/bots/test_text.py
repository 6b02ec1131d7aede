from hypothesis import given
from hypothesis import strategies as st

from bots.console.text import beside, clip, pad, paint, plain, width, wrap

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


def test_blocks_beside_each_other_keep_their_columns():
    assert beside(["a", "bb"], ["c"], 3) == ["a   c", "bb"]
