"""Build a Redis Cluster and a Sentinel group of local servers, for as long as a test needs them.

They are slow to take a silent server for dead, so that a busy machine is not what kills it; who kills one makes them
quick just before.
"""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from redis.utils import str_if_bytes

from services.store import embedded, keys
from tests.chaos.processes import MORTAL
from tests.ports import free_ports

#: A Cluster's servers talk with each other on their ports plus this.
BUS = 10_000
#: What each master of a Cluster holds.
SLOTS = (range(5461), range(5461, 10922), range(10922, 16384))


#: Seconds that servers get to agree on something.
PATIENCE = 60.0


class Group:
    """Hold servers; `close` kills them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.binary = embedded.find_server()

    def start(self, port: int, *options: str, mode: str = "") -> None:
        home = self.folder / str(port)
        home.mkdir(exist_ok=True)
        config = home / "redis.conf"
        if not config.exists():
            config.write_text("\n".join([f"port {port}", "bind 127.0.0.1", f'dir "{home}"', "logfile log", *options]))
        command = [self.binary, str(config), *([mode] if mode else [])]
        self.processes[port] = subprocess.Popen([*MORTAL, *command], stdout=subprocess.DEVNULL)

    def call(self, port: int, *command: Any) -> Any:
        with redis.Redis(port=port, socket_timeout=30) as client:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    return client.execute_command(*command)
                except (redis.ConnectionError, redis.BusyLoadingError):
                    assert time.monotonic() < end
                    time.sleep(0.05)

    def until(self, port: int, field: str, value: str | int, *command: Any) -> None:
        """Ask until a field of the answer has this value."""
        self.wait(lambda: self.call(port, *command), lambda answer: answer.get(field) == value)

    def until_copied(self, master: int) -> None:
        """Wait until a replica has all that the master has now."""
        written = self.call(master, "INFO", "replication")["master_repl_offset"]

        def copied(answer: dict[str, Any]) -> bool:
            return any(isinstance(part, dict) and part["offset"] >= written for part in answer.values())

        self.wait(lambda: self.call(master, "INFO", "replication"), copied)

    def wait(self, ask: Callable[[], Any], is_there: Callable[[Any], bool]) -> None:
        """Ask until the answer is the one that is waited for."""
        end = time.monotonic() + PATIENCE
        while not is_there(found := ask()):
            assert time.monotonic() < end, found
            time.sleep(0.1)

    def kill(self, port: int) -> None:
        self.processes[port].kill()
        self.processes[port].wait()

    def close(self) -> None:
        for port in self.processes:
            self.kill(port)


def cluster(group: Group) -> tuple[str, list[int]]:
    """Start three masters with a replica each; return their URL and the masters' ports."""
    ports = free_ports(6, BUS)
    for port in ports:
        group.start(
            port,
            "cluster-enabled yes",
            "cluster-node-timeout 30000",
            "cluster-replica-validity-factor 0",
            'save ""',
            "repl-diskless-sync-delay 0",
        )
    masters, replicas = ports[:3], ports[3:]
    for number, (port, slots) in enumerate(zip(masters, SLOTS, strict=True), 1):
        group.call(port, "CLUSTER ADDSLOTS", *slots)
        group.call(port, "CLUSTER SET-CONFIG-EPOCH", number)
    for port in ports[1:]:
        group.call(port, "CLUSTER MEET", "127.0.0.1", ports[0])
    names = {port: str_if_bytes(group.call(port, "CLUSTER MYID")) for port in ports}
    for port in ports:
        # By name: one that is only being greeted counts as known under a made-up name.
        group.wait(
            lambda p=port: group.call(p, "CLUSTER NODES"),  # type: ignore[misc]
            lambda nodes: {node["node_id"] for node in nodes.values()} == set(names.values()),
        )
    for master, replica in zip(masters, replicas, strict=True):
        group.call(replica, "CLUSTER REPLICATE", names[master])
    for port in ports:
        group.until(port, "cluster_state", "ok", "CLUSTER INFO")
    for replica in replicas:
        group.until(replica, "master_link_status", "up", "INFO", "replication")
    return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in masters), masters


def kill_clustered(group: Group, masters: list[int], match_id: str) -> None:
    """Kill a match's master, once its replica has everything; the others take note within seconds."""
    slot = group.call(masters[0], "CLUSTER KEYSLOT", keys.match(match_id).head)
    victim = next(port for port, slots in zip(masters, SLOTS, strict=True) if slot in slots)
    group.until_copied(victim)
    for port in group.processes:
        group.call(port, "CONFIG SET", "cluster-node-timeout", 2000)
    group.kill(victim)


def sentinels(group: Group) -> tuple[str, int, list[int]]:
    """Start a master, a replica and three Sentinels; return their URL, the master's port and the Sentinels'."""
    master, replica, *watchers = free_ports(5)
    group.start(master, 'save ""', "repl-diskless-sync-delay 0")
    group.start(replica, 'save ""', f"replicaof 127.0.0.1 {master}")
    group.until(replica, "master_link_status", "up", "INFO", "replication")
    for port in watchers:
        group.start(
            port,
            f"sentinel monitor veche 127.0.0.1 {master} 2",
            "sentinel down-after-milliseconds veche 30000",
            "sentinel failover-timeout veche 5000",
            mode="--sentinel",
        )
    for port in watchers:
        group.until(port, "num-slaves", 1, "SENTINEL MASTER", "veche")
        group.until(port, "num-other-sentinels", 2, "SENTINEL MASTER", "veche")
    return "redis+sentinel://" + ",".join(f"127.0.0.1:{p}" for p in watchers) + "/veche", master, watchers


def kill_watched(group: Group, master: int, watchers: list[int]) -> None:
    """Kill the master that Sentinels watch, once its replica has everything; they take note within seconds."""
    group.until_copied(master)
    for port in watchers:
        group.call(port, "SENTINEL SET", "veche", "down-after-milliseconds", 1000)
    group.kill(master)
