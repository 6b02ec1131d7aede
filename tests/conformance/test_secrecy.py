"""Hold games to their secrets: states that differ only in what a seat must not know are the same to it.

A game's `SECRETS(state, seat, rng)` makes the other state of the pair. What may tell them apart later is only what the
rules reveal in the open; then the step must be a barrier.
"""

import random
from typing import Any

import pytest

from engine.core import codec
from engine.core.events import seen_by
from tests.conformance.cases import CASES, Case, audit, rules_of, secrets
from tests.conformance.walk import begin, looks, packed, share, told, viewers, walk

SEEDS = range(400, 403)
AHEAD = 12
PLANTED = b"\xc3\x01planted\x02seed\x03bytes\x04never\x05seen\x06!"


def closed_part(events: tuple[Any, ...], seat: int | None) -> list[Any]:
    """Return what `seat` reads of events that are told in full to others only."""
    return [e.public for e in events if e.audience is not None and seat not in e.audience and e.public is not None]


def open_part(events: tuple[Any, ...], seat: int | None) -> list[Any]:
    """Return the events that `seat` reads in full."""
    return [e.event for e in events if e.audience is None or seat in e.audience]


def follow(case: Case, one: Any, two: Any, seat: int | None, rng: random.Random) -> int:
    """Play the same actions in both states as long as the rules show `seat` no difference; return how many."""
    rules = rules_of(case)
    for count in range(AHEAD):
        pending = rules.pending(one)
        assert rules.pending(two) == pending
        if not pending:
            return count
        actor = rng.choice(pending).seat
        legal = rules.legal_actions(one, actor)
        both = legal if actor == seat else [a for a in legal if a in rules.legal_actions(two, actor)]
        if not both:
            return count
        action = rng.choice(both)
        step, twin = rules.apply(one, actor, action), rules.apply(two, actor, action)
        assert closed_part(step.events, seat) == closed_part(twin.events, seat), f"{action} tells in its public form"
        views = packed(rules.observe(step.state, seat)), packed(rules.observe(twin.state, seat))
        if open_part(step.events, seat) != open_part(twin.events, seat):
            assert step.barrier, f"{action} reveals to seat {seat} without a barrier"
            return count
        if views[0] != views[1]:
            # A draw may show by its result alone; an automa's card is read before it acts; the end lays secrets open.
            after = rules.pending(step.state)
            revealing = step.state.rng.counters != one.rng.counters or not after or any(d.automa for d in after)
            assert revealing, f"{action} shows seat {seat} a difference without an event"
            assert step.barrier
            return count
        one, two = step.state, twin.state
    return AHEAD


@pytest.mark.parametrize("case", CASES, ids=str)
class TestSecrecy:
    def test_states_that_differ_in_secrets_alone_look_the_same(self, case: Case) -> None:
        rules = rules_of(case)
        differed = 0
        for seed in share(case, SEEDS):
            rng = random.Random(seed)
            with told(case, seed):
                for moment, seats in looks(case, seed):
                    for seat in seats:
                        twin = secrets(case, moment.state, seat, rng)
                        assert audit(case, twin) == []
                        differed += codec.encode(rules, twin) != codec.encode(rules, moment.state)
                        view, other = rules.observe(moment.state, seat), rules.observe(twin, seat)
                        assert other == view, f"seat {seat} at decision {moment.index}"
                        assert packed(other) == packed(view)
        assert differed

    def test_what_follows_tells_them_apart_only_in_the_open(self, case: Case) -> None:
        followed = 0
        for seed in share(case, SEEDS):
            rng = random.Random(seed)
            with told(case, seed):
                for moment, seats in looks(case, seed):
                    if moment.index % 3 == seed % 3:
                        for seat in seats:
                            twin = secrets(case, moment.state, seat, rng)
                            followed += follow(case, moment.state, twin, seat, rng)
        assert followed > 20

    def test_an_action_shows_no_difference_to_a_seat_without_a_barrier(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    step = moment.step
                    private = any(emitted.audience is not None for emitted in step.events)
                    drew = step.state.rng.counters != moment.state.rng.counters
                    passed = {d.seat for d in rules.pending(step.state)} != {moment.seat}
                    if private or drew or passed:
                        assert step.barrier, f"decision {moment.index}: {moment.action}"

    def test_the_seed_is_in_no_view_and_in_no_event(self, case: Case) -> None:
        seed = int.from_bytes(PLANTED.ljust(32, b"~")[:32], "big")
        assert seed < 1 << 256
        rules, state = begin(case, seed)
        words = [PLANTED[i : i + 6] for i in range(len(PLANTED) - 6)]
        words += [str(seed).encode()[:16], f"{seed:x}".encode()[:16], f"{seed:X}".encode()[:16]]
        rng = random.Random(4)
        assert any(word in codec.encode(rules, state) for word in words)
        while pending := rules.pending(state):
            for seat in viewers(case):
                data = packed(rules.observe(state, seat))
                assert not any(word in data for word in words)
            actor = rng.choice(pending).seat
            step = rules.apply(state, actor, rng.choice(rules.legal_actions(state, actor)))
            assert not any(word in codec.encode_events(step.events) for word in words)
            state = step.state

    def test_what_a_seat_reads_of_private_events_is_less_for_others(self, case: Case) -> None:
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    for emitted in moment.step.events:
                        if emitted.audience is None:
                            continue
                        assert emitted.public != emitted.event
                        for seat in viewers(case):
                            full = seat is not None and seat in emitted.audience
                            assert seen_by(emitted, seat) == (emitted.event if full else emitted.public)
