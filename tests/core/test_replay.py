"""Test records: replayed to the last byte, refused at the first wrong entry."""

import pytest

from engine.core import codec
from engine.core.errors import Divergence, WrongVersion
from engine.core.replay import Entry, Record, replay
from tests.core import toy

RULES = toy.RULES


def record(*entries: Entry, **changes: str) -> Record:
    header = {"game": "toy", "rules_version": "1", "data_version": "0", **changes}
    return Record(**header, seats=2, options={}, seed=11, entries=entries)


def test_an_empty_record_is_the_first_state() -> None:
    first = RULES.initial_state(RULES.config(2, {}), 11)
    assert codec.encode(RULES, replay(RULES, record())) == codec.encode(RULES, first)


def test_the_first_entry_that_is_not_legal_is_named() -> None:
    bids = RULES.legal_actions(replay(RULES, record()), 0)
    with pytest.raises(Divergence, match="entry 1: seat 0 has no open decision now") as caught:
        replay(RULES, record(Entry(0, bids[0]), Entry(0, bids[1])))
    assert caught.value.index == 1


@pytest.mark.parametrize("field", ["game", "rules_version", "data_version"])
def test_a_record_of_other_rules_or_data_is_refused(field: str) -> None:
    with pytest.raises(WrongVersion, match=r"record of .*elsewhere.*; here are toy 1 0"):
        replay(RULES, record(**{field: "elsewhere"}))
