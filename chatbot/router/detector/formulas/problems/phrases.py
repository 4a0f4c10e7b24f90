"""Word problems that one pattern tells, read from a table."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.router.detector.formulas.problems.statement import NUMBER

_PACKAGE = "chatbot.router.detector.formulas.problems"
_WHOLE_NUMBER = rf"(?<![\d.]){NUMBER}(?!\d|\.\d)"
_PARTS: Mapping[str, str] = MappingProxyType({
    "{n}": _WHOLE_NUMBER,
    "{p}": rf"{_WHOLE_NUMBER} %",
    "{unit}": r"(?: (?!na |do |z |od |to |jest |a |i |czy |sie |ile )[a-z]+)?",
    "{ways}": (
        r"(?:na ile (?:\w+ )?sposob\w*|(?:w|na) il[eu] (?:\w+ )?kolejnosci\w*|"
        r"ile (?:jest |mamy |istnieje )?(?:\w+ )?"
        r"(?:sposob\w*|mozliwosci|kombinacji|ustawien|kolejnosci))"
    ),
    "{circle}": r"\b(?:kol|okreg|talerz|stol|pizz|rond|tarcz|kolist)\w*",
    "{box}": (
        r"\b(?:prostokat\w*|dzialk\w*|pok[oó]j\w*|sal\w|ekran\w*|zdjeci\w*|grafik\w*|obraz\w*|"
        r"ogrod\w*|boisk\w*|kartk\w*|podlog\w*|scian\w*|pole|dywan\w*|lazienk\w*|kuchni\w*|"
        r"trawnik\w*|parcel\w*|taras\w*|basen\w*)"
    ),
})


def read_phrase(group: str, words: str) -> str | None:
    """Return the expression of the first pattern of a group that the words hold."""
    for pattern, written in _patterns("phrases.tsv").get(group, ()):
        if found := pattern.search(words):
            return found.expand(written)
    return None


def read_whole_phrase(group: str, words: str, count: int) -> tuple[str, str] | None:
    """Return what the first pattern that takes ``count`` numbers tells, and the words around it."""
    for pattern, written in _patterns("phrases.tsv").get(group, ()):
        found = pattern.search(words)
        if found is not None and sum(part is not None for part in found.groups()) == count:
            return found.expand(written), words[: found.start()] + words[found.end() :]
    return None


def measures(words: str, sizes: Sequence[str]) -> str | None:
    """Return the expression of the measure that is asked of a figure with these sizes."""
    for pattern, written in _patterns("figures.tsv").get(str(len(sizes)), ()):
        if pattern.search(words):
            return written.format(*sizes)
    return None


@cache
def _patterns(table: str) -> Mapping[str, Sequence[tuple[Guarded, str]]]:
    """Read a table: group, pattern, expression; a line that begins with a hash is a remark."""
    groups: dict[str, list[tuple[Guarded, str]]] = {}
    for line in (files(_PACKAGE) / table).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        group, pattern, written = line.split("\t")
        for name, part in _PARTS.items():
            pattern = pattern.replace(name, part)
        compiled = Guarded(rf"(?<![\w.])(?:{pattern})" if table == "phrases.tsv" else pattern)
        groups.setdefault(group, []).append((compiled, written))
    return MappingProxyType(groups)
