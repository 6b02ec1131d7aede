import os
import time

import pytest

from services.cli import home


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(home.VARIABLE, str(tmp_path))
    return tmp_path


def test_a_run_whose_match_ended_leaves_nothing(folder):
    with home.run(None) as run:
        (run.folder / "redis").mkdir()
    assert list((folder / "runs").iterdir()) == []


def test_an_unfinished_match_is_kept_and_found_by_its_token():
    with home.run(None) as run:
        run.session.write_text("match:token")
    with home.run("match:token") as again:
        assert again.folder == run.folder
        again.session.unlink()
    assert not run.folder.exists()


def test_a_wrong_token_is_refused_in_words():
    with home.run(None) as run:
        run.session.write_text("match:token")
    with pytest.raises(home.NoSuchRun, match="copy it whole"), home.run("match:other"):
        pass


def test_a_match_in_play_cannot_be_taken_up_twice():
    with home.run(None) as run:
        run.session.write_text("match:token")
        with pytest.raises(home.NoSuchRun, match="another terminal"), home.run("match:token"):
            pass


def test_folders_of_killed_runs_are_swept_when_nobody_holds_them(folder):
    runs = folder / "runs"
    for name in ("dead", "young", "kept"):
        (runs / name).mkdir(parents=True)
    (runs / "kept" / "session").write_text("match:token")
    old = time.time() - 3600
    os.utime(runs / "dead", (old, old))
    os.utime(runs / "kept", (old, old))
    with home.run(None) as held:
        os.utime(held.folder, (old, old))
        home.sweep(runs)
        assert {p.name for p in runs.iterdir()} == {"young", "kept", held.folder.name}
