"""Start real processes on a real Redis: engines, workers; and talk to them as clients do."""

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import grpc

from services.store import embedded
from tests.ports import free_ports
from veche.v1 import match_pb2, match_pb2_grpc

START_SECONDS = 120.0
BOT_TOKEN = "worker-token"
ADMIN_TOKEN = "admin-token"


class Engine:
    """Be one engine pod; `start` brings it back on its own port after a kill."""

    def __init__(self, host: "Host", number: int) -> None:
        self.host = host
        self.name = f"engine-{number}"
        (self.port,) = free_ports(1)
        self.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        announced = self.host.folder / f"{self.name}.address"
        announced.unlink(missing_ok=True)
        self.process = self.host.spawn(
            self.name, "services.server", "--port", str(self.port), "--announce", str(announced), "--drain", "0.5"
        )
        end = time.monotonic() + START_SECONDS
        while not announced.exists():
            assert self.process.poll() is None, self.host.log(self.name)
            assert time.monotonic() < end, self.host.log(self.name)
            time.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stub(self) -> match_pb2_grpc.MatchServiceStub:
        return match_pb2_grpc.MatchServiceStub(self.host.channel(self.address))


class Host:
    """Hold everything that was started; `close` ends all of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.redis = embedded.start(folder / "redis")
        self.environment = os.environ | {
            "VECHE_REDIS_URL": self.redis.url,
            "VECHE_BOT_TOKEN": BOT_TOKEN,
            "VECHE_ADMIN_TOKEN": ADMIN_TOKEN,
            "VECHE_LEASE": "3",
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        self.channels: list[grpc.Channel] = []
        self.engines: list[Engine] = []

    def engine(self) -> Engine:
        started = Engine(self, len(self.engines) + 1)
        self.engines.append(started)
        return started

    def worker(self, engine: Engine, *flags: str) -> subprocess.Popen[bytes]:
        name = f"worker-{len(self.processes)}"
        return self.spawn(name, "bots.worker", "--engine", engine.address, "--worker-id", name, *flags)

    def spawn(self, name: str, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()[-4000:]

    def channel(self, address: str) -> grpc.Channel:
        opened = grpc.insecure_channel(address)
        self.channels.append(opened)
        return opened

    def close(self) -> None:
        for channel in self.channels:
            channel.close()
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.redis.stop()


def create(stub: match_pb2_grpc.MatchServiceStub, seat_count: int, **fields: Any) -> match_pb2.CreateMatchResponse:
    """Create a match of Rurik that starts when its last seat is taken."""
    request = match_pb2.CreateMatchRequest(
        request_id=str(uuid.uuid4()), game="rurik", seat_count=seat_count, auto_start=True, **fields
    )
    return stub.CreateMatch(request, timeout=20)


def record(
    stub: match_pb2_grpc.MatchServiceStub, match_id: str, token: str = ""
) -> tuple[match_pb2.GetRecordResponse, list[match_pb2.RecordEntry]]:
    """Read all pages of a record; return the last page and the entries of all."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    entries: list[match_pb2.RecordEntry] = []
    page = ""
    while True:
        request = match_pb2.GetRecordRequest(match_id=match_id, page_token=page)
        reply = stub.GetRecord(request, metadata=metadata, timeout=20)
        entries.extend(reply.entries)
        page = reply.next_page_token
        if not page:
            return reply, entries
