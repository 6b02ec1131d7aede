"""Reach a Redis by URL: one server, a Sentinel group or a Cluster, behind one interface."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from redis.asyncio import BlockingConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import BusyLoadingError
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import TimeoutError as LostReply

#: Seconds for a connection, and for one reply, before a command counts as lost and is sent again.
CONNECT_TIMEOUT = 2.0
REPLY_TIMEOUT = 2.0
#: A command whose reply was lost is sent this often again; every script bears that.
RETRIES = 3
#: Connections of one pod; callers beyond them wait.
POOL = 64

HELP = (
    "redis://[user:password@]host:port/0, rediss:// for TLS, unix:///path, "
    "redis+sentinel://[:password@]host:port,host:port/service, redis+cluster://[:password@]host:port,host:port"
)


def _options(reply_timeout: float) -> dict[str, Any]:
    return {
        "socket_connect_timeout": CONNECT_TIMEOUT,
        "socket_timeout": reply_timeout,
        "socket_keepalive": True,
        "health_check_interval": 30,
        "protocol": 2,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.5), RETRIES),
        "retry_on_error": [LostConnection, LostReply, BusyLoadingError],
    }


def _hosts(netloc: str) -> list[tuple[str, int]]:
    pairs = []
    for part in netloc.rpartition("@")[2].split(","):
        host, _, port = part.rpartition(":")
        if not host or not port.isdigit():
            raise ValueError(f"{part!r} is not host:port")
        pairs.append((host.strip("[]"), int(port)))
    return pairs


def _credentials(netloc: str) -> dict[str, Any]:
    user, _, password = netloc.rpartition("@")[0].partition(":")
    found = {"username": unquote(user), "password": unquote(password)}
    return {name: value for name, value in found.items() if value}


def connect(url: str, reply_timeout: float = REPLY_TIMEOUT) -> Any:
    """Return an asyncio client for `url`, not connected yet; raise ValueError for a URL it cannot read."""
    parts = urlsplit(url)
    options = _options(reply_timeout)
    if parts.scheme == "redis+cluster":
        nodes = [ClusterNode(host, port) for host, port in _hosts(parts.netloc)]
        options.pop("retry_on_error")
        return RedisCluster(
            startup_nodes=nodes,
            max_connections=POOL,
            ssl="tls" in parse_qs(parts.query),
            **_credentials(parts.netloc),
            **options,
        )
    if parts.scheme == "redis+sentinel":
        service, _, database = parts.path.strip("/").partition("/")
        if not service:
            raise ValueError("a Sentinel URL ends in the name of the service: redis+sentinel://host:port/service")
        sentinel = Sentinel(  # type: ignore[no-untyped-call]
            _hosts(parts.netloc),
            sentinel_kwargs={"socket_timeout": CONNECT_TIMEOUT, "socket_connect_timeout": CONNECT_TIMEOUT},
        )
        return sentinel.master_for(service, db=int(database or 0), **_credentials(parts.netloc), **options)
    if parts.scheme in {"redis", "rediss", "unix"}:
        pool = BlockingConnectionPool.from_url(url, max_connections=POOL, timeout=CONNECT_TIMEOUT, **options)
        return Redis.from_pool(pool)
    raise ValueError(f"{parts.scheme or url!r} is no kind of Redis URL; use one of {HELP}")
