from collections.abc import AsyncIterator, Iterator

import pytest

from tests.chaos.processes import BotWorker, Engine
from tests.services.conftest import Stored, redis_server, redis_url, stored

__all__ = ["Stored", "redis_server", "redis_url", "stored"]


@pytest.fixture
def engines(redis_url: str) -> Iterator[list[Engine]]:
    """Two pods on one Redis, with short leases."""
    pods = [Engine(redis_url, "--lease", "2", "--drain", "0.5", "--grace", "2") for _ in range(2)]
    for pod in pods:
        pod.start()
    yield pods
    for pod in pods:
        pod.kill()


@pytest.fixture
async def workers() -> AsyncIterator[list[BotWorker]]:
    """Workers that a test adds are stopped after it."""
    started: list[BotWorker] = []
    yield started
    for worker in started:
        worker.stop()
