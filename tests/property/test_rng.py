"""Test the generator on any seed, bound and list."""

from hypothesis import given
from hypothesis import strategies as st

from engine.core.rng import from_seed

seeds = st.integers(0, (1 << 256) - 1)


@given(seeds, st.integers(1, 1 << 64), st.text(min_size=1, max_size=8))
def test_a_value_is_below_its_bound_and_comes_again(seed: int, bound: int, stream: str) -> None:
    value = from_seed(seed).below(stream, bound)
    assert 0 <= value < bound
    assert from_seed(seed).below(stream, bound) == value


@given(seeds, st.lists(st.integers()))
def test_a_shuffle_loses_nothing(seed: int, items: list[int]) -> None:
    shuffled = items.copy()
    from_seed(seed).shuffle("deck", shuffled)
    assert sorted(shuffled) == sorted(items)


@given(seeds, st.lists(st.tuples(st.sampled_from(["deck", "dice", "misc"]), st.integers(1, 99)), max_size=30))
def test_a_stream_gives_the_same_whatever_the_others_do(seed: int, draws: list[tuple[str, int]]) -> None:
    together = from_seed(seed)
    mixed = [together.below(stream, bound) for stream, bound in draws]
    for stream in ("deck", "dice", "misc"):
        alone = from_seed(seed)
        assert [alone.below(stream, bound) for name, bound in draws if name == stream] == [
            value for value, (name, _) in zip(mixed, draws, strict=True) if name == stream
        ]
