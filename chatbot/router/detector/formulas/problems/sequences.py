"""Arithmetic and geometric sequences, vectors, points, discriminants."""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from chatbot.router.detector.formulas.problems.statement import Statement

_S = r"(-? ?\d+(?:\.\d+)?(?:/\d+)?)"
_FIRST = re.compile(
    rf"\b(?:a ?_? ?1|pierwsz\w+ wyraz\w*|zaczyna\w*(?: sie)?(?: od)?)[^\d-]{{0,20}}{_S}"
)
_STEP = re.compile(rf"(?:\b(?:r|roznic\w+|co)\b)[^\d-]{{0,12}}{_S}")
_RATIO = re.compile(rf"(?:\b(?:q|iloraz\w*)\b)[^\d-]{{0,12}}{_S}")
_PLACE = re.compile(
    r"\b(?:suma?|sume)\b(?: \w+){0,3}? (\d+)(?: pierwszych| poczatkowych)? wyraz|"
    r"(?<!pierwszy wyraz )(\d+) ?\.? ?wyraz|\ba ?_? ?(\d+)\b(?=[^=]*$)|"
    r"(?<!pierwszy )wyraz\w* (?:numer |nr )?(\d+)"
)
_VECTOR = r"\( ?-? ?\d[\d., ;/-]{0,40}\)|\[ ?-? ?\d[\d., ;/-]{0,40}\]"
_VECTORS = re.compile(_VECTOR)
_SERIES = re.compile(
    r"(?<![\w.])(?<!\+ )(\d{1,9}) \+ (\d{1,9}) \+ (?:(\d{1,9}) \+ )?"
    r"(?:\d{1,9} \+ ){0,3}(?:(?:\. ?){3}|…) \+ (\d{1,9})(?![\w.])"
)
_LISTED = re.compile(r"\b(\d{1,6}) ?\.? wyraz\w* ciagu(?: \w+)? ?:? ?(-?\d+(?: ?[,;] ?-?\d+){2,9})")
_LISTED_FIRST = re.compile(
    r"\bciag\w*(?: \w+)? ?:? ?(-?\d+(?: ?[,;] ?-?\d+){2,9})[^\d]{0,30} (\d{1,6}) ?\.? wyraz"
)
_DELTA = re.compile(r"\b(?:delt[aey]|wyroznik\w*)\b")
_POLYNOMIAL = re.compile(
    r"(?P<a>-? ?\d*(?:\.\d+)?) ?\*? ?x ?\^ ?2(?: ?(?P<b>[+-] ?\d*(?:\.\d+)?) ?\*? ?x(?! ?\^))?"
    r"(?: ?(?P<c>[+-] ?\d+(?:\.\d+)?))?"
)


def read_sequence(statement: Statement) -> str | None:
    """Return what is asked of a sequence, of vectors or of a quadratic's discriminant."""
    words = statement.words
    if _DELTA.search(words):
        return _read_discriminant(words)
    if series := _SERIES.search(words):
        return _read_series(series)
    if re.search(r"\b(?:arytmetyczn|geometryczn)\w*", words) and re.search(
        r"\bwyraz|\ba ?_? ?\d", words
    ):
        return _read_progression(words)
    if listed := _read_listed(words):
        return listed
    if re.search(r"\bwektor|skalarn|\b(?:odlegl\w+|dlugosc odcinka) (?:\w+ ){0,2}punkt", words):
        return _read_vectors(words)
    return None


def _read_discriminant(words: str) -> str | None:
    found = _POLYNOMIAL.search(words.replace(" * ", ""))
    if found is None or "nieujemn" in words:
        return None
    a, b, c = (
        _coefficient(found[name], lone) for name, lone in (("a", "1"), ("b", "1"), ("c", ""))
    )
    return f"({b or 0})**2 - 4*({a})*({c or 0})"


def _coefficient(text: str | None, lone: str) -> str:
    if text is None:
        return ""
    bare = text.replace(" ", "").lstrip("+")
    return bare + lone if bare in {"", "-"} else bare


def _read_progression(words: str) -> str | None:
    if listed := _read_listed(words):
        return listed
    first, place = _FIRST.search(words), _PLACE.search(words)
    is_geometric = "geometryczn" in words
    step = (_RATIO if is_geometric else _STEP).search(words)
    if first is None or place is None or step is None:
        return None
    number = next(part for part in place.groups() if part)
    start, change = (
        f"({one[1].replace(' ', '')})" if "-" in one[1] else one[1] for one in (first, step)
    )
    is_sum = re.search(r"\bsum[aeęy]", words)
    if is_geometric:
        return (
            f"{start}*(1 - {change}**{number})/(1 - {change})"
            if is_sum
            else f"{start}*{change}**({number} - 1)"
        )
    last = f"{start} + ({number} - 1)*{change}"
    return f"(2*{start} + ({number} - 1)*{change})*{number}/2" if is_sum else last


def _read_series(found: re.Match[str]) -> str | None:
    """Read "1 + 2 + 3 + … + 50": terms that go up by the same."""
    first, second, last = int(found[1]), int(found[2]), int(found[4])
    step = second - first
    if step <= 0 or (last - first) % step or (found[3] and int(found[3]) - second != step):
        return None
    return f"summation({first} + {step}*k, (k, 0, {(last - first) // step}))"


def _read_listed(words: str) -> str | None:
    """Read "25 wyraz ciągu 3, 7, 11": the terms tell whether it is arithmetic or geometric."""
    found, behind = _LISTED.search(words), _LISTED_FIRST.search(words)
    if found is None and behind is None:
        return None
    place, listed = (found[1], found[2]) if found else (behind[2], behind[1])  # type: ignore[index]  # one is there
    terms = [int(term) for term in re.findall(r"-?\d+", listed)]
    steps = {after - before for before, after in pairwise(terms)}
    if len(steps) == 1:
        return f"{terms[0]} + ({place} - 1)*{steps.pop()}"
    is_geometric = 0 not in terms and len({Fraction(b, a) for a, b in pairwise(terms)}) == 1
    return f"{terms[0]}*({Fraction(terms[1], terms[0])})**({place} - 1)" if is_geometric else None


def _read_vectors(words: str) -> str | None:
    vectors = [_components(found[0]) for found in _VECTORS.finditer(words)]
    if len(vectors) == 1 and re.search(r"\b(?:dlugosc|modul|norm)", words):
        return f"sqrt({' + '.join(f'{_signed(one)}**2' for one in vectors[0])})"
    if len(vectors) != 2 or len(vectors[0]) != len(vectors[1]):  # noqa: PLR2004 - a pair
        return None
    left, right = vectors
    if re.search(r"\bodlegl|\bodcink", words):
        squares = (f"({a} - {_signed(b)})**2" for a, b in zip(left, right, strict=True))
        return f"sqrt({' + '.join(squares)})"
    if re.search(r"\bwektorow(?:y|ego) iloczyn|iloczyn\w* wektorow|[×]", words):
        return f"cross(Matrix([{', '.join(left)}]), Matrix([{', '.join(right)}]))"
    if re.search(r"skalarn|∘|\*|dot\b|∙|•|\bo\b", words):
        return " + ".join(f"{_signed(a)}*{_signed(b)}" for a, b in zip(left, right, strict=True))
    return None


def _components(text: str) -> Sequence[str]:
    inner = text.strip("()[] ").replace("- ", "-")
    return [part for part in re.split(r" ?[,;] ?| +", inner) if part]


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text
