"""Hold states to being values: never changed behind somebody's back, the same as bytes, the same by replay."""

import hashlib

import pytest

from engine.core import codec
from engine.core.errors import Divergence, WrongVersion
from engine.core.replay import Entry, Record, replay
from tests.conformance.cases import CASES, Case, rules_of
from tests.conformance.walk import begin, share, told, walk

SEEDS = range(200, 206)


@pytest.mark.parametrize("case", CASES, ids=str)
class TestState:
    def test_apply_leaves_every_earlier_state_as_it_was(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                kept = []
                for moment in walk(case, seed):
                    data = codec.encode(rules, moment.state)
                    for action in moment.legal[:3]:
                        rules.apply(moment.state, moment.seat, action)
                    assert codec.encode(rules, moment.state) == data, f"changed by decision {moment.index}"
                    kept.append((moment.state, hashlib.sha256(data).digest()))
                for index, (state, digest) in enumerate(kept):
                    assert hashlib.sha256(codec.encode(rules, state)).digest() == digest, f"state {index} changed later"

    def test_looking_at_a_state_leaves_it_as_it_was(self, case: Case) -> None:
        rules = rules_of(case)
        with told(case, 200):
            for moment in walk(case, 200):
                data = codec.encode(rules, moment.state)
                for seat in (None, *range(case.seats)):
                    rules.observe(moment.state, seat)
                rules.default_action(moment.state, moment.seat)
                rules.outcome(moment.state)
                assert codec.encode(rules, moment.state) == data

    def test_a_state_comes_back_from_its_bytes_and_goes_on_alike(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    data = codec.encode(rules, moment.state)
                    copy = codec.decode(rules, data)
                    assert codec.encode(rules, copy) == data
                    assert rules.pending(copy) == rules.pending(moment.state)
                    assert rules.legal_actions(copy, moment.seat) == moment.legal
                    action = codec.decode_action(rules, codec.encode_action(moment.action))
                    assert action == moment.action
                    step = rules.apply(copy, moment.seat, action)
                    assert codec.encode(rules, step.state) == codec.encode(rules, moment.step.state)
                    assert step.events == moment.step.events
                    assert step.barrier == moment.step.barrier
                    assert codec.decode_events(rules, codec.encode_events(step.events)) == step.events

    def test_advance_does_what_apply_does(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                running = begin(case, seed)[1]
                for moment in walk(case, seed):
                    rules.advance(running, moment.seat, moment.action)
                    assert codec.encode(rules, running) == codec.encode(rules, moment.step.state)
                    assert rules.pending(running) == rules.pending(moment.step.state)

    def test_a_record_replays_to_the_same_state(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                moments = list(walk(case, seed))
                entries = tuple(Entry(moment.seat, moment.action) for moment in moments)
                record = Record(
                    case.game,
                    rules.info.rules_version,
                    rules.info.data_version,
                    case.seats,
                    case.options,
                    seed,
                    entries,
                )
                assert codec.encode(rules, replay(rules, record)) == codec.encode(rules, moments[-1].step.state)

    def test_a_record_that_does_not_fit_is_refused_at_its_first_wrong_entry(self, case: Case) -> None:
        rules = rules_of(case)
        info = rules.info
        moments = list(walk(case, 200))
        entries = [Entry(moment.seat, moment.action) for moment in moments]
        entries.insert(3, Entry(case.seats, moments[3].action))
        options = case.options
        broken = Record(case.game, info.rules_version, info.data_version, case.seats, options, 200, tuple(entries))
        with pytest.raises(Divergence) as caught:
            replay(rules, broken)
        assert caught.value.index == 3
        for record in (
            Record("other", info.rules_version, info.data_version, case.seats, options, 200),
            Record(case.game, info.rules_version + "x", info.data_version, case.seats, options, 200),
            Record(case.game, info.rules_version, info.data_version + "x", case.seats, options, 200),
        ):
            with pytest.raises(WrongVersion):
                replay(rules, record)

    def test_a_config_comes_back_from_its_bytes(self, case: Case) -> None:
        rules = rules_of(case)
        config = rules.config(case.seats, case.options)
        assert codec.decode_config(rules, codec.encode_config(config)) == config
