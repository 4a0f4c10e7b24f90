"""The embedded engine: routes without a model, and says honestly that there is none."""

import json
import tomllib
from datetime import UTC, datetime

import pytest

from chatbot.ports import ChatEngine, Clock
from chatbot.router.detector import DetectedCall, Detector
from chatbot.types import DEFAULT_FUNCTION, ChatMessage, ChatRequest, Delta, ToolSpec
from serving.engines.embedded import TAG, TAG_ID, EmbeddedEngine, write_calls
from serving.settings import EngineSettings

WEATHER = ToolSpec(name="get_weather", title="Pogoda", description="", parameters={})
DEFAULT = ToolSpec(name=DEFAULT_FUNCTION, title="", description="", parameters={})


class StoppedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 21, 23, 30, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


async def ask(
    engine: ChatEngine, prompt: str, *, tools: bool = True, ids: bool = False
) -> list[Delta]:
    request = ChatRequest(
        messages=(ChatMessage(role="user", text=prompt),),
        tools=(WEATHER, DEFAULT) if tools else (),
        token_ids=ids,
    )
    async with engine.stream(request) as deltas:
        return [delta async for delta in deltas]


def text(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas)


async def test_a_tool_is_called_in_the_format_of_llama(detector: Detector) -> None:
    deltas = await ask(EmbeddedEngine(detector=detector), "Czy w Kudowie-Zdroju pada?")

    assert deltas[0].text == TAG
    assert json.loads(text(deltas).removeprefix(TAG)) == {
        "name": "get_weather",
        "parameters": {"city": "Kudowa-Zdrój"},
    }


async def test_without_a_tool_for_it_the_default_function_is_called(detector: Detector) -> None:
    deltas = await ask(EmbeddedEngine(detector=detector), "Ułóż fraszkę o jesieni")

    assert text(deltas) == TAG + '{"name": "default_function", "parameters": {}}'


async def test_the_tags_token_id_comes_with_the_tag_where_it_is_wished(detector: Detector) -> None:
    engine = EmbeddedEngine(detector=detector)

    assert (await ask(engine, "pogoda w Łodzi", ids=True))[0].token_ids == (TAG_ID,)
    assert (await ask(engine, "pogoda w Łodzi"))[0].token_ids == ()


async def test_no_tokens_are_counted(detector: Detector) -> None:
    usage = (await ask(EmbeddedEngine(detector=detector), "Cześć"))[-1].usage

    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens, usage.source) == (0, 0, "zero")


async def test_the_stream_ends_with_stop(detector: Detector) -> None:
    assert (await ask(EmbeddedEngine(detector=detector), "Cześć"))[-1].finish == "stop"


async def test_a_date_is_read_by_the_clock_of_the_time_zone(detector: Detector) -> None:
    clock: Clock = StoppedClock()
    deltas = await ask(EmbeddedEngine(detector=detector, clock=clock), "pogoda w Łodzi za dwa dni")

    assert '"day": "2026-11-24"' in text(deltas)


async def test_as_default_model_it_says_that_no_model_is_connected(detector: Detector) -> None:
    deltas = await ask(EmbeddedEngine(detector=detector), "Cześć", tools=False)

    assert "żaden nie jest podłączony" in text(deltas)
    assert len([delta for delta in deltas if delta.text]) > 2


async def test_the_settings_it_names_are_real_settings(detector: Detector) -> None:
    answer = text(await ask(EmbeddedEngine(detector=detector), "Cześć", tools=False))
    example = answer.split("```toml\n")[1].split("```")[0]

    settings = EngineSettings(**tomllib.loads(example)["engines"]["bielik"])

    assert settings.kind == "vllm"


async def test_a_stream_may_be_left_at_once(detector: Detector) -> None:
    request = ChatRequest(messages=(ChatMessage(role="user", text="Cześć"),))
    async with EmbeddedEngine(detector=detector).stream(request) as deltas:
        first = await anext(deltas)

    assert first.text


async def test_a_request_without_messages_calls_the_default_function(detector: Detector) -> None:
    request = ChatRequest(messages=(), tools=(WEATHER, DEFAULT))
    async with EmbeddedEngine(detector=detector).stream(request) as deltas:
        found = [delta async for delta in deltas]

    assert DEFAULT_FUNCTION in text(found)


def test_several_calls_are_joined_by_semicolons() -> None:
    calls = [DetectedCall(name="f", arguments={"a": "ł"}), DetectedCall(name="g", arguments={})]

    assert (
        write_calls(calls)
        == '{"name": "f", "parameters": {"a": "ł"}}; {"name": "g", "parameters": {}}'
    )


def test_its_name_is_the_configured_one(detector: Detector) -> None:
    assert EmbeddedEngine(detector=detector, name="inny").name == "inny"
