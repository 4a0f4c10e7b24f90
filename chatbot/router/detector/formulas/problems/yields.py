"""How much of one thing gives so much of another: "z 2 kg mąki wychodzi 3 kg chleba"."""

import re
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_UNITS = r"(?:kg|kilo\w*|g|dag|deko|gram\w*|l|litr\w*|ml|szklan\w+|ton\w*|m|sztuk\w*|worek|work\w+)"
_PART = regex(rf"(?P<number>{NUMBER})(?: (?P<unit>{_UNITS}))? (?P<noun>[a-z]{{3,}})")
_ASKED = regex(
    rf"\bile (?:(?:potrzeba|trzeba|potrzebuje|bedzie|wyjdzie) )?(?:{_UNITS} )?([a-z]{{3,}})"
)
_GIVES = regex(
    r"\b(?:z|ze) [^.?!]*\b(?:wychodzi|wyjdzie|wyszl\w+|robi\w*|powstaje|otrzym\w+|dostaj\w+|"
    r"uzysk\w+|piek\w+|bedzie|jest|mam|mamy|daje)\b"
)
_VETO = regex(r"%|\b(?:zosta\w*|reszt\w*|wiecej|mniej|razem|drozej|taniej)\b")
_STEM = 4
_THREE = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    number: str
    unit: str
    stem: str


def read_yield(statement: Statement) -> str | None:
    """Return the amount that is asked for, in the proportion that is told.

    Things are told apart by their nouns, for both may be weighed in kilograms.
    """
    words = statement.words
    if (
        _VETO.search(words)
        or _GIVES.search(words) is None
        or len(re.findall(NUMBER, words)) != _THREE
    ):
        return None
    parts = [_part(found) for found in _PART.finditer(words)]
    asked = list(_ASKED.finditer(words))
    if len(parts) != _THREE or len(asked) != 1:
        return None
    source, product, given = parts
    wanted = asked[0][1][:_STEM]
    pairs = {
        (source.stem, product.stem): (source, product),
        (product.stem, source.stem): (product, source),
    }
    found = pairs.get((wanted, given.stem))
    if found is None or source.stem == product.stem or found[1].unit != given.unit:
        return None
    return f"{given.number}*{found[0].number}/{found[1].number}"


def _part(found: re.Match[str]) -> _Part:
    unit, noun = found["unit"] or "", found["noun"]
    return _Part(number=found["number"], unit=unit[:2], stem=noun[:_STEM])
