"""Sums, means and other measures of numbers that were pasted or listed."""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_MOST = 40
_FEWEST = 3
_SUM = regex(r"\b(?:zsumuj|podsumuj|podlicz|dodaj|sum[aeęy]|lacznie|razem|w sumie)\b")
_MEAN = regex(r"\b(?:sredni(?:a|e|ej|o|ą|m|ego|ch)?|przecietn\w+)\b")
_KIND = regex(r"\b(?:geometryczn|harmoniczn)")
_MODE = regex(r"\b(?:dominant[aeęy]|mod[aęye])\b")
_WEIGHTED = regex(r"(\d+(?:\.\d+)?) (?:\( )?(?:\w+ )?(?:z )?wag\w* (?:[=:] )?(\d+(?:\.\d+)?)")
_IN_BRACKETS = regex(r"(\d+(?:\.\d+)?) \( (\d+(?:\.\d+)?)(?: \w+)? \)")
_GRADES = regex(
    r"((?:\d+(?:\.\d+)? ?[,;]? ){2,20})(?:\w+ ){0,2}wag\w* ?:? ((?:\d+ ?[,;]? ?){2,20})"
)
_DEVIATION = regex(r"\bodchyleni\w* (?:standard\w*)?")
_VARIANCE = regex(r"\bwariancj\w*")
_SAMPLE = regex(r"\b(?:prob[ye]|probkow\w*|n ?- ?1)\b")
_RANGE = regex(r"\brozstep\w*")
_MEDIAN = regex(r"\bmedian\w*")
_MEASURES = (_DEVIATION, _VARIANCE, _RANGE, _MEAN, _SUM, _MEDIAN, _MODE)
_LIST = regex(
    r"(?:(?:(?<=: )|(?<=\bz )|(?<=liczb )|^)- ?|-)?\d+(?:\.\d+)?"
    r"(?:(?: ?[,;] ?(?:i |oraz )?(?:- ?)?| i (?:- ?)?| oraz (?:- ?)?| )-?\d+(?:\.\d+)?){1,39}"
    r"(?! ?[\d/%*^=x])"
)
_NESTED = regex(
    r"\b(?:odwrotnosc|podziel|pomnoz|odejm|iloraz|roznic|iloczyn|kwadrat[uo]|pierwiast|silni)"
)
_UNFINISHED = regex(r"\d ?,? (?:…|\. ?\. ?\.)")
_ENTRY = regex(r"(-?\d+(?:\.\d+)?)(?: (?:zl\w*|pln|mm|cm|km|kg|c|h|[a-z]{1,4}))?$")


def read_list(statement: Statement) -> str | None:
    """Return the sum, mean, median or another measure of a list in the prompt."""
    words = statement.words
    is_asked = any(one.search(words) for one in _MEASURES)
    if not is_asked or _UNFINISHED.search(words) or _NESTED.search(words):
        return None
    numbers = _numbers(statement)
    if numbers is None or "wazon" in words:
        return _weighted(words) if "wazon" in words else None
    return _measure(words, numbers)


def _measure(words: str, numbers: Sequence[str]) -> str | None:
    """What is asked of the numbers."""
    if _DEVIATION.search(words) or _VARIANCE.search(words):
        variance = _variance(numbers, is_sample=bool(_SAMPLE.search(words)))
        return f"sqrt({variance})" if _DEVIATION.search(words) else variance
    if _RANGE.search(words):
        return f"Max({', '.join(numbers)}) - Min({', '.join(numbers)})"
    if _MODE.search(words):
        return _mode(numbers)
    if _MEDIAN.search(words):
        return f"median({', '.join(numbers)})"
    total = " + ".join(f"({one})" if one.startswith("-") else one for one in numbers)
    return f"({total})/{len(numbers)}" if _MEAN.search(words) else total


def read_other_mean(statement: Statement) -> str | None:
    """Return the geometric or the harmonic mean of a list in the prompt."""
    kind = _KIND.search(statement.words) if _MEAN.search(statement.words) else None
    numbers = _numbers(statement) if kind else None
    if kind is None or numbers is None:
        return None
    if kind[0] == "geometryczn":
        return f"({'*'.join(numbers)})**(1/{len(numbers)})"
    return f"{len(numbers)}/({' + '.join(f'1/{one}' for one in numbers)})"


def _mode(numbers: Sequence[str]) -> str | None:
    """The number that is listed most often, if one is."""
    (often, times), *others = Counter(numbers).most_common(2)
    is_one = times > 1 and all(count < times for _, count in others)
    return often if is_one else None


def _weighted(words: str) -> str | None:
    """Read "średnia ważona: 5 waga 3, 3 waga 2"."""
    pairs = _WEIGHTED.findall(words) or _IN_BRACKETS.findall(words)
    if words.count(" wag") == 1 and (grades := _GRADES.search(words)):
        values, weights = (re.findall(r"\d+(?:\.\d+)?", part) for part in grades.groups())
        pairs = list(zip(values, weights, strict=False)) if len(values) == len(weights) else []
    total = " + ".join(f"{value}*{weight}" for value, weight in pairs)
    return f"({total})/({' + '.join(weight for _, weight in pairs)})" if pairs else None


def _variance(numbers: Sequence[str], *, is_sample: bool) -> str:
    mean = sum(map(Fraction, numbers)) / len(numbers)
    squares = " + ".join(f"({one} - {mean})**2" for one in numbers).replace("- -", "+ ")
    return f"({squares})/{len(numbers) - is_sample}"


def _numbers(statement: Statement) -> list[str] | None:
    """The listed numbers: lines of a receipt, things with the same unit, or figures in a row."""
    alike = _same_units(statement)
    is_measured = all(one.unit for one in statement.quantities)
    ways = (_lines(statement.words), _row(statement.words), alike)
    for found in (alike, *ways) if is_measured else ways:
        if found is not None and _FEWEST <= len(found) <= _MOST:
            return found
    return None


def _lines(words: str) -> list[str] | None:
    """The last number of each line, if at least three lines end with one."""
    lines = [line.strip(" ,.") for line in words.split(";")]
    ends = [
        found[1] for line in lines if (found := _ENTRY.search(line)) and re.search("[a-z]", line)
    ]
    decimals = [end for end in ends if "." in end]
    return (decimals if len(decimals) >= _FEWEST else ends) if len(ends) >= _FEWEST else None


def _row(words: str) -> list[str] | None:
    found = max(_LIST.finditer(words), key=lambda one: len(one[0]), default=None)
    numbers = [] if found is None else re.findall(r"-? ?\d+(?:\.\d+)?", found[0])
    return [one.replace(" ", "") for one in numbers] or None


def _same_units(statement: Statement) -> list[str] | None:
    units = {one.kind for one in statement.quantities if one.unit} or {""}
    if len(units) != 1 or "%" in units or any(one.is_each for one in statement.quantities):
        return None
    return [one.text for one in statement.quantities]
