"""Times the embedded engine's detector against the whole decision that it is part of."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles

import anyio

from chatbot.router import DIALECTS, Router
from chatbot.router.detector import Detector
from chatbot.tools.builtin import BUILT_IN
from chatbot.types import RouterView
from evals.cases import EVERYDAY, Case, read_cases
from serving.assembly import SystemClock
from serving.engines.embedded import EmbeddedEngine

TOOLS = tuple(tool.spec for tool in BUILT_IN)
NO_TOOL = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectorCost:
    """Milliseconds for one of the ``prompts`` that ask for ``tool``; of a prompt, the median.

    ``detect``: all other prompts came since it was last seen; ``again``: it was the last one, so
    that all its words are cached; ``decision``: the router's, which detects it once more.
    """

    tool: str
    prompts: int
    detect_p50_ms: float
    detect_p95_ms: float
    again_p50_ms: float
    decision_p50_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Timing:
    """Seconds for one prompt: detected, detected again, and decided about."""

    case: Case
    detect_s: float
    again_s: float
    decision_s: float


def measure_detector(*, rounds: int, seed: int) -> list[DetectorCost]:
    """Time the everyday prompts, each in all ways in every round, in random order."""
    timings = anyio.run(_play, rounds, Random(seed))  # noqa: S311 - a repeatable order
    tools = sorted({timing.case.tool or NO_TOOL for timing in timings})
    return [_sum_up(tool, timings) for tool in tools]


async def _play(rounds: int, order: Random) -> list[_Timing]:
    cases = read_cases(EVERYDAY).cases
    detector = Detector.load()
    engine = EmbeddedEngine(detector=detector)
    router = Router(engine=engine, dialect=DIALECTS["embedded"], clock=SystemClock())
    for case in cases:  # what is loaded and cached at first is no cost of a prompt
        await _time(detector, router, case)
    return [
        await _time(detector, router, case)
        for _ in range(rounds)
        for case in order.sample(cases, len(cases))
    ]


async def _time(detector: Detector, router: Router, case: Case) -> _Timing:
    start = time.perf_counter()
    detector.detect(case.prompt, TOOLS)
    first = time.perf_counter()
    detector.detect(case.prompt, TOOLS)
    again = time.perf_counter()
    await router.decide(RouterView(tools=TOOLS, prompt=case.prompt))
    end = time.perf_counter()
    return _Timing(case=case, detect_s=first - start, again_s=again - first, decision_s=end - again)


def _sum_up(tool: str, timings: Sequence[_Timing]) -> DetectorCost:
    own = [timing for timing in timings if (timing.case.tool or NO_TOOL) == tool]
    prompts = {timing.case.id for timing in own}
    detected = [
        median(timing.detect_s for timing in own if timing.case.id == prompt) for prompt in prompts
    ]
    return DetectorCost(
        tool=tool,
        prompts=len(prompts),
        detect_p50_ms=median(detected) * 1000,
        detect_p95_ms=quantiles(detected, n=20)[-1] * 1000,
        again_p50_ms=median(timing.again_s for timing in own) * 1000,
        decision_p50_ms=median(timing.decision_s for timing in own) * 1000,
    )
