"""What cases expect that nobody can decide: tools that are not offered, arguments none has."""

from collections import Counter
from collections.abc import Iterable, Mapping

from chatbot.types import ToolSpec
from evals.cases import Case, CaseSet


def find_unknown(case_set: CaseSet, specs: Iterable[ToolSpec]) -> Mapping[str, int]:
    """Names that are right by the cases and that no tool has, ``tool`` or ``tool.argument``.

    With how many cases name each, the most first.
    """
    known = {spec.name: frozenset(spec.properties) for spec in specs}
    found = Counter(name for case in case_set.cases for name in _unknown_in(case, known))
    return dict(found.most_common())


def _unknown_in(case: Case, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    calls = (call for right in (case.expected, *case.also) for call in right.calls)
    return frozenset(
        name
        for call in calls
        for name in (
            (f"{call.tool}.{one}" for one in call.arguments.keys() - known[call.tool])
            if call.tool in known
            else (call.tool,)
        )
    )
