"""Rule on mustering and moving (Muster, Move)."""

import pytest

from engine.games.rurik import actions as a
from engine.games.rurik.data import SPACES
from engine.games.rurik.ids import COLUMNS
from engine.games.rurik.state import State
from tests.games.rurik.scenario import asked, at, legal, main, offered, play, scenario, troops


def targets(state: State) -> set[str]:
    return {action.target for action in offered(state, 0, a.MoveTroop)}


@pytest.mark.parametrize(("seats", "icons"), [(2, [3, 2, 1]), (3, [3, 2, 1, 1]), (4, [3, 2, 1, 1])])
def test_a_muster_space_gives_its_icons_in_points(seats: int, icons: list[int]) -> None:
    """Muster 1."""
    assert [space.icons for space in SPACES[seats][COLUMNS.index("muster")]] == icons


@pytest.mark.parametrize(("seats", "icons"), [(2, [3, 2, 1]), (3, [4, 3, 2, 1]), (4, [4, 3, 2, 1])])
def test_a_move_space_gives_its_icons_in_points(seats: int, icons: list[int]) -> None:
    """Move 1."""
    assert [space.icons for space in SPACES[seats][COLUMNS.index("move")]] == icons


def test_troops_are_mustered_only_where_one_has_troops() -> None:
    """Muster 1 [note 3]."""
    state = main(scenario(troops={0: {"kiev": 1, "volyn": 1}, 1: {"rostov": 1}}, leader_at={0: "kiev"}), "muster")
    assert legal(state, 0) == (a.MusterTroop("volyn"), a.MusterTroop("kiev"), a.Done())


def test_each_muster_point_brings_one_troop_from_the_supply() -> None:
    """Muster 1."""
    state = main(scenario(troops={0: {"kiev": 1, "volyn": 1}}), "muster")
    state = play(state, 0, a.MusterTroop("kiev"), a.MusterTroop("volyn"), a.MusterTroop("kiev"))
    assert (troops(state, 0, "kiev"), troops(state, 0, "volyn")) == (3, 2)
    assert state.players[0].supply == 7
    assert asked(state)[0][0] == 1


def test_muster_points_need_not_all_be_spent() -> None:
    """Muster 1: you may."""
    state = play(main(scenario(troops={0: {"kiev": 1}}), "muster"), 0, a.MusterTroop("kiev"), a.Done())
    assert troops(state, 0, "kiev") == 2


def test_an_empty_supply_musters_nobody() -> None:
    """Muster 1: troops come from the supply."""
    state = scenario(troops={0: {"kiev": 11}}, leader_at={0: "kiev"})
    state = play(main(state, "muster"), 0, a.MusterTroop("kiev"))
    assert state.players[0].supply == 0
    assert asked(state) == ((1, "turn"),)


def test_a_removed_leader_is_mustered_like_a_troop() -> None:
    """Muster 2."""
    state = main(scenario(troops={0: {"kiev": 1}}), "muster")
    assert a.MusterLeader("kiev") in legal(state, 0)
    state = play(state, 0, a.MusterLeader("kiev"))
    assert state.players[0].leader_at == at("kiev")
    assert not offered(state, 0, a.MusterLeader)
    assert state.players[0].supply == 11


def test_a_leader_on_the_board_is_not_mustered() -> None:
    """Muster 2."""
    assert not offered(main(scenario(leader_at={0: "kiev"}), "muster"), 0, a.MusterLeader)


def test_a_leader_alone_occupies_a_region() -> None:
    """Muster 1, Leaders 1."""
    assert a.MusterTroop("kiev") in legal(main(scenario(leader_at={0: "kiev"}), "muster"), 0)


def test_a_stronghold_alone_does_not_occupy_a_region() -> None:
    """Muster 1 [note 2]: occupying takes troops."""
    state = main(scenario(troops={0: {"kiev": 1}}, built={("stronghold", "volyn"): 0}), "muster")
    assert a.MusterTroop("volyn") not in legal(state, 0)


def test_each_movement_point_moves_one_troop_over_one_border() -> None:
    """Move 1: only into adjacent regions in play."""
    state = main(scenario(troops={0: {"smolensk": 1}}), "move")
    assert {action.target for action in offered(state, 0, a.MoveTroop)} == {
        "novgorod",
        "rostov",
        "polotsk",
        "chernigov",
    }
    state = play(state, 0, a.MoveTroop("smolensk", "rostov"))
    assert (troops(state, 0, "smolensk"), troops(state, 0, "rostov")) == (0, 1)
    assert state.flow.stack[-1].points == 2


def test_regions_out_of_play_cannot_be_entered() -> None:
    """Move 1, Game Setup 2: Kiev borders Galich and Azov, which are not in play for two."""
    state = main(scenario(troops={0: {"kiev": 1}}), "move")
    assert {action.target for action in offered(state, 0, a.MoveTroop)} == {
        "polotsk",
        "volyn",
        "chernigov",
        "pereyaslavl",
    }


def test_one_troop_may_take_several_points() -> None:
    """Move 2: points are split up among any number of troops, or not."""
    state = main(scenario(troops={0: {"novgorod": 1, "kiev": 1}}), "move")
    moves = [a.MoveTroop(s, t) for s, t in (("novgorod", "smolensk"), ("smolensk", "chernigov"), ("chernigov", "kiev"))]
    assert troops(play(state, 0, *moves), 0, "kiev") == 2


def test_points_may_be_split_among_troops() -> None:
    """Move 2."""
    state = main(scenario(troops={0: {"novgorod": 1, "kiev": 1}}), "move")
    state = play(state, 0, a.MoveTroop("novgorod", "rostov"), a.MoveTroop("kiev", "volyn"))
    assert (troops(state, 0, "rostov"), troops(state, 0, "volyn")) == (1, 1)


def test_movement_points_need_not_all_be_spent() -> None:
    """Move 2."""
    state = play(main(scenario(troops={0: {"kiev": 1}}), "move"), 0, a.Done())
    assert troops(state, 0, "kiev") == 1
    assert asked(state) == ((1, "turn"),)


def test_enemies_stop_nobody() -> None:
    """Move 2: into and through opposing troops and rebels without attacking."""
    state = scenario(troops={0: {"novgorod": 1}, 1: {"smolensk": 5}}, rebels=["smolensk"])
    state = play(main(state, "move"), 0, a.MoveTroop("novgorod", "smolensk"), a.MoveTroop("smolensk", "chernigov"))
    assert (troops(state, 0, "chernigov"), troops(state, 1, "smolensk")) == (1, 5)


def test_a_leader_moves_like_a_troop() -> None:
    """Move 1, Leaders 1."""
    state = main(scenario(leaders=("boris", "maria"), leader_at={0: "kiev"}), "move")
    state = play(state, 0, a.MoveLeader("kiev", "volyn"))
    assert state.players[0].leader_at == at("volyn")


def test_only_own_troops_move() -> None:
    """Move 1."""
    state = main(scenario(troops={0: {"kiev": 1}, 1: {"volyn": 3}}), "move")
    assert {action.source for action in offered(state, 0, a.MoveTroop)} == {"kiev"}
