"""One request to the router model: reads its stream no further than the decision needs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import assert_never

from chatbot.dialects import Dialect
from chatbot.errors import EngineTimeout, ZwrotnicaError
from chatbot.ports import ChatEngine, Clock, PouringDeltas
from chatbot.router.calls import CallReader, Reading
from chatbot.router.heads import Head
from chatbot.router.limits import RouterLimits
from chatbot.router.usage import Meter
from chatbot.router.verdict import Judge
from chatbot.router.wire import WireReader
from chatbot.types import (
    DEFAULT_FUNCTION,
    ChatRequest,
    Decision,
    Delta,
    FinishReason,
    RouteReason,
    ToolCall,
)

CERTAIN_CHARS = 4
"""Characters of a name that decide, where no other function begins with them."""

_CLEAN_ENDS: frozenset[FinishReason | None] = frozenset({"stop", "tool_calls"})


class Exchange:
    """Asks once and decides; made for one message and used once."""

    def __init__(
        self,
        *,
        engine: ChatEngine,
        dialect: Dialect,
        clock: Clock,
        limits: RouterLimits,
        request: ChatRequest,
        offered: frozenset[str],
    ) -> None:
        """Prepare to send ``request``, in which the functions ``offered`` can be called."""
        self._engine = engine
        self._dialect = dialect
        self._clock = clock
        self._limits = limits
        self._request = request
        self._offered = offered
        self._judge = Judge(dialect, offered, limits)
        self._text = CallReader(dialect, offered, limits)
        self._wire = WireReader(offered, limits)
        self._meter = Meter(engine=engine.name, request=request)
        self._started = clock.monotonic()
        self._deadline = self._started + limits.verdict_s
        self._settled: float | None = None
        self._first_id: int | None = None
        self._finish: FinishReason | None = None
        self._reason: RouteReason | None = None
        self._is_sent = False

    async def decide(self) -> Decision:
        """Send the request and read; the stream is closed as soon as nothing more is needed."""
        try:
            reading = await self._ask()
        except TimeoutError:
            reading = self._read_at_limit()
        except EngineTimeout:
            reading = "timeout"
        except ZwrotnicaError:
            reading = "router_down"
        return self._decision(reading)

    async def _ask(self) -> Reading | RouteReason:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(self._rest_s()) as limit:
                deltas = await stack.enter_async_context(self._engine.stream(self._request))
                self._is_sent = True
                await self._read(deltas, limit)
        return self._read_at_end() if self._reason is None else self._reason

    async def _read(self, deltas: AsyncIterator[Delta], limit: asyncio.Timeout) -> None:
        """Read until the end, or until a delta says why the default model answers."""
        pour = deltas.pour if isinstance(deltas, PouringDeltas) else None
        known = self._deadline
        async for delta in deltas:
            if self._take(delta) and pour is not None:
                await pour(self._take)
            if self._reason is not None:
                return
            if self._deadline != known:
                known = self._deadline
                limit.reschedule(asyncio.get_running_loop().time() + self._rest_s())
            if self._rest_s() == 0.0:
                raise TimeoutError

    def _take(self, delta: Delta) -> bool:
        """Take in ``delta``; false where the reader has to look up, at the reason or the time."""
        deadline = self._deadline
        self._reason = self._feed(delta)
        return self._reason is None and self._deadline == deadline and self._rest_s() > 0.0

    def _rest_s(self) -> float:
        """Seconds until the limit that holds now."""
        return max(self._deadline - self._clock.monotonic(), 0.0)

    def _feed(self, delta: Delta) -> RouteReason | None:
        """Take in ``delta``; the reason, where it settles that the default model answers."""
        self._meter.feed(delta)
        if delta.token_ids and self._first_id is None:
            self._first_id = delta.token_ids[0]
        reason = self._switch(delta)
        if delta.finish is not None and self._finish is None:
            self._finish = delta.finish
            self._deadline = self._clock.monotonic() + self._limits.usage_s
        return reason

    def _switch(self, delta: Delta) -> RouteReason | None:
        was_tool = self._judge.verdict == "tool"
        verdict = self._judge.feed(delta.text)
        if delta.calls:
            verdict = self._judge.feed_call()
        match verdict:
            case "undecided":
                return None
            case "default":
                return "plain_text"
            case "tool":
                text = delta.text if was_tool else self._judge.held
                return self._follow(text, delta)
            case _:
                assert_never(verdict)

    def _follow(self, text: str, delta: Delta) -> RouteReason | None:
        """Read on in the calls and judge the first name as soon as it is known."""
        head = self._text.feed(text) if text else self._text.head
        for call in delta.calls:
            self._wire.feed(call)
        if not self._wire.is_empty:
            head = self._wire.head
        if self._text.is_too_long or self._wire.is_too_long:
            return "unusable_call"
        return self._judge_name(head) if self._settled is None else None

    def _judge_name(self, head: Head) -> RouteReason | None:
        if self._is_default(head):
            return "default_function"
        match head.state:
            case "open":
                return None
            case "hopeless":
                return "unusable_call"
            case "named" if head.name in self._offered:
                self._settled = self._clock.monotonic()
                self._deadline = self._started + self._limits.call_s
                return None
            case _:
                return "unusable_call" if head.grammar == "python" else "unknown_tool"

    def _is_default(self, head: Head) -> bool:
        """Whether the name, or its beginning, can only mean the default function.

        A name that begins so and goes on otherwise is nobody's: it ends in the default model, too.
        """
        start = head.name[:CERTAIN_CHARS]
        if start != DEFAULT_FUNCTION[:CERTAIN_CHARS]:
            return False
        others = self._offered - {DEFAULT_FUNCTION}
        if not any(tool.startswith(start) for tool in others):
            return True
        return head.state == "named" and head.name == DEFAULT_FUNCTION

    def _read_at_end(self) -> Reading | RouteReason:
        if self._judge.finish() == "default":
            return "plain_text"
        return self._read_calls(is_clean=self._finish in _CLEAN_ENDS)

    def _read_at_limit(self) -> Reading | RouteReason:
        """At a time limit: calls that are whole by then are run."""
        if self._finish is not None:
            return self._read_at_end()
        if self._settled is None:
            return "timeout"
        reading = self._read_calls(is_clean=False)
        return reading if reading.calls else "timeout"

    def _read_calls(self, *, is_clean: bool) -> Reading:
        from_wire = self._wire.finish()
        if from_wire.calls or not self._wire.is_empty:
            return from_wire
        return self._text.finish(is_clean=is_clean)

    def _decision(self, found: Reading | RouteReason) -> Decision:
        settled = self._settled if self._settled is not None else self._clock.monotonic()
        calls = found.calls if isinstance(found, Reading) else ()
        return Decision(
            reason=found if isinstance(found, str) else _reason(found),
            calls=tuple(
                ToolCall(
                    call_id=f"call_{number}",
                    name=call.name,
                    arguments=call.arguments,
                    raw_arguments=call.arguments,
                )
                for number, call in enumerate(calls, start=1)
            ),
            engine=self._engine.name,
            dialect=self._dialect.name,
            verdict_ms=round(1000 * (settled - self._started)),
            confirmed=self._confirmed(),
            legs=(self._meter.leg(),) if self._is_sent else (),
        )

    def _confirmed(self) -> bool | None:
        """Whether the first token's id says the same as the verdict."""
        is_told = self._first_id is not None and self._dialect.tag_id is not None
        if not is_told or self._judge.has_skipped or self._judge.verdict == "undecided":
            return None
        return (self._first_id == self._dialect.tag_id) == (self._judge.verdict == "tool")


def _reason(reading: Reading) -> RouteReason:
    if reading.calls:
        return "called"
    if reading.problem is None:
        return "default_function"
    return "unknown_tool" if reading.problem == "unknown_tool" else "unusable_call"
