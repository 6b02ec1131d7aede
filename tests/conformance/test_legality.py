"""Hold games to one definition of legality: what is listed applies, what is not listed raises."""

import enum
import random
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from engine.core import codec
from engine.core.errors import IllegalAction
from engine.core.rules import Rules
from tests.conformance.cases import CASES, Case, rules_of
from tests.conformance.walk import share, told, walk

SEEDS = range(300, 304)


def mutations(action: Any) -> list[Any]:
    """Return actions like this one with one field changed to another value of its type."""
    changed = []
    for field in action.__struct_fields__:
        value = getattr(action, field)
        others: list[Any] = []
        if isinstance(value, bool):
            others = [not value]
        elif isinstance(value, int):
            others = [value + 1, value - 1, -1, 10**6]
        elif isinstance(value, enum.Enum):
            others = [member for member in type(value) if member is not value]
        elif isinstance(value, str):
            others = [value + "x", ""]
        elif isinstance(value, tuple):
            others = [value[1:], value + value[:1], value[::-1]]
        elif isinstance(value, msgspec.Struct):
            others = mutations(value)
        changed += [msgspec.structs.replace(action, **{field: other}) for other in [*others, None]]
    return changed


def is_open(rules: Rules, state: Any, seat: int, action: Any) -> bool:
    """Return whether more actions of this kind may be legal for a seat than are listed."""
    tag = getattr(getattr(action, "__struct_config__", None), "tag", None)
    return any(tag in decision.open for decision in rules.pending(state) if decision.seat == seat)


@pytest.mark.parametrize("case", CASES, ids=str)
class TestLegality:
    def test_every_legal_action_applies(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    if moment.index % 5 == seed % 5:
                        for action in moment.legal:
                            assert rules.apply(moment.state, moment.seat, action).state is not moment.state

    def test_what_is_not_listed_raises_and_changes_nothing(self, case: Case) -> None:
        rules = rules_of(case)
        pool = list(
            {action: None for seed in share(case, SEEDS) for moment in walk(case, seed) for action in moment.legal}
        )
        rng = random.Random(3)
        tried = 0
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    if moment.index % 3 != seed % 3:
                        continue
                    data = codec.encode(rules, moment.state)
                    wrong = rng.sample(pool, min(len(pool), 40)) + mutations(rng.choice(moment.legal))
                    for action in [*wrong, None, "pass", object()]:
                        for seat in rng.sample(range(-1, case.seats + 1), 4):
                            if action in rules.legal_actions(moment.state, seat):
                                continue
                            tried += 1
                            with (
                                pytest.raises(IllegalAction)
                                if not is_open(rules, moment.state, seat, action)
                                else (suppress(IllegalAction))
                            ):
                                rules.apply(moment.state, seat, action)
                    assert codec.encode(rules, moment.state) == data
        assert tried > 1000

    def test_an_action_of_the_acting_seat_is_refused_from_every_other(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    pending = {decision.seat for decision in rules.pending(moment.state)}
                    for seat in set(range(case.seats)) - pending:
                        with pytest.raises(IllegalAction) as caught:
                            rules.apply(moment.state, seat, moment.action)
                        assert caught.value.kind is None
                        assert caught.value.seat == seat
