"""Talk to one Redis server over one connection that all callers share: written in turn, answered in turn.

The library's pool gives each command a connection of its own and spends some hundred microseconds on that; here a
command is one write and one future. A caller that gives up leaves its place in the queue, so its reply goes to nobody.
When the connection is lost, or a reply is late, every waiting caller is told and sends again over the next one.
"""

import asyncio
import re
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qs, unquote, urlsplit

Argument = bytes | str | int
_CRLF = b"\r\n"


class LostConnection(Exception):
    """Say that a command may or may not have been carried out."""


#: The word by which Redis 6.2 tells, inside a script's error, why a command of the script failed.
_INSIDE = re.compile(r" -([A-Z]+) ")


class ErrorReply(Exception):
    """Carry what Redis says against a command."""

    @property
    def kind(self) -> str:
        """Return the word that tells what is wrong, such as READONLY or OOM; ERR when there is none."""
        inside = _INSIDE.search(str(self))
        word = inside[1] if inside else str(self).partition(" ")[0]
        return word if word.isalpha() and word.isupper() else "ERR"

    @property
    def elsewhere(self) -> bool:
        """Return whether the server only starts, was made a replica, or looks for its group: another may do it."""
        return self.kind in {"LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN"}


class Place(NamedTuple):
    """Hold where a server is and how to enter."""

    host: str
    port: int
    path: str
    tls: bool
    user: str
    password: str
    database: int


def place(url: str) -> Place:
    """Return what a redis://, rediss:// or unix:// URL says; raise ValueError for any other."""
    parts = urlsplit(url)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme == "unix":
        database = parse_qs(parts.query).get("db", ["0"])[0]
        return Place("", 0, unquote(parts.path), False, user, password, int(database))
    if parts.scheme not in {"redis", "rediss"}:
        raise ValueError("not the URL of a single server")
    if parts.query or parts.fragment:
        raise ValueError("a host with neither query nor fragment is meant: this is the rest of a password")
    database = parts.path.strip("/") or "0"
    return Place(
        parts.hostname or "127.0.0.1", parts.port or 6379, "", parts.scheme == "rediss", user, password, int(database)
    )


def pack(*arguments: Argument) -> bytes:
    """Return a command as Redis reads it."""
    parts = [b"*%d\r\n" % len(arguments)]
    for argument in arguments:
        if isinstance(argument, bytes):
            raw = argument
        else:
            raw = argument.encode() if isinstance(argument, str) else b"%d" % argument
        parts.append(b"$%d\r\n%b\r\n" % (len(raw), raw))
    return b"".join(parts)


class _Partial(Exception):
    """Say that the rest of a reply is still to come."""


def parse(data: bytes, at: int) -> tuple[Any, int]:
    """Return the reply that begins at `at` and where the next begins; an error is returned as ErrorReply."""
    end = data.find(_CRLF, at)
    if end < 0:
        raise _Partial
    kind, body, following = data[at], data[at + 1 : end], end + 2
    if kind == 36:  # $
        length = int(body)
        if length < 0:
            return None, following
        last = following + length
        if len(data) < last + 2:
            raise _Partial
        return data[following:last], last + 2
    if kind == 58:  # :
        return int(body), following
    if kind == 42:  # *
        count = int(body)
        if count < 0:
            return None, following
        items = []
        for _ in range(count):
            item, following = parse(data, following)
            items.append(item)
        return items, following
    if kind == 43:  # +
        return body, following
    return ErrorReply(body.decode("utf-8", "replace")), following


class Wire(asyncio.Protocol):
    """Be one connection; `lost` is set when it is of no more use."""

    def __init__(self) -> None:
        self.lost = False
        self._transport: asyncio.Transport
        self._waiting: deque[tuple[float, asyncio.Future[Any]]] = deque()
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        for _, future in self._waiting:
            if not future.done():
                future.set_exception(LostConnection("connection lost"))
        self._waiting.clear()

    def data_received(self, data: bytes) -> None:
        data = self._data + data if self._data else data
        at = 0
        try:
            while at < len(data):
                reply, at = parse(data, at)
                _, future = self._waiting.popleft()
                if not future.done():
                    if type(reply) is ErrorReply:
                        future.set_exception(reply)
                    else:
                        future.set_result(reply)
        except _Partial:
            pass
        except (ValueError, IndexError):
            # Not what Redis speaks: nothing on this connection can be trusted any more.
            self.abort()
        self._data = data[at:]

    def send(self, packed: bytes, count: int = 1) -> list[asyncio.Future[Any]]:
        """Write `count` packed commands; return a future for each reply."""
        if self.lost:
            raise LostConnection("connection lost")
        loop = asyncio.get_running_loop()
        now = time.monotonic()
        futures: list[asyncio.Future[Any]] = [loop.create_future() for _ in range(count)]
        self._waiting.extend((now, future) for future in futures)
        self._transport.write(packed)
        return futures

    def late(self, limit: float) -> bool:
        """Return whether a reply is out for longer than `limit` seconds."""
        return bool(self._waiting) and time.monotonic() - self._waiting[0][0] > limit

    def abort(self) -> None:
        """Cut the connection; everybody who waits is told."""
        self.lost = True
        self._transport.abort()


class Subscription(asyncio.Protocol):
    """Be one connection that hears what is published: `on_message` gets channel and data, `lost` is set at its end."""

    def __init__(self, on_message: Callable[[bytes, bytes], None]) -> None:
        self.lost = asyncio.Event()
        self._on_message = on_message
        self._transport: asyncio.Transport
        self._data = b""
        self._heard = time.monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()

    def data_received(self, data: bytes) -> None:
        self._heard = time.monotonic()
        data = self._data + data if self._data else data
        at = 0
        try:
            while at < len(data):
                reply, at = parse(data, at)
                if type(reply) is list and reply[0] == b"message":
                    self._on_message(reply[1], reply[2])
                elif type(reply) is ErrorReply:
                    self.close()
        except _Partial:
            pass
        except (ValueError, IndexError):
            self.close()
        self._data = data[at:]

    async def change(self, wanted: Iterable[str], unwanted: Iterable[str]) -> None:
        """Hear more channels, and hear others no more."""
        for command, names in (("SUBSCRIBE", tuple(wanted)), ("UNSUBSCRIBE", tuple(unwanted))):
            if names:
                self._transport.write(pack(command, *names))

    async def until_lost(self, silence: float = 20.0) -> None:
        """Return when the connection is lost; one that is silent although it was pinged counts as lost."""
        while not self.lost.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(silence / 2):
                    await self.lost.wait()
            if time.monotonic() - self._heard > silence:
                self.close()
            elif not self.lost.is_set():
                self._transport.write(pack("PING"))

    def close(self) -> None:
        """Cut the connection."""
        self._transport.abort()


class Server:
    """Keep one connection to one server, made anew when it is lost; one instance per process."""

    def __init__(self, url: str, connect_timeout: float, reply_timeout: float, retries: int) -> None:
        self._place = place(url)
        self._connect_timeout = connect_timeout
        self._reply_timeout = reply_timeout
        self._retries = retries
        self._wire: Wire | None = None
        self._connecting = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None

    async def execute(self, *arguments: Argument) -> Any:
        """Return the reply to a command, sent again when it was lost; raise ErrorReply or LostConnection."""
        return (await self._send(pack(*arguments), 1))[0]

    async def together(self, commands: Iterable[Sequence[Argument]]) -> list[Any]:
        """Return the replies to several commands that travel together."""
        packed = [pack(*command) for command in commands]
        return await self._send(b"".join(packed), len(packed)) if packed else []

    async def _send(self, packed: bytes, count: int) -> list[Any]:
        for attempt in range(self._retries + 1):
            wire = self._wire
            try:
                if wire is None or wire.lost:
                    wire = await self._connect()
                futures = wire.send(packed, count)
                if count == 1:
                    return [await futures[0]]
                return await asyncio.gather(*futures)
            except ErrorReply as error:
                if not error.elsewhere:
                    raise
                # Another connection may lead to the right server.
                if wire is not None:
                    wire.abort()
                if attempt == self._retries:
                    raise
                await asyncio.sleep(0.02 * 3**attempt)
            except LostConnection:
                if attempt == self._retries:
                    raise
                await asyncio.sleep(0.02 * 3**attempt)
        raise LostConnection("not reached")

    async def _connect(self) -> Wire:
        async with self._connecting:
            if self._wire is not None and not self._wire.lost:
                return self._wire
            try:
                async with asyncio.timeout(self._connect_timeout):
                    self._wire = await self._open()
            except (OSError, TimeoutError) as error:
                raise LostConnection(type(error).__name__) from error
            if self._watch is None:
                self._watch = asyncio.create_task(self._look())
            return self._wire

    async def subscription(self, on_message: Callable[[bytes, bytes], None]) -> Subscription:
        """Return a new connection that hears what is published; raise LostConnection."""
        where, made = self._place, Subscription(on_message)
        try:
            async with asyncio.timeout(self._connect_timeout):
                await self._reach(made)
        except (OSError, TimeoutError) as error:
            raise LostConnection(type(error).__name__) from error
        if where.password:
            made._transport.write(pack(*filter(None, ("AUTH", where.user, where.password))))  # noqa: SLF001 - one module
        return made

    async def _reach(self, protocol: asyncio.Protocol) -> None:
        loop, where = asyncio.get_running_loop(), self._place
        if where.path:
            await loop.create_unix_connection(lambda: protocol, where.path)
        else:
            context = ssl.create_default_context() if where.tls else None
            await loop.create_connection(lambda: protocol, where.host, where.port, ssl=context)

    async def _open(self) -> Wire:
        where, wire = self._place, Wire()
        await self._reach(wire)
        try:
            if where.password:
                (entered,) = wire.send(pack(*filter(None, ("AUTH", where.user, where.password))))
                await entered
            if where.database:
                (chosen,) = wire.send(pack("SELECT", where.database))
                await chosen
        except BaseException:
            # Refused, or the caller gave up in between: nobody would close it.
            wire.abort()
            raise
        return wire

    async def _look(self) -> None:
        """Cut the connection when a reply is late: it may be half dead."""
        while True:
            await asyncio.sleep(self._reply_timeout / 4)
            if self._wire is not None and not self._wire.lost and self._wire.late(self._reply_timeout):
                self._wire.abort()

    async def close(self) -> None:
        """Close the connection."""
        if self._watch is not None:
            self._watch.cancel()
        if self._wire is not None:
            self._wire.abort()
        await asyncio.sleep(0)
