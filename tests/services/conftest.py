import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest
import redis
import structlog

from services.config import Settings
from services.server import Pod
from services.store import embedded
from tests.services.table import ADMIN_TOKEN, BOT_TOKEN, Client, Said, refusal


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of this test process alone; a host's own is never touched."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(embedded.URL_VARIABLE, raising=False)
        running = embedded.start(tmp_path_factory.mktemp("redis"))
    with running:
        yield running.url


@pytest.fixture
def redis_url(redis_server: str) -> str:
    with redis.Redis.from_url(redis_server) as client:
        client.flushall()
    return redis_server


@pytest.fixture
def stored(redis_url: str) -> Iterator["Stored"]:
    with redis.Redis.from_url(redis_url) as client:
        yield Stored(client)


class Stored:
    """Look at what is stored, byte by byte."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def work(self) -> list[bytes]:
        """Return all keys of open bot decisions."""
        return [*self.client.keys("*:q:*"), *self.client.keys("*:l:*"), *self.client.keys("*:open")]

    def end_leases(self) -> None:
        """Let the time of every lease be over, although clocks do not say so yet."""
        for queue in self.client.keys("*:q:*"):
            for turn in self.client.zrange(queue, 0, -1):
                self.client.zadd(queue, {turn: 0}, xx=True)

    def age_work(self, seconds: float) -> None:
        """Let every open bot decision be open for so much longer."""
        for shard in self.client.keys("*:open"):
            for turn in self.client.zrange(shard, 0, -1):
                self.client.zincrby(shard, -1000 * seconds, turn)

    def dump(self) -> dict[bytes, Any]:
        """Return all keys with their whole values."""
        read = {
            b"string": self.client.get,
            b"hash": self.client.hgetall,
            b"list": lambda key: self.client.lrange(key, 0, -1),
            b"zset": lambda key: self.client.zrange(key, 0, -1, withscores=True),
        }
        return {key: read[self.client.type(key)](key) for key in self.client.scan_iter()}


async def refused(call: Any, stored: Stored, code: grpc.StatusCode, reason: str, field: str = "") -> Said:
    """Check that a call is refused in exactly this way and leaves every key as it was; return what it was told."""
    before = stored.dump()
    told = await refusal(call)
    assert (told.code, told.reason, told.field) == (code, reason, field), told
    assert told.message
    assert stored.dump() == before
    return told


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture
def config(redis_url: str) -> Settings:
    return Settings(
        redis_url=redis_url, port=0, bot_token=BOT_TOKEN, admin_token=ADMIN_TOKEN, drain=0.0, grace=0.5, rate=1e6
    )


@pytest.fixture
async def pod(config: Settings) -> AsyncIterator[Pod]:
    pod = Pod(config)
    await pod.start()
    yield pod
    await pod.stop()


@pytest.fixture
async def client(pod: Pod) -> AsyncIterator[Client]:
    client = Client(f"127.0.0.1:{pod.port}")
    yield client
    await client.close()
