"""Rule on the end of the game: points by source, warfare, tie-breaks (End of the Game)."""

import pytest

from engine.core.rules import Outcome
from engine.games.rurik import RULES
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.flow import ActionPhase
from engine.games.rurik.ids import Column, Phase
from engine.games.rurik.scoring import claim_points, warfare_points
from engine.games.rurik.state import State
from tests.games.rurik.scenario import act, asked, offered, place, ready, scenario, told

#: Agendas that a bare position does not meet: nobody has defeated a rebel or stands on the rule track.
UNMET = {0: "courageous", 1: "dignified", 2: "courageous", 3: "dignified"}


def ended(seats: int = 2, **more: object) -> Outcome:
    """Return the result of a position in which the game ends now; the last forfeit gives seat 0 no coin to spare."""
    more.setdefault("agendas", {seat: UNMET[seat] for seat in range(seats)})
    state = scenario(seats, round_=4, phase=Phase.CLAIM, **more)  # type: ignore[arg-type]
    outcome = RULES.outcome(ready(state))
    assert outcome is not None
    return outcome


def last_forfeit(**more: object) -> State:
    state = scenario(round_=4, **more)  # type: ignore[arg-type]
    state.players[0].tokens = 3
    place(state, "scheme", 2, 0, 5)
    return ready(state, ActionPhase(0))


def test_the_game_ends_after_step_a_of_the_fourth_claim_phase() -> None:
    """3. Claim Phase 2, End of the Game 1: tracks advance; no income, no deed."""
    state = last_forfeit(goods={0: {"wood": 3}}, coins={0: 0, 1: 0})
    step = act(state, 0, offered(state, 0, a.ForfeitAction)[0])
    assert step.state.phase == Phase.OVER
    assert asked(step.state) == ()
    assert step.state.players[0].claims[2] == 1
    assert [player.coins for player in step.state.players] == [1, 0]
    assert [player.deeds for player in step.state.players] == [[], []]
    assert len(told(step, e.GameEnded)) == 1


def test_there_are_four_rounds() -> None:
    """Gameplay Overview 1: after the third claim phase the fourth round begins."""
    state = scenario(round_=3)
    place(state, "scheme", 2, 0, 5)
    state = act(ready(state, ActionPhase(0)), 0, a.ForfeitAction(Column.SCHEME, 2)).state
    assert asked(state) == ((0, "choose_deed"),)


def test_the_score_is_broken_down_by_source() -> None:
    """End of the Game 2-5."""
    outcome = ended(
        claims={0: {"rule": 5, "build": 1, "trade": 3}},
        warfare={0: 2, 1: 1},
        agendas={0: "conquering", 1: "courageous"},
    )
    assert outcome.breakdown[0] == {"rule": 8, "build": 1, "trade": 3, "warfare": 3, "deeds": 0, "agenda": 2}
    assert outcome.breakdown[1] == {"rule": 0, "build": 0, "trade": 0, "warfare": 1, "deeds": 0, "agenda": 0}
    assert outcome.scores == (17, 1)
    assert outcome.ranks == (1, 2)


@pytest.mark.parametrize(("space", "points"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (5, 8)])
def test_a_claim_track_scores_by_the_space_reached(space: int, points: int) -> None:
    """End of the Game 2: one at the bottom, eight at the top; nothing below it."""
    assert [claim_points(space, track) for track in range(3)] == [points] * 3


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((3, 1), [3, 1]),
        ((2, 2), [3, 3]),
        ((3, 2, 1), [3, 1, 0]),
        ((3, 3, 1), [3, 3, 0]),
        ((3, 2, 2), [3, 1, 1]),
        ((4, 4, 2, 2), [3, 3, 0, 0]),
        ((4, 2, 2, 2), [3, 1, 1, 1]),
        ((10, 10, 10, 10), [3, 3, 3, 3]),
    ],
)
def test_warfare_scores_three_for_first_and_one_for_second(places: tuple[int, ...], points: list[int]) -> None:
    """End of the Game 3: tied firsts score three and leave no second; tied seconds score one each."""
    assert warfare_points(scenario(len(places), warfare=dict(enumerate(places)))) == points


@pytest.mark.parametrize(("places", "points"), [((0, 0), [0, 0]), ((1, 0), [3, 0]), ((2, 1, 0), [3, 1, 0])])
def test_a_warfare_marker_below_the_track_has_no_place(places: tuple[int, ...], points: list[int]) -> None:
    """End of the Game 3 [note 5]: proposed, the book is silent."""
    assert warfare_points(scenario(len(places), warfare=dict(enumerate(places)))) == points


def test_an_agenda_scores_two_points_when_its_goal_is_met() -> None:
    """End of the Game 4: also when tied."""
    outcome = ended(coins={0: 4, 1: 4}, agendas={0: "wealthy", 1: "courageous"})
    assert [points["agenda"] for points in outcome.breakdown] == [2, 0]


def test_the_agenda_that_went_back_to_the_box_does_not_score() -> None:
    """End of the Game 4, Game Setup 10: only the card kept."""
    state = scenario(round_=4, phase=Phase.CLAIM, coins={0: 9}, agendas={0: "dignified", 1: "dignified"})
    state.players[0].agendas = (4, 10)
    outcome = RULES.outcome(ready(state))
    assert outcome is not None
    assert outcome.breakdown[0]["agenda"] == 0


def test_deeds_score_one_or_two_points_each() -> None:
    """End of the Game 5: those accomplished; those merely held score nothing."""
    state = scenario(round_=4, phase=Phase.CLAIM, deeds={0: ("hoard", "grand_hunter", "law_giver")})
    player = state.players[0]
    player.accomplished, player.deeds = player.deeds[:2], player.deeds[2:]
    outcome = RULES.outcome(ready(state))
    assert outcome is not None
    assert outcome.breakdown[0]["deeds"] == 3


def test_the_most_points_win() -> None:
    """End of the Game 6, Gameplay Overview 1."""
    outcome = ended(3, claims={0: {"rule": 1}, 1: {"rule": 3}, 2: {"rule": 2}})
    assert outcome.ranks == (3, 1, 2)
    assert outcome.tie_break == ()


def test_a_tie_goes_to_the_most_regions_ruled() -> None:
    """End of the Game 6: before coins."""
    outcome = ended(troops={1: {"kiev": 1}}, coins={0: 9, 1: 0})
    assert outcome.scores[0] == outcome.scores[1]
    assert outcome.ranks == (2, 1)
    assert len(outcome.tie_break) == 2


def test_a_tie_in_regions_goes_to_the_most_coins() -> None:
    """End of the Game 6."""
    outcome = ended(troops={0: {"volyn": 1}, 1: {"kiev": 1}}, coins={0: 5, 1: 4})
    assert outcome.ranks == (1, 2)
    assert len(outcome.tie_break) == 3


def test_a_tie_in_everything_is_a_shared_win() -> None:
    """End of the Game 6: they share the title."""
    outcome = ended(3, coins={0: 4, 1: 4, 2: 3})
    assert outcome.ranks == (1, 1, 3)
    assert outcome.tie_break[-1] == "the title is shared"


def test_tie_breaks_rank_the_places_below_the_first_too() -> None:
    """End of the Game 6 [ours]: the same order all the way down."""
    outcome = ended(3, claims={0: {"rule": 5}}, coins={1: 2, 2: 3})
    assert outcome.ranks == (1, 3, 2)


def test_there_is_no_result_before_the_end() -> None:
    """End of the Game 1."""
    assert RULES.outcome(last_forfeit()) is None


def test_what_is_left_over_scores_nothing() -> None:
    """End of the Game 2-5: coins, goods and schemes are no source of points."""
    outcome = ended(coins={0: 20}, goods={0: {"fur": 9}}, hands={0: ("coin_2",)})
    assert outcome.scores[0] == 0


def test_the_six_ways_to_score() -> None:
    """Paths to Victory 1-8: rule, build, trade, warfare, agenda, deeds."""
    assert set(ended().breakdown[0]) == {"rule", "build", "trade", "warfare", "agenda", "deeds"}
