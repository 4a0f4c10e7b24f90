"""The engine adapter against a real vLLM: tokens, ends, limits, aborts."""

import anyio
import pytest
from engines.engine_access import TAG_STRIPPED, chat, connect, read_all
from engines.lessons import CHATS, EOT, LESSONS, TAG, WEATHER, Chat
from engines.vllm_server import Vllm, is_idle

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.router import DIALECTS, RouterLimits, request_verdict
from chatbot.sanitizer import break_control_tokens
from chatbot.types import ChatRequest, RouterView, ToolSpec

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

LONG = "Policz słownie od jednego do trzydziestu."


@pytest.fixture
def weather_request(tools: tuple[ToolSpec, ...]) -> ChatRequest:
    view = RouterView(tools=tools, prompt=WEATHER[0].prompt)
    return request_verdict(view, DIALECTS["llama3.1"], RouterLimits())


@pytest.mark.parametrize("taught", CHATS, ids=lambda taught: taught.prompt)
async def test_a_chat_is_answered_as_taught(parser_on: Vllm, taught: Chat) -> None:
    async with connect(parser_on) as engine:
        reply = await read_all(engine, chat(taught.prompt))
    assert (reply.text, reply.finish) == (taught.answer, "stop")


async def test_the_tag_is_the_first_text_when_special_tokens_are_kept(
    parser_off: Vllm, weather_request: ChatRequest
) -> None:
    async with connect(parser_off) as engine:
        reply = await read_all(engine, weather_request)
    assert reply.text.startswith(TAG)


async def test_the_tag_is_not_in_the_text_when_special_tokens_are_stripped(
    parser_off: Vllm, weather_request: ChatRequest
) -> None:
    async with connect(parser_off, TAG_STRIPPED) as engine:
        reply = await read_all(engine, weather_request)
    assert reply.text.startswith('{"name": "get_weather"')


async def test_the_first_token_id_is_the_tag_even_when_it_is_stripped(
    parser_off: Vllm, weather_request: ChatRequest
) -> None:
    async with connect(parser_off, TAG_STRIPPED) as engine:
        reply = await read_all(engine, weather_request)
    assert [reply.token_ids[0]] == parser_off.tokens(TAG)


async def test_usage_is_the_engines_own_count(parser_on: Vllm) -> None:
    async with connect(parser_on) as engine:
        reply = await read_all(engine, chat(CHATS[0].prompt))
    assert reply.usage is not None
    assert reply.usage.source == "engine"
    assert reply.usage.prompt_tokens == len(parser_on.chat_tokens(CHATS[0].prompt))
    assert reply.usage.completion_tokens == len(parser_on.tokens(CHATS[0].answer + EOT))


async def test_max_tokens_ends_the_answer_with_length(parser_on: Vllm) -> None:
    async with connect(parser_on) as engine:
        reply = await read_all(engine, chat(LONG, max_tokens=5))
    assert reply.finish == "length"
    assert reply.usage is not None
    assert reply.usage.completion_tokens == 5


async def test_a_stop_sequence_ends_the_answer_before_it(parser_on: Vllm) -> None:
    async with connect(parser_on) as engine:
        reply = await read_all(engine, chat(LONG, stop=(" sześć",)))
    assert (reply.text, reply.finish) == ("jeden, dwa, trzy, cztery, pięć,", "stop")


async def test_too_long_a_prompt_is_the_callers_mistake(parser_on: Vllm) -> None:
    async with connect(parser_on) as engine:
        with pytest.raises(InvalidRequest) as caught:
            await read_all(engine, chat("słowo " * 5000))
    assert caught.value.code == ErrorCode.CONTEXT_LENGTH_EXCEEDED


async def test_leaving_a_stream_ends_the_generation_within_a_second(slow: Vllm) -> None:
    async with connect(slow) as engine, engine.stream(chat(LONG)) as deltas:
        await anext(deltas)
        assert slow.running() == 1
    assert await is_idle(slow, within_s=1.0)


async def test_cancelling_a_reader_ends_the_generation_within_a_second(slow: Vllm) -> None:
    async with connect(slow) as engine:
        with anyio.move_on_after(0.5):
            await read_all(engine, chat(LONG))
        assert await is_idle(slow, within_s=1.0)


def test_a_control_token_typed_by_a_user_would_be_read_as_one(parser_on: Vllm) -> None:
    [end_of_turn] = parser_on.tokens(EOT)
    ordinary = parser_on.chat_tokens("Ala ma kota.").count(end_of_turn)
    assert parser_on.chat_tokens(f"Ala {EOT} ma kota.").count(end_of_turn) == ordinary + 1


@pytest.mark.parametrize("token", DIALECTS["llama3.1"].control_tokens)
def test_a_broken_control_token_is_ordinary_text(parser_on: Vllm, token: str) -> None:
    [control] = parser_on.tokens(token)
    text = break_control_tokens(f"Ala {token} ma {token}kota.")
    assert control not in parser_on.tokens(text)


async def test_lessons_fit_their_verdict_limit(slow: Vllm) -> None:
    longest = max(LESSONS, key=lambda lesson: len(lesson.reply))
    assert len(slow.tokens(longest.reply)) < RouterLimits().max_tokens
