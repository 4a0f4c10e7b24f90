"""A wish for some picture of which nothing is said: "koniec matmy, zrób mi jakiś obrazek"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.framing import strip_closing
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.picture.references import is_empty
from chatbot.router.detector.picture.requests import ASKED
from chatbot.router.detector.spans import fold_evenly

_ANY = regex(
    r"\b(?:jak(?:is|as|ies)|cos|cokolwiek)\b(?! (?:\w+ )?(?:podobn|tak|inn|now)\w+| \w+sz\w{1,3}\b)"
)
_ANY_BEFORE = regex(
    r"(?:^|[.!?;,…]\s*)(?:(?:a|to|no|ok|dobra|teraz|moze|jeszcze|mi|nam|i)\W+)*"
    rf"(?:cos|cokolwiek|jak(?:is|as|ies))(?: (?:ladn|fajn|mil|ciekaw|now)\w+)?(?: {MEDIUM})?\s*$"
)
"""The same before the request: "dobra, teraz mi coś narysuj"."""

_ENDED = regex(
    r"\b(?:koniec|starczy|wystarczy|dosc|tyle (?:o|z)|z innej beczki|zmienmy temat|inny temat|"
    r"zostawmy)\b"
)
_PLAIN = regex(rf"(?:mi |nam |teraz )*(?:ladn|fajn|now|ciekaw|mil)?\w* ?{MEDIUM}")


def asks_for_anything(prompt: str) -> bool:
    """Whether any picture will do, whatever was spoken of before.

    Something of some kind is asked for ("coś ładnego", "jakiś rysunek"), or a picture after
    words that end the subject ("starczy o zamkach, zrób obrazek").
    """
    text = strip_closing(prompt)
    folded = fold_evenly(text)
    if not (_ANY.search(folded) or _ENDED.search(folded)):
        return False
    asked = ASKED.search(folded)
    if asked is None or not is_empty(text[asked.end() :]):
        return False
    if _ANY.search(folded, asked.start()) or _ANY_BEFORE.search(folded[: asked.start()]):
        return True
    is_ended = _ENDED.search(folded[: asked.start()]) is not None
    return is_ended and _PLAIN.fullmatch(folded[asked.end() :].strip()) is not None
