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


@pytest.fixture
def renewals(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry per executor that is made."""
    made: list[int] = []
    fresh = Pool._fresh
    monkeypatch.setattr(Pool, "_fresh", lambda pool: made.append(1) or fresh(pool))
    return made


async def held(pool: Pool, count: int) -> list[asyncio.Task[int]]:
    """Begin thoughts while all processes of a pool stand still."""
    for process in pids(pool):
        os.kill(process, signal.SIGSTOP)
    thoughts = [asyncio.create_task(pool.think("greedy", view(), "seed")) for _ in range(count)]
    await asyncio.sleep(0.05)
    return thoughts


async def test_thoughts_that_lose_one_process_together_make_one_new_pool(pool, renewals):
    before = await pool.think("greedy", view(), "seed")
    thoughts = await held(pool, 4)
    os.kill(pids(pool)[0], signal.SIGKILL)
    assert await asyncio.gather(*thoughts) == [before] * 4
    assert len(renewals) == 1


async def test_a_thought_given_up_while_the_pool_is_made_anew_leaves_it_to_the_others(pool, renewals):
    before = await pool.think("greedy", view(), "seed")
    first, second = await held(pool, 2)
    os.kill(pids(pool)[0], signal.SIGKILL)
    while not renewals:
        await asyncio.sleep(0.001)
    first.cancel()
    assert await second == before
    assert len(renewals) == 1
    assert first.cancelled()


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
