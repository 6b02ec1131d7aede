"""Play the record of a match that has ended again and print every move.

The record is the JSON of MatchService.GetRecord after the end (several pages one after the other are fine), from a
file, from standard input (-), or fetched from an engine by match id.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from engine.core import registry
from engine.core.errors import Divergence, IllegalAction, WrongVersion
from engine.core.events import seen_by
from engine.core.rules import Outcome, Rules
from protos.wire import for_game
from services.cli import dial
from services.cli.say import complain
from veche.v1 import common_pb2, match_pb2, match_pb2_grpc


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `replay`."""
    add = parser.add_argument
    add("record", nargs="?", help="the file, or - for standard input")
    add("--match", default="", help="fetch the record of this match instead")
    add("--token", default="", help="a token of a private match, its host's or a seat's (default: VECHE_TOKEN)")
    add(
        "--engine",
        default="",
        help=dial.HELP,
    )
    add("--save", type=Path, metavar="FILE", help="also write the record there")
    add("--data-pack", type=Path, action="append", default=[], metavar="DIR", help="data the match was played with")


def main(args: argparse.Namespace) -> int:
    """Replay; return 0 when the record leads to where it says, 1 when it does not, 2 without a record."""
    if bool(args.record) == bool(args.match):
        complain("name a record file, - for standard input, or --match ID")
        return 2
    token = args.token or os.environ.get("VECHE_TOKEN", "")
    record = fetch(dial.address(args.engine), args.match, token) if args.match else parse(_text(args.record))
    if args.save is not None:
        args.save.write_text(json_format.MessageToJson(record, indent=1))
    registry.load(args.data_pack)
    for line in replay(record):
        print(line)
    return 0


def _text(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text()


def parse(text: str) -> match_pb2.GetRecordResponse:
    """Return a record from the JSON of one or more pages; raise ValueError for anything else."""
    record = match_pb2.GetRecordResponse()
    decoder, rest = json.JSONDecoder(), text.strip()
    while rest:
        try:
            page, end = decoder.raw_decode(rest)
            record.MergeFrom(json_format.ParseDict(page, match_pb2.GetRecordResponse()))
        except (json.JSONDecodeError, json_format.ParseError) as error:
            raise ValueError(f"this is not the JSON of GetRecord: {error}") from error
        rest = rest[end:].strip()
    if not record.entries:
        raise ValueError("the record is empty: it must be the JSON of GetRecord")
    return record


def fetch(engine: str, match_id: str, token: str = "") -> match_pb2.GetRecordResponse:
    """Return all of a match's record; one of a private match needs one of its tokens."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    record = match_pb2.GetRecordResponse()
    with dial.channel(engine) as channel:
        matches = match_pb2_grpc.MatchServiceStub(channel)
        page = ""
        while True:
            request = match_pb2.GetRecordRequest(match_id=match_id, page_size=1000, page_token=page)
            reply = matches.GetRecord(request, timeout=30.0, metadata=metadata)
            record.match.CopyFrom(reply.match)
            record.entries.extend(reply.entries)
            page = reply.next_page_token
            if not page:
                return record


def replay(record: match_pb2.GetRecordResponse) -> Iterator[str]:
    """Yield a line for every move and event; raise EngineError or ValueError where the record cannot be followed."""
    match = record.match
    if not match.seed:
        raise ValueError("the record has no seed: only a match that has ended can be replayed")
    if match.game not in registry.GAMES:
        raise ValueError(f"no game {match.game!r} here; known are {', '.join(registry.GAMES)}")
    rules = registry.GAMES[match.game]
    here = (rules.info.rules_version, rules.info.data_version)
    if (match.rules_version, match.data_version) != here:
        raise WrongVersion(
            f"the match was played with rules {match.rules_version} and data {match.data_version[:12]}; "
            f"here are {here[0]} and {here[1][:12]}: use that release, and --data-pack if it had one"
        )
    wire = for_game(rules)
    config = rules.config(len(match.seats), wire.options_from_message(match.options))
    state = rules.initial_state(config, int(match.seed, 16))
    yield f"{rules.info.name}, {len(match.seats)} seats, seed {match.seed}"
    for index, entry in enumerate(record.entries):
        seat = entry.actor.seat
        action = wire.action_from_message(entry.action)
        who = common_pb2.ActorKind.Name(entry.actor.kind).removeprefix("ACTOR_KIND_").lower()
        yield f"{entry.version:>5} seat {seat} ({who}): {rules.describe(action, rules.observe(state, seat))}"
        try:
            step = rules.apply(state, seat, action)
        except IllegalAction as error:
            raise Divergence(index, str(error)) from error
        state = step.state
        view = rules.observe(state, seat)
        seen = (seen_by(emitted, seat) for emitted in step.events)
        yield from (f"        {rules.describe(event, view)}" for event in seen if event is not None)
    yield from _end(rules, state, record)


def _end(rules: Rules, state: Any, record: match_pb2.GetRecordResponse) -> Iterator[str]:
    match = record.match
    outcome: Outcome | None = rules.outcome(state)
    stated: Sequence[int] = [result.score for result in match.outcome.results]
    if len(record.entries) != match.version:
        raise ValueError(f"the record has {len(record.entries)} of {match.version} moves: are all of its pages there?")
    if match.status == common_pb2.MATCH_STATUS_CLOSED:
        yield f"the match was closed at move {match.version}{f': {match.close_reason}' if match.close_reason else ''}"
        return
    if outcome is None:
        raise ValueError("the moves of the record do not end the game")
    if list(outcome.scores) != stated:
        raise ValueError(f"the replay ends with scores {list(outcome.scores)}, the record with {stated}")
    for seat, (rank, score, sources) in enumerate(zip(outcome.ranks, outcome.scores, outcome.breakdown, strict=True)):
        parts = ", ".join(f"{name.replace('_', ' ')} {points}" for name, points in sources.items() if points)
        yield f"seat {seat}: place {rank}, {score} points ({parts})"
