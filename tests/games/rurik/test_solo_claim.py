"""Solo Mode: unlocking bonuses, 3. Claim Phase (Rebellion), Rebellion Scoring."""

from typing import Any

import pytest

from engine.core.frames import Ctx
from engine.games.rurik import RULES, scoring
from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.automa import RebellionTurn, assign_priority, tracks_behind
from engine.games.rurik.data import MATS
from engine.games.rurik.flow import Game
from engine.games.rurik.frames.rebellion import Unlock
from engine.games.rurik.ids import PRIORITIES, Column, Difficulty, Phase, Priority
from engine.games.rurik.state import State
from tests.games.rurik.scenario import asked, legal, place, play, troops
from tests.games.rurik.solo import REBELLION, YOU, Played, let, on_board, solo, the

FULL = {"wood": 3, "ore": 2, "fish": 3, "honey": 2, "fur": 1}


def claim(state: State) -> Played:
    """Play the claim phase up to the person's choice of a deed card, or to the end of the game."""
    return let(state, Game())


# Scheme and unlocking.


def test_a_scheme_action_unlocks_a_bonus_instead_of_drawing_cards() -> None:
    """Scheme: no scheme cards, no first player marker, whatever the space shows."""
    state = solo(troops={REBELLION: {"kiev": 1}}, coins={REBELLION: 0})
    place(state, "scheme", 1, REBELLION, 1)
    played = let(state, RebellionTurn(REBELLION))
    assert played.steps == [a.TakeAction(Column.SCHEME, 1), a.UnlockBonus(Priority.ATTACK)]
    rebels = played.state.players[REBELLION]
    assert (rebels.hand, rebels.coins) == ([], 1)
    assert played.state.decks == state.decks
    assert played.state.marker == YOU


def test_the_top_coin_of_the_current_priority_column_goes_to_the_dock() -> None:
    """Scheme: the topmost covered space opens."""
    played = let(solo(priority="build", coins={REBELLION: 0}), Unlock(REBELLION, 1))
    assert the(played.state).coins == [[True, True], [False, False, True], [True, True]]
    assert played.state.players[REBELLION].coins == 1
    assert played.told(e.BonusUnlocked) == [
        e.BonusUnlocked(REBELLION, Priority.BUILD, Column.ATTACK, "attack_points", 1)
    ]


def test_with_that_column_empty_the_leftmost_column_with_a_coin_gives() -> None:
    """Scheme: the top coin from the leftmost column that has one."""
    state = solo(priority="rule", unlocked=(("rule", 0), ("rule", 1)))
    assert let(state, Unlock(REBELLION, 1)).steps == [a.UnlockBonus(Priority.ATTACK)]
    gone = (("rule", 0), ("rule", 1), ("attack", 0), ("attack", 1))
    assert let(solo(priority="rule", unlocked=gone), Unlock(REBELLION, 1)).steps == [a.UnlockBonus(Priority.BUILD)]


@pytest.mark.parametrize("difficulty", Difficulty)
def test_with_no_coin_left_nothing_is_unlocked(difficulty: Difficulty) -> None:
    """Scheme: every coin of the mat can be moved once, then a scheme action opens nothing."""
    state = solo(difficulty, coins={REBELLION: 0})
    covered = sum(space.covered_by_coin for column in MATS[difficulty].columns for space in column)
    played = let(state, Unlock(REBELLION, 20))
    assert len(played.steps) == covered == played.state.players[REBELLION].coins
    assert not any(any(column) for column in the(played.state).coins)


def test_a_scheme_action_with_nothing_to_unlock_is_no_forfeit() -> None:
    """Scheme: the action is taken all the same and brings its bonus of two coins."""
    state = let(solo(troops={REBELLION: {"kiev": 1}}, coins={REBELLION: 0}), Unlock(REBELLION, 20)).state
    coins = state.players[REBELLION].coins
    place(state, "scheme", 3, REBELLION, 1)
    played = let(state, RebellionTurn(REBELLION))
    assert played.steps == [a.TakeAction(Column.SCHEME, 3)]
    assert played.state.players[REBELLION].coins == coins + 2


def test_a_bonus_unlocked_by_an_action_comes_with_the_next_one() -> None:
    """Taking Actions: bonuses that are unlocked when the action is taken: two coins for schemes."""
    state = solo(troops={REBELLION: {"kiev": 1}}, priority="rule", unlocked=(("rule", 0),), coins={REBELLION: 0})
    place(state, "scheme", 3, REBELLION, 1)
    place(state, "scheme", 2, REBELLION, 2)
    state = let(state, RebellionTurn(REBELLION)).state
    assert state.players[REBELLION].coins == 1
    played = let(state, RebellionTurn(REBELLION))
    assert played.told(e.BonusGained) == [e.BonusGained(REBELLION, "coins", 2)]
    assert played.state.players[REBELLION].coins == 1 + 2 + 1


# Assign priority.


def assigned(**named: Any) -> Priority:
    state = solo(**named)
    ctx = Ctx(state, [])
    assign_priority(ctx)
    (event,) = [emitted.event for emitted in ctx.events or ()]
    assert isinstance(event, e.PriorityAssigned)
    assert PRIORITIES[the(state).priority] is event.priority
    return event.priority


STRUCTURES_OF_YOURS = {("church", "kiev"): YOU, ("market", "volyn"): YOU}


def test_a_the_person_who_occupies_more_regions_brings_the_attack_priority() -> None:
    """Assign Priority A: occupied, not ruled; before B and C."""
    priority = assigned(
        troops={YOU: {"kiev": 1, "volyn": 1}, REBELLION: {"kiev": 5}},
        built=STRUCTURES_OF_YOURS,
        goods={YOU: {"wood": 1}},
        priority="rule",
    )
    assert priority == "attack"


def test_a_a_leader_alone_occupies_a_region() -> None:
    """Assign Priority A: a leader counts as a troop."""
    assert assigned(troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 5}}, leader_at={YOU: "volyn"}) == "attack"


def test_b_the_person_with_structures_in_more_adjacent_regions_brings_the_build_priority() -> None:
    """Assign Priority B: as on the build track; before C."""
    troops_now = {YOU: {"kiev": 1}, REBELLION: {"kiev": 5}}
    priority = assigned(troops=troops_now, built=STRUCTURES_OF_YOURS, goods={YOU: {"wood": 1}}, difficulty="medium")
    assert priority == "build"
    apart = {("church", "novgorod"): YOU, ("market", "volyn"): YOU, ("church", "kiev"): REBELLION}
    assert assigned(troops=troops_now, built=apart, difficulty="medium", goods={YOU: {"wood": 1}}) == "rule"


def test_c_the_person_with_more_goods_on_the_boat_brings_the_rule_priority() -> None:
    """Assign Priority C: goods on the dock do not count. The mat's third column is the rule priority."""
    troops_now = {YOU: {"kiev": 1}, REBELLION: {"kiev": 5}}
    goods = {YOU: {"wood": 3}, REBELLION: {"wood": 2}}
    assert assigned(troops=troops_now, goods=goods) == "rule"
    goods = {YOU: {"fur": 5}, REBELLION: {"wood": 1}}
    assert assigned(troops=troops_now, goods=goods, difficulty="hard") == "attack"


@pytest.mark.parametrize(
    ("difficulty", "start"), [("easy", "build"), ("medium", "rule"), ("hard", "attack"), ("very_hard", "build")]
)
def test_d_otherwise_the_starting_priority_returns(difficulty: str, start: str) -> None:
    """Assign Priority D: the column with the axe."""
    for priority in ("attack", "build", "rule"):
        assert assigned(troops={REBELLION: {"kiev": 1}}, difficulty=difficulty, priority=priority) == start


# Claim tracks, income, deeds.


def test_the_person_ahead_on_a_track_gives_the_rebellion_a_bonus_in_the_new_priority() -> None:
    """Advance on Claim Tracks: for each of the three tracks; [note 7]: the new priority is set first."""
    state = solo(
        priority="rule",
        troops={YOU: {"kiev": 1, "volyn": 1}, REBELLION: {"rostov": 1}},
        claims={YOU: {"rule": 1, "build": 2, "trade": 1}, REBELLION: {"trade": 1}},
        coins={REBELLION: 0},
    )
    assert tracks_behind(state) == 2
    played = claim(state)
    assert the(played.state).coins == [[False, False], [False, True, True], [True, True]]
    assert played.steps == [a.UnlockBonus(Priority.ATTACK), a.UnlockBonus(Priority.ATTACK)]
    assert [event.priority for event in played.told(e.PriorityAssigned)] == ["attack"]


def test_tracks_are_compared_after_both_have_advanced() -> None:
    """Advance on Claim Tracks: markers move first, those of the Rebellion too."""
    state = solo(
        troops={YOU: {"kiev": 1}, REBELLION: {"volyn": 1}},
        goods={YOU: FULL, REBELLION: FULL},
        claims={YOU: {"trade": 1}},
    )
    played = claim(state)
    assert played.steps == []
    claims = [player.claims for player in played.state.players]
    assert claims[0][2] == claims[1][2] > 1


def test_being_level_or_behind_unlocks_nothing() -> None:
    """Advance on Claim Tracks: each track on which you are ahead."""
    assert tracks_behind(solo(claims={YOU: {"rule": 1}, REBELLION: {"rule": 1, "build": 3}})) == 0


def test_the_warfare_track_unlocks_nothing() -> None:
    """Advance on Claim Tracks: the rule, build, and trade tracks."""
    assert tracks_behind(solo(warfare={YOU: 3})) == 0


def test_the_rebellion_earns_a_coin_and_one_for_each_full_boat_column() -> None:
    """Earn Income: markers below the tracks bring it nothing."""
    state = solo(
        troops={YOU: {"kiev": 1}, REBELLION: {"volyn": 1}},
        goods={REBELLION: {"wood": 3, "ore": 1, "fish": 4}},
        coins={REBELLION: 0},
    )
    played = claim(state)
    income = {event.seat: event for event in played.told(e.IncomeEarned)}
    assert (income[REBELLION].markers, income[REBELLION].columns) == (1, 2)
    assert income[YOU].markers == 4
    assert played.state.players[REBELLION].coins == 3


def test_after_the_last_round_nobody_earns_income() -> None:
    """Earn Income: only after rounds 1-3."""
    state = solo(round_=4, troops={YOU: {"kiev": 1}}, coins={REBELLION: 0})
    played = claim(state)
    assert played.told(e.IncomeEarned) == []
    assert RULES.outcome(played.state) is not None


def test_the_rebellion_never_takes_a_deed_card() -> None:
    """Choose Deed Cards: the person takes one, and the round goes on."""
    state = claim(solo(troops={YOU: {"kiev": 1}, REBELLION: {"volyn": 1}})).state
    assert asked(state) == ((YOU, "choose_deed"),)
    state = play(state, YOU, legal(state, YOU)[0])
    assert state.players[REBELLION].deeds == []
    assert (state.round, len(state.deed_row)) == (2, 3)


@pytest.mark.parametrize("round_", [1, 2, 3])
def test_a_rebel_comes_to_sviatopolk_at_the_end_of_a_round(round_: int) -> None:
    """Solo leader card: one troop in his region."""
    state = claim(solo(round_=round_, troops={YOU: {"kiev": 1}}, leader_at={REBELLION: "volyn"})).state
    state = play(state, YOU, legal(state, YOU)[0])
    assert troops(state, REBELLION, "volyn") == 2
    assert state.players[REBELLION].supply == 14


def test_no_rebel_comes_when_sviatopolk_is_off_the_board() -> None:
    """Solo leader card [note 7]."""
    state = claim(solo(troops={YOU: {"kiev": 1}, REBELLION: {"volyn": 1}})).state
    state = play(state, YOU, legal(state, YOU)[0])
    assert on_board(state) == {"volyn": 1}


def test_no_rebel_comes_when_none_is_in_supply() -> None:
    """Muster: troops come from the supply."""
    state = claim(solo(troops={YOU: {"kiev": 1}, REBELLION: {"volyn": 15}}, leader_at={REBELLION: "volyn"})).state
    state = play(state, YOU, legal(state, YOU)[0])
    assert on_board(state) == {"volyn": 15}


def test_no_rebel_comes_after_the_last_round() -> None:
    """Solo leader card [note 7]: round 4 ends with the claim tracks."""
    state = claim(solo(round_=4, troops={YOU: {"kiev": 1}}, leader_at={REBELLION: "volyn"})).state
    assert on_board(state) == {}


def test_the_rebellion_gets_the_advisors_of_the_round_track() -> None:
    """Rebellion Setup 1; Claim Phase F: 2 in round 3, 3 in round 4."""
    for round_, advisors in ((1, [1, 2, 4, 5]), (2, [1, 2, 2, 4, 5]), (3, [1, 2, 2, 3, 4, 5])):
        state = claim(solo(round_=round_, troops={YOU: {"kiev": 1}})).state
        state = play(state, YOU, legal(state, YOU)[0])
        assert state.players[REBELLION].advisors == advisors


# Scoring.


def ended(**named: Any) -> dict[str, int]:
    state = solo(round_=4, phase=Phase.OVER, **named)
    outcome = scoring.outcome(state)
    assert outcome is not None
    return outcome.breakdown[REBELLION]


def test_claim_tracks_score_as_for_anybody() -> None:
    """Rebellion Scoring: between one and eight points."""
    points = ended(claims={REBELLION: {"rule": 1, "build": 5, "trade": 3}})
    assert points["rule"] == 1
    assert points["rule"] < points["trade"] < points["build"] <= 8


def test_warfare_scores_as_for_anybody() -> None:
    """Rebellion Scoring: three points or one."""
    assert ended(warfare={YOU: 1, REBELLION: 2})["warfare"] == 3
    assert ended(warfare={YOU: 3, REBELLION: 2})["warfare"] == 1


@pytest.mark.parametrize(("coins", "points"), [(0, 0), (1, 1), (3, 1), (4, 2), (9, 3), (10, 4)])
def test_three_coins_score_a_point_rounded_up(coins: int, points: int) -> None:
    """Rebellion Scoring, Coins."""
    assert ended(coins={REBELLION: coins})["coins"] == points


@pytest.mark.parametrize(("wood", "points"), [(3, 0), (4, 1), (6, 1), (7, 2)])
def test_three_goods_on_the_dock_score_a_point_rounded_up(wood: int, points: int) -> None:
    """Rebellion Scoring, Goods on Dock: those on the boat do not count."""
    assert ended(goods={REBELLION: {"wood": wood}})["dock"] == points


def test_the_rebellion_scores_no_agenda_and_no_deeds() -> None:
    """Rebellion Scoring, first paragraph."""
    assert set(ended()) == {"rule", "build", "trade", "warfare", "coins", "dock"}


def test_the_coins_that_scored_do_not_break_a_tie() -> None:
    """Rebellion Scoring, Coins: none is left for the second tie-break; the person with one coin wins."""
    state = solo(
        round_=4,
        phase=Phase.OVER,
        agendas={YOU: "successful"},
        coins={YOU: 1, REBELLION: 9},
        warfare={YOU: 1},
    )
    outcome = scoring.outcome(state)
    assert outcome is not None
    assert outcome.scores == (3, 3 + 0)
    assert outcome.ranks == (1, 2)


def test_the_rebellion_wins_a_tie_by_regions_ruled() -> None:
    """End of the Game: the tied player who rules the most regions."""
    state = solo(
        round_=4,
        phase=Phase.OVER,
        agendas={YOU: "successful"},
        troops={REBELLION: {"kiev": 1}},
        coins={YOU: 9, REBELLION: 9},
        warfare={YOU: 1},
    )
    outcome = scoring.outcome(state)
    assert outcome is not None
    assert outcome.ranks == (2, 1)


def test_an_agenda_of_the_person_is_compared_with_the_rebellion() -> None:
    """[note 7]: with the Rebellion only; a tie for first is enough."""
    goods = {YOU: {"wood": 2}, REBELLION: {"wood": 3}}
    state = solo(round_=4, phase=Phase.OVER, agendas={YOU: "capable"}, goods=goods)
    outcome = scoring.outcome(state)
    assert outcome is not None
    assert outcome.breakdown[YOU]["agenda"] == 0
    state.players[YOU].goods[0] = 3
    outcome = scoring.outcome(state)
    assert outcome is not None
    assert outcome.breakdown[YOU]["agenda"] == 2


def test_bonuses_unlocked_after_the_last_round_still_bring_coins_that_score() -> None:
    """[note 7]: unlocking after round 4 moves coins."""
    state = solo(
        round_=4,
        troops={YOU: {"kiev": 1, "volyn": 1}},
        claims={YOU: {"rule": 2, "build": 2, "trade": 2}},
        coins={REBELLION: 1},
    )
    played = claim(state)
    assert len(played.steps) == 3
    outcome = RULES.outcome(played.state)
    assert outcome is not None
    assert outcome.breakdown[REBELLION]["coins"] == 2
