"""Follow a match: one stream after the other, resumed where the last one stopped, so that the reader sees one feed."""

import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

import grpc

from bots.client import SILENCE, bearer, may_retry, pause, silent_after
from veche.v1 import match_pb2, match_pb2_grpc

#: How long a feed tries to come back before it gives up, in seconds.
PATIENCE = 60.0


class Feed:
    """Read a match's messages: snapshots, updates, lobby changes and the end; heartbeats and reconnects stay inside."""

    def __init__(
        self,
        matches: "match_pb2_grpc.MatchServiceStub",
        match_id: str,
        token: str | None,
        *,
        views: bool,
        silence: float = SILENCE,
    ) -> None:
        self._matches = matches
        self._match_id = match_id
        self._metadata = bearer(token)
        self._views = views
        self._silence = silence
        self._queue: queue.Queue[tuple[int, Any]] = queue.Queue()
        self._number = 0
        self._failures = 0
        self._failing_since = 0.0
        self._position: match_pb2.ResumeToken | None = None
        self._over = False
        self._open()

    def get(self, timeout: float) -> match_pb2.WatchMatchResponse | None:
        """Return the next message, None if none comes in `timeout` seconds; raise grpc.RpcError when all is lost."""
        end = time.monotonic() + timeout
        while not self._over:
            left = end - time.monotonic()
            if time.monotonic() - self._heard > self._silence:
                self._call.cancel()
                self._open()
            try:
                number, item = self._queue.get(timeout=max(0.0, min(left, 1.0)))
            except queue.Empty:
                if left <= 0:
                    return None
                continue
            if number != self._number:
                continue
            message = self._read(item)
            if message is not None:
                return message
        return None

    def __iter__(self) -> Iterator[match_pb2.WatchMatchResponse]:
        """Yield all messages up to the end of the match."""
        while not self._over:
            message = self.get(1.0)
            if message is not None:
                yield message

    def close(self) -> None:
        """Stop following."""
        self._over = True
        self._call.cancel()

    def _open(self) -> None:
        self._number += 1
        self._heard = time.monotonic()
        request = match_pb2.WatchMatchRequest(match_id=self._match_id, resume=self._position, include_views=self._views)
        self._call = self._matches.WatchMatch(request, metadata=self._metadata)
        threading.Thread(target=self._pump, args=(self._number, self._call), daemon=True).start()

    def _pump(self, number: int, call: Any) -> None:
        try:
            for message in call:
                self._queue.put((number, message))
        except grpc.RpcError as error:
            self._queue.put((number, error))
        else:
            self._queue.put((number, None))

    def _read(self, item: Any) -> match_pb2.WatchMatchResponse | None:
        if not isinstance(item, match_pb2.WatchMatchResponse):
            self._again(item)
            return None
        self._heard = time.monotonic()
        self._failures = 0
        self._silence = silent_after(self._silence, item.heartbeat_interval)
        if item.HasField("position"):
            self._position = item.position
        kind = item.WhichOneof("message")
        if kind == "going_away":
            self._position = item.going_away.resume
            self._call.cancel()
            time.sleep(min(item.going_away.delay.ToNanoseconds() / 1e9, 5.0))
            self._open()
            return None
        self._over = kind == "finished"
        return None if kind in ("heartbeat", None) else item

    def _again(self, error: grpc.RpcError | None) -> None:
        """Open the stream anew after its end; raise the error when it will not pass or lasts too long."""
        if self._failures == 0:
            self._failing_since = time.monotonic()
        self._failures += 1
        patient = time.monotonic() - self._failing_since < PATIENCE
        if error is not None and not (patient and may_retry(error)):
            self._over = True
            raise error
        time.sleep(pause(self._failures, longest=2.0))
        self._open()
