"""Makes cases of the examples that the tools' authors gave: each should lead to its tool."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from chatbot.tools.workers import ProcessWorkers
from chatbot.types import ToolSpec
from evals.cases import Case, CaseFileError, CaseSet, Expected, ExpectedCall
from serving.assembly import build_registry
from serving.clock import SystemClock
from serving.settings import Settings

EXAMPLES: Final = "examples"
"""The name of this set on the command line."""


def example_cases(settings: Settings) -> CaseSet:
    """A case for each example of every enabled tool, plugins too; arguments are not checked.

    Raises:
        SettingsError: a tool's settings cannot be used.
        CaseFileError: no tool has an example.
    """
    return cases_of(offered_tools(settings))


def offered_tools(settings: Settings) -> tuple[ToolSpec, ...]:
    """The enabled tools, plugins too.

    Raises:
        SettingsError: a tool's settings cannot be used.
    """
    return build_registry(settings, workers=ProcessWorkers(), clock=SystemClock()).specs()


def cases_of(specs: Iterable[ToolSpec]) -> CaseSet:
    """The cases of these tools.

    Raises:
        CaseFileError: none has an example.
    """
    cases = tuple(
        Case(
            id=f"{spec.name}-{number}",
            prompt=example,
            expected=Expected(calls=(ExpectedCall(tool=spec.name, arguments={}),)),
            tags=(spec.name,),
        )
        for spec in specs
        for number, example in enumerate(spec.examples, start=1)
    )
    if not cases:
        raise CaseFileError("no enabled tool has examples; give them with @tool(examples=[…])")
    whole = "\n".join(f"{case.id} {case.prompt}" for case in cases)
    fingerprint = sha256(whole.encode()).hexdigest()[:16]
    return CaseSet(name=EXAMPLES, fingerprint=fingerprint, cases=cases)
