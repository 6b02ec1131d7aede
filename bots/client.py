"""Hold what every client of the engine needs: where it is, who asks, what an error says, when to try again."""

import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar, cast

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_status import rpc_status

T = TypeVar("T")

#: Seconds after which a unary call is given up.
DEADLINE = 10.0
#: Seconds after which a silent stream is dead, unless its engine says at the beginning that its heartbeats are rarer.
SILENCE = 24.0

#: Pings find a peer that vanished without a word; views of large games pass the default limit of 4 MB comfortably.
CHANNEL_OPTIONS: Sequence[tuple[str, int | str]] = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 8 << 20),
    ("grpc.lb_policy_name", "round_robin"),  # behind a headless Service, calls spread over all engines
    ("grpc.use_local_subchannel_pool", 1),  # a channel made anew is a new connection, perhaps to another pod
    ("grpc.enable_retries", 0),  # calls are retried here, with their request_id
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)

_TLS = "tls://"

#: Status codes after which the same request may be sent again as it is.
TRANSIENT = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED}
)


def channel(engine: str) -> grpc.Channel:
    """Return a channel to `host:port`, or over TLS to `tls://host:port`; raise OSError when its CA file is missing."""
    address, secured = _secured(engine)
    if secured is None:
        return grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
    return grpc.secure_channel(address, secured, options=CHANNEL_OPTIONS)


def aio_channel(engine: str) -> grpc.aio.Channel:
    """Return the same for asyncio."""
    address, secured = _secured(engine)
    if secured is None:
        return grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS)
    return grpc.aio.secure_channel(address, secured, options=CHANNEL_OPTIONS)


def _secured(engine: str) -> tuple[str, grpc.ChannelCredentials | None]:
    """Return an address without its scheme, and for TLS what is trusted: public authorities, or VECHE_CA_FILE."""
    if not engine.startswith(_TLS):
        return engine, None
    authorities = os.environ.get("VECHE_CA_FILE")
    return engine.removeprefix(_TLS), grpc.ssl_channel_credentials(
        Path(authorities).read_bytes() if authorities else None
    )


def silent_after(least: float, heartbeats: Duration) -> float:
    """Return the seconds after which a stream is dead whose heartbeats come so often: at least `least`."""
    return max(least, 1.6 * heartbeats.ToMilliseconds() / 1000)


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    """Return the metadata that carries a token; empty without one."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def reason(error: grpc.RpcError) -> str:
    """Return the stable reason of an error, for example "ILLEGAL_ACTION"; empty when it carries none."""
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))
    except ValueError:
        return ""
    for detail in status.details if status is not None else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return ""


def may_retry(error: grpc.RpcError) -> bool:
    """Return whether the same request, with its request_id, may be sent again."""
    return error.code() in TRANSIENT or reason(error) == "CONTENTION"


def steady(call: Callable[[], T], attempts: int = 8) -> T:
    """Return what a call returns, repeated while its failure may pass; raise the last failure."""
    for attempt in range(1, attempts):
        try:
            return call()
        except grpc.RpcError as error:
            if not may_retry(error):
                raise
        time.sleep(pause(attempt))
    return call()


def pause(attempt: int, first: float = 0.1, longest: float = 5.0) -> float:
    """Return how long to wait before an attempt (counted from 1): doubling, capped, between half and all of it."""
    step: float = min(longest, first * 2.0 ** min(attempt - 1, 16))
    return random.uniform(step / 2, step)
