"""A real gateway on a loopback port, in a thread, with scripted engines behind it."""

import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

import anyio
from fastapi import FastAPI
from pydantic import Field
from scripted.patience import PATIENCE_S

from chatbot.bot import Chatbot
from chatbot.ports import ChatEngine
from chatbot.router import DIALECTS, Dispatcher, Router
from chatbot.testing import ONE_PIXEL_PNG, InlineWorkers, ScriptedEngine
from chatbot.tools import Registry, Tool, tool
from chatbot.types import Artifact, Attribution, ToolResult
from serving.app import create_app
from serving.assembly import Assembly, new_id
from serving.cli.server import build_server
from serving.clock import SystemClock
from serving.engines.remote import open_chat_engines, probe_chat_engines
from serving.http.server import DrainingServer
from serving.settings import Settings
from serving.storage import StoredImages, load_keyring


@tool(title="Kurs", examples=["ile kosztuje euro?"])
async def rate(currency: Annotated[str, Field(description="ISO code, e.g. EUR")]) -> ToolResult:
    """Average exchange rate of a currency. Not for history or advice."""
    return ToolResult(
        content=f"**{currency}**: 4,26 zł",
        plain=f"{currency}: 4,26 zł",
        attribution=(Attribution(source="NBP", title="Tabela A", url="https://nbp.example/a"),),
    )


@tool(title="Rysunek", examples=["narysuj kropkę"])
async def draw(description: Annotated[str, Field(description="What to draw")]) -> ToolResult:
    """Draw a dot."""
    dot = Artifact(media_type="image/png", data=ONE_PIXEL_PNG, alt=description, width=1, height=1)
    return ToolResult(content="Gotowe.", artifacts=(dot,))


@tool(title="Zegar", examples=["poczekaj"])
async def wait(seconds: Annotated[float, Field(description="Seconds to wait")]) -> str:
    """Wait some seconds."""
    await anyio.sleep(seconds)
    return f"minęło {seconds:g} s"


def call(name: str, arguments: str = "{}") -> tuple[str, ...]:
    """What the router model says when it calls ``name``."""
    return (f'<|python_tag|>{{"name": "{name}", "parameters": {arguments}}}',)


DEFAULT = call("default_function")


def stay_cold() -> None:
    """Nothing here needs to be warmed."""


@dataclass(kw_only=True)
class Backstage:
    """What stands behind a scripted gateway; the first engine of the settings, if any, answers."""

    router: ChatEngine = field(default_factory=lambda: ScriptedEngine(script=DEFAULT))
    engine: ChatEngine = field(default_factory=lambda: ScriptedEngine(script=["Dzień ", "dobry."]))
    tools: Sequence[Tool] = (rate, draw, wait)

    @asynccontextmanager
    async def open(self, settings: Settings) -> AsyncIterator[Assembly]:
        """Stands in for `serving.assembly.assemble`."""
        clock = SystemClock()
        keyring = load_keyring(settings, settings.data_dir)
        images = StoredImages(
            folder=settings.data_dir / "images",
            keyring=keyring,
            settings=settings.images,
            clock=clock,
        )
        registry = Registry(tools=self.tools, workers=InlineWorkers(), clock=clock)
        async with registry, open_chat_engines(settings.engines, clock=clock) as engines:
            chatbot = Chatbot(
                dispatcher=Dispatcher(
                    router=Router(engine=self.router, dialect=DIALECTS["llama3.1"], clock=clock),
                    clock=clock,
                ),
                engine=next(iter(engines.values()), self.engine),
                tools=registry,
                images=images,
                clock=clock,
                new_id=new_id,
            )
            yield Assembly(
                settings=settings,
                chatbot=chatbot,
                engines=engines,
                images=images,
                keyring=keyring,
                clock=clock,
                warm=stay_cold,
                probe=partial(probe_chat_engines, tuple(engines.values()), settings.data_dir),
            )


@dataclass(frozen=True, kw_only=True)
class RunningGateway:
    """A gateway that answers at ``url``."""

    url: str
    server: DrainingServer

    @property
    def port(self) -> int:
        """Its port on the loopback."""
        return int(self.url.rpartition(":")[2])

    @property
    def turns(self) -> int:
        """Turns running now."""
        return self.server.admission.turns


@contextmanager
def running_gateway(settings: Settings, backstage: Backstage) -> Iterator[RunningGateway]:
    """Serve what is scripted, until the block is left."""
    app = create_app(settings, open_assembly=backstage.open)
    with running_app(settings, app) as gateway:
        yield gateway


@contextmanager
def running_app(settings: Settings, app: FastAPI) -> Iterator[RunningGateway]:
    """Serve ``app`` on a free port, in a thread, until the block is left."""
    server = build_server(settings.model_copy(update={"port": 0}), app)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        yield RunningGateway(url=server.url, server=server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


def wait_until(is_so: Callable[[], bool], limit_s: float = PATIENCE_S) -> None:
    """Return when ``is_so()`` holds.

    Raises:
        TimeoutError: it did not within ``limit_s`` seconds.
    """
    deadline = time.monotonic() + limit_s
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.01)
