"""Hold what an operator is told by `admin`, `replay` and `serve` when there is nothing to do or nobody to ask."""

import grpc
import pytest

from services.cli import __main__ as cli
from services.cli import admin, dial
from tests.chaos.processes import Engine
from tests.ports import free_ports
from tests.tls import gateway

NOBODY = "127.0.0.1:1"


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("VECHE_HOME", str(tmp_path))
    monkeypatch.delenv("VECHE_ENGINE", raising=False)


@pytest.fixture(scope="module")
def waiting_engine():
    """The address of an engine whose Redis is away."""
    (port,) = free_ports(1)
    engine = Engine("redis://127.0.0.1:1/0", "--host", "127.0.0.1")
    engine.address = f"127.0.0.1:{port}"
    engine.launch()
    try:
        with grpc.insecure_channel(engine.address) as channel:
            grpc.channel_ready_future(channel).result(timeout=60)
        yield engine.address
    finally:
        engine.kill()


@pytest.mark.parametrize(
    "command", [["admin", "--engine", NOBODY, "list"], ["replay", "--engine", NOBODY, "--match", "m"]]
)
def test_an_engine_that_does_not_answer_is_told_with_what_to_do(command, capsys):
    assert cli.main(command) == 1
    assert "is it running? --engine HOST:PORT names another" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["admin", "list"], ["replay", "--match", "m"]])
def test_an_engine_that_cannot_serve_is_told_in_its_own_words(command, waiting_engine, capsys):
    assert cli.main([command[0], "--engine", waiting_engine, *command[1:]]) == 1
    told = capsys.readouterr().err
    assert told == "veche: the engine says: this pod waits for its store; try again, or another pod (UNAVAILABLE)\n"


def test_the_operator_reaches_an_engine_behind_tls(tmp_path, monkeypatch, capsys):
    with gateway(tmp_path) as (address, authority):
        monkeypatch.setenv("VECHE_CA_FILE", str(authority))
        assert cli.main(["admin", "--engine", address, "list"]) == 1
    assert "(UNIMPLEMENTED)" in capsys.readouterr().err  # it was reached, and has no methods


def test_the_engine_is_the_asked_one_else_that_of_the_environment_else_the_one_served_here(tmp_path, monkeypatch):
    assert dial.address("") == "127.0.0.1:50051"
    (tmp_path / "serve").mkdir()
    (tmp_path / "serve" / "engine.address").write_text("127.0.0.1:4000\n")
    assert dial.address("") == "127.0.0.1:4000"
    monkeypatch.setenv("VECHE_ENGINE", "far:1")
    assert dial.address("") == "far:1"
    assert dial.address("near:2") == "near:2"


def test_an_empty_list_says_so_on_standard_error_alone(monkeypatch, capsys):
    monkeypatch.setattr(admin, "_VERBS", {"list": lambda *_: iter(())})
    assert cli.main(["admin", "list"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "veche: there are none\n")


def test_a_port_that_cannot_be_is_refused_before_anything_starts(tmp_path, capsys):
    assert cli.main(["serve", "--port", "99999"]) == 2
    assert "--port must be 0 to 65535" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
