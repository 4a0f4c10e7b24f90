"""Read the topic that heads a prompt, told apart behind it: "Wilga – samolot, nie ptak. …"."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.frames import AT_QUESTION
from chatbot.router.detector.nouns import ASKED, CATEGORIES, DETERMINERS, TIMES, VAGUE
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly
from chatbot.router.detector.titles import find_titles
from chatbot.router.detector.verbs import is_finite

Place = tuple[int, int]
"""First word and end of a phrase."""

_TOLD_APART = regex(
    r"\W*(?:(?:a|no|hej|czesc)[, ]+)?(?P<head>\w[\w’-]+(?: \w[\w’-]+){0,3}?)"
    r"(?: (?:jako|to) (?=\w)|,? [–—-] |, | \()(?P<told>[^.?!:]{3,90})"
)
_OTHER = regex(
    r"(?:^|[,(] ?|\b(?:ale|tylko|a|byle) )(?:(?:ale|tylko|a|byle|no|i|jednak) )*"
    r"nie (?:chodzi o )?(?:o )?(?P<other>t[aeoy]n?\b|tego|tej|\w{3,})"
)
_QUOTED = regex(r"\W*[„\"«][^„”\"«»]{2,60}[”\"»],? ?(?:[,:–—-] ?|\()")
_QUESTION = regex(rf": (?:{AT_QUESTION}|czy|(?:\w{{1,3}} )?jak\w*)\b")
_OPENING = frozenset('„"«”')
_CLOSING = frozenset('”"»“')
_STILL = regex(
    r"\W*(?:(?:a|no)[, ]+)?(?:czy )?(?P<head>\w[\w’-]+(?: \w[\w’-]+){0,3}?) to "
    r"(?:jeszcze|nadal|wciaz|dalej|juz|tez) "
)
_LONGEST = 6  # words
_PAIR = 2


def heading_told(text: str, words: Sequence[Span]) -> Place | None:
    """Return where the topic stands with which a question begins, if it says so by its form.

    It is quoted ("„Zły”, taka gruba powieść …"), told from a namesake ("Wilga – samolot, nie
    ptak"), or a known name with a question of its own ("Potop szwedzki: z jakiego powodu …").

    Args:
        text: A question.
        words: Its words and marks.
    """
    folded = fold_evenly(text)
    return (
        _quoted(folded, words)
        or _told_apart(folded, words)
        or _placed(folded, words)
        or _known(folded, words)
    )


def _quoted(folded: str, words: Sequence[Span]) -> Place | None:
    found = _QUOTED.match(folded)
    if found is None or re.search(r"[„\"«]", folded[found.end() :]):
        return None
    start = next(at for at, word in enumerate(words) if word.text in _OPENING) + 1
    end = next(at for at in range(start, len(words)) if words[at].text in _CLOSING)
    title = words[start:end]
    is_said = any(is_finite(word) and word.text.islower() for word in title)
    return None if is_said or len(title) > _LONGEST else (start, end)


def _told_apart(folded: str, words: Sequence[Span]) -> Place | None:
    found = _TOLD_APART.match(folded)
    other = _OTHER.search(found["told"]) if found else None
    if found is None or other is None or not _is_thing(other["other"]):
        return None
    place = _place(words, *found.span("head"))
    return place if _names(words[slice(*place)]) else None


def _placed(folded: str, words: Sequence[Span]) -> Place | None:
    """Return the name of which it is asked to what it belongs: "Muszyna to jeszcze Beskid?"."""
    found = _STILL.match(folded)
    place = _place(words, *found.span("head")) if found else None
    return place if place and all(word.is_capitalised for word in words[slice(*place)]) else None


def _known(folded: str, words: Sequence[Span]) -> Place | None:
    """Return a known name of several words before a colon with a question."""
    for one in find_titles(words):
        if one.start == 0 and one.end - one.start >= _PAIR:
            is_asked = _QUESTION.match(folded, words[one.end - 1].end) is not None
            return (one.start, one.end) if is_asked else None
    return None


def _place(words: Sequence[Span], start: int, end: int) -> Place:
    """Return the first word and end of what stands between two characters."""
    inside = [at for at, word in enumerate(words) if start <= word.start < end]
    return inside[0], inside[-1] + 1


def _is_thing(word: str) -> bool:
    """Whether what is not meant is a thing: "nie ptak", "nie ta z herbu", no "nie wierząc"."""
    return word in DETERMINERS | {"tego", "tej"} or any(
        one.is_nominal and one.cases & {"nom", "acc", "loc"} for one in readings_of(word)
    )


def _names(head: Sequence[Span]) -> bool:
    """Whether words at the beginning name a thing in the nominative, not a kind or a remark."""
    first = head[0]
    readings = readings_of(first.text)
    lemmas = {one.lemma.lower() for one in readings}
    if first.folded in VAGUE | DETERMINERS or lemmas & (ASKED | CATEGORIES | TIMES):
        return False
    if any(is_finite(word) for word in head):
        return False
    is_subject = any("nom" in one.cases for one in readings if one.is_nominal or one.is_adjectival)
    return is_subject or (first.is_capitalised and not readings)
