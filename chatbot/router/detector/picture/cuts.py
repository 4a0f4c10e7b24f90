"""Cut a prompt between the pictures that it asks for, in one way after the other."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.asking import without_asking
from chatbot.router.detector.picture.media import MEDIUM, PLAIN
from chatbot.router.detector.picture.reading import read_description
from chatbot.router.detector.picture.sharing import SAME
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import fold_evenly, split_words

_MEANT = regex(MEDIUM)
_PLAIN_NOUN = regex(PLAIN)
_WORDS = (
    r"(?:i|a|oraz|no|plus|potem|nastepnie|pozniej|zaraz|jeszcze|tez|takze|do tego|"
    r"oprocz tego|poza tym|dodatkowo|dla (?:drug\w+ |moj\w+ )?\w+,?) "
)
_JOINT = rf"(?:^|[\s,.;:–-]+)(?:{_WORDS})*"
_JOINED = rf"(?:[.!?;,] (?:{_WORDS})+| (?:i|a|oraz|no|plus|potem|nastepnie|pozniej) (?:{_WORDS})*)"
_SAID = rf"(?:{_JOINED}|[.!?;] )"
_COLON = r"(?:\s?[:,–-])? (?=\S)"
_ON = rf"(?: (?:z nich|{MEDIUM}))?(?! planie){_COLON}"
_NOUN = rf"(?: z nich)?(?: {MEDIUM}(?:\s?[:,–-]| to| bedzie to| ma byc) (?=\S)|{_COLON})"
_FIRST = regex(
    rf"(?:^|(?<=\s))(?:(?:na|w) (?:jedn(?:ym|ej)|pierwsz\w+){_ON}"
    rf"|(?:jed(?:en|na|no)|pierwsz[aey]){_NOUN})"
)
_OTHER = regex(
    rf"{_JOINT}(?:(?:na|w) (?:drug(?:im|iej)|trzeci(?:m|ej)|czwart\w+){_ON}"
    rf"|(?:drug(?:i|ie|a)|trzeci[ae]?|czwart\w+){_NOUN})"
)
_NUMBERED = regex(
    rf"(?:^|[\s,.;]+)(?:i |oraz )?"
    rf"(?:(?:{MEDIUM} )(?:nr |numer )?[1-4a-d]|nr [1-4]|[1-4a-d](?=[.):]))[.):]*\s+(?=\S)"
)
_BARE_NUMBER = regex(r"(?:^|[\s,;]+)[1-4] (?=[^\W\d]{3})")
_THEN = regex(r"(?:^|,? )(?:najpierw|(?:a )?(?:potem|nastepnie|pozniej))(?: jeszcze)? (?=\S)")
_SEMICOLON = regex(rf";\s+(?:{_WORDS})*|,? (?:oraz|a (?:tez|takze|osobno)) ")
_AND = regex(rf",? (?:i|a) (?:{_WORDS})*(?:[–-] [^–-]{{3,40}} [–-] )?(?=\S)")
_AFTER = regex(r",? (?:a |i )?(?:zaraz )?(?:potem|nastepnie|pozniej)(?: jeszcze| zaraz)?,? (?=\S)")
_LISTED = regex(r",? (?:i|oraz|a) (?=\S)|, (?=\S)")
_ELSEWHERE = regex(
    rf"{_JOINT}(?:na|w) (?:drug|osobn|oddzieln|kolejn|nastepn|inn)\w+ {MEDIUM}{_COLON}"
)
_APART = regex(rf"(?:{_JOINED}|[.;,] )(?:obok,? )?(?:osobno|oddzielnie)\s?[:,–-]? (?=\w)")
_ANOTHER = regex(
    rf"{_SAID}(?:(?:\w+uj|stworz|zrob|poprosze|chce) )?(?:(?:mi|tez|jeszcze|prosze) )*"
    rf"(?:drug(?:i|a|e|ie)|kolejn\w+|osobn\w+|jed(?:en|na|no))"
    rf"(?:(?: {MEDIUM})?(?:,? tylko(?: ze)?|\s?[:,–-])? (?=(?:z|ze|do|na|w|o|dla|pokazuj\w+|"
    rf"przedstawiaj\w+) )|(?: {MEDIUM})?\s?[:–-] )"
)
_ALIKE = regex(
    rf"{_SAID}(?=(?:(?!w |we |na |z |ze |przy |o |do |pod )\w+ ){{0,2}}?"
    r"(?:(?:ten|ta|to|te|tego|tej) sam\w*) )"
)
_NEXT_MEDIUM = regex(rf"(?!,? i logo){_JOINED}(?:rowniez )?(?={MEDIUM} )")
_DRAW = regex(
    rf"{_SAID}(?=(?:(?:na|wy)rysuj|namaluj|wygeneruj|naszkicuj)"
    r"(?: (?:mi|tez|jeszcze|prosze)){0,3} "
    r"(?!(?:go|ja|je|to|ich|tego|tam|mu|jej|im|obok|przed|za|nad|pod|przy|w|na) ))"
)
_DRAWING = regex(r"\b(?:na|wy|z)?(?:rysuj|maluj|generuj|szkicuj)\b")
_ORDINAL_MEDIUM = regex(rf"(?:jed|pierwsz|drug)\w+ {MEDIUM}")
_PAIR = 2

Way: TypeAlias = Callable[[str, str], list[str]]
"""Takes a text, and the same folded; the whole in one part where this way does not apply."""


def drawing(parts: Sequence[str]) -> list[str]:
    """Let the parts behind "narysuj psa i" be objects as well, not what stands behind a colon."""
    asked = without_asking(parts[0])
    if ":" in parts[0] or not asked.governor:
        return list(parts)
    verb = "narysuj" if asked.governor == "przez" else "potrzebuję"
    others = (one if SAME.match(fold_evenly(one)) else f"{verb} {one}" for one in parts[1:])
    return [parts[0], *others]


def _at(pattern: re.Pattern[str], *, least: int = 1) -> Way:
    """Cut where a pattern stands; before the first of two or more is no picture."""

    def cut(text: str, folded: str) -> list[str]:
        found = list(pattern.finditer(folded))
        if len(found) < least:
            return [text]
        starts = ([0] if least == 1 else []) + [one.end() for one in found]
        ends = [one.start() for one in (found if least == 1 else found[1:])] + [len(text)]
        return [text[start:end] for start, end in zip(starts, ends, strict=True)]

    return cut


def _ordinals(text: str, folded: str) -> list[str]:
    """Cut "na jednym lis, na drugim wilk"; the first may have no number of its own."""
    others = list(_OTHER.finditer(folded))
    first = _FIRST.search(folded)
    has_first = first is not None and bool(others) and first.start() < others[0].start()
    begin = first.end() if first is not None and has_first else 0
    edges = [(begin, begin), *((one.start(), one.end()) for one in others), (len(text), 0)]
    return [text[left[1] : right[0]] for left, right in pairwise(edges)]


def _ordinal_media(text: str, folded: str) -> list[str]:
    """The same where nothing else says that pictures are counted: "na drugim obrazku"."""
    first = _FIRST.search(folded)
    marks = [
        folded[one.start() : one.end() + 20] for one in (first, *_OTHER.finditer(folded)) if one
    ]
    is_medium = any(_ORDINAL_MEDIUM.search(one) for one in marks)
    return _ordinals(text, folded) if is_medium else [text]


def _named_media(text: str, folded: str) -> list[str]:
    """Cut "plakat na festyn i baner na stronę": both are pictures, and both are asked for."""
    parts = _at(_NEXT_MEDIUM)(text, folded)
    first = fold_evenly(read_description(parts[0]) or "")
    asked = fold_evenly(parts[0])
    is_asked = _DRAWING.search(asked) or _PLAIN_NOUN.search(asked)
    is_drawn = is_asked and _PLAIN_NOUN.match(fold_evenly(parts[-1]))
    is_sure = _MEANT.match(first) or is_drawn
    return parts if first and is_sure and all(map(_is_object, parts[1:])) else [text]


def _drawn(text: str, folded: str) -> list[str]:
    """Cut where another picture is asked for in words of its own: "… i narysuj psa"."""
    parts = _at(_DRAW)(text, folded)
    return parts if _DRAWING.search(fold_evenly(parts[0])) else [text]


def _sequence(text: str, folded: str) -> list[str]:
    """Cut "najpierw wiatrak, a potem młyn", not "jak najpierw pada, a potem wstaje"."""
    parts = _at(_THEN, least=_PAIR)(text, folded)
    return parts if "najpierw" in folded and all(map(_is_object, parts[1:])) else [text]


def _apart(text: str, folded: str) -> list[str]:
    """Cut "kura w kapeluszu, osobno kogut", not "białko osobno w misce"."""
    return _objects(_at(_APART)(text, folded)) or [text]


def _after(text: str, folded: str) -> list[str]:
    """Cut "narysuj psa, potem kota", not "narysuj, jak pies je, a potem kot ucieka"."""
    parts = _at(_AFTER)(text, folded)
    is_drawn = ":" not in parts[0] and _DRAWING.search(fold_evenly(parts[0]))
    return (_objects(parts) if is_drawn and not any(map(_tells, parts[1:])) else []) or [text]


def _conjunction(text: str, folded: str) -> list[str]:
    """Cut at the one "i" behind which another thing is named in the case of an object."""
    ways = ([text[: one.start()], text[one.end() :]] for one in _AND.finditer(folded))
    found = [parts for one in ways if (parts := _objects(one))]
    return found[0] if len(found) == 1 else [text]


def _objects(parts: list[str]) -> list[str]:
    """Return the parts if each behind the first names a thing in the case of what is asked for."""
    named = without_asking(parts[0]).text
    is_whole = any(letter.isalpha() for letter in named)
    return parts if is_whole and all(_is_object(one, named) for one in parts[1:]) else []


def _tells(text: str) -> bool:
    """Whether it tells what happens: "kot ucieka"."""
    second = split_words(text)[1:2]
    return any(one.pos == "fin" for word in second for one in morphology().readings(word.text))


def _list(text: str, folded: str) -> list[str]:
    """Cut "wiewiórka, bóbr i ryś", where as many are announced: two are told by their case."""
    parts = _at(_LISTED)(text, folded)
    named = [without_asking(parts[0]).text, *parts[1:]]
    is_sure = all(_is_object(one) and not _is_quality(one) for one in named)
    return parts if len(parts) > _PAIR and is_sure else [text]


def _is_quality(text: str) -> bool:
    """Whether it says only of what kind: "trzy wersje drzewa: młode, dorosłe i spróchniałe"."""
    words = split_words(text)
    readings = readings_of(words[0].text) if len(words) == 1 else ()
    return any(one.is_adjectival for one in readings)


def _is_object(text: str, like: str = "") -> bool:
    """Whether it begins as an object does; what is like a genitive may be one as well."""
    cases = first_cases(text)
    return bool({"nom", "acc"} & cases or {"gen"} & cases & first_cases(like))


def first_cases(text: str) -> set[str]:
    """Return the cases in which the first word may stand."""
    words = split_words(text)
    readings = readings_of(words[0].text) if words else ()
    if any(one.pos == "prep" for one in readings):
        return set()
    return {case for one in readings for case in one.cases}


_MARKED: tuple[Way, ...] = (
    _at(_NUMBERED, least=_PAIR), _at(_ELSEWHERE), _apart, _sequence, _after,
)  # fmt: skip
COUNTED = (
    _MARKED[0], _ordinals, *_MARKED[1:], _at(_BARE_NUMBER, least=_PAIR), _at(_SEMICOLON),
    _at(_ALIKE), _list, _conjunction,
)  # fmt: skip
UNCOUNTED = (
    _MARKED[0], _ordinal_media, *_MARKED[1:], _at(_ALIKE), _at(_ANOTHER), _named_media, _drawn,
)  # fmt: skip
