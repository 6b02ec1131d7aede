"""The settings written in deploy/ mean to the programs what they say."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bots import policies
from bots.worker import config as worker_config
from engine.core.registry import GAMES
from services import config as engine_config

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
GIVEN = {"VECHE_REDIS_PASSWORD": "secret", "VECHE_BOT_TOKEN": "bot", "VECHE_ADMIN_TOKEN": ""}


def compose(service: str) -> dict[str, str]:
    """Read a service's environment with its variables filled in, as compose does."""
    text = (DEPLOY / "compose.yaml").read_text()
    filled = re.sub(r"\$\{(\w+):[?-][^}]*\}", lambda found: GIVEN[found[1]], text)
    environment: dict[str, str] = yaml.safe_load(filled)["services"][service]["environment"]
    return {key: value or "" for key, value in environment.items()}


def kustomize(name: str) -> dict[str, str]:
    """Read the literals of one of the base's config maps, and what the Secret adds."""
    base: dict[str, Any] = yaml.safe_load((DEPLOY / "kustomize" / "base" / "kustomization.yaml").read_text())
    (literals,) = [each["literals"] for each in base["configMapGenerator"] if each["name"] == name]
    secrets = {"VECHE_REDIS_URL": "redis://:secret@redis:6379/0", "VECHE_BOT_TOKEN": "bot"}
    return dict(item.split("=", 1) for item in literals) | secrets


@pytest.fixture(params=["compose", "kubernetes"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> engine_config.Settings:
    environment = compose("engine") if request.param == "compose" else kustomize("veche-engine")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return engine_config.settings([])


@pytest.fixture(params=["compose", "kubernetes"])
def worker(request: pytest.FixtureRequest) -> worker_config.Config:
    return worker_config.read([], compose("bots") if request.param == "compose" else kustomize("veche-bots"))


def test_the_engine_listens_where_probes_and_services_look(engine: engine_config.Settings) -> None:
    assert (engine.host, engine.port, engine.metrics_port) == ("0.0.0.0", 50051, 9090)  # noqa: S104 - a pod's address


def test_the_engine_finds_redis_and_knows_its_workers(engine: engine_config.Settings) -> None:
    assert engine.redis_url == "redis://:secret@redis:6379/0"
    assert engine.bot_token == "bot"
    assert engine.admin_token == ""


def test_a_draining_engine_is_gone_before_it_is_killed(engine: engine_config.Settings) -> None:
    assert 8 + engine.drain + engine.grace < 60


def test_workers_play_every_game_and_every_policy(worker: worker_config.Config) -> None:
    assert set(worker.games) == set(GAMES)
    assert set(worker.policies) == set(policies.NAMES)
    assert worker.token == "bot"
    assert worker.engine.endswith(":50051")


def test_the_metrics_of_workers_are_where_prometheus_looks(worker: worker_config.Config) -> None:
    assert worker.metrics in {None, ("0.0.0.0", 9091)}  # noqa: S104 - a pod's address; compose has no Prometheus


def test_the_engine_offers_what_its_workers_play(engine: engine_config.Settings, worker: worker_config.Config) -> None:
    assert set(engine.policies) <= set(worker.policies)
