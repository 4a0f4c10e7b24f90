"""The full name of a person whose surname alone is asked about: "Stefan Batory … Batorym"."""

from collections.abc import Sequence

from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span

Place = tuple[int, int]
"""First word and end of a phrase."""

_SHORTEST = 4  # letters of a surname


def named_in_full(words: Sequence[Span], place: Place) -> Place:
    """Return where a text says a lone name with its first name; else the place as it is.

    Args:
        words: The words and marks of a question.
        place: Its likely topic.
    """
    start, end = place
    if end - start > 1 or len(words[start].text) < _SHORTEST or _is_first_name(words[start]):
        return place
    lemmas = _lemmas(words[start])
    for at in range(1, len(words)):
        is_same = at != start and bool(_lemmas(words[at]) & lemmas)
        is_name = is_same and words[at].is_capitalised is words[at - 1].is_capitalised
        if is_name and words[at].start - words[at - 1].end == 1 and _is_first_name(words[at - 1]):
            return at - 1, at + 1
    return place


def _lemmas(word: Span) -> frozenset[str]:
    return frozenset(one.lemma for one in readings_of(word.text)) or frozenset({word.text})


def _is_first_name(word: Span) -> bool:
    """Whether a word is a first name; in small letters only one that is nothing else."""
    readings = readings_of(word.text)
    is_everyday = any(one.lemma[:1].islower() for one in readings)
    return any("imię" in one.labels for one in readings) and (
        word.is_capitalised or not is_everyday
    )
