"""Host, replay and look after matches of Veche from the command line."""

import argparse
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import cast

import grpc
from grpc_status import rpc_status

from engine.core.errors import EngineError
from services.cli import admin, datapack, replay, run, serve
from services.cli.say import complain
from services.cli.stack import Broken
from services.store.embedded import NoRedis

#: Name, module and a line of help of every command.
_COMMANDS = (
    ("run", run, "host a match and play it in this terminal"),
    ("serve", serve, "host matches until stopped, data kept under .veche/"),
    ("replay", replay, "play the record of a finished match again, move by move"),
    ("admin", admin, "list matches and incidents, close or requeue a match"),
    ("datapack", datapack, "write a game's data as an editable pack, or check one"),
)
_EPILOG = """\
examples:
  python -m services.cli run                                       solo against the Rebellion of Rurik
  python -m services.cli run --seats 3 --opponents greedy,random   against two bots
  python -m services.cli run --auto --seed 7                       watch a bot play, the same every time
  python -m services.cli serve
  python -m services.cli admin list
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0 when it did what was asked, 1 when something failed, 2 for a bad command line."""
    parser = argparse.ArgumentParser(
        prog="python -m services.cli",
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module, text in _COMMANDS:
        command = commands.add_parser(name, help=text, description=module.__doc__)
        module.add_arguments(command)
        command.set_defaults(main=module.main)
    args = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        code: int = args.main(args)
    except KeyboardInterrupt:
        return run.INTERRUPTED
    except (Broken, NoRedis, EngineError, ValueError, OSError) as error:
        complain(str(error))
        return 1
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE and not _from_engine(error):
            complain("no engine answers there; is it running? --engine HOST:PORT names another")
            return 1
        complain(f"the engine says: {error.details()} ({error.code().name})")
        return 1
    return code


def _from_engine(error: grpc.RpcError) -> bool:
    """Return whether an engine sent an error: its own carry a google.rpc.Status, those of the library do not."""
    try:
        return rpc_status.from_call(cast("grpc.Call", error)) is not None
    except ValueError:
        return False


def _stop(number: int, frame: FrameType | None) -> None:
    """Turn a signal into the same orderly end as Ctrl-C."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
