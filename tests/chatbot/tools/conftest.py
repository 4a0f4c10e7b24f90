from collections.abc import Iterator

import pytest
from anyio.from_thread import start_blocking_portal
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import ScriptedOpenWeather

from chatbot.testing import StandIn, run_tool
from chatbot.tools.mathematics import WORKER_MODULE, calculate
from chatbot.tools.weather.areas import find_area
from chatbot.tools.workers import ProcessWorkers


@pytest.fixture(scope="session")
def calculators() -> Iterator[ProcessWorkers]:
    """Worker processes that have SymPy; started once, for all tests that really compute."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(ProcessWorkers(preload=[WORKER_MODULE])) as workers,
    ):
        patient = StandIn(workers=workers, settings={"time_limit_s": 60})
        run_tool(calculate.with_limits(deadline_s=60), patient, expression="1")
        yield workers


@pytest.fixture(scope="session")
def tables() -> None:
    """The weather's tables are loaded once in a process; short limits are not for that."""
    find_area("Warszawa")


@pytest.fixture
def openmeteo() -> Iterator[ScriptedOpenMeteo]:
    with ScriptedOpenMeteo() as service:
        yield service


@pytest.fixture
def openweather() -> Iterator[ScriptedOpenWeather]:
    with ScriptedOpenWeather() as service:
        yield service
