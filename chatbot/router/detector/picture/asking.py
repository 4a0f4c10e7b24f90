"""Take the asking off a sentence: "narysuj mi proszę", "poproszę obrazek", "namalujesz?"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.emptiness import shows_nothing
from chatbot.router.detector.picture.references import manner_of, refers, technique_ahead
from chatbot.router.detector.picture.requests import ASKED, GERUND, QUOTED
from chatbot.router.detector.spans import fold_evenly

_GENITIVE = regex(rf"{GERUND}|potrzebuj\w+$")
_STYLE_FIRST = regex(
    r"(?:.*?[,.!?] )?(?P<style>(?:w (?:stylu|klimacie|konwencji|duchu|technice|formacie)|"
    r"akwarela|olowkiem|weglem|tuszem|kredkami)\b[^,.!?]*)$"
)
_BETWEEN = regex(r"[\s,.!?–-]*(?:(?:i|oraz|a|to|go|je|ja|ich|mi|nam|sobie)[\s,]+)*")
_PRONOUN = regex(r"\w (?:to|go|je|ja|ich) ")
_SKETCHED = regex(r"szkic\w+\W*$")
_FEW = 3  # words of a thing that stands before its request: "Kartę tarota zamawiam: …"
_EDGES = " ,.–-:!?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Remainder:
    """What is left of a sentence without the asking in it.

    ``governor``: a preposition with the case that it stands in as what was asked for ("narysuj
    psa": "przez", "o narysowanie psa": "do"). ``is_pointing``: the sentence asks for what was
    said before it ("namaluj mi ten widok"); then ``text`` is how it shall be drawn, and
    ``is_referring`` says that a pronoun stands for it, not only a medium ("obrazek").
    """

    text: str
    is_asking: bool = False
    governor: str = ""
    is_pointing: bool = False
    is_referring: bool = False


def without_asking(sentence: str) -> Remainder:
    """Take the asking off a sentence."""
    requests = _requests(sentence)
    if not requests:
        return Remainder(text=sentence)
    for at, (start, end) in enumerate(requests):
        after = sentence[end:]
        if manner_of(after) is None:
            stop, manner = _repeated(sentence, requests[at + 1 :])
            named = (
                _joined(sentence[end:stop].rstrip(_EDGES), manner) if manner else sentence[end:stop]
            )
            return _with_object(sentence[:start], sentence[start:end], named)
    start, end = requests[0]
    before, manner = sentence[:start].strip(_EDGES), manner_of(sentence[end:]) or ""
    if shows_nothing(before):
        before, manner = "", _joined(before, manner)
    is_referring = refers(sentence[end:]) or _PRONOUN.search(fold_evenly(sentence[start:end]))
    return Remainder(
        text=_joined(before, manner),
        is_asking=True,
        is_pointing=not before,
        is_referring=bool(is_referring),
    )


def _repeated(sentence: str, later: Sequence[tuple[int, int]]) -> tuple[int, str]:
    """Where a request only repeats the one before ("… – wygeneruj to akwarelą"), and how."""
    for start, end in later:
        if (manner := manner_of(sentence[end:])) is not None:
            return start, manner
    return len(sentence), ""


def _requests(sentence: str) -> list[tuple[int, int]]:
    """Where the requests stand; those that follow each other at once are one."""
    found: list[tuple[int, int]] = []
    folded = QUOTED.sub(lambda quoted: "„" * len(quoted[0]), fold_evenly(sentence))
    for one in ASKED.finditer(folded):
        start, end = one.span()
        if found and _BETWEEN.fullmatch(folded[found[-1][1] : start]):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _with_object(before: str, request: str, after: str) -> Remainder:
    """Keep what the request names; of what stands before it, only in what style."""
    text = _technique_last(after.lstrip(" ,:–-"), request)
    if after.startswith(":") and 0 < len(before.split()) <= _FEW:
        text = f"{before.strip(_EDGES)}: {text}"
    if style := _STYLE_FIRST.match(fold_evenly(before).rstrip(_EDGES)):
        text = f"{text.rstrip(_EDGES)}, {before[style.start('style') : style.end('style')].strip()}"
    is_genitive = _GENITIVE.search(fold_evenly(request).rstrip())
    return Remainder(text=text, is_asking=True, governor="do" if is_genitive else "przez")


def _technique_last(text: str, request: str) -> str:
    """Put how it is drawn behind what is drawn: "ołówkiem starego rybaka"."""
    technique = technique_ahead(text)
    if technique is None:
        return text
    way = text[: technique.end()].strip()
    way = f"szkic {way}" if _SKETCHED.search(fold_evenly(request)) else way
    return f"{text[technique.end() :].rstrip(_EDGES)}, {way}"


def _joined(before: str, after: str) -> str:
    if not before or not after:
        return before or after
    gap = " " if re.match(r"(?:w|we|na|z|ze|do|dla|jako) ", fold_evenly(after)) else ", "
    return f"{before}{gap}{after}"
