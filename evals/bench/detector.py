"""Times the embedded engine's detector against the whole decision that it is part of."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles
from typing import TypeAlias

import anyio

from chatbot.router import DIALECTS, Router
from chatbot.router.detector import Detector
from chatbot.tools.builtin import BUILT_IN
from chatbot.types import RouterView
from evals.cases import EVERYDAY, Case, read_cases
from serving.clock import SystemClock
from serving.engines.embedded import EmbeddedEngine

TOOLS = tuple(tool.spec for tool in BUILT_IN)
NO_TOOL = "none"
Way: TypeAlias = Callable[[str], Awaitable[object]]
Seconds: TypeAlias = dict[str, list[float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectorCost:
    """Milliseconds for one of the ``prompts`` that ask for ``tool``; of a prompt, the median.

    ``detect``: the detector alone; ``decision``: the router's whole one, which detects the prompt
    too. Before either, all other prompts have come since the prompt was last seen.
    """

    tool: str
    prompts: int
    detect_p50_ms: float
    detect_p95_ms: float
    decision_p50_ms: float
    decision_p95_ms: float


def measure_detector(*, rounds: int, seed: int) -> list[DetectorCost]:
    """Time the everyday prompts in both ways by turns, in every round in another random order."""
    cases = read_cases(EVERYDAY).cases
    detected, decided = anyio.run(_play, cases, rounds, Random(seed))  # noqa: S311 - a repeatable order
    tools = sorted({case.tool or NO_TOOL for case in cases})
    return [
        _sum_up(tool, [case for case in cases if (case.tool or NO_TOOL) == tool], detected, decided)
        for tool in tools
    ]


async def _play(cases: Sequence[Case], rounds: int, order: Random) -> tuple[Seconds, Seconds]:
    """Seconds of every detection and of every decision, by the case's id."""
    detector = Detector.load()
    engine = EmbeddedEngine(detector=detector)
    router = Router(engine=engine, dialect=DIALECTS["embedded"], clock=SystemClock())

    async def detect(prompt: str) -> object:
        return detector.detect(prompt, TOOLS)

    async def decide(prompt: str) -> object:
        return await router.decide(RouterView(tools=TOOLS, prompt=prompt))

    detected: Seconds = {case.id: [] for case in cases}
    decided: Seconds = {case.id: [] for case in cases}
    for case in cases:  # what is loaded and cached at first is no cost of a prompt
        await decide(case.prompt)
    for _ in range(rounds):
        await _time(detect, order.sample(cases, len(cases)), detected)
        await _time(decide, order.sample(cases, len(cases)), decided)
    return detected, decided


async def _time(way: Way, cases: Sequence[Case], seconds: Seconds) -> None:
    for case in cases:
        start = time.perf_counter()
        await way(case.prompt)
        seconds[case.id].append(time.perf_counter() - start)


def _sum_up(tool: str, cases: Sequence[Case], detected: Seconds, decided: Seconds) -> DetectorCost:
    detections = [median(detected[case.id]) * 1000 for case in cases]
    decisions = [median(decided[case.id]) * 1000 for case in cases]
    return DetectorCost(
        tool=tool,
        prompts=len(cases),
        detect_p50_ms=median(detections),
        detect_p95_ms=quantiles(detections, n=20)[-1],
        decision_p50_ms=median(decisions),
        decision_p95_ms=quantiles(decisions, n=20)[-1],
    )
