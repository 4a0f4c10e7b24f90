"""A gateway whose engine is real, in front of a fault server that plays the model."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import openai
from scripted.databases import put_tables, storage_in
from scripted.engine_under_test import engine_settings
from scripted.fault_server import FaultServer
from scripted.gateway import Backstage, RunningGateway, running_gateway
from scripted.openai_clients import async_client_of
from scripted.patience import PATIENCE_S

from serving.settings import (
    BillingSettings,
    LimitsSettings,
    QuotaSettings,
    Settings,
    StorageSettings,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class FullStack:
    """A client, the gateway it talks to, and the fault server that plays the engine `bielik`."""

    client: openai.AsyncOpenAI
    gateway: RunningGateway
    server: FaultServer


@asynccontextmanager
async def full_stack(
    folder: Path,
    fault: str = "fault=none",
    *,
    accepts: tuple[str, ...] = (),
    speed: float = 1.0,
    behind: Backstage | None = None,
    billing: BillingSettings | None = None,
    storage: StorageSettings | None = None,
    quotas: QuotaSettings | None = None,
    **limits: float,
) -> AsyncIterator[FullStack]:
    put_tables(folder)
    async with FaultServer() as server:
        engine = engine_settings(server.url, model=fault, speed=speed)
        settings = Settings(
            data_dir=folder,
            engines={"bielik": engine.model_copy(update={"accepts": accepts})},
            quotas=quotas or QuotaSettings(),
            storage=storage or storage_in(folder),
            billing=billing or BillingSettings(),
            limits=LimitsSettings.model_validate({"heartbeat_s": 0.5} | limits),
        )
        with running_gateway(settings, behind or Backstage()) as gateway:
            async with async_client_of(f"{gateway.url}/v1") as client:
                yield FullStack(client=client, gateway=gateway, server=server)


async def wait_for_departure(stack: FullStack, limit_s: float = PATIENCE_S) -> float:
    """Seconds until the engine saw its client leave, from now."""
    began = anyio.current_time()
    await wait_for(lambda: stack.server.last.client_left_at is not None, limit_s)
    return anyio.current_time() - began


async def wait_for(is_so: Callable[[], bool], limit_s: float = PATIENCE_S) -> None:
    """Return when ``is_so()`` holds, letting the fault server work meanwhile."""
    with anyio.fail_after(limit_s):
        while not is_so():  # noqa: ASYNC110 (what is waited for happens in another thread too)
            await anyio.sleep(0.01)
