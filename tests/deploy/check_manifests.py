"""Checks of the Kubernetes manifests as kustomize renders them; run by `make deploy-check`.

The file's name keeps it out of `make test`: kubectl and the Kubernetes schemas (108 MB) are in the CI lock alone.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
KUSTOMIZE = ROOT / "deploy" / "kustomize"
RENDERED = ("base", "overlays/dev", "overlays/prod")
# The oldest release with everything that is used here, and the newest whose schemas the validator carries.
RELEASES = ("1.30", kubernetes_validate.latest_version())
Object = dict[str, Any]


@cache
def render(folder: str) -> tuple[Object, ...]:
    pinned = Path(sys.executable).parent / "kubectl"
    kubectl = str(pinned) if pinned.exists() else shutil.which("kubectl")
    assert kubectl, "kubectl is neither in the virtual environment nor on PATH: run make deploy-check"
    done = subprocess.run(
        [kubectl, "kustomize", str(KUSTOMIZE / folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"KUBECONFIG": os.devnull},
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return tuple(item for item in yaml.safe_load_all(done.stdout) if item)


def validate(item: Object, release: str) -> None:
    """Validate strictly: unknown fields fail, and so does a kind without a schema."""
    kubernetes_validate.validate(item, release, strict=True)


def of_kind(folder: str, kind: str) -> dict[str, Object]:
    return {item["metadata"]["name"]: item for item in render(folder) if item["kind"] == kind}


def workloads(folder: str) -> dict[str, Object]:
    return of_kind(folder, "Deployment") | of_kind(folder, "StatefulSet")


def containers(folder: str) -> Iterator[tuple[str, Object, Object]]:
    for name, item in workloads(folder).items():
        pod = item["spec"]["template"]["spec"]
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            yield name, pod, container


def settings(folder: str, workload: str) -> dict[str, Object]:
    """Collect the environment of a workload's one container: plain values and references."""
    (container,) = [container for name, _, container in containers(folder) if name == workload]
    maps = of_kind(folder, "ConfigMap")
    found: dict[str, Object] = {}
    for source in container.get("envFrom", []):
        found |= {key: {"value": value} for key, value in maps[source["configMapRef"]["name"]]["data"].items()}
    return found | {entry["name"]: entry for entry in container.get("env", [])}


everywhere = pytest.mark.parametrize("folder", RENDERED)


@everywhere
@pytest.mark.parametrize("release", RELEASES)
def test_every_object_satisfies_the_kubernetes_schemas(folder: str, release: str) -> None:
    assert len(render(folder)) >= 15
    for item in render(folder):
        validate(item, release)


def test_an_unknown_kind_fails() -> None:
    unknown = {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "x"}, "spec": {}}
    with pytest.raises(kubernetes_validate.SchemaNotFoundError):
        validate(unknown, RELEASES[-1])


def test_an_unknown_field_and_a_wrong_type_fail() -> None:
    (service, *_) = of_kind("base", "Service").values()
    for spec in ({**service["spec"], "sessionAffinities": "None"}, {**service["spec"], "ports": "50051"}):
        with pytest.raises(kubernetes_validate.ValidationError):
            validate({**service, "spec": spec}, RELEASES[-1])


@everywhere
def test_the_parts_of_the_house_are_there(folder: str) -> None:
    assert set(of_kind(folder, "Deployment")) == {"veche-engine", "veche-bots"}
    assert set(of_kind(folder, "StatefulSet")) == {"veche-redis"}
    assert set(of_kind(folder, "Service")) == {"veche-engine", "veche-engine-headless", "veche-redis"}
    assert of_kind(folder, "Service")["veche-engine-headless"]["spec"]["clusterIP"] == "None"
    assert set(of_kind(folder, "PodDisruptionBudget")) == {"veche-engine", "veche-bots"}


@everywhere
def test_no_container_runs_as_root_or_can_become_it(folder: str) -> None:
    assert [name for name, _, _ in containers(folder)] == ["veche-bots", "veche-engine", "veche-redis"]
    for _, pod, container in containers(folder):
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert not any(pod.get(key) for key in ("hostNetwork", "hostPID", "hostIPC"))
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


@everywhere
def test_every_container_states_its_requests_and_limits(folder: str) -> None:
    for name, _, container in containers(folder):
        for kind in ("requests", "limits"):
            assert set(container["resources"][kind]) == {"cpu", "memory"}, (name, kind)


@everywhere
def test_the_engine_is_probed_natively_over_grpc(folder: str) -> None:
    (engine,) = [container for name, _, container in containers(folder) if name == "veche-engine"]
    probes = {kind: engine[kind]["grpc"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert probes == {
        "startupProbe": {"port": 50051, "service": "liveness"},
        "livenessProbe": {"port": 50051, "service": "liveness"},
        "readinessProbe": {"port": 50051, "service": "readiness"},
    }


@everywhere
def test_an_engine_pod_leaves_only_after_its_successor_is_ready_and_its_streams_are_told(folder: str) -> None:
    engine = workloads(folder)["veche-engine"]["spec"]
    assert engine["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    pod = engine["template"]["spec"]
    (container,) = pod["containers"]
    wait = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert 5 <= wait <= 10
    assert pod["terminationGracePeriodSeconds"] >= wait + 30


@pytest.mark.parametrize("folder", ["base", "overlays/prod"])
def test_at_least_two_engines_spread_over_nodes(folder: str) -> None:
    engine = workloads(folder)["veche-engine"]["spec"]
    scaler = of_kind(folder, "HorizontalPodAutoscaler").get("veche-engine")
    assert (scaler["spec"]["minReplicas"] if scaler else engine["replicas"]) >= 2
    spread = {rule["topologyKey"] for rule in engine["template"]["spec"]["topologySpreadConstraints"]}
    assert spread == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}


@everywhere
def test_redis_keeps_every_write_and_evicts_nothing(folder: str) -> None:
    redis = workloads(folder)["veche-redis"]["spec"]
    (claim,) = redis["volumeClaimTemplates"]
    (container,) = redis["template"]["spec"]["containers"]
    assert {"name": claim["metadata"]["name"], "mountPath": "/data"} in container["volumeMounts"]
    (volume,) = redis["template"]["spec"]["volumes"]
    text = of_kind(folder, "ConfigMap")[volume["configMap"]["name"]]["data"]["redis.conf"]
    lines = text.splitlines()
    for line in ("dir /data", "appendonly yes", "appendfsync everysec", "maxmemory-policy noeviction"):
        assert line in lines
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container[probe]["exec"]["command"][-1] == "redis-cli ping | grep -q PONG"


@everywhere
def test_redis_limit_lies_above_its_data(folder: str) -> None:
    units = {"mb": 2**20, "gb": 2**30, "Mi": 2**20, "Gi": 2**30}
    redis = workloads(folder)["veche-redis"]["spec"]["template"]["spec"]
    limit = redis["containers"][0]["resources"]["limits"]["memory"]
    text = of_kind(folder, "ConfigMap")[redis["volumes"][0]["configMap"]["name"]]["data"]["redis.conf"]
    (maximum,) = [line.split()[1] for line in text.splitlines() if line.startswith("maxmemory ")]
    data, room = (int(value[:-2]) * units[value[-2:]] for value in (maximum, limit))
    assert room >= 1.5 * data


@everywhere
def test_secrets_are_referred_to_and_never_written_down(folder: str) -> None:
    assert not of_kind(folder, "Secret")
    wanted = {
        "veche-engine": {
            "VECHE_ADMIN_TOKEN": "admin-token",
            "VECHE_BOT_TOKEN": "bot-token",
            "VECHE_REDIS_URL": "redis-url",
        },
        "veche-bots": {"VECHE_BOT_TOKEN": "bot-token"},
        "veche-redis": {"REDISCLI_AUTH": "redis-password"},
    }
    for workload, references in wanted.items():
        found = {
            name: entry["valueFrom"]["secretKeyRef"]["key"]
            for name, entry in settings(folder, workload).items()
            if "valueFrom" in entry
        }
        assert found == references
    for item in of_kind(folder, "ConfigMap").values():
        for key, value in item["data"].items():
            assert not any(word in f"{key}{value}".lower() for word in ("password", "requirepass", "token")), key


@everywhere
def test_settings_reach_each_part(folder: str) -> None:
    engine, bots = settings(folder, "veche-engine"), settings(folder, "veche-bots")
    assert set(engine) == {
        "VECHE_ADMIN_TOKEN",
        "VECHE_BOT_TOKEN",
        "VECHE_HOST",
        "VECHE_LOG_LEVEL",
        "VECHE_METRICS_PORT",
        "VECHE_POLICIES",
        "VECHE_PORT",
        "VECHE_REDIS_URL",
        "VECHE_REFLECTION",
    }
    assert set(bots) == {
        "VECHE_BOT_METRICS",
        "VECHE_BOT_TOKEN",
        "VECHE_CAPACITY",
        "VECHE_ENGINE",
        "VECHE_LOG_LEVEL",
        "VECHE_POLICIES",
        "VECHE_PROCESSES",
    }
    assert bots["VECHE_ENGINE"]["value"] == "dns:///veche-engine-headless:50051"
    assert engine["VECHE_REFLECTION"]["value"] == ("1" if folder == "overlays/dev" else "0")


@everywhere
def test_nothing_is_reachable_that_is_not_named(folder: str) -> None:
    policies = {name: item["spec"] for name, item in of_kind(folder, "NetworkPolicy").items()}
    deny = policies["veche-default-deny"]
    assert deny == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}

    def sources(rules: list[Object]) -> list[tuple[str, int]]:
        return [
            ("+".join(peer.get("podSelector", peer.get("namespaceSelector"))["matchLabels"].values()), port["port"])
            for rule in rules
            for peer in rule.get("from", rule.get("to"))
            for port in rule["ports"]
        ]

    assert sources(policies["veche-redis"]["ingress"]) == [("veche-engine", 6379)]
    assert "egress" not in policies["veche-redis"]
    assert sources(policies["veche-bots"]["egress"]) == [("veche-engine", 50051)]
    assert sources(policies["veche-bots"]["ingress"]) == [("true", 9091)]
    assert sources(policies["veche-engine"]["egress"]) == [("veche-redis", 6379)]
    assert sources(policies["veche-engine"]["ingress"]) == [("veche-bots", 50051), ("true", 50051), ("true", 9090)]


@everywhere
def test_selectors_meet_the_pods_they_mean(folder: str) -> None:
    labels = {name: item["spec"]["template"]["metadata"]["labels"] for name, item in workloads(folder).items()}
    for name, item in workloads(folder).items():
        assert item["spec"]["selector"]["matchLabels"].items() <= labels[name].items()
    for name, item in of_kind(folder, "Service").items():
        assert item["spec"]["selector"].items() <= labels[name.removesuffix("-headless")].items()
    for name, item in of_kind(folder, "PodDisruptionBudget").items():
        assert item["spec"]["selector"]["matchLabels"].items() <= labels[name].items()


@pytest.mark.parametrize(("folder", "namespace"), [("overlays/dev", "veche-dev"), ("overlays/prod", "veche")])
def test_an_overlay_puts_everything_into_its_restricted_namespace(folder: str, namespace: str) -> None:
    (space,) = of_kind(folder, "Namespace").values()
    assert space["metadata"]["name"] == namespace
    assert space["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    for item in render(folder):
        assert item["kind"] == "Namespace" or item["metadata"]["namespace"] == namespace
