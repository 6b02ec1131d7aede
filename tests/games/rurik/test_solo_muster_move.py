"""Solo Mode: how the Rebellion musters and moves."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik.frames.rebellion import RebellionMove, RebellionMuster
from tests.games.rurik.scenario import at, troops
from tests.games.rurik.solo import ORDER, REBELLION, YOU, let, on_board, solo


def mustered(points: int, **named: object) -> list[object]:
    return let(solo(**named), RebellionMuster(REBELLION, points)).steps  # type: ignore[arg-type]


def moved(points: int, **named: object) -> list[object]:
    return let(solo(**named), RebellionMove(REBELLION, points)).steps  # type: ignore[arg-type]


# Muster.


def test_a_troop_goes_to_each_region_occupied_but_not_ruled_in_location_order() -> None:
    """Muster: Volyn and Rostov are not ruled, Kiev is."""
    steps = mustered(
        2,
        troops={REBELLION: {"kiev": 2, "rostov": 1, "volyn": 1}},
        leader_at={REBELLION: "kiev"},
        neutrals={"rostov": 1, "volyn": 1},
    )
    assert steps == [a.MusterTroop("volyn"), a.MusterTroop("rostov")]


def test_the_order_is_gone_through_again_until_the_points_are_spent() -> None:
    """Muster; Rebellion Cards: the order is continuous."""
    steps = mustered(
        4,
        troops={REBELLION: {"rostov": 1, "volyn": 1}},
        leader_at={REBELLION: "volyn"},
        neutrals={"rostov": 3, "volyn": 5},
    )
    assert steps == [a.MusterTroop(r) for r in ("volyn", "rostov", "volyn", "rostov")]


def test_a_region_that_has_come_to_be_ruled_gets_no_more_while_others_are_not() -> None:
    """Muster: only regions occupied but not ruled, until all are ruled."""
    steps = mustered(
        3,
        troops={REBELLION: {"rostov": 1, "volyn": 1}},
        leader_at={REBELLION: "volyn"},
        neutrals={"rostov": 5, "volyn": 2},
    )
    assert steps == [a.MusterTroop(r) for r in ("volyn", "rostov", "rostov")]


def test_once_all_regions_are_ruled_each_gets_one_from_the_top_of_the_order() -> None:
    """Muster: then one troop in each region that they rule, in location order."""
    steps = mustered(
        4,
        troops={REBELLION: {"kiev": 1, "volyn": 1, "rostov": 1}},
        leader_at={REBELLION: "kiev"},
        neutrals={"rostov": 1},
    )
    assert steps == [a.MusterTroop(r) for r in ("rostov", "kiev", "volyn", "rostov")]
    steps = mustered(
        3,
        troops={REBELLION: {"kiev": 1, "volyn": 1}},
        leader_at={REBELLION: "volyn"},
        neutrals={"kiev": 1},
    )
    assert steps == [a.MusterTroop(r) for r in ("kiev", "kiev", "volyn")]


def test_a_rebellion_that_rules_all_its_regions_musters_there_round_and_round() -> None:
    """Muster: until all muster points are spent."""
    steps = mustered(3, troops={REBELLION: {"kiev": 1, "novgorod": 1}}, leader_at={REBELLION: "kiev"})
    assert steps == [a.MusterTroop(r) for r in ("kiev", "novgorod", "kiev")]


def test_sviatopolk_off_the_board_is_mustered_first() -> None:
    """Muster: always him first; he is the troop of the first region, the order goes on below it."""
    steps = mustered(3, troops={REBELLION: {"kiev": 2, "rostov": 1, "volyn": 1}}, neutrals={"rostov": 2, "volyn": 2})
    assert steps == [a.MusterLeader("volyn"), a.MusterTroop("rostov"), a.MusterTroop("volyn")]


def test_muster_ends_with_the_last_troop_of_the_supply() -> None:
    """Muster: points that cannot be spent are lost."""
    steps = mustered(3, troops={REBELLION: {"kiev": 14}}, leader_at={REBELLION: "kiev"})
    assert steps == [a.MusterTroop("kiev")]


def test_a_region_held_by_a_stronghold_alone_is_not_occupied() -> None:
    """[note 2]: a lone stronghold does not occupy, so nobody is mustered there."""
    steps = mustered(
        2,
        troops={REBELLION: {"rostov": 1}},
        leader_at={REBELLION: "rostov"},
        built={("stronghold", "kiev"): REBELLION},
    )
    assert steps == [a.MusterTroop("rostov"), a.MusterTroop("rostov")]


# Move.


def test_in_attack_priority_a_troop_goes_to_each_region_not_occupied() -> None:
    """Move, attack priority: one at a time, in location order."""
    steps = moved(3, troops={REBELLION: {"kiev": 5}}, leader_at={REBELLION: "volyn"}, priority="attack")
    assert steps == [a.RelocateTroop("kiev", r) for r in ("pereyaslavl", "chernigov", "polotsk")]


def test_in_attack_priority_moves_end_when_all_regions_are_occupied() -> None:
    """Move, attack priority: until they occupy all regions."""
    everywhere = {**dict.fromkeys(ORDER[:-1], 1), "kiev": 5}
    steps = moved(3, troops={REBELLION: everywhere}, leader_at={REBELLION: "volyn"}, priority="attack")
    assert steps == [a.RelocateLeader("volyn", "novgorod")]
    assert (
        let(
            solo(troops={REBELLION: {**everywhere, "novgorod": 1}}, priority="attack"), RebellionMove(REBELLION, 3)
        ).steps
        == []
    )


@pytest.mark.parametrize("priority", ["build", "rule"])
def test_in_rule_and_build_priority_all_troops_go_to_the_first_region_not_ruled(priority: str) -> None:
    """Move, rule and build priority: a single region, until all points are spent, even when ruled meanwhile."""
    steps = moved(3, troops={REBELLION: {"kiev": 2, "volyn": 5}}, leader_at={REBELLION: "rostov"}, priority=priority)
    assert steps == [
        a.RelocateTroop("kiev", "pereyaslavl"),
        a.RelocateTroop("volyn", "pereyaslavl"),
        a.RelocateTroop("volyn", "pereyaslavl"),
    ]


@pytest.mark.parametrize("priority", ["build", "rule"])
def test_a_region_occupied_in_a_tie_is_not_ruled(priority: str) -> None:
    """Move, rule and build priority; Ruling Regions: Kiev is tied with two neutral troops."""
    steps = moved(
        1,
        troops={REBELLION: {"kiev": 2, "chernigov": 3}},
        leader_at={REBELLION: "volyn"},
        neutrals={"kiev": 2},
        priority=priority,
    )
    assert steps == [a.RelocateTroop("chernigov", "kiev")]


@pytest.mark.parametrize("priority", ["build", "rule"])
def test_a_region_that_no_troop_can_reach_is_passed_over(priority: str) -> None:
    """Move, rule and build priority: Kiev is the first not ruled but holds the only troop to spare."""
    steps = moved(1, troops={REBELLION: {"kiev": 2, "volyn": 1}}, neutrals={"kiev": 4}, leader_at={}, priority=priority)
    assert steps == [a.RelocateTroop("kiev", "pereyaslavl")]


@pytest.mark.parametrize("priority", ["build", "rule"])
def test_points_beyond_the_troops_to_spare_are_lost(priority: str) -> None:
    """Move, rule and build priority: one region and no other."""
    steps = moved(3, troops={REBELLION: {"kiev": 3}}, leader_at={REBELLION: "rostov"}, priority=priority)
    assert steps == [a.RelocateTroop("kiev", "volyn"), a.RelocateTroop("kiev", "volyn")]


def test_with_every_region_ruled_nobody_moves() -> None:
    """Move, rule and build priority."""
    assert moved(3, troops={REBELLION: {**dict.fromkeys(ORDER, 1), "kiev": 5}}, priority="build") == []


def test_distance_is_no_limit() -> None:
    """Move: a troop may go to any region for one point: Kiev to Novgorod is two borders away."""
    everywhere = {**dict.fromkeys(ORDER[:-1], 1), "kiev": 2}
    steps = moved(1, troops={REBELLION: everywhere}, priority="attack")
    assert steps == [a.RelocateTroop("kiev", "novgorod")]


def test_one_troop_always_stays_behind() -> None:
    """Move, first rule: at least one in each region; Sviatopolk counts as one."""
    state = solo(troops={REBELLION: {"kiev": 2, "volyn": 1}}, leader_at={REBELLION: "volyn"}, priority="attack")
    played = let(state, RebellionMove(REBELLION, 9))
    assert len(played.steps) == 2
    assert troops(played.state, REBELLION, "kiev") == troops(played.state, REBELLION, "volyn") == 1


def test_no_troop_leaves_when_that_would_hand_the_person_the_rule() -> None:
    """Move, second rule: 2 against 2 would become 1 against 2."""
    steps = moved(
        1,
        troops={YOU: {"volyn": 2}, REBELLION: {"volyn": 2, "rostov": 2}},
        leader_at={REBELLION: "chernigov"},
        priority="attack",
    )
    assert steps == [a.RelocateTroop("rostov", "kiev")]
    assert moved(1, troops={YOU: {"volyn": 2}, REBELLION: {"volyn": 2}}, priority="attack") == []


def test_a_troop_leaves_when_that_only_makes_a_tie() -> None:
    """Move, second rule: 3 against 2 may become 2 against 2."""
    steps = moved(1, troops={YOU: {"volyn": 2}, REBELLION: {"volyn": 3}}, priority="attack")
    assert steps == [a.RelocateTroop("volyn", "kiev")]


def test_yaroslav_wins_the_tie_that_a_leaving_troop_would_make() -> None:
    """Move, second rule; Leaders: Yaroslav: a tie in his region is his rule."""
    steps = moved(
        1,
        troops={YOU: {"volyn": 1}, REBELLION: {"volyn": 3}},
        leader_at={YOU: "volyn"},
        leaders=("yaroslav", ""),
        priority="attack",
    )
    assert steps == []


def test_a_region_that_the_person_rules_already_may_be_left() -> None:
    """Move, second rule: what is not ruled cannot be ceded."""
    steps = moved(1, troops={YOU: {"volyn": 5}, REBELLION: {"volyn": 2}}, priority="attack")
    assert steps == [a.RelocateTroop("volyn", "kiev")]


def test_neutral_troops_may_be_left_in_command() -> None:
    """Move, second rule: only rule by the person matters."""
    steps = moved(1, troops={REBELLION: {"volyn": 2}}, neutrals={"volyn": 1}, priority="attack")
    assert steps == [a.RelocateTroop("volyn", "kiev")]


def test_the_troop_comes_from_the_closest_region() -> None:
    """Move, third rule: Volyn borders Kiev, Rostov does not."""
    steps = moved(1, troops={REBELLION: {"volyn": 2, "rostov": 5}}, priority="attack")
    assert steps == [a.RelocateTroop("volyn", "kiev")]


def test_of_equally_close_regions_the_lowest_in_location_order_gives() -> None:
    """Move, third rule: Volyn, Pereyaslavl, Chernigov and Polotsk all border Kiev."""
    steps = moved(
        2,
        troops={REBELLION: {"volyn": 3, "pereyaslavl": 3, "chernigov": 3, "polotsk": 2}},
        neutrals={"kiev": 5},
        priority="build",
    )
    assert steps == [a.RelocateTroop("polotsk", "kiev"), a.RelocateTroop("chernigov", "kiev")]


def test_sviatopolk_goes_first_where_there_is_a_choice() -> None:
    """Move, fourth rule."""
    state = solo(troops={REBELLION: {"volyn": 2}}, leader_at={REBELLION: "volyn"}, priority="attack")
    played = let(state, RebellionMove(REBELLION, 1))
    assert played.steps == [a.RelocateLeader("volyn", "kiev")]
    assert played.state.players[REBELLION].leader_at == at("kiev")
    assert on_board(played.state) == {"volyn": 2}


def test_sviatopolk_alone_in_a_region_stays() -> None:
    """Move, first rule."""
    state = solo(troops={}, leader_at={REBELLION: "volyn"}, priority="attack")
    played = let(state, RebellionMove(REBELLION, 1))
    assert played.steps == []
    assert played.state.players[REBELLION].leader_at == at("volyn")
