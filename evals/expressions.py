"""Compares expressions by their value, in a worker that is killed at its time limit."""

from chatbot.errors import WorkerError
from chatbot.ports import Workers
from chatbot.tools.orders import ByName
from chatbot.types import JsonValue
from evals.full_call import Matches

_SAME_VALUE: ByName[[str, str], bool] = ByName("evals.values:have_same_value")
_LIMIT_S = 3.0


def match_expression(workers: Workers, *, limit_s: float = _LIMIT_S) -> Matches:
    """A measure for expressions: equal text, or equal value within ``limit_s`` seconds."""

    def matches(expected: JsonValue, given: JsonValue) -> bool:
        if not isinstance(expected, str) or not isinstance(given, str):
            return expected == given
        if expected == given:
            return True
        try:
            return workers.call(limit_s, _SAME_VALUE, expected, given)
        except WorkerError:
            return False

    return matches
