"""Topics that are listed one after the other: "hasła: Irena Sendlerowa, Janusz Korczak"."""

from collections.abc import Sequence
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly
from chatbot.router.detector.titles import find_titles

Place = tuple[int, int]
"""First word and end of a phrase."""

_OF_EACH = regex(
    r"\b(?:(?:kim|czym) (?:byl[iy]|sa)|(?:hasla|hasel|artykul(?:y|ow)|notk[ai]|biogramy|opisy)"
    r"(?: (?:w|z) \w*wikipedi\w+)?(?: o(?: takich \w+ jak)?)?:?|"
    r"wiki(?:pedia)?:|(?:sprawdz|znajdz|wyszukaj|poszukaj|zobacz)\w*(?: mi)? (?:w|na) wiki\w*:?) "
)
"""What is asked of each, with its verb or noun in the plural, or of a list behind a colon."""

_LISTED = regex(r"(?P<items>[^.?!:;]{5,200})[.?!]*\s*$")
_AND = frozenset({"i", "oraz", "a", ","})
_LONGEST = 4
_LEAST = 3
_PAIR = 2


def enumerated(text: str, words: Sequence[Span]) -> tuple[Place, ...]:
    """Return where each of several listed topics stands; nothing where there is no such list.

    Two are enough where a comma alone stands between them, since "A i B" may be one title.

    Args:
        text: A question.
        words: Its words and marks.
    """
    asked = _OF_EACH.finditer(fold_evenly(text))
    listed = next((told for one in asked if (told := _LISTED.match(text, one.end()))), None)
    if listed is None:
        return ()
    at = [n for n, word in enumerate(words) if listed.start() <= word.start < listed.end("items")]
    if not at:
        return ()
    edges = [at[0] - 1, *(n for n in at if words[n].folded in _AND), at[-1] + 1]
    places = [(left + 1, right) for left, right in pairwise(edges) if left + 1 < right]
    has_comma = any(words[n].text == "," for n in edges[1:-1])
    is_long = len(places) >= _LEAST or (len(places) == _PAIR and has_comma)
    is_whole = not any(one.start < n < one.end for one in find_titles(words) for n in edges[1:-1])
    return tuple(places) if is_long and is_whole and _are_alike(words, places) else ()


def _are_alike(words: Sequence[Span], places: Sequence[Place]) -> bool:
    """Whether all are names, all are single nouns, or all begin alike ("konfederacja …")."""
    phrases = [words[slice(*one)] for one in places]
    if any(len(one) > _LONGEST for one in phrases):
        return False
    if all(one[0].is_capitalised for one in phrases):
        return True
    if len({one[0].folded for one in phrases}) == 1:
        return True
    return all(
        len(one) == 1 and any(each.is_nominal for each in readings_of(one[0].text))
        for one in phrases
    )
