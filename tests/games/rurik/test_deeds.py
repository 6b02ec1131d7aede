"""Rule on deed cards: when one may be accomplished, what it costs (Accomplishing Deeds, Deed Card Reference)."""

from typing import Any

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.data import DEED_INDEX, DEEDS
from engine.games.rurik.effects.deeds import can_accomplish
from engine.games.rurik.state import State
from tests.games.rurik.scenario import act, legal, offered, play, scenario, told, turn

BELT = ("novgorod", "smolensk", "chernigov")
GAP = ("novgorod", "smolensk", "volyn")


def built(structure: str, *regions: str, owner: int = 0) -> dict[tuple[str, str], int]:
    return {(structure, region): owner for region in regions}


def many(*regions: str) -> dict[int, dict[str, int]]:
    return {0: dict.fromkeys(regions, 1)}


EIGHT = ("novgorod", "rostov", "polotsk", "smolensk", "volyn", "kiev", "chernigov", "pereyaslavl")
CAPITAL = built("market", "kiev") | built("stronghold", "kiev") | built("church", "kiev")
FORTRESS = built("stronghold", "kiev") | built("church", "kiev")
#: Three own markets on wood, ore and fish; two of them on the same good in the second.
MARKETS = built("market", "kiev", "polotsk", "volyn")
SAME_MARKETS = built("market", "kiev", "novgorod", "volyn")
CARD = {0: ("coin_2",)}

Position = dict[str, Any]
#: Deed to a position in which it can be accomplished, and positions in which one thing is lacking.
POSITIONS: dict[str, tuple[Position, tuple[Position, ...]]] = {
    "amass_forces": (
        {"troops": {0: {"kiev": 6}}},
        ({"troops": {0: {"kiev": 5, "volyn": 5}}}, {"troops": {0: {"kiev": 5}}, "built": built("stronghold", "kiev")}),
    ),
    "border_patrols": ({"troops": many("kiev", "volyn", "rostov")}, ({"troops": {0: {"kiev": 5, "volyn": 5}}},)),
    "capital_city": (
        {"built": CAPITAL},
        (
            {"built": built("market", "kiev") | built("stronghold", "kiev") | built("church", "volyn")},
            {"built": built("market", "kiev") | built("stronghold", "kiev") | built("church", "kiev", owner=1)},
        ),
    ),
    "defensive_belt": (
        {"built": built("stronghold", *BELT)},
        (
            {"built": built("stronghold", *GAP)},
            {"built": built("stronghold", *BELT[:2]) | built("church", BELT[2])},
            {"built": built("stronghold", *BELT[:2]) | built("stronghold", BELT[2], owner=1)},
        ),
    ),
    "dispatch_messengers": (
        {"troops": many(*EIGHT)},
        ({"troops": many(*EIGHT[:7])}, {"troops": many(*EIGHT[:7]), "built": built("stronghold", EIGHT[7])}),
    ),
    "enforce_peace": (
        {"goods": {0: {"wood": 1, "honey": 1}}, "defeated": {0: 2}},
        (
            {"goods": {0: {"wood": 1, "honey": 1}}, "defeated": {0: 1}},
            {"goods": {0: {"wood": 1}}, "defeated": {0: 2}},
            {"goods": {0: {"honey": 1}}, "defeated": {0: 2}},
        ),
    ),
    "establish_fortress": (
        {"goods": {0: {"wood": 2}}, "built": FORTRESS},
        (
            {"goods": {0: {"wood": 1}}, "built": FORTRESS},
            {"goods": {0: {"wood": 2}}, "built": built("stronghold", "kiev") | built("church", "volyn")},
            {"goods": {0: {"wood": 2}}, "built": built("stronghold", "kiev") | built("church", "kiev", owner=1)},
        ),
    ),
    "generous_prince": ({"coins": {0: 4}}, ({"coins": {0: 3}},)),
    "grand_hunter": (
        {"goods": {0: {"fur": 2}}, "marker": 0},
        ({"goods": {0: {"fur": 2}}, "marker": 1}, {"goods": {0: {"fur": 1}}, "marker": 0}),
    ),
    "great_library": (
        {"hands": CARD, "goods": {0: {"ore": 1}}},
        ({"goods": {0: {"ore": 1}}}, {"hands": CARD, "goods": {0: {"wood": 1}}}),
    ),
    "hire_mercenaries": (
        {"goods": {0: {"fish": 1, "ore": 1}}, "coins": {0: 2}},
        (
            {"goods": {0: {"fish": 1, "ore": 1}}, "coins": {0: 1}},
            {"goods": {0: {"fish": 1}}, "coins": {0: 2}},
            {"goods": {0: {"ore": 1}}, "coins": {0: 2}},
        ),
    ),
    "hoard": ({"goods": {0: {"fish": 3}}}, ({"goods": {0: {"fish": 2, "wood": 2, "ore": 2}}},)),
    "honorable_prince": (
        {"hands": CARD, "coins": {0: 3}},
        ({"coins": {0: 3}}, {"hands": CARD, "coins": {0: 2}}),
    ),
    "law_giver": (
        {"defeated": {0: 3}, "coins": {0: 2}},
        ({"defeated": {0: 2}, "coins": {0: 2}}, {"defeated": {0: 3}, "coins": {0: 1}}),
    ),
    "market_day": (
        {"built": MARKETS},
        (
            {"built": SAME_MARKETS},
            {"built": built("market", "kiev", "polotsk")},
            {"built": built("market", "kiev", "polotsk") | built("market", "volyn", owner=1)},
        ),
    ),
    "master_beekeeper": (
        {"hands": CARD, "goods": {0: {"honey": 2}}},
        ({"goods": {0: {"honey": 2}}}, {"hands": CARD, "goods": {0: {"honey": 1}}}),
    ),
    "new_beginning": ({"built": built("market", "kiev")}, ({"built": built("market", "kiev", owner=1)},)),
    "peace_maker": (
        {"troops": {0: {"kiev": 2}, 1: {"kiev": 1}}},
        (
            {"troops": {0: {"kiev": 2}, 1: {"kiev": 2}}},
            {"troops": {0: {"kiev": 1, "volyn": 1}}},
            {"troops": {0: {"kiev": 1}}, "built": built("stronghold", "kiev")},
        ),
    ),
    "retire_veterans": (
        {"troops": many("kiev", "volyn"), "coins": {0: 2}},
        ({"troops": many("kiev"), "coins": {0: 2}}, {"troops": many("kiev", "volyn"), "coins": {0: 1}}),
    ),
    "reward_laborers": (
        {"goods": {0: {"fur": 1, "ore": 1}}, "coins": {0: 2}},
        ({"goods": {0: {"fur": 1}}, "coins": {0: 2}}, {"goods": {0: {"fur": 1, "ore": 1}}, "coins": {0: 1}}),
    ),
    "send_gifts": (
        {"goods": {0: {"fish": 1, "fur": 1}}, "coins": {0: 2}},
        (
            {"goods": {0: {"fish": 1}}, "coins": {0: 2}},
            {"goods": {0: {"fur": 1}}, "coins": {0: 2}},
            {"goods": {0: {"fish": 1, "fur": 1}}, "coins": {0: 1}},
        ),
    ),
    "splendid_feast": (
        {"goods": {0: {"fish": 1, "honey": 1}}, "coins": {0: 2}},
        (
            {"goods": {0: {"fish": 1}}, "coins": {0: 2}},
            {"goods": {0: {"honey": 1}}, "coins": {0: 2}},
            {"goods": {0: {"fish": 1, "honey": 1}}, "coins": {0: 1}},
        ),
    ),
    "tithe_payments": (
        {"built": built("church", *BELT)},
        ({"built": built("church", *GAP)}, {"built": built("church", *BELT[:2])}),
    ),
    "trade_route": ({"goods": {0: {"fish": 1, "fur": 1, "ore": 1}}}, ({"goods": {0: {"fish": 3, "fur": 3}}},)),
    "victory_march": (
        {"hands": CARD, "troops": {0: {"kiev": 2}}},
        ({"troops": {0: {"kiev": 2}}}, {"hands": CARD, "troops": {0: {"kiev": 1}}}),
    ),
    "wilderness_forts": (
        {"goods": {0: {"ore": 1, "fur": 1, "wood": 1}}},
        (
            {"goods": {0: {"fur": 1, "wood": 1}}},
            {"goods": {0: {"ore": 1, "wood": 1}}},
            {"goods": {0: {"ore": 1, "fur": 1}}},
        ),
    ),
}
LACKING = [(deed, i) for deed, (_, lacking) in POSITIONS.items() for i in range(len(lacking))]


def position(deed: str, which: Position, **more: Any) -> State:
    return scenario(deeds={0: (deed,)}, **{"coins": {0: 0}, **which, **more})


def test_all_twenty_six_deeds_are_ruled_on() -> None:
    assert set(POSITIONS) == set(DEED_INDEX)


@pytest.mark.parametrize("deed", POSITIONS)
def test_a_deed_can_be_accomplished_when_cost_and_requirement_are_met(deed: str) -> None:
    """Accomplishing Deeds 1, Deed Card Reference."""
    state = turn(position(deed, POSITIONS[deed][0]), 0)
    assert a.AccomplishDeed(deed) in legal(state, 0)


@pytest.mark.parametrize(("deed", "which"), LACKING)
def test_a_deed_cannot_be_accomplished_when_anything_is_lacking(deed: str, which: int) -> None:
    """Accomplishing Deeds 1, Deed Card Reference."""
    state = turn(position(deed, POSITIONS[deed][1][which]), 0)
    assert not offered(state, 0, a.AccomplishDeed)


@pytest.mark.parametrize("deed", POSITIONS)
def test_an_accomplished_deed_is_tucked_and_told(deed: str) -> None:
    """Accomplishing Deeds 2: once its cost is paid; it is worth its points at the end."""
    state = turn(position(deed, POSITIONS[deed][0]), 0)
    step = act(state, 0, a.AccomplishDeed(deed))
    while not told(step, e.DeedAccomplished):
        step = act(step.state, 0, legal(step.state, 0)[0])
    player = step.state.players[0]
    assert (player.deeds, [DEEDS[card].id for card in player.accomplished]) == ([], [deed])


def test_a_deed_of_the_row_cannot_be_accomplished() -> None:
    """Accomplishing Deeds 1: only those chosen before."""
    state = scenario(coins={0: 9}, goods={0: {"fish": 3}})
    assert not offered(turn(state, 0), 0, a.AccomplishDeed)


def test_a_deed_of_another_player_cannot_be_accomplished() -> None:
    """Accomplishing Deeds 1."""
    state = scenario(coins={0: 9}, deeds={1: ("generous_prince",)})
    assert not offered(turn(state, 0), 0, a.AccomplishDeed)


def test_one_deed_a_turn() -> None:
    """Accomplishing Deeds 1."""
    state = turn(
        scenario(
            coins={0: 9},
            deeds={0: ("generous_prince", "trade_route")},
            goods={0: POSITIONS["trade_route"][0]["goods"][0]},
        ),
        0,
    )
    assert len(offered(state, 0, a.AccomplishDeed)) == 2
    assert not offered(play(state, 0, a.AccomplishDeed("generous_prince")), 0, a.AccomplishDeed)


def test_a_deed_is_accomplished_once() -> None:
    """Accomplishing Deeds 2: a tucked card is no longer at hand."""
    state = play(turn(position("capital_city", {"built": CAPITAL}), 0), 0, a.AccomplishDeed("capital_city"))
    assert not offered(turn(state, 0), 0, a.AccomplishDeed)


def test_five_deeds_are_worth_two_points_and_the_others_one() -> None:
    """Accomplishing Deeds 2, End of the Game 5."""
    two = {"capital_city", "dispatch_messengers", "grand_hunter", "market_day", "master_beekeeper"}
    assert {deed.id for deed in DEEDS if deed.vp == 2} == two
    assert {deed.vp for deed in DEEDS if deed.id not in two} == {1}


def test_adjacent_regions_hang_together_or_border_each_other_by_option() -> None:
    """Deed Card Reference 4, 23 [note 4]: Novgorod and Chernigov only meet through Smolensk."""
    chain = built("stronghold", *BELT)
    knot = built("stronghold", "novgorod", "smolensk", "rostov")
    deed = DEED_INDEX["defensive_belt"]
    pairwise = {"deed_adjacency": "pairwise"}
    assert can_accomplish(scenario(built=chain), 0, deed)
    assert not can_accomplish(scenario(options=pairwise, built=chain), 0, deed)
    assert can_accomplish(scenario(options=pairwise, built=knot), 0, deed)


def test_structures_silenced_by_yaroslav_are_still_there() -> None:
    """Deed Card Reference 3, Leaders 9 [ours]: to have a structure is not its ability."""
    state = scenario(leaders=("agatha", "yaroslav"), leader_at={1: "kiev"}, built=CAPITAL)
    assert can_accomplish(state, 0, DEED_INDEX["capital_city"])


def test_defeated_rebels_are_not_spent() -> None:
    """Deed Card Reference 6, 14 [note 4]: have, not spend."""
    state = play(
        turn(position("enforce_peace", POSITIONS["enforce_peace"][0]), 0), 0, a.AccomplishDeed("enforce_peace")
    )
    assert len(state.players[0].rebels) == 2


def test_with_the_alternate_board_the_tokens_are_the_goods_icons() -> None:
    """Deed Card Reference 15, Alternate Board Variant 1."""
    state = scenario(built=MARKETS)
    state.icons = (0,) * 8
    assert not can_accomplish(state, 0, DEED_INDEX["market_day"])
