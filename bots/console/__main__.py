"""Play or watch a match in the terminal, on this machine or another."""

import argparse
import os
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

import grpc

from bots.client import DEADLINE, bearer, reason, steady
from bots.client import channel as channel_to
from bots.console import new, tell
from bots.console.feed import Feed
from bots.console.play import Seat
from bots.console.terminal import Terminal
from bots.console.text import WIDTH, wrap
from engine.core.registry import GAMES
from protos.wire import WireError
from veche.v1 import catalog_pb2, catalog_pb2_grpc, common_pb2, match_pb2, match_pb2_grpc

_CONNECT = 15.0
_ENGINE = "127.0.0.1:50051"
_EPILOG = """\
examples:
  python -m bots.console                                       solo against the Rebellion of Rurik
  python -m bots.console --game europe_divided                 against a bot
  python -m bots.console --opponents open,greedy               with another person and a bot
  python -m bots.console --match ID                            take the open seat there
  python -m bots.console --match ID --watch                    look on
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 when all went well, 1 when the engine or the match failed, 2 for a wish that cannot be met."""
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.watch and not args.match:
        parser.error("--watch wants --match ID: which match to look at")
    if args.game not in tuple(GAMES):
        parser.error(f"no game {args.game!r}; there are {', '.join(GAMES)}")
    terminal = _terminal(args.no_color)
    try:
        with channel_to(args.engine) as channel:
            grpc.channel_ready_future(channel).result(_CONNECT)
            return _run(args, channel, terminal)
    except new.Unclear as error:
        print(f"{error}. --help lists what may be asked for.", file=sys.stderr)
        return 2
    except grpc.FutureTimeoutError:
        print(f"No engine answers at {args.engine}. Is it running? --engine HOST:PORT names another.", file=sys.stderr)
    except grpc.RpcError as error:
        why = reason(error) or error.code().name
        for line in wrap(f"The engine says: {error.details()} ({why})", WIDTH):
            print(line, file=sys.stderr)
    except WireError as error:
        print(f"The engine is of another release than this console: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the lines has gone; nothing more can be told, not even at the flush on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except FileNotFoundError as error:
        print(f"There is no file {error.filename}.", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bots.console",
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--engine",
        default=os.environ.get("VECHE_ENGINE", _ENGINE),
        metavar="HOST:PORT",
        help=f"where the engine listens [VECHE_ENGINE; {_ENGINE}]",
    )
    add = parser.add_argument_group("a new match").add_argument
    add("--game", default="rurik", help=f"{', '.join(GAMES)} (default: rurik)")
    add("--seats", type=int, help="how many, yours counted (default: solo where the game has it, else the fewest)")
    add(
        "--opponents",
        default="",
        metavar="NAMES",
        help="who plays the others, with commas, the last one repeated: policies of bots, automa (in solo), or open "
        "for another person (default: automa in solo, else greedy)",
    )
    add("--difficulty", default="easy", help="of the automa: easy, medium, hard, very_hard (default: easy)")
    add("--seed", default="", help="the deal, decimal or 0x... (default: drawn by the engine)")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="option of the game; may be repeated")
    add("--name", default="", help="your name at the table")
    add("--auto", action="store_true", help="let a bot take your seat and tell what happens")
    add = parser.add_argument_group("a match that is there").add_argument
    add("--match", default="", metavar="ID", help="take an open seat of this match, or with --token your own")
    add("--token", default="", help="seat token of --match, or alone a resume token as it was printed")
    add("--join-code", default="", metavar="CODE", help="for a private match")
    add("--watch", action="store_true", help="only tell what happens in --match")
    add(
        "--session",
        type=Path,
        metavar="FILE",
        help="holds the resume token while the match is unfinished; if it is there, go on with that match",
    )
    parser.add_argument("--no-color", action="store_true", help="no colours [NO_COLOR]")
    return parser


def _terminal(no_color: bool) -> Terminal:
    tty = sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return Terminal(
        colour=tty and not no_color and not os.environ.get("NO_COLOR"),
        unicode=encoding == "utf8",
        clear=tty,
        keyboard=None if sys.stdin is None else 0,
    )


def _run(args: argparse.Namespace, channel: grpc.Channel, terminal: Terminal) -> int:
    matches = match_pb2_grpc.MatchServiceStub(channel)
    match, token = _match(args, channel, matches)
    if match.game not in tuple(GAMES):
        raise new.Unclear(f"this console cannot show the game {match.game!r}, a newer one may")
    if not token:
        terminal.say(f"{match.game} match {match.id}")
        return 0 if tell.tell(Feed(matches, match.id, None, views=False), matches, match, terminal.say) else 1
    session: Path | None = args.session
    if session is not None:
        session.touch(0o600)
        session.write_text(new.resume_token(match.id, token))
    feed = Feed(matches, match.id, token, views=True)
    try:
        over = Seat(matches, match, token, terminal, args.engine).play(feed)
    except KeyboardInterrupt:
        over = False  # Ctrl-C while the others think: the same goodbye as at the prompt
    finally:
        feed.close()
    if over:
        if session is not None:
            session.unlink(missing_ok=True)
        return 0
    if session is None:
        terminal.say("Your seat waits for you. To come back:")
        terminal.say(f"  {new.command()} --engine {args.engine} --token {new.resume_token(match.id, token)}")
    return 0


def _match(
    args: argparse.Namespace, channel: grpc.Channel, matches: "match_pb2_grpc.MatchServiceStub"
) -> tuple[common_pb2.Match, str]:
    """Return the match to show and the token of the seat to play; no token: only to be told."""
    kept = args.session.read_text().strip() if args.session is not None and args.session.exists() else ""
    resume = kept or (args.token if not args.match else "")
    if resume:
        args.match, args.token = new.parse_resume(resume)
    if args.match:
        if args.watch or args.token:
            request = match_pb2.GetMatchRequest(match_id=args.match)
            metadata = bearer(args.token)
            found = steady(lambda: matches.GetMatch(request, timeout=DEADLINE, metadata=metadata))
            return found.match, args.token
        join = match_pb2.JoinMatchRequest(
            match_id=args.match, request_id=str(uuid.uuid4()), name=args.name[:40], join_code=args.join_code
        )
        joined = steady(lambda: matches.JoinMatch(join, timeout=DEADLINE))
        return joined.match, joined.seat_token.token
    catalog = catalog_pb2_grpc.CatalogServiceStub(channel)
    game = steady(lambda: catalog.GetGame(catalog_pb2.GetGameRequest(game=args.game), timeout=DEADLINE)).game
    wishes = new.Wishes(
        game=args.game,
        seats=args.seats,
        opponents=tuple(name.strip() for name in args.opponents.split(",") if name.strip()),
        difficulty=args.difficulty,
        seed=args.seed,
        options=tuple(args.option),
        name=args.name,
        auto=args.auto,
    )
    create = new.request(wishes, game)
    created = steady(lambda: matches.CreateMatch(create, timeout=DEADLINE))
    return created.match, created.seat_tokens[0].token if created.seat_tokens else ""


if __name__ == "__main__":
    sys.exit(main())
