"""Shares in a ratio, mixtures, means of groups and what a mean still needs."""

import re
from collections.abc import Callable, Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_RATIO = regex(r"(?<![\d.])(\d+(?: ?: ?\d+){1,4})(?![\d.])")
_SPOKEN_RATIO = regex(r"\b(?:stosun\w*|proporcj\w*|jak)[^\d.?]{0,60}?(\d+) do (\d+)(?![\d.])")
_NAMES = regex(
    r"\b(?:stosun\w*|proporcj\w*) (?:liczb\w* |ilosci )?(?P<a>[a-z]{3,}) do (?:liczb\w* |ilosci )?"
    r"(?P<b>[a-z]{3,})|\b(?P<c>[a-z]{3,})(?: [a-z]+){0,2} (?:i|do|z) (?P<d>[a-z]{3,})"
    r"(?: [a-z]+){0,6}"
    r" (?:stosun\w*|proporcj\w*|(?=\d+ : \d))"
    r"|\b(?P<e>[a-z]{3,}) (?:do|i) (?P<f>[a-z]{3,})(?: (?:jest|sa|bylo|maja|ma|sie))* "
    r"(?=jak \d+ do \d)"
)
_SHARED = regex(r"\b(?:stosun\w*|proporcj\w*|podziel\w*|dziel\w*|rozdziel\w*)\b")
_PEOPLE = regex(r"(?:osob|brac|wspoln|siostr|dziec|czesc|przyjaci|koleg|udzial|spadkob)")
_SAME_LETTERS = 4
_PROPORTION = regex(
    r"\b(?:stosun\w*|proporcj\w*|podziel\w*|dziel\w*|rozdziel\w*)\b|\bjak \d+ do \d|"
    r"\b(?:miesza\w*|laczy\w*|lacze|robie|z [a-z]+)(?: w)? \d+ : \d"
)
_MIXED = regex(
    r"\b(?:miesz\w*|zmiesz\w*|wymiesz\w*|stop\w*|stopi\w*|roztw\w*|dola\w*|dolew\w*|wlej\w*|wla\w*|"
    r"rozcien\w*|mieszan\w*|polacz\w*|prob[yae])\b"
)
_PURE = regex(r"\b(?:wod[yaeę]|wode)\b")
_LITRE = regex(r"(?<!\d )\b(litr|kilogram|kilo|szklank\w) (?:czystej )?wody")
_ASKED_MIX = regex(
    r"\b(?:steze\w*|procent\w*|%|prob[eayęą]|cen[aey]|kosztuj\w*|po ile|ile za|temperatur\w*)"
)
_PAIR = 2


def read_mixing(statement: Statement) -> str | None:
    """Return a share, a mixture's strength or price, or a mean of groups."""
    for reader in _READERS:
        if (found := reader(statement)) is not None:
            return found
    return None


def _read_ratio(statement: Statement) -> str | None:
    """Read "84 000 zł w stosunku 2:3:7, ile najmniejsza część"."""
    words = statement.words
    found = _RATIO.search(words) or _SPOKEN_RATIO.search(words)
    if found is None or not _PROPORTION.search(words) or not re.search(r"\b(?:il[eu]|jak)", words):
        return None
    parts = [part for group in found.groups() for part in re.findall(r"\d+", group)]
    wholes = [one for one in statement.quantities if not _is_of_ratio(one, found, len(parts))]
    if len(wholes) != 1:
        return None
    names = _NAMES.search(words) if len(parts) == _PAIR else None
    if names is None and not _SHARED.search(words):
        return None
    if names and (named := _by_name([one for one in names.groups() if one], parts, statement)):
        return f"{wholes[0].text}*{named}"
    chosen = _chosen(parts, words)
    return None if chosen is None else f"{wholes[0].text}*{chosen}/({' + '.join(parts)})"


def _is_of_ratio(one: Quantity, found: re.Match[str], count: int) -> bool:
    """Whether this is a number of the ratio, or only says how many shares there are."""
    is_within = found.start() < one.end <= found.end()
    return is_within or (one.text == str(count) and bool(_PEOPLE.match(one.unit)))


def _by_name(names: Sequence[str], parts: Sequence[str], statement: Statement) -> str | None:
    """What the whole, or the one named share, is taken by for the share that is asked for."""
    asked = re.split(r"\bil[eu]\b", statement.question)[-1].split()
    wanted = [at for at, name in enumerate(names) if any(_is_named(word, name) for word in asked)]
    if len(wanted) != 1:
        return None
    other = 1 - wanted[0]
    told = [one for one in statement.quantities if _is_named(one.unit, names[other])]
    below = parts[other] if told else f"({' + '.join(parts)})"
    return f"{parts[wanted[0]]}/{below}"


def _is_named(word: str, name: str) -> bool:
    return word[:_SAME_LETTERS] == name[:_SAME_LETTERS]


def _chosen(parts: Sequence[str], words: str) -> str | None:
    """Which share is asked for: the least, the greatest, the first, the last."""
    values = sorted(parts, key=int)
    for pattern, chosen in (
        (r"\b(?:najmniejsz|najmniej\b|mniejsz|mniej\b)\w*", values[0]),
        (r"\b(?:najwieksz|najwiecej\b|wieksz|wiecej\b)\w*", values[-1]),
        (r"\b(?:pierwsz)\w*", parts[0]),
        (r"\b(?:drug)\w*", parts[1]),
        (r"\b(?:ostatni|trzeci)\w*", parts[-1]),
        (r"\bsrodkow\w*", values[len(values) // 2]),
    ):
        if re.search(pattern, words):
            return chosen
    return None


def _read_mixture(statement: Statement) -> str | None:
    """Read "2 kg próby 0.75 z 3 kg próby 0.5", "3 l octu 10 % i litr wody"."""
    words = statement.words
    if not _MIXED.search(words) or not _ASKED_MIX.search(statement.question or words):
        return None
    numbers = list(statement.quantities)
    masses = [one for one in numbers if _is_mass(one)]
    others = [one for one in numbers if one not in masses]
    water = [one for one in masses if _PURE.match(one.after.partition(" ")[2].partition(" ")[2])]
    amounts = [one.text for one in masses]
    if _LITRE.search(words) and len(masses) == 1:
        amounts.append("1")
        water = [masses[0]]
    if len(amounts) < _PAIR or len(others) != len(amounts) - len(water) or not others:
        return None
    rich = (
        [one.text for one in masses if one not in water]
        if not _LITRE.search(words)
        else amounts[:1]
    )
    total = " + ".join(f"{a}*{c.text}" for a, c in zip(rich, others, strict=False))
    return f"({total})/({' + '.join(amounts)})"


def _is_mass(one: Quantity) -> bool:
    return one.unit in {"kg", "l", "g", "ml", "dag", "t"} or one.unit.startswith((
        "litr",
        "kilo",
        "gram",
        "ton",
        "mililitr",
    ))


def _read_mean(statement: Statement) -> str | None:
    """Read "2 po 38 mkw, 5 po 51.4 i jedno 72.6, średnia": by how many there are of each."""
    words, numbers = statement.words, statement.quantities
    if not re.search(r"\bsredni[aąeęy]\b", words):
        return None
    pairs = re.findall(r"(?<![\d.])(\d+)(?: [a-z]+){0,2} po (\d[\d.]*)(?! ?%)", words)
    single = re.findall(r"\bjedn[aoey]\w*(?: [a-z]+){0,2} (\d[\d.]*)", words)
    if len(pairs) < 1 or len(pairs) + len(single) < _PAIR:
        return None
    if len(numbers) != _PAIR * len(pairs) + len(single):
        return None
    total = " + ".join([*(f"{count}*{size}" for count, size in pairs), *single])
    counts = " + ".join([*(count for count, _ in pairs), *("1" for _ in single)])
    return f"({total})/({counts})"


def _read_missing(statement: Statement) -> str | None:
    """Read "średnia trzech liczb to 18, dwie to 15 i 22, trzecia": the sum less the others."""
    words = statement.words
    found = re.search(
        r"\bsredni\w*(?: \w+)? (\d+) (?:liczb|ocen|sprawdzian|test|wynik)\w* "
        r"(?:to|wynosi|jest rowna|rowna sie|=) (\d[\d.]*)", words
    )  # fmt: skip
    numbers = [one.text for one in statement.quantities]
    if found is None or found[1] not in numbers or found[2] not in numbers:
        return None
    rest = re.split(r"\bto\b|:|\bwynosz\w*", words[found.end() :], maxsplit=1)[-1]
    known = re.findall(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.])", rest)
    if len(known) != int(float(found[1])) - 1:
        return None
    return f"{found[1]}*{found[2]} - {' - '.join(known)}"


def _read_needed(statement: Statement) -> str | None:
    """Read "mam 4, 3 i 5, jaką ocenę muszę dostać, żeby średnia była 4.5"."""
    words = statement.words
    found = re.search(r"\b(?:zeby|aby|by)\b[^.?!]*\bsredni\w*[^\d]{0,25}(\d[\d.]*)", words)
    if found is None or not re.search(r"\b(?:jak\w+|ile|co)\b", words):
        return None
    numbers = [one.text for one in statement.quantities]
    known = [text for text in numbers if text != found[1]]
    rest = re.findall(r"\d+(?:\.\d+)?", words[: found.start()])
    if len(rest) < _PAIR or rest != known or any(one.is_each for one in statement.quantities):
        return None
    return f"solve(Eq(({' + '.join(known)} + x)/{len(known) + 1}, {found[1]}), x)"


def _read_dilution(statement: Statement) -> str | None:
    """Read "ile wody dolać do 400 g solanki 12 %, żeby była 8 %"."""
    words, numbers = statement.words, statement.quantities
    rates = [one.text for one in numbers if one.unit == "%"]
    masses = [one.text for one in numbers if one.unit != "%"]
    if not re.search(r"\bile (?:\w+ ){0,3}wody (?:\w+ )?(?:dola|dole|doda|trzeba)\w*", words):
        return None
    if len(rates) != _PAIR or len(masses) != 1:
        return None
    return f"solve(Eq({masses[0]}*{rates[0]}/100, ({masses[0]} + x)*{rates[1]}/100), x)"


_READERS: tuple[Callable[[Statement], str | None], ...] = (
    _read_ratio,
    _read_missing,
    _read_needed,
    _read_dilution,
    _read_mean,
    _read_mixture,
)
