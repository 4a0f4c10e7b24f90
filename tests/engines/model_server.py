"""A real model server: how to reach it, and what it tells that clients do not see."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import anyio
import requests
from anyio import to_thread

from serving.engines.kinds import ENGINE_KINDS, EngineKind
from serving.settings import EngineSettings

_LIMIT_S: Final = 30.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What a kind of server calls its figures."""

    running: str
    generated: str


FIGURES: Final[Mapping[str, Figures]] = MappingProxyType({
    "vllm": Figures(running="vllm:num_requests_running", generated="vllm:generation_tokens_total"),
    "transformers": Figures(
        running="zwrotnica_reference_running",
        generated="zwrotnica_reference_generated_tokens_total",
    ),
})


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelServer:
    """A running server as the settings ``engine`` describe it."""

    engine: EngineSettings

    @property
    def kind(self) -> EngineKind:
        """What is known of servers like it."""
        return ENGINE_KINDS[self.engine.kind]

    @property
    def api(self) -> str:
        """The base address as OpenAI clients want it."""
        return self.engine.url or ""

    @property
    def url(self) -> str:
        """The base address without ``/v1``."""
        return self.api.removesuffix("/v1")

    @property
    def key(self) -> str:
        """The key that it asks for."""
        assert self.engine.api_key is not None
        return self.engine.api_key.get_secret_value()

    def but(self, **settings: object) -> "ModelServer":
        """The same server as other ``settings`` of the engine describe it."""
        return replace(self, engine=self.engine.model_copy(update=settings))

    def metric(self, name: str) -> float:
        """The sum of a metric's samples at this moment."""
        text = requests.get(f"{self.url}/metrics", timeout=_LIMIT_S).text
        lines = (line for line in text.splitlines() if line.startswith((f"{name}{{", f"{name} ")))
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    def running(self) -> int:
        """Requests that it is working on."""
        return int(self.metric(FIGURES[self.engine.kind].running))

    def generated(self) -> int:
        """Tokens generated since the start, by its own counter."""
        return int(self.metric(FIGURES[self.engine.kind].generated))

    def tokens(self, text: str) -> list[int]:
        """The ids of ``text`` as the model reads it, where it stands for itself."""
        return self._tokenize({"prompt": text, "add_special_tokens": False})

    def chat_tokens(self, text: str) -> list[int]:
        """The ids of a chat whose only message is ``text``, template and all."""
        return self._tokenize({"messages": [{"role": "user", "content": text}]})

    def post(
        self, path: str, body: Mapping[str, object], *, is_streamed: bool = False
    ) -> requests.Response:
        """The successful reply to ``body``."""
        reply = requests.post(
            self.url + path,
            json={"model": self.engine.model, **body},
            headers={"Authorization": f"Bearer {self.key}"},
            timeout=_LIMIT_S,
            stream=is_streamed,
        )
        reply.raise_for_status()
        return reply

    def _tokenize(self, body: dict[str, object]) -> list[int]:
        return [int(token) for token in self.post("/tokenize", body).json()["tokens"]]


async def is_idle(server: ModelServer, within_s: float) -> bool:
    """Whether the server works on no request any more within the time."""
    return await _reaches(server, range(1), within_s)


async def is_busy(server: ModelServer, within_s: float) -> bool:
    """Whether the server works on some request within the time."""
    return await _reaches(server, range(1, 1000), within_s)


async def _reaches(server: ModelServer, wanted: range, within_s: float) -> bool:
    """Whether the number of running requests, asked every 20 ms, is a ``wanted`` one."""
    deadline = anyio.current_time() + within_s
    while await to_thread.run_sync(server.running) not in wanted:
        if anyio.current_time() > deadline:
            return False
        await anyio.sleep(0.02)
    return True
