"""Starts the real servers, once for all tests of this folder."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from engines.slow_twin import TINY, slow_twin
from engines.vllm_server import PARSER_ON, SMALL_STEPS, Starting, Vllm, is_installed, start
from engines.windows import Summary
from scripted.missing import stop_without

from chatbot.tools.builtin import BUILT_IN
from chatbot.types import ToolSpec

INSTALL = "run: make test-engines (or tests/engines/install.sh)"


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Summary(), "after-leaving")


@dataclass(frozen=True, kw_only=True, slots=True)
class Servers:
    """The servers, started side by side because each takes a minute to import."""

    parser_on: Starting
    parser_off: Starting
    slow: Starting


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    if not is_installed():
        stop_without(f"vLLM is not installed; {INSTALL}")
    logs = tmp_path_factory.mktemp("vllm")
    with ExitStack() as stack:
        yield Servers(
            parser_on=stack.enter_context(start(TINY, logs / "parser_on.log", PARSER_ON)),
            parser_off=stack.enter_context(start(TINY, logs / "parser_off.log")),
            slow=stack.enter_context(start(slow_twin(), logs / "slow.log", SMALL_STEPS)),
        )


@pytest.fixture(scope="session")
def parser_on(servers: Servers) -> Vllm:
    return servers.parser_on.wait()


@pytest.fixture(scope="session")
def parser_off(servers: Servers) -> Vllm:
    return servers.parser_off.wait()


@pytest.fixture(scope="session")
def slow(servers: Servers) -> Vllm:
    return servers.slow.wait()


@pytest.fixture(scope="session")
def tools() -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in BUILT_IN)
