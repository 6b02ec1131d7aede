"""Test printed effects: a closed vocabulary, resolved in printed order."""

from typing import Any

import pytest

from engine.core.effects import Effect, parse, run
from engine.core.errors import BadData


def test_an_operation_outside_the_vocabulary_names_its_record() -> None:
    with pytest.raises(BadData, match=r"cards\.yaml, feast: unknown effect 'sing'; known are coin, troop"):
        parse("cards.yaml, feast", [{"coin": 1}, {"sing": 2}], {"troop": print, "coin": print})


def test_effects_keep_the_printed_order() -> None:
    assert parse("x", [{"coin": 1, "troop": 2}, {"coin": 3}], ("coin", "troop")) == (
        Effect("coin", 1),
        Effect("troop", 2),
        Effect("coin", 3),
    )


def test_the_first_effect_printed_is_on_top_of_the_stack() -> None:
    stack: list[Any] = []
    operations = {"ask": lambda ctx, seat, amount: ctx.append((seat, amount))}
    run(stack, 1, (Effect("ask", 1), Effect("ask", 2)), operations)
    assert stack.pop() == (1, 1)
    assert stack.pop() == (1, 2)
