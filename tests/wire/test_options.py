import pytest

from engine.core.rules import OptionInfo
from protos.wire.errors import WireError
from protos.wire.options import OptionsPlan
from veche.games.rurik.v1 import rurik_pb2

AUTOMA = OptionInfo("automa", "map<seat, difficulty>", "{}", "")
OPTIONS = (
    AUTOMA,
    OptionInfo("leaders", "str", "choose", "", ("choose", "random")),
    OptionInfo("first_player", "int", "-1", ""),
    OptionInfo("alternate_board", "bool", "false", ""),
    OptionInfo("rebel_rewards", "bool", "false", ""),
    OptionInfo("deed_row", "bool", "false", ""),
    OptionInfo("deed_adjacency", "str", "connected", "", ("connected", "pairwise")),
    OptionInfo("casualty_leader", "str", "any", "", ("any", "last")),
)
PLAN = OptionsPlan(OPTIONS, rurik_pb2.Options.DESCRIPTOR)
SOME = {"automa": {1: "very_hard"}, "leaders": "random", "first_player": 0, "deed_row": False}


def changed(name, **fields):
    return tuple(
        OptionInfo(**{key: fields.get(key, getattr(option, key)) for key in OptionInfo.__struct_fields__})
        if option.name == name
        else option
        for option in OPTIONS
    )


def test_options_come_back_as_given_and_absent_ones_stay_absent():
    assert PLAN.from_message(PLAN.to_message(SOME)) == SOME
    assert PLAN.from_message(rurik_pb2.Options()) == {}


@pytest.mark.parametrize(
    ("message", "field"),
    [(rurik_pb2.Options(leaders=9), "leaders"), (rurik_pb2.Options(automa={1: 0}), "automa")],
)
def test_an_enum_number_without_a_name_is_refused_with_its_field(message, field):
    with pytest.raises(WireError, match="must be one of") as caught:
        PLAN.from_message(message)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "red"),
        ("leaders", "none"),
        ("leaders", 1),
        ("automa", {1: "insane"}),
        ("automa", {2**40: "easy"}),
        ("automa", "easy"),
        ("first_player", "x"),
        ("first_player", 2**40),
        ("deed_row", "yes"),
    ],
)
def test_an_option_that_the_message_lacks_or_that_does_not_fit_is_refused_by_name(name, value):
    with pytest.raises(WireError) as caught:
        PLAN.to_message({name: value})
    assert caught.value.field == name


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (OPTIONS[1:], "Options.automa: missing in the engine"),
        ((*OPTIONS, OptionInfo("speed", "int", "1", "")), "Options.speed: missing in the proto"),
        (changed("leaders", choices=("choose",)), "Options.leaders: the choices differ"),
        (changed("leaders", type="bool"), "Options.leaders: bool is another type"),
        (changed("automa", type="bool"), "Options.automa: bool is a map"),
    ],
)
def test_options_that_differ_from_the_message_are_named(options, says):
    assert any(says in line for line in OptionsPlan(options, rurik_pb2.Options.DESCRIPTOR).differences())


def test_options_that_agree_show_no_difference():
    assert PLAN.differences() == []
