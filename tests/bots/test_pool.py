import asyncio
import os
import signal
from random import Random

import pytest

from bots.policies import SIGHTED
from bots.worker.pool import PolicyFailed, Pool, _think
from engine.core.registry import GAMES
from protos.wire import view_to_message

pytestmark = pytest.mark.processes

RULES = GAMES["rurik"]


@pytest.fixture
def pool():
    pool = Pool(1, ("rurik",))
    yield pool
    pool.close()


def view() -> bytes:
    state = RULES.initial_state(RULES.config(2, {}), 6)
    seat = RULES.pending(state)[0].seat
    return view_to_message(RULES, RULES.observe(state, seat), "m").SerializeToString()


def pids(pool: Pool) -> list[int]:
    return list(pool._executor._processes)


async def test_a_thought_in_the_pool_is_the_thought_of_the_policy(pool):
    state = RULES.initial_state(RULES.config(2, {}), 6)
    here = SIGHTED["greedy"](RULES.observe(state, RULES.pending(state)[0].seat), Random("seed"))
    assert await pool.think("greedy", view(), "seed") == here


async def test_a_pool_that_lost_its_process_is_made_anew(pool):
    before = await pool.think("greedy", view(), "seed")
    (old,) = pids(pool)
    os.kill(old, signal.SIGKILL)
    assert await pool.think("greedy", view(), "seed") == before
    assert pids(pool) != [old]


async def test_a_long_thought_does_not_hold_up_the_loop(pool):
    await pool.think("greedy", view(), "seed")
    (thinker,) = pids(pool)
    os.kill(thinker, signal.SIGSTOP)
    thinking = asyncio.create_task(pool.think("greedy", view(), "seed"))
    for _ in range(10):
        await asyncio.sleep(0.01)
    assert not thinking.done()
    os.kill(thinker, signal.SIGCONT)
    assert await thinking >= 0


def test_a_policy_that_fails_tells_where_and_not_what(monkeypatch):
    def fail(view, rng):
        raise ValueError(f"a secret: {view.flow!r}")

    monkeypatch.setitem(SIGHTED, "greedy", fail)
    with pytest.raises(PolicyFailed, match=r"^ValueError at test_pool\.py:\d+$"):
        _think("greedy", view(), "seed")
