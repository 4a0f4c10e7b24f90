"""Left after a verdict or by a client, a real vLLM generates at most eight more tokens."""

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager

import openai
import pytest
import requests
from anyio import to_thread
from engines.engine_access import CountedEngine, chat, connect, read_all, router_on
from engines.gateway_process import serve
from engines.lessons import COUNTING, DEFAULT, EOT, PLAIN, Lesson
from engines.model_server import ModelServer, is_idle
from engines.model_servers import NAMES, ModelServers
from engines.pace import Pace, measure_pace
from engines.windows import MORE_TOKENS, PROPERTY, WINDOWS, Publish, open_window
from openai.types.chat import ChatCompletionChunk

from chatbot.types import RouterView, ToolSpec

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

Tools = tuple[ToolSpec, ...]
PublishCounts = Callable[[str, Sequence[int]], None]
LONG = "Policz słownie od jednego do trzydziestu."
DEFAULT_CALL = max(DEFAULT, key=lambda lesson: len(lesson.reply))
PLAIN_TEXT = next(lesson for lesson in PLAIN if lesson.prompt == LONG)
FEWEST_MS = 5.0  # the answer of a quicker engine would be over before anybody could leave it

each_default = pytest.mark.parametrize(
    "lesson", [DEFAULT_CALL, PLAIN_TEXT], ids=lambda lesson: lesson.reason
)


@pytest.fixture(scope="module")
def pace(servers: ModelServers) -> Pace:
    """Measured when all the servers have started, and before the first window."""
    all_of_them = {name: servers.wait(name) for name in NAMES}
    assert [server.running() for server in all_of_them.values()] == [0] * len(NAMES)
    return measure_pace(all_of_them["slow"], LONG)


@pytest.fixture
def publish(pace: Pace, record_property: Callable[[str, object], None]) -> Publish:
    def publish_line(line: str) -> None:
        record_property(PROPERTY, f"{line}; {pace}")

    return publish_line


@pytest.fixture
def publish_more(pace: Pace, publish: Publish) -> PublishCounts:
    def publish_counts(what: str, more: Sequence[int]) -> None:
        counts, most = " ".join(map(str, more)), max(more)
        publish(f"{what}: {counts} more tokens, at most {most}, which take {most * pace.ms:.0f} ms")

    return publish_counts


@pytest.fixture(scope="module")
def gateway(slow: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(slow, tmp_path_factory.mktemp("gateway")) as url:
        yield url


def test_the_engine_is_slow_enough_to_be_left(pace: Pace) -> None:
    assert min(pace.runs_ms) > FEWEST_MS


async def test_an_answer_that_is_not_left_is_counted_to_its_end(slow: ModelServer) -> None:
    async with connect(slow) as engine, open_window(slow) as window:
        await read_all(engine, chat(LONG))
    assert window.generated == len(slow.tokens(COUNTING + EOT)) > 60


@each_default
async def test_after_a_verdict_for_the_default_model(
    slow: ModelServer,
    tools: Tools,
    lesson: Lesson,
    publish_more: PublishCounts,
) -> None:
    counts = [await count_decision(slow, tools, lesson) for _ in range(WINDOWS)]
    more = [generated - taken for generated, taken in counts]
    publish_more(f"router, verdict {lesson.reason!r}", more)
    assert max(more) <= MORE_TOKENS


async def count_decision(slow: ModelServer, tools: Tools, lesson: Lesson) -> tuple[int, int]:
    """Tokens generated for one decision, and those that the router has read for it."""
    async with connect(slow) as engine:
        counted = CountedEngine(engine)
        router = router_on(counted, slow)
        async with open_window(slow) as window:
            decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert decision.reason == lesson.reason
    return window.generated, counted.taken


@each_default
async def test_after_a_verdict_through_the_gateway(
    gateway: str,
    slow: ModelServer,
    tools: Tools,
    lesson: Lesson,
    publish_more: PublishCounts,
) -> None:
    _, needed = await count_decision(slow, tools, lesson)
    more = [await count_route(gateway, slow, lesson) - needed for _ in range(WINDOWS)]
    publish_more(f"gateway, verdict {lesson.reason!r}", more)
    assert max(more) <= MORE_TOKENS


async def count_route(gateway: str, slow: ModelServer, lesson: Lesson) -> int:
    """Tokens generated for one decision of the gateway."""
    async with open_window(slow) as window:
        reason = await to_thread.run_sync(ask_reason, gateway, lesson.prompt)
    assert reason == lesson.reason
    return window.generated


def ask_reason(gateway: str, prompt: str) -> str:
    body = {"messages": [{"role": "user", "content": prompt}]}
    return str(requests.post(f"{gateway}/api/route", json=body, timeout=60).json()["reason"])


async def test_after_a_reader_has_left(slow: ModelServer, publish_more: PublishCounts) -> None:
    more = [await count_after_reader(slow) for _ in range(WINDOWS)]
    publish_more("engine, reader left", more)
    assert max(more) <= MORE_TOKENS


async def count_after_reader(slow: ModelServer) -> int:
    """Tokens generated for an answer beyond those that its reader took before it left."""
    async with connect(slow) as engine:
        counted = CountedEngine(engine)
        async with open_window(slow) as window, counted.stream(chat(LONG)) as deltas:
            async for _ in deltas:
                if counted.taken >= 3:
                    break
    return window.generated - counted.taken


async def test_after_a_client_has_left_the_gateway(
    gateway: str, slow: ModelServer, publish_more: PublishCounts
) -> None:
    more = [await count_after_client(gateway, slow) for _ in range(WINDOWS)]
    publish_more("gateway, client left", more)
    assert max(more) <= MORE_TOKENS


async def count_after_client(gateway: str, slow: ModelServer) -> int:
    """Tokens generated from just before a client leaves in the middle of an answer."""
    async with begun_answer(gateway) as stream, open_window(slow) as window:
        await stream.close()
    return window.generated


async def test_the_engine_is_soon_idle_after_a_client_has_left_the_gateway(
    gateway: str, slow: ModelServer, publish: Publish
) -> None:
    times = [await time_to_idle(gateway, slow) for _ in range(WINDOWS)]
    publish(
        f"gateway, client left: idle after {' '.join(f'{time_ms:.0f}' for time_ms in times)} ms"
    )
    assert max(times) < 1000


async def time_to_idle(gateway: str, slow: ModelServer) -> float:
    """Milliseconds until the engine says that it works on nothing, after a client has left."""
    async with begun_answer(gateway) as stream:
        assert slow.running() == 1
        left = time.monotonic()
        await stream.close()
        assert await is_idle(slow, within_s=1.0)
    return (time.monotonic() - left) * 1000


@asynccontextmanager
async def begun_answer(gateway: str) -> AsyncIterator[openai.AsyncStream[ChatCompletionChunk]]:
    """A streamed answer of the default model of which three pieces have been read."""
    async with openai.AsyncOpenAI(
        base_url=f"{gateway}/v1", api_key="none", max_retries=0
    ) as client:
        stream = await client.chat.completions.create(
            model="zwrotnica",
            messages=[{"role": "user", "content": LONG}],
            temperature=0,
            stream=True,
        )
        pieces = 0
        async for chunk in stream:
            pieces += bool(chunk.choices and chunk.choices[0].delta.content)
            if pieces == 3:
                break
        yield stream
