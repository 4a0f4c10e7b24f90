"""Scripted engines, in process, that play a model's answer delta by delta."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.lowlevel import checkpoint

from chatbot.ports import DeltaSink, PouringDeltas
from chatbot.types import Artifact, ChatRequest, Delta, ImageRequest, Usage

ONE_PIXEL_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000b49444154789c6360000200000500017a5eab3f0000000049454e44ae426082"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pause:
    """A step of a script: wait this many seconds before the next delta."""

    seconds: float


Step = Delta | Pause | Exception
Script = Sequence[Step | str]


def answer(*pieces: str, prompt_tokens: int = 7) -> tuple[Delta, ...]:
    """The deltas of an ordinary answer: one a piece, then the end with its usage."""
    usage = Usage(prompt_tokens=prompt_tokens, completion_tokens=len(pieces))
    return (*(Delta(text=piece) for piece in pieces), Delta(finish="stop", usage=usage))


@dataclass(kw_only=True)
class ScriptedEngine:
    """A `ChatEngine` that plays a script: texts, deltas, pauses and errors, in order.

    ``script`` is one sequence for every request, or a function of the request. A string stands for
    ``Delta(text=…)``; a script of nothing but strings is ended with ``finish="stop"``. Requests are
    kept in ``requests``; ``played`` counts the deltas given out, ``aborted`` the streams that were
    left before their script had ended. Text can be poured, as servers' is.
    """

    script: Script | Callable[[ChatRequest], Script]
    name: str = "scripted"
    requests: list[ChatRequest] = field(default_factory=list)
    played: int = 0
    aborted: int = 0
    open_streams: int = 0

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        """Play the script; an error that stands first is raised on entering."""
        self.requests.append(request)
        steps = _whole(self.script(request) if callable(self.script) else self.script)
        if steps and isinstance(steps[0], Exception):
            raise steps[0]
        deltas = _Playback(self, steps)
        self.open_streams += 1
        try:
            yield deltas
        finally:
            self.open_streams -= 1
            self.aborted += not deltas.has_ended


def _whole(script: Script) -> tuple[Step, ...]:
    if all(isinstance(step, str) for step in script):
        return answer(*(str(step) for step in script))
    return tuple(Delta(text=step) if isinstance(step, str) else step for step in script)


class _Playback(PouringDeltas):
    """Iterates over the steps of one stream, or pours them, and counts them on the engine."""

    def __init__(self, engine: ScriptedEngine, steps: Sequence[Step]) -> None:
        self._engine = engine
        self._steps = deque(steps)
        self.has_ended = False

    async def pour(self, sink: DeltaSink) -> None:
        await checkpoint()
        goes_on = True
        while goes_on and self._steps and isinstance(step := self._steps[0], Delta):
            if step.calls or step.finish or step.usage or step.engine:
                return
            self._steps.popleft()
            self._engine.played += 1
            goes_on = sink(step)

    async def __anext__(self) -> Delta:
        await checkpoint()
        while self._steps:
            match step := self._steps.popleft():
                case Pause(seconds=seconds):
                    await anyio.sleep(seconds)
                case Delta():
                    self._engine.played += 1
                    return step
                case _:
                    raise step
        self.has_ended = True
        raise StopAsyncIteration


@dataclass(kw_only=True)
class ScriptedImageEngine:
    """An `ImageEngine` that gives the same picture each time, or raises ``error``.

    ``drawn`` is what it says it drew in place of what was asked; ``model`` the model it names.
    """

    name: str = "scripted-images"
    artifact_data: bytes = ONE_PIXEL_PNG
    error: Exception | None = None
    steps: int = 4
    drawn: str | None = None
    model: str | None = None
    requests: list[ImageRequest] = field(default_factory=list)

    def generate(
        self,
        request: ImageRequest,
        *,
        deadline_s: float,
        on_step: Callable[[int, int], None] | None = None,
    ) -> Artifact:
        """Give the scripted picture, after reporting each step."""
        self.requests.append(request)
        if deadline_s <= 0:
            raise TimeoutError(deadline_s)
        if self.error is not None:
            raise self.error
        for step in range(1, self.steps + 1):
            if on_step is not None:
                on_step(step, self.steps)
        return Artifact(
            media_type="image/png",
            data=self.artifact_data,
            alt=request.prompt,
            width=1,
            height=1,
            prompt=self.drawn,
            model=self.model,
        )
