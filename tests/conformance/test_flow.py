"""Hold games to their flow: they go on until they end, and end in time."""

import pytest

from tests.conformance.cases import CASES, Case, audit
from tests.conformance.walk import begin, share, told, walk

SEEDS = range(100, 112)


@pytest.mark.parametrize("case", CASES, ids=str)
class TestFlow:
    def test_somebody_can_always_move_until_the_game_ends(self, case: Case) -> None:
        for seed in share(case, SEEDS):
            with told(case, seed):
                rules, state = begin(case, seed)
                for moment in walk(case, seed):
                    seats = [decision.seat for decision in rules.pending(moment.state)]
                    assert seats == sorted(set(seats))
                    assert rules.outcome(moment.state) is None
                    for seat in range(case.seats):
                        legal = rules.legal_actions(moment.state, seat)
                        assert bool(legal) == (seat in seats)
                        assert len(set(legal)) == len(legal), f"doubles at decision {moment.index}"
                        if legal:
                            assert rules.default_action(moment.state, seat) in legal
                    state = moment.step.state
                assert rules.pending(state) == ()
                assert all(rules.legal_actions(state, seat) == () for seat in range(case.seats))

    def test_every_piece_and_card_is_accounted_for_after_every_decision(self, case: Case) -> None:
        for seed in share(case, SEEDS):
            with told(case, seed):
                assert audit(case, begin(case, seed)[1]) == []
                for moment in walk(case, seed):
                    assert audit(case, moment.step.state) == [], f"after decision {moment.index}: {moment.action}"

    def test_a_decision_id_says_when_and_whose_and_never_comes_back(self, case: Case) -> None:
        for seed in share(case, SEEDS):
            with told(case, seed):
                rules, _ = begin(case, seed)
                closed: set[str] = set()
                for moment in walk(case, seed):
                    before = {decision.id: decision for decision in rules.pending(moment.state)}
                    after = {decision.id: decision for decision in rules.pending(moment.step.state)}
                    assert moment.state.flow.version == moment.index
                    assert not closed & set(before)
                    assert all(name.split(".")[1] == str(decision.seat) for name, decision in before.items())
                    assert all(int(name.split(".")[0]) <= moment.index for name in before)
                    closed.add(moment.decision.id)
                    closed |= set(before) - set(after)

    def test_one_seats_secret_choice_closes_only_its_own_decision(self, case: Case) -> None:
        for seed in share(case, SEEDS):
            with told(case, seed):
                rules, _ = begin(case, seed)
                for moment in walk(case, seed):
                    after = {d.id for d in rules.pending(moment.step.state)}
                    for other in rules.pending(moment.state):
                        if other.seat == moment.seat or other.id in after:
                            continue
                        # In an open negotiation an offer or a trade changes what another seat may answer.
                        now = rules.legal_actions(moment.step.state, other.seat)
                        assert other.open, f"decision {moment.index}: {moment.action} closed {other.id}"
                        assert now != rules.legal_actions(moment.state, other.seat)

    def test_a_game_of_nothing_but_default_moves_ends_too(self, case: Case) -> None:
        with told(case, 1):
            rules, state = begin(case, 1)
            for _ in range(rules.info.max_decisions):
                pending = rules.pending(state)
                if not pending:
                    break
                state = rules.apply(state, pending[0].seat, rules.default_action(state, pending[0].seat)).state
            assert rules.pending(state) == ()

    def test_the_outcome_ranks_every_seat_by_its_score(self, case: Case) -> None:
        for seed in share(case, SEEDS):
            with told(case, seed):
                rules, state = begin(case, seed)
                for moment in walk(case, seed):
                    state = moment.step.state
                outcome = rules.outcome(state)
                assert outcome is not None
                assert outcome.reason
                assert len(outcome.ranks) == len(outcome.scores) == len(outcome.breakdown) == case.seats
                for rank in outcome.ranks:
                    assert rank == 1 + sum(other < rank for other in outcome.ranks)
                for score, parts in zip(outcome.scores, outcome.breakdown, strict=True):
                    assert score == sum(parts.values())
                for one in range(case.seats):
                    for two in range(case.seats):
                        if outcome.scores[one] > outcome.scores[two]:
                            assert outcome.ranks[one] < outcome.ranks[two]

    def test_an_automa_decides_for_its_own_seats_alone(self, case: Case) -> None:
        automa = set(case.options.get("automa", {}))
        with told(case, 2):
            rules, _ = begin(case, 2)
            asked = set()
            for moment in walk(case, 2):
                for decision in rules.pending(moment.state):
                    assert decision.automa == (decision.seat in automa)
                    asked.add(decision.seat)
            assert asked == set(range(case.seats))
