"""Stories in stages: a part of the whole goes, then a part of the rest, then so many."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_REST = regex(
    r"\b(?:reszt\w*|pozosta\w*|z tego,? co (?:zosta\w*)|co zosta\w*|z tych|z nich|tego)\b"
)
_LEFT = regex(
    r"\b(?:zosta\w*|pozosta\w*|reszt\w*|przetrwa\w*|nadal|jeszcze|przezy\w*|teraz|na reke|"
    r"na czysto)\b|\bile (?:\w+ )?mam$|\bkieszeni\b"
)
_CAME = regex(
    r"\b(?:doszl\w*|przysz\w*|wsiad\w*|dola\w*|dosyp\w*|dorzuc\w*|dokupi\w*|przyjech\w*|dostal\w*|"
    r"dolozy\w*|dodal\w*|wplyn\w*|przyby\w*|przylec\w*)\b"
)
_WENT = regex(
    r"\b(?:wyda\w*|zuzy\w*|zjad\w*|sprzeda\w*|odda\w*|strac\w*|zgubi\w*|uby\w*|odesz\w*|zepsu\w*|"
    r"stluk\w*|zbi\w*|usch\w*|odcie\w*|odcin\w*|zabra\w*|wyla\w*|odla\w*|pad\w*|odlec\w*|odjech\w*|"
    r"wysiad\w*|wyszl\w*|przeznacz\w*|rozda\w*|poszl\w*|wypi\w*|da[lł]\w*|wzi[ae]\w*|przeczyta\w*|"
    r"przesz\w*|przejech\w*|zaplac\w*|potrac\w*|odloz\w*|odlozy\w*|idzie|poszed\w*|wycie\w*|wykorzyst\w*|"
    r"wydzierz\w*|pochlon\w*|wymarz\w*|zabier\w*|odda\w*|obsia\w*|zasia\w*|wymar\w*|splac\w*|znikn\w*|rozla\w*|nala\w*|uciek\w*|skonsum\w*)"
)
_OTHER = regex(
    r"\b(?:vat\w*|brutto|netto|rocznie|lokat\w*|odset\w*|rabat\w*|zniz\w*|miesz\w*|wzros\w*|spad\w*|podwyz\w*|obniz\w*|podroz\w*|zdroz\w*|stani\w*|potani\w*|przecen\w*)\b"
)
_MORE = regex(r"\b(?:jeszcze|potem|dalsze|kolejne)\b")
_FEWEST = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class _Step:
    text: str
    is_part: bool
    is_of_rest: bool
    is_gain: bool
    beside: str


def read_stages(statement: Statement) -> str | None:
    """Return what is left, or the last part, of one whole from which parts were taken."""
    numbers = statement.quantities
    if not len(numbers) >= _FEWEST or not statement.question or _OTHER.search(statement.words):
        return None
    start = next((one for one in numbers if not _is_part(one)), None)
    parts = [one for one in numbers if _is_part(one)]
    if start is None or not parts or numbers.index(start) > 0 or start.is_each:
        return None
    if any(one.is_each for one in numbers[1:]):
        return None
    steps = list(_steps(numbers[1:]))
    return _result(start, steps, statement) if _are_told(steps) else None


def _are_told(steps: Sequence[_Step]) -> bool:
    """Whether each step says that something came or went, or goes on with the one before."""
    first, *later = steps
    if not first.is_part and not _has_verb(first):
        return False
    if not all(one.is_part or _has_verb(one) or _MORE.search(one.beside) for one in later):
        return False
    is_plain = first.is_part and not first.is_of_rest and not later
    return not is_plain or bool(_WENT.search(first.beside))


def _is_part(one: Quantity) -> bool:
    return one.unit == "%" or one.is_share or one.unit.startswith("czesc")


def _has_verb(step: _Step) -> bool:
    return bool(_WENT.search(step.beside) or _CAME.search(step.beside))


def _steps(numbers: Sequence[Quantity]) -> Iterator[_Step]:
    for one in numbers:
        between = re.split(r"\d", one.before)[-1]
        after = re.split(r"[\d.;?!]| (?:a|i|potem|z) ", one.after)[0]
        text = f"{one.text}/100" if one.unit == "%" else one.text
        if one.unit.startswith("czesc") and "/" not in one.text:  # "trzecią część"
            text = f"1/{one.text}"
        yield _Step(
            text=text,
            is_part=_is_part(one),
            is_of_rest=bool(_REST.search(between) or _REST.search(" ".join(after.split()[:5]))),
            is_gain=bool(_CAME.search(f"{between} {after}")),
            beside=f"{between} {after}",
        )


def _result(start: Quantity, steps: Sequence[_Step], statement: Statement) -> str | None:
    question = statement.question
    if _LEFT.search(question):
        return _left(start, steps)
    last = steps[-1]
    if not last.is_part or not _names(question, last.beside) or not last.is_of_rest:
        return None
    before = _left(start, steps[:-1])
    return None if before is None else f"{_factor(before)}*{last.text}"


def _names(question: str, beside: str) -> bool:
    """Whether the question asks for what the last part is: words of one beginning."""
    asked = [word for word in question.split() if len(word) > 3]  # noqa: PLR2004 - a stem
    said = [word for word in beside.split() if len(word) > 3]  # noqa: PLR2004 - a stem
    return any(one[:4] == other[:4] for one in asked for other in said)


def _left(start: Quantity, steps: Sequence[_Step]) -> str | None:
    """What there is after all steps."""
    text = start.text
    whole_parts: list[str] = []
    for step in steps:
        if step.is_part and step.is_gain:
            return None
        if step.is_part and step.is_of_rest:
            text = f"{_factor(_taken(text, whole_parts, start))}*(1 - {_bare(step.text)})"
            whole_parts = []
        elif step.is_part:
            if text != start.text:
                return None
            whole_parts.append(_bare(step.text))
        else:
            text = f"{_taken(text, whole_parts, start)} {'+' if step.is_gain else '-'} {step.text}"
            whole_parts = []
    return _taken(text, whole_parts, start)


def _taken(text: str, parts: Sequence[str], start: Quantity) -> str:
    return text if not parts else f"{start.text}*(1 - {' - '.join(parts)})"


def _bare(text: str) -> str:
    return text.strip("()")


def _factor(text: str) -> str:
    return f"({text})" if " + " in text or (" - " in text and not text.endswith(")")) else text
