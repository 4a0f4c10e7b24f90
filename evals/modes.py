"""What a router model is shown of a dialogue: the open question of the paper, as four modes."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import anyio
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from chatbot.errors import ZwrotnicaError
from chatbot.ports import ChatEngine
from chatbot.router.usage import Meter
from chatbot.sanitizer import chat_view
from chatbot.types import ChatMessage, ChatRequest, Delta, Leg, Message, Sampling, Text
from evals.cases import Case
from evals.exchanges import current_trace
from evals.solver import Solution, Solver
from serving.settings import EMBEDDED, Settings

Mode: TypeAlias = Literal["last", "history", "rewrite", "state"]
"""``last``: the last prompt alone. ``history``: the messages before it as well. ``rewrite``: the
last prompt as the default model has rewritten it, so that it stands alone. ``state``: lines on what
was spoken of, with the rules, checks and repairs that the product has."""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)

HISTORY_TOKENS: Final = 3000
"""Of the dialogue before the last prompt, so many tokens (estimated) are shown."""
REWRITE_S: Final = 20.0
_REWRITE_TOKENS: Final = 256
_REWRITE_CHARS: Final = 2000


class ModeError(ZwrotnicaError):
    """The mode cannot be run with these settings."""


def settings_for(mode: Mode | None, settings: Settings) -> Settings:
    """The settings of a mode: all but ``state`` measure the router model alone."""
    if mode is None or mode == "state":
        return settings
    alone = {
        "dialogue": False,
        "fast_path": False,
        "verify": False,
        "grounding": False,
        "second_engine": None,
    }
    return settings.model_copy(update={"router": settings.router.model_copy(update=alone)})


def possible_modes(settings: Settings) -> tuple[Mode, ...]:
    """All modes; without a language model as the default model, nothing can be rewritten."""
    answering = settings.engines.get(settings.answering_engine)
    has_model = answering is not None and answering.kind != EMBEDDED
    return tuple(mode for mode in MODES if has_model or mode != "rewrite")


class HistoryEngine:
    """A `ChatEngine` before another: shows it the dialogue of the case, before the last message."""

    def __init__(self, engine: ChatEngine) -> None:
        """Stand before ``engine``."""
        self._engine = engine

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.name

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        """Open one generation."""
        trace = current_trace()
        *head, last = request.messages
        earlier = () if trace is None else _earlier(trace.case)
        shown = replace(request, messages=(*head, *earlier, last))
        async with self._engine.stream(shown) as deltas:
            yield deltas


@dataclass(frozen=True, kw_only=True, slots=True)
class Rewritten:
    """A prompt that stands alone, what writing it cost, and how long it took."""

    prompt: str
    leg: Leg
    ms: float


class RewritingSolver:
    """Lets a model rewrite the prompt of a dialogue, and solves what it wrote, alone."""

    def __init__(self, solver: Solver, engine: ChatEngine, monotonic: Callable[[], float]) -> None:
        """Rewrite with ``engine``, solve with ``solver``."""
        self._solver = solver
        self._engine = engine
        self._monotonic = monotonic

    async def solve(self, case: Case) -> Solution:
        """Decide for ``case``; a rewriting that fails leaves the prompt as it is."""
        if not case.history:
            return await self._solver.solve(case)
        rewritten = await self._rewrite(case)
        alone = replace(case, prompt=rewritten.prompt, history=())
        solution = await self._solver.solve(alone)
        return replace(
            solution,
            legs=(rewritten.leg, *solution.legs),
            verdict_ms=solution.verdict_ms + round(rewritten.ms),
            decision_ms=solution.decision_ms + rewritten.ms,
            rewritten=rewritten.prompt,
        )

    async def _rewrite(self, case: Case) -> Rewritten:
        text = _render(messages=_earlier(case), prompt=case.prompt)
        request = ChatRequest(
            messages=(ChatMessage(role="user", text=text),),
            sampling=Sampling(temperature=0.0, max_tokens=_REWRITE_TOKENS),
        )
        meter = Meter(engine=self._engine.name, request=request)
        started = self._monotonic()
        written = await self._hear(request, meter)
        prompt = " ".join(written.split()).strip("\"„”'")[:_REWRITE_CHARS]
        took = 1000 * (self._monotonic() - started)
        return Rewritten(prompt=prompt or case.prompt, leg=meter.leg(), ms=took)

    async def _hear(self, request: ChatRequest, meter: Meter) -> str:
        pieces: list[str] = []
        try:
            with anyio.fail_after(REWRITE_S):
                async with self._engine.stream(request) as deltas:
                    async for delta in deltas:
                        meter.feed(delta)
                        pieces.append(delta.text)
        except (TimeoutError, ZwrotnicaError):
            return ""
        return "".join(pieces)


def _earlier(case: Case) -> tuple[ChatMessage, ...]:
    """What was said before the prompt, as a model may read it."""
    if not case.history:
        return ()
    prompt = Message(role="user", parts=(Text(text="…"),))
    *earlier, _ = chat_view((*case.history, prompt), system=None, context_tokens=HISTORY_TOKENS)
    return tuple(earlier)


def _render(**values: object) -> str:
    return _template().render(values).strip()


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("evals", "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - a prompt for a model, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("rewrite.j2")
