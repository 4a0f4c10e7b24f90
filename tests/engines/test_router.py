"""The router on real servers: every lesson in every way of offering and reading calls."""

from collections.abc import Sequence

import pytest
from engines.engine_access import TAG_STRIPPED, route
from engines.lessons import DEFAULT, LESSONS, PLAIN, SEVERAL, WEATHER, Lesson
from engines.model_server import ModelServer
from engines.model_servers import ModelServers

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


@pytest.fixture(params=["router", "plain", "reference"])
def server(request: pytest.FixtureRequest, servers: ModelServers) -> ModelServer:
    return servers.wait(request.param)


@each_lesson
async def test_a_lesson_is_decided_as_taught(
    server: ModelServer, tools: Tools, lesson: Lesson
) -> None:
    async with route(server) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson)


@each_lesson
async def test_calls_that_the_server_has_parsed_are_decided_as_taught(
    parser_on: ModelServer, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_on, dialect="plain") as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson, lesson.after_parser)


@each_lesson
async def test_without_the_tag_a_lesson_is_decided_as_taught(
    parser_off: ModelServer, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_off, kind=TAG_STRIPPED) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert outcome(decision) == taught(lesson, lesson.without_tag)


@pytest.mark.parametrize("lesson", [WEATHER[0], SEVERAL[0], DEFAULT[0], PLAIN[0]])
async def test_the_engines_token_ids_confirm_the_verdict(
    parser_off: ModelServer, tools: Tools, lesson: Lesson
) -> None:
    async with route(parser_off) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    assert decision.confirmed is True
