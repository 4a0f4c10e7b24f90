"""The group ``zwrotnica eval``: each command is imported when it is called."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import click

from serving.commands import LazyGroup

COMMANDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "bfcl": (
        "evals.bfcl.cli:bfcl",
        "Ask the router BFCL's published questions; judge its calls as BFCL does.",
    ),
    "compare": (
        "evals.commands:compare_runs",
        "Compare JSON reports of the same cases, with McNemar's exact test.",
    ),
    "gate": (
        "evals.commands:check",
        "Fail if the embedded engine has become worse than the committed baselines.",
    ),
    "modes": (
        "evals.commands:run_modes",
        "Show the router model dialogues in four ways, and compare what it makes of them.",
    ),
    "robustness": (
        "evals.robustness.cli:robustness",
        "Write every prompt in other ways that change nothing; compare what is decided.",
    ),
    "run": (
        "evals.commands:run_cases",
        "Run cases through an engine as the router; print and write the report.",
    ),
})
"""Where each command is, and its line in the help."""


@click.group(cls=LazyGroup, lazy=COMMANDS)
def evaluate() -> None:
    """Measure how well a router model detects which function a prompt needs."""
