"""The real servers, started once for all tests of this folder."""

from collections.abc import Iterator

import pytest
from engines.model_server import ModelServer
from engines.model_servers import ModelServers, start_servers
from engines.windows import Summary

from chatbot.tools.builtin import BUILT_IN
from chatbot.types import ToolSpec


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Summary(), "after-leaving")


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServers]:
    with start_servers(tmp_path_factory.mktemp("engines")) as servers:
        yield servers


@pytest.fixture(scope="session")
def parser_on(servers: ModelServers) -> ModelServer:
    return servers.wait("router")


@pytest.fixture(scope="session")
def parser_off(servers: ModelServers) -> ModelServer:
    return servers.wait("plain")


@pytest.fixture(scope="session")
def slow(servers: ModelServers) -> ModelServer:
    return servers.wait("slow")


@pytest.fixture(scope="session")
def reference(servers: ModelServers) -> ModelServer:
    return servers.wait("reference")


@pytest.fixture(scope="session")
def tools() -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in BUILT_IN)
