"""Host one match on this machine: at a terminal for a person, else for a bot, with everything told in lines."""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from engine.core.registry import GAMES
from services.cli import home
from services.cli.children import Child
from services.cli.say import step
from services.cli.stack import Plan, Stack

#: Seconds that the console gets to say goodbye after Ctrl-C.
_GOODBYE = 5.0
_TICK = 0.1
_DIFFICULTIES = ("easy", "medium", "hard", "very_hard")
#: Exit code after Ctrl-C, as shells have it.
INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `run`."""
    add = parser.add_argument
    add("--game", default="rurik", choices=list(GAMES), help="which game (default: rurik)")
    add("--seats", help="how many seats, yours counted (default: solo where the game has it)")
    add("--opponents", help="who plays the others, with commas: automa, greedy, random, or open (default: automa)")
    add("--difficulty", choices=_DIFFICULTIES, help="of the automa (default: easy)")
    add("--seed", help="play exactly this deal: a whole number (default: one that nobody knows)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated")
    add("--auto", action="store_true", help="let a bot play your seat and tell what happens")
    add("--resume", metavar="TOKEN", help="go on with a match that you quit")
    add("--workers", type=int, default=2, help="bot workers to start (default: 2)")
    add("--data-pack", type=Path, action="append", default=[], metavar="DIR", help="corrected data of a game")


def main(args: argparse.Namespace) -> int:
    """Host the match and return the exit code: 0 played or quit, 1 failed, 2 a wish that cannot be met."""
    person = not args.auto and sys.stdin.isatty() and sys.stdout.isatty()
    if args.resume and not person:
        raise home.NoSuchRun("going on with a match takes a terminal; without one there is nobody to play it")
    with home.run(args.resume) as run:
        plan = Plan(
            data=run.folder / "redis",
            folder=run.folder,
            workers=max(1, args.workers),
            games=(args.game,) if args.game in tuple(GAMES) and not args.resume else (),
            bot_seed=args.seed or "",
            data_packs=tuple(pack.resolve() for pack in args.data_pack),
        )
        with Stack(plan, step) as stack:
            stack.start()
            console = stack.start_in_front("console", _console(args, stack.address, run, person=person), {})
            try:
                code = _accompany(stack, console)
            except KeyboardInterrupt:
                code = _goodbye(console)
            finally:
                # From here on a second Ctrl-C must not interrupt the stopping.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        if run.session.exists():
            token = run.session.read_text().strip()
            print(f"\nThe match is kept. To go on with it:\n  make run RESUME={token}", flush=True)
    return code


def _console(args: argparse.Namespace, address: str, run: home.Run, *, person: bool) -> list[str]:
    command = [sys.executable, "-m", "bots.console", "--engine", address]
    if args.resume:
        return [*command, "--session", str(run.session)]  # it holds the token
    command += ["--game", args.game]
    for flag in ("seats", "opponents", "difficulty", "seed"):
        value = getattr(args, flag)
        if value:
            command += [f"--{flag}", str(value)]
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
