"""Host one match on this machine: at a terminal for a person, else for a bot, with everything told in lines."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from engine.core.errors import BadData
from engine.core.registry import GAMES
from services.cli import home, wishes
from services.cli.children import Child
from services.cli.say import complain, step
from services.cli.stack import Plan, Stack, check
from services.config import Settings

#: Seconds that the console gets to say goodbye after Ctrl-C.
_GOODBYE = 5.0
_TICK = 0.1
_DIFFICULTIES = ("easy", "medium", "hard", "very_hard")
#: Exit code after Ctrl-C, as shells have it.
INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `run`."""
    add = parser.add_argument
    add("--game", default="rurik", help=f"which game: {', '.join(GAMES)} (default: rurik)")
    add("--seats", help="how many seats, yours counted (default: solo where the game has it, else the fewest)")
    add(
        "--opponents",
        metavar="NAMES",
        help="who plays the others, with commas, the last one repeated: automa (in solo), greedy, random, or open for "
        "another person (default: automa in solo, else greedy)",
    )
    add("--difficulty", help=f"of the automa: {', '.join(_DIFFICULTIES)} (default: easy)")
    add("--seed", help="play exactly this deal: a whole number, decimal or 0x... (default: one that nobody knows)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated")
    add("--auto", action="store_true", help="let a bot play your seat and tell what happens")
    add("--resume", metavar="TOKEN", help="go on with a match that you quit")
    add("--workers", type=int, default=2, help="bot workers to start (default: 2)")
    add("--data-pack", type=Path, action="append", default=[], metavar="DIR", help="corrected data of a game")


def main(args: argparse.Namespace) -> int:
    """Host the match and return the exit code: 0 played or quit, 1 failed, 2 a wish that cannot be met."""
    person = not args.auto and all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    try:
        opponents = _opponents(args, person=person)
        with home.run(args.resume) as run:
            code = _host(args, opponents, run, person=person)
            if run.session.exists():
                token = run.session.read_text().strip()
                print(f"\nThe match is kept. To go on with it:\n  make run RESUME={token}", flush=True)
    except (wishes.Unmet, home.NoSuchRun, BadData) as error:
        complain(str(error))
        return 2
    return code


def _opponents(args: argparse.Namespace, *, person: bool) -> list[str]:
    """Return who plays each seat but the first, none for a match to be gone on with; raise for what cannot be."""
    check(args.data_pack)
    if not args.resume:
        return wishes.check(args, _policies())
    if not person:
        raise home.NoSuchRun("going on with a match takes a terminal; without one there is nobody to play it")
    return []


def _policies() -> Sequence[str]:
    """Return what bots play here, as the engine will read it."""
    named = os.environ.get("VECHE_POLICIES", "")
    return [name.strip() for name in named.split(",") if name.strip()] or Settings(redis_url="").policies


def _host(args: argparse.Namespace, opponents: Sequence[str], run: home.Run, *, person: bool) -> int:
    seed = wishes.seed(args.seed)
    plan = Plan(
        data=run.folder / "redis",
        folder=run.folder,
        workers=max(1, args.workers),
        games=() if args.resume else (args.game,),
        bot_seed="" if seed is None else str(seed),
        data_packs=tuple(pack.resolve() for pack in args.data_pack),
    )
    with Stack(plan, step) as stack:
        stack.start()
        console = stack.start_in_front("console", _console(args, opponents, stack.address, run, person=person), {})
        try:
            return _accompany(stack, console)
        except KeyboardInterrupt:
            return _goodbye(console)
        finally:
            # From here on a second Ctrl-C must not interrupt the stopping.
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _console(
    args: argparse.Namespace, opponents: Sequence[str], address: str, run: home.Run, *, person: bool
) -> list[str]:
    command = [sys.executable, "-m", "bots.console", "--engine", address]
    if args.resume:
        return [*command, "--session", str(run.session)]  # it holds the token
    command += ["--game", args.game, "--seats", str(len(opponents) + 1), "--opponents", ",".join(opponents)]
    command += ["--difficulty", args.difficulty] if args.difficulty else []
    command += ["--seed", args.seed] if args.seed else []
    for option in args.option:
        command += ["--option", option]
    command += ["--session", str(run.session)] if person else ["--auto"]
    return [*command, "--name", os.environ.get("USER", "")] if person else command


def _accompany(stack: Stack, console: Child) -> int:
    """Wait for the console to end, tending the other parts; return its exit code."""
    while console.alive():
        stack.tend()
        time.sleep(_TICK)
    return console.process.returncode


def _goodbye(console: Child) -> int:
    """Let the console, which got the same Ctrl-C, say goodbye."""
    end = time.monotonic() + _GOODBYE
    while console.alive() and time.monotonic() < end:
        time.sleep(_TICK)
    console.stop()
    return INTERRUPTED
