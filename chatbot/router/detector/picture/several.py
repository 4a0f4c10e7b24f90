"""Tell several pictures of one prompt apart: "na jednym lis, na drugim wilk", "to samo zimą"."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.apart import read_apart
from chatbot.router.detector.picture.cuts import COUNTED, UNCOUNTED, drawing, first_cases
from chatbot.router.detector.picture.media import COUNT, MEDIUM, PLAIN
from chatbot.router.detector.picture.reading import LONGEST, read_description
from chatbot.router.detector.picture.sharing import share
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import compose, fold_evenly

MOST = 4

_MEANT = regex(MEDIUM)
_PLAIN_NOUN = regex(PLAIN)
_COUNTS = {
    (2,): ("dwa", "dwi", "dwo", "dwu", "oba", "obi", "two", "2"),
    (3,): ("trz", "thr", "3"),
    (4,): ("czt", "4"),
}
_THING = rf"(?P<thing>{MEDIUM}|rzeczy|things)"
_ANNOUNCED = regex(
    rf"(?<!\w)(?P<count>{COUNT}) (?:(?!na |w )[^\W\d]{{3,}} ){{0,2}}?{_THING}(?!\w)"
    r"(?:(?! jed(?:en|na|no) )[^:;.]{0,60}?(?:, (?:please|kazd\w+ (?:osobno|z osobna|oddzielnie)|"
    r"osobno|oddzielnie))?\s?[:–-]\s|[^:;.,]{0,50}?[,.]? "
    r"(?=(?:(?:na |w )?(?:jed(?:en|na|no|nym|nej)|pierwsz\w+)|najpierw)(?!\w)))"
)
_CLOSED = regex(
    rf"[\s,.;!?–-]+(?:(?:i|to|jako|w|zrob|narysuj|namaluj|wygeneruj|stworz|to maja byc) ){{0,2}}"
    rf"(?:(?:z tego|z nich|mi|prosze) ){{0,2}}{COUNT}"
    rf"(?: (?:\w+ )?{MEDIUM}(?: \w+)?|,? po kolei)[\s.!?]*$"
)
_OF_SEVERAL = regex(r"dwoch|dwu|obu|trzech|czterech|kilku|paru")
_THINGS = regex(rf"(?<!\w)(?P<count>{COUNT}) (?P<thing>[^\W\d]{{3,}})[^:;.?!]{{0,60}}:\s")
"""The same for whatever is announced, where separate pictures are wanted: "dwóch maskotek: …"."""

_PURPOSE = regex(
    r"^(?:dla porownania|osobno|najpierw|mam (?:wizje|pomysl)|niech (?:to )?b[ey]d\w+|mi)"
    r"\b\s*[:,]?\s*"
)
_APART = regex("osobno")
_JOINING = regex(r"(?<=\s)(?:i|a|oraz)$|^i (?=\S)")


def read_descriptions(prompt: str) -> tuple[str, ...]:
    """Return what each picture that is asked for should show; nothing where none was told.

    Pictures are told apart only where the prompt says that there are several: it counts them,
    numbers them, wants them separate, asks twice, or calls one the second or the same again.
    """
    apart = read_apart(compose(prompt[:LONGEST]))
    kind, parts = _parts(apart.text, is_apart=apart.is_said)
    if len(parts) > 1:
        told = [found for one in parts if (found := _read(one)) is not None]
        if len(told) == len(parts):
            manner = f", {apart.manner}" if apart.manner else ""
            return tuple(f"{one}{manner}" for one in share(told, kind)[:MOST])
    alone = read_description(prompt)
    return () if alone is None else (alone,)


def _read(part: str) -> str | None:
    found = read_description(part)
    purpose = _PURPOSE.match(fold_evenly(found or ""))
    if not found or not purpose:
        return found
    rest = found[purpose.end() :]
    return (read_description(f"narysuj {rest}") or rest) if _APART.match(purpose[0]) else rest


def _parts(text: str, *, is_apart: bool) -> tuple[str, Sequence[str]]:
    """Cut the text into the pictures, and say what kind they are: "plakat"; one part is one."""
    folded = fold_evenly(text)
    closed = _CLOSED.search(folded)
    if closed:
        text, folded = text[: closed.start()], folded[: closed.start()]
    announced = _ANNOUNCED.search(folded) or (_THINGS.search(folded) if is_apart else None)
    if announced:
        text, folded = text[announced.end() :], folded[announced.end() :]
    is_counted = is_apart or announced is not None or closed is not None
    for way in COUNTED if is_counted else UNCOUNTED:
        parts = [_JOINING.sub("", one.strip(" ,;–-")) for one in way(text, folded)]
        is_whole = all(any(letter.isalpha() for letter in one) for one in parts)
        if is_whole and len(parts) in (_number(announced) or range(2, MOST + 1)):
            kind = _kind(announced)
            return kind, _governed(announced, kind, drawing(parts))
    return "", (text,)


def _governed(announced: re.Match[str] | None, kind: str, parts: Sequence[str]) -> Sequence[str]:
    """Let what goes on in the genitive be read so: "dwa portrety: króla i królowej"."""
    cases = first_cases(parts[0])
    if announced is None or "gen" not in cases or "nom" in cases:
        return parts
    if _OF_SEVERAL.match(announced["count"]):
        return [f"potrzebuję {one}" for one in parts]
    return [f"{kind} {one}" for one in parts] if kind and "acc" not in cases else parts


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
