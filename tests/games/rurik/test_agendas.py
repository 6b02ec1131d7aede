"""Rule on the eleven agenda cards (Agenda Card Reference)."""

from typing import Any

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik.data import AGENDA_INDEX, AGENDA_VP
from engine.games.rurik.ids import Structure
from engine.games.rurik.scoring import meets_agenda, metric
from engine.games.rurik.state import State
from tests.games.rurik.scenario import main, play, scenario

#: Agenda to a position in which seat 0 is first, one in which it ties with seat 1, one in which it is second.
POSITIONS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "capable": (
        {"goods": {0: {"wood": 4, "fur": 2}, 1: {"fish": 5}}},
        {"goods": {0: {"wood": 5}, 1: {"fish": 5}}},
        {"goods": {0: {"wood": 4}, 1: {"fish": 5}}},
    ),
    "committed": (
        {"claims": {0: {"build": 3}, 1: {"build": 2}}},
        {"claims": {0: {"build": 2}, 1: {"build": 2}}},
        {"claims": {0: {"build": 1, "rule": 5}, 1: {"build": 2}}},
    ),
    "conquering": (
        {"warfare": {0: 3, 1: 1}},
        {"warfare": {0: 1, 1: 1}},
        {"warfare": {0: 1, 1: 2}},
    ),
    "courageous": (
        {"defeated": {0: 2, 1: 1}},
        {"defeated": {0: 1, 1: 1}},
        {"defeated": {0: 1, 1: 3}},
    ),
    "dignified": ({}, {}, {}),
    "esteemed": (
        {"troops": {0: {"kiev": 1, "volyn": 1}, 1: {"kiev": 5}}},
        {"troops": {0: {"kiev": 1, "volyn": 1}, 1: {"kiev": 5}}, "leader_at": {1: "rostov"}},
        {"troops": {0: {"kiev": 9}, 1: {"volyn": 1, "rostov": 1}}},
    ),
    "prosperous": (
        {"claims": {0: {"trade": 3}, 1: {"trade": 2}}},
        {"claims": {0: {"trade": 2}, 1: {"trade": 2}}},
        {"claims": {0: {"trade": 1}, 1: {"trade": 2}}},
    ),
    "protective": (
        {
            "troops": {0: {"kiev": 2}, 1: {"volyn": 2}},
            "built": {("church", "kiev"): 1, ("market", "kiev"): 0, ("market", "volyn"): 1},
        },
        {"troops": {0: {"kiev": 2}, 1: {"volyn": 2}}, "built": {("church", "kiev"): 1, ("market", "volyn"): 0}},
        {
            "troops": {0: {"kiev": 2, "rostov": 1}, 1: {"volyn": 2, "rostov": 1}},
            "built": {("market", "rostov"): 0, ("church", "rostov"): 0, ("market", "volyn"): 0},
        },
    ),
    "regal": (
        {"goods": {0: {"fur": 2, "honey": 2}, 1: {"honey": 3}}},
        {"goods": {0: {"fur": 3}, 1: {"honey": 3}}},
        {"goods": {0: {"fur": 1, "wood": 9}, 1: {"honey": 2}}},
    ),
    "successful": (
        {"claims": {0: {"rule": 3}, 1: {"rule": 2}}},
        {"claims": {0: {"rule": 2}, 1: {"rule": 2}}},
        {"claims": {0: {"rule": 1}, 1: {"rule": 2}}},
    ),
    "wealthy": ({"coins": {0: 5, 1: 4}}, {"coins": {0: 4, 1: 4}}, {"coins": {0: 3, 1: 4}}),
}


def position(agenda: str, which: int) -> State:
    state = scenario(**POSITIONS[agenda][which])
    if agenda == "dignified":
        deeds = [state.deed_deck.pop() for _ in range(5)]
        for seat, count in enumerate(((2, 1), (1, 1), (1, 2))[which]):
            state.players[seat].accomplished = [deeds.pop() for _ in range(count)]
    return state


def meets(state: State, agenda: str) -> bool:
    return meets_agenda(state, 0, AGENDA_INDEX[agenda])


def test_all_eleven_agendas_are_ruled_on() -> None:
    assert set(POSITIONS) == set(AGENDA_INDEX)
    assert AGENDA_VP == 2


@pytest.mark.parametrize("agenda", POSITIONS)
def test_the_first_meets_the_goal(agenda: str) -> None:
    """Agenda Card Reference 2-12."""
    assert meets(position(agenda, 0), agenda)


@pytest.mark.parametrize("agenda", POSITIONS)
def test_who_is_tied_for_first_meets_the_goal(agenda: str) -> None:
    """Agenda Card Reference 1 (NOTE)."""
    assert meets(position(agenda, 1), agenda)


@pytest.mark.parametrize("agenda", POSITIONS)
def test_the_second_does_not_meet_the_goal(agenda: str) -> None:
    """Agenda Card Reference 2-12."""
    assert not meets(position(agenda, 2), agenda)


@pytest.mark.parametrize("agenda", [name for name in POSITIONS if name != "wealthy"])
def test_nothing_of_it_does_not_meet_a_goal_even_when_all_are_tied(agenda: str) -> None:
    """Agenda Card Reference 1 [note 4]: proposed, the book is silent."""
    assert not meets(scenario(), agenda)


def test_no_coins_at_all_do_not_meet_wealthy() -> None:
    """Agenda Card Reference 12 [note 4]."""
    assert not meets(scenario(coins={0: 0, 1: 0}), "wealthy")


def test_capable_counts_boat_and_dock() -> None:
    """Agenda Card Reference 2: five wood are three on the boat and two on the dock."""
    assert metric(scenario(goods={0: {"wood": 5, "ore": 1}}), 0, "goods_total") == 6


def test_courageous_does_not_count_converted_rebels() -> None:
    """Agenda Card Reference 5, Build 6: they went back to the box."""
    state = main(scenario(troops={0: {"kiev": 2}}, rebels=["kiev"]), "build")
    state = play(state, 0, a.BuildStructure(Structure.CHURCH, "kiev"))
    assert metric(state, 0, "defeated_rebels") == 0


def test_esteemed_needs_troops_not_rule() -> None:
    """Agenda Card Reference 7: a leader alone occupies, a stronghold does not."""
    state = scenario(
        troops={0: {"kiev": 1}, 1: {"kiev": 4}}, leader_at={0: "volyn"}, built={("stronghold", "rostov"): 0}
    )
    assert metric(state, 0, "occupied_regions") == 2


def test_protective_counts_structures_of_all_players_where_one_rules() -> None:
    """Agenda Card Reference 9: own ones elsewhere do not count."""
    state = scenario(
        3,
        troops={0: {"kiev": 2}, 1: {"kiev": 1}},
        built={("church", "kiev"): 1, ("market", "kiev"): 2, ("stronghold", "kiev"): 0, ("market", "volyn"): 0},
    )
    assert metric(state, 0, "structures_in_ruled_regions") == 3


def test_regal_counts_fur_and_honey_of_boat_and_dock() -> None:
    """Agenda Card Reference 10."""
    assert metric(scenario(goods={0: {"fur": 4, "honey": 3, "wood": 2}}), 0, "fur_plus_honey") == 7


def test_committed_and_prosperous_and_successful_look_at_the_markers() -> None:
    """Agenda Card Reference 3, 8, 11: the place on the track, not what is on the board now."""
    state = scenario(claims={0: {"build": 1, "trade": 2, "rule": 3}}, troops={1: {"kiev": 3, "volyn": 3}})
    assert [metric(state, 0, f"track_{name}") for name in ("build", "trade", "rule")] == [1, 2, 3]
