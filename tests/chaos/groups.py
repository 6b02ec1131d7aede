"""Build a Redis Cluster and a Sentinel group of local servers, for as long as a test needs them."""

import random
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import redis

from services.store import embedded
from tests.chaos.processes import MORTAL


def free_ports(count: int, spread: int = 0) -> list[int]:
    """Return free ports; with `spread` also port + spread is free (a Cluster's bus).

    They lie below those that systems give to outgoing connections, so that none takes one while its server is down.
    """
    dice = random.SystemRandom()
    found: list[int] = []
    while len(found) < count:
        port = dice.randrange(10_000, 22_000)
        if port not in found and _is_free(port) and _is_free(port + spread):
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


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
        with redis.Redis(port=port, socket_timeout=5) as client:
            end = time.monotonic() + 20
            while True:
                try:
                    return client.execute_command(*command)
                except (redis.ConnectionError, redis.BusyLoadingError):
                    assert time.monotonic() < end
                    time.sleep(0.05)

    def until(self, port: int, field: str, value: str | int, *command: Any) -> None:
        """Ask until a field of the answer has this value."""
        end = time.monotonic() + 30
        while (found := self.call(port, *command)).get(field) != value:
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
    ports = free_ports(6, 10_000)
    for port in ports:
        group.start(
            port,
            "cluster-enabled yes",
            "cluster-node-timeout 2000",
            "appendonly yes",
            'save ""',
            "repl-diskless-sync-delay 0",
        )
    masters, replicas = ports[:3], ports[3:]
    for number, port in enumerate(masters):
        first, last = 16384 * number // 3, 16384 * (number + 1) // 3
        group.call(port, "CLUSTER ADDSLOTS", *range(first, last))
        group.call(port, "CLUSTER SET-CONFIG-EPOCH", number + 1)
    for port in ports[1:]:
        group.call(port, "CLUSTER MEET", "127.0.0.1", ports[0])
    for port in ports:
        group.until(port, "cluster_known_nodes", "6", "CLUSTER INFO")
    for master, replica in zip(masters, replicas, strict=True):
        name = group.call(master, "CLUSTER MYID")
        group.call(replica, "CLUSTER REPLICATE", name.decode() if isinstance(name, bytes) else name)
    for port in ports:
        group.until(port, "cluster_state", "ok", "CLUSTER INFO")
    for replica in replicas:
        group.until(replica, "master_link_status", "up", "INFO", "replication")
    return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in masters), masters


def sentinels(group: Group) -> tuple[str, int]:
    """Start a master, a replica and three Sentinels; return their URL and the master's port."""
    master, replica, *watchers = free_ports(5)
    group.start(master, "appendonly yes", 'save ""', "repl-diskless-sync-delay 0")
    group.start(replica, "appendonly yes", 'save ""', f"replicaof 127.0.0.1 {master}")
    group.until(replica, "master_link_status", "up", "INFO", "replication")
    for port in watchers:
        group.start(
            port,
            f"sentinel monitor veche 127.0.0.1 {master} 2",
            "sentinel down-after-milliseconds veche 1000",
            "sentinel failover-timeout veche 5000",
            mode="--sentinel",
        )
    for port in watchers:
        group.until(port, "num-slaves", 1, "SENTINEL MASTER", "veche")
        group.until(port, "num-other-sentinels", 2, "SENTINEL MASTER", "veche")
    return "redis+sentinel://" + ",".join(f"127.0.0.1:{p}" for p in watchers) + "/veche", master
