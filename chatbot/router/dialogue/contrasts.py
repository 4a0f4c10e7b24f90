"""What a prompt takes back, and what it puts in its place: "nie o Wilnie, tylko o Lwowie"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words

_SHORTEST = 3
_ENDING = 2  # letters that cases of a strange name may differ in
_CLAUSE = regex(r"[,;:.!?…]|\s[–—-]\s")
_DENIED = regex(
    r"^\W*(?:(?:no|ale|oj|sorry|sory|kurde|yyy|eee|hej|ech|przepraszam|wybacz|poprawka|a|to) )*"
    r"nie(?: (?:chodzi\w*|pyta\w*|szlo|mowie|mam na mysli|interesuj\w+)(?: mi| mnie)?)?\b"
    r"(?! (?:wiem|rozumiem|pamietam|znam|mam|jestem|ma|jest|bylo?|byla|byly|moge|chce|"
    r"dzieki|trzeba)\b)"
)
_INNER = regex(r"\ba nie\b|\bzamiast\b")
_STRONG = regex(
    r"\b(?<!nie )(?:(?:mi )?(?:chodzi(?:lo)?|szlo)(?: mi)? o|mial[ae]m na mysli|"
    r"mysl(?:alem|alam) o|wroc(?:my)?(?: sie)? (?:jeszcze )?do|wracam\w* do|wracajac do|"
    r"pyta(?:lem|lam) o)\b"
)
_BUT = regex(r"\b(?:tylko|lecz|ale)\b")
_INSTEAD = regex(r"\W*(?:tylko|lecz|ale|raczej|a)\b")
_TALK = frozenset({
    "przepraszam", "sorry", "sorki", "wybacz", "poprawka", "literowka", "pomylka", "prosze",
    "poprosze", "rany", "kurde", "chwila", "sekunda", "znaczy", "pan", "pani", "panu",
})  # fmt: skip
_NAMING = frozenset({"subst", "ger", "adj", "depr", "ppas"})
_DOING = frozenset({"fin", "praet", "impt", "imps"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Contrast:
    """The words of a prompt that are denied, and those that are meant in their place."""

    denied: tuple[Span, ...] = ()
    meant: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is corrected."""
        return bool(self.denied or self.meant)

    def denies(self, name: str) -> bool:
        """Whether a name is taken back, and not meant in any of its words."""
        if not self.denied:
            return False
        own = split_words(name)
        if {one.folded for one in own} & {one.folded for one in self.denied}:
            return not {one.folded for one in own} & {one.folded for one in self.meant}
        return _share(own, self.denied) and not _share(own, self.meant)

    def means(self, name: str) -> bool:
        """Whether a name is put in the place of another."""
        return _share(split_words(name), self.meant)


@lru_cache(maxsize=256)
def read_contrast(text: str) -> Contrast:
    """Return what a prompt denies and what it means; empty where it corrects nothing."""
    folded = fold_evenly(text)
    clauses = tuple(_clauses(folded))
    denied, meant = list[Span](), list[Span]()
    for at, (start, end) in enumerate(clauses):
        clause = folded[start:end]
        if (inner := _INNER.search(clause)) is not None:
            own, rest = _split(text, start + inner.end(), end)
            denied += own
            meant += (
                rest or _content(text, start, start + inner.start()) or _near(text, clauses, at)
            )
        elif (head := _DENIED.match(clause)) is not None:
            led = _BUT.search(clause, head.end())
            own, rest = _split(text, start + head.end(), start + led.start() if led else end)
            denied += own
            behind = _content(text, start + led.end(), end) if led else rest
            meant += (behind or _near(text, clauses, at)) if own else ()
        elif (back := _STRONG.search(clause)) is not None:
            meant += _content(text, start + back.end(), end)
    kept = [one for one in dict.fromkeys(meant) if one not in denied]
    return Contrast(denied=tuple(denied), meant=tuple(kept))


def _split(text: str, start: int, end: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The content of a clause up to its verb, and behind it: "zamiast o X opowiedz o Y"."""
    words = [one for one in split_words(text) if start <= one.start < end]
    verb = next((one.start for one in words if _is_verb(one)), end)
    return _content(text, start, verb), _content(text, verb, end)


def _near(text: str, clauses: Sequence[tuple[int, int]], at: int) -> tuple[Span, ...]:
    """The content of the clause before what is denied, or behind it where that begins so."""
    before = (_content(text, start, end) for start, end in reversed(clauses[:at]))
    behind = (_split(text, start, end)[0] for start, end in clauses[at + 1 : at + 2])
    is_led = any(_INSTEAD.match(text, start, end) for start, end in clauses[at + 1 : at + 2])
    found = (*behind, *before) if is_led else (*before, *behind)
    return next(filter(None, found), ())


def _clauses(folded: str) -> Iterator[tuple[int, int]]:
    start = 0
    for mark in _CLAUSE.finditer(folded):
        yield start, mark.start()
        start = mark.end()
    yield start, len(folded)


def _content(text: str, start: int, end: int) -> tuple[Span, ...]:
    """The words of a part of the prompt that name something."""
    return tuple(one for one in split_words(text) if start <= one.start < end and _names(one))


def _names(word: Span) -> bool:
    if not word.text[0].isalpha() or word.folded in _TALK or len(word.text) < _SHORTEST:
        return False
    readings = readings_of(word.text)
    return not readings or any(one.pos in _NAMING for one in readings)


def _is_verb(word: Span) -> bool:
    readings = readings_of(word.text)
    return bool(readings) and all(one.pos in _DOING for one in readings)


def _share(name: Sequence[Span], words: Sequence[Span]) -> bool:
    """Whether a word can be a form of one of a name's."""
    return any(_lemmas(one.text) & _lemmas(word.text) for one in name for word in words)


@lru_cache(maxsize=4_096)
def _lemmas(word: str) -> frozenset[str]:
    """What a word may be a form of, folded; of strange words their beginning."""
    found = {fold(one.lemma) for one in readings_of(word)}
    return frozenset(found or {fold(word)[: max(_SHORTEST, len(word) - _ENDING)]})
