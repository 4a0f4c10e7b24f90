"""Asks an engine one prompt, noting when each piece of the answer came."""

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TypeAlias, cast

import aiohttp

from chatbot.types import JsonObject
from evals.bench.engine.bodies import read_reply
from evals.bench.engine.targets import Target
from serving.engines.events import ChunkReader, EventTooLong

_TEXTS = ("reasoning_content", "reasoning", "content")
_ERROR_CHARS = 300
GONE = "no server: "
"""How the error of an answer begins that no server was there for."""
Json: TypeAlias = Mapping[str, object]


class BadAnswer(Exception):
    """The server refused, broke off, or said nothing that can be measured."""


@dataclass(kw_only=True, slots=True)
class Answer:
    """What came back; moments by the monotonic clock, in seconds.

    ``pieces`` are the moments at which a stream gave text; ``completion_tokens`` is the server's
    own count, if it gave one. ``error`` says why there is no whole answer.
    """

    pieces: list[float] = field(default_factory=list)
    ended_at: float = 0.0
    text: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish: str | None = None
    error: str | None = None


@dataclass(kw_only=True, slots=True)
class _Way:
    """How a request reached its server: over an idle connection, or one of its own."""

    is_reused: bool = False


def open_session(*, limit_s: float) -> aiohttp.ClientSession:
    """A session for `ask` with no bound on connections; each answer has ``limit_s`` seconds."""
    tracing = aiohttp.TraceConfig()
    tracing.on_connection_reuseconn.append(_note_reuse)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=limit_s),
        trace_configs=[tracing],
    )


async def _note_reuse(
    _: aiohttp.ClientSession, trace: SimpleNamespace, __: aiohttp.TraceConnectionReuseconnParams
) -> None:
    if isinstance(way := trace.trace_request_ctx, _Way):
        way.is_reused = True


async def ask(session: aiohttp.ClientSession, target: Target, body: JsonObject) -> Answer:
    """Send one chat completion; read all of the answer, streamed or whole as ``body`` wants.

    ``session`` is one of `open_session`.
    """
    answer = Answer()
    try:
        async with _post(session, target, body) as reply:
            await _read(reply, answer, is_streamed=bool(body["stream"]))
    except BadAnswer as error:
        answer.error = str(error)
    except aiohttp.ClientConnectorError as error:
        answer.error = f"{GONE}{error}"[:_ERROR_CHARS]
    except (aiohttp.ClientError, TimeoutError, EventTooLong) as error:
        answer.error = f"{type(error).__name__}: {error}"[:_ERROR_CHARS]
    answer.ended_at = time.monotonic()
    return answer


@asynccontextmanager
async def _post(
    session: aiohttp.ClientSession, target: Target, body: JsonObject
) -> AsyncIterator[aiohttp.ClientResponse]:
    """The reply; sent again where an idle connection ended before it began.

    A server closes what was idle for long whenever it likes, also while the next request is on
    its way: that is no failure. Each time spends one idle connection, so a new one comes at last.
    """
    while True:
        way = _Way()
        try:
            reply = await session.post(
                f"{target.url}/chat/completions",
                json=body,
                headers=target.headers,
                allow_redirects=False,
                trace_request_ctx=way,
            )
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            if not way.is_reused:
                raise
        else:
            async with reply:
                yield reply
            return


async def _read(reply: aiohttp.ClientResponse, answer: Answer, *, is_streamed: bool) -> None:
    if reply.status != 200:  # noqa: PLR2004 (HTTP's own number)
        said = (await reply.content.read(_ERROR_CHARS)).decode("utf-8", "replace")
        raise BadAnswer(f"HTTP {reply.status}: {said}")
    if is_streamed:
        await _read_stream(reply, answer)
    else:
        _take(await read_reply(reply), answer, part="message")
    if answer.finish is None:
        raise BadAnswer("the answer broke off: it has no finish_reason")
    if answer.completion_tokens is None and not is_streamed:
        raise BadAnswer("the answer has no usage, so its tokens are unknown")


async def _read_stream(reply: aiohttp.ClientResponse, answer: Answer) -> None:
    reader = ChunkReader()
    async for chunk in reply.content.iter_any():
        at = time.monotonic()
        for _, event in reader.feed(chunk):
            if _take(event, answer, part="delta"):
                answer.pieces.append(at)
    for _, event in reader.finish():
        _take(event, answer, part="delta")


def _take(event: Json, answer: Answer, *, part: str) -> bool:
    """Note what one object says; whether it holds text.

    Raises:
        BadAnswer: it is an error.
    """
    if event.get("error"):
        raise BadAnswer(f"the server says: {event['error']}"[:_ERROR_CHARS])
    if isinstance(usage := event.get("usage"), Mapping):
        answer.prompt_tokens = _whole_number(usage.get("prompt_tokens"))
        answer.completion_tokens = _whole_number(usage.get("completion_tokens"))
    choices = event.get("choices")
    if not isinstance(choices, Sequence) or not choices or not isinstance(choices[0], Mapping):
        return False
    choice = cast("Json", choices[0])
    if isinstance(choice.get("finish_reason"), str):
        answer.finish = cast("str", choice["finish_reason"])
    said = choice.get(part)
    if not isinstance(said, Mapping):
        return False
    answer.text += "".join(text for name in _TEXTS if isinstance(text := said.get(name), str))
    return any(said.get(name) for name in (*_TEXTS, "tool_calls"))


def _whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
