"""What the slow engine still generated after it was left: counted in windows, told at the end."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import anyio
import pytest
from engines.model_server import ModelServer

WINDOWS: Final = 10
MORE_TOKENS: Final = 8
QUIET_S: Final = 0.5
PROPERTY: Final = "after_leaving"

Publish: TypeAlias = Callable[[str], None]
"""Keeps a line for the end of the run."""


class Window:
    """A time in which nobody but the tested code asks anything of the server.

    ``generated`` is, once it is closed, what the engine's own counter grew by.
    """

    def __init__(self) -> None:
        self.generated = 0


@asynccontextmanager
async def open_window(vllm: ModelServer) -> AsyncIterator[Window]:
    """A window that closes `QUIET_S` after the body, when the engine must be idle."""
    window, before = Window(), vllm.generated()
    yield window
    await anyio.sleep(QUIET_S)
    assert vllm.running() == 0
    window.generated = vllm.generated() - before


class Summary:
    """A pytest plugin that tells the figures at the end of the run."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found = report.user_properties if report.when == "call" else ()
        self._lines += [str(value) for name, value in found if name == PROPERTY]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._lines:
            terminalreporter.section("after the slow engine was left")
        for line in self._lines:
            terminalreporter.write_line(line)
