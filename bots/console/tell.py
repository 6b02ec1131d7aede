"""Tell a match in lines of text as it happens: a heading for each phase and turn, a line for each event."""

from collections.abc import Callable, Iterator, Sequence

from bots.console import score
from bots.console.feed import Feed
from bots.console.text import paint
from veche.v1 import common_pb2, match_pb2, match_pb2_grpc

Say = Callable[[str], None]


def tell(feed: Feed, matches: "match_pb2_grpc.MatchServiceStub", match: common_pb2.Match, say: Say) -> bool:
    """Say all that happens until the match ends; return whether it was played to its end.

    Where the stream had to skip updates, the record fills the gap, so that no event goes untold.
    """
    told = -1
    for message in feed:
        kind = message.WhichOneof("message")
        version = message.position.version
        if kind in ("snapshot", "lobby"):
            match = message.snapshot.match if kind == "snapshot" else message.lobby.match
            if match.status == common_pb2.MATCH_STATUS_LOBBY:
                say(f"Waiting for players: {', '.join(score.seat_names(match))}")
                continue
        if told < 0:
            told = 0
            say(", ".join(score.seat_names(match)))
        if kind == "rewound":
            told = message.rewound.to_version
            say(f"-- the match goes back to move {told} --")
        elif kind in ("snapshot", "finished") or (kind == "update" and version > told + 1):
            for entry in record(matches, match.id, told):
                if kind != "update" or entry.version < version:
                    step(entry.events, say)
                    told = entry.version
        if kind == "update" and version > told:
            step(message.update.events, say)
            told = version
        elif kind == "finished":
            return finish(message.finished.match, say)
    return False


def finish(match: common_pb2.Match, say: Say) -> bool:
    """Say how the match ended; return whether it was played to its end."""
    if match.status != common_pb2.MATCH_STATUS_FINISHED:
        say(closed(match))
        return False
    say("")
    for line in score.breakdown(match.outcome, score.seat_names(match)):
        say(line)
    say(f"seed {match.seed}, {match.version} moves")
    return True


def closed(match: common_pb2.Match) -> str:
    """Return by whom and why a match was closed, in one line."""
    who = {common_pb2.ACTOR_KIND_HOST: " by its host", common_pb2.ACTOR_KIND_ADMIN: " by the operator"}
    why = f": {match.close_reason}" if match.close_reason else "."
    return f"The match was closed{who.get(match.closed_by, '')} before its end{why}"


def step(events: Sequence[common_pb2.SeenEvent], say: Say) -> None:
    """Say the events of one applied action; one that opens a phase or a turn is a heading, the others stand below."""
    for seen in events:
        if begins(seen):
            say("")
            say(paint(seen.text, "bold"))
        else:
            say(f"  {seen.text}")


def begins(seen: common_pb2.SeenEvent) -> bool:
    """Return whether an event opens a new part of the game: in every game such events are called ..._started."""
    game = seen.event.WhichOneof("game")
    if game is None:
        return False
    payload = getattr(seen.event, game)
    kind = payload.WhichOneof(payload.DESCRIPTOR.oneofs[0].name) or ""
    return str(kind).endswith("_started")


def record(
    matches: "match_pb2_grpc.MatchServiceStub", match_id: str, after: int, metadata: Sequence[tuple[str, str]] = ()
) -> Iterator[match_pb2.RecordEntry]:
    """Yield the entries of a match's record with a version above `after`."""
    page = ""
    while True:
        request = match_pb2.GetRecordRequest(match_id=match_id, page_size=1000, page_token=page)
        reply = matches.GetRecord(request, timeout=30.0, metadata=tuple(metadata))
        yield from (entry for entry in reply.entries if entry.version > after)
        page = reply.next_page_token
        if not page:
            return
