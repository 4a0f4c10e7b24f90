"""The router's decisions, its early close, its limits, and what it survives (FAULTS E12a)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import anyio
import pytest
from scripted.patience import NEVER_S, PATIENCE_S

from chatbot.errors import EngineBusy, EngineLost, EngineTimeout, EngineUnavailable, InvalidRequest
from chatbot.ports import ChatEngine
from chatbot.router import DIALECTS, Router, RouterLimits
from chatbot.testing import ManualClock, Pause, ScriptedEngine
from chatbot.types import CallDelta, ChatRequest, Decision, Delta, RouterView, ToolSpec, Usage

WEATHER = ToolSpec(
    name="get_weather",
    title="Pogoda",
    description="Weather.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
    examples=("Jaka jest pogoda w Łodzi?", "Czy jutro będzie padać?"),
)
TAG = 128010
CALL = '{"name": "get_weather", "parameters": {"city": "Łódź"}}'
DEFAULT = '<|python_tag|>{"name": "default_function", "parameters": {}}'


@dataclass(kw_only=True)
class TickingEngine:
    """Plays a script, a tenth of a second on the clock before each delta."""

    script: list[Delta]
    clock: ManualClock
    name: str = "ticking"

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        yield self._play()

    async def _play(self) -> AsyncIterator[Delta]:
        for delta in self.script:
            self.clock.advance(0.1)
            yield delta


def engine_for(*script: Any) -> ScriptedEngine:  # noqa: ANN401 - steps of any kind
    return ScriptedEngine(script=script)


async def decide(
    engine: ChatEngine | None,
    prompt: str = "Czy w Łodzi pada?",
    *,
    dialect: str = "llama3.1",
    limits: RouterLimits = RouterLimits(),  # noqa: B008 - frozen
) -> Decision:
    router = Router(engine=engine, dialect=DIALECTS[dialect], clock=ManualClock(), limits=limits)
    return await router.decide(RouterView(tools=(WEATHER,), prompt=prompt))


def made(decision: Decision) -> list[tuple[str, object]]:
    return [(call.name, call.arguments) for call in decision.calls]


async def test_a_call_is_decided_with_its_arguments() -> None:
    decision = await decide(engine_for("<|python_tag|>", CALL[:20], CALL[20:]))
    assert (decision.reason, made(decision)) == ("called", [("get_weather", {"city": "Łódź"})])
    assert decision.calls[0].raw_arguments == {"city": "Łódź"}
    assert (decision.engine, decision.dialect) == ("scripted", "llama3.1")


async def test_plain_text_closes_the_stream_at_its_first_token() -> None:
    engine = engine_for("Je", "sień", " idzie", "…")
    assert (await decide(engine)).reason == "plain_text"
    assert (engine.played, engine.aborted, engine.open_streams) == (1, 1, 0)


async def test_the_default_function_closes_the_stream_within_its_name() -> None:
    engine = engine_for('<|python_tag|>{"name": "', "default", "_function", '", "parameters": {}}')
    assert (await decide(engine)).reason == "default_function"
    assert (engine.played, engine.aborted) == (2, 1)


async def test_a_tool_with_a_like_name_keeps_the_name_open() -> None:
    like = replace(WEATHER, name="default_city")
    engine = engine_for('<|python_tag|>{"name": "', "default", "_function", '", "parameters": {}}')
    router = Router(engine=engine, dialect=DIALECTS["llama3.1"], clock=ManualClock())
    decision = await router.decide(RouterView(tools=(like,), prompt="Cześć"))
    assert (decision.reason, engine.played) == ("default_function", 4)


@pytest.mark.parametrize("cut", range(8, 24))
async def test_a_name_that_only_begins_like_the_default_is_read_alike_in_any_pieces(
    cut: int,
) -> None:
    text = '<|python_tag|>{"name": "default_x", "parameters": {}}'
    whole, pieces = await decide(engine_for(text)), await decide(engine_for(text[:cut], text[cut:]))
    assert whole.reason == pieces.reason == "default_function"


async def test_bare_json_that_is_no_call_closes_the_stream_at_its_key() -> None:
    engine = engine_for("{", '"imi', 'ę": ', '"Jan"}')
    assert (await decide(engine)).reason == "plain_text"
    assert (engine.played, engine.aborted) == (2, 1)


async def test_an_unknown_tool_closes_the_stream_at_its_name() -> None:
    engine = engine_for('<|python_tag|>{"name": "fly_to"', ', "parameters": {}}')
    assert (await decide(engine)).reason == "unknown_tool"
    assert engine.aborted == 1


async def test_code_after_the_tag_closes_the_stream() -> None:
    engine = engine_for("<|python_tag|>", "import requests\n", "requests.get('x')\n")
    assert (await decide(engine)).reason == "unusable_call"
    assert (engine.played, engine.aborted) == (2, 1)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (['<|python_tag|>{"name": "get_weather", "parameters": {"city": oops}}'], "unusable_call"),
        (["<|python_tag|>print(2)"], "unusable_call"),
        (["<|python_tag|>"], "unusable_call"),
        (['{"city": "Łódź"}'], "plain_text"),
        (["<think>Pogoda?</think>", CALL], "called"),
        (["<think>Pogoda?</think>", "Oto odpowiedź"], "plain_text"),
        (["<think>bez końca"], "plain_text"),
        ([" " * 80, CALL], "plain_text"),
        ([""], "plain_text"),
    ],
)
async def test_whatever_a_model_writes_has_a_typed_reason(script: list[str], reason: str) -> None:
    assert (await decide(engine_for(*script))).reason == reason


async def test_calls_on_the_wire_are_decided() -> None:
    engine = engine_for(
        Delta(),
        Delta(calls=(CallDelta(index=0, call_id="x", name="get_weather"),)),
        Delta(calls=(CallDelta(index=0, arguments='{"city": '),)),
        Delta(calls=(CallDelta(index=0, arguments='"Hel"}'),)),
        Delta(finish="tool_calls"),
    )
    assert made(await decide(engine, dialect="plain")) == [("get_weather", {"city": "Hel"})]


async def test_a_repeated_delta_on_the_wire_changes_nothing() -> None:
    opening = Delta(calls=(CallDelta(index=0, call_id="x", name="get_weather"),))
    arguments = Delta(calls=(CallDelta(index=0, arguments='{"city": "Hel"}'),))
    engine = engine_for(opening, opening, arguments, Delta(finish="tool_calls"))
    assert made(await decide(engine, dialect="plain")) == [("get_weather", {"city": "Hel"})]


async def test_a_default_call_on_the_wire_closes_the_stream() -> None:
    call = CallDelta(index=0, call_id="x", name="default_function")
    engine = engine_for(Delta(calls=(call,)), Delta(finish="tool_calls"))
    assert (await decide(engine, dialect="plain")).reason == "default_function"
    assert engine.aborted == 1


async def test_a_call_that_the_token_limit_cut_is_not_closed_by_guessing() -> None:
    engine = engine_for(Delta(text="<|python_tag|>" + CALL[:-1]), Delta(finish="length"))
    assert (await decide(engine)).reason == "unusable_call"


# --- when nobody is asked ------------------------------------------------------------------------


async def test_without_tools_nobody_is_asked() -> None:
    engine = engine_for("Tak")
    router = Router(engine=engine, dialect=DIALECTS["llama3.1"], clock=ManualClock())
    decision = await router.decide(RouterView(tools=(), prompt="Czy w Łodzi pada?"))
    assert (decision.reason, engine.requests) == ("no_tools", [])


async def test_a_long_text_is_not_sent() -> None:
    engine = engine_for(CALL)
    assert (await decide(engine, "lorem ipsum " * 800)).reason == "long_text"
    assert engine.requests == []


async def test_a_long_text_that_ends_in_a_question_to_a_tool_is_sent() -> None:
    engine = engine_for("<|python_tag|>" + CALL)
    decision = await decide(engine, "lorem ipsum " * 800 + " Jaka będzie pogodą?")
    assert decision.reason == "called"
    assert len(engine.requests[0].messages[-1].text) < 4_000


# --- faults --------------------------------------------------------------------------------------


async def test_without_an_engine_the_default_model_answers() -> None:
    decision = await decide(None)
    assert (decision.reason, decision.calls, decision.legs) == ("router_down", (), ())


@pytest.mark.parametrize(
    "error",
    [
        EngineUnavailable("refused", engine="e"),
        EngineBusy("later", engine="e"),
        InvalidRequest("too long"),
    ],
)
async def test_an_engine_that_refuses_leaves_the_default_model(error: Exception) -> None:
    decision = await decide(engine_for(error))
    assert (decision.reason, decision.legs) == ("router_down", ())


@pytest.mark.parametrize("steps", [(), ("<|python_tag|>",), ("<|python_tag|>" + CALL[:30],)])
async def test_an_engine_that_is_lost_leaves_the_default_model(steps: tuple[str, ...]) -> None:
    decision = await decide(engine_for(Delta(), *steps, EngineLost("cut", engine="e")))
    assert (decision.reason, decision.calls) == ("router_down", ())


async def test_an_engine_that_waits_too_long_by_its_own_limit_is_a_timeout() -> None:
    decision = await decide(engine_for(Delta(), EngineTimeout("slow", engine="e")))
    assert decision.reason == "timeout"


@pytest.mark.parametrize("before", [(), ("<|python_tag|>",), ('{"name": "get_',)])
async def test_without_a_verdict_in_time_the_default_model_answers(before: tuple[str, ...]) -> None:
    engine = engine_for(Delta(), *before, Pause(seconds=NEVER_S), Delta(text=CALL))
    with anyio.fail_after(PATIENCE_S):
        decision = await decide(engine, limits=RouterLimits(verdict_s=0.05))
    assert (decision.reason, engine.open_streams) == ("timeout", 0)


async def test_the_arguments_may_take_longer_than_the_verdict() -> None:
    engine = engine_for("<|python_tag|>" + CALL[:30], Pause(seconds=0.6), CALL[30:])
    assert (await decide(engine, limits=RouterLimits(verdict_s=0.5))).reason == "called"


async def test_arguments_that_do_not_end_in_time_are_a_timeout() -> None:
    engine = engine_for(Delta(text="<|python_tag|>" + CALL[:30]), Pause(seconds=NEVER_S), CALL[30:])
    decision = await decide(engine, limits=RouterLimits(call_s=0.05))
    assert decision.reason == "timeout"


async def test_calls_that_are_whole_at_the_limit_are_made() -> None:
    engine = engine_for(
        Delta(text="<|python_tag|>" + CALL), Pause(seconds=NEVER_S), Delta(text="…")
    )
    decision = await decide(engine, limits=RouterLimits(call_s=0.5))
    assert made(decision) == [("get_weather", {"city": "Łódź"})]


async def test_an_ended_stream_is_not_waited_for() -> None:
    engine = engine_for(
        Delta(text="<|python_tag|>" + CALL), Delta(finish="stop"), Pause(seconds=NEVER_S)
    )
    with anyio.fail_after(PATIENCE_S):
        decision = await decide(engine, limits=RouterLimits(usage_s=0.05))
    assert decision.reason == "called"


async def test_cancelling_closes_the_stream() -> None:
    engine = engine_for(Delta(), Pause(seconds=NEVER_S))
    with anyio.move_on_after(0.05):
        await decide(engine)
    assert engine.open_streams == 0


# --- what is told about a decision ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("deltas", "confirmed"),
    [
        ((Delta(text="<|python_tag|>", token_ids=(TAG,)), Delta(text=CALL)), True),
        ((Delta(text="Je", token_ids=(55,)),), True),
        ((Delta(text=CALL, token_ids=(TAG, 5)),), True),
        ((Delta(text=CALL, token_ids=(5018,)),), False),
        ((Delta(text="Je", token_ids=(TAG,)),), False),
        ((Delta(text="Je"),), None),
        ((Delta(text="<think>a</think>", token_ids=(9,)), Delta(text=CALL)), None),
    ],
)
async def test_token_ids_confirm_the_verdict(
    deltas: tuple[Delta, ...],
    confirmed: bool | None,
) -> None:
    assert (await decide(engine_for(*deltas, Delta(finish="stop")))).confirmed is confirmed


async def test_a_checkpoint_may_have_its_own_tag() -> None:
    dialect = replace(DIALECTS["llama3.1"], tag_id=263)
    engine = engine_for(Delta(text="<|python_tag|>" + CALL, token_ids=(263,)), Delta(finish="stop"))
    router = Router(engine=engine, dialect=dialect, clock=ManualClock())
    decision = await router.decide(RouterView(tools=(WEATHER,), prompt="Czy pada?"))
    assert decision.confirmed is True


async def test_the_engines_usage_is_reported() -> None:
    usage = Usage(prompt_tokens=300, completion_tokens=20)
    engine = engine_for(Delta(text="<|python_tag|>" + CALL), Delta(finish="stop", usage=usage))
    [leg] = (await decide(engine)).legs
    assert (leg.role, leg.prompt_tokens, leg.completion_tokens, leg.source) == (
        *("router", 300, 20),
        "engine",
    )


@pytest.mark.parametrize("count", [-1, 10**12])
async def test_usage_that_is_no_count_is_estimated(count: int) -> None:
    usage = Usage(prompt_tokens=300, completion_tokens=count)
    [leg] = (await decide(engine_for(Delta(text=DEFAULT, usage=usage)))).legs
    assert leg.source == "estimate"


async def test_a_stream_that_was_closed_early_is_estimated() -> None:
    engine = engine_for("Zażółć", "gęślą")
    [leg] = (await decide(engine)).legs
    sent = sum(len(message.text.encode()) for message in engine.requests[0].messages)
    assert (leg.prompt_tokens, leg.completion_tokens) == (-(-sent // 3), -(-10 // 3))
    assert leg.source == "estimate"


async def test_the_time_to_the_verdict_is_told_not_that_to_the_arguments() -> None:
    clock = ManualClock()
    call = "<|python_tag|>" + CALL
    script = [Delta(), Delta(text=call[:40]), Delta(text=call[40:]), Delta(finish="stop")]
    engine = TickingEngine(script=script, clock=clock)
    router = Router(engine=engine, dialect=DIALECTS["llama3.1"], clock=clock)
    decision = await router.decide(RouterView(tools=(WEATHER,), prompt="Czy pada?"))
    assert (decision.reason, decision.verdict_ms) == ("called", 200)
