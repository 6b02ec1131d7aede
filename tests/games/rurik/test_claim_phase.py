"""Rule on the claim phase, steps A to F (3. Claim Phase)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import CLAIMS
from engine.games.rurik.flow import ActionPhase
from engine.games.rurik.ids import BUILD_TRACK, RULE_TRACK, TRADE_TRACK, Phase
from engine.games.rurik.scoring import reached
from engine.games.rurik.state import State, full_columns, largest_group
from tests.games.rurik.scenario import act, asked, at, legal, offered, place, play, ready, row_of, scenario, told

GREEN = ("novgorod", "rostov", "polotsk", "smolensk", "volyn", "kiev", "chernigov", "pereyaslavl")
FULL = {"wood": 3, "ore": 2, "fish": 3, "honey": 2, "fur": 1}


def before(state: State) -> State:
    """Return the position in which seat 0 resolves the last advisor, without a bonus action left."""
    state.players[0].tokens = 3
    place(state, "scheme", 2, 0, 5)
    return ready(state, ActionPhase(0))


def claim(state: State) -> State:
    """Return the position in the claim phase, where the first seat chooses its deed card."""
    before(state)
    return act(state, 0, offered(state, 0, a.ForfeitAction)[0]).state


def through(state: State) -> State:
    """Return the position after the claim phase."""
    state = claim(state)
    while state.phase == Phase.CLAIM:
        seat = asked(state)[0][0]
        state = act(state, seat, legal(state, seat)[0]).state
    return state


def ruled(*regions: str) -> dict[int, dict[str, int]]:
    return {0: dict.fromkeys(regions, 1)}


# A.


def test_the_claim_phase_follows_the_action_phase() -> None:
    """3. Claim Phase 1: tracks, income, deeds, then the next round's strategy phase."""
    state = claim(scenario())
    assert state.phase == Phase.CLAIM
    state = through(scenario())
    assert (state.phase, state.round, asked(state)) == (Phase.STRATEGY, 2, ((0, "place_advisor"),))


@pytest.mark.parametrize(("regions", "space"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_the_rule_track_counts_regions_ruled(regions: int, space: int) -> None:
    """A) Advance on Claim Tracks 1, 3."""
    assert reached(scenario(troops=ruled(*GREEN[:regions])), 0, RULE_TRACK) == space


def test_the_top_of_the_rule_track_needs_kiev_and_novgorod() -> None:
    """A) Advance on Claim Tracks 3, Game Setup 30: the two regions of extra significance."""
    without = ("rostov", "polotsk", "smolensk", "volyn", "kiev", "chernigov")
    both = ("rostov", "polotsk", "novgorod", "volyn", "kiev")
    assert reached(scenario(troops=ruled(*without)), 0, RULE_TRACK) == 4
    assert reached(scenario(troops=ruled(*both)), 0, RULE_TRACK) == 5
    assert reached(scenario(troops=ruled(*both[1:])), 0, RULE_TRACK) == 3


def test_occupied_regions_that_one_does_not_rule_do_not_count() -> None:
    """A) Advance on Claim Tracks 3."""
    assert reached(scenario(troops=ruled("kiev", "volyn", "rostov"), rebels=["kiev"]), 0, RULE_TRACK) == 1


@pytest.mark.parametrize(("regions", "space"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 4), (7, 5), (8, 5)])
def test_the_build_track_counts_adjacent_regions_with_own_structures(regions: int, space: int) -> None:
    """A) Advance on Claim Tracks 4 [note 5]: its top needs seven of the eight regions of a game for two."""
    chain = ("novgorod", "rostov", "smolensk", "polotsk", "volyn", "kiev", "chernigov", "pereyaslavl")
    kinds = ("church", "market", "stronghold") * 3
    built = dict.fromkeys(zip(kinds, chain[:regions], strict=False), 0)
    assert reached(scenario(built=built), 0, BUILD_TRACK) == space


def test_only_the_largest_group_of_adjacent_regions_counts() -> None:
    """A) Advance on Claim Tracks 4 [note 5]: two here, one there."""
    built = {("church", "novgorod"): 0, ("market", "rostov"): 0, ("market", "volyn"): 0, ("church", "smolensk"): 1}
    assert largest_group(scenario(built=built), 0) == 2


def test_several_structures_in_a_region_count_once() -> None:
    """A) Advance on Claim Tracks 4."""
    built = {("church", "kiev"): 0, ("market", "kiev"): 0, ("stronghold", "kiev"): 0}
    assert largest_group(scenario(built=built), 0) == 1


def test_regions_out_of_play_join_nothing() -> None:
    """A) Advance on Claim Tracks 4: with two players Pereyaslavl and Kiev meet directly, not through Azov."""
    built = {("church", "volyn"): 0, ("market", "pereyaslavl"): 0}
    assert largest_group(scenario(built=built), 0) == 1


@pytest.mark.parametrize(
    ("goods", "space"),
    [
        ({"wood": 2}, 0),
        ({"wood": 3}, 1),
        ({"wood": 3, "ore": 2}, 2),
        ({"wood": 3, "ore": 2, "honey": 2}, 3),
        ({"wood": 3, "fish": 3, "ore": 2, "fur": 1}, 4),
        (FULL, 5),
    ],
)
def test_the_trade_track_counts_goods_on_the_boat(goods: dict[str, int], space: int) -> None:
    """A) Advance on Claim Tracks 5: three, five, seven, nine, eleven."""
    assert reached(scenario(goods={0: goods}), 0, TRADE_TRACK) == space


def test_goods_on_the_dock_do_not_count_for_trade() -> None:
    """A) Advance on Claim Tracks 5 [note 5]: nine wood fill three slots."""
    assert reached(scenario(goods={0: {"wood": 9}}), 0, TRADE_TRACK) == 1


def test_all_seats_advance_at_the_start_of_the_claim_phase() -> None:
    """A) Advance on Claim Tracks 1."""
    state = before(scenario(troops={0: ruled(*GREEN[:2])[0], 1: {"kiev": 1, "volyn": 1, "polotsk": 1}}))
    step = act(state, 0, offered(state, 0, a.ForfeitAction)[0])
    assert [player.claims[RULE_TRACK] for player in step.state.players] == [1, 2]
    assert len(told(step, e.ClaimAdvanced)) == 2


def test_a_marker_never_moves_down() -> None:
    """A) Advance on Claim Tracks 2: three regions once, none now."""
    state = claim(scenario(claims={0: {"rule": 2, "build": 1, "trade": 3}}))
    assert state.players[0].claims == [2, 1, 3]


def test_a_marker_jumps_straight_to_the_best_space() -> None:
    """A) Advance on Claim Tracks 1 [note 5]."""
    assert claim(scenario(goods={0: FULL})).players[0].claims[TRADE_TRACK] == 5


def test_each_track_scores_one_to_eight_points() -> None:
    """A) Advance on Claim Tracks 1 [gap 5]: the spaces of the claim board."""
    assert [[space.vp for space in track] for track in CLAIMS] == [[1, 2, 3, 5, 8]] * 3


# B.


def test_income_is_a_coin_for_each_marker_below_its_track() -> None:
    """B) Earn Income 1, 2: three claim markers and the warfare marker."""
    state = claim(scenario(coins={0: 0, 1: 0}, warfare={1: 1}, claims={1: {"build": 1}}))
    assert [player.coins for player in state.players] == [1 + 4, 2]


def test_income_counts_markers_after_they_have_advanced() -> None:
    """B) Earn Income 2 [note 5]: step A comes first."""
    state = claim(scenario(coins={0: 0, 1: 0}, goods={1: {"wood": 2, "ore": 2}}))
    assert state.players[1].claims[TRADE_TRACK] == 1
    assert state.players[1].coins == 3 + 1


def test_income_is_a_coin_for_each_full_column_of_the_boat() -> None:
    """B) Earn Income 3."""
    state = scenario(coins={0: 0, 1: 0}, goods={1: {"wood": 3, "ore": 1, "fur": 2}}, warfare={1: 1})
    assert full_columns(state.players[1]) == 2
    assert claim(state).players[1].coins == 2 + 2


# C.


def test_each_seat_takes_a_deed_from_the_row_beginning_with_the_new_first_player() -> None:
    """C) Choose Deed Cards 1 [note 3]: whoever has the marker."""
    state = claim(scenario(3, marker=2))
    order = []
    while state.phase == Phase.CLAIM:
        seat = asked(state)[0][0]
        order.append(seat)
        assert len(legal(state, seat)) == 3
        state = act(state, seat, legal(state, seat)[0]).state
    assert order == [2, 0, 1]
    assert [len(player.deeds) for player in state.players] == [1, 1, 1]


def test_after_each_choice_one_new_deed_is_revealed() -> None:
    """C) Choose Deed Cards 1."""
    state = claim(row_of(scenario(), "hoard", "trade_route", "new_beginning"))
    step = act(state, 0, a.TakeDeed("trade_route"))
    row = told(step, e.DeedRowRefilled)[0].row
    assert row[:2] == ("hoard", "new_beginning")
    assert len(row) == 3
    assert step.barrier


def test_a_chosen_deed_can_be_accomplished_on_a_later_turn() -> None:
    """C) Choose Deed Cards 2."""
    state = play(claim(row_of(scenario(coins={0: 9}), "generous_prince")), 0, a.TakeDeed("generous_prince"))
    place(state, "scheme", 2, 0, 1)
    assert a.AccomplishDeed("generous_prince") in legal(ready_turn(state), 0)


def ready_turn(state: State) -> State:
    state.phase = Phase.ACTION
    return ready(state, ActionPhase(0))


# D, E, F.


def test_conversion_tokens_are_turned_up_again() -> None:
    """D) Refresh Conversion Tokens 1."""
    state = scenario()
    state.players[0].tokens = 3
    assert through(state).players[0].tokens == 0


def test_abilities_of_once_a_round_are_back() -> None:
    """Leaders 4, 6: once per round."""
    state = scenario(leaders=("maria", "predslava"))
    state.players[0].ability_used = state.players[1].ability_used = True
    assert not any(player.ability_used for player in through(state).players)


def test_goods_are_replenished_where_none_lies() -> None:
    """E) Replenish Goods 1: the good of the icon; where one lies none is added."""
    state = claim(scenario(taxed=["kiev", "volyn"]))
    state = act(state, 0, legal(state, 0)[0]).state
    assert not state.goods[at("kiev")]
    step = act(state, 1, legal(state, 1)[0])
    assert all(step.state.goods)
    assert told(step, e.GoodsReplenished) == [e.GoodsReplenished(("volyn", "kiev"))]


def test_rebels_are_not_replenished() -> None:
    """E) Replenish Goods 1: goods only."""
    assert through(scenario(rebels=["kiev"])).rebels.count(-1) == 7


@pytest.mark.parametrize(
    ("seats", "round_", "advisors"),
    [
        (2, 1, [1, 2, 4, 5]),
        (2, 2, [1, 2, 2, 4, 5]),
        (2, 3, [1, 2, 2, 3, 4, 5]),
        (3, 2, [1, 2, 2, 4, 5]),
        (3, 3, [1, 2, 2, 3, 4, 5]),
        (4, 1, [1, 2, 4, 5]),
        (4, 2, [1, 2, 2, 4, 5]),
        (4, 3, [1, 2, 2, 4, 5]),
    ],
)
def test_advisors_join_from_the_round_track(seats: int, round_: int, advisors: list[int]) -> None:
    """F) Advance Round Marker 1, Game Setup 25, 26 [note 1]: a second 2 in round 3, a 3 in round 4, not for four."""
    state = through(scenario(seats, round_=round_))
    assert state.round == round_ + 1
    assert all(player.advisors == advisors for player in state.players)


def test_all_advisors_return_for_the_next_round() -> None:
    """F) Advance Round Marker 1 [ours]: the strategy board is empty again."""
    assert through(scenario()).columns == [()] * 6


def test_the_marker_holder_starts_the_next_round() -> None:
    """Scheme 3, 1. Strategy Phase 1."""
    assert asked(through(scenario(3, marker=2))) == ((2, "place_advisor"),)
