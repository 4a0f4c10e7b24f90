"""Starts the image servers, once for all tests of this folder, side by side."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from engines.environment import require_installed
from engines.flux.flux_server import FluxServer, start


@dataclass(frozen=True, kw_only=True, slots=True)
class FluxServers:
    """``four_steps``: as for [schnell]; ``many_steps``: slow, in large batches, seeds or not."""

    four_steps: FluxServer
    many_steps: FluxServer


@pytest.fixture(scope="session")
def flux_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FluxServers]:
    require_installed()
    logs = tmp_path_factory.mktemp("flux")
    with ExitStack() as stack:
        four = stack.enter_context(start(logs / "four.log"))
        many = stack.enter_context(
            start(
                logs / "many.log",
                steps=100,
                batch=16,
                pictures=10,
                seeds_alone=False,
                vae_tiling=True,
                vae_slicing=True,
            )
        )
        yield FluxServers(four_steps=four, many_steps=many)
        assert [server.wait().stop() for server in (four, many)] == [0, 0]


@pytest.fixture(scope="session")
def flux(flux_servers: FluxServers) -> FluxServer:
    return flux_servers.four_steps.wait()


@pytest.fixture(scope="session")
def slow_flux(flux_servers: FluxServers) -> FluxServer:
    return flux_servers.many_steps.wait()
