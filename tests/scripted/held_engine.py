"""An engine in a thread of its own, whose answers go no further than one tells it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anyio.from_thread import BlockingPortal, start_blocking_portal
from scripted.databases import address_in
from scripted.fault_server import FaultServer

TOKENS = 20
PRICES = '{"bielik": {"completion": "1"}}'
"""A token costs one micro-unit: what a row is charged is what it counts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldEngine:
    """The fault server, by default with answers of `TOKENS`."""

    server: FaultServer
    portal: BlockingPortal

    def hold(self) -> None:
        """Answers go no further than their first token."""
        self.server.permits = asyncio.Semaphore(0)

    def go_on(self) -> None:
        """Those that were held go on to their end, the next ones are not held."""
        permits, self.server.permits = self.server.permits, None
        assert permits is not None
        for _ in range(TOKENS):
            self.portal.call(permits.release)

    def environ(self, folder: Path) -> dict[str, str]:
        """The settings of a gateway in front of it, with the database of ``folder``."""
        address = address_in(folder)
        return {
            **({} if address is None else {"ZWROTNICA_STORAGE__URL": address}),
            "ZWROTNICA_ENGINES__BIELIK__KIND": "vllm",
            "ZWROTNICA_ENGINES__BIELIK__URL": self.server.url,
            "ZWROTNICA_ENGINES__BIELIK__MODEL": "bielik",
            "ZWROTNICA_BILLING__PRICES": PRICES,
        }


@contextmanager
def held_engine() -> Iterator[HeldEngine]:
    """Serve until the block ends."""
    server = FaultServer(default=f"fault=none;tokens={TOKENS}")
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(server):
        yield HeldEngine(server=server, portal=portal)
