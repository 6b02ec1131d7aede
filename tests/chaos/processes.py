"""Start real engine pods and bot workers, and kill them without a word."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.ports import free_ports

BOT_TOKEN = "the workers' token"
START = 120.0
#: Run a command that the kernel ends with the process that started it: a killed test run leaves nothing behind.
MORTAL = (
    [
        sys.executable,
        "-IS",
        "-c",
        "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    if sys.platform == "linux"
    else []
)


class Engine:
    """Be an engine pod in a process of its own; `start` again after `kill` takes the same port."""

    def __init__(self, redis_url: str, *flags: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="veche-engine-"))
        self.flags = flags
        self.environment = {
            **os.environ,
            "VECHE_REDIS_URL": redis_url,
            "VECHE_BOT_TOKEN": BOT_TOKEN,
            "VECHE_LOG_LEVEL": "warning",
        }
        self.address = f"127.0.0.1:{free_ports(1)[0]}"
        self.process: subprocess.Popen[bytes]

    def start(self) -> "Engine":
        announced = self.launch()
        end = time.monotonic() + START
        while not announced.exists():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < end, "the engine did not get ready"
            time.sleep(0.02)
        assert announced.read_text().strip() == self.address
        return self

    def launch(self) -> Path:
        """Start without waiting; return the file that holds the address once the pod is ready."""
        announced = self.folder / "address"
        announced.unlink(missing_ok=True)
        port = self.address.rpartition(":")[2]
        command = [sys.executable, "-m", "services.server", "--port", port, "--announce", str(announced), *self.flags]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([*MORTAL, *command], env=self.environment, stderr=log)
        return announced

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, within: float = 60.0) -> int:
        """Ask the pod to leave; return its exit status."""
        self.process.terminate()
        return self.process.wait(within)

    def log(self) -> str:
        return (self.folder / "log").read_text()


class BotWorker:
    """Be a bot worker in a process of its own."""

    def __init__(self, address: str) -> None:
        environment = {**os.environ, "VECHE_BOT_TOKEN": BOT_TOKEN, "VECHE_GAMES": "rurik"}
        self.process = subprocess.Popen(
            [*MORTAL, sys.executable, "-m", "bots.worker", "--engine", address, "--log-level", "error"],
            env=environment,
        )

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
