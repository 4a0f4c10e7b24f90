"""The decorator that makes a tool of a plain function, with the running of one call."""

import asyncio
import copy
import inspect
import logging
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Self, TypeAlias, TypeVar

import anyio
from pydantic import BaseModel

from chatbot.errors import ToolError, ToolTimeout
from chatbot.tools.context import NoSettings, ToolContext
from chatbot.tools.echo import echo
from chatbot.tools.failures import KNOWN_FAILURES, explain
from chatbot.tools.results import RESULT_BYTES, ToolPart, bound_result, collect, complete_result
from chatbot.tools.schema import Signature, read_signature
from chatbot.types import (
    AnswerMode,
    JsonObject,
    NameKind,
    ToolCall,
    ToolOutcome,
    ToolResult,
    ToolSpec,
)

_log = logging.getLogger(__name__)

Returned: TypeAlias = str | ToolResult
ToolFunction: TypeAlias = Callable[..., Returned | Awaitable[Returned] | AsyncIterator[ToolPart]]
ResultT = TypeVar("ResultT")
PrepareT = TypeVar("PrepareT", bound=Callable[..., object])

SESSION_SHARE = 0.9
"""Part of a tool's deadline after which its session is cut, so that the tool can still answer."""

_QUESTIONS: dict[NameKind, str] = {
    "place": "O jaką miejscowość chodzi?",
    "person": "O kogo chodzi?",
    "topic": "O jaki temat chodzi?",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolRun:
    """How a call ended, and its result where it ended well."""

    outcome: ToolOutcome
    result: ToolResult | None


class Tool:
    """A function that the router may call; made by `tool`, which describes the fields."""

    def __init__(
        self,
        function: ToolFunction,
        *,
        signature: Signature,
        spec: ToolSpec,
        key: str,
        answer: AnswerMode,
        settings_model: type[BaseModel],
        deadline_s: float,
        summary: Callable[[JsonObject], str] | None,
    ) -> None:
        """Put the parts together; nothing is run or registered."""
        self.function = function
        self.signature = signature
        self.spec = spec
        self.key = key
        self.answer: AnswerMode = answer
        self.settings_model = settings_model
        self.deadline_s = deadline_s
        self._summary = summary
        self._prepare: Callable[..., object] | None = None

    @property
    def name(self) -> str:
        """The name that models and clients use."""
        return self.spec.name

    def prepare(self, function: PrepareT) -> PrepareT:
        """Decorate a function (async or not) that a registry runs once, when it opens.

        It may take the tool's context, and what it returns is ``ctx.prepared`` of every call. It
        has the tool's deadline. If it fails the chatbot starts all the same: the next call tries
        again, and says in Polish that the tool is not ready when that fails too.
        """
        self._prepare = function
        return function

    def with_limits(self, *, deadline_s: float) -> Self:
        """The same tool with another deadline, in seconds."""
        other = copy.copy(self)
        other.deadline_s = deadline_s
        return other

    def validate(self, arguments: JsonObject) -> JsonObject:
        """Arguments in canonical form: coerced, defaults filled in, unknown ones left out.

        Raises:
            ToolArgumentError: an argument is missing or cannot be used.
        """
        dumped: JsonObject = self.signature.read(arguments).model_dump(mode="json")
        return dumped

    def ask(self, argument: str) -> str:
        """A short Polish question for an argument that is missing."""
        for known in self.signature.arguments:
            if known.name == argument:
                if known.question:
                    return known.question
                if known.kind:
                    return _QUESTIONS[known.kind]
        return f"Jaką wartość ma mieć „{argument}” (narzędzie „{self.spec.title}”)?"

    def summarise(self, arguments: JsonObject) -> str:
        """One line for people: the title and the values that matter, "Pogoda · Łódź · jutro"."""
        if self._summary is not None:
            said: list[object] = [self._summary(arguments)]
        else:
            defaults = self.signature.model.model_fields
            said = [
                value
                for name, value in arguments.items()
                if name in defaults and value not in (None, "", defaults[name].default)
            ]
        return " · ".join((self.spec.title, *(echo(words, longest=80) for words in said)))

    async def run(self, call: ToolCall, ctx: ToolContext) -> ToolRun:
        """Run one call; whatever happens becomes an outcome, except cancellation."""
        started = ctx.clock.monotonic()
        result = await self._guard(partial(self.call, call.arguments, ctx), call.call_id)
        if isinstance(result, ToolError):
            return self.failed(call, result.message, ms=_milliseconds(ctx, started))
        result = complete_result(result, call_id=call.call_id, now=ctx.clock.now())
        outcome = ToolOutcome(
            call_id=call.call_id,
            name=call.name,
            status="ok",
            content=result.content,
            plain=result.plain,
            state=result.state,
            ms=_milliseconds(ctx, started),
        )
        return ToolRun(outcome=outcome, result=result)

    async def call(self, arguments: JsonObject, ctx: ToolContext) -> ToolResult:
        """Validate, run within the deadline, and bound the result; errors come out as they are.

        Raises:
            ToolError: what the user is to read: the tool's own, or a known failure of its service.
            Exception: a bug in the tool.
        """
        values = self.signature.read(arguments)
        keywords = {name: getattr(values, name) for name in self.signature.model.model_fields}
        if self.signature.context is not None:
            keywords[self.signature.context] = ctx
        try:
            returned = await self._within_deadline(partial(self.function, **keywords), ctx)
        except KNOWN_FAILURES as error:
            raise explain(error, self.spec.title) from error
        if isinstance(returned, str):
            returned = ToolResult(content=returned)
        if not isinstance(returned, ToolResult):
            raise TypeError(f"{self.name!r} returned {type(returned).__name__}, not a result.")
        return bound_result(returned, max_bytes=RESULT_BYTES)

    async def prepare_with(self, ctx: ToolContext) -> object:
        """Run the prepare function, if there is one, and give its value.

        Raises:
            ToolError: it failed, in whatever way.
        """
        if self._prepare is None:
            return None
        takes_context = bool(inspect.signature(self._prepare).parameters)
        step = partial(self._prepare, *[ctx] * takes_context)
        prepared = await self._guard(partial(self._within_deadline, step, ctx), "prepare")
        if isinstance(prepared, ToolError):
            raise ToolError(
                f"Narzędzie „{self.spec.title}” nie jest gotowe. Spróbuj ponownie za chwilę."
            ) from prepared
        return prepared

    def failed(self, call: ToolCall, error: str, *, ms: int = 0) -> ToolRun:
        """The run of a call that failed with these Polish words, after ``ms`` milliseconds."""
        outcome = ToolOutcome(
            call_id=call.call_id, name=call.name, status="failed", error=error, ms=ms
        )
        return ToolRun(outcome=outcome, result=None)

    async def _guard(
        self, step: Callable[[], Awaitable[ResultT]], error_id: str
    ) -> ResultT | ToolError:
        """What ``step`` gives, or the error for the user; a bug is logged under ``error_id``."""
        try:
            return await step()
        except ToolError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a plugin's bug must not end the chat
            self._log_bug(error, error_id)
            return ToolError(
                f"Narzędzie „{self.spec.title}” zawiodło (błąd {error_id}). "
                "Spróbuj ponownie; jeśli to się powtórzy, zgłoś ten numer."
            )

    async def _within_deadline(self, function: Callable[[], object], ctx: ToolContext) -> object:
        loop = asyncio.get_running_loop()
        cut = loop.call_later(self.deadline_s * SESSION_SHARE, ctx.session.close)
        try:
            with anyio.move_on_after(self.deadline_s):
                return await _invoke_safely(function, ctx)
        finally:
            cut.cancel()
            ctx.session.close()
        seconds = f"{self.deadline_s:g}".replace(".", ",")
        raise ToolTimeout(
            f"„{self.spec.title}”: brak odpowiedzi w ciągu {seconds} s. Spróbuj ponownie za chwilę."
        )

    def _log_bug(self, error: Exception, error_id: str) -> None:
        """Log where it broke; not the message, which may quote the user."""
        frames = traceback.extract_tb(error.__traceback__)[-3:]
        where = " < ".join(f"{f.filename}:{f.lineno} {f.name}" for f in reversed(frames))
        fields = {"tool": self.name, "error_id": error_id, "error": type(error).__name__}
        _log.error("tool_failed", extra={**fields, "where": where})


async def _invoke_safely(function: Callable[[], object], ctx: ToolContext) -> object:
    """As `_invoke`; a tool that ends "the program", or cancels what nobody cancelled, has a bug."""
    try:
        return await _invoke(function, ctx)
    except SystemExit as error:
        raise RuntimeError("The tool asked the whole process to end.") from error
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise RuntimeError("The tool raised a cancellation of its own.") from error


async def _invoke(function: Callable[[], object], ctx: ToolContext) -> object:
    """Async functions and generators run on the loop, others in a thread."""
    inner = function.func if isinstance(function, partial) else function
    if not (inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner)):
        return await ctx.threads.run(function)
    returned = function()
    if isinstance(returned, AsyncGenerator):
        async with aclosing(returned):
            return await collect(returned)
    return await returned if inspect.isawaitable(returned) else returned


def _milliseconds(ctx: ToolContext, started: float) -> int:
    return round((ctx.clock.monotonic() - started) * 1000)


def tool(
    *,
    name: str | None = None,
    title: str | None = None,
    key: str | None = None,
    examples: Sequence[str] = (),
    settings: type[BaseModel] | None = None,
    answer: AnswerMode = "phrased",
    deadline_s: float = 10.0,
    summary: Callable[[JsonObject], str] | None = None,
) -> Callable[[ToolFunction], Tool]:
    """Make a `Tool` of a function; registers nothing.

    The function may be sync (it runs in a thread), async, or an async generator of parts. Its
    typed arguments make the JSON Schema and the validation; its docstring is what the router
    model reads. A parameter annotated `ToolContext` (or called ``ctx``) is given the context.

    Args:
        name: What models call; the function's name by default.
        title: What people see, in Polish; the name by default.
        key: The section of its settings, ``[tools.KEY]``; the name by default.
        examples: Polish prompts that should lead to this tool.
        settings: The pydantic model of its settings.
        answer: ``"verbatim"`` shows the result as it is, ``"phrased"`` lets the model word it.
        deadline_s: Seconds until a call is given up.
        summary: Words after the title in the one-line summary of a call.

    Raises:
        TypeError: the function cannot be a tool.
    """

    def decorate(function: ToolFunction) -> Tool:
        # Any callable with a name; `functools.partial` has none and needs `name=`.
        called = name or str(getattr(function, "__name__", ""))
        if not called.isidentifier():
            raise TypeError(f"{called!r} is no name for a tool; pass name='letters_and_digits'.")
        if inspect.isgeneratorfunction(function):
            raise TypeError(f"Tool {called!r} is a generator; make it async or return its result.")
        signature = read_signature(function, called)
        spec = ToolSpec(
            name=called,
            title=title or called,
            description=signature.description,
            parameters=signature.parameters,
            examples=tuple(examples),
        )
        return Tool(
            function,
            signature=signature,
            spec=spec,
            key=key or called,
            answer=answer,
            settings_model=settings or NoSettings,
            deadline_s=deadline_s,
            summary=summary,
        )

    return decorate
