"""What tests of evals and trainings share."""

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Fits this small only wait for the threads that NumPy would give them."""
    with threadpool_limits(limits=1):
        yield
