import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime

import anyio
import anyio.lowlevel
import pytest
import requests
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.service import ScriptedService
from scripted.ticking import TickingClock

from chatbot.errors import EngineUnavailable, ToolError, WorkerBusy, WorkerLost, WorkerTimeout
from chatbot.testing import InlineWorkers
from chatbot.tools import Registry, Threads, Tool, ToolContext, ToolResult, ToolRun, tool
from chatbot.tools.results import (
    ARTIFACT_BYTES,
    ENTITY_LENGTH,
    LABEL_LENGTH,
    RESULT_BYTES,
    ToolPart,
)
from chatbot.types import Artifact, Attribution, Entity, JsonValue, Text, ToolCall

LATE = ("nie odpowiedziała w porę", "brak odpowiedzi w ciągu")
SECRET = "tajne słowa użytkownika"


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with ScriptedService() as running:
        yield running


async def run(made: Tool, **arguments: JsonValue) -> ToolRun:
    call = ToolCall(call_id="call-1", name=made.name, arguments=arguments, raw_arguments=arguments)
    async with Registry(tools=[made], workers=InlineWorkers(), clock=TickingClock()) as registry:
        return await registry.run(call)


@tool()
def greet(name: str) -> str:
    """Greet."""
    return f"Cześć, {name}!"


async def test_a_sync_function_runs_in_a_thread() -> None:
    @tool()
    def where() -> str:
        return threading.current_thread().name

    done = await run(where)
    assert done.outcome.content != threading.current_thread().name


async def test_an_async_function_runs_on_the_loop() -> None:
    @tool()
    async def where() -> str:
        await anyio.lowlevel.checkpoint()
        return threading.current_thread().name

    done = await run(where)
    assert done.outcome.content == threading.current_thread().name


async def test_the_parts_of_an_async_generator_are_joined() -> None:
    @tool()
    async def tell(about: str) -> AsyncIterator[ToolPart]:
        yield Text(text="Raz, ")
        yield Attribution(source="Źródło")
        yield Entity(kind="topic", value=about)
        yield Text(text="dwa.")

    done = await run(tell, about="liczenie")
    assert done.result is not None
    assert done.result.content == "Raz, dwa."
    assert done.result.attribution[0].source == "Źródło"
    assert done.outcome.state == (Entity(kind="topic", value="liczenie"),)


async def test_a_result_is_completed_with_call_and_time() -> None:
    @tool()
    def tell() -> ToolResult:
        return ToolResult(content="a", attribution=(Attribution(source="b"),))

    done = await run(tell)
    assert done.result is not None
    assert done.result.attribution[0].call_id == "call-1"
    assert done.result.attribution[0].retrieved_at == TickingClock().now()


async def test_labels_of_sources_and_pictures_are_one_clean_line() -> None:
    @tool()
    def tell() -> ToolResult:
        source = Attribution(source="Wiki\x1b[2J", title="Zamek\n# król\ud800", licence="CC\tBY")
        dot = Artifact(media_type="image/png", data=b"", alt="pies\n\nkot" * 99, width=1, height=1)
        return ToolResult(content="a", attribution=(source,), artifacts=(dot,))

    done = await run(tell)
    assert done.result is not None
    (source,), (dot,) = done.result.attribution, done.result.artifacts
    assert (source.source, source.title, source.licence) == ("Wiki [2J", "Zamek # król", "CC BY")
    assert dot.alt.startswith("pies kotpies kot")
    assert len(dot.alt) == LABEL_LENGTH


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://pl.wikipedia.org/w/index.php?title=%C5%81%C3%B3d%C5%BA", True),
        ("javascript:alert(1)", False),
        ("https://a.example/\nSet-Cookie: x", False),
        ("//a.example", False),
    ],
)
async def test_a_source_links_to_the_web_or_to_nothing(url: str, shown: bool) -> None:
    @tool()
    def tell() -> ToolResult:
        return ToolResult(content="a", attribution=(Attribution(source="b", url=url),))

    done = await run(tell)
    assert done.result is not None
    assert done.result.attribution[0].url == (url if shown else None)


async def test_a_tool_error_is_what_the_user_reads() -> None:
    @tool()
    def refuse() -> str:
        raise ToolError("Nie da się, spróbuj jutro.")

    done = await run(refuse)
    assert done.outcome.status == "failed"
    assert done.outcome.error == "Nie da się, spróbuj jutro."
    assert done.result is None


async def test_a_bug_is_hidden_from_the_user_and_logged_without_what_was_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool(title="Zepsute")
    def fail(text: str) -> str:
        raise KeyError(text)

    with caplog.at_level(logging.ERROR):
        done = await run(fail, text=SECRET)
    assert (done.outcome.error or "").startswith("Narzędzie „Zepsute” zawiodło (błąd call-1).")
    record = caplog.records[0]
    assert (record.message, vars(record)["error_id"]) == ("tool_failed", "call-1")
    assert vars(record)["error"] == "KeyError"
    assert SECRET not in repr(vars(record))


ENDINGS = [SystemExit(3), asyncio.CancelledError()]


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("is_sync", [True, False], ids=["thread", "loop"])
async def test_a_tool_can_neither_end_the_server_nor_the_turn(
    ending: BaseException, is_sync: bool
) -> None:
    @tool(name="leave")
    def leave_thread() -> str:
        raise ending

    @tool(name="leave")
    async def leave_loop() -> str:
        raise ending

    done = await run(leave_thread if is_sync else leave_loop)
    assert "zawiodło (błąd call-1)" in (done.outcome.error or "")


async def test_text_that_cannot_be_sent_is_made_so() -> None:
    @tool()
    def say() -> ToolResult:
        half = "10 \ud800"
        return ToolResult(content=half, plain=half, state=(Entity(kind="topic", value=half),))

    done = await run(say)
    assert (done.outcome.content, done.outcome.plain) == ("10 ?", "10 ?")
    assert done.outcome.state == (Entity(kind="topic", value="10 ?"),)


async def test_an_entity_is_text_of_a_bounded_length() -> None:
    @tool()
    def count(value: int) -> ToolResult:
        known = "x" * ENTITY_LENGTH * 2 if value else value
        return ToolResult(content="a", state=(Entity(kind="topic", value=known),))  # type: ignore[arg-type]  # the bug

    assert [len(one.value) for one in (await run(count, value=1)).outcome.state] == [ENTITY_LENGTH]
    assert "zawiodło" in ((await run(count, value=0)).outcome.error or "")


async def test_a_time_without_a_zone_is_the_machines_own() -> None:
    now = datetime(2026, 1, 15, 12, tzinfo=UTC)

    @tool()
    def look() -> ToolResult:
        local = now.astimezone().replace(tzinfo=None)
        return ToolResult(content="a", attribution=(Attribution(source="s", retrieved_at=local),))

    done = await run(look)
    assert done.result is not None
    assert done.result.attribution[0].retrieved_at == now


async def test_a_wrong_argument_fails_with_its_message() -> None:
    done = await run(greet)
    assert done.outcome.error == "Brakuje argumentu „name”."


async def test_a_result_of_the_wrong_type_is_a_bug() -> None:
    @tool()
    async def count() -> str:
        return 7  # type: ignore[return-value]  # the bug

    assert "zawiodło" in ((await run(count)).outcome.error or "")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (requests.ReadTimeout(), "nie odpowiedziała w porę"),
        (requests.ConnectionError(), "nie udało się połączyć"),
        (requests.JSONDecodeError("no", "doc", 0), "czymś nieczytelnym"),
        (requests.HTTPError(response=requests.Response()), "odpowiedziała błędem"),
        (WorkerTimeout("late"), "trwały zbyt długo"),
        (WorkerBusy("full"), "inne obliczenia"),
        (WorkerLost("gone"), "zabrakło na nie zasobów"),
        (EngineUnavailable("down", engine="e"), "model nie odpowiada"),
    ],
)
async def test_common_failures_have_words_without_the_author_catching_them(
    error: Exception, words: str
) -> None:
    @tool()
    def fail() -> str:
        raise error

    assert words in ((await run(fail)).outcome.error or "")


async def test_a_call_ends_at_its_deadline() -> None:
    @tool(deadline_s=0.1)
    async def wait() -> str:
        await anyio.sleep_forever()
        return ""

    done = await run(wait)
    assert done.outcome.error == (
        "„wait”: brak odpowiedzi w ciągu 0,1 s. Spróbuj ponownie za chwilę."
    )
    assert 100 <= done.outcome.ms < 1000 * PATIENCE_S


@pytest.mark.parametrize("fault", ["silent", "drip", "drip_headers"])
async def test_no_thread_outlives_a_call_to_a_service_that_hangs(
    service: ScriptedService, fault: str
) -> None:
    ended = threading.Event()

    @tool(deadline_s=0.3)
    def ask(ctx: ToolContext) -> str:
        try:
            return ctx.session.get(service.url).text
        finally:
            ended.set()

    service.fault = fault
    done = await run(ask)
    assert any(words in (done.outcome.error or "") for words in LATE)
    assert done.outcome.ms < 1000 * PATIENCE_S
    assert await anyio.to_thread.run_sync(ended.wait, PATIENCE_S)


async def test_a_cancelled_call_cuts_its_socket_at_once(service: ScriptedService) -> None:
    ended = anyio.Event()

    @tool(deadline_s=NEVER_S)
    def ask(ctx: ToolContext) -> str:
        try:
            return ctx.session.get(service.url).text
        finally:
            anyio.from_thread.run_sync(ended.set)

    service.fault = "silent"
    async with anyio.create_task_group() as group:
        group.start_soon(run, ask)
        while not service.open_requests:  # noqa: ASYNC110 - the service has threads of its own
            await anyio.sleep(0.001)
        group.cancel_scope.cancel()
    with anyio.fail_after(PATIENCE_S):
        await ended.wait()


async def test_an_abandoned_function_keeps_its_place_until_it_returns() -> None:
    threads, has_begun, may_end = Threads(1), anyio.Event(), threading.Event()

    def linger() -> None:
        anyio.from_thread.run_sync(has_begun.set)
        may_end.wait(PATIENCE_S)

    async with anyio.create_task_group() as group:
        group.start_soon(threads.run, linger)
        await has_begun.wait()
        group.cancel_scope.cancel()
    assert threads.busy == 1
    may_end.set()
    with anyio.fail_after(PATIENCE_S):
        assert await threads.run(lambda: "next") == "next"
        while threads.busy:  # noqa: ASYNC110 - the thread wakes nobody
            await anyio.sleep(0.001)


async def test_a_function_whose_caller_left_before_it_began_frees_its_place() -> None:
    threads = Threads(1)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await threads.run(lambda: None)
    assert threads.busy == 0


async def test_long_text_is_cut_at_a_character() -> None:
    @tool()
    def tell() -> str:
        return "ż" * RESULT_BYTES

    content = (await run(tell)).outcome.content
    assert len(content.encode()) <= RESULT_BYTES
    assert content.endswith("ż\n\n… (wynik skrócono)")


async def test_pictures_above_the_limit_are_refused() -> None:
    @tool()
    def draw() -> ToolResult:
        data = bytes(ARTIFACT_BYTES + 1)
        picture = Artifact(media_type="image/png", data=data, alt="", width=1, height=1)
        return ToolResult(content="", artifacts=(picture,))

    assert "zbyt duży" in ((await run(draw)).outcome.error or "")


async def test_a_prepared_value_reaches_every_call() -> None:
    runs: list[str] = []

    @tool()
    def show(ctx: ToolContext) -> str:
        return str(ctx.prepared)

    @show.prepare
    async def load(ctx: ToolContext) -> str:
        await anyio.lowlevel.checkpoint()
        runs.append(ctx.timezone)
        return "tabela"

    assert (await run(show)).outcome.content == "tabela"
    assert runs == ["Europe/Warsaw"]


async def test_a_failed_preparation_is_tried_again_by_the_next_call() -> None:
    attempts: list[int] = []

    @tool(title="Kurs")
    def show(ctx: ToolContext) -> str:
        return str(ctx.prepared)

    @show.prepare
    def load() -> str:
        attempts.append(1)
        if len(attempts) < 3:
            raise OSError("no table yet")
        return "tabela"

    call = ToolCall(call_id="c", name="show", arguments={}, raw_arguments={})
    async with Registry(tools=[show], workers=InlineWorkers(), clock=TickingClock()) as registry:
        first = await registry.run(call)
        second = await registry.run(call)
    assert first.outcome.error == ("Narzędzie „Kurs” nie jest gotowe. Spróbuj ponownie za chwilę.")
    assert second.outcome.content == "tabela"


async def test_calls_wait_for_a_free_thread_within_their_deadline() -> None:
    threads = Threads(1)
    order: list[str] = []

    def note(word: str) -> None:
        order.append(word)

    async with anyio.create_task_group() as group:
        for word in ("a", "b", "c"):
            group.start_soon(threads.run, lambda word=word: note(word))
    assert sorted(order) == ["a", "b", "c"]
