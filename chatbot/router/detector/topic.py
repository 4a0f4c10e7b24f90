"""Read what an encyclopaedia is asked about, in its base form."""

import re
from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.router.detector.frames import CUT, FRAMES, MADE, QUESTION, TRAILING, TURNED
from chatbot.router.detector.framing import strip_closing, strip_opening
from chatbot.router.detector.spans import Span, compose, fold_evenly, joined, split_words
from chatbot.types import NameKind

_TITLES = re.compile(r"[„\"«”]([^„”\"«»]{2,80})[”\"»“]")
_PERSONAL = frozenset({"imię", "nazwisko"})
_GEOGRAPHIC = "nazwa_geograficzna"
_VERBAL = frozenset({"fin", "praet", "impt", "bedzie", "aglt", "imps", "adv", "part", "qub"})
_FINITE = frozenset({"fin", "praet", "bedzie", "imps"})
_VERBS = frozenset({
    "ma", "mial", "miala", "mialo", "mialy", "jest", "sa", "byl", "byla", "bylo", "byly", "moze",
    "maja", "trwa", "trwalo", "trwala", "lezy", "zyje", "sie", "byc", "mozna", "to",
    "dziala", "dzialaja", "zyl", "zyla", "zyli", "zyja", "umarl", "zmarl", "powstal", "urodzil",
})  # fmt: skip
_COMMON = frozenset({
    "historia", "stolica", "populacja", "powierzchnia", "flaga", "herb", "hymn", "waluta",
    "kultura", "gospodarka", "klimat", "budowa", "geografia", "ustroj", "krotka", "dzieje",
})  # fmt: skip
_COUNTING = re.compile(r"(?:\w+ )?(?:ile|ilu|jak[aie]|ktor)")
_ROMAN = re.compile(r"[IVXLCDM]+")


_LANGUAGES = (
    ("en", r"angielsk|anglojezyczn"), ("de", r"niemieck"), ("fr", r"francusk"),
    ("es", r"hiszpansk"), ("it", r"wlosk"), ("uk", r"ukrainsk"), ("ru", r"rosyjsk"),
    ("cs", r"czesk"),
)  # fmt: skip
_WRITTEN_IN = tuple(
    (
        code,
        re.compile(
            rf"(?:{stem})\w* wiki|wiki\w* (?:po )?(?:{stem})|\bpo (?:{stem})u\b|jezyku (?:{stem})im"
        ),
    )
    for code, stem in _LANGUAGES
)


def read_language(prompt: str) -> str | None:
    """Return the code of the language in which an article is wished, if one was named."""
    words = fold(prompt)
    return next((code for code, pattern in _WRITTEN_IN if pattern.search(words)), None)


def read_topic(prompt: str) -> str | None:
    """Return the thing or person asked about ("Irena Sendlerowa"); ``None`` if there is none."""
    text = compose(prompt)
    if title := _TITLES.search(text):
        return lemmatise(title[1], kind="topic", preposition=_case_before(text, title.start()))
    core = strip_closing(text)
    if (trailing := TRAILING.search(fold_evenly(core))) is not None and trailing.start() > 0:
        core = core[: trailing.start()]
    for opened in dict.fromkeys((core, strip_opening(core))):
        if (found := _framed(opened)) is not None:
            return found
    return _asked(strip_opening(core))


def _framed(text: str) -> str | None:
    folded = fold_evenly(text)
    if turned := TURNED.match(folded):
        noun, where, superlative = (text[turned.start(n) : turned.end(n)] for n in (1, 2, 3))
        return f"{superlative} {noun} w {where}"
    for frame, case in FRAMES:
        if (found := frame.match(folded)) is None:
            continue
        if rest := _cut(text[found.end() :]):
            if not case and folded.startswith(("kim ", "kto ")) and _is_nominative(rest):
                return rest
            return _name_in(rest) if _is_clause(rest) else _base(rest, case)
    return None


def _asked(text: str) -> str | None:
    """Take a question word and verbs off; what stays is the subject, or the clause about it."""
    question = QUESTION.match(fold_evenly(text))
    rest = _cut(text[question.end() :] if question else text)
    words = split_words(rest)
    if question and words:
        counts = _COUNTING.match(question[0]) is not None
        rest = joined(rest, words[_verbs_end(words, counts=counts) :])
    if not rest or all(_is_skipped(word) for word in split_words(rest)):
        return None
    return _name_in(rest) if _is_clause(rest) else _base(rest, "")


def _verbs_end(words: Sequence[Span], *, counts: bool) -> int:
    """Return how many words after a question word are verbs; "ile dni trwało" has its noun too."""
    start = 0
    while start < len(words) - 1 and _is_skipped(words[start]):
        start += 1
    if counts and start == 0:
        verb = next((at for at, word in enumerate(words[:3]) if _is_finite(word)), None)
        return 0 if verb is None or verb + 1 >= len(words) else verb + 1
    if start == 0 and not counts and len(words) > 1 and words[0].text.islower():
        readings = morphology().readings(words[0].text)
        return int(any(reading.pos in _FINITE for reading in readings))
    return start


def _case_before(text: str, at: int) -> str | None:
    folded = fold_evenly(text[:at])
    for frame, case in FRAMES:
        found = frame.match(folded)
        if found is not None and found.end() >= len(folded) - 1:
            return case or None
    return "przez" if MADE.search(folded) else None


def _cut(text: str) -> str:
    found = CUT.search(fold_evenly(text), 1) if text else None
    return (text[: found.start()] if found else text).strip(' \t.,;:!?…„”"-–')


def _is_nominative(phrase: str) -> bool:
    """Whether a phrase is a single name that can be a subject: "Piastowie" is no place then."""
    words = split_words(phrase)
    return (
        len(words) == 1
        and words[0].is_capitalised
        and any("nom" in reading.cases for reading in morphology().readings(phrase))
    )


def _base(phrase: str, preposition: str) -> str | None:
    """Bring what follows a frame to its base form."""
    words = split_words(phrase)
    if not words:
        return None
    if words[0].folded in _COMMON:
        return phrase[0].lower() + phrase[1:]
    if not preposition and _is_foreign(words):
        return phrase
    titled = _titled(phrase, words)
    return lemmatise(titled, kind=_kind(words), preposition=preposition or None) or phrase


def _is_foreign(words: Sequence[Span]) -> bool:
    """Whether a name of several words, one of them unknown, stands where a nominative stands."""
    names = [word for word in words if word.is_capitalised]
    return len(names) > 1 and any(not morphology().is_known(word.text) for word in names)


def _kind(words: Sequence[Span]) -> NameKind:
    first = words[0]
    labels = _labels(first)
    if _GEOGRAPHIC in labels and len(words) == 1 and first.is_capitalised:
        return "place"
    if "imię" in labels and (first.is_capitalised or len(words) > 1) and _is_full_name(words):
        return "person"
    if not first.is_capitalised:
        return "topic"
    return "person" if labels & _PERSONAL and "nazwa_pospolita" not in labels else "topic"


def _is_full_name(words: Sequence[Span]) -> bool:
    return all(not _labels(word) or _labels(word) & _PERSONAL for word in words[:2])


def _titled(phrase: str, words: Sequence[Span]) -> str:
    """Write a person's name typed in small letters as a name."""
    if phrase != phrase.lower() or len(words) < 2:  # noqa: PLR2004 - a first name and a surname
        return phrase
    if "imię" not in _labels(words[0]) or not _is_full_name(words):
        return phrase
    return " ".join(word.text.capitalize() for word in words)


def _is_clause(text: str) -> bool:
    """Whether a finite verb stands in the text: then it is no name."""
    return any(word.text.islower() and _is_finite(word) for word in split_words(text))


def _is_finite(word: Span) -> bool:
    readings = morphology().readings(word.text)
    kinds = {reading.pos for reading in readings}
    is_past = "praet" in kinds and not kinds & {"subst", "ger"}
    return word.folded in _VERBS - {"to", "byc"} or is_past or bool(kinds and kinds <= _FINITE)


def _is_skipped(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return word.folded in _VERBS or (
        bool(readings) and all(reading.pos in _VERBAL for reading in readings)
    )


def _name_in(clause: str) -> str:
    """Return the person, or the only proper name, that a clause is about; else the clause."""
    words = split_words(clause)
    runs: list[list[Span]] = []
    for at, word in enumerate(words):
        if not word.is_capitalised:
            continue
        if runs and runs[-1][-1] is words[at - 1]:
            runs[-1].append(word)
        elif not _ROMAN.fullmatch(word.text):
            runs.append([word])
    people = [run for run in runs if _is_person(run)]
    if not people and len(runs) != 1:
        return clause
    run = (people or runs)[0]
    before = words.index(run[0]) - 1
    preposition = words[before].folded if before >= 0 else None
    return lemmatise(joined(clause, run), kind=_kind(run), preposition=preposition)


def _is_person(run: Sequence[Span]) -> bool:
    labels = _labels(run[0])
    return "imię" in labels or ("nazwisko" in labels and _GEOGRAPHIC not in labels)


def _labels(word: Span) -> frozenset[str]:
    readings = morphology().readings(word.text)
    return frozenset(
        label
        for reading in readings
        for label in reading.labels
        if label != "nazwa_pospolita" or fold(reading.lemma) == reading.lemma.lower()
    )
