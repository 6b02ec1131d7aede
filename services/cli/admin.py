"""Look after a service: list its matches and incidents, close a match, take one out of status ERROR.

The operator's token is read from VECHE_ADMIN_TOKEN, else from what `serve` keeps on this machine.
"""

import argparse
import os
import uuid
from collections.abc import Callable, Iterator, Mapping

import grpc

from services.cli import dial
from services.cli.say import complain
from services.cli.serve import admin_token
from veche.v1 import admin_pb2, admin_pb2_grpc, common_pb2

_DEADLINE = 15.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verbs of `admin`."""
    parser.add_argument("--engine", default="", help=dial.HELP)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    listing = verbs.add_parser("list", help="list all matches, newest first; private ones are marked")
    listing.add_argument("--status", choices=[s.lower() for s in _STATUSES], action="append", default=[])
    incidents = verbs.add_parser("incidents", help="list moves on which the rules failed, newest first")
    incidents.add_argument("match", nargs="?", default="", help="of this match alone")
    close = verbs.add_parser("close", help="close a match that is not finished; nobody wins")
    close.add_argument("match")
    close.add_argument("--reason", default="closed by the operator", help="shown to everybody who sees the match")
    requeue = verbs.add_parser("requeue", help="take a match out of status ERROR and offer its decisions again")
    requeue.add_argument("match")


def main(args: argparse.Namespace) -> int:
    """Do what the verb says; return 0."""
    with dial.channel(dial.address(args.engine)) as channel:
        lines = 0
        for line in _VERBS[args.verb](args, channel):
            print(line)
            lines += 1
    if not lines:
        complain("there are none")  # on standard error, so that a script reads an empty list
    return 0


def _metadata() -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {os.environ.get('VECHE_ADMIN_TOKEN') or admin_token()}"),)


_STATUSES = {name.removeprefix("MATCH_STATUS_"): number for name, number in common_pb2.MatchStatus.items() if number}


def _list(args: argparse.Namespace, channel: grpc.Channel) -> Iterator[str]:
    service = admin_pb2_grpc.AdminServiceStub(channel)
    page = ""
    while True:
        request = admin_pb2.ListAllMatchesRequest(
            page_size=200, page_token=page, statuses=[_STATUSES[s.upper()] for s in args.status]
        )
        reply = service.ListAllMatches(request, timeout=_DEADLINE, metadata=_metadata())
        yield from map(line_of, reply.matches)
        page = reply.next_page_token
        if not page:
            return


def line_of(match: common_pb2.Match) -> str:
    """Return a match in one line."""
    status = common_pb2.MatchStatus.Name(match.status).removeprefix("MATCH_STATUS_").lower()
    seats = ", ".join(seat.name or seat.policy or seat.difficulty or "open" for seat in match.seats)
    created = match.create_time.ToDatetime().isoformat(" ", "seconds")
    marks = " seeded" * match.seeded + " private" * (match.visibility == common_pb2.VISIBILITY_PRIVATE)
    return f"{match.id}  {match.game}  {status:<8}  move {match.version:<5} {created}Z  [{seats}]{marks}"


def _incidents(args: argparse.Namespace, channel: grpc.Channel) -> Iterator[str]:
    service = admin_pb2_grpc.AdminServiceStub(channel)
    page = ""
    while True:
        request = admin_pb2.ListIncidentsRequest(page_size=200, page_token=page, match_id=args.match)
        reply = service.ListIncidents(request, timeout=_DEADLINE, metadata=_metadata())
        for incident in reply.incidents:
            time = incident.time.ToDatetime().isoformat(" ", "seconds")
            yield f"{incident.id}  match {incident.match_id} move {incident.version}  {time}Z  {incident.cause}"
        page = reply.next_page_token
        if not page:
            return


def _close(args: argparse.Namespace, channel: grpc.Channel) -> Iterator[str]:
    request = admin_pb2.TerminateMatchRequest(
        match_id=args.match, request_id=str(uuid.uuid4()), reason=args.reason[:200]
    )
    service = admin_pb2_grpc.AdminServiceStub(channel)
    yield line_of(service.TerminateMatch(request, timeout=_DEADLINE, metadata=_metadata()).match)


def _requeue(args: argparse.Namespace, channel: grpc.Channel) -> Iterator[str]:
    request = admin_pb2.RequeueMatchRequest(match_id=args.match, request_id=str(uuid.uuid4()))
    service = admin_pb2_grpc.AdminServiceStub(channel)
    yield line_of(service.RequeueMatch(request, timeout=_DEADLINE, metadata=_metadata()).match)


_VERBS: Mapping[str, Callable[[argparse.Namespace, grpc.Channel], Iterator[str]]] = {
    "list": _list,
    "incidents": _incidents,
    "close": _close,
    "requeue": _requeue,
}
