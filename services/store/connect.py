"""Reach a Redis by URL: one server, a Sentinel group or a Cluster, behind one interface."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import BusyLoadingError, RedisClusterException, RedisError, ResponseError
from redis.exceptions import ConnectionError as LibraryLost
from redis.exceptions import TimeoutError as LostReply

from services.store.wire import Argument, ErrorReply, LostConnection, Server

#: Seconds for a connection, and for one reply, before a command counts as lost and is sent again.
CONNECT_TIMEOUT = 2.0
REPLY_TIMEOUT = 2.0
#: A command whose reply was lost is sent this often again; every script bears that.
RETRIES = 3
#: Commands, or groups of them, that one pod has on their way to a group of servers; callers beyond them wait. The
#: library would refuse them, so it may have more connections than that, one of them for what is published.
POOL = 64
_CONNECTIONS = POOL + 4
#: What the library raises for a connection that is lost; RedisClusterException is no RedisError. The last two are what
#: it stumbles over in a failover, when one task closes the connections to a node and another has just taken one.
_LOST = (RedisError, RedisClusterException, OSError, AttributeError, RuntimeError)

HELP = (
    "redis://[user:password@]host:port/0, rediss:// for TLS, unix:///path, "
    "redis+sentinel://[:password@]host:port,host:port/service[?sentinel_user=..&sentinel_password=..], "
    "redis+cluster://[:password@]host:port,host:port, both with rediss+ for TLS"
)


def _options() -> dict[str, Any]:
    return {
        "socket_connect_timeout": CONNECT_TIMEOUT,
        "socket_timeout": REPLY_TIMEOUT,
        "socket_keepalive": True,
        "health_check_interval": 30,
        "protocol": 2,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.5), RETRIES),
        "retry_on_error": [LibraryLost, LostReply, BusyLoadingError],
    }


def _hosts(netloc: str) -> list[tuple[str, int]]:
    pairs = []
    for part in netloc.rpartition("@")[2].split(","):
        host, _, port = part.rpartition(":")
        if not host or not port.isdigit():
            raise ValueError("not a list of host:port")
        pairs.append((host.strip("[]"), int(port)))
    return pairs


def _credentials(netloc: str) -> dict[str, Any]:
    user, _, password = netloc.rpartition("@")[0].partition(":")
    found = {"username": unquote(user), "password": unquote(password)}
    return {name: value for name, value in found.items() if value}


def _sentinel(
    hosts: list[tuple[str, int]], credentials: dict[str, Any], query: dict[str, list[str]], tls: bool
) -> Sentinel:
    """Return who knows the master: Sentinels with the password of Redis, with none, or with one that `query` names."""
    own = {"username": query.get("sentinel_user", [""])[0], "password": query.get("sentinel_password", [""])[0]}
    named = {name: value for name, value in own.items() if value}
    ways: list[dict[str, Any]] = [named] if "sentinel_password" in query else [credentials, {}] if credentials else [{}]
    groups = [
        Sentinel(  # type: ignore[no-untyped-call]
            hosts,
            sentinel_kwargs={
                "socket_timeout": CONNECT_TIMEOUT,
                "socket_connect_timeout": CONNECT_TIMEOUT,
                "ssl": tls,
                **way,
            },
        )
        for way in ways
    ]
    # The library asks one after the other, and next time first the one that answered.
    groups[0].sentinels = [sentinel for group in groups for sentinel in group.sentinels]
    return groups[0]


def _library(url: str) -> Any:
    parts = urlsplit(url)
    options = _options()
    query = parse_qs(parts.query, keep_blank_values=True)
    tls = parts.scheme.startswith("rediss+") or "tls" in query
    if parts.scheme in {"redis+cluster", "rediss+cluster"}:
        nodes = [ClusterNode(host, port) for host, port in _hosts(parts.netloc)]
        options.pop("retry_on_error")
        return RedisCluster(
            startup_nodes=nodes,
            max_connections=_CONNECTIONS,
            ssl=tls,
            **_credentials(parts.netloc),
            **options,
        )
    if parts.scheme in {"redis+sentinel", "rediss+sentinel"}:
        service, _, database = parts.path.strip("/").partition("/")
        if not service:
            raise ValueError("the name of the service is missing")
        credentials = _credentials(parts.netloc)
        sentinel = _sentinel(_hosts(parts.netloc), credentials, query, tls)
        return sentinel.master_for(
            service, db=int(database or 0), max_connections=_CONNECTIONS, ssl=tls, **credentials, **options
        )
    raise ValueError("no kind of Redis URL")


class Subscribed(Protocol):
    """Hear what is published."""

    async def change(self, wanted: Iterable[str], unwanted: Iterable[str]) -> None:
        """Hear more channels, and hear others no more; raise LostConnection."""

    async def until_lost(self) -> None:
        """Return when the connection is lost."""

    def close(self) -> None:
        """Cut the connection."""


class LibrarySubscription:
    """Hear what is published by way of the library."""

    def __init__(self, pubsub: Any, on_message: Callable[[bytes, bytes], None]) -> None:
        self._pubsub = pubsub
        self._on_message = on_message
        self._closing: asyncio.Task[None] | None = None

    async def change(self, wanted: Iterable[str], unwanted: Iterable[str]) -> None:
        """Hear more channels, and hear others no more."""
        try:
            if names := tuple(wanted):
                await self._pubsub.subscribe(*names)
            if names := tuple(unwanted):
                await self._pubsub.unsubscribe(*names)
        except _LOST as error:
            raise LostConnection(type(error).__name__) from error

    async def until_lost(self) -> None:
        """Return when the connection is lost."""
        try:
            while True:
                if not self._pubsub.subscribed:
                    await asyncio.sleep(0.02)
                    continue
                message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=10.0)
                if message is not None and message["type"] == "message":
                    self._on_message(message["channel"], message["data"])
        except (RedisError, OSError):
            return

    def close(self) -> None:
        """Cut the connection."""
        self._closing = asyncio.create_task(self._pubsub.aclose())


class Link(Protocol):
    """Carry commands; both kinds raise ErrorReply and LostConnection alone, and send again what was lost."""

    async def execute(self, *arguments: Argument) -> Any:
        """Return the reply to one command."""

    async def together(self, commands: Iterable[Sequence[Argument]]) -> list[Any]:
        """Return the replies to several commands, which may travel to several servers."""

    async def subscription(self, on_message: Callable[[bytes, bytes], None]) -> "Subscribed":
        """Return what hears channels and calls `on_message` with channel and data; raise LostConnection."""

    async def close(self) -> None:
        """Close all connections."""


def _told(error: Exception) -> ErrorReply | LostConnection:
    """Return an error of the library as both links tell it; the library takes the first word of a reply away."""
    if isinstance(error, ResponseError):
        return ErrorReply(" ".join(filter(None, (error.status_code, str(error)))))
    return LostConnection(type(error).__name__)


class LibraryLink:
    """Carry commands to a Sentinel group or a Cluster, which the library knows how to follow."""

    def __init__(self, url: str) -> None:
        self._client = _library(url)
        self._places = asyncio.Semaphore(POOL)

    async def execute(self, *arguments: Argument) -> Any:
        """Return the reply to one command."""
        for attempt in range(RETRIES + 1):
            try:
                async with self._places:
                    return await self._client.execute_command(*arguments)
            except _LOST as error:
                told = _told(error)
                # The library leaves a master that became a replica by itself, but not when only a script finds out.
                if attempt == RETRIES or not isinstance(told, ErrorReply) or told.kind != "READONLY":
                    raise told from error
            await self._leave()
            await asyncio.sleep(0.02 * 3**attempt)
        raise LostConnection("not reached")

    async def _leave(self) -> None:
        """Cut the connections to what was the master of a Sentinel group; the next ones ask who it is now."""
        pool = getattr(self._client, "connection_pool", None)
        if pool is not None:
            await pool.disconnect()

    async def together(self, commands: Iterable[Sequence[Argument]]) -> list[Any]:
        """Return the replies to several commands."""
        try:
            async with self._places, self._client.pipeline(transaction=False) as pipe:
                for command in commands:
                    pipe.execute_command(*command)
                replies: list[Any] = await pipe.execute()
                return replies
        except _LOST as error:
            raise _told(error) from error

    async def subscription(self, on_message: Callable[[bytes, bytes], None]) -> "Subscribed":
        """Return what hears channels."""
        return LibrarySubscription(self._client.pubsub(), on_message)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()
        pool = getattr(self._client, "connection_pool", None)
        for sentinel in pool.sentinel_manager.sentinels if pool is not None else ():
            await sentinel.aclose()


class DirectLink(Server):
    """Carry commands to one server over one connection, and what is published over another."""

    def __init__(self, url: str) -> None:
        super().__init__(url, CONNECT_TIMEOUT, REPLY_TIMEOUT, RETRIES)


def connect(url: str) -> Link:
    """Return what carries commands to `url`, not connected yet; raise ValueError for a URL it cannot read."""
    try:
        return DirectLink(url) if urlsplit(url).scheme in {"redis", "rediss", "unix"} else LibraryLink(url)
    except ValueError:
        # Neither the URL nor what is said of it: both may hold a piece of a password that was not quoted.
        raise ValueError(
            "the URL of Redis (VECHE_REDIS_URL) cannot be read; write / # ? @ : % in its password as "
            f"%2F %23 %3F %40 %3A %25, and use one of: {HELP}"
        ) from None
