"""Host matches until stopped, data kept: the stack of `run` without a match of its own."""

import argparse
import secrets
import signal
import time
from pathlib import Path

from services.cli.home import home
from services.cli.say import complain, step
from services.cli.stack import Plan, Stack, check

_TICK = 0.2
_HIGHEST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `serve`."""
    add = parser.add_argument
    add("--port", type=int, help="port of the engine, 0 for any (default: 50051 if free, else another)")
    add("--workers", type=int, default=2, help="bot workers to start (default: 2)")
    add("--data-pack", type=Path, action="append", default=[], metavar="DIR", help="corrected data of a game")


def main(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM; return 0, 2 for a port that cannot be."""
    if args.port is not None and not 0 <= args.port <= _HIGHEST_PORT:
        complain(f"--port must be 0 to {_HIGHEST_PORT}, got {args.port}")
        return 2
    check(args.data_pack)
    folder = home() / "serve"
    folder.mkdir(mode=0o700, exist_ok=True)
    plan = Plan(
        data=folder / "redis",
        folder=folder,
        port=args.port,
        workers=max(1, args.workers),
        admin_token=admin_token(),
        data_packs=tuple(pack.resolve() for pack in args.data_pack),
    )
    with Stack(plan, step) as stack:
        try:
            stack.start()
            step(f"serving; data and logs are in {folder}. Stop with Ctrl-C.")
            step(f"to play here: .venv/bin/python -m bots.console --engine {stack.address}")
            while True:
                stack.tend()
                time.sleep(_TICK)
        except KeyboardInterrupt:
            step("stopping")
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 0


def admin_token() -> str:
    """Return the operator's token of this machine's service, made on first use and readable by its owner alone."""
    path = home() / "admin-token"
    if not path.exists():
        path.touch(0o600)
        path.write_text(secrets.token_urlsafe(24))
    return path.read_text().strip()
