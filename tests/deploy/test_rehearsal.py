"""The rehearsal reads the Containerfile itself; these tests hold the two together."""

from pathlib import Path

import pytest

from deploy import rehearse

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def steps() -> list[tuple[str, str]]:
    return rehearse.instructions(rehearse.CONTAINERFILE.read_text())


def test_the_rehearsal_knows_every_instruction_of_the_containerfile(steps: list[tuple[str, str]]) -> None:
    assert {word for word, _ in steps} == set(rehearse.KNOWN)


def test_an_instruction_that_the_rehearsal_would_pass_over_is_refused() -> None:
    with pytest.raises(SystemExit, match="uses ADD"):
        rehearse.instructions("FROM x AS y\nADD a b\n")


def test_the_image_is_built_in_two_stages_and_runs_as_nobody_in_particular(steps: list[tuple[str, str]]) -> None:
    stages = [rest.partition(" AS ")[2] for word, rest in steps if word == "FROM"]
    assert stages == ["build", "veche"]
    last = steps[max(index for index, (word, _) in enumerate(steps) if word == "FROM") :]
    assert dict(last)["USER"] == "10001:10001"
    assert dict(last)["CMD"] == '["python", "-m", "services.server"]'
    assert "RUN" not in dict(last)


def test_what_is_copied_exists_and_reaches_the_builder(steps: list[tuple[str, str]]) -> None:
    copied = {rest.split()[0] for word, rest in steps if word == "COPY" and not rest.startswith("--from")}
    assert copied == {"requirements.lock", "protos", "engine", "services", "bots"}
    assert all((ROOT / name).exists() for name in copied)
    lines = (ROOT / "deploy" / "Containerfile.dockerignore").read_text().splitlines()
    assert "*" in lines
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == copied


def test_image_paths_move_into_the_stage_and_others_stay() -> None:
    stage = rehearse.Stage(Path("/clean/build"), workdir="/app")
    assert stage.inside("/opt/venv/bin/python -m x /app") == "/clean/build/opt/venv/bin/python -m x /clean/build/app"
    assert stage.inside("/usr/bin/env a/opt/b") == "/usr/bin/env a/opt/b"
    assert stage.path("engine") == Path("/clean/build/app/engine")
    assert stage.path("/opt/venv") == Path("/clean/build/opt/venv")


def test_a_copy_of_something_absent_stops_the_rehearsal(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no such file"):
        rehearse.copy("nothing-of-this-name there", rehearse.Stage(tmp_path), {})
