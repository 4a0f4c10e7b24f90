import json
from collections.abc import AsyncIterator

import openai
import pytest
from openai.types.chat import (
    ChatCompletionChunk,
    ChatCompletionContentPartParam,
    ChatCompletionMessageParam,
    ChatCompletionToolParam,
)
from scripted.full_stack import FullStack, full_stack
from scripted.rules import PESEL, Watched, rules

from chatbot.sanitizer.sensitive import Rule, Safety, words
from chatbot.types import JsonObject
from serving.gateway.forwarded_messages import screen_request

SECRET: list[ChatCompletionMessageParam] = [
    {"role": "user", "content": f"Mój PESEL to {PESEL}."},
    {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "f", "arguments": f'{{"nr": "\\u0034{PESEL[1:]}"}}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": f"Znaleziono {PESEL}."},
]


PICTURE: ChatCompletionContentPartParam = {
    "type": "image_url",
    "image_url": {"url": "data:image/png;base64,AAAA"},
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def masking(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FullStack]:
    behind = Watched(safety=rules(direction="in"))
    folder = tmp_path_factory.mktemp("masking")
    async with full_stack(folder, behind=behind, accepts=("image",)) as stack:
        yield stack


@pytest.fixture(scope="module")
async def refusing(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FullStack]:
    behind = Watched(safety=rules("refuse", "in"))
    async with full_stack(tmp_path_factory.mktemp("refusing"), behind=behind) as stack:
        yield stack


async def test_an_engine_reads_masked_messages_arguments_and_results(masking: FullStack) -> None:
    await masking.client.chat.completions.create(model="bielik", messages=SECRET)
    read = str(masking.server.last.json)
    assert PESEL not in read
    assert "\\u0034" not in read
    assert read.count("[PESEL]") == 3


def in_parts(*parts: ChatCompletionContentPartParam) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": list(parts)}]


def text(said: str) -> ChatCompletionContentPartParam:
    return {"type": "text", "text": said}


async def test_an_engine_reads_masked_what_several_parts_say(masking: FullStack) -> None:
    said = [text("PESEL 4405140"), text("1359")]
    messages = in_parts(*said, PICTURE, text("tak, "), *said)
    await masking.client.chat.completions.create(model="bielik", messages=messages)
    assert masking.server.last.json["messages"] == in_parts(
        text("PESEL [PESEL]"), PICTURE, text("tak, PESEL [PESEL]")
    )


async def test_a_refused_message_reaches_no_engine(refusing: FullStack) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        await refusing.client.chat.completions.create(model="bielik", messages=SECRET)
    assert caught.value.code == "content_refused"
    assert PESEL not in str(caught.value)


def offered(*, name: str = "find", says: str, field: str = "numer") -> ChatCompletionToolParam:
    """A tool whose description, property and values ``says`` something."""
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Szuka osoby {says}",
            "parameters": {
                "type": "object",
                "properties": {field: {"type": "string", "title": says, "enum": [says]}},
                "required": [field],
            },
        },
    }


async def send_tool(stack: FullStack, tool: ChatCompletionToolParam) -> None:
    await stack.client.chat.completions.create(
        model="bielik", messages=[{"role": "user", "content": "Cześć"}], tools=[tool]
    )


async def test_an_engine_reads_masked_descriptions_of_tools(masking: FullStack) -> None:
    await send_tool(masking, offered(says=PESEL))
    assert masking.server.last.json["tools"] == [offered(says="[PESEL]")]


async def test_a_refused_description_reaches_no_engine(refusing: FullStack) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        await send_tool(refusing, offered(says=PESEL))
    assert caught.value.code == "content_refused"


@pytest.mark.parametrize("names", [{"name": "tajna_1"}, {"field": PESEL}])
async def test_a_name_that_would_be_masked_is_told(
    masking: FullStack, names: dict[str, str]
) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        await send_tool(masking, offered(says="x", **names))
    assert (caught.value.code, caught.value.param) == ("invalid_request", "tools")
    assert PESEL not in str(caught.value)


async def test_the_language_of_schemas_is_left_alone() -> None:
    safety = Safety([Rule(name="ryba", detector=words(["object", "string"]), action="mask")])
    tool: JsonObject = json.loads(json.dumps(offered(says="numer")))
    screened = await screen_request({"messages": [], "tools": [tool]}, safety)
    assert screened["tools"] == [tool]


async def test_a_format_is_screened_as_a_tool_is() -> None:
    schema: JsonObject = {"description": f"osoba {PESEL}", "type": "object"}
    asked: JsonObject = {"type": "json_schema", "json_schema": {"name": "osoba", "schema": schema}}
    screened = await screen_request({"messages": [], "response_format": asked}, rules())
    assert PESEL not in str(screened)


@pytest.fixture(scope="module")
async def stopping(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FullStack]:
    rule = Rule(name="ryba", detector=words(["jaźń", "łódź", "żółw"]), action="refuse")
    behind = Watched(safety=Safety([rule]))
    fault = "fault=none;tokens=60"
    async with full_stack(tmp_path_factory.mktemp("stopping"), fault, behind=behind) as stack:
        yield stack


async def listen(stream: openai.AsyncStream[ChatCompletionChunk], heard: list[str]) -> None:
    async for chunk in stream:
        heard += [choice.delta.content or "" for choice in chunk.choices]


async def test_a_refused_stream_ends_in_its_error_and_leaves_the_engine(
    stopping: FullStack,
) -> None:
    stream = await stopping.client.chat.completions.create(
        model="bielik", messages=SECRET[:1], stream=True
    )
    heard: list[str] = []
    with pytest.raises(openai.APIError) as caught:
        await listen(stream, heard)
    assert caught.value.code == "content_refused"
    assert "Odpowiedź przerwano" in caught.value.message
    assert not {"jaźń", "łódź", "żółw"} & set("".join(heard).replace(",", "").split())


async def test_a_refused_whole_reply_is_an_error(stopping: FullStack) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        await stopping.client.chat.completions.create(model="bielik", messages=SECRET[:1])
    assert caught.value.code == "content_refused"
