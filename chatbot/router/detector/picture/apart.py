"""What says that pictures are separate ones: "osobno", "każde na swoim obrazku", "oba w sepii"."""

import re
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.asking import without_asking
from chatbot.router.detector.picture.media import COUNT, MEDIUM
from chatbot.router.detector.picture.references import is_manner
from chatbot.router.detector.spans import fold_evenly

_EACH = r"(?:kazd\w+(?: z nich)?|ob(?:a|ie|oje|u)|obydw\w+|wszystki\w+|wszystko)"
_SEPARATE = r"(?:osobn|oddzieln|odrebn|rozn|inn|swo)"
_LED = (
    rf"(?:(?:ale|tylko|i|to|z tego|z nich|mi|prosze|wygeneruj|narysuj|namaluj|zrob|"
    rf"stworz|to maja byc|{_EACH}),? ){{0,5}}"
)
_REMARK = regex(
    rf"(?:^|[\s,;–-]+){_LED}(?P<how>(?:osobno|oddzielnie|z osobna)"
    rf"|(?:na|w|jako) (?:{COUNT} )?{_SEPARATE}(?:ych|e) {MEDIUM}"
    rf"|{_EACH},? (?:na|w|jako) {_SEPARATE}\w+ {MEDIUM}"
    rf"|(?:na |w |jako )?{COUNT} {_SEPARATE}(?:e|ych) {MEDIUM})(?!\w)"
)
_END = regex(r"\s*(?:$|[.!?;]+)")
_SHARED = regex(rf"[\s,;.–-]+{_EACH}(?P<thing> {MEDIUM})? (?P<manner>[^,.;!?]{{4,80}})[\s.!?]*$")
_SETTING = regex(r"(?:w|we|na|z|ze|bez|jako|pod) ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Apart:
    """A prompt without what says that its pictures are separate, and the style they share."""

    text: str
    is_said: bool
    manner: str


def read_apart(text: str) -> Apart:
    """Take off what says that pictures are separate ones, at an end of a sentence.

    Between two pictures it stays, since it tells where to cut: "kura, osobno kogut".
    """
    shared = _SHARED.search(fold_evenly(text))
    manner = text[shared.start("manner") : shared.end("manner")] if shared else ""
    is_shared = shared is not None and (is_manner(manner) or _is_on_both(shared))
    rest = text[: shared.start()] if shared is not None and is_shared else text
    kept = _without_remarks(rest)
    return Apart(text=kept, is_said=kept != rest, manner=manner if is_shared else "")


def _is_on_both(shared: re.Match[str]) -> bool:
    """Whether pictures, not what they show, have something in common: "obie grafiki w oleju"."""
    return shared["thing"] is not None and _SETTING.match(shared["manner"]) is not None


def _without_remarks(text: str) -> str:
    for found in reversed(list(_REMARK.finditer(fold_evenly(text)))):
        asked, after = text[: found.start("how")], text[found.end() :]
        if _END.match(after) or (after.startswith(",") and is_manner(after)):
            text = text[: found.start()] + after
        elif _only_asks(asked):
            text = f"{asked.rstrip()} {after.lstrip(' ,:–-')}"
    return text.strip()


def _only_asks(text: str) -> bool:
    """Whether nothing but the request stands here: "pokaż mi"."""
    asked = without_asking(text)
    return asked.is_asking and not asked.text
