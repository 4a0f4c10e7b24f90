"""What the engine adapter has of vLLM alone: the ids of tokens."""

import pytest
from engines.engine_access import TAG_STRIPPED, connect, read_all
from engines.lessons import LESSONS, TAG, WEATHER
from engines.model_server import ModelServer

from chatbot.router import DIALECTS, RouterLimits, request_verdict
from chatbot.types import RouterView, ToolSpec

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]


async def test_the_first_token_id_is_the_tag_even_when_it_is_stripped(
    parser_off: ModelServer, tools: tuple[ToolSpec, ...]
) -> None:
    view = RouterView(tools=tools, prompt=WEATHER[0].prompt)
    request = request_verdict(view, DIALECTS["llama3.1"], RouterLimits())
    async with connect(parser_off, TAG_STRIPPED) as engine:
        reply = await read_all(engine, request)
    assert [reply.token_ids[0]] == parser_off.tokens(TAG)


def test_lessons_fit_their_verdict_limit(slow: ModelServer) -> None:
    longest = max(LESSONS, key=lambda lesson: len(lesson.reply))
    assert len(slow.tokens(longest.reply)) < RouterLimits().max_tokens
