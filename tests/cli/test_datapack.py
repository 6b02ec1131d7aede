import pytest
import yaml

from engine.core.errors import BadData
from services.cli import datapack
from services.cli.__main__ import main


def test_a_written_pack_holds_every_table_with_its_fields_explained(tmp_path):
    assert datapack.write(tmp_path, "rurik") == 12
    text = (tmp_path / "rurik" / "deed_cards.yaml").read_text()
    assert "#   cards[].vp: whole number\n" in text
    builtin = datapack._builtin("rurik") / "deed_cards.yaml"
    assert yaml.safe_load(text) == yaml.safe_load(builtin.read_text())


def test_a_table_that_was_edited_is_never_overwritten(tmp_path):
    datapack.write(tmp_path, "rurik")
    edited = tmp_path / "rurik" / "map.yaml"
    edited.write_text("mine: 1\n")
    assert datapack.write(tmp_path, "rurik") == 0
    assert edited.read_text() == "mine: 1\n"


def test_a_pack_with_an_unknown_table_is_refused_by_name(tmp_path):
    (tmp_path / "rurik").mkdir()
    (tmp_path / "rurik" / "mapp.yaml").write_text("{}")
    with pytest.raises(BadData, match=r"mapp\.yaml: rurik has no such table"):
        datapack.check(tmp_path, "rurik")


def test_a_directory_without_the_game_is_no_pack(tmp_path):
    with pytest.raises(BadData, match="no such directory"):
        datapack.check(tmp_path, "rurik")


def test_the_schema_names_fields_that_may_be_left_out():
    lines = list(datapack.schema({"cards": [{"id": "a", "vp": 1}, {"id": "b"}], "count": 2}))
    assert lines == ["cards[].id: text", "cards[].vp: whole number, may be left out", "count: whole number"]


def test_help_teaches_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for command in ("run", "serve", "replay", "admin", "datapack", "examples:"):
        assert command in out


@pytest.mark.parametrize("arguments", [[], ["fly"], ["datapack", "--game", "chess"], ["run", "--workers", "many"]])
def test_a_bad_command_line_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage:" in capsys.readouterr().err
