"""Solo Mode: where and what the Rebellion builds and taxes."""

from typing import Any

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik import events as e
from engine.games.rurik.frames.rebellion import RebellionBuild, RebellionTax
from engine.games.rurik.ids import Good, MarketBonus, Structure
from engine.games.rurik.state import boat
from tests.games.rurik.scenario import at, good, troops
from tests.games.rurik.solo import REBELLION, YOU, Played, let, on_board, solo

CHURCH, MARKET, STRONGHOLD = Structure.CHURCH, Structure.MARKET, Structure.STRONGHOLD


def built(points: int, **named: Any) -> Played:
    """Build by card 1 in attack priority: stronghold, church, market."""
    return let(solo(**named), RebellionBuild(REBELLION, points))


def taxed(points: int, **named: Any) -> Played:
    return let(solo(**named), RebellionTax(REBELLION, points))


def regions(played: Played) -> list[str]:
    return [step.region for step in played.steps if isinstance(step, a.BuildStructure | a.CollectGood)]


# Build.


def test_a_regions_ruled_without_own_structures_come_first() -> None:
    """Build A: in location order, one point each."""
    played = built(2, troops={REBELLION: {"rostov": 1, "volyn": 1, "kiev": 2}}, built={("market", "kiev"): REBELLION})
    assert played.steps == [a.BuildStructure(STRONGHOLD, "volyn"), a.BuildStructure(STRONGHOLD, "rostov")]
    assert [event.points for event in played.told(e.StructureBuilt)] == [1, 1]


def test_b_regions_not_ruled_without_own_structures_come_second() -> None:
    """Build B: two points; Kiev, tied, lies higher in location order than Rostov, which is ruled."""
    played = built(3, troops={REBELLION: {"kiev": 1, "rostov": 1}}, neutrals={"kiev": 1})
    assert regions(played) == ["rostov", "kiev"]
    assert [event.points for event in played.told(e.StructureBuilt)] == [1, 2]


def test_c_ruled_regions_with_own_structures_and_others_troops_come_third() -> None:
    """Build C: Rostov has a neutral troop and Volyn the person's, Kiev is theirs alone.

    Each point goes to the first region of the order that still takes a structure: Volyn takes two.
    """
    own = {("market", region): REBELLION for region in ("kiev", "volyn", "rostov")}
    troops_now = {YOU: {"volyn": 1}, REBELLION: {"kiev": 2, "volyn": 2, "rostov": 2}}
    played = built(3, troops=troops_now, neutrals={"rostov": 1}, built=own)
    assert played.steps == [
        a.BuildStructure(STRONGHOLD, "volyn"),
        a.BuildStructure(CHURCH, "volyn"),
        a.ConvertTroop(YOU),
        a.BuildStructure(STRONGHOLD, "rostov"),
    ]


def test_the_persons_leader_alone_makes_a_region_contested() -> None:
    """Build C: your troops; a leader counts as a troop."""
    own = {("market", region): REBELLION for region in ("kiev", "volyn")}
    played = built(1, troops={REBELLION: {"kiev": 2, "volyn": 2}}, leader_at={YOU: "volyn"}, built=own)
    assert regions(played) == ["volyn"]


def test_d_other_ruled_regions_with_own_structures_come_last() -> None:
    """Build D."""
    own = {("market", region): REBELLION for region in ("kiev", "volyn")}
    played = built(2, troops={REBELLION: {"kiev": 2, "volyn": 2}}, built=own)
    assert regions(played) == ["kiev", "volyn"]


def test_in_a_region_not_ruled_with_an_own_structure_nothing_is_built() -> None:
    """Build A to D: none of the paragraphs names it."""
    played = built(2, troops={REBELLION: {"kiev": 1}}, neutrals={"kiev": 2}, built={("market", "kiev"): REBELLION})
    assert played.steps == []


def test_nothing_is_built_where_no_troop_of_theirs_is() -> None:
    """Build (standard rules): in regions you occupy; a lone stronghold rules and does not occupy."""
    assert built(2, built={("stronghold", "kiev"): REBELLION}).steps == []


def test_a_region_too_dear_for_the_points_left_is_passed_over() -> None:
    """[note 7]: skip what the remaining points cannot pay: one point builds in D, not in B."""
    played = built(
        1,
        troops={REBELLION: {"kiev": 1, "volyn": 2}},
        neutrals={"kiev": 1},
        built={("market", "volyn"): REBELLION},
    )
    assert regions(played) == ["volyn"]


def test_another_owners_structure_takes_the_place_of_its_type() -> None:
    """Build; one structure of each type a region: the next one of the build order stands instead."""
    played = built(1, troops={REBELLION: {"kiev": 2}}, neutrals={"kiev": 1}, built={("stronghold", "kiev"): YOU})
    assert played.steps[0] == a.BuildStructure(CHURCH, "kiev")


def test_a_structure_that_is_used_up_is_passed_over() -> None:
    """Build, last paragraph: the topmost structure that they can build; they have three of each."""
    strongholds = {("stronghold", region): REBELLION for region in ("volyn", "rostov", "novgorod")}
    played = built(1, troops={REBELLION: {"kiev": 2}}, built=strongholds)
    assert played.steps == [a.BuildStructure(MARKET, "kiev")]


def test_a_church_needs_a_troop_to_convert() -> None:
    """Build, last paragraph: your non-leader troops or the neutral troops; nobody else, no church."""
    named: dict[str, Any] = {"priority": "build", "troops": {REBELLION: {"kiev": 3}}}
    assert built(1, **named).steps == [a.BuildStructure(STRONGHOLD, "kiev")]
    assert built(1, leader_at={YOU: "kiev"}, **named).steps == [a.BuildStructure(STRONGHOLD, "kiev")]
    assert built(1, neutrals={"kiev": 1}, **named).steps == [a.BuildStructure(CHURCH, "kiev"), a.ConvertNeutral()]


def test_a_region_where_only_a_church_is_left_is_passed_over_without_a_target() -> None:
    """Build: the next region that takes a structure."""
    own = {("market", "kiev"): YOU, ("stronghold", "kiev"): YOU}
    assert regions(built(1, troops={REBELLION: {"kiev": 3, "rostov": 1}}, built=own)) == ["rostov"]


def test_a_church_converts_the_persons_troop_before_a_neutral_one() -> None:
    """Build, last paragraph."""
    played = built(
        1,
        priority="build",
        troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 3}},
        leader_at={YOU: "kiev"},
        neutrals={"kiev": 1},
    )
    assert played.steps == [a.BuildStructure(CHURCH, "kiev"), a.ConvertTroop(YOU)]
    assert troops(played.state, YOU, "kiev") == 1
    assert played.state.players[YOU].supply == 12
    assert played.state.neutrals[at("kiev")] == 1
    assert on_board(played.state) == {"kiev": 4}
    assert played.state.players[REBELLION].warfare == 0


def test_a_church_of_a_rebellion_out_of_troops_still_removes_one() -> None:
    """Build (standard rules), Church: if you are out of troops to place."""
    played = built(1, priority="build", troops={REBELLION: {"kiev": 15}}, neutrals={"kiev": 1})
    assert played.steps[-1] == a.ConvertNeutral()
    assert on_board(played.state) == {"kiev": 15}
    assert played.state.neutrals[at("kiev")] == 0


def test_a_church_in_yaroslavs_region_stands_and_converts_nobody() -> None:
    """Leaders: Yaroslav: an opponent may build a church, its ability does not activate."""
    played = built(
        1,
        priority="build",
        troops={YOU: {"kiev": 1}, REBELLION: {"kiev": 4}},
        leader_at={YOU: "kiev"},
        leaders=("yaroslav", ""),
    )
    assert played.steps == [a.BuildStructure(CHURCH, "kiev")]
    assert troops(played.state, YOU, "kiev") == 2


def test_a_church_may_win_the_rule_that_makes_the_next_structure_cheaper() -> None:
    """Build: each point is spent on the board as it stands: tied Kiev takes two points, then one."""
    played = built(3, priority="build", troops={REBELLION: {"kiev": 1}}, neutrals={"kiev": 1})
    assert [event.points for event in played.told(e.StructureBuilt)] == [2, 1]


# Tax.


def test_a_ruled_regions_with_room_on_the_boat_come_first() -> None:
    """Tax A: in location order, one point each."""
    played = taxed(2, troops={REBELLION: {"kiev": 1, "volyn": 1, "rostov": 1}}, neutrals={"kiev": 1})
    assert regions(played) == ["volyn", "rostov"]
    assert [event.points for event in played.told(e.GoodTaxed)] == [1, 1]


def test_b_regions_not_ruled_with_room_on_the_boat_come_second() -> None:
    """Tax B: two points; before C: the ruled region of Pereyaslavl, whose fur column is full."""
    played = taxed(
        3,
        troops={REBELLION: {"kiev": 1, "pereyaslavl": 1}},
        neutrals={"kiev": 1},
        goods={REBELLION: {"fur": 1}},
    )
    assert regions(played) == ["kiev", "pereyaslavl"]
    assert [event.points for event in played.told(e.GoodTaxed)] == [2, 1]


def test_c_ruled_regions_with_a_full_boat_column_come_third() -> None:
    """Tax C, before D."""
    full = {"wood": 3, "ore": 2, "fish": 3, "honey": 2, "fur": 1}
    played = taxed(3, troops={REBELLION: {"kiev": 1, "rostov": 1}}, neutrals={"kiev": 1}, goods={REBELLION: full})
    assert regions(played) == ["rostov", "kiev"]


def test_d_regions_not_ruled_with_a_full_boat_column_come_last() -> None:
    """Tax D."""
    full = {"wood": 3, "ore": 2}
    played = taxed(
        2, troops={REBELLION: {"kiev": 1, "rostov": 1}}, neutrals={"kiev": 1}, goods={REBELLION: full},
        taxed=("rostov",),
    )  # fmt: skip
    assert regions(played) == ["kiev"]
    assert good(played.state, REBELLION, "wood") == 4


def test_a_column_that_has_become_full_counts_as_full_at_once() -> None:
    """Tax: the second wood region comes after Volyn, once the first has filled the column."""
    played = taxed(2, troops={REBELLION: {"kiev": 1, "novgorod": 1, "volyn": 1}}, goods={REBELLION: {"wood": 2}})
    assert regions(played) == ["kiev", "volyn"]


def test_a_region_too_dear_to_tax_is_passed_over() -> None:
    """[note 7]: one point taxes C, not B."""
    played = taxed(
        1, troops={REBELLION: {"kiev": 1, "pereyaslavl": 1}}, neutrals={"kiev": 1}, goods={REBELLION: {"fur": 1}}
    )
    assert regions(played) == ["pereyaslavl"]


def test_a_region_without_its_good_cannot_be_taxed() -> None:
    """Tax (standard rules): not even for a market."""
    played = taxed(
        2,
        troops={REBELLION: {"kiev": 1, "rostov": 1}},
        taxed=("kiev",),
        built={("market", "kiev"): REBELLION},
    )
    assert regions(played) == ["rostov"]


@pytest.mark.parametrize("owner", [REBELLION, YOU])
def test_an_own_market_always_gives_the_extra_good(owner: int) -> None:
    """Tax, last paragraph: never the coin; a market of the person gives them nothing."""
    played = taxed(1, troops={REBELLION: {"kiev": 1}}, built={("market", "kiev"): owner})
    bonus = MarketBonus.GOOD if owner == REBELLION else MarketBonus.NONE
    assert played.steps == [a.CollectGood("kiev", bonus)]
    assert good(played.state, REBELLION, "wood") == (2 if owner == REBELLION else 1)
    assert played.state.players[REBELLION].coins == 3


def test_a_market_in_yaroslavs_region_gives_nothing() -> None:
    """Leaders: Yaroslav: opponents lose the abilities of their structures."""
    played = taxed(
        2,
        troops={REBELLION: {"kiev": 1}},
        leader_at={YOU: "kiev"},
        leaders=("yaroslav", ""),
        built={("market", "kiev"): REBELLION},
    )
    assert played.steps == [a.CollectGood("kiev")]


def test_goods_go_to_the_boat_before_the_dock() -> None:
    """Tax, NOTE: on empty spaces of the boat, if possible."""
    played = taxed(
        1,
        troops={REBELLION: {"kiev": 1}},
        built={("market", "kiev"): REBELLION},
        goods={REBELLION: {"wood": 2}},
    )
    rebels = played.state.players[REBELLION]
    assert boat(rebels)[0] == 3
    assert sum(rebels.goods) - sum(boat(rebels)) == 1
    assert played.told(e.GoodTaxed)[0].good is Good.WOOD
