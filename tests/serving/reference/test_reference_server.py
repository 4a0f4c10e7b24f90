import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore

import openai
import pytest
import requests
from openai.types.chat import ChatCompletionMessageParam
from pydantic import SecretStr
from scripted.gateway import wait_until
from scripted.http_client import RawClient, post, wait_for
from scripted.openai_clients import client_of
from scripted.patience import PATIENCE_S
from scripted.token_model import (
    END,
    MARK,
    RunningReference,
    ScriptedTokenModel,
    running_reference,
)

from serving.reference.options import ServerOptions

CHAT = "/v1/chat/completions"
KEY = "klucz-do-modelu"
OPTIONS = ServerOptions(served_name="tiny", port=0, wait_s=0.0, places=2)


@pytest.fixture
def model() -> ScriptedTokenModel:
    return ScriptedTokenModel(context_tokens=64)


@pytest.fixture
def server(model: ScriptedTokenModel) -> Iterator[RunningReference]:
    with running_reference(model, OPTIONS) as server:
        yield server


@pytest.fixture
def client(server: RunningReference) -> Iterator[openai.OpenAI]:
    with client_of(server.api, api_key="local") as client:
        yield client


def said(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": text}]


def complete(server: RunningReference, **fields: object) -> requests.Response:
    body = {"model": "tiny", "messages": said("żółw"), **fields}
    return requests.post(server.url + CHAT, json=body, timeout=PATIENCE_S)


def test_the_openai_client_gets_a_whole_answer(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="tiny", messages=said("żółw"))

    assert reply.choices[0].message.content == "żółw"
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (7, 8)
    assert (reply.model, reply.usage.total_tokens) == ("tiny", 15)


def test_the_openai_client_streams_the_answer_and_its_usage(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(
        model="tiny", messages=said("żółw"), stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)

    *parts, last = chunks
    assert "".join(part.choices[0].delta.content or "" for part in parts) == "żółw"
    assert [part.choices[0].finish_reason for part in parts][-1] == "stop"
    assert last.choices == []
    assert last.usage is not None
    assert (last.usage.prompt_tokens, last.usage.completion_tokens) == (7, 8)


def test_a_stream_has_no_usage_where_it_was_not_asked_for(server: RunningReference) -> None:
    reply = complete(server, stream=True)

    assert reply.headers["content-type"].startswith("text/event-stream")
    assert "usage" not in reply.text
    assert reply.text.endswith("data: [DONE]\n\n")


async def test_every_token_is_told_as_it_comes(
    model: ScriptedTokenModel, server: RunningReference
) -> None:
    model.permits = Semaphore(0)
    body = json.dumps({"model": "tiny", "messages": said("abc"), "stream": True}).encode()
    async with RawClient(server.port) as client:
        await client.send(post(CHAT, body))
        for letter in (b"a", b"b", b"c"):  # the next is generated when this one has been read
            model.permits.release()
            await client.read_until(b'{"content":"%s"}' % letter)
        model.permits.release()
        assert await client.read_until(b"[DONE]")


async def test_a_client_that_leaves_ends_its_row(
    model: ScriptedTokenModel, server: RunningReference
) -> None:
    model.permits = Semaphore(1)
    body = json.dumps({"model": "tiny", "messages": said("a long one"), "stream": True}).encode()
    async with RawClient(server.port) as client:
        await client.send(post(CHAT, body))
        await client.read_until(b'{"content":"a"}')
    await wait_for(lambda: server.queue.turns == 0)
    model.permits.release(10)
    assert complete(server, messages=said("")).json()["choices"][0]["message"]["content"] == ""
    assert model.steps == 3


def test_max_tokens_ends_the_answer_with_length(server: RunningReference) -> None:
    reply = complete(server, max_completion_tokens=2).json()

    assert reply["choices"][0]["finish_reason"] == "length"
    assert reply["choices"][0]["message"]["content"] == "ż"
    assert reply["usage"]["completion_tokens"] == 2


def test_a_stop_sequence_ends_the_answer_before_it(server: RunningReference) -> None:
    reply = complete(server, stop="ł").json()

    assert reply["choices"][0]["message"]["content"] == "żó"
    assert reply["choices"][0]["finish_reason"] == "stop"


def test_the_end_can_be_ignored_up_to_max_tokens(
    model: ScriptedTokenModel, server: RunningReference
) -> None:
    model.answers["żółw"] = (*b"a", END, *b"b")
    reply = complete(server, ignore_eos=True, max_tokens=9).json()

    assert reply["choices"][0]["message"]["content"] == "ab"
    assert reply["usage"]["completion_tokens"] == 9


@pytest.mark.parametrize(("skips", "text"), [(True, "{}"), (False, "<mark>{}")])
def test_marks_are_shown_where_they_are_asked_for(
    model: ScriptedTokenModel, server: RunningReference, *, skips: bool, text: str
) -> None:
    model.answers["żółw"] = (MARK, *b"{}", END)
    reply = complete(server, skip_special_tokens=skips).json()

    assert reply["choices"][0]["message"]["content"] == text


def test_sampling_reaches_the_model(model: ScriptedTokenModel, server: RunningReference) -> None:
    wanted = {
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.1,
        "repetition_penalty": 1.1,
        "presence_penalty": 0.2,
        "frequency_penalty": 0.3,
        "seed": 7,
    }
    complete(server, **wanted)

    [[prompt]] = model.batches
    assert {name: getattr(prompt.sampling, name) for name in wanted} == wanted


def test_tools_reach_the_template(model: ScriptedTokenModel, server: RunningReference) -> None:
    tool = {"type": "function", "function": {"name": "add", "parameters": {}}}
    complete(server, tools=[tool], tool_choice="auto")

    assert model.tools == [tool]


@pytest.mark.parametrize(
    ("fields", "status", "code", "param"),
    [
        ({"messages": said("a" * 64)}, 400, "context_length_exceeded", "messages"),
        ({"max_tokens": 58}, 400, "context_length_exceeded", "max_tokens"),
        ({"max_tokens": 0}, 400, "invalid_request", "max_tokens"),
        ({"temperature": 3}, 400, "invalid_request", "temperature"),
        ({"stop": [""]}, 400, "invalid_request", "stop"),
        ({"stop": ["a"] * 5}, 400, "invalid_request", "stop"),
        ({"messages": said("a") * 1001}, 400, "invalid_request", "messages"),
        (
            {"messages": [{"role": "assistant", "content": "a"}]},
            400,
            "invalid_request",
            "messages",
        ),
        ({"temprature": 1}, 400, "unsupported_parameter", "temprature"),
        ({"logprobs": True}, 400, "unsupported_parameter", "logprobs"),
        ({"tool_choice": "required"}, 400, "unsupported_parameter", "tool_choice"),
        ({"model": "other"}, 404, "not_found", "model"),
    ],
)
def test_what_cannot_be_served_is_refused_by_name(
    server: RunningReference, fields: dict[str, object], status: int, code: str, param: str
) -> None:
    reply = complete(server, **fields)

    assert reply.status_code == status
    assert (reply.json()["error"]["code"], reply.json()["error"]["param"]) == (code, param)


def test_what_asks_for_nothing_is_accepted(server: RunningReference) -> None:
    nothing = {"n": 1, "user": "u", "logprobs": False, "response_format": {"type": "text"}}

    assert complete(server, **nothing).ok


def test_a_full_queue_is_503_with_when_to_come_back(
    model: ScriptedTokenModel, server: RunningReference
) -> None:
    model.gate.clear()
    with ThreadPoolExecutor(2) as pool:
        held = [pool.submit(complete, server) for _ in range(2)]
        wait_until(lambda: server.queue.turns == 2)
        refused = complete(server)
        model.gate.set()

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "queue_full")
    assert int(refused.headers["retry-after"]) >= 1
    assert [one.result().status_code for one in held] == [200, 200]


def test_before_the_model_is_loaded_requests_are_told_to_come_back(
    model: ScriptedTokenModel,
) -> None:
    model.may_load.clear()
    with running_reference(model, OPTIONS, is_ready=False) as server:
        assert requests.get(f"{server.url}/livez", timeout=PATIENCE_S).ok
        assert requests.get(f"{server.url}/readyz", timeout=PATIENCE_S).status_code == 503
        refused = complete(server)

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "engine_unavailable")


def test_a_bug_of_the_model_is_told_and_the_server_goes_on(
    model: ScriptedTokenModel, server: RunningReference
) -> None:
    model.step_error = RuntimeError("secret of the inside")
    reply = complete(server)
    model.step_error = None

    assert (reply.status_code, reply.json()["error"]["code"]) == (500, "internal_error")
    assert "secret" not in reply.text
    assert complete(server).ok


def test_the_one_model_is_listed(client: openai.OpenAI) -> None:
    assert [one.id for one in client.models.list()] == ["tiny"]
    assert client.models.retrieve("tiny").owned_by == "zwrotnica"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("other")


@pytest.mark.parametrize(
    ("body", "tokens"),
    [
        ({"prompt": "ab"}, [258, 97, 98]),
        ({"prompt": "ab", "add_special_tokens": False}, [97, 98]),
        ({"messages": said("ab"), "model": "tiny"}, [97, 98]),
    ],
)
def test_words_are_told_as_tokens(
    server: RunningReference, body: dict[str, object], tokens: list[int]
) -> None:
    reply = requests.post(f"{server.url}/tokenize", json=body, timeout=PATIENCE_S).json()

    assert reply == {"count": len(tokens), "max_model_len": 64, "tokens": tokens}


def test_tokenize_wants_a_text_or_a_conversation(server: RunningReference) -> None:
    reply = requests.post(f"{server.url}/tokenize", json={}, timeout=PATIENCE_S)

    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "prompt")


def test_a_history_with_calls_reaches_the_template(server: RunningReference) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "developer", "content": "Odpowiadaj po polsku."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "name": "add", "content": "2"},
        {"role": "user", "content": [{"type": "text", "text": "ile?"}]},
    ]

    assert complete(server, messages=messages).json()["choices"][0]["message"]["content"] == "ile?"


def test_figures_count_tokens(server: RunningReference) -> None:
    complete(server)
    text = requests.get(f"{server.url}/metrics", timeout=PATIENCE_S).text

    assert "zwrotnica_reference_generated_tokens_total 8.0" in text
    assert "zwrotnica_reference_prompt_tokens_total 7.0" in text


def test_with_a_key_only_who_knows_it_is_served(model: ScriptedTokenModel) -> None:
    options = ServerOptions(served_name="tiny", port=0, key=SecretStr(KEY))
    with running_reference(model, options) as server:
        without = complete(server)
        with client_of(server.api, api_key=KEY) as client:
            names = [one.id for one in client.models.list()]

    assert (without.status_code, without.json()["error"]["code"]) == (401, "invalid_api_key")
    assert names == ["tiny"]
