import logging
from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The command line sets up the logs of its process; here that process is the tests' own."""
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    yield
    root.level, root.handlers = before
    structlog.reset_defaults()
