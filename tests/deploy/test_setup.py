"""What `make setup` does again and what it leaves alone."""

import fcntl
import subprocess
import threading
from pathlib import Path

import pytest

from deploy import setup

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be a checkout with its parts in place and nothing installed."""
    for part, name in setup.LOCKS.items():
        (tmp_path / name).write_text(f"{part}==1 \\\n    --hash=sha256:0\n")
    (tmp_path / "protos" / "veche" / "v1").mkdir(parents=True)
    (tmp_path / "protos" / "veche" / "v1" / "a.proto").write_text('syntax = "proto3";\n')
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    (tmp_path / "gen").mkdir()
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(setup, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(setup, "GEN", tmp_path / "gen")
    return tmp_path


def test_a_part_is_installed_once_and_again_when_its_lock_changes(house: Path) -> None:
    assert setup.stale_parts(["run"]) == ["run"]
    setup.stamp("run").write_text(setup.lock_digest("run"))
    assert setup.stale_parts(["run"]) == []
    (house / "requirements.lock").write_text("run==2\n")
    assert setup.stale_parts(["run"]) == ["run"]


@pytest.mark.usefixtures("house")
def test_the_test_lock_is_installed_in_place_of_the_run_lock() -> None:
    assert setup.stale_parts(["run", "dev", "ci"]) == ["dev", "ci"]


@pytest.mark.usefixtures("house")
def test_a_virtual_environment_that_is_gone_makes_every_part_stale() -> None:
    setup.stamp("run").write_text(setup.lock_digest("run"))
    setup.PYTHON.unlink()
    assert setup.stale_parts(["run"]) == ["run"]


def test_stubs_are_made_again_when_a_proto_changes_or_a_generator_does(house: Path) -> None:
    assert setup.stubs_stale()
    (house / "gen" / ".stamp").write_text(setup.proto_digest())
    assert not setup.stubs_stale()
    (house / "protos" / "veche" / "v1" / "b.proto").write_text('syntax = "proto3";\n')
    assert setup.stubs_stale()
    (house / "gen" / ".stamp").write_text(setup.proto_digest())
    (house / "requirements.lock").write_text("run==2\n")
    assert setup.stubs_stale()


def test_a_second_setup_waits_for_the_first(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = house / ".setup.lock"
    first = path.open("w")
    fcntl.flock(first, fcntl.LOCK_EX)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        threading.Timer(0.3, first.close).start()

    monkeypatch.setattr(setup, "say", say)
    with setup.locked(path):
        assert first.closed
    assert said == ["another setup is running here, waiting for it"]


def test_a_failed_step_shows_what_it_said_and_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        setup.run(["sh", "-c", "echo no such thing >&2; exit 3"], "is it installed?")
    assert stopped.value.code == 3
    said = capsys.readouterr().err
    assert "no such thing" in said
    assert "is it installed?" in said


def test_every_target_of_the_makefile_is_listed_by_help() -> None:
    text = (ROOT / "Makefile").read_text()
    phony = text.split(".PHONY:")[1].split("\nSHELL")[0].replace("\\\n", " ").split()
    listed = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    targets = {line.split()[1] for line in listed.splitlines()}
    assert targets == set(phony) - {"setup-dev"}
