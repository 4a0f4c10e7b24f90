"""The steps of a turn, as the domain tells them, in OpenTelemetry's names."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import MappingProxyType
from typing import Final

from chatbot.ports import Fact, Step, Untraced
from serving.telemetry.tracing import NO_SPAN, Span, current_span, step

_NAMES: Final[Mapping[str, str]] = MappingProxyType({
    "tool.name": "gen_ai.tool.name",
    "tool.call_id": "gen_ai.tool.call.id",
})
"""Facts that the semantic conventions have a name for; others are ``zwrotnica.STEP.FACT``."""
_TOOL: Final = MappingProxyType({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.type": "function",
})
_UNTRACED: Final = Untraced()


class TurnSteps:
    """Implements `chatbot.ports.Tracer` by spans below the current one."""

    def step(self, name: str, /, **facts: Fact) -> AbstractContextManager[Step]:
        """See `chatbot.ports.Tracer.step`."""
        return _UNTRACED.step(name) if current_span() is NO_SPAN else _follow(name, facts)


@contextmanager
def _follow(name: str, facts: Mapping[str, Fact]) -> Iterator[Step]:
    title = f"execute_tool {facts.get('name')}" if name == "tool" else name
    with step(title, _TOOL if name == "tool" else {}) as span:
        told = _Told(name, span)
        told.tell(**facts)
        yield told


class _Told:
    """What a step of the domain tells of itself, kept with its span."""

    __slots__ = ("_name", "_span")

    def __init__(self, name: str, span: Span) -> None:
        self._name = name
        self._span = span

    def tell(self, **facts: Fact) -> None:
        named = ((f"{self._name}.{fact}", value) for fact, value in facts.items())
        self._span.tell({_NAMES.get(name, f"zwrotnica.{name}"): value for name, value in named})

    def fail(self, code: str) -> None:
        self._span.fail(code)
