"""Times the detector in each of its parts, and the whole decision that it is a part of."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
ALL = "all"
QUICK_MS = 3.0
"""What detection is to take at most."""
WAYS = ("verify", "fast_path", "detect", "decision")
Way: TypeAlias = Callable[[Case], Awaitable[object]]
Seconds: TypeAlias = dict[str, list[float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Milliseconds for one of some prompts; of each prompt, the median.

    ``quick``: how many take at most `QUICK_MS`.
    """

    p50_ms: float
    p95_ms: float
    quick: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectorCost:
    """What the ``prompts`` that ask for ``tool`` cost in each way.

    ``verify``: comparing the right choice with the detector's; ``fast_path``: deciding a plain
    prompt, or leaving it to the model; ``detect``: the embedded engine's tools with all their
    arguments; ``decision``: the router's whole one, which detects the prompt too. Before each, all
    other prompts have come since the prompt was last seen.
    """

    tool: str
    prompts: int
    verify: Spread
    fast_path: Spread
    detect: Spread
    decision: Spread


def measure_detector(*, rounds: int, seed: int) -> list[DetectorCost]:
    """Time the everyday prompts in each way by turns, in every round in another random order.

    The last of the costs is that of all prompts.
    """
    cases = read_cases(EVERYDAY).cases
    times = anyio.run(_play, cases, rounds, Random(seed))  # noqa: S311 - a repeatable order
    tools = sorted({case.tool or NO_TOOL for case in cases})
    parts = {tool: [case for case in cases if (case.tool or NO_TOOL) == tool] for tool in tools}
    return [_sum_up(tool, part, times) for tool, part in (parts | {ALL: cases}).items()]


async def _play(cases: Sequence[Case], rounds: int, order: Random) -> Mapping[str, Seconds]:
    """Seconds of every prompt in every way, by the case's id."""
    detector = Detector.load()
    engine = EmbeddedEngine(detector=detector)
    router = Router(engine=engine, dialect=DIALECTS["embedded"], clock=SystemClock())

    async def verify(case: Case) -> object:
        names = frozenset({case.tool} if case.tool else ())
        return detector.agrees(case.prompt, TOOLS, names)

    async def go_fast(case: Case) -> object:
        return detector.sure(case.prompt, TOOLS)

    async def detect(case: Case) -> object:
        return detector.detect(case.prompt, TOOLS)

    async def decide(case: Case) -> object:
        return await router.decide(RouterView(tools=TOOLS, prompt=case.prompt))

    ways = dict(zip(WAYS, (verify, go_fast, detect, decide), strict=True))
    times: dict[str, Seconds] = {name: {case.id: [] for case in cases} for name in ways}
    for case in cases:  # what is loaded and cached at first is no cost of a prompt
        await decide(case)
    for _ in range(rounds):
        for name, way in ways.items():
            await _time(way, order.sample(cases, len(cases)), times[name])
    return times


async def _time(way: Way, cases: Sequence[Case], seconds: Seconds) -> None:
    for case in cases:
        start = time.perf_counter()
        await way(case)
        seconds[case.id].append(time.perf_counter() - start)


def _sum_up(tool: str, cases: Sequence[Case], times: Mapping[str, Seconds]) -> DetectorCost:
    spreads = {name: _spread([times[name][case.id] for case in cases]) for name in WAYS}
    return DetectorCost(tool=tool, prompts=len(cases), **spreads)


def _spread(seconds: Sequence[Sequence[float]]) -> Spread:
    taken = [median(each) * 1000 for each in seconds]
    return Spread(
        p50_ms=median(taken),
        p95_ms=quantiles(taken, n=20)[-1],
        quick=sum(ms <= QUICK_MS for ms in taken),
    )
