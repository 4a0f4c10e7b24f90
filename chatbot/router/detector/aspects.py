"""Take off a question what it lists to be told of its topic: "Surinam: waluta, język urzędowy?"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.frames import AT_QUESTION
from chatbot.router.detector.nouns import ASKED, PREPOSITIONS
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.detector.verbs import is_finite, is_skipped

_MARK = regex(r"[,:;] | [–—-] ")
_OPEN = regex(rf"(?:i |a |oraz )?{AT_QUESTION}\b(?P<rest>.*)")
_ENTRIES = frozenset({
    "hasło",
    "artykuł",
    "temat",
    "strona",
    "coś",
    "postać",
    "osoba",
    "wydarzenie",
})
_ASPECTS = (ASKED - _ENTRIES) | {
    "waluta", "stolica", "hymn", "flaga", "godło", "herb", "barwa", "stadion", "liczba", "religia",
    "trener", "prezes", "burmistrz", "rekord", "rozmnażanie", "występowanie", "powstanie",
    "członek", "punkt", "koniec",
}  # fmt: skip
_MOST = 5  # words


def without_aspects(text: str) -> str:
    """Return a question without the aspects listed at its end, if there are any."""
    begin = len(text)
    is_listed = False
    for mark in reversed(list(_MARK.finditer(text))):
        part = text[mark.end() : begin].strip(" ?.!")
        is_aspect = _is_aspect(split_words(part))
        if not is_aspect and not _is_open(part):
            break
        is_listed = is_listed or is_aspect
        begin = mark.start()
    return text[:begin] if is_listed else text


def _is_aspect(words: Sequence[Span]) -> bool:
    """Whether words only say what is asked of something: "liczba członków w 1981"."""
    if not 0 < len(words) <= _MOST or any(word.is_capitalised or is_finite(word) for word in words):
        return False
    first, *others = words
    is_asked = any(
        one.lemma in _ASPECTS and one.cases & {"nom", "acc"} for one in readings_of(first.text)
    )
    return is_asked and all(map(_belongs, others))


def _belongs(word: Span) -> bool:
    """Whether a word may go on to say what is asked, and names nothing itself."""
    readings = readings_of(word.text)
    is_part = any(one.lemma in _ASPECTS or one.is_adjectival for one in readings)
    return is_part or word.folded in PREPOSITIONS | {"i", "oraz"} or word.text.isdigit()


def _is_open(part: str) -> bool:
    """Whether a question names nothing itself: "kiedy powstała"."""
    found = _OPEN.fullmatch(fold_evenly(part))
    rest = split_words(found["rest"]) if found else ()
    return found is not None and all(is_skipped(word) or is_finite(word) for word in rest)
