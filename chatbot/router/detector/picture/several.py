"""Tell several pictures of one prompt apart: "na jednym lis, na drugim wilk", "to samo zimą"."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

from chatbot.router.detector.picture.reading import LONGEST, read_description
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import compose, fold_evenly, split_words

MOST = 4

_PLAIN = r"(?:obraz(?!uj)\w{0,5}|rysun\w+|grafi(?:k|c)\w{0,4}|ilustracj\w+)"
_MEDIUM = (
    rf"(?:{_PLAIN}|zdjec\w*|fot(?:k|ografi)\w+|plakat\w*|plansz\w*|tapet\w*|kart(?:k\w*|ecz\w+|[aey])|"
    r"kart|pocztow\w+|naklej\w+|logo\w{0,5}|portre\w+|szkic\w*|baner\w*|okladk\w+|ikon\w{0,4}|"
    r"etykiet\w*|pejzaz\w*|martw\w+ natur\w+|kolorowan\w+|wizualizacj\w+|scen\w{0,2}|wizj\w+|"
    r"projekt\w{0,3}|wersj\w+|wariant\w*|karykatur\w+|komiks\w*|akwarel\w+|mural\w*|ulot\w+|"
    r"zaprosze\w+|a[vw]atar\w*|bilet\w*|dyplom\w*|emblemat\w*|pictures?|images?)"
)
_MEANT = re.compile(_MEDIUM)
_PLAIN_NOUN = re.compile(_PLAIN)
_COUNTS = {
    (2,): ("dwa", "dwi", "dwo", "dwu", "oba", "obi", "two", "2"),
    (3,): ("trz", "thr", "3"),
    (4,): ("czt", "4"),
}
_THING = rf"(?P<thing>{_MEDIUM}|rzeczy|things)"
_COUNT = (
    r"(?:dwa|dwie|dwoch|dwu|oba|obie|obydw\w+|trzy|trzech|cztery|czterech|pare|kilka|two|three|"
    r"[2-4] ?x|[2-4])"
)
_ANNOUNCED = re.compile(
    rf"(?<!\w)(?P<count>{_COUNT}) (?:(?!na |w )[^\W\d]{{3,}} ){{0,2}}?{_THING}(?!\w)"
    r"(?:(?! jed(?:en|na|no) )[^:;.]{0,60}?(?:, (?:please|kazd\w+ (?:osobno|z osobna|oddzielnie)|"
    r"osobno|oddzielnie))?\s?[:–-]\s|[^:;.,]{0,50}?,? "
    r"(?=(?:(?:na |w )?(?:jed(?:en|na|no|nym|nej)|pierwsz\w+)|najpierw)(?!\w)))"
)
_CLOSED = re.compile(
    rf"[\s,.;!?–-]+(?:(?:i|to|jako|w|zrob|narysuj|namaluj|wygeneruj|stworz|to maja byc) ){{0,2}}"
    rf"(?:(?:z tego|z nich|mi|prosze) ){{0,2}}{_COUNT}"
    rf"(?: (?:\w+ )?{_MEDIUM}(?: \w+)?|,? (?:osobno|oddzielnie|po kolei))[\s.!?]*$"
    r"|,? (?:kazd\w+ )?(?:osobno|oddzielnie|z osobna)[\s.!?]*$"
)
_WORDS = (
    r"(?:i|a|oraz|no|plus|potem|nastepnie|pozniej|zaraz|jeszcze|tez|takze|do tego|"
    r"oprocz tego|poza tym|dodatkowo|dla (?:drug\w+ |moj\w+ )?\w+,?) "
)
_JOINT = rf"(?:^|[\s,.;:–-]+)(?:{_WORDS})*"
_JOINED = rf"(?:[.!?;,] (?:{_WORDS})+| (?:i|a|oraz|no|plus|potem|nastepnie|pozniej) (?:{_WORDS})*)"
_SAID = rf"(?:{_JOINED}|[.!?;] )"
_COLON = r"(?:\s?[:,–-])? (?=\S)"
_ON = rf"(?: (?:z nich|{_MEDIUM}))?(?! planie){_COLON}"
_NOUN = rf"(?: z nich)?(?: {_MEDIUM}\s?[:,–-] (?=\S)|{_COLON})"
_FIRST = re.compile(
    rf"(?:^|(?<=\s))(?:(?:na|w) (?:jedn(?:ym|ej)|pierwsz\w+){_ON}"
    rf"|(?:jed(?:en|na|no)|pierwsz[aey]){_NOUN})"
)
_OTHER = re.compile(
    rf"{_JOINT}(?:(?:na|w) (?:drug(?:im|iej)|trzeci(?:m|ej)|czwart\w+){_ON}"
    rf"|(?:drug(?:i|ie|a)|trzeci[ae]?|czwart\w+){_NOUN})"
)
_NUMBERED = re.compile(
    rf"(?:^|[\s,.;]+)(?:i |oraz )?"
    rf"(?:(?:{_MEDIUM} )(?:nr |numer )?[1-4a-d]|nr [1-4]|[1-4a-d](?=[.):]))[.):]*\s+(?=\S)"
)
_BARE_NUMBER = re.compile(r"(?:^|[\s,;]+)[1-4] (?=[^\W\d]{3})")
_THEN = re.compile(r"(?:^|,? )(?:najpierw|(?:a )?(?:potem|nastepnie|pozniej))(?: jeszcze)? (?=\S)")
_SEMICOLON = re.compile(rf";\s+(?:{_WORDS})*|,? (?:oraz|a (?:tez|takze|osobno)) ")
_AND = re.compile(rf",? (?:i|a) (?:{_WORDS})*(?=\S)")
_LISTED = re.compile(r",? (?:i|oraz|a) (?=\S)|, (?=\S)")
_ELSEWHERE = re.compile(
    rf"{_JOINT}(?:na|w) (?:drug|osobn|oddzieln|kolejn|nastepn|inn)\w+ {_MEDIUM}{_COLON}"
    rf"|{_JOINED}(?:osobno|oddzielnie)\s?[:–-]? (?=\w)"
)
_ANOTHER = re.compile(
    rf"{_SAID}(?:(?:\w+uj|stworz|zrob|poprosze|chce) )?(?:(?:mi|tez|jeszcze|prosze) )*"
    rf"(?:drug(?:i|a|e|ie)|kolejn\w+|osobn\w+|jed(?:en|na|no))"
    rf"(?:(?: {_MEDIUM})?(?:,? tylko(?: ze)?|\s?[:,–-])? (?=(?:z|ze|do|na|w|o|dla|pokazuj\w+|"
    rf"przedstawiaj\w+) )|(?: {_MEDIUM})?\s?[:–-] )"
)
_ALIKE = re.compile(
    rf"{_SAID}(?=(?:(?!w |we |na |z |ze |przy |o |do |pod )\w+ ){{0,2}}?"
    r"(?:(?:ten|ta|to|te|tego|tej) sam\w*) )"
)
_SAME = re.compile(
    r"^(?:.*?(?<!\w)(?<! na )(?<! w )(?:ten|ta|te|tego|tej) sam\w* (\w+)|(?:\w+ )*?to samo)"
    r"(?:,? ale|,? tylko)?,? ?"
)
_NEXT_MEDIUM = re.compile(rf"(?!,? i logo){_JOINED}(?:rowniez )?(?={_MEDIUM} )")
_DRAW = re.compile(
    rf"{_SAID}(?=(?:(?:na|wy)rysuj|namaluj|wygeneruj|naszkicuj)"
    r"(?: (?:mi|tez|jeszcze|prosze)){0,3} "
    r"(?!(?:go|ja|je|to|ich|tego|tam|mu|jej|im|obok|przed|za|nad|pod|przy|w|na) ))"
)
_DRAWING = re.compile(r"\b(?:na|wy|z)?(?:rysuj|maluj|generuj|szkicuj)\b")
_VARIED = re.compile(
    r",? (?:(?:w|we|na|nad|pod|z|ze|przy|o|u) (?![A-ZĆŁŚŹŻ])|podczas |jako |zim[aą]\b|latem\b|"
    r"wiosn[aą]\b|jesieni[aą]\b|noc[aą]\b|wieczorem\b|rano\b|za dnia\b)"
)
_PREPOSITION = re.compile(r" (?:z|ze|do|na|w|we|o|dla|przy|nad|pod|jako) ")
_PURPOSE = re.compile(
    r"^(?:dla porownania|osobno|najpierw|mam (?:wizje|pomysl)|niech (?:to )?b[ey]d\w+|mi)"
    r"\b\s*[:,]?\s*"
)
_WITH = re.compile(r"ze? ")
_ORDINAL_MEDIUM = re.compile(rf"(?:jed|pierwsz|drug)\w+ {_MEDIUM}")
_PAIR = 2
_Way: TypeAlias = Callable[[str, str], list[str]]


def read_descriptions(prompt: str) -> tuple[str, ...]:
    """Return what each picture that is asked for should show; nothing where none was told.

    Pictures are told apart only where the prompt says that there are several: it counts them,
    numbers them, asks twice, or calls one the second or the same again.
    """
    kind, parts = _parts(compose(prompt[:LONGEST]))
    if len(parts) > 1:
        told = [found for one in parts if (found := _read(one)) is not None]
        if len(told) == len(parts):
            return _shared(told, kind)[:MOST]
    alone = read_description(prompt)
    return () if alone is None else (alone,)


def _read(part: str) -> str | None:
    found = read_description(part)
    purpose = _PURPOSE.match(fold_evenly(found or ""))
    return found[purpose.end() :] if found and purpose else found


def _parts(text: str) -> tuple[str, Sequence[str]]:
    """Cut the text into the pictures, and say what kind they are: "plakat"; one part is one."""
    folded = fold_evenly(text)
    closed = _CLOSED.search(folded)
    if closed:
        text, folded = text[: closed.start()], folded[: closed.start()]
    announced = _ANNOUNCED.search(folded)
    if announced:
        text, folded = text[announced.end() :], folded[announced.end() :]
    is_counted = announced is not None or closed is not None
    for way in _COUNTED if is_counted else _UNCOUNTED:
        parts = [one.strip(" ,;–-") for one in way(text, folded)]
        is_whole = all(any(letter.isalpha() for letter in one) for one in parts)
        if is_whole and len(parts) in (_number(announced) or range(2, MOST + 1)):
            return _kind(announced), _drawing(parts)
    return "", (text,)


def _number(announced: re.Match[str] | None) -> Sequence[int]:
    """Return how many pictures are announced; nothing where that is left open."""
    count = announced["count"][:3].rstrip(" x") if announced else ""
    return next((number for number, words in _COUNTS.items() if count in words), ())


def _kind(announced: re.Match[str] | None) -> str:
    """Return what is announced in the singular: "dwie pocztówki" → "pocztówka"."""
    if announced is None or not _MEANT.fullmatch(announced["thing"]):
        return ""
    return "obrazek" if _PLAIN_NOUN.match(announced["thing"]) else _singular(announced["thing"])


def _singular(noun: str) -> str:
    return next((one.lemma for one in readings_of(noun) if one.is_nominal), noun)


def _drawing(parts: Sequence[str]) -> list[str]:
    """Let the parts behind "narysuj psa i" be objects as well, not what stands behind a colon."""
    is_object = _DRAWING.search(fold_evenly(parts[0])) and ":" not in parts[0]
    others = (
        one if not is_object or _SAME.match(fold_evenly(one)) else f"narysuj {one}"
        for one in parts[1:]
    )
    return [parts[0], *others]


def _at(pattern: re.Pattern[str], *, least: int = 1) -> _Way:
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


def _conjunction(text: str, folded: str) -> list[str]:
    """Cut at the one "i" behind which another thing is named in the case of an object."""
    found = [one for one in _AND.finditer(folded) if _is_object(text[one.end() :])]
    return [text[: found[0].start()], text[found[0].end() :]] if len(found) == 1 else [text]


def _list(text: str, folded: str) -> list[str]:
    """Cut "wiewiórka, bóbr i ryś", where as many are announced: two are told by their case."""
    parts = _at(_LISTED)(text, folded)
    is_sure = all(_is_object(one) and not _is_quality(one) for one in parts)
    return parts if len(parts) > _PAIR and is_sure else [text]


def _is_quality(text: str) -> bool:
    """Whether it says only of what kind: "trzy wersje drzewa: młode, dorosłe i spróchniałe"."""
    words = split_words(text)
    readings = readings_of(words[0].text) if len(words) == 1 else ()
    return any(one.is_adjectival for one in readings)


def _is_object(text: str) -> bool:
    words = split_words(text)
    readings = readings_of(words[0].text) if words else ()
    return any({"nom", "acc"} & set(one.cases) for one in readings)


_MARKED: tuple[_Way, ...] = (_at(_NUMBERED, least=_PAIR), _at(_ELSEWHERE), _sequence)
_COUNTED = (
    _MARKED[0], _ordinals, *_MARKED[1:], _at(_BARE_NUMBER, least=_PAIR), _at(_SEMICOLON),
    _at(_ALIKE), _conjunction, _list,
)  # fmt: skip
_UNCOUNTED = (
    _MARKED[0], _ordinal_media, *_MARKED[1:], _at(_ALIKE), _at(_ANOTHER), _named_media, _drawn,
)  # fmt: skip


def _shared(told: Sequence[str], kind: str) -> tuple[str, ...]:
    """Give the descriptions what they share: the first one's noun, or what was announced."""
    first = _completed(told[0], kind) if kind else told[0]
    return (first, *(_completed(one, kind, first) for one in told[1:]))


def _completed(text: str, kind: str, first: str = "") -> str:
    folded = fold_evenly(text)
    if same := _SAME.match(folded):
        head = _VARIED.split(first, maxsplit=1)[0]
        is_meant = same[1] is None or _is_in(same[1], head)
        return f"{head} {text[same.end() :]}".strip() if is_meant else text
    if not _PREPOSITION.match(f" {folded}"):
        return text
    head = kind or _PREPOSITION.split(first, maxsplit=1)[0]
    is_plain = kind == "obrazek" or not _MEANT.match(fold_evenly(head))
    if _WITH.match(folded) and is_plain:
        return read_description(f"obrazek {text}") or text
    return text if is_plain and kind else f"{head} {text}"


def _is_in(noun: str, head: str) -> bool:
    """Whether a noun, whatever its form, stands in the head of the first description."""
    stem = noun[: max(3, len(noun) - 3)]
    return any(word.folded.startswith(stem) for word in split_words(head))
