"""The router against a real vLLM: every lesson in every way of offering and reading calls."""

from collections.abc import Sequence

import pytest
from engines.engine_access import TAG_STRIPPED, route
from engines.lessons import DEFAULT, LESSONS, PLAIN, SEVERAL, TAG, WEATHER, Lesson
from engines.vllm_server import Vllm, is_idle

from chatbot.types import Decision, JsonObject, RouteReason, RouterView, ToolSpec

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

Tools = tuple[ToolSpec, ...]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.prompt)


def outcome(decision: Decision) -> tuple[str, Sequence[tuple[str, JsonObject]]]:
    return decision.reason, tuple((call.name, call.raw_arguments) for call in decision.calls)


def taught(
    lesson: Lesson, instead: RouteReason | None = None
) -> tuple[str, Sequence[tuple[str, JsonObject]]]:
    return (instead, ()) if instead else (lesson.reason, lesson.calls)


@each_lesson
async def test_with_the_parser_off_a_lesson_is_decided_as_taught(
    parser_off: Vllm, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_off) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson)


@each_lesson
async def test_with_the_parser_on_a_lesson_is_decided_as_taught(
    parser_on: Vllm, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_on) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson)


@each_lesson
async def test_calls_that_the_server_has_parsed_are_decided_as_taught(
    parser_on: Vllm, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_on, dialect="plain") as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson, lesson.after_parser)


@each_lesson
async def test_without_the_tag_a_lesson_is_decided_as_taught(
    parser_off: Vllm, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_off, kind=TAG_STRIPPED) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson, lesson.without_tag)


@pytest.mark.parametrize("lesson", [WEATHER[0], SEVERAL[0], DEFAULT[0], PLAIN[0]])
async def test_the_engines_token_ids_confirm_the_verdict(
    parser_off: Vllm, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_off) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert decision.confirmed is True


async def test_after_a_plain_text_verdict_at_most_eight_more_tokens_are_generated(
    slow: Vllm, tools: Tools
) -> None:
    lesson = next(lesson for lesson in PLAIN if "trzydziestu" in lesson.prompt)
    assert await tokens_of_decision(slow, tools, lesson) <= 1 + 8


async def test_after_the_default_functions_name_at_most_eight_more_tokens_are_generated(
    slow: Vllm, tools: Tools
) -> None:
    lesson = max(DEFAULT, key=lambda lesson: len(lesson.reply))
    known = len(slow.tokens(TAG + '{"name": "default_function",'))
    assert len(slow.tokens(lesson.reply)) > 60
    assert await tokens_of_decision(slow, tools, lesson) <= known + 8


async def tokens_of_decision(slow: Vllm, tools: Tools, lesson: Lesson) -> int:
    """Tokens that the engine generated, by its own counter, for one decision."""
    before = slow.generated()
    async with route(slow) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
        assert await is_idle(slow, within_s=1.0)
    assert outcome(decision) == taught(lesson)
    return slow.generated() - before
