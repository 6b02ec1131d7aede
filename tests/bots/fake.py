"""Be an engine for bot workers and consoles to talk to: it says what a test tells it to and keeps what it hears."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from veche.v1 import bot_pb2, bot_pb2_grpc, common_pb2, match_pb2, match_pb2_grpc

#: Put into a stream's queue to end it well, to leave it hanging, or to break it.
END, HANG, BREAK = object(), object(), object()


def refuse(context: grpc.ServicerContext, code: grpc.StatusCode, reason: str) -> None:
    info = any_pb2.Any()
    info.Pack(error_details_pb2.ErrorInfo(reason=reason, domain="veche"))
    number = code.value[0]
    context.abort_with_status(
        rpc_status.to_status(status_pb2.Status(code=number, message=f"refused: {reason}", details=[info]))
    )


class Engine(bot_pb2_grpc.BotServiceServicer, match_pb2_grpc.MatchServiceServicer):
    """Serve on a free port of loopback; `streams` holds what each subscription or watch in turn shall say."""

    def __init__(self) -> None:
        self.streams: queue.Queue[list[object]] = queue.Queue()
        self.live: queue.Queue[object] = queue.Queue()
        self.heard: list[tuple[str, object, str]] = []
        self.peers: list[str] = []
        self.answer: Callable[[match_pb2.SubmitActionsRequest, grpc.ServicerContext], None] = lambda *_: None
        self.renewed_until = 0.0
        #: Seconds by which the engine's clock is ahead of the worker's.
        self.ahead = 0.0
        self.record: list[match_pb2.RecordEntry] = []
        self.closing = threading.Event()
        self.start()

    def start(self) -> None:
        """Serve, from now on with the methods that a test has put in."""
        self.server = grpc.server(ThreadPoolExecutor(16))
        bot_pb2_grpc.add_BotServiceServicer_to_server(self, self.server)
        match_pb2_grpc.add_MatchServiceServicer_to_server(self, self.server)
        self.port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()

    def restart(self) -> None:
        self.server.stop(0).wait()
        self.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        self.closing.set()
        self.server.stop(0).wait()

    def calls(self, name: str) -> list[object]:
        return [request for called, request, _ in list(self.heard) if called == name]

    def wait_for(self, name: str, count: int = 1, seconds: float = 60.0) -> list[object]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.calls(name)
            if len(found) >= count:
                return found
            time.sleep(0.01)
        raise AssertionError(f"heard {len(self.calls(name))} {name}, not {count}: {[h[0] for h in self.heard]}")

    def _hear(self, name: str, request: object, context: grpc.ServicerContext) -> None:
        metadata = dict(context.invocation_metadata())
        self.heard.append((name, request, str(metadata.get("authorization", ""))))

    def _stream(self, context: grpc.ServicerContext) -> Iterator[object]:
        try:
            script = self.streams.get_nowait()
        except queue.Empty:
            script = [HANG]
        for item in script:
            if item is END:
                return
            if item is BREAK:
                refuse(context, grpc.StatusCode.UNAVAILABLE, "GOING_AWAY")
            if item is HANG:
                while context.is_active() and not self.closing.is_set():
                    try:
                        yield self.live.get(timeout=0.02)
                    except queue.Empty:
                        continue
                return
            yield item

    def Subscribe(self, request, context):  # noqa: N802 - the name of the call
        self._hear("Subscribe", request, context)
        self.peers.append(context.peer())
        yield from self._stream(context)

    def WatchMatch(self, request, context):  # noqa: N802
        self._hear("WatchMatch", request, context)
        yield from self._stream(context)

    def RenewLease(self, request, context):  # noqa: N802
        self._hear("RenewLease", request, context)
        if time.time() > self.renewed_until:
            refuse(context, grpc.StatusCode.ABORTED, "LEASE_LOST")
        reply = bot_pb2.RenewLeaseResponse()
        reply.lease_deadline.FromNanoseconds(int((time.time() + self.ahead + 1.0) * 1e9))
        reply.lease.FromMilliseconds(1000)
        return reply

    def ReleaseTurn(self, request, context):  # noqa: N802
        self._hear("ReleaseTurn", request, context)
        return bot_pb2.ReleaseTurnResponse()

    def GetRecord(self, request, context):  # noqa: N802
        self._hear("GetRecord", request, context)
        return match_pb2.GetRecordResponse(entries=self.record)

    def SubmitActions(self, request, context):  # noqa: N802
        self._hear("SubmitActions", request, context)
        self.answer(request, context)
        return match_pb2.SubmitActionsResponse(version=1, applied=1, status=common_pb2.MATCH_STATUS_ACTIVE)


def offer(
    token: str,
    *,
    options: int = 3,
    policy: str = "random",
    lease: float = 30.0,
    version: int = 1,
    ahead: float = 0.0,
) -> bot_pb2.SubscribeResponse:
    """Return an offer with a choice of empty actions: enough for policies that only count."""
    decision = common_pb2.Decision(seat=1, id=f"{version}.1", kind="toy")
    legal = [common_pb2.LegalAction(index=i, text=str(i)) for i in range(options)]
    view = common_pb2.View(match_id="m", game="rurik", version=version, seat=1)
    view.choice.CopyFrom(common_pb2.Choice(decision=decision, legal_actions=legal))
    turn = bot_pb2.TurnOffer(match_id="m", seat=1, game="rurik", policy=policy, view=view, lease_token=token, attempt=1)
    turn.lease_deadline.FromNanoseconds(int((time.time() + ahead + lease) * 1e9))
    turn.lease.FromMilliseconds(int(lease * 1000))
    return bot_pb2.SubscribeResponse(offer=turn)
