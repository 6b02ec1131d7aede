import contextlib

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from protos.wire.errors import Mismatch, WireError
from protos.wire.plans import Plan
from tests.wire import toys
from tests.wire.strategies import values

ACTION = Plan(toys.Action, toys.descriptor("Action"))
TABLE = Plan(toys.Table, toys.descriptor("Table"))
EMPTY = toys.Table(False, (), (), (), {}, {}, {}, {}, None, None, None, ())


@given(values(toys.Action))
def test_every_action_comes_back_equal(action):
    data = ACTION.to_message(action).SerializeToString()
    assert ACTION.from_message(ACTION.message_class.FromString(data)) == action


@given(values(toys.Table))
def test_every_table_comes_back_equal(table):
    data = TABLE.to_message(table).SerializeToString()
    assert TABLE.from_message(TABLE.message_class.FromString(data)) == table


def test_nothing_set_reads_as_empty_and_absent():
    assert TABLE.from_message(TABLE.message_class()) == EMPTY


def test_zero_and_absent_stay_apart():
    table = TABLE.message_class(winner=0)
    assert TABLE.from_message(table).winner == 0
    assert TABLE.to_message(TABLE.from_message(table)).HasField("winner")


def test_enum_members_are_strings_only_in_the_engine():
    message = TABLE.to_message(toys.Table(**{**_fields(EMPTY), "prices": {toys.Good.DRIED_FISH: 3}}))
    assert dict(message.prices) == {"dried_fish": 3}
    assert list(TABLE.from_message(message).prices) == [toys.Good.DRIED_FISH]


def test_map_keys_come_in_a_fixed_order():
    message = TABLE.message_class(stock={"z": 1, "a": 2, "m": 3})
    assert list(TABLE.from_message(message).stock) == ["a", "m", "z"]


def test_a_union_of_one_is_a_union():
    plan = Plan(toys.Pass, toys.descriptor("Lone"))
    assert plan.to_message(toys.Pass()).WhichOneof("action") == "pass"
    assert plan.from_message(plan.to_message(toys.Pass())) == toys.Pass()


@pytest.mark.parametrize(
    ("message", "field", "says"),
    [
        ({}, "", "one of its alternatives must be set"),
        ({"trade": {}}, "trade.give", "must be set; it is one of GOOD_DRIED_FISH, GOOD_FUR"),
        ({"trade": {"give": 7}}, "trade.give", "has no value 7"),
        ({"trade": {"give": 1, "want": 0}}, "trade.want", "must be set"),
        ({"trade": {"give": 1, "want": 9}}, "trade.want", "has no value 9"),
        ({"trade": {"give": 1}}, "trade.offer", "must be set"),
        ({"trade": {"give": 1, "offer": {"coins": 100}}}, "trade.offer.coins", "must be at least 0 and at most 99"),
        ({"trade": {"give": 1, "offer": {"coins": -1}}}, "trade.offer.coins", "must be at least 0 and at most 99"),
    ],
)
def test_a_bad_action_is_refused_with_the_path_of_the_field(message, field, says):
    with pytest.raises(WireError) as caught:
        ACTION.from_message(ACTION.message_class(**message))
    assert caught.value.field == field
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"market": [1, 2, 8]}, "market[2]"),
        ({"offers": [{}, {"coins": 500}]}, "offers[1].coins"),
        ({"by_seat": {3: {"coins": -4}}}, "by_seat[3].coins"),
        ({"swaps": {"a": 0}}, "swaps[a]"),
        ({"prices": {"gold": 1}}, "prices[gold]"),
        ({"last": {}}, "last"),
        ({"history": [{"pass": {}}, {}]}, "history[1]"),
        ({"history": [{"trade": {"give": 1}}]}, "history[0].trade.offer"),
    ],
)
def test_the_path_leads_through_lists_maps_and_unions(message, field):
    with pytest.raises(WireError) as caught:
        TABLE.from_message(TABLE.message_class(**message))
    assert caught.value.field == field


def test_an_arm_of_a_later_release_reads_as_an_empty_oneof():
    unknown = b"\x7a\x00"  # field 15, length 0
    with pytest.raises(WireError, match="one of its alternatives must be set"):
        ACTION.from_message(ACTION.message_class.FromString(unknown))


@pytest.mark.parametrize("value", [EMPTY, toys.Offer(2**31, None), "pass"])
def test_what_does_not_fit_the_message_is_no_message(value):
    plan = Plan(toys.Offer, toys.descriptor("Offer")) if isinstance(value, toys.Offer) else ACTION
    with pytest.raises(WireError, match="does not fit"):
        plan.to_message(value)


@given(st.binary(max_size=40))
def test_bytes_of_anybody_give_a_value_or_a_wire_error(data):
    with contextlib.suppress(DecodeError, WireError):
        TABLE.from_message(TABLE.message_class.FromString(data))


def test_types_that_differ_make_no_plan():
    with pytest.raises(Mismatch, match="Struct Offer is message Pass"):
        Plan(toys.Offer, toys.descriptor("Pass"))


def _fields(table):
    return {name: getattr(table, name) for name in table.__struct_fields__}
