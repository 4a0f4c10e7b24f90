"""One engine of ours with several fault servers, or several engines, behind it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from scripted.engine_under_test import engine_settings
from scripted.fault_server import FaultServer

from chatbot.testing import ManualClock
from serving.engines.replicas.replicated import ReplicatedEngine
from serving.settings import EngineSettings

NAME = "bielik"
DEAD_PORTS = range(1, 9)
"""Nobody listens there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplicaSet:
    engine: ReplicatedEngine
    servers: tuple[FaultServer, ...]
    clock: ManualClock

    @property
    def asked(self) -> list[int]:
        """How many generations each server was asked for."""
        return [len(server.exchanges) for server in self.servers]


def replica_settings(
    *urls: str | Mapping[str, object], balance: Mapping[str, object] | None = None, **more: object
) -> EngineSettings:
    fields = engine_settings("http://unused/v1").model_dump(exclude={"url", "port", "urls"})
    return EngineSettings.model_validate({
        **fields,
        "urls": urls,
        "balance": balance or {},
        **more,
    })


@asynccontextmanager
async def replicas_with(
    *faults: str,
    balance: Mapping[str, object] | None = None,
    groups: Sequence[str] = (),
    seed: int = 1,
    **more: object,
) -> AsyncIterator[ReplicaSet]:
    """An engine whose servers play ``faults``, in this order; ``dead``: nobody listens.

    ``groups`` are theirs; ``single`` where it names none.
    """
    clock = ManualClock()
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(FaultServer(default=fault, heeds_requests=False))
            for fault in faults
            if fault != "dead"
        ]
        living = iter(server.url for server in servers)
        dead = iter(f"http://127.0.0.1:{port}/v1" for port in DEAD_PORTS)
        urls = [next(dead) if fault == "dead" else next(living) for fault in faults]
        replicas = [
            {"url": url, "group": group}
            for url, group in zip_longest(urls, groups, fillvalue="single")
        ]
        engine = ReplicatedEngine(
            name=NAME,
            settings=replica_settings(*replicas, balance=balance, **more),
            clock=clock,
            pick=Random(seed).choice,  # noqa: S311 - repeatable
        )
        await stack.enter_async_context(engine)
        yield ReplicaSet(engine=engine, servers=tuple(servers), clock=clock)
