from collections.abc import Iterator

import pytest
from anyio.from_thread import start_blocking_portal

from chatbot.testing import StandIn, run_tool
from chatbot.tools.mathematics import WORKER_MODULE, calculate
from chatbot.tools.workers import ProcessWorkers


@pytest.fixture(scope="session")
def calculators() -> Iterator[ProcessWorkers]:
    """Worker processes that have SymPy; started once, for all tests that really compute."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(ProcessWorkers(preload=[WORKER_MODULE])) as workers,
    ):
        run_tool(calculate, StandIn(workers=workers, settings={"time_limit_s": 30}), expression="1")
        yield workers
