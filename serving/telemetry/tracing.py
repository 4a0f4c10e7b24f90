"""The steps of a request for whoever follows it, wherever it is worked on.

The one who lets requests in gives each a first span; every other is begun at the `current_span`.
Without a tracer that is `NO_SPAN`, which does nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    contextmanager,
    nullcontext,
)
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias

from chatbot.errors import ZwrotnicaError

Fact: TypeAlias = str | bool | int | float | Sequence[str] | None
Facts: TypeAlias = Mapping[str, Fact]
"""Attributes by their OpenTelemetry names; names, codes and figures, never anybody's words.

``None`` is left out.
"""
SpanKind: TypeAlias = Literal["server", "client", "internal"]
NO_FACTS: Final[Facts] = MappingProxyType({})


class Span(Protocol):
    """One step, from its beginning to its end; safe to use after it, and from any thread."""

    @property
    def trace_id(self) -> str | None:
        """Of the whole request: 32 hexadecimal digits."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """What to send to servers that work on this step, by W3C Trace Context."""
        ...

    def begin(self, name: str, *, kind: SpanKind = "internal", facts: Facts = NO_FACTS) -> "Span":
        """A step within this one, which begins now; whoever gets it ends it."""
        ...

    def rename(self, name: str) -> None:
        """Go by ``name``, known only now."""
        ...

    def tell(self, facts: Facts) -> None:
        """Keep ``facts`` about the step."""
        ...

    def note(self, event: str, facts: Facts = NO_FACTS) -> None:
        """Something happens now."""
        ...

    def fail(self, code: str) -> None:
        """The step fails; ``code`` is a word of ours or a class's name, never a message."""
        ...

    def end(self) -> None:
        """The step ends now."""
        ...


class Tracer(AbstractAsyncContextManager[object], Protocol):
    """Begins the first span of each request, and brings spans to where they are kept."""

    def begin(
        self, name: str, headers: Iterable[tuple[bytes, bytes]], *, facts: Facts = NO_FACTS
    ) -> Span:
        """The span of a request that comes now; a trace that its ``headers`` name goes on."""
        ...


class _NoSpan:
    """Stands where nobody traces."""

    __slots__ = ()
    trace_id: str | None = None
    headers: Mapping[str, str] = MappingProxyType({})

    def begin(self, name: str, *, kind: SpanKind = "internal", facts: Facts = NO_FACTS) -> Span:  # noqa: ARG002
        return self

    def rename(self, name: str) -> None:
        pass

    def tell(self, facts: Facts) -> None:
        pass

    def note(self, event: str, facts: Facts = NO_FACTS) -> None:
        pass

    def fail(self, code: str) -> None:
        pass

    def end(self) -> None:
        pass


NO_SPAN: Final[Span] = _NoSpan()
_CURRENT: Final[ContextVar[Span]] = ContextVar("span", default=NO_SPAN)
"""Of what this task works on; tasks and threads that it starts have it too."""


def current_span() -> Span:
    """The span of what is worked on here."""
    return _CURRENT.get()


_NOBODYS_WORK: Final = nullcontext()
_NOBODYS_STEP: Final = nullcontext(NO_SPAN)


def working_on(span: Span) -> AbstractContextManager[None]:
    """Within the block ``span`` is the current one; it is not ended with it."""
    return _NOBODYS_WORK if span is NO_SPAN else _work_on(span)


@contextmanager
def _work_on(span: Span) -> Iterator[None]:
    token = _CURRENT.set(span)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def step(name: str, facts: Facts = NO_FACTS) -> AbstractContextManager[Span]:
    """A step of what is worked on here; the block is the step, and an error its failure."""
    parent = _CURRENT.get()
    return _NOBODYS_STEP if parent is NO_SPAN else _step_of(parent, name, facts)


@contextmanager
def _step_of(parent: Span, name: str, facts: Facts) -> Iterator[Span]:
    span = parent.begin(name, facts=facts)
    try:
        with working_on(span):
            yield span
    except Exception as error:
        span.fail(code_of(error))
        raise
    finally:
        span.end()


def code_of(error: BaseException) -> str:
    """What may be told of ``error``: its code, or its class."""
    return error.code.value if isinstance(error, ZwrotnicaError) else type(error).__qualname__
