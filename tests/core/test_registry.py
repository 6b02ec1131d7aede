"""Test the list of games and the data packs laid over it."""

from pathlib import Path

import pytest

from engine.core import registry
from engine.core.errors import BadData
from engine.core.registry import GAMES


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test load packs as a new process would, and forget them after it."""
    monkeypatch.setattr(registry, "_packs", [])
    monkeypatch.setattr(registry, "_loaded", {})


def test_every_game_is_listed_and_loads() -> None:
    assert len(GAMES) == len(list(GAMES)) >= 1
    for game in GAMES:
        assert GAMES[game].info.id == game
        assert GAMES[game] is GAMES[game]


def test_an_unknown_game_is_a_key_error() -> None:
    assert "chess" not in GAMES
    with pytest.raises(KeyError):
        GAMES["chess"]


@pytest.mark.usefixtures("fresh")
def test_the_last_pack_with_a_table_wins(tmp_path: Path) -> None:
    builtin, _ = registry.table("rurik", "map")
    for name in ("one", "two"):
        (tmp_path / name / "rurik").mkdir(parents=True)
    (tmp_path / "one/rurik/map.yaml").write_text("one: 1\n")
    (tmp_path / "one/rurik/leaders.yaml").write_text("one: 2\n")
    (tmp_path / "two/rurik/map.yaml").write_text("two: 1\n")
    registry.load([tmp_path / "one", tmp_path / "two"])
    assert registry.table("rurik", "map")[1] == b"two: 1\n"
    assert registry.table("rurik", "leaders")[1] == b"one: 2\n"
    assert registry.table("rurik", "rebels")[0].parent == builtin.parent
    with pytest.raises(BadData, match=r"no table nothing\.yaml"):
        registry.table("rurik", "nothing")


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("chess/openings.yaml", "chess: no game of that name"),
        ("rurik/mpa.yaml", r"mpa\.yaml: rurik has no table of that name"),
    ],
)
def test_a_pack_for_what_does_not_exist_is_refused(tmp_path: Path, path: str, message: str) -> None:
    (tmp_path / path).parent.mkdir()
    (tmp_path / path).write_text("a: 1\n")
    with pytest.raises(BadData, match=message):
        registry.load([tmp_path])
    assert registry._packs == []


@pytest.mark.usefixtures("fresh")
def test_a_pack_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no such directory"):
        registry.load([tmp_path / "away"])


def test_packs_come_before_the_first_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "_loaded", {"rurik": None})
    with pytest.raises(BadData, match="before the first use of rurik"):
        registry.load([tmp_path])
