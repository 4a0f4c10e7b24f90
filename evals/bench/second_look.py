"""Measures the second look: which errors of a router model make the router ask a larger one.

No larger model runs here, so both are played: the smaller one makes each kind of error on every
prompt that allows it, and nothing but its answer is played; doubts, verification and grounding are
the product's own. The larger one is always right, so that what is still wrong was not asked about.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random

import anyio

from chatbot.language import town_names
from chatbot.router import DIALECTS, Dispatcher, DispatchPolicy, Router
from chatbot.router.detector import Detector
from chatbot.router.dialogue import DialogueState
from chatbot.testing import ScriptedEngine
from chatbot.tools.builtin import BUILT_IN
from chatbot.types import ChatRequest, Decision, RouterView
from evals.cases import ZWROTNICA_PL, Case, ExpectedCall, Split, read_cases, select
from serving.clock import SystemClock

HALVES: tuple[Split, ...] = ("dev", "test")
TOOLS = tuple(tool.spec for tool in BUILT_IN)
RIGHT = "none"
_TAG = "<|python_tag|>"
_CHAT = "Chętnie o tym porozmawiam."
_CUT = 0.6  # of a call that breaks off
_TODAY = date(2026, 11, 18)


@dataclass(frozen=True, kw_only=True, slots=True)
class SecondLook:
    """What became of one kind of ``error``, made once on each of the ``prompts`` that allow it.

    ``asked`` counts the prompts that the larger model was asked about, ``doubts`` why; ``tools``
    those whose tool is right in the end.
    """

    half: Split
    error: str
    prompts: int
    asked: int
    doubts: Mapping[str, int]
    tools: int


@dataclass(kw_only=True, slots=True)
class _Count:
    prompts: int = 0
    tools: int = 0
    doubts: Counter[str] = field(default_factory=Counter)


def measure_second_look(half: Split, *, seed: int) -> list[SecondLook]:
    """Play every error on the single prompts of a half that need at most one whole call."""
    cases = select(read_cases(ZWROTNICA_PL), half).cases
    plain = [case for case in cases if _is_plain(case)]
    counts = anyio.run(_play, plain, Random(seed))  # noqa: S311 - a repeatable choice
    return [
        SecondLook(
            half=half,
            error=error,
            prompts=one.prompts,
            asked=one.doubts.total(),
            doubts=dict(one.doubts),
            tools=one.tools,
        )
        for error, one in counts.items()
    ]


def _is_plain(case: Case) -> bool:
    wanted = case.expected
    return not (case.history or case.also or wanted.ask or wanted.is_open or len(wanted.calls) > 1)


async def _play(cases: Sequence[Case], choice: Random) -> dict[str, _Count]:
    said = {"small": "", "large": ""}
    dispatcher = Dispatcher(
        router=_router(said, "small"),
        second=_router(said, "large"),
        detector=Detector.load(),
        policy=DispatchPolicy(fast_path=False),  # the smaller model is asked about every prompt
        clock=SystemClock(),
    )
    counts: dict[str, _Count] = {}
    for case in cases:
        right = next(iter(case.expected.calls), None)
        said["large"] = _CHAT if right is None else _write(right)
        for error, answer in _answers(case.prompt, right, choice):
            said["small"] = answer
            view = RouterView(tools=TOOLS, prompt=case.prompt)
            decision = await dispatcher.decide(view, DialogueState(), today=_TODAY)
            _count(counts.setdefault(error, _Count()), decision, case.tool)
    return counts


def _router(said: Mapping[str, str], model: str) -> Router:
    def script(_: ChatRequest) -> list[str]:
        return [said[model]]

    engine = ScriptedEngine(script=script, name=model)
    return Router(engine=engine, dialect=DIALECTS["llama3.1"], clock=SystemClock())


def _count(count: _Count, decision: Decision, tool: str | None) -> None:
    count.prompts += 1
    count.tools += (decision.calls[0].name if decision.calls else None) == tool
    if decision.doubt is not None:
        count.doubts[decision.doubt] += 1


def _write(call: ExpectedCall) -> str:
    """The call as Llama 3.1 writes it."""
    told = {"name": call.tool, "parameters": dict(call.arguments)}
    return f"{_TAG}{json.dumps(told, ensure_ascii=False)}"


def _answers(prompt: str, right: ExpectedCall | None, choice: Random) -> Iterator[tuple[str, str]]:
    """Every error that the prompt allows, and none, as the smaller model would write it."""
    others = [one for one in _calls_for(prompt) if right is None or one.tool != right.tool]
    other = _write(choice.choice(others))
    if right is None:
        yield RIGHT, _CHAT
        yield "a tool instead of the default model", other
        return
    written = _write(right)
    yield RIGHT, written
    yield "another tool", other
    yield "the default model instead of a tool", _CHAT
    yield "a call that breaks off", written[: len(_TAG) + int(_CUT * (len(written) - len(_TAG)))]
    if "city" in right.arguments:
        elsewhere = {**right.arguments, "city": choice.choice(town_names())}
        yield "a place that nobody spoke of", _write(replace(right, arguments=elsewhere))


def _calls_for(prompt: str) -> tuple[ExpectedCall, ...]:
    """What a model may call that takes the prompt for one of each tool's; no place is invented."""
    words = prompt[:60]
    return (
        ExpectedCall(tool="search_wikipedia", arguments={"query": words}),
        ExpectedCall(tool="generate_image", arguments={"description": words}),
        ExpectedCall(tool="calculate", arguments={"expression": "2 + 2"}),
        ExpectedCall(tool="get_weather", arguments={}),
    )
