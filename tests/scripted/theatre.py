"""One gateway for many conversations: what a user writes says what router and model do with it."""

import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import anyio
from pydantic import Field
from scripted.databases import put_tables, storage_in
from scripted.gateway import (
    DEFAULT,
    Backstage,
    RunningGateway,
    call,
    draw,
    rate,
    running_gateway,
    wait,
)
from scripted.patience import NEVER_S

from chatbot.errors import EngineLost, EngineUnavailable, ToolError
from chatbot.testing import Pause, ScriptedEngine
from chatbot.tools import tool
from chatbot.types import ChatRequest, Delta, Usage
from serving.assembly import Assembly
from serving.settings import ChatSettings, LimitsSettings, Settings, StorageSettings

WORDS = ("Zażółć ", "gęślą ", "jaźń, ", "proszę ", "bardzo.")
FLOOD = ("woda " * 13_000,) * 80
"""More than the buffers of a connection hold."""
TITLE = "Nadajesz tytuły"
POLL_S = 0.005


@tool(title="Zepsute", examples=["zawiedź"])
async def fail(what: Annotated[str, Field(description="What to fail at")] = "wszystko") -> str:
    """Fail."""
    raise ToolError(f"Nie udało się: {what}.")


@tool(title="Dwoje", examples=["nazwij"])
async def ask_name(name: Annotated[str, Field(description="A name")]) -> str:
    """Needs a name."""
    return f"Cześć, {name}!"


def decide(request: ChatRequest) -> Sequence[Delta | Pause | Exception | str]:
    """What the router model says to the user's words."""
    prompt = request.messages[-1].text
    for word, said in (
        ("euro", call("rate", '{"currency": "EUR"}')),
        ("narysuj", call("draw", '{"description": "pies i kot"}')),
        ("poczekaj", call("wait", f'{{"seconds": {NEVER_S:g}}}')),
        ("zawiedź", call("fail")),
        ("nazwij", call("ask_name")),
        ("milczący router", (Pause(seconds=NEVER_S), Delta(text="nic"))),
    ):
        if word in prompt.rpartition("User")[2]:
            return said
    return DEFAULT


@dataclass
class Actor:
    """The default model: obeys the last message; `gate` lets a held answer go on."""

    name: str = "bielik"
    title: str = "Zupełnie nowy tytuł"
    requests: list[ChatRequest] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    playing: int = 0

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        """Play what was asked for."""
        self.requests.append(request)
        if "nikogo" in self._prompt(request):
            raise EngineUnavailable("refused", engine=self.name)
        self.playing += 1
        try:
            yield self._play(request)
        finally:
            self.playing -= 1

    async def _play(self, request: ChatRequest) -> AsyncIterator[Delta]:
        prompt = self._prompt(request)
        for number, piece in enumerate(self._pieces(request)):
            if number == 2:
                await self._stumble(prompt)
            yield Delta(text=piece)
        usage = Usage(prompt_tokens=7, completion_tokens=len(WORDS))
        yield Delta(finish="length" if "za długo" in prompt else "stop", usage=usage)

    async def _stumble(self, prompt: str) -> None:
        """What happens after two words."""
        if "przerwij" in prompt:
            raise EngineLost("gone", engine=self.name)
        if "usterka" in prompt:
            raise ZeroDivisionError("Tajny tekst")
        if "bez końca" in prompt:
            await anyio.sleep(NEVER_S)
        while "czekaj na znak" in prompt and not self.gate.is_set():  # noqa: ASYNC110 (a thread's)
            await anyio.sleep(POLL_S)

    def _pieces(self, request: ChatRequest) -> Sequence[str]:
        if TITLE in request.messages[0].text:
            return (self.title,)
        if "lej wodę" in self._prompt(request):
            return FLOOD
        if "powtórz" in self._prompt(request):
            return ("\n".join(f"{one.role}: {one.text}" for one in request.messages),)
        return WORDS

    @staticmethod
    def _prompt(request: ChatRequest) -> str:
        return request.messages[-1].text


@dataclass(kw_only=True)
class Speaking(Backstage):
    """A gateway whose default model is a language model."""

    @asynccontextmanager
    async def open(self, settings: Settings) -> AsyncIterator[Assembly]:
        async with super().open(settings) as assembly:
            yield replace(assembly, chatbot=replace(assembly.chatbot, phrases=True))


@dataclass(frozen=True, kw_only=True, slots=True)
class Theatre:
    """The gateway and the model behind it."""

    gateway: RunningGateway
    actor: Actor


@contextmanager
def open_theatre(
    folder: Path,
    *,
    chat: ChatSettings | None = None,
    storage: StorageSettings | None = None,
    limits: LimitsSettings | None = None,
    speaks: bool = False,
) -> Iterator[Theatre]:
    """A gateway with small limits, until the block is left."""
    put_tables(folder)
    settings = Settings(
        data_dir=folder,
        chat=chat or ChatSettings(save_s=0.05),
        storage=storage or storage_in(folder),
        limits=limits or LimitsSettings(heartbeat_s=0.2, drain_s=0.5),
    )
    actor = Actor()
    kind = Speaking if speaks else Backstage
    behind = kind(
        router=ScriptedEngine(script=decide),
        engine=actor,
        tools=(rate, draw, wait, fail, ask_name),
    )
    with running_gateway(settings, behind) as gateway:
        yield Theatre(gateway=gateway, actor=actor)
