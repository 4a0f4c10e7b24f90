"""The whole gateway in front of a real vLLM, used with the OpenAI client."""

from collections.abc import Iterator
from functools import partial

import anyio
import openai
import pytest
import requests
from engines.gateway_process import serve
from engines.lessons import CHATS, DEFAULT, EOT, IMAGE, LESSONS, PLAIN, WEATHER, Lesson
from engines.model_server import ModelServer, is_busy, is_idle
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

LONG = "Policz słownie od jednego do trzydziestu."
ANSWERS = {chat.prompt: chat.answer for chat in CHATS}
CLIENT_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


@pytest.fixture(scope="module")
def gateway(parser_on: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(parser_on, tmp_path_factory.mktemp("gateway")) as url:
        yield url


@pytest.fixture(scope="module")
def slow_gateway(slow: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(slow, tmp_path_factory.mktemp("slow_gateway")) as url:
        yield url


@pytest.fixture
def client(gateway: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{gateway}/v1", api_key="none", max_retries=0) as client:
        yield client


def user(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": text}]


def ask(client: openai.OpenAI, text: str, model: str = "zwrotnica") -> ChatCompletion:
    return client.chat.completions.create(model=model, messages=user(text), temperature=0)


def content(completion: ChatCompletion) -> str:
    return completion.choices[0].message.content or ""


def route_of(completion: ChatCompletion) -> dict[str, object]:
    extension = (completion.model_extra or {})["x_zwrotnica"]
    return dict(extension["route"])


def decide(gateway: str, text: str) -> dict[str, object]:
    reply = requests.post(f"{gateway}/api/route", json={"messages": user(text)}, timeout=60)
    reply.raise_for_status()
    return dict(reply.json())


@pytest.mark.parametrize(
    "lesson", [lesson for lesson in LESSONS if lesson.calls], ids=lambda lesson: lesson.prompt
)
def test_a_taught_call_is_routed_to_its_tools(gateway: str, lesson: Lesson) -> None:
    decision = decide(gateway, lesson.prompt)
    assert decision["tool"] == lesson.calls[0][0]


def test_a_call_without_its_argument_becomes_a_question(gateway: str) -> None:
    decision = decide(gateway, "Jaka będzie pogoda?")
    assert (decision["reason"], decision["tool_calls"]) == ("missing_argument", [])
    assert decision["question"]


def test_mathematics_is_computed_and_answered(client: openai.OpenAI) -> None:
    completion = ask(client, "Oblicz pierwiastek z 289.")
    assert "17" in content(completion)
    assert route_of(completion)["tools"] == ["calculate"]


def test_several_calls_are_answered_in_the_order_asked(client: openai.OpenAI) -> None:
    text = content(ask(client, "Policz 6 razy 7 oraz 8 razy 9."))
    assert 0 <= text.find("42") < text.find("72")


def test_the_token_id_confirms_the_route(client: openai.OpenAI) -> None:
    assert route_of(ask(client, "Oblicz pierwiastek z 289."))["confirmed"] is True


@pytest.mark.parametrize("lesson", [DEFAULT[0], PLAIN[0], PLAIN[3]], ids=lambda it: it.prompt)
def test_what_needs_no_tool_is_answered_by_the_default_model(
    client: openai.OpenAI, lesson: Lesson
) -> None:
    completion = ask(client, lesson.prompt)
    assert content(completion) == ANSWERS[lesson.prompt]
    assert route_of(completion)["reason"] == lesson.reason


def test_a_stream_brings_the_same_answer_in_pieces(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(
        model="zwrotnica", messages=user(LONG), temperature=0, stream=True
    )
    pieces = [chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices]
    assert "".join(pieces) == ANSWERS[LONG]
    assert len(pieces) > 3


def test_usage_is_the_answering_engines_own_count(
    client: openai.OpenAI, parser_on: ModelServer
) -> None:
    usage = ask(client, DEFAULT[0].prompt).usage
    assert usage is not None
    assert usage.completion_tokens == len(parser_on.tokens(ANSWERS[DEFAULT[0].prompt] + EOT))


def test_a_picture_without_an_images_engine_is_refused_in_polish(client: openai.OpenAI) -> None:
    completion = ask(client, IMAGE[0].prompt)
    assert route_of(completion)["tools"] == ["generate_image"]
    assert "obraz" in content(completion).lower()


def test_an_engine_called_by_its_name_answers_without_the_router(client: openai.OpenAI) -> None:
    completion = ask(client, DEFAULT[0].prompt, model="llama")
    assert content(completion) == ANSWERS[DEFAULT[0].prompt]
    assert "x_zwrotnica" not in (completion.model_extra or {})


def test_a_clients_own_tools_are_called_by_the_engine(client: openai.OpenAI) -> None:
    completion = client.chat.completions.create(
        model="zwrotnica",
        messages=user(WEATHER[0].prompt),
        tools=[CLIENT_TOOL],  # type: ignore[list-item]  # a literal is no TypedDict
        temperature=0,
    )
    [call] = completion.choices[0].message.tool_calls or []
    assert call.type == "function"
    assert call.function.name == "get_weather"


def test_too_long_a_prompt_for_an_engine_is_a_400(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        ask(client, "słowo " * 5000, model="llama")
    assert caught.value.code == "context_length_exceeded"


def test_a_control_token_typed_by_a_user_does_not_reach_the_engine(
    client: openai.OpenAI, parser_on: ModelServer
) -> None:
    completion = ask(client, f"Policz słownie{EOT} od jednego do trzydziestu.")
    assert completion.usage is not None
    as_token = parser_on.chat_tokens(f"Policz słownie{EOT} od jednego do trzydziestu.")
    assert completion.usage.prompt_tokens > len(as_token)


async def test_a_client_that_leaves_before_the_verdict_ends_the_routers_generation(
    slow_gateway: str, slow: ModelServer
) -> None:
    prompt = "Jaka pogoda jest tam, gdzie " + "bardzo " * 200 + "pada?"
    before = slow.generated()
    async with (
        openai.AsyncOpenAI(base_url=f"{slow_gateway}/v1", api_key="none", max_retries=0) as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(
            partial(client.chat.completions.create, model="zwrotnica", messages=user(prompt))
        )
        assert await is_busy(slow, within_s=5.0)
        group.cancel_scope.cancel()
    assert await is_idle(slow, within_s=2.0)
    assert slow.generated() == before
