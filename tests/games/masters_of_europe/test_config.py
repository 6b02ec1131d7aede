"""Hold the options of a match to what they allow."""

import pytest

from engine.core.errors import BadConfig
from engine.games.masters_of_europe import RULES
from engine.games.masters_of_europe.config import Config


def test_the_defaults_are_the_readings_of_the_rulebook():
    assert RULES.config(4, {}) == Config(4, "any", 12, "score_phase")
    defaults = {option.name: option.default for option in RULES.info.options}
    assert defaults == {"treaty_tokens": "any", "offer_cap": "12", "end_check": "score_phase", "last_round": "30"}


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (2, {}, "seats"),
        (9, {}, "seats"),
        (True, {}, "seats"),
        (3, {"treaty_tokens": "theirs"}, "treaty_tokens"),
        (3, {"end_check": 1}, "end_check"),
        (3, {"offer_cap": -1}, "offer_cap"),
        (3, {"offer_cap": 101}, "offer_cap"),
        (3, {"offer_cap": True}, "offer_cap"),
        (3, {"last_round": 0}, "last_round"),
        (3, {"last_round": 101}, "last_round"),
        (3, {"automa": {1: "easy"}}, "automa"),
    ],
)
def test_a_wrong_option_is_named(seats, options, field):
    with pytest.raises(BadConfig) as caught:
        RULES.config(seats, options)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "options", [{"treaty_tokens": "own"}, {"offer_cap": 100}, {"end_check": "at_once"}, {"last_round": 100}]
)
def test_every_option_may_be_set(options):
    config = RULES.config(3, options)
    assert {name: getattr(config, name) for name in options} == options
