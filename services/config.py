"""Read the settings of an engine pod from flags and environment, once; nothing else reads either."""

import argparse
import ipaddress
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from services.store.connect import HELP


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Hold the settings of one pod; times are seconds."""

    redis_url: str
    host: str = "127.0.0.1"
    port: int = 50051
    reflection: bool = False
    log_level: str = "info"
    metrics_port: int = 0
    bot_token: str = ""
    admin_token: str = ""
    policies: tuple[str, ...] = ("random", "greedy")
    announce: Path | None = None
    data_packs: tuple[Path, ...] = ()
    message_bytes: int = 256 * 1024
    cached_matches: int = 512
    matches: int = 20_000
    trusted_proxies: tuple[str, ...] = ()
    streams: int = 10_000
    rate: float = 300.0
    lease: float = 30.0
    longest_thought: float = 600.0
    attempts: int = 5
    patience: float = 120.0
    heartbeat: float = 15.0
    stream_age: float = 1_200.0
    drain: float = 5.0
    grace: float = 10.0


#: The least and the most that a number may be; beyond them a pod could not work, or would do harm.
_RANGES: Mapping[str, tuple[float, float]] = {
    "port": (0, 65_535),
    "metrics_port": (0, 65_535),
    "message_bytes": (1_024, 64 << 20),
    "cached_matches": (1, 1_000_000),
    "matches": (0, 1_000_000_000),
    "streams": (2, 1_000_000),
    "rate": (1, 1e9),
    "lease": (1, 86_400),
    "longest_thought": (1, 86_400),
    "attempts": (1, 1_000),
    "patience": (1, 86_400),
    "heartbeat": (1, 300),
    "stream_age": (10, 86_400),
    "drain": (0, 3_600),
    "grace": (0, 3_600),
}

_EPILOG = """\
The pod keeps nothing: any number of them may run on one Redis, and any may be killed at any moment.
Health names are "liveness" (the process works) and "readiness" (Redis answers and the pod is not leaving).
SIGTERM or SIGINT drains: readiness off, streams told to come back elsewhere, calls finished, exit 0.
Secrets are best given by the environment, where a list of processes does not show them.

example:
  VECHE_REDIS_URL=redis://127.0.0.1:6379/0 VECHE_BOT_TOKEN=secret python -m services.server --port 50051 --reflection
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m services.server",
        description="Serve matches over gRPC: one engine pod of Veche.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    defaults = {f.name: f.default for f in msgspec.structs.fields(Settings)}

    def flag(name: str, kind: type, text: str) -> None:
        variable = "VECHE_" + name.upper()
        default = os.environ.get(variable, defaults[name])
        shown = defaults[name]
        parser.add_argument(
            "--" + name.replace("_", "-"), type=kind, default=default, help=f"{text} [{variable}; {shown}]"
        )

    parser.add_argument(
        "--redis-url",
        default=os.environ.get("VECHE_REDIS_URL", ""),
        help=f"where matches are kept: {HELP} [VECHE_REDIS_URL; required]",
    )
    flag("host", str, "address to listen on; 0.0.0.0 for all")
    flag("port", int, "port to listen on; 0 takes a free one, see --announce")
    flag("metrics_port", int, "port of the Prometheus metrics on the same address; 0 for none")
    flag("log_level", str, "debug, info, warning or error")
    parser.add_argument(
        "--reflection",
        action=argparse.BooleanOptionalAction,
        default=os.environ.get("VECHE_REFLECTION", "").lower() in {"1", "true", "yes", "on"},
        help="let clients such as grpcurl ask for the protos [VECHE_REFLECTION; off]",
    )
    parser.add_argument(
        "--announce",
        type=Path,
        default=os.environ.get("VECHE_ANNOUNCE") or None,
        metavar="FILE",
        help='write "host:port" there once the pod is ready [VECHE_ANNOUNCE]',
    )
    parser.add_argument(
        "--bot-token",
        default=os.environ.get("VECHE_BOT_TOKEN", ""),
        help="what bot workers must present; without one no worker is let in [VECHE_BOT_TOKEN]",
    )
    parser.add_argument(
        "--admin-token",
        default=os.environ.get("VECHE_ADMIN_TOKEN", ""),
        help="what the operator must present to AdminService; without one it is closed [VECHE_ADMIN_TOKEN]",
    )
    parser.add_argument(
        "--policies",
        default=os.environ.get("VECHE_POLICIES", ",".join(Settings(redis_url="").policies)),
        help="policies that the deployment's workers play, by comma [VECHE_POLICIES; random,greedy]",
    )
    parser.add_argument(
        "--data-pack",
        type=Path,
        action="append",
        default=[Path(p) for p in os.environ.get("VECHE_DATA_PACKS", "").split(os.pathsep) if p],
        metavar="DIR",
        help="corrected game data; may be given several times [VECHE_DATA_PACKS]",
    )
    parser.add_argument(
        "--trusted-proxies",
        default=os.environ.get("VECHE_TRUSTED_PROXIES", ""),
        metavar="CIDR,...",
        help="addresses of gateways whose x-forwarded-for is believed; without it limits see all their callers as one "
        "host [VECHE_TRUSTED_PROXIES]",
    )
    flag("lease", float, "seconds that a worker has for a bot's turn before it is offered again")
    flag("attempts", int, "how often a bot's turn is offered before the default move is played")
    flag("patience", float, "seconds that a bot's turn may wait for any worker before the default move is played")
    flag("longest_thought", float, "seconds up to which a worker may prolong its lease")
    flag("heartbeat", float, "seconds of silence on a stream before it shows that it lives")
    flag("stream_age", float, "seconds after which a stream is asked to come back, so that load spreads anew")
    flag("drain", float, "seconds between readiness off and the last streams told to leave")
    flag("grace", float, "seconds that running calls get to finish after that")
    flag(
        "rate",
        float,
        "calls a second that one caller may make, bursts of twice as many; CreateMatch counts as 50, ListMatches and "
        "GetRecord as 20, WatchMatch as 5; keep it well below the 1,000 and more that a pod can do",
    )
    flag("streams", int, "streams that one pod serves at a time, half of them to one host at most")
    flag("message_bytes", int, "size of the largest request")
    flag("cached_matches", int, "matches kept decoded in memory")
    flag("matches", int, "unfinished matches that the deployment may hold, give or take a few; 0 for no limit")
    return parser


def settings(arguments: Sequence[str] | None = None) -> Settings:
    """Return the settings; on a bad one print what is wrong and exit with 2."""
    parser = _parser()
    given = vars(parser.parse_args(arguments))
    if not given["redis_url"]:
        parser.error("no Redis given: set VECHE_REDIS_URL or --redis-url; 'make serve' starts one by itself")
    given["policies"] = tuple(p.strip() for p in given["policies"].split(",") if p.strip())
    given["trusted_proxies"] = tuple(p.strip() for p in given["trusted_proxies"].split(",") if p.strip())
    for proxy in given["trusted_proxies"]:
        try:
            ipaddress.ip_network(proxy)
        except ValueError as error:
            parser.error(f"--trusted-proxies holds addresses or networks such as 10.0.0.0/8, by comma: {error}")
    given["data_packs"] = tuple(given.pop("data_pack"))
    if given["log_level"].lower() not in {"debug", "info", "warning", "error"}:
        parser.error("--log-level must be debug, info, warning or error")
    for name, (least, most) in _RANGES.items():
        if not least <= given[name] <= most:
            parser.error(f"--{name.replace('_', '-')} must be from {least:,} to {most:,.0f}, got {given[name]:g}")
    return Settings(**given)
