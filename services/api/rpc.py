"""Serve methods by their descriptors: read the message, know the caller, keep the limits, say what went wrong.

Replies may be messages or bytes that are encoded already; so what several callers get is encoded once.
"""

import asyncio
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, NamedTuple, TypeAlias

import grpc
import structlog
from google.protobuf import any_pb2, duration_pb2, message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from protos.wire import WireError, WrongGame
from services import security, telemetry
from services.api.origin import Origin
from services.errors import DOMAIN, Refusal
from services.store.changes import StoreAwayError

_log = structlog.get_logger()
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
_DETAILS = "grpc-status-details-bin"
#: Callers whose rate is remembered; the one that was silent longest is forgotten first.
_CALLERS = 10_000
#: Calls that one call counts as, by method: a created match is kept for days even if nobody ever plays it, a listing
#: asks every shard, a page of a record is long, and a stream begins with a view.
_COSTS = {"CreateMatch": 50, "ListMatches": 20, "ListAllMatches": 20, "GetRecord": 20, "WatchMatch": 5}


class Call(NamedTuple):
    """Hold who calls: the bearer token, empty without one."""

    token: str


class Gate:
    """Keep the limits of this pod: calls a second of each caller, open streams."""

    def __init__(
        self,
        rate: float,
        streams: int,
        message_bytes: int,
        vouched: Callable[[str], bool] = lambda _: False,
        origin: Origin | None = None,
    ) -> None:
        self.origin = origin or Origin()
        self._rate = rate
        self._vouched = vouched
        self._streams = streams
        self.message_bytes = message_bytes
        #: Whether the pod has reached its store; until then every call is sent elsewhere.
        self.open = True
        self._open: Counter[str] = Counter()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def call(self, token: str, host: str, method: str = "") -> None:
        """Count a call; raise LIMIT_REACHED when the caller makes too many, STORE_UNAVAILABLE when none is served yet.

        A caller is a token, else the host it calls from; matches are created by hosts alone. A token not seen of late
        counts against the host too, so that nobody escapes by sending another made-up token with each call; but not
        one that is vouched for, such as a worker's, which gets another for each turn.
        """
        if not self.open:
            raise Refusal(
                "STORE_UNAVAILABLE", "this pod waits for its store; try again, or another pod", retry_after=1.0
            )
        cost = _COSTS.get(method, 1)
        if method == "CreateMatch" or not token or (token not in self._buckets and not self._vouched(token)):
            self._count(host, cost)
        if token and method != "CreateMatch":
            self._count(token, cost)

    def _count(self, caller: str, cost: int) -> None:
        now = time.monotonic()
        burst = max(2 * self._rate, cost)
        tokens, last = self._buckets.get(caller, (burst, now))
        tokens = min(burst, tokens + (now - last) * self._rate) - cost
        if tokens < 0:
            allowed = f"{self._rate / cost:g} {'calls' if cost == 1 else 'such calls'} a second"
            raise Refusal(
                "LIMIT_REACHED", f"more than {allowed}; slow down", retry_after=max(0.1, -tokens / self._rate)
            )
        self._buckets[caller] = (tokens, now)
        self._buckets.move_to_end(caller)
        if len(self._buckets) > _CALLERS:
            self._buckets.popitem(last=False)

    def enter(self, host: str) -> None:
        """Count a stream; raise LIMIT_REACHED when the pod serves too many, or half of what it can to one host."""
        if self._open.total() >= self._streams:
            raise Refusal(
                "LIMIT_REACHED", "this pod serves no more streams; try again, or another pod", retry_after=2.0
            )
        if self._open[host] >= max(1, self._streams // 2):
            raise Refusal("LIMIT_REACHED", "too many streams from this host; close some and try again", retry_after=2.0)
        self._open[host] += 1

    def exit(self, host: str) -> None:
        """Count a stream out."""
        self._open[host] -= 1
        if not self._open[host]:
            del self._open[host]


def status_of(refusal: Refusal) -> status_pb2.Status:
    """Return a refusal as google.rpc.Status with its details."""
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=refusal.metadata)
    ]
    if refusal.field:
        violation = error_details_pb2.BadRequest.FieldViolation(field=refusal.field, description=refusal.message)
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    if refusal.code is grpc.StatusCode.FAILED_PRECONDITION:
        failure = error_details_pb2.PreconditionFailure.Violation(
            type=refusal.reason, subject=refusal.field, description=refusal.message
        )
        details.append(error_details_pb2.PreconditionFailure(violations=[failure]))
    if refusal.retry_after:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(int(refusal.retry_after * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    packed = []
    for detail in details:
        box = any_pb2.Any()
        box.Pack(detail)
        packed.append(box)
    return status_pb2.Status(code=refusal.code.value[0], message=refusal.message, details=packed)


def refused(error: Exception, method: str, request: Any) -> Refusal:
    """Return what the caller is told about an error; what it may not know goes to the log under an incident id."""
    match error:
        case Refusal():
            return error
        case WrongGame():
            return Refusal("WRONG_GAME", str(error), field=error.field)
        case WireError():
            return Refusal("INVALID_FIELD", str(error), field=error.field)
        case StoreAwayError():
            _log.warning("store refuses" if error.kind else "store away", method=method, error=str(error))
            what = (
                "the store refuses this for now; if it goes on, the operator must look"
                if error.kind
                else "the store does not answer"
            )
            return Refusal("STORE_UNAVAILABLE", f"{what}; try again with the same request_id", retry_after=1.0)
    incident = secrets.token_hex(8)
    _log.error(
        "call failed",
        method=method,
        incident=incident,
        cause=telemetry.where(error),
        match=getattr(request, "match_id", ""),
        # Not the id itself: who has it could ask for the tokens of the match that the same request makes.
        request=security.principal(request_id) if (request_id := getattr(request, "request_id", "")) else "",
    )
    return Refusal("INTERNAL", f"the service failed; report incident {incident}", incident=incident)


async def _abort(context: Context, method: str, refusal: Refusal) -> None:
    telemetry.RPCS.labels(method, refusal.code.name).inc()
    status = status_of(refusal)
    await context.abort(refusal.code, refusal.message, ((_DETAILS, status.SerializeToString()),))


class _Method:
    """Serve one method."""

    def __init__(self, method: MethodDescriptor, gate: Gate) -> None:
        self.name = method.name
        self.kind: type[Message] = message_factory.GetMessageClass(method.input_type)
        self.gate = gate
        self.ok = telemetry.RPCS.labels(method.name, "OK")
        self.seconds = telemetry.RPC_SECONDS.labels(method.name, "OK")

    def admit(self, raw: bytes, context: Context) -> tuple[Any, Call]:
        """Return the message and the caller; raise Refusal."""
        if len(raw) > self.gate.message_bytes:
            raise Refusal(
                "LIMIT_REACHED", f"the request has {len(raw)} bytes and may have {self.gate.message_bytes}; send less"
            )
        token = security.bearer(context.invocation_metadata() or ())
        self.gate.call(token, self.gate.origin.of(context), self.name)
        try:
            return self.kind.FromString(raw), Call(token)
        except DecodeError as error:
            name = self.kind.DESCRIPTOR.full_name
            raise Refusal("INVALID_FIELD", f"the bytes are no {name}; check the version of the protos") from error


def _unary(
    method: MethodDescriptor, serve: Callable[[Any, Call], Awaitable[Any]], gate: Gate
) -> "grpc.RpcMethodHandler[Any, Any]":
    own = _Method(method, gate)

    async def handle(raw: bytes, context: Context) -> bytes:
        began = time.perf_counter()
        request = None
        try:
            request, call = own.admit(raw, context)
            reply = await serve(request, call)
            encoded: bytes = reply if type(reply) is bytes else reply.SerializeToString()
        except asyncio.CancelledError:
            telemetry.RPCS.labels(own.name, "CANCELLED").inc()
            raise
        except Exception as error:
            refusal = refused(error, own.name, request)
            telemetry.RPC_SECONDS.labels(own.name, refusal.code.name).observe(time.perf_counter() - began)
            await _abort(context, own.name, refusal)
            raise
        own.ok.inc()
        own.seconds.observe(time.perf_counter() - began)
        return encoded

    return grpc.unary_unary_rpc_method_handler(handle)


def _stream(
    method: MethodDescriptor, serve: Callable[[Any, Call], AsyncGenerator[Any, None]], gate: Gate
) -> "grpc.RpcMethodHandler[Any, Any]":
    own = _Method(method, gate)

    async def handle(raw: bytes, context: Context) -> None:
        request = None
        entered = False
        host = gate.origin.of(context)
        try:
            gate.enter(host)
            entered = True
            request, call = own.admit(raw, context)
            # Written from here and closed here: a stream that is cut ends now, not when the collector finds it.
            async with aclosing(serve(request, call)) as messages:
                async for message in messages:
                    await context.write(message if type(message) is bytes else message.SerializeToString())
        except asyncio.CancelledError:
            telemetry.RPCS.labels(own.name, "CANCELLED").inc()
            raise
        except grpc.aio.BaseError:
            # The client vanished while it was written to.
            telemetry.RPCS.labels(own.name, "CANCELLED").inc()
            return
        except Exception as error:
            await _abort(context, own.name, refused(error, own.name, request))
            raise
        finally:
            if entered:
                gate.exit(host)
        own.ok.inc()

    return grpc.unary_stream_rpc_method_handler(handle)


def register(server: grpc.aio.Server, service: ServiceDescriptor, servicer: Any, gate: Gate) -> None:
    """Serve all methods of a service with the servicer's coroutines and async generators of the same names."""
    handlers = {}
    for method in service.methods:
        make: Callable[..., Any] = _stream if method.server_streaming else _unary
        handlers[method.name] = make(method, getattr(servicer, method.name), gate)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.full_name, handlers),))
