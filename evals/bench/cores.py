"""Which cores measure and which are measured."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Cores:
    """The cores of gateways, of the engine simulator and of the load generator.

    ``None``: there is but one, and nobody is bound to it.
    """

    gateway: frozenset[int] | None
    engine: frozenset[int] | None
    load: frozenset[int] | None

    @property
    def is_shared(self) -> bool:
        """Whether simulator and load generator have one core between them."""
        return self.engine == self.load


def choose_cores() -> Cores:
    """One core for gateways, the last that this process may use; another each for what measures."""
    *others, last = sorted(os.sched_getaffinity(0))
    if not others:
        return Cores(gateway=None, engine=None, load=None)
    return Cores(
        gateway=frozenset({last}), engine=frozenset({others[0]}), load=frozenset({others[-1]})
    )


@contextmanager
def run_on(cores: frozenset[int] | None) -> Iterator[None]:
    """Bind this thread to ``cores`` within the block, and with it every process it starts there."""
    before = os.sched_getaffinity(0)
    if cores is not None:
        os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
