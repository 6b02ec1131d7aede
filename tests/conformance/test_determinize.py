"""Hold games to guessing well: a determinized state looks to its seat as the true one does, and can be played on."""

import random
from dataclasses import fields

import msgspec
import pytest

from engine.core import codec
from engine.core.rules import View
from tests.conformance.cases import CASES, Case, audit, rules_of
from tests.conformance.walk import looks, packed, share, told, viewers, walk

SEEDS = (500, 502)
BEYOND = 50


@pytest.mark.parametrize("case", CASES, ids=str)
class TestDeterminize:
    def test_a_guess_looks_like_the_truth_to_its_seat_and_plays_fifty_moves(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            rng = random.Random(seed)
            with told(case, seed):
                for moment, seats in looks(case, seed):
                    for seat in seats:
                        where = f"seat {seat} at decision {moment.index}"
                        view = rules.observe(moment.state, seat)
                        guess = rules.determinize(view, rng)
                        assert audit(case, guess) == [], where
                        again = rules.observe(guess, seat)
                        assert again == view, where
                        assert packed(again) == packed(view), where
                        assert guess.rng.seed != moment.state.rng.seed
                        if seat is not None:
                            assert rules.legal_actions(guess, seat) == view.legal
                        if (moment.index + (seat or 0)) % 3:
                            continue
                        for _ in range(BEYOND):
                            pending = rules.pending(guess)
                            if not pending:
                                break
                            actor = rng.choice(pending).seat
                            rules.advance(guess, actor, rng.choice(rules.legal_actions(guess, actor)))
                        assert audit(case, guess) == [], f"{BEYOND} moves beyond {where}"

    def test_the_end_of_a_game_can_be_guessed_too(self, case: Case) -> None:
        rules = rules_of(case)
        with told(case, 500):
            state = list(walk(case, 500))[-1].step.state
            for seat in viewers(case):
                view = rules.observe(state, seat)
                assert view.outcome is not None
                assert rules.observe(rules.determinize(view, random.Random(1)), seat) == view

    def test_the_same_view_and_randomness_give_the_same_guess(self, case: Case) -> None:
        rules = rules_of(case)
        with told(case, 502):
            for moment in walk(case, 502):
                view = rules.observe(moment.state, moment.seat)
                guesses = [codec.encode(rules, rules.determinize(view, random.Random(seed))) for seed in (7, 7, 8)]
                assert guesses[0] == guesses[1] != guesses[2]

    def test_a_view_that_crossed_a_wire_is_as_good(self, case: Case) -> None:
        rules = rules_of(case)
        own = {"build_table": ("table", rules.types.table), "legal": ("legal", tuple[rules.types.action, ...])}
        kind = msgspec.defstruct("Sent", [own.get(field.name, (field.name, field.type)) for field in fields(View)])
        with told(case, 502):
            for moment in walk(case, 502):
                view = rules.observe(moment.state, moment.seat)
                sent = msgspec.msgpack.decode(packed(view), type=kind)
                given = msgspec.structs.asdict(sent)
                table = given.pop("table")
                back = View(build_table=lambda table=table: table, **given)
                assert (back, back.table) == (view, view.table)
                guesses = [codec.encode(rules, rules.determinize(v, random.Random(7))) for v in (view, back)]
                assert guesses[0] == guesses[1]
