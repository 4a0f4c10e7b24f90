"""Several versions of the last picture that one prompt asks for: "zimą i osobno latem"."""

import re
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.picture import read_description
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.drawings.editing import edit
from chatbot.router.dialogue.drawings.fresh import names_thing
from chatbot.router.dialogue.drawings.same_style import in_same_style

_MOST = 4
_COUNT = r"(?:dwa|dwie|dwoch|trzy|trzech|cztery|czterech)"
_ANNOUNCED = regex(
    rf"^(?:[^:;.?!]{{0,40}} )?{_COUNT}(?: (?:\w+ )?(?:{MEDIUM}|wersj\w+|wariant\w*|odslon\w*|"
    r"razy|taki\w+|kolejn\w+|nastepn\w+|inn\w+))?(?:\s?[:–-]|,(?= (?:jed|raz|na jed|pierwsz)))\s"
)
_NUMBERED = regex(
    r"(?:^|,? (?:(?:i|a|oraz) )?)(?:(?:na |w )?(?:jed(?:en|na|no|nym|nej)|pierwsz\w+|drug\w+|"
    r"trzeci\w*|czwart\w+))(?: (?:raz|wersj\w+|obraz\w*))?[:,]? (?=\S)"
)
_TURNS = regex(r"(?:^|,? (?:(?:i|a|oraz) )?)(?:drugi )?raz (?=\S)")
_LISTED = regex(r", (?:(?:i|a|oraz) )?|,? (?:i|oraz|a) ")
_APART = regex(
    r"(?:^|,? )(?:(?:i|a|oraz|ale|tylko|kazd\w+|ob(?:a|ie)|najlepiej|byle|koniecznie|oczywiscie) )*"
    r"(?:osobno|oddzielnie|z osobna|na osobnych \w+)"
    r"(?: jeszcze)?\s?[,:–-]?(?: |$)"
)
_END_APART = regex(
    r",? (?:(?:ale|tylko|kazd\w+|ob(?:a|ie)) )?(?:osobno|oddzielnie|na osobnych \w+)\W*$"
)
_LED = regex(
    r"(?:(?:a|i|no|ok|to|teraz|jeszcze|samo|ale|tylko|z tego|zrob\w*|daj|narysuj|namaluj|wygeneruj|"
    r"chce|chcial\w+|poprosze|prosze|mi|te|dwie|dwa|trzy|wersje|warianty|obrazki|obrazy|rysunki)"
    r"(?:\W+|$))+"
)
_CLOSED = regex(r"(?:,? (?:ok|dobra|dobrze|prosze|poprosze|dzieki))+$")
_NEXT = regex(
    rf"^[^:]*\b(?:{_COUNT} (?:kolejn|nastepn|inn|now)\w+|(?:kolejn|nastepn|inn|now)\w+ {_COUNT})"
    rf"(?: {MEDIUM})?(?! wersj| wariant)\s?[:–-] "
)
_VERSION = regex(r"\bwersj\w+|\bwariant\w*")
_SEASONS = regex(r"\b(?:kazd\w+ por\w+ roku|w czterech porach roku)\b")
_OF_YEAR = ("wiosną", "latem", "jesienią", "zimą")
_EACH = regex(r"\bkazd\w+\b[^:.?!]*: ")
_ADJECTIVE = regex(r"[^\W\d]+(?:ej|ym|im)")


def versions(picture: str, prompt: str) -> tuple[str, ...]:
    """Return a description for each version of ``picture``; nothing where one is asked for.

    They are told apart only where the prompt counts them or wants them separate.
    """
    if styled := in_same_style(picture, prompt):
        return styled
    parts = _parts(prompt.strip(" .?!"))
    if not 1 < len(parts) <= _MOST:
        return ()
    if _NEXT.match(fold_evenly(prompt)) and all(map(names_thing, parts)):
        return tuple(read_description(f"narysuj {part}") or part for part in parts)
    return tuple(edit(picture, part) for part in parts)


def _parts(prompt: str) -> list[str]:
    folded = fold_evenly(prompt)
    if (each := _EACH.search(folded)) is not None:
        return _cut(_LISTED, prompt[each.end() :])
    if _SEASONS.search(folded):
        return list(_OF_YEAR)
    if (told := _ANNOUNCED.search(folded)) is not None:
        end = _END_APART.search(fold_evenly(prompt))
        listed = prompt[told.end() : end.start() if end else None]
        ways = (_NUMBERED, _TURNS, _LISTED)
        parts = next((cut for way in ways if (cut := _cut(way, listed))), [])
        return [_as_version(one) for one in parts] if _VERSION.search(told[0]) else parts
    if folded.count(" raz ") + folded.startswith("raz ") > 1 and "jeszcze raz" not in folded:
        found = _TURNS.search(folded)
        return _cut(_TURNS, prompt[found.start() :].lstrip(", ")) if found else []
    return _apart(prompt)


def _apart(prompt: str) -> list[str]:
    """What stands between the marks; beside a single one, what is listed there.

    "To samo zimą i osobno latem", "osobno w nocy i o świcie", "psa i kota, ale osobno".
    """
    closed = _CLOSED.search(fold_evenly(prompt))
    text = prompt[: closed.start()] if closed else prompt
    marks = [found.span() for found in _APART.finditer(fold_evenly(text))]
    if not marks:
        return []
    edges = [(0, 0), *marks, (len(text), len(text))]
    between = (text[left[1] : right[0]].strip(" ,;") for left, right in pairwise(edges))
    told = [one for one in between if one and _LED.fullmatch(fold_evenly(one)) is None]
    if len(told) > 1 or not told:
        return told
    led = _LED.match(fold_evenly(told[0]))
    return _cut(_LISTED, told[0][led.end() :] if led else told[0])


def _cut(way: re.Pattern[str], text: str) -> list[str]:
    """Cut a text where a mark stands; nothing where it stands nowhere."""
    marks = [(found.start(), found.end()) for found in way.finditer(fold_evenly(text))]
    edges = [(0, 0), *marks, (len(text), len(text))]
    parts = [text[left[1] : right[0]].strip(" ,;") for left, right in pairwise(edges)]
    told = [one for one in parts if one]
    return told if len(told) > 1 else []


def _as_version(part: str) -> str:
    """Let an adjective say of which version it is: "w dwóch wersjach: dziennej i nocnej"."""
    return f"w wersji {part}" if _ADJECTIVE.fullmatch(fold_evenly(part)) else part
