"""Rule on the options of a match: what is accepted, and what a bad one is told."""

from typing import Any

import pytest

from engine.core.errors import BadConfig
from engine.games.rurik import RULES
from engine.games.rurik.config import Config
from engine.games.rurik.ids import Difficulty

BAD: list[tuple[int, dict[str, Any], str]] = [
    (1, {}, "seats"),
    (5, {}, "seats"),
    (0, {}, "seats"),
    (True, {}, "seats"),
    ("2", {}, "seats"),  # type: ignore[list-item]
    (2, {"colour": "red"}, "colour"),
    (2, {"leaders": "draft"}, "leaders"),
    (2, {"leaders": True}, "leaders"),
    (2, {"first_player": 2}, "first_player"),
    (4, {"first_player": -2}, "first_player"),
    (2, {"first_player": "0"}, "first_player"),
    (2, {"first_player": True}, "first_player"),
    (2, {"alternate_board": 1}, "alternate_board"),
    (2, {"rebel_rewards": "yes"}, "rebel_rewards"),
    (2, {"deed_row": None}, "deed_row"),
    (2, {"deed_adjacency": "all"}, "deed_adjacency"),
    (2, {"casualty_leader": "first"}, "casualty_leader"),
    (2, {"automa": "easy"}, "automa"),
    (2, {"automa": {1: "brutal"}}, "automa"),
    (2, {"automa": {2: "easy"}}, "automa"),
    (2, {"automa": {0: "easy", 1: "easy"}}, "automa"),
    (3, {"automa": {1: "easy"}}, "automa"),
    (2, {"automa": {"one": "easy"}}, "automa"),
]


@pytest.mark.parametrize(("seats", "options", "field"), BAD)
def test_a_bad_option_is_named(seats: Any, options: dict[str, Any], field: str) -> None:
    with pytest.raises(BadConfig) as caught:
        RULES.config(seats, options)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")
    assert len(caught.value.message) > 10


@pytest.mark.parametrize(
    "option", [option for option in RULES.info.options if option.choices and option.name != "automa"]
)
def test_every_listed_choice_is_accepted(option: Any) -> None:
    for choice in option.choices:
        assert getattr(RULES.config(3, {option.name: choice}), option.name) == choice


def test_without_options_a_match_follows_the_rulebook() -> None:
    """The defaults: leaders chosen, no variant, connected regions, any troop as a casualty."""
    assert RULES.config(4, {}) == Config(4)
    assert Config(4).leaders == "choose"
    assert not any((Config(4).alternate_board, Config(4).rebel_rewards, Config(4).deed_row))


def test_the_defaults_told_are_the_defaults_used() -> None:
    for option in RULES.info.options:
        used = getattr(Config(2), option.name)
        assert option.default == (str(used).lower() if isinstance(used, bool) else "{}" if used == {} else str(used))


@pytest.mark.parametrize("difficulty", list(Difficulty))
@pytest.mark.parametrize("seat", [0, 1, "0", "1"])
def test_solo_names_a_seat_and_a_difficulty(difficulty: Difficulty, seat: int | str) -> None:
    """Solo Mode, Rebellion Setup 4: four levels; a seat may come as text from a form."""
    assert RULES.config(2, {"automa": {seat: difficulty.value}}).automa == {int(seat): difficulty}


def test_no_automa_is_no_solo_match() -> None:
    assert RULES.config(3, {"automa": {}}).automa == {}


def test_a_config_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        RULES.config(2, {}).seats = 3
