"""Stories with an unknown: so many times as many, so many more, ages, heads and legs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_N = NUMBER
_WHO = r"(?:[a-z]+)"
_TOTAL = regex(
    r"\b(?:razem|lacznie|w sumie|sum\w+|wspolnie|ogolem|suma)\b[^\d.;?]{0,30}?"
    + _N
    + rf"|{_N}(?: \w+){{0,2}} (?:razem|lacznie|w sumie|ogolem|ma klasa|w klasie)\b"
)
_RELATION = Guarded(
    rf"(?P<a>{_WHO})(?P<gap>(?: [a-z]+){{0,5}}?) (?:ma |maja |jest |dostal\w* |zebral\w* |bylo "
    rf")?(?:ich |tyle )?(?:"
    rf"(?P<times>\d+) razy (?:tyle|wiecej|starsz\w+|wieks\w+|drozs\w+|dluzs\w+|ciezs\w+)"
    rf"|(?P<less>\d+) razy (?:mniej|mlods\w+|mniejs\w+|tansz\w+|krots\w+|lzejs\w+)"
    rf"|o (?P<more>{_N[1:-1]})(?: [a-z]+)? (?:wiecej|starsz\w+|wieks\w+|drozs\w+|dluzs\w+|"
    rf"ciezs\w+|wyzs\w+|dluzej|starsi)"
    rf"|o (?P<fewer>{_N[1:-1]})(?: [a-z]+)? (?:mniej|mlods\w+|mniejs\w+|tansz\w+|krots\w+|"
    rf"lzejs\w+|nizs\w+))"
    rf"(?: [a-z]+){{0,2}}? (?:co|niz|od|jak|ile)(?: u| w| ma| za| na)? (?P<b>{_WHO})"
)
_LEGS: Mapping[str, int] = MappingProxyType({
    **dict.fromkeys(
        ("kur", "kacz", "ges", "indyk", "ptak", "bazan", "strus", "papug", "gołęb", "golab", "sow"),
        2,
    ),
    **dict.fromkeys(
        ("krol", "owc", "owie", "krow", "swin", "koz", "psow", "psy", "kon", "kot", "zajac"), 4
    ),
    **dict.fromkeys(("motor", "motocykl", "rower", "hulajn", "skuter", "jednoslad"), 2),
    **dict.fromkeys(("auto", "aut", "samoch", "quad"), 4),
    **dict.fromkeys(("trojkol", "trycykl", "riksz"), 3),
})
_THREE, _PAIR = 3, 2


def read_unknown(statement: Statement) -> str | None:
    """Return the equation of a story with one unknown."""
    for reader in _READERS:
        if (found := reader(statement)) is not None:
            return found
    return None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Linear:
    """So many times the unknown and so many more, in text."""

    times: str
    more: str = ""

    @property
    def slope(self) -> Fraction:
        """How many times the unknown counts."""
        return prod(map(Fraction, self.times.split("*")), start=Fraction(1))

    def written(self) -> str:
        return f"{'' if self.times == '1' else f'{self.times}*'}x{self.more}"


def _read_compared(statement: Statement) -> str | None:
    """Read "Kuba dwa razy tyle co Ola, Franek o 10 mniej niż Kuba, razem 60, ile Ola"."""
    relations = _relations(statement.words)
    total = _total(statement, relations)
    if total is None or not 1 <= len(relations) <= _THREE:
        return None
    names: list[str] = []
    for relation in relations:
        for name in (relation["a"], relation["b"]):
            if not any(_is_same(name, one) for one in names):
                names.append(name)
    if len(names) != len(relations) + 1 or min(map(len, names)) < _THREE:
        return None
    asked = next(
        (one for word in statement.question.split()[1:] for one in names if _is_same(one, word)),
        None,
    )
    for unknown in [asked] if asked else []:
        values = _values(unknown, relations, names)
        if values is not None:
            return _solved([values[name] for name in names], total)
    return None


def _solved(terms: Sequence[_Linear], total: str) -> str:
    """The unknown of a sum of terms: what no term has of itself, shared by how often it counts."""
    times = sum(one.slope for one in terms)
    more = "".join(one.more for one in terms)
    if any(isinstance(one, _Nested) for one in terms):
        text = " + ".join(_bracketed(one.written()) for one in terms)
        return f"solve(Eq({text}, {total}), x)"
    turned = more.translate(str.maketrans("+-", "-+"))
    above = f"({total}{turned})" if turned else total
    return f"{above}/{times}" if times.denominator == 1 else f"{above}/({times})"


def _bracketed(text: str) -> str:
    return f"({text})" if " - " in text or " + " in text or "/" in text else text


def _relations(words: str) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for clause in re.split(r" ?[,.;:?!] | (?:a|i|natomiast|zas) ", words):
        one = _RELATION.search(clause)
        if one is not None:
            parts = {name: text for name, text in one.groupdict().items() if text}
            parts["a"] = _subject(clause[: one.start("b")], one) or (
                found[-1]["a"] if found else parts["a"]
            )
            found.append(parts)
    return found


def _subject(clause: str, one: re.Match[str]) -> str:
    """The first word of the clause that is neither a link nor a verb."""
    for word in clause[: max(one.end("gap"), 0)].split():
        if word not in _LINKS and len(word) > 1 and not re.search(r"\d", word):
            return word
    return ""


_LINKS = frozenset([
    "a",
    "i",
    "to",
    "ma",
    "jest",
    "sie",
    "w",
    "na",
    "z",
    "co",
    "niz",
    "bo",
    "no",
    "wiec",
    "ze",
    "ktora",
    "ktory",
    "jego",
    "jej",
    "moj",
    "moja",
    "jesli",
    "jezeli",
    "gdy",
    "tam",
    "bylo",
    "byla",
    "byl",
    "dostal",
    "dostala",
    "maja",
    "jak",
    "juz",
    "teraz",
    "czyli",
    "o",
    "za",
])


def _total(statement: Statement, relations: Sequence[Mapping[str, str]]) -> str | None:
    """The one number that no relation has: what they have together."""
    used = [
        text for one in relations for name, text in one.items() if name not in {"a", "b", "gap"}
    ]
    rest = [one.text for one in statement.quantities]
    for text in used:
        if text not in rest:
            return None
        rest.remove(text)
    is_told = re.search(
        r"\b(?:razem|lacznie|w sumie|sum\w+|wspolnie|ogolem|rozda\w*|podziel\w*|w klasie|klas\w+|"
        r"wszystki\w+|obwod\w*|zebra\w*|liczy)\b", statement.words
    )  # fmt: skip
    return rest[0] if len(rest) == 1 and is_told else None


def _is_same(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _THREE:
        return False
    size = min(len(one), len(other), 6)
    return one[: max(_PAIR, size - 1)][:4] == other[: max(_PAIR, size - 1)][:4] or (
        size <= _THREE and one[:_PAIR] == other[:_PAIR]
    )


def _values(
    unknown: str, relations: Sequence[Mapping[str, str]], names: Sequence[str]
) -> Mapping[str, _Linear] | None:
    """Every name in terms of the unknown one, following the relations both ways."""
    known: dict[str, _Linear] = {unknown: _Linear(times="1")}
    for _ in names:
        for relation in relations:
            a = next(one for one in names if _is_same(one, relation["a"]))
            b = next(one for one in names if _is_same(one, relation["b"]))
            if b in known and a not in known and (found := _applied(known[b], relation)):
                known[a] = found
            elif (
                a in known
                and b not in known
                and (found := _applied(known[a], relation, is_back=True))
            ):
                known[b] = found
    return known if len(known) == len(names) else None


def _applied(one: _Linear, relation: Mapping[str, str], *, is_back: bool = False) -> _Linear | None:
    if (change := relation.get("more") or relation.get("fewer")) is not None:
        is_plus = ("more" in relation) != is_back
        return _Linear(times=one.times, more=f"{one.more} {'+' if is_plus else '-'} {change}")
    factor = relation.get("times") or relation.get("less") or "1"
    is_times = ("times" in relation) != is_back
    if not one.more and one.times == "1":
        return _Linear(times=factor if is_times else f"1/{factor}")
    if not is_times:
        return None
    inner = one.written()
    return (
        _Linear(times=f"{factor}*{one.times}")
        if not one.more
        else _Nested(times=factor, more="", inner=inner)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Nested(_Linear):
    """So many times a sum."""

    inner: str = ""

    def written(self) -> str:
        return f"{self.times}*({self.inner}){self.more}"


def _read_ages(statement: Statement) -> str | None:
    """Read "mam 14 lat, brat 5, za ile lat będę dwa razy starsza"."""
    words, numbers = statement.words, statement.quantities
    asked = re.search(r"\b(?P<later>za ile lat|po ilu latach)\b|\bile lat temu\b", words)
    later = re.search(
        r"(\d+) razy (?:starsz|mlodsz)\w*.*?\bza (\d+) (?:lat\w*|rok)\b.*?\b(\d+) razy", words
    )
    if later is not None and len(numbers) == _THREE:
        return f"solve(Eq({later[1]}*x + {later[2]}, {later[3]}*(x + {later[2]})), x)"
    if asked is None or len(numbers) != _THREE:
        return None
    factor = next((one for one in numbers if one.unit in {"razy", "krotnie"}), None)
    ages = sorted((one for one in numbers if one is not factor), key=lambda one: -one.value)
    if factor is None or len(ages) != _PAIR:
        return None
    old, young = (one.text for one in ages)
    sign = "+" if asked["later"] else "-"
    return f"solve(Eq({old} {sign} x, {factor.text}*({young} {sign} x)), x)"


def _read_legs(statement: Statement) -> str | None:
    """Read "41 pojazdów, 130 kół, motory i auta, ile motocykli": heads and legs."""
    words, numbers = statement.words, statement.quantities
    legs = next(
        (one for one in numbers if re.match(r"(?:nog|nozek|lap|kol|kopyt)", one.unit)), None
    )
    legs = legs or next(
        (
            one
            for one in numbers
            if re.search(r"\b(?:nog|nozek|lap|kol|kopyt)\b[^.?!]*$", one.before)
        ),
        None,
    )
    heads = next((one for one in numbers if one is not legs), None)
    if legs is None or heads is None or len(numbers) != _PAIR:
        return None
    kinds = list(
        dict.fromkeys(
            stem
            for word in words.split()
            for stem in _LEGS
            if word.startswith(stem) and not (stem == "kot" and word not in {"koty", "kotow"})
        )
    )
    asked = next(
        (
            stem
            for word in statement.question.split()[1:]
            for stem in kinds
            if word.startswith(stem)
        ),
        None,
    )
    counts = {_LEGS[stem] for stem in kinds}
    if asked is None or len(counts) != _PAIR:
        return None
    other = (counts - {_LEGS[asked]}).pop()
    return f"solve(Eq({_LEGS[asked]}*x + {other}*({heads.text} - x), {legs.text}), x)"


def _read_consecutive(statement: Statement) -> str | None:
    """Read "trzy kolejne liczby nieparzyste dają 87, która jest największa"."""
    words = statement.words
    found = re.search(
        r"\b(\d) (?:\w+ )?(?:kolejn\w+|(?:nastepujac\w+ )?po sobie) (?:nastepujac\w+ "
        r")?(?:liczb\w* )?(?P<kind>\w+)?", words
    ) or re.search(r"\b(\d) nastepujac\w+ po sobie liczb\w* (?P<kind>\w+)?", words)  # fmt: skip
    if found is None or not re.search(r"\b(?:sum\w+|daj\w+|razem|wynos\w+)\b", words):
        return None
    numbers = [one.text for one in statement.quantities]
    count = int(found[1])
    if len(numbers) != _PAIR or numbers[0] != found[1] or not _PAIR <= count <= _THREE + 2:
        return None
    if re.search(rf"\b(?:od|poczawszy od|zaczynajac od|pierwsza to) {numbers[1]}\b", words):
        return None  # they are told, not sought
    step = 2 if re.search(r"\b(?:nie)?parzyst\w*", words) else 1
    sign = "-" if re.search(r"\b(?:najwieksz|ostatni|wieksz)\w*", words) else "+"
    terms = ["x", *(f"(x {sign} {step * at})" for at in range(1, count))]
    return f"solve(Eq({' + '.join(terms)}, {numbers[1]}), x)"


def _read_shared(statement: Statement) -> str | None:
    """Read "po 4 zostaną 3, po 5 zabraknie 6": how many there are."""
    words = statement.words
    found = re.search(
        r"\bpo (\d+)\b[^\d.?]*\b(?:zosta\w*|reszt\w*)[^\d.?]{0,15}(\d+)\b.*?\bpo (\d+)\b"
        r"(?:[^\d.?]*\b(?:zabrak\w*|brak\w*)[^\d.?]{0,15}(\d+)|[^\d.?]*?(\d+) (?:\w+ "
        r")?(?:zabrak\w*|brak\w*))",
        words,
    )
    if found is None or len(statement.quantities) != 4:  # noqa: PLR2004 - twice so many, so many
        return None
    return f"solve(Eq({found[1]}*x + {found[2]}, {found[3]}*x - {found[4] or found[5]}), x)"


_READERS: tuple[Callable[[Statement], str | None], ...] = (
    _read_ages,
    _read_legs,
    _read_shared,
    _read_consecutive,
    _read_compared,
)
