"""The group ``zwrotnica bench``: each benchmark is imported when it is called."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import click

from serving.commands import LazyGroup

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "all": ("evals.bench.commands:everything", "Every benchmark, one after the other."),
    "compare": (
        "evals.bench.engine.cli:compare_runs",
        "Ratios of two engines, the second by the first, with 95 % bootstrap intervals.",
    ),
    "detector": (
        "evals.bench.commands:detector",
        "Cost of the embedded engine's detector: milliseconds a prompt.",
    ),
    "engine": (
        "evals.bench.engine.cli:engine",
        "Speed, throughput, latency and experience of engines, in one interleaved run.",
    ),
    "gateway": (
        "evals.bench.gateway.cli:gateway",
        "Gateways before a simulated engine: added latency, speed, cost, side by side.",
    ),
    "grounding": (
        "evals.bench.commands:grounding",
        "How often damaged names are put right, and the cost of a call.",
    ),
    "page": (
        "evals.bench.commands:page",
        "First words on the web chat's page against the Chat API beneath it.",
    ),
    "report": (
        "evals.bench.engine.cli:report_run",
        "The tables of a record of 'bench engine', also of one that was broken off.",
    ),
    "second-look": (
        "evals.bench.commands:second_look",
        "Which errors of a router model make the router ask a larger one.",
    ),
    "soak": (
        "evals.bench.commands:soak",
        "Memory, descriptors and threads of the gateway in a long run; exit code 1 if they grow.",
    ),
    "verdict": ("evals.bench.commands:verdict", "Cost of the verdict: microseconds a delta."),
})
"""Where each benchmark is, and its line in the help."""


@click.group(cls=LazyGroup, lazy=COMMANDS)
def bench() -> None:
    """Measure engines; verdict, detector, grounding, second look; the gateway and its peers."""
