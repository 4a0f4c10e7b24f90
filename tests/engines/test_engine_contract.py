"""What every real server gives through our adapter: answers, usage, ends, aborts, refusals."""

from collections.abc import AsyncIterator
from dataclasses import replace

import anyio
import pytest
from engines.engine_access import chat, connect, read_all
from engines.lessons import CHATS, COUNTING, EOT, TAG, WEATHER
from engines.model_server import ModelServer, is_idle
from engines.model_servers import NAMES, ModelServers
from pydantic import SecretStr

from chatbot.errors import EngineUnavailable, ErrorCode, InvalidRequest
from chatbot.router import DIALECTS, RouterLimits, request_verdict
from chatbot.sanitizer import break_control_tokens
from chatbot.types import ChatRequest, Delta, JsonObject, RouterView, Sampling, ToolSpec, Usage
from serving.engines.openai_api import OpenAIEngine

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

LONG = "Policz słownie od jednego do trzydziestu."
SHORT = min(CHATS, key=lambda taught: len(taught.answer))
STRANGE = "Zażółć gęślą jaźń 🦊\u200d🔥 e\u0301 \u202eשלום\u202c ﷽ \x1b[31m \U0010ffff"
ENDLESS = replace(
    chat(LONG),
    sampling=Sampling(temperature=0.0, max_tokens=2000, frequency_penalty=-2.0),
)
"""Whatever has been said is likelier the next time, so that the model never comes to its end."""
MANY = 1_000_000_000


@pytest.fixture(params=NAMES)
def server(request: pytest.FixtureRequest, servers: ModelServers) -> ModelServer:
    return servers.wait(request.param)


@pytest.fixture
async def engine(server: ModelServer) -> AsyncIterator[OpenAIEngine]:
    async with connect(server) as engine:
        yield engine


@pytest.fixture
def call(tools: tuple[ToolSpec, ...]) -> ChatRequest:
    """Asks for a call of a tool that the prompt offers."""
    view = RouterView(tools=tools, prompt=WEATHER[0].prompt)
    return request_verdict(view, DIALECTS["llama3.1"], RouterLimits())


async def test_clients_at_once_get_each_their_own_answer_as_taught(engine: OpenAIEngine) -> None:
    answers: dict[str, tuple[str, str | None]] = {}

    async def ask(prompt: str) -> None:
        reply = await read_all(engine, chat(prompt))
        answers[prompt] = reply.text, reply.finish

    async with anyio.create_task_group() as group:
        for taught in CHATS:
            group.start_soon(ask, taught.prompt)
    assert answers == {taught.prompt: (taught.answer, "stop") for taught in CHATS}


async def test_an_answer_comes_in_pieces_that_join_to_the_whole_one(
    engine: OpenAIEngine, server: ModelServer
) -> None:
    body = {"messages": [{"role": "user", "content": LONG}], "temperature": 0}
    whole = server.post("/v1/chat/completions", body).json()["choices"][0]["message"]["content"]
    async with engine.stream(chat(LONG)) as deltas:
        pieces = [delta.text async for delta in deltas if delta.text]
    assert "".join(pieces) == whole == COUNTING
    assert len(pieces) > 2


async def test_usage_is_what_the_servers_tokenizer_counts(
    engine: OpenAIEngine, server: ModelServer
) -> None:
    reply = await read_all(engine, chat(CHATS[0].prompt))
    assert reply.usage == Usage(
        prompt_tokens=len(server.chat_tokens(CHATS[0].prompt)),
        completion_tokens=len(server.tokens(CHATS[0].answer + EOT)),
        source="engine",
    )


async def test_usage_is_told_once_and_last(engine: OpenAIEngine) -> None:
    async with engine.stream(chat(LONG)) as deltas:
        told = [delta.usage is not None async for delta in deltas]
    assert told.index(True) == len(told) - 1


async def test_max_tokens_ends_the_answer_with_length(engine: OpenAIEngine) -> None:
    reply = await read_all(engine, chat(LONG, max_tokens=5))
    assert reply.finish == "length"
    assert reply.usage is not None
    assert reply.usage.completion_tokens == 5


async def test_a_stop_sequence_ends_the_answer_before_it(engine: OpenAIEngine) -> None:
    reply = await read_all(engine, chat(LONG, stop=("nigdy", " sześć")))
    assert (reply.text, reply.finish) == ("jeden, dwa, trzy, cztery, pięć,", "stop")


async def test_a_seed_gives_the_same_answer_again_and_another_one_another(
    engine: OpenAIEngine,
) -> None:
    first, again, other = [
        await read_all(engine, drawn(Sampling(temperature=2.0, seed=seed, max_tokens=40)))
        for seed in (1, 1, 2)
    ]
    assert first.text == again.text != other.text


async def test_temperature_0_repeats_an_answer_that_was_not_taught(engine: OpenAIEngine) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=40)
    first, again = [await read_all(engine, drawn(sampling)) for _ in range(2)]
    assert first.text == again.text != ""


def drawn(sampling: Sampling) -> ChatRequest:
    return replace(chat("Ala ma kota, a kot ma"), sampling=sampling)


async def test_leaving_a_stream_ends_the_generation(
    engine: OpenAIEngine, server: ModelServer
) -> None:
    before = server.generated()
    async with engine.stream(ENDLESS) as deltas:
        await anext(deltas)
        assert server.running() == 1
    assert await is_idle(server, within_s=1.0)
    assert server.generated() - before < 2000


async def test_cancelling_a_reader_ends_the_generation(
    engine: OpenAIEngine, server: ModelServer
) -> None:
    before = server.generated()
    async with anyio.create_task_group() as group, engine.stream(ENDLESS) as deltas:
        await anext(deltas)
        group.start_soon(read_on, deltas)
        await anyio.sleep(0.1)
        group.cancel_scope.cancel()
    assert await is_idle(server, within_s=1.0)
    assert server.generated() - before < 2000


async def read_on(deltas: AsyncIterator[Delta]) -> None:
    async for _ in deltas:
        pass


async def test_the_tag_is_text_where_special_tokens_are_kept(
    engine: OpenAIEngine, call: ChatRequest
) -> None:
    reply = await read_all(engine, call)
    assert reply.text.startswith(f'{TAG}{{"name": "get_weather"')


async def test_the_tag_is_no_text_where_special_tokens_are_stripped(
    server: ModelServer, call: ChatRequest
) -> None:
    async with connect(server, replace(server.kind, keeps_special_tokens=False)) as engine:
        reply = await read_all(engine, call)
    assert reply.text.startswith('{"name": "get_weather"')


def test_a_control_token_typed_by_a_user_would_be_read_as_one(server: ModelServer) -> None:
    [end_of_turn] = server.tokens(EOT)
    ordinary = server.chat_tokens("Ala ma kota.").count(end_of_turn)
    assert server.chat_tokens(f"Ala {EOT} ma kota.").count(end_of_turn) == ordinary + 1


@pytest.mark.parametrize("token", DIALECTS["llama3.1"].control_tokens)
def test_a_broken_control_token_is_ordinary_text(server: ModelServer, token: str) -> None:
    [control] = server.tokens(token)
    assert control not in server.tokens(break_control_tokens(f"Ala {token} ma {token}kota."))


async def test_any_character_is_read(engine: OpenAIEngine, server: ModelServer) -> None:
    reply = await read_all(engine, chat(STRANGE, max_tokens=5))
    assert reply.usage is not None
    assert reply.usage.prompt_tokens == len(server.chat_tokens(STRANGE))


async def test_its_model_is_listed(engine: OpenAIEngine, server: ModelServer) -> None:
    assert await engine.list_models() == (server.engine.model,)


@pytest.mark.parametrize(
    "request_",
    [chat("słowo " * 5000), chat(LONG, max_tokens=MANY)],
    ids=["prompt", "max_tokens"],
)
async def test_what_does_not_fit_the_context_is_the_callers_mistake(
    engine: OpenAIEngine, request_: ChatRequest
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        await read_all(engine, request_)
    assert caught.value.code == ErrorCode.CONTEXT_LENGTH_EXCEEDED


@pytest.mark.parametrize(
    "changed",
    [
        {"messages": []},
        {"n": MANY},
        {"n": 0},
        {"temperature": -1.0},
        {"top_p": 2.0},
        {"max_tokens": 0},
    ],
    ids=str,
)
async def test_what_is_out_of_bounds_is_refused_and_changes_nothing(
    engine: OpenAIEngine, changed: JsonObject
) -> None:
    body: JsonObject = {"messages": [{"role": "user", "content": SHORT.prompt}]}
    with pytest.raises(InvalidRequest):
        await engine.forward_whole({**body, **changed})
    reply = await read_all(engine, chat(SHORT.prompt))
    assert reply.text == SHORT.answer


async def test_a_model_that_it_does_not_serve_is_the_operators_mistake(
    server: ModelServer,
) -> None:
    async with connect(server.but(model="no-such-model")) as engine:
        with pytest.raises(EngineUnavailable, match="model name") as caught:
            await read_all(engine, chat(LONG))
    assert caught.value.code == ErrorCode.ENGINE_LOST
    assert engine.oddities == {"address_rejected": 1}


@pytest.mark.parametrize("key", [None, SecretStr("sk-of-somebody-else")], ids=["none", "wrong"])
async def test_a_key_that_it_refuses_raises_the_alarm(
    server: ModelServer, key: SecretStr | None
) -> None:
    async with connect(server.but(api_key=key)) as engine:
        with pytest.raises(EngineUnavailable, match="key in the settings") as caught:
            await read_all(engine, chat(LONG))
    assert caught.value.code == ErrorCode.ENGINE_LOST
    assert engine.oddities == {"credentials_rejected": 1}
