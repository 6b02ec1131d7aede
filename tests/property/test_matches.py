"""Drive matches by generated steps: good and bad moves, saving and loading, going back, guessing."""

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from engine.core import codec
from engine.core.errors import IllegalAction
from engine.core.replay import Entry, Record, replay
from tests.conformance.cases import CASES, Case, audit, case_named, rules_of
from tests.conformance.walk import begin, packed, viewers

NAMES = tuple({case.game: case.name for case in reversed(CASES)}.values())
numbers = st.integers(0, 1 << 16)


class Match(RuleBasedStateMachine):
    """Keep the true state beside its bytes and its record; the three must agree whatever happens."""

    name = ""

    @initialize(seed=st.integers(0, (1 << 256) - 1), skip=st.integers(0, 60))
    def start(self, seed: int, skip: int) -> None:
        self.case: Case = case_named(self.name)
        self.seed = seed
        self.rules, self.state = begin(self.case, seed)
        self.entries: list[Entry] = []
        self.history: list[bytes] = []
        self.old: Any = None
        rng = random.Random(seed)
        for _ in range(skip):
            self.move(rng.randrange(1 << 16), rng.randrange(1 << 16))

    def running(self) -> bool:
        return bool(self.rules.pending(self.state))

    @rule(who=numbers, what=numbers)
    def move(self, who: int, what: int) -> None:
        pending = self.rules.pending(self.state)
        if not pending:
            return
        seat = pending[who % len(pending)].seat
        legal = self.rules.legal_actions(self.state, seat)
        action = legal[what % len(legal)]
        self.history.append(codec.encode(self.rules, self.state))
        self.entries.append(Entry(seat, action))
        self.old = action
        self.state = self.rules.apply(self.state, seat, action).state

    @precondition(lambda self: self.old is not None)
    @rule(seat=st.integers(-2, 8))
    def try_the_last_move_again(self, seat: int) -> None:
        before = codec.encode(self.rules, self.state)
        # An offer that a seat words itself may be made once more, though the list of samples has turned.
        worded = any(d.seat == seat and d.open for d in self.rules.pending(self.state))
        if not worded and self.old not in self.rules.legal_actions(self.state, seat):
            with pytest.raises(IllegalAction):
                self.rules.apply(self.state, seat, self.old)
        assert codec.encode(self.rules, self.state) == before

    @rule()
    def save_and_load(self) -> None:
        self.state = codec.decode(self.rules, codec.encode(self.rules, self.state))

    @precondition(lambda self: self.history)
    @rule(back=st.integers(1, 5))
    def go_back(self, back: int) -> None:
        back = min(back, len(self.history))
        self.state = codec.decode(self.rules, self.history[-back])
        del self.history[-back:], self.entries[-back:]
        self.old = None

    @rule()
    def replay_the_record(self) -> None:
        info = self.rules.info
        options = self.case.options
        record = Record(
            info.id, info.rules_version, info.data_version, self.case.seats, options, self.seed, tuple(self.entries)
        )
        again = replay(self.rules, record)
        assert codec.encode(self.rules, again) == codec.encode(self.rules, self.state)

    @rule(who=numbers, seed=numbers)
    def guess(self, who: int, seed: int) -> None:
        seats = viewers(self.case)
        seat = seats[who % len(seats)]
        view = self.rules.observe(self.state, seat)
        guess = self.rules.determinize(view, random.Random(seed))
        assert packed(self.rules.observe(guess, seat)) == packed(view)
        assert audit(self.case, guess) == []


@pytest.mark.parametrize("name", NAMES)
def test_state_bytes_and_record_agree_whatever_happens(name: str) -> None:
    machine = type("Match", (Match,), {"name": name})
    run_state_machine_as_test(machine, settings=settings(max_examples=25, stateful_step_count=20))


def test_every_game_is_driven() -> None:
    assert {case_named(name).game for name in NAMES} == {case.game for case in CASES}
    assert all(rules_of(case_named(name)) for name in NAMES)
