"""Words of dialects, slips in question words and commands to look something up, made plain."""

from collections.abc import Mapping
from types import MappingProxyType

from rapidfuzz.distance import OSA

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.detector.transpositions import unswapped

_DIALECT: Mapping[str, str] = MappingProxyType({
    "fto": "kto",
    "chto": "kto",
    "kaj": "gdzie",
    "kaz": "gdzie",
    "wiela": "ile",
    "wielo": "ile",
    "tyn": "ten",
    "kery": "który",
    "kero": "która",
    "keryn": "który",
    "ftory": "który",
    "mo": "ma",
    "mioł": "miał",
    "boł": "był",
    "bół": "był",
    "beł": "był",
    "je": "jest",
    "lezom": "leżą",
    "skond": "skąd",
    "powiydz": "powiedz",
    "opowiydz": "opowiedz",
    "wjela": "ile",
    "miyszko": "mieszka",
    "powiydzze": "powiedz",
    "pedz": "powiedz",
    "rzeknij": "powiedz",
    "cymu": "czemu",
    "ka": "gdzie",
    "kie": "kiedy",
})
_QUESTIONS = ("kiedy", "gdzie", "dlaczego", "ktory", "ktora", "ktore", "jakie")
_PLAIN: Mapping[str, str] = MappingProxyType({"ktory": "który", "ktora": "która", "ktore": "które"})
_FIRST = 4  # words at the beginning that may be a mistyped question word
_SHORTEST = 4
_WORD = regex(r"[^\W\d_]+")
_ROMAN = regex(r"[IVXLCDM]+")
_QUOTED = regex(r"[„\"«][^„”\"«»]{2,60}[”\"»“]")
_SHOUTED = 3  # words in capitals that are no abbreviation
_LOOK_UP = regex(
    r"^(?:\W*(?:prosze|hej|czesc),? )?(?:zajrzyj|wejdz|spojrz|zerknij|poszukaj|sprawdz|zobacz|"
    r"wpisz|poszperaj|otworz)(?: mi)? (?:\w+ )?(?:do|w|na) (?:\w+ )?(?:wiki\w*|encyklopedi\w*)"
    r"(?:,| i)+ (?:sprawdz|znajdz|powiedz|zobacz|podaj|napisz|przeczytaj)?(?: mi)?,? ?"
)


def in_small_letters(text: str) -> str:
    """Write a text that is all capitals as usual: only names begin with one."""
    words = _WORD.findall(text)
    if len(words) < _SHOUTED or text != text.upper():
        return text
    plain = _WORD.sub(lambda found: _in_small_letters(found[0]), text)
    return plain[:1].upper() + plain[1:]


def _in_small_letters(word: str) -> str:
    if len(word) > 1 and _ROMAN.fullmatch(word):
        return word
    small = word.lower()
    is_common = any(one.lemma[:1].islower() for one in readings_of(small))
    return small if is_common or len(word) == 1 else word.capitalize()


def standard(text: str) -> str:
    """Write dialect question words as usual, mend mistyped ones, take "zajrzyj do wiki i" off."""
    words = list(_WORD.finditer(text))
    titles = [found.span() for found in _QUOTED.finditer(text)]
    for at, found in reversed(list(enumerate(words))):
        if any(start < found.start() < end for start, end in titles):
            continue
        plain = _standard_word(found[0], is_early=at < _FIRST)
        if plain is None and not any(_is_strange(one[0]) for one in words[max(at - 1, 0) : at]):
            plain = _unswapped(found[0], is_first=not at)
        if plain:
            text = text[: found.start()] + plain + text[found.end() :]
    if looked := _LOOK_UP.match(fold_evenly(text)):
        text = text[looked.end() :] or text
    return text


def _standard_word(word: str, *, is_early: bool) -> str | None:
    folded = fold(word)
    known = _DIALECT.get(folded, _DIALECT.get(word.lower()))
    if known and (word.islower() or is_early):
        return known
    if not is_early or len(word) < _SHORTEST or folded in _QUESTIONS or _is_everyday(word):
        return None
    near = next((one for one in _QUESTIONS if OSA.distance(folded, one, score_cutoff=1) == 1), None)
    return _PLAIN.get(near, near) if near else None


def _is_strange(word: str) -> bool:
    """Whether no dictionary has a word, as those of foreign names: "nanga"."""
    return len(word) >= _SHORTEST and not readings_of(word)


def _unswapped(word: str, *, is_first: bool) -> str | None:
    """Return a word in small letters, or one that begins its text, with its letters in order."""
    small = word[:1].lower() + word[1:] if is_first else word
    if not word.isascii() or not small.islower() or readings_of(small) or readings_of(word):
        return None
    found = unswapped(small)
    return None if found == small else word[:1] + found[1:]


def _is_everyday(word: str) -> bool:
    return any(one.lemma[:1].islower() for one in morphology().readings(word))
