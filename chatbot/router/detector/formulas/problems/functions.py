"""Functions in school problems: least values, Taylor, simple differential equations, binomials."""

import re
from collections.abc import Callable

from chatbot.language.literals import Guarded
from chatbot.router.detector.formulas.problems.statement import Statement

_N = r"(-? ?\d+(?:\.\d+)?(?:/\d+)?)"
_QUADRATIC = Guarded(
    r"(?P<a>-? ?\d*(?:\.\d+)?) ?\*? ?x ?\^ ?2(?: ?(?P<b>[+-] ?\d*(?:\.\d+)?) ?\*? ?x(?! ?\^))?"
    r"(?: ?(?P<c>[+-] ?\d+(?:\.\d+)?))?"
)
_EXTREME = Guarded(r"\b(?:najmniejsz|najwieksz|minimaln|maksymaln)\w* (?:jest )?(?:\w+ "
                      r")?wartosc|"
                      r"\bwartosc (?:najmniejsz|najwieksz|minimaln|maksymaln)\w*|\b(?:minimum|"
                      r"maksimum)\b")  # fmt: skip
_GROWTH = Guarded(rf"\by ?['’] ?= ?{_N}? ?\*? ?y\b.*?\by ?\( ?0 ?\) ?= ?{_N}")
_FIRST_PRIMES = Guarded(
    r"\b(iloczyn|sum[aeęy])\w* (?:pierwszych |poczatkowych |najmniejszych )?(\d{1,2}) "
    r"(?:pierwszych |poczatkowych |najmniejszych )?liczb pierwszych"
    r"(?:,? (powieksz|zwieksz|pomniejsz|zmniejsz|plus|minus)\w*(?: o)? (\d+|jedna|jeden))?"
)


def read_function(statement: Statement) -> str | None:
    """Return what is asked of a function, or of the first primes."""
    for reader in _READERS:
        if (found := reader(statement.words)) is not None:
            return found
    return None


def _read_extreme(words: str) -> str | None:
    """Read "f(x) = 3x^2 - 12x + 7, najmniejsza wartość": that of the vertex."""
    found = _QUADRATIC.search(words)
    if (
        found is None
        or not _EXTREME.search(words)
        or re.search(r"\bprzedzial\w*|\[|x ?\^ ?[3-9]", words)
    ):
        return None
    a, b, c = (
        _coefficient(found[name], lone) for name, lone in (("a", "1"), ("b", "1"), ("c", ""))
    )
    return f"{c or 0} - ({b or 0})**2/(4*({a}))"


def _coefficient(text: str | None, lone: str) -> str:
    bare = (text or "").replace(" ", "").lstrip("+")
    return bare + lone if text is not None and bare in {"", "-"} else bare


def _read_growth(words: str) -> str | None:
    """Read "y' = 2y, y(0) = 3"."""
    found = _GROWTH.search(words)
    if found is None:
        return None
    rate, start = (found[1] or "1").replace(" ", ""), found[2].replace(" ", "")
    return f"{start}*exp({rate}*x)"


def _read_primes(words: str) -> str | None:
    """Read "iloczyn czterech pierwszych liczb pierwszych powiększ o jeden"."""
    found = _FIRST_PRIMES.search(words)
    if found is None or not 1 < int(found[2]) <= 20:  # noqa: PLR2004 - written out
        return None
    sign = "*" if found[1] == "iloczyn" else " + "
    text = sign.join(f"prime({at})" for at in range(1, int(found[2]) + 1))
    if found[3]:
        less = found[3] in {"pomniejsz", "zmniejsz", "minus"}
        text += f" {'-' if less else '+'} {found[4] if found[4].isdigit() else 1}"
    return text


_READERS: tuple[Callable[[str], str | None], ...] = (
    _read_extreme,
    _read_growth,
    _read_primes,
)
