"""Which phrases are topics side by side: "Kielce, a ile Radom", "o Wiedniu i o Mustafie"."""

import re
from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly
from chatbot.router.detector.titles import find_titles
from chatbot.router.detector.topic_model import Weighed

Place = tuple[int, int]
"""First word and end of a phrase."""

_ASKED = r"(?:kto|kim|kogo|komu|czym|czego|co|kiedy|gdzie|skad|ile|ilu|jak\w{0,3}|ktor\w+|czyj\w?)"
_BE = r"(?: (?:to|jest|sa|byl[aoiy]?|byli|ma|maja|mial[aoy]?|lez[ay]|liczy|zyl[aoi]?))?"
_AND = regex(r"[”\"]?,? ?(?:i|oraz|a takze|i takze|jak i|a) [„\"]?")
_AND_ABOUT = regex(
    r"[”\"]?,? ?(?:i|oraz|a takze|jak rowniez|no i|a)(?: tez| jeszcze| takze)?"
    r"(?: (?:hasl\w|artykul|informacj\w+|notk\w|cos))? (?:o|na temat) [„\"]?"
)
_THEN = regex(
    r"[”\"]?,? ?(?:(?:a|i) )?(?:potem|pozniej|nastepnie|na koniec)(?: jeszcze| tez| takze)?"
    r"(?: cos)?(?: o)? [„\"]?"
)
_ALIKE = regex(
    rf"[”\"]?(?:,|(?= (?:a|i|oraz|no i) ))(?: (?:a|i|oraz|no i))? (?:w |we |na |z |od |przez )?"
    rf"({_ASKED}){_BE}(?: [^,.?!]{{2,30}})?? [„\"]?"
)
_OR = regex(r"[”\"]? czy [„\"]?|,? czy (?:moze )?[„\"]?")
_AND_THAT = regex(r"[”\"]?,? no i [„\"]?|[”\"]?\? (?:i|a|oraz) [„\"]?")
_LEFT = regex(rf"[”\"]? ?(?:{_ASKED})?(?:\W*|(?:,| -| –) ?(?:bo|gdyz|poniewaz|prosze)\b.*|\?[^?]*)")
_DIFFERING = regex(
    r"\b(?:(?:roznic|porownani)\w* (?:\w+ )?(?:po)?miedzy|(?:sie )?rozni\w*(?: sie)?|"
    r"odroznic|porownaj)"
    r"(?: \w+)? [„\"]?$"
)
_FROM = regex(r"[”\"]?,? (?:a|i|od|oraz|z) [„\"]?")
_EITHER = regex(r"(?:^|[.?!,:] ?)czy (?:\w+ )?[„\"]?$")
_SAME = regex(
    r"[”\"]? (?:to|sa|byli|byly) (?:to samo|t[aeyo]n? sam[aeioy]?|jedno|spokrewni\w+|rowiesni\w+)\b"
)
_COMPARED = regex(
    r"\b(?:ob(?:a|ie|oje|ydwie|ydwa)|po kolei|osobno|kazd[aey]|jedn[oay]m? i drug|rownies\w+|"
    r"(?:dluz|wiek|wyz|gleb|mniej|kroc|niz|star|mlod|ludniej|ciez|ciezsz)sz\w{1,3}|dalej)\b"
)
_MUTUAL = regex(
    r"\b(?:po)?miedzy$|\b(?:wojn|bitw|spor|konflikt|relacj|granic|mecz|slub|malzenstw)\w*$"
)
_ABOUT = regex(r"\b(?:o|na temat)(?: \w+)? [„\"]?$")
_OPENED = regex(r"[„\"«]$")
_CLOSED = regex(r"[”\"»]")
_STEM = 6
_SENTENCE_ENDS = frozenset(".?!…")
_QUOTES = frozenset('„"«')
_LEAST = 5.5
"""How much less likely, as a logarithm, the second topic may be than the first."""


def topics_beside(text: str, weighed: Weighed, best: Place) -> tuple[Place, ...]:
    """Return the likeliest topic with the one that stands beside it, in their order.

    Args:
        text: The question.
        weighed: Its phrases with their scores.
        best: The likeliest.
    """
    phrases, scores = weighed.phrases, weighed.scores
    folded = fold_evenly(text)
    for row in scores.argsort()[::-1]:
        if scores[row] < scores.max() - _LEAST:
            break
        first, second = sorted((best, (int(phrases.starts[row]), int(phrases.ends[row]))))
        if first[1] < second[0] and are_beside(folded, phrases.words, first, second):
            return first, second
    return (best,)


def are_beside(  # noqa: PLR0911 - one way of joining after the other
    folded: str, words: Sequence[Span], first: Place, second: Place
) -> bool:
    """Whether the text asks the same of two phrases.

    Args:
        folded: The text, folded letter by letter.
        words: Its words.
        first: The one that stands earlier.
        second: The one that stands later.
    """
    before = folded[: words[first[0]].start]
    between = folded[words[first[1] - 1].end : words[second[0]].start]
    after = folded[words[second[1] - 1].end :]
    left, right = words[slice(*first)], words[slice(*second)]
    is_one_title = _OPENED.search(before) and _CLOSED.match(after) and not _CLOSED.match(between)
    if is_one_title or _is_within(left, right):
        return False
    named = _is_name(words, first), _is_name(words, second)
    if _are_compared(before, between, after):
        return True
    if _AND_ABOUT.fullmatch(between):
        return named[1] or (not named[0] and _ABOUT.search(before) is not None)
    if _THEN.fullmatch(between):
        return named[1] or not named[0]
    is_last = _LEFT.fullmatch(after) is not None
    if (found := _ALIKE.fullmatch(between)) is not None:
        is_small = not any(word.is_capitalised for word in words)
        is_pair = is_small or named[0] == named[1] or f" {found[1]} " in f" {before}"
        return is_last and is_pair and _is_asked_before(before, found[1])
    if not all(named):
        return False
    if _AND_THAT.fullmatch(between):
        return is_last
    is_apart = not _MUTUAL.search(before.rstrip()) and not _is_title(words, first[1], second[0])
    return is_apart and _agree(left, right) and _are_joined(folded, between)


def _are_compared(before: str, between: str, after: str) -> bool:
    """Whether it is asked how two things differ, or whether they are the same."""
    if _DIFFERING.search(before) and _FROM.fullmatch(between):
        return True
    is_same = _SAME.match(after) is not None and _EITHER.search(before) is not None
    return is_same and _AND.fullmatch(between) is not None


def _are_joined(folded: str, between: str) -> bool:
    """Whether names are joined, or compared by "czy"."""
    is_compared = _OR.fullmatch(between) is not None and _COMPARED.search(folded) is not None
    return is_compared or _AND.fullmatch(between) is not None


def _is_within(left: Sequence[Span], right: Sequence[Span]) -> bool:
    """Whether one phrase has all words of the other: "Żuławy Wiślane" and "na Żuławach"."""
    shorter, longer = sorted((_stems(left), _stems(right)), key=len)
    return shorter <= longer


def _stems(phrase: Sequence[Span]) -> frozenset[str]:
    return frozenset(
        min((fold(one.lemma) for one in readings_of(word.text)), default=word.folded[:_STEM])
        for word in phrase
    )


def _is_asked_before(before: str, word: str) -> bool:
    sentence = re.split(r"[.?!]", before)[-1]
    stem = f"{word[:4]}\\w*" if word.startswith("ktor") else f"{word[:3]}(?!r)\\w*"
    return re.search(rf"\b{stem}\b", sentence) is not None


def _is_name(words: Sequence[Span], place: Place) -> bool:
    """Whether a phrase is a name: in capital letters, quoted, or a known one."""
    start, end = place
    phrase = words[start:end]
    is_begun = start == 0 or words[start - 1].text in _SENTENCE_ENDS
    if any(word.is_capitalised for word in phrase[is_begun:]):
        return True
    if start and words[start - 1].text in _QUOTES:
        return True
    if phrase[0].is_capitalised and not any(
        one.lemma[:1].islower() for one in readings_of(phrase[0].text.lower())
    ):
        return True
    known = find_titles(phrase)
    if known and (known[0].start, known[0].end) == (0, len(phrase)):
        return True
    return bool(gazetteer().sightings(" ".join(word.text for word in phrase).title()))


def _agree(left: Sequence[Span], right: Sequence[Span]) -> bool:
    """Whether two phrases can stand in the same case."""
    cases = [
        {case for one in readings_of(phrase[0].text) for case in one.cases} - {"voc"}
        for phrase in (left, right)
    ]
    return not all(cases) or bool(cases[0] & cases[1])


def _is_title(words: Sequence[Span], end: int, start: int) -> bool:
    """Whether a title goes from before this end to behind this start: "Mistrz i Małgorzata"."""
    return any(one.start < end and start < one.end for one in find_titles(words))
