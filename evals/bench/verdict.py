"""Times the verdict: microseconds a delta, for the judge alone and for a whole decision."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import anyio

from chatbot.router import DIALECTS, Router, RouterLimits
from chatbot.router.verdict import Judge
from chatbot.testing import ScriptedEngine
from chatbot.types import Delta, RouterView, ToolSpec
from serving.clock import SystemClock

DIALECT = DIALECTS["llama3.1"]
LIMITS = RouterLimits()
NAMES = ("get_weather", "search_wikipedia", "calculate", "generate_image")
REPEATS, BATCH = 40, 50
TRANSCRIPTS = {
    "call after the tag": (
        *("<|python_tag|>", '{"', "name", '":', ' "', "get", "_weather", '",', ' "', "parameters"),
        *('":', ' {"', "city", '":', ' "', "Ł", "ódź", '"}}'),
    ),
    "bare call": ('{"', "name", '":', ' "', "get", "_weather", '", "parameters": {}}'),
    "JSON that is no call": ('{"', "name", '":', ' "', "Jan", '"}'),
    "plain text": ("Dzień", " dobry", "!"),
    "reasoning first": ("<think>", *(["myślę "] * 200), "</think>", "Dzień dobry"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class VerdictCost:
    """Median microseconds a delta over the repeats; ``decision_us`` is for a whole decision."""

    transcript: str
    deltas: int
    judge_us: float
    decision_us: float


def measure_verdicts() -> list[VerdictCost]:
    """Time every transcript, delta by delta until its verdict."""
    return [_measure(name, pieces) for name, pieces in TRANSCRIPTS.items()]


def _measure(name: str, pieces: Sequence[str]) -> VerdictCost:
    deltas = _deltas_to_verdict(pieces)
    judged = median(_time_judge(pieces) for _ in range(REPEATS))
    decided = median(anyio.run(_time_decisions, pieces) for _ in range(REPEATS // 4))
    return VerdictCost(
        transcript=name,
        deltas=deltas,
        judge_us=judged / deltas * 1e6,
        decision_us=decided * 1e6,
    )


def _deltas_to_verdict(pieces: Sequence[str]) -> int:
    judge = Judge(DIALECT, NAMES, LIMITS)
    for count, piece in enumerate(pieces, start=1):
        if judge.feed(piece) != "undecided":
            return count
    return len(pieces)


def _time_judge(pieces: Sequence[str]) -> float:
    """Seconds for one transcript, construction included."""
    start = time.perf_counter()
    for _ in range(BATCH):
        judge = Judge(DIALECT, NAMES, LIMITS)
        for piece in pieces:
            if judge.feed(piece) != "undecided":
                break
    return (time.perf_counter() - start) / BATCH


async def _time_decisions(pieces: Sequence[str]) -> float:
    """Seconds for one decision of the router over a scripted engine in process."""
    deltas = [Delta(text=piece) for piece in pieces]
    engine = ScriptedEngine(script=[*deltas, Delta(finish="stop")])
    router = Router(engine=engine, dialect=DIALECT, clock=SystemClock(), limits=LIMITS)
    tools = tuple(
        ToolSpec(name=name, title=name, description=name, parameters={"type": "object"})
        for name in NAMES
    )
    view = RouterView(tools=tools, prompt="Jaka jest pogoda w Łodzi?")
    start = time.perf_counter()
    for _ in range(BATCH):
        await router.decide(view)
    return (time.perf_counter() - start) / BATCH
