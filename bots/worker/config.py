"""Read the worker's settings from flags and environment, once."""

import argparse
import math
import os
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from bots import policies
from bots.client import SILENCE
from engine.core.registry import GAMES

_LEVELS = ("debug", "info", "warning", "error")


class Config(msgspec.Struct, frozen=True):
    """Hold the settings.

    `engine` is host:port; `capacity` how many turns are held at once; `processes` how many think at once; `silence`
    after how many seconds without a message the stream counts as dead; `seed` makes the policies repeatable; Prometheus
    may ask at `metrics`, host and port.
    """

    engine: str
    policies: tuple[str, ...]
    games: tuple[str, ...]
    capacity: int
    processes: int
    worker_id: str
    token: str | None
    silence: float
    seed: int | None
    log_level: str
    metrics: tuple[str, int] | None = None
    data_packs: tuple[Path, ...] = ()


def read(arguments: Sequence[str] | None, environment: Mapping[str, str] = os.environ) -> Config:
    """Return the settings; exit with a message on one that cannot be."""
    parser = argparse.ArgumentParser(
        prog="python -m bots.worker",
        description="Play seats for an engine: take offered turns, think, submit. Stop it with SIGTERM.",
        epilog="In brackets: the variable that says the same, and what holds without either. Two have no flag: "
        "the worker token is read from VECHE_BOT_TOKEN alone, so that no process list shows it, and corrected game "
        f"data from the directories in VECHE_DATA_PACKS, with {os.pathsep!r} between them, as the engine has it.",
    )

    def add(flag: str, variable: str, default: str, text: str, shown: str = "") -> None:
        explained = f"{text} [{variable}; {shown or default}]".replace("%", "%%")
        parser.add_argument(flag, default=environment.get(variable, default), help=explained)

    add("--engine", "VECHE_ENGINE", "127.0.0.1:50051", "host:port or tls://host:port of the engine")
    add("--policies", "VECHE_POLICIES", ",".join(policies.NAMES), "which policies to play, by comma")
    add("--games", "VECHE_GAMES", ",".join(GAMES), "which games, by comma")
    add("--capacity", "VECHE_CAPACITY", "4", "turns held at once")
    add("--processes", "VECHE_PROCESSES", "1", "processes that think; as many as cores are of use")
    own = f"{socket.gethostname()}-{os.getpid()}"
    add("--worker-id", "VECHE_WORKER_ID", own, "name, unique among workers", "host name and process id")
    add("--silence", "VECHE_SILENCE", str(SILENCE), "seconds without a message after which to reconnect")
    add("--seed", "VECHE_BOT_SEED", "", "integer that makes policies repeatable", "none: they differ each time")
    add("--metrics", "VECHE_BOT_METRICS", "", "host:port of the Prometheus metrics", "none")
    add("--log-level", "VECHE_LOG_LEVEL", "info", ", ".join(_LEVELS))
    args = parser.parse_args(arguments)
    try:
        config = Config(
            engine=args.engine,
            policies=_known("--policies", args.policies, policies.NAMES),
            games=_known("--games", args.games, tuple(GAMES)),
            capacity=_positive("--capacity", args.capacity),
            processes=_positive("--processes", args.processes),
            worker_id=args.worker_id[:100],
            token=environment.get("VECHE_BOT_TOKEN") or None,
            silence=_seconds("--silence", args.silence),
            seed=_whole("--seed", args.seed) if args.seed else None,
            log_level=_level("--log-level", args.log_level),
            metrics=_place("--metrics", args.metrics) if args.metrics else None,
            data_packs=tuple(Path(p) for p in environment.get("VECHE_DATA_PACKS", "").split(os.pathsep) if p),
        )
    except ValueError as error:
        parser.error(str(error))
    return config


def _known(flag: str, text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    unknown = [name for name in chosen if name not in names]
    if unknown or not chosen:
        raise ValueError(f"{flag}: {', '.join(unknown) or 'nothing'} is not among {', '.join(names)}")
    return chosen


def _positive(flag: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{flag}: must be a whole number of at least 1; got {text!r}")
    return int(text)


def _whole(flag: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{flag}: must be a whole number; got {text!r}") from None


def _seconds(flag: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < math.inf:
        raise ValueError(f"{flag}: must be a number of seconds above 0; got {text!r}")
    return seconds


def _place(flag: str, text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{flag}: must be host:port, such as 127.0.0.1:9091; got {text!r}")
    return host, int(port)


def _level(flag: str, text: str) -> str:
    if text.lower() not in _LEVELS:
        raise ValueError(f"{flag}: must be one of {', '.join(_LEVELS)}; got {text!r}")
    return text.lower()
