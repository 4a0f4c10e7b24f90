from hypothesis import given, strategies as st

from chatbot.testing import ManualClock
from chatbot.tools import TimedCache


def test_a_kept_value_is_found() -> None:
    cache = TimedCache(clock=ManualClock())
    cache.put("a", 1, ttl_s=10)
    assert cache.get("a") == 1


def test_a_value_expires() -> None:
    clock = ManualClock()
    cache = TimedCache(clock=clock)
    cache.put("a", 1, ttl_s=10)
    clock.advance(10)
    assert cache.get("a") is None


def test_the_entry_unused_for_longest_leaves_first() -> None:
    cache = TimedCache(clock=ManualClock(), max_entries=2)
    cache.put("a", 1, ttl_s=10)
    cache.put("b", 2, ttl_s=10)
    cache.get("a")
    cache.put("c", 3, ttl_s=10)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 9)), max_size=40))
def test_a_cache_never_holds_more_than_its_limit_nor_a_wrong_value(
    puts: list[tuple[str, int]],
) -> None:
    cache = TimedCache(clock=ManualClock(), max_entries=3)
    latest: dict[str, int] = {}
    for key, value in puts:
        cache.put(key, value, ttl_s=1)
        latest[key] = value
    found = {key: cache.get(key) for key in "abcdefgh"}
    kept = {key: value for key, value in found.items() if value is not None}
    assert len(kept) <= 3
    assert kept.items() <= latest.items()
