import pytest

from engine.core import frames
from engine.core.frames import Ctx
from engine.games.europe_divided import RULES
from engine.games.europe_divided import events as e
from engine.games.europe_divided.flow import Game, HeadlinesSegment
from engine.games.europe_divided.scoring import final, open_points
from tests.games.europe_divided.scenario import EUROPE, RUS, RUSSIA, headlines, ready, scenario


def ended(**position):
    return ready(headlines(scenario(turn=20, **position)), HeadlinesSegment())


def test_the_game_ends_after_turn_twenty():
    state = ended()
    assert RULES.pending(state) == ()
    assert RULES.outcome(state).reason == "end of turn 20"
    assert RULES.legal_actions(state, EUROPE) == ()


def test_there_is_no_outcome_before_the_end():
    assert RULES.outcome(scenario()) is None


def test_prestige_comes_from_headlines_dominance_and_advantage_cards():
    state = scenario(turn=20, dice={RUS: {"poland": 6}}, advantages={RUSSIA: ["cyber_attack"]})
    state.players[RUSSIA].prestige[0] = 3
    outcome = RULES.outcome(ready(headlines(state), HeadlinesSegment()))
    assert outcome.breakdown[RUSSIA] == {"headlines": 3, "dominance": 1, "advantages": 1}
    assert outcome.scores == (0, 5)
    assert outcome.ranks == (2, 1)
    assert outcome.tie_break == ()


def test_the_prestige_has_no_limit():
    state = scenario(turn=20)
    state.players[EUROPE].prestige[0] = 37
    assert RULES.outcome(ready(headlines(state), HeadlinesSegment())).scores[EUROPE] == 37


@pytest.mark.parametrize(
    ("position", "winner", "words"),
    [
        ({"taken": {RUSSIA: ["poland"]}}, RUSSIA, "most contested region action cards taken: russia, 1 to 0"),
        ({"taken": {RUSSIA: ["poland"], EUROPE: ["poland", "hungary"]}}, EUROPE, "europe, 2 to 1"),
        ({"armies": {RUSSIA: {"moscow": 1}}}, RUSSIA, "armies on the board and money: russia, 21 to 20"),
        ({"money": {EUROPE: 3, RUSSIA: 2}}, EUROPE, "armies on the board and money: europe, 3 to 2"),
        ({"money": {EUROPE: 3, RUSSIA: 2}, "armies": {RUSSIA: {"moscow": 1}}}, EUROPE, "the Europe player wins"),
        ({}, EUROPE, "the Europe player wins a tie that nothing breaks"),
    ],
)
def test_a_tie_goes_to_grey_cards_taken_then_armies_and_money_then_europe(position, winner, words):
    outcome = RULES.outcome(ended(**position))
    assert outcome.ranks[winner] == 1
    assert sorted(outcome.ranks) == [1, 2]
    assert outcome.tie_break[0] == "tied at 0 prestige"
    assert words in outcome.tie_break[-1]


def test_kept_advantage_cards_count_in_what_a_side_would_score():
    state = scenario(advantages={EUROPE: ["summit", "eu_funds"]})
    assert open_points(state, EUROPE)["advantages"] == 2
    assert final(state).scores == (2, 0)


def test_the_last_event_tells_scores_and_ranks():
    state = headlines(scenario(turn=20))
    told = []
    state.flow.stack = [Game(), HeadlinesSegment()]
    frames.settle(Ctx(state, told))
    assert told[-1].event == e.GameEnded((0, 0), (1, 2))
