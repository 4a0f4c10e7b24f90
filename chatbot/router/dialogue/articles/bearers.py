"""What a conversation tells of who bears a name: that it is a person, and of which gender."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from chatbot.language.first_names import Gender
from chatbot.language.morphology import Case, Reading, morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.mentions import Mention, find_mentions
from chatbot.router.dialogue.subjects import genders_of_verbs

_YEARS = regex(r"\s*\((?:ur\. |zm\. )?(?:ok\. )?\d{3,4}(?: ?[–-] ?(?:ok\. )?\d{3,4})?[^()]{0,20}\)")
_LIVED = regex(
    r"(?:urodzi|zmar|umar|zgin|studiowa|mieszka|pochodzi|ozeni|wyszla|napisa|namalowa|skomponowa|"
    r"wyrezyserowa|zaprojektowa|odkry|wynala|wymysli|zagra|zaspiewa|zasly|debiutowa|koronowa)\w*$"
)
_WAS = frozenset({"byl", "byla", "zostal", "zostala", "jest", "to"})
_WOMEN = frozenset({
    "siostra", "córka", "żona", "matka", "królowa", "księżna", "cesarzowa", "caryca", "hrabina",
    "księżniczka", "święta", "wdowa", "pani", "kobieta", "dziewczyna", "baronowa", "margrabina",
})  # fmt: skip
_NEAR = 5  # words behind a name that may say who it is
_MEN_OF = ("", "z", "a", "k")
"""What the word for a man has where that for a woman has "ka": "aktor", "pisarz", "poeta"."""


@lru_cache(maxsize=256)
def bearers(text: str) -> tuple[tuple[str, Gender], ...]:
    """Return the names of a text that it says are persons, each with the gender that it tells.

    "Hedy Lamarr była aktorką", "kardynał Richelieu", "Nansen (1861–1930) był badaczem".
    """
    words = split_words(text)
    found = ((one.name, _gender(text, words, one)) for one in find_mentions(text))
    return tuple((name, gender) for name, gender in found if gender is not None)


def _gender(text: str, words: Sequence[Span], one: Mention) -> Gender | None:
    is_subject = text[one.start : one.end] == one.name
    if one.kind in {"place", "work"} or not (is_subject or one.kind == "person"):
        return None
    before = [word for word in words if word.end <= one.start][-1:]
    called = (_called(word, None) for word in before if _may_agree(word, text, one))
    told = next(called, None)
    return _told_after(text, words, one) if told is None and is_subject else told


def _may_agree(noun: Span, text: str, one: Mention) -> bool:
    """Whether a name can stand in the case of the noun before it: not in "trenerem Igi"."""
    form = split_words(text[one.start : one.end])[0]
    cases = [
        {case for each in readings_of(word.text) for case in each.cases} for word in (noun, form)
    ]
    return not all(cases) or bool(cases[0] & cases[1])


def _told_after(text: str, words: Sequence[Span], one: Mention) -> Gender | None:
    """What the verb behind a subject says of it, years of life between them or not."""
    years = _YEARS.match(text, one.end)
    start = years.end() if years else one.end
    verb, *after = [word for word in words if word.start >= start][:_NEAR] or (None,)
    if verb is None:
        return None
    if years is not None or _LIVED.match(verb.folded):
        return _past_gender(verb)
    if verb.folded not in _WAS:
        return None
    return next(_bearing(after, "nom" if verb.folded == "to" else "inst"), None)


def _past_gender(verb: Span) -> Gender | None:
    """The gender that a past verb of the singular has."""
    genders = genders_of_verbs(verb.text)
    if len(genders) != 1:
        return None
    return "m" if "m" in genders else "f"


def _bearing(words: Sequence[Span], case: Case) -> Iterator[Gender]:
    """What nouns behind "był", "jest", "to" say: "austriacką aktorką", "polski poeta"."""
    for word in words:
        if not word.text[0].isalpha():
            return
        if (gender := _called(word, case)) is not None:
            yield gender


def _called(word: Span, case: Case | None) -> Gender | None:
    """The gender of one who is called so, where a word says what somebody is."""
    nouns = [
        one
        for one in morphology().readings(word.text)
        if one.pos == "subst" and one.lemma.islower() and (case is None or case in one.cases)
    ]
    if any("m1" in one.genders for one in nouns):
        return "m"
    return "f" if any(map(_is_woman, nouns)) else None


def _is_woman(noun: Reading) -> bool:
    return "f" in noun.genders and is_womans(noun.lemma)


@lru_cache(maxsize=4_096)
def is_womans(lemma: str) -> bool:
    """Return whether a noun is what a woman is: there is a word for a man that it is made from."""
    if lemma in _WOMEN:
        return True
    if not lemma.endswith(("ka", "ini", "yni")):
        return False
    stem = lemma.removesuffix("ka").removesuffix("ini").removesuffix("yni")
    stems = {stem, stem[:-1]} if stem.endswith("cz") else {stem}
    return any(_is_mans(f"{one}{end}") for one in stems for end in _MEN_OF)


def _is_mans(lemma: str) -> bool:
    return any(
        one.pos == "subst" and "m1" in one.genders and one.lemma == lemma
        for one in morphology().readings(lemma)
    )
