"""What work costs in processor time, compared within one test, so that no machine is too slow."""

import time
from collections.abc import Callable
from typing import TypeVar

LINEAR = 9.0
"""Four times the work costs linear code 4 times the time, quadratic code 16 times."""
RUNS = 5

Input = TypeVar("Input")


def cost(work: Callable[[Input], object], given: Input, *, runs: int = RUNS) -> float:
    """Seconds of the processor that ``work(given)`` takes in this thread: the least of ``runs``.

    A busy machine only ever adds to them.
    """
    return min(_spend(work, given) for _ in range(runs))


def ratio(
    work: Callable[[Input], object], small: Input, large: Input, *, runs: int = RUNS
) -> float:
    """How many times the processor time of ``work(small)`` does ``work(large)`` take?

    The least of ``runs`` of each, which alternate.
    """
    spent = [(_spend(work, small), _spend(work, large)) for _ in range(runs)]
    return min(much for _, much in spent) / min(little for little, _ in spent)


def growth(work: Callable[[str], object], piece: str, length: int, *, runs: int = RUNS) -> float:
    """`ratio` of ``piece`` repeated to ``length`` characters to a quarter of that."""
    times = length // len(piece)
    return ratio(work, piece * (times // 4), piece * times, runs=runs)


def _spend(work: Callable[[Input], object], given: Input) -> float:
    began = time.thread_time()
    work(given)
    return time.thread_time() - began
