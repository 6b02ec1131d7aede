"""The compose file keeps the same promises as the Kubernetes manifests."""

from pathlib import Path
from typing import Any

import pytest
import yaml

COMPOSE: dict[str, Any] = yaml.safe_load((Path(__file__).resolve().parents[2] / "deploy" / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_read_only_and_without_privileges(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_redis_keeps_every_write_and_evicts_nothing() -> None:
    command = SERVICES["redis"]["command"]
    flags = dict(zip(command[1::2], command[2::2], strict=True))
    assert flags["--appendonly"] == "yes"
    assert flags["--appendfsync"] == "everysec"
    assert flags["--maxmemory-policy"] == "noeviction"
    assert SERVICES["redis"]["volumes"] == ["redis-data:/data"]


def test_only_the_engine_reaches_redis_and_only_loopback_reaches_the_engine() -> None:
    assert {name for name, service in SERVICES.items() if "store" in service["networks"]} == {"redis", "engine"}
    assert COMPOSE["networks"]["store"] == {"internal": True}
    assert SERVICES["engine"]["ports"] == ["127.0.0.1:50051:50051"]
    assert all("ports" not in SERVICES[name] for name in ("redis", "bots"))


def test_secrets_come_from_the_environment_and_have_no_default() -> None:
    for service in SERVICES.values():
        for key, value in service.get("environment", {}).items():
            if key == "VECHE_ADMIN_TOKEN":
                assert value == "${VECHE_ADMIN_TOKEN:-}"
            elif any(word in key for word in ("TOKEN", "AUTH", "REDIS_URL")):
                assert ":?set VECHE_" in value


def test_one_image_serves_both_parts() -> None:
    assert SERVICES["engine"]["image"] == SERVICES["bots"]["image"]
    assert SERVICES["engine"]["command"] == ["python", "-m", "services.server"]
    assert SERVICES["bots"]["command"] == ["python", "-m", "bots.worker"]
