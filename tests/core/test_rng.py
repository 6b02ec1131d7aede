"""Test the generator: the same everywhere, stream by stream."""

import random
from collections import Counter

import pytest

from engine.core.rng import HIDDEN, from_seed, rekeyed


def test_values_never_change_between_releases() -> None:
    assert [from_seed(seed).below("deck", 1000) for seed in (0, 1)] == [754, 696]
    items = list(range(10))
    from_seed(7).shuffle("deck", items)
    assert items == [4, 8, 0, 6, 3, 5, 1, 9, 2, 7]


def test_one_stream_does_not_disturb_another() -> None:
    alone, mixed = from_seed(3), from_seed(3)
    wanted = [alone.below("deck", 100) for _ in range(20)]
    got = []
    for _ in range(20):
        mixed.below("dice", 6)
        got.append(mixed.below("deck", 100))
    assert got == wanted


def test_an_undone_draw_comes_out_the_same() -> None:
    rng = from_seed(4)
    rng.below("deck", 9)
    before = rng.clone()
    first = [rng.below("deck", 1 << 40) for _ in range(3)]
    assert [before.below("deck", 1 << 40) for _ in range(3)] == first


def test_values_are_spread_evenly() -> None:
    rng = from_seed(5)
    counts = Counter(rng.below("dice", 6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())


def test_a_shuffle_keeps_every_item_and_reaches_every_order() -> None:
    rng = from_seed(6)
    orders = Counter()
    for _ in range(600):
        items = [1, 2, 3]
        rng.shuffle("deck", items)
        orders[tuple(items)] += 1
    assert len(orders) == 6
    assert all(60 < count < 140 for count in orders.values())


def test_draws_are_counted() -> None:
    rng = from_seed(8)
    assert rng.drawn() == 0
    rng.shuffle("deck", [1, 2, 3])
    rng.below("dice", 6)
    assert rng.drawn() == 3


@pytest.mark.parametrize("seed", [-1, 1 << 256])
def test_a_seed_has_256_bits_at_most(seed: int) -> None:
    with pytest.raises(ValueError, match="seed must be an integer"):
        from_seed(seed)


def test_a_new_key_owes_nothing_to_the_true_one() -> None:
    assert rekeyed(random.Random(1)) == rekeyed(random.Random(1))
    assert rekeyed(random.Random(1)) != rekeyed(random.Random(2))
    assert HIDDEN.seed == b""
