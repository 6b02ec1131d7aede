"""The shared connection reads what Redis says however it is cut, and gives every reply to the one who asked."""

import asyncio
import random
import traceback

import pytest
from redis.asyncio.connection import SSLConnection
from redis.exceptions import ConnectionError as LibraryLost
from redis.exceptions import RedisClusterException, ResponseError

from services.store import wire
from services.store.connect import POOL, REPLY_TIMEOUT, LibraryLink, connect
from services.store.wire import ErrorReply, LostConnection, Server, pack, place


async def test_replies_of_all_kinds_are_read(redis_url: str) -> None:
    server = Server(redis_url, 30, 30, 0)
    assert await server.execute("SET", "a", b"\x00\r\n\xff") == b"OK"
    assert await server.execute("GET", "a") == b"\x00\r\n\xff"
    assert await server.execute("GET", "b") is None
    assert await server.execute("INCRBY", "n", 41) == 41
    assert await server.execute("RPUSH", "l", "x", 2, b"z") == 3
    assert await server.execute("LRANGE", "l", 0, -1) == [b"x", b"2", b"z"]
    assert await server.execute("EVAL", "return {1, {false, 'x'}, {}}", 0) == [1, [None, b"x"], []]
    with pytest.raises(ErrorReply, match="WRONGTYPE"):
        await server.execute("INCR", "l")
    assert await server.together([("GET", "n"), ("GET", "b")]) == [b"41", None]
    assert await server.together([]) == []
    await server.close()


def test_a_command_is_packed_byte_by_byte() -> None:
    assert pack("SET", b"\r\n", "é", -7) == b"*4\r\n$3\r\nSET\r\n$2\r\n\r\n\r\n$2\r\n\xc3\xa9\r\n$2\r\n-7\r\n"


class Nowhere(asyncio.Transport):
    def write(self, data: object) -> None:
        pass


async def test_a_reply_may_come_in_any_pieces() -> None:
    dice = random.Random(1)
    stream = b"+OK\r\n:12\r\n$-1\r\n$5\r\na\r\nbc\r\n*3\r\n:1\r\n*2\r\n$0\r\n\r\n*-1\r\n-ERR no\r\n-NO way\r\n"
    for _ in range(200):
        connection = wire.Wire()
        connection.connection_made(Nowhere())
        futures = connection.send(b"", 6)
        at = 0
        while at < len(stream):
            step = dice.randint(1, 9)
            connection.data_received(stream[at : at + step])
            at += step
        assert [f.result() for f in futures[:4]] == [b"OK", 12, None, b"a\r\nbc"]
        nested = futures[4].result()
        assert nested[:2] == [1, [b"", None]]
        assert str(nested[2]) == "ERR no"
        with pytest.raises(ErrorReply, match="NO way"):
            futures[5].result()


async def test_a_caller_that_gives_up_leaves_its_reply_to_nobody(redis_url: str) -> None:
    server = Server(redis_url, 30, 30, 0)
    for n in range(50):
        await server.execute("SET", n, n)

    async def get(n: int, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                assert await server.execute("GET", n) == b"%d" % n
        except TimeoutError:
            pass

    dice = random.Random(2)
    for _ in range(20):
        await asyncio.gather(*(get(n, dice.choice([0, 0.0003, 1])) for n in range(50)))
    await server.close()


async def test_a_late_reply_cuts_the_connection_and_the_next_call_gets_a_new_one(redis_url: str) -> None:
    server = Server(redis_url, 30, 1.5, 0)
    await server.execute("PING")
    with pytest.raises(LostConnection):
        await server.execute("BLPOP", "nothing", 30)
    assert await server.execute("PING") == b"PONG"
    await server.close()


async def test_what_is_no_redis_is_given_up() -> None:
    async def babble(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(babble, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        server = Server(f"redis://127.0.0.1:{port}", 30, 30, 1)
        with pytest.raises((LostConnection, ErrorReply)):
            await server.execute("PING")
        await server.close()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://127.0.0.1:1/2", ("127.0.0.1", 1, "", False, "", "", 2)),
        ("rediss://u:p%40@h", ("h", 6379, "", True, "u", "p@", 0)),
        ("unix:///run/redis.sock?db=3", ("", 0, "/run/redis.sock", False, "", "", 3)),
    ],
)
def test_urls_of_a_single_server(url: str, expected: tuple[object, ...]) -> None:
    assert place(url) == expected


_ON_A_REPLICA = "You can't write against a read only replica."


@pytest.mark.parametrize(
    ("said", "kind", "elsewhere"),
    [
        (f"READONLY {_ON_A_REPLICA}", "READONLY", True),
        # Redis 6.2 and, after it, 7 when a script writes.
        (f"ERR Error running script (call to f_ab12): @user_script:20: -READONLY {_ON_A_REPLICA} ", "READONLY", True),
        (f"READONLY {_ON_A_REPLICA} script: ab12, on @user_script:20.", "READONLY", True),
        ("LOADING Redis is loading the dataset in memory", "LOADING", True),
        ("OOM command not allowed when used memory > 'maxmemory'.", "OOM", False),
        ("ERR Error running script (call to f_ab12): @user_script:9: -OOM command not allowed", "OOM", False),
        ("MISCONF Redis is configured to save RDB snapshots", "MISCONF", False),
        ("value is not an integer or out of range", "ERR", False),
        ("", "ERR", False),
    ],
)
def test_an_error_tells_its_kind_also_from_within_a_script(said: str, kind: str, elsewhere: bool) -> None:
    assert (ErrorReply(said).kind, ErrorReply(said).elsewhere) == (kind, elsewhere)


class Former:
    """Be a library's client whose master became a replica, which only its scripts find out."""

    def __init__(self) -> None:
        self.connection_pool = self
        self.said = [f"Error running script (call to f_ab12): @user_script:20: -READONLY {_ON_A_REPLICA} "]
        self.left = 0

    async def execute_command(self, *_: object) -> bytes:
        if not self.left:
            raise ResponseError(*self.said, status_code="ERR")
        return b"OK"

    async def disconnect(self) -> None:
        self.left += 1


async def test_a_group_is_asked_anew_when_a_script_meets_a_replica() -> None:
    link = LibraryLink("redis+sentinel://h:26379/veche")
    link._client = former = Former()
    assert await link.execute("EVALSHA", "ab12", 0) == b"OK"
    assert former.left == 1


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
async def test_groups_are_reached_over_tls_when_the_url_says_so(scheme: str) -> None:
    link = LibraryLink(f"{scheme}+sentinel://:p@h:26379/veche")
    pool = link._client.connection_pool
    sentinels = [sentinel.connection_pool for sentinel in pool.sentinel_manager.sentinels]
    nodes = LibraryLink(f"{scheme}+cluster://:p@h:7000")._client.nodes_manager.startup_nodes.values()
    secured = [issubclass(place.connection_class, SSLConnection) for place in (pool, *sentinels, *nodes)]
    assert secured == [scheme == "rediss"] * 4


class Crowded:
    """Be a library's client that counts who is served at once."""

    def __init__(self) -> None:
        self.now = self.most = self.served = 0

    async def execute_command(self, *_: object) -> bytes:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0.01)
            self.served += 1
        finally:
            self.now -= 1
        return b"OK"


async def test_callers_beyond_the_pool_of_a_group_wait_and_are_served() -> None:
    link = LibraryLink("redis+cluster://h:7000")
    link._client = crowd = Crowded()
    gone = asyncio.create_task(link.execute("GET", "a"))
    await asyncio.sleep(0)
    gone.cancel()
    assert await asyncio.gather(*(link.execute("GET", "a") for _ in range(3 * POOL))) == [b"OK"] * (3 * POOL)
    assert (crowd.most, crowd.served) == (POOL, 3 * POOL)


@pytest.mark.parametrize(
    "url",
    [
        "http://x",
        "redis+sentinel://h:1",
        "redis+cluster://h",
        "nonsense",
        "redis://:sekret/cd+ef=@host:6379/0",
        "redis://:12/sekret@host:6379/0",
        "redis://:12#sekret@host:6379/0",
        "redis://:12?sekret@host:6379/0",
        "redis://:sekret[@host:6379/0",
        "redis://host:6379/sekret",
        "redis://:sekret@host:sekret/0",
        "unix:///run/redis.sock?db=sekret",
        "sekret@host:6379",
        "sekret://host:6379",
        "redis+sentinel://:sek/ret@host:26379/veche",
        "redis+sentinel://:a@host:26379/veche/sekret",
        "redis+cluster://:sekret:sekret@host:sekret",
        "redis+cluster://:12#sekret@host:6379",
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_a_piece_of_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="VECHE_REDIS_URL") as caught:
        connect(url)
    told = "".join(traceback.format_exception(caught.value))
    assert "sek" not in told
    assert "%2F" in told


async def test_a_group_is_not_connected_to_before_it_is_used() -> None:
    assert REPLY_TIMEOUT > 0
    assert isinstance(connect("redis+sentinel://h:26379/veche"), LibraryLink)


@pytest.mark.parametrize(
    "error",
    [LibraryLost("closed"), RedisClusterException("no node"), AttributeError("writelines"), RuntimeError("busy")],
)
async def test_what_the_library_stumbles_over_in_a_failover_is_a_lost_connection(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    link = LibraryLink("redis+sentinel://h:26379/veche")

    async def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(link._client, "execute_command", fail)
    with pytest.raises(LostConnection, match=type(error).__name__):
        await link.execute("GET", "a")
