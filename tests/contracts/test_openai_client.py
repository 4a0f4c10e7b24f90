from collections.abc import Iterator

import openai
import pytest
from scripted.gateway import call
from scripted.stage import Stage, open_stage

from chatbot.errors import EngineLost, EngineUnavailable
from chatbot.testing import Pause, ScriptedEngine
from chatbot.types import Delta

EURO = call("rate", '{"currency": "EUR"}')
ASKED: list[openai.types.chat.ChatCompletionMessageParam] = [
    {"role": "system", "content": "Odpowiadaj krótko."},
    {"role": "user", "content": "Cześć!"},
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[openai.OpenAI]:
    with open_stage(tmp_path_factory.mktemp("contract")) as stage:
        yield stage.client()


def test_an_answer_of_the_default_model_arrives_whole(client: openai.OpenAI) -> None:
    completion = client.chat.completions.create(model="zwrotnica", messages=ASKED)
    assert completion.choices[0].message.content == "Dzień dobry."
    assert completion.choices[0].finish_reason == "stop"
    assert completion.usage is not None
    assert completion.usage.completion_tokens == 2


def test_an_answer_arrives_in_the_chunks_of_the_protocol(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(
        model="zwrotnica",
        messages=ASKED,
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].delta.content for chunk in chunks[1:3]] == ["Dzień ", "dobry."]
    assert chunks[3].choices[0].finish_reason == "stop"
    assert chunks[4].choices == []
    assert chunks[4].usage is not None
    assert chunks[4].usage.total_tokens == 9
    assert len({chunk.id for chunk in chunks}) == 1


def test_a_tool_answers_with_its_source_as_annotation(stage: Stage) -> None:
    client = stage.client(router=ScriptedEngine(script=EURO))
    completion = client.chat.completions.create(model="zwrotnica", messages=ASKED)
    message = completion.choices[0].message
    assert (message.content or "").startswith("**EUR**: 4,26 zł\n\n⟦źródło: NBP, „Tabela A”, ")
    assert message.annotations is not None
    assert message.annotations[0].url_citation.url == "https://nbp.example/a"


def test_the_last_chunk_tells_route_calls_and_sources(stage: Stage) -> None:
    client = stage.client(router=ScriptedEngine(script=EURO))
    chunks = list(client.chat.completions.create(model="zwrotnica", messages=ASKED, stream=True))
    told = chunks[-1].model_extra
    assert told is not None
    extension = told["x_zwrotnica"]
    assert extension["route"]["decision"] == "tool"
    assert extension["tool_calls"][0]["name"] == "rate"
    assert extension["tool_calls"][0]["status"] == "ok"
    assert extension["sources"][0]["source"] == "NBP"
    assert [leg["role"] for leg in extension["usage"]["legs"]] == ["router"]


def test_the_helper_that_collects_a_stream_works(client: openai.OpenAI) -> None:
    with client.chat.completions.stream(model="zwrotnica", messages=ASKED) as stream:
        assert stream.get_final_completion().choices[0].message.content == "Dzień dobry."


def test_models_are_listed_and_found(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["zwrotnica"]
    assert client.models.retrieve("zwrotnica").owned_by == "zwrotnica"


def test_an_unknown_model_is_not_found_and_the_nearest_is_named(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="did you mean 'zwrotnica'") as caught:
        client.chat.completions.create(model="zwrotnca", messages=ASKED)
    assert caught.value.code == "not_found"
    assert caught.value.param == "model"
    assert caught.value.request_id


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"extra_body": {"temprature": 1}}, "temprature"),
        ({"temperature": 3}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
    ],
)
def test_a_wrong_field_is_a_bad_request_that_names_it(
    client: openai.OpenAI, fields: dict[str, object], param: str
) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(
            model="zwrotnica",
            messages=ASKED,
            **fields,  # type: ignore[call-overload]  # wrong on purpose
        )
    assert caught.value.param == param


def test_fields_that_clients_always_send_are_accepted(client: openai.OpenAI) -> None:
    completion = client.chat.completions.create(
        model="zwrotnica",
        messages=ASKED,
        user="ktoś",
        store=False,
        metadata={"a": "b"},
        n=1,
        logprobs=False,
        response_format={"type": "text"},
        seed=7,
        stop=["KONIEC"],
    )
    assert completion.choices[0].finish_reason == "stop"


def test_parts_that_are_no_text_are_refused(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(
            model="zwrotnica",
            messages=[
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "Co to?"},
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                    ],
                }
            ],
        )
    assert caught.value.code == "unsupported_parameter"
    assert caught.value.param == "messages.0.content.1"


def test_client_tools_without_a_model_are_refused(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(
            model="zwrotnica",
            messages=ASKED,
            tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}],
        )
    assert caught.value.param == "tools"


def test_an_engine_that_is_down_is_a_status_before_any_text(stage: Stage) -> None:
    down = EngineUnavailable("refused http://10.0.0.1", engine="bielik")
    client = stage.client(engine=ScriptedEngine(script=[down]))
    with pytest.raises(openai.InternalServerError) as caught:
        list(client.chat.completions.create(model="zwrotnica", messages=ASKED, stream=True))
    assert caught.value.status_code == 503
    assert caught.value.response.headers["retry-after"] == "1"
    assert "10.0.0.1" not in caught.value.message


def test_an_engine_lost_after_some_text_ends_the_stream_in_an_error(stage: Stage) -> None:
    lost = EngineLost("reset", engine="bielik")
    client = stage.client(engine=ScriptedEngine(script=[Delta(text="Pół "), lost]))
    stream = client.chat.completions.create(model="zwrotnica", messages=ASKED, stream=True)
    seen: list[str | None] = []
    with pytest.raises(openai.APIError) as caught:
        seen.extend(chunk.choices[0].finish_reason for chunk in stream)
    assert caught.value.code == "engine_lost"
    assert set(seen) <= {None}


def test_an_engine_lost_in_an_answer_not_streamed_is_a_status(stage: Stage) -> None:
    lost = EngineLost("reset", engine="bielik")
    client = stage.client(engine=ScriptedEngine(script=[Delta(text="Pół "), lost]))
    with pytest.raises(openai.InternalServerError) as caught:
        client.chat.completions.create(model="zwrotnica", messages=ASKED)
    assert caught.value.status_code == 502


def test_a_silent_engine_does_not_trouble_the_client_with_heartbeats(stage: Stage) -> None:
    slow = ScriptedEngine(script=[Pause(seconds=0.7), Delta(text="Już."), Delta(finish="stop")])
    client = stage.client(engine=slow)
    stream = client.chat.completions.create(model="zwrotnica", messages=ASKED, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "Już."
