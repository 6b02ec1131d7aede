import pytest

from engine.core.errors import BadConfig
from engine.games.europe_divided import RULES


def test_two_seats_play():
    assert RULES.config(2, {}).seats == 2
    assert (RULES.info.min_seats, RULES.info.max_seats) == (2, 2)


@pytest.mark.parametrize("seats", [0, 1, 3, 8, True, "2", None])
def test_any_other_number_is_refused(seats):
    with pytest.raises(BadConfig, match="Europe Divided takes 2 seats") as caught:
        RULES.config(seats, {})
    assert caught.value.field == "seats"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"sea_below_minimum": "maybe"}, "sea_below_minimum"),
        ({"sea_below_minimum": True}, "sea_below_minimum"),
        ({"headline_conditions": 1}, "headline_conditions"),
        ({"automa": {1: "easy"}}, "automa"),
    ],
)
def test_a_wrong_option_names_its_field(options, field):
    with pytest.raises(BadConfig) as caught:
        RULES.config(2, options)
    assert caught.value.field == field


def test_options_are_kept():
    config = RULES.config(2, {"sea_below_minimum": "return", "headline_conditions": "literal"})
    assert (config.sea_below_minimum, config.headline_conditions) == ("return", "literal")
