"""Hold games to saying everything in one plain line, whoever looks."""

import pytest

from engine.core.events import seen_by
from engine.core.registry import GAMES
from tests.conformance.cases import CASES, Case, rules_of
from tests.conformance.walk import looks, share, told, walk

SEEDS = range(600, 603)


def check(line: str) -> None:
    assert isinstance(line, str)
    assert line == line.strip() != ""
    assert "\n" not in line
    assert line.isprintable()
    assert len(line) <= 200
    assert "None" not in line
    assert "_" not in line
    assert "Struct" not in line


@pytest.mark.parametrize("case", CASES, ids=str)
class TestWords:
    def test_every_decision_and_legal_action_has_its_line_for_everybody(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment, seats in looks(case, seed):
                    for seat in seats:
                        view = rules.observe(moment.state, seat)
                        for thing in (*view.pending, *moment.legal):
                            check(rules.describe(thing, view))

    def test_every_event_has_its_line_for_everybody_who_reads_it(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment, seats in looks(case, seed):
                    for seat in seats:
                        view = rules.observe(moment.step.state, seat)
                        for emitted in moment.step.events:
                            event = seen_by(emitted, seat)
                            if event is not None:
                                check(rules.describe(event, view))

    def test_two_legal_actions_never_read_the_same(self, case: Case) -> None:
        rules = rules_of(case)
        for seed in share(case, SEEDS):
            with told(case, seed):
                for moment in walk(case, seed):
                    view = rules.observe(moment.state, moment.seat)
                    lines = [rules.describe(action, view) for action in view.legal]
                    doubles = {line for line in lines if lines.count(line) > 1}
                    assert not doubles, f"decision {moment.index}: {doubles}"

    def test_lines_need_no_table(self, case: Case) -> None:
        """Most replies are words alone, and the table costs more than all else in a view."""
        rules = rules_of(case)
        for moment in walk(case, SEEDS[0]):
            view = rules.observe(moment.state, moment.seat)
            for thing in (moment.decision, *moment.legal):
                rules.describe(thing, view)
            after = rules.observe(moment.step.state, moment.seat)
            for emitted in moment.step.events:
                if (event := seen_by(emitted, moment.seat)) is not None:
                    rules.describe(event, after)
            assert "table" not in vars(view) | vars(after)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_action_or_event_of_a_game_has_no_line(game: str) -> None:
    rules = GAMES[game]
    state = rules.initial_state(rules.config(rules.info.min_seats, {}), 1)
    view = rules.observe(state, 0)
    with pytest.raises(TypeError, match="not an event of"):
        rules.describe(object(), view)
