from enum import StrEnum

import msgspec
import pytest

from protos.wire import shapes
from tests.wire import toys


def struct(name, **fields):
    return msgspec.defstruct(name, list(fields.items()), frozen=True)


def arm(name, **fields):
    return msgspec.defstruct(name, list(fields.items()), frozen=True, tag_field="type", tag=name.lower())


def good(name="Good", **members):
    return StrEnum(name, members or {"DRIED_FISH": "dried_fish", "FUR": "fur"})


OFFER = {"coins": int, "note": str | None}
TRADE = {"give": toys.Good, "want": toys.Good | None, "offer": toys.Offer}


@pytest.mark.parametrize("name", ["Action", "Table", "Trade", "Offer"])
def test_types_that_agree_show_no_difference(name):
    assert shapes.differences(getattr(toys, name), toys.descriptor(name)) == []


@pytest.mark.parametrize(
    ("kind", "message", "says"),
    [
        (struct("Offer", coins=int), "Offer", "Offer.note: missing in the engine"),
        (struct("Offer", **OFFER, more=int), "Offer", "Offer.more: missing in the proto"),
        (struct("Offer", coins=str, note=str | None), "Offer", "Offer.coins: str is another type"),
        (struct("Offer", coins=bool, note=str | None), "Offer", "Offer.coins: bool is another type"),
        (struct("Offer", coins=float, note=str | None), "Offer", "Offer.coins: float is another type"),
        (struct("Offer", coins=int, note=str), "Offer", "Offer.note: must not be optional"),
        (struct("Offer", coins=int | None, note=str | None), "Offer", "Offer.coins: must be optional"),
        (struct("Offer", coins=tuple[int, ...], note=str | None), "Offer", "Offer.coins: must be repeated"),
        (struct("Offer", coins=dict[str, int], note=str | None), "Offer", "Offer.coins: must be a map"),
        (struct("Bid", **OFFER), "Offer", "Struct Bid is message Offer"),
        (struct("Action", **OFFER), "Action", "a plain Struct is a message with a oneof"),
        (int, "Offer", "int cannot be a message"),
        (arm("Pass") | arm("Trade", **TRADE) | arm("Resign"), "Action", "Action.resign: missing in the proto"),
        (arm("Pass") | arm("Other"), "Action", "Action.trade: missing in the engine"),
        (arm("Pass") | arm("Trade", **TRADE), "Trade", "a union must be a message of one oneof"),
        (arm("Trade", **TRADE) | arm("Pass", more=int), "Action", "Action.pass.more: missing in the proto"),
        (struct("Trade", **{**TRADE, "give": good(FUR="fur")}), "Trade", "GOOD_DRIED_FISH: missing in the engine"),
        (
            struct("Trade", **{**TRADE, "give": good(FUR="fur", DRIED_FISH="dried_fish", ORE="ore")}),
            "Trade",
            "GOOD_ORE",
        ),
        (struct("Trade", **{**TRADE, "give": good("Ware")}), "Trade", "enum Ware is Good"),
        (struct("Trade", **{**TRADE, "give": str}), "Trade", "Trade.give: str is another type"),
        (struct("Trade", **{**TRADE, "offer": int}), "Trade", "Trade.offer: int is another type"),
    ],
)
def test_each_difference_is_named(kind, message, says):
    found = shapes.differences(kind, toys.descriptor(message))
    assert any(says in line for line in found), found


@pytest.mark.parametrize(
    ("field", "kind", "says"),
    [
        ("dice", int, "int is repeated"),
        ("dice", tuple[str, ...], "str is another type"),
        ("dice", tuple[int, ...] | None, "cannot be None on the wire"),
        ("stock", dict[int, int], "(key): int is another type"),
        ("stock", dict[str, str], "(value): str is another type"),
        ("stock", tuple[int, ...], "must be repeated"),
        ("by_seat", dict[toys.Good, toys.Offer], "keys must be strings"),
        ("stock", dict[bool, int], "bool cannot be a key"),
    ],
)
def test_lists_and_maps_are_compared_inside(field, kind, says):
    fields = {item.name: item.type for item in msgspec.structs.fields(toys.Table)}
    found = shapes.differences(struct("Table", **{**fields, field: kind}), toys.descriptor("Table"))
    assert any(says in line for line in found), found


def test_a_tag_field_of_another_name_is_a_difference():
    other = msgspec.defstruct("Pass", [], frozen=True, tag_field="kind", tag="pass")
    assert any("must be called type" in line for line in shapes.differences(other, toys.descriptor("Lone")))


def test_the_enum_prefix_follows_the_words_of_the_name():
    assert shapes.enum_prefix("SchemeDeck") == "SCHEME_DECK_"
    assert shapes.enum_value_name("GOOD_", "dried-fish 2") == "GOOD_DRIED_FISH_2"
