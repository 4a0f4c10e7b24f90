"""What work costs in processor time, compared within one test, so that no machine is too slow."""

import time
from collections.abc import Callable
from math import inf
from typing import TypeVar

LINEAR = 9.0
"""Four times the work costs linear code 4 times the time, quadratic code 16 times."""
RUNS = 5
FEWEST = 2
"""Runs that tell enough where their least is what it should be."""

Input = TypeVar("Input")


def cost(work: Callable[[Input], object], given: Input, *, runs: int = RUNS) -> float:
    """Seconds of the processor that ``work(given)`` takes in this thread: the least of ``runs``.

    A busy machine only ever adds to them.
    """
    return min(_spend(work, given) for _ in range(runs))


def ratio(
    work: Callable[[Input], object],
    small: Input,
    large: Input,
    *,
    below: float = LINEAR,
    runs: int = RUNS,
) -> float:
    """How many times the processor time of ``work(small)`` does ``work(large)`` take?

    The least of ``runs`` of each, which alternate; of fewer, once they say that it is ``below``.
    """
    little, much = inf, inf
    for done in range(1, runs + 1):
        little, much = min(little, _spend(work, small)), min(much, _spend(work, large))
        if done >= FEWEST and much < below * little:
            break
    return much / little


def growth(work: Callable[[str], object], piece: str, length: int, *, runs: int = RUNS) -> float:
    """`ratio` of ``piece`` repeated to ``length`` characters to a quarter of that."""
    times = length // len(piece)
    return ratio(work, piece * (times // 4), piece * times, runs=runs)


def _spend(work: Callable[[Input], object], given: Input) -> float:
    began = time.thread_time()
    work(given)
    return time.thread_time() - began
