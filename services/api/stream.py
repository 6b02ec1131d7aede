"""Encode what watchers are told."""

from protos.wire import choice_to_message, pending_to_messages
from services.api.convert import Views, actor_message, duration, match_message, seen, timestamp
from services.matches.tables import Table, now_ms
from services.matches.watch import Entry, Position
from services.store.rows import Status
from veche.v1 import match_pb2


def resume_token(position: Position) -> match_pb2.ResumeToken:
    """Return a position as a client keeps it."""
    return match_pb2.ResumeToken(version=position.version, epoch=position.epoch)


class WatchEncoder:
    """Build WatchMatch's messages; see services.matches.watch.Encoder."""

    def __init__(self, views: Views) -> None:
        self._views = views

    def _encode(self, position: Position, **message: object) -> bytes:
        built = match_pb2.WatchMatchResponse(position=resume_token(position), **message)  # type: ignore[arg-type]
        return built.SerializeToString()

    def snapshot(self, position: Position, table: Table, seat: int | None) -> bytes:
        """Return everything the seat may know now."""
        view = None if table.head.status is Status.LOBBY else self._views.message(table, seat)
        return self._encode(position, snapshot=match_pb2.WatchSnapshot(match=match_message(table.head), view=view))

    def update(
        self, position: Position, table: Table, seat: int | None, entry: Entry, last: bool, with_view: bool
    ) -> bytes:
        """Return what one action did; who must decide and the view follow with the last of a burst."""
        rules, _ = table.game()
        view = self._views.view(table, seat)
        return self._encode(
            position,
            update=match_pb2.WatchUpdate(
                actor=actor_message(entry.entry.actor, entry.entry.seat),
                events=seen(rules, entry.events or (), view),
                pending=pending_to_messages(rules, view) if last else (),
                choice=choice_to_message(rules, view) if last else None,
                view=self._views.message(table, seat) if last and with_view else None,
            ),
        )

    def lobby(self, position: Position, table: Table) -> bytes:
        """Return the match after a change of seats or status."""
        return self._encode(position, lobby=match_pb2.WatchLobby(match=match_message(table.head)))

    def heartbeat(self, position: Position) -> bytes:
        """Return a sign of life."""
        return self._encode(position, heartbeat=match_pb2.WatchHeartbeat(server_time=timestamp(now_ms())))

    def resync(self, position: Position, reason: str) -> bytes:
        """Return the notice that a snapshot follows."""
        return self._encode(position, resync=match_pb2.WatchResync(reason=reason))

    def going_away(self, position: Position, delay: float) -> bytes:
        """Return the notice that the stream should be opened anew after `delay` seconds."""
        going = match_pb2.WatchGoingAway(resume=resume_token(position), delay=duration(delay))
        return self._encode(position, going_away=going)

    def finished(self, position: Position, table: Table, seat: int | None) -> bytes:
        """Return the last message."""
        view = self._views.message(table, seat) if table.rules is not None and table.state is not None else None
        return self._encode(position, finished=match_pb2.WatchFinished(match=match_message(table.head), view=view))
