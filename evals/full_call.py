"""Whether a decision is right as a whole: as BFCL compares, and with Polish letters counted."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from chatbot.language import lemmas, morphology, possible_lemmas
from chatbot.language.pieces import WORD
from chatbot.types import JsonObject, JsonValue, ToolSpec
from evals.cases import Case, Expected, ExpectedCall
from evals.solver import DecidedCall, Solution

Matches: TypeAlias = Callable[[JsonValue, JsonValue], bool]
"""Whether a given value (second) is as right as the expected one (first)."""
Fits: TypeAlias = Callable[[str, JsonValue, JsonValue], bool]
"""The same for the argument of this name (first)."""
Defaults: TypeAlias = Mapping[str, JsonObject]
"""The default of every argument that has one, by tool."""

_DROPPED = re.compile(r"[ ,./\-_*^]")
_SHORT = 3  # words below this many letters carry no content
_EMPTY = frozenset({"prep", "conj", "comp", "part", "qub", "interj", "pred"})
_EMPTY_ENGLISH = frozenset({"the", "and", "with", "for", "from", "that", "its", "his", "her"})


def is_right_as_a_whole(
    case: Case, solution: Solution, calls: Sequence[DecidedCall], fits: Fits, defaults: Defaults
) -> bool:
    """Whether some right decision was taken: all calls with all arguments, none besides.

    An argument that is left out counts as its default, and so does one that repeats it.
    """
    return any(
        _is_right(expected, solution, calls, fits, defaults)
        for expected in (case.expected, *case.also)
    )


def defaults_of(specs: Iterable[ToolSpec]) -> Defaults:
    """What the tools' schemas say of arguments that are left out."""
    return {spec.name: _schema_defaults(spec) for spec in specs}


def match_as_bfcl(expected: JsonValue, given: JsonValue) -> bool:
    r"""Text as the Berkeley Function-Calling Leaderboard has it.

    Letters' case and the characters ``" ,./-_*^"`` make no difference, everything else does:
    https://github.com/ShishirPatil/gorilla, ``bfcl_eval``, ``standardize_string``.
    """
    if isinstance(expected, str) and isinstance(given, str):
        return _standard(expected) == _standard(given)
    return expected == given


def match_every_word(expected: JsonValue, given: JsonValue) -> bool:
    """A description: it keeps every content word of the expected one, in any form and any case.

    Two words are forms of one where they may have one lemma: alone, "stoi" and "stał" are read as
    forms of two verbs. A word that only begins its sentence is known to no dictionary as a name:
    "Herb" for "herb".
    """
    if not isinstance(expected, str) or not isinstance(given, str):
        return expected == given
    kept = frozenset[str]().union(*map(_any_lemmas, WORD.findall(_tidy(given))))
    wanted = (word for word in WORD.findall(_tidy(expected)) if content_words(word))
    return all(_any_lemmas(word) & kept for word in wanted)


def content_words(text: str) -> frozenset[str]:
    """The lemmas of a text that say something: no prepositions, conjunctions, short words."""
    return frozenset(word for word in lemmas(_tidy(text)) if _has_content(word))


def _is_right(
    expected: Expected,
    solution: Solution,
    calls: Sequence[DecidedCall],
    fits: Fits,
    defaults: Defaults,
) -> bool:
    if expected.ask is not None:
        return solution.tool == expected.tool and solution.asked == expected.ask
    if solution.asked is not None:
        return expected.is_open and solution.tool == expected.tool
    if len(calls) != len(expected.calls):
        return False
    left = list(calls)
    for wanted in expected.calls:
        found = next((one for one in left if _is_same(wanted, one, fits, defaults)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _is_same(wanted: ExpectedCall, given: DecidedCall, fits: Fits, defaults: Defaults) -> bool:
    if wanted.tool != given.tool:
        return False
    if not wanted.arguments:  # a case that does not say what with
        return True
    filled = defaults.get(wanted.tool, {})
    right, found = {**filled, **wanted.arguments}, {**filled, **given.arguments}
    return right.keys() == found.keys() and all(
        any(fits(name, value, found[name]) for value in (right[name], *wanted.accept.get(name, ())))
        for name in right
    )


def _schema_defaults(spec: ToolSpec) -> JsonObject:
    return {
        name: schema["default"]
        for name, schema in spec.properties.items()
        if isinstance(schema, Mapping) and "default" in schema
    }


def _standard(text: str) -> str:
    return _DROPPED.sub("", unicodedata.normalize("NFC", text)).lower().replace("'", '"')


def _any_lemmas(word: str) -> frozenset[str]:
    return possible_lemmas(word) | possible_lemmas(word.lower())


def _tidy(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _has_content(word: str) -> bool:
    if len(word) < _SHORT or word in _EMPTY_ENGLISH:
        return False
    readings = morphology().readings(word)
    return not readings or any(reading.pos not in _EMPTY for reading in readings)
