"""The whole gateway with a fault server as its image server, which a description can steer."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import openai
from anyio.from_thread import start_blocking_portal
from scripted.databases import put_tables
from scripted.fault_server import FaultServer
from scripted.gateway import RunningGateway, running_app
from scripted.openai_clients import client_of

from chatbot.testing import ManualClock
from serving.app import OpenAssembly, create_app
from serving.assembly import Assembly, assemble
from serving.settings import (
    BillingSettings,
    ImageEngineSettings,
    ImagesSettings,
    LimitsSettings,
    QuotaSettings,
    SafetySettings,
    Settings,
    ToolsSettings,
)
from serving.storage import StoredImages

MODEL = "flux-w-teście"


@dataclass(frozen=True, kw_only=True, slots=True)
class Gallery:
    """A gateway that draws: ``engine`` is its image server; ``clock`` that of the links."""

    gateway: RunningGateway
    engine: FaultServer
    client: openai.OpenAI
    clock: ManualClock

    @property
    def url(self) -> str:
        return self.gateway.url

    def say(self, text: str) -> str:
        """The chatbot's whole answer."""
        completion = self.client.chat.completions.create(
            model="zwrotnica", messages=[{"role": "user", "content": text}]
        )
        return completion.choices[0].message.content or ""


@contextmanager
def open_gallery(
    folder: Path,
    *,
    deadline_s: float = 1.0,
    has_engine: bool = True,
    engine: Mapping[str, object] | None = None,
    images: Mapping[str, object] | None = None,
    billing: BillingSettings | None = None,
    quotas: QuotaSettings | None = None,
    safety: SafetySettings | None = None,
) -> Iterator[Gallery]:
    """Serve until the block is left; ``deadline_s`` is for one picture."""
    put_tables(folder)
    clock = ManualClock()
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        server = FaultServer()
        stack.enter_context(portal.wrap_async_context_manager(server))
        drawing = ImageEngineSettings.model_validate({
            "kind": "zwrotnica",
            "url": server.url,
            "model": MODEL,
            "deadline_s": deadline_s,
            "failures_allowed": 100_000,
            **(engine or {}),
        })
        settings = Settings(
            data_dir=folder,
            quotas=quotas or QuotaSettings(),
            safety=safety or SafetySettings(),
            images=ImagesSettings.model_validate({
                **(images or {}),
                "engine": drawing if has_engine else None,
            }),
            tools=ToolsSettings(enabled=("image",)),
            billing=billing or BillingSettings(),
            limits=LimitsSettings(heartbeat_s=0.2, drain_s=0.5),
        )
        app = create_app(settings, open_assembly=_with_clock(clock))
        gateway = stack.enter_context(running_app(settings, app))
        client = client_of(f"{gateway.url}/v1")
        yield Gallery(
            gateway=gateway, engine=server, client=stack.enter_context(client), clock=clock
        )


def _with_clock(clock: ManualClock) -> OpenAssembly:
    @asynccontextmanager
    async def opened(settings: Settings) -> AsyncIterator[Assembly]:
        async with assemble(settings) as assembly:
            images = StoredImages(
                folder=assembly.settings.data_dir / "images",
                keyring=assembly.keyring,
                settings=assembly.settings.images,
                clock=clock,
            )
            yield replace(assembly, images=images)

    return opened
