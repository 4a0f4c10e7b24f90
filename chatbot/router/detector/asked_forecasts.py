"""Give what a prompt asks about the weather, without what is told, pasted or ordered around it."""

from collections.abc import Iterator, Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.corrections import CORRECTION
from chatbot.router.detector.framing import is_on_text
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.places import find_places
from chatbot.router.detector.quotations import blank_quotations
from chatbot.router.detector.quotes import part, sentences
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.detector.weather import find_days

_GAP, _CUT = "„…”", "\f"
_SKY = regex(
    r"\b(?:\w{0,5}(?:mokn|marzn|grzac|grzeje)\w*|mrozi\w*|\w{0,3}sniez\w*|temperatur\w*|"
    r"przeciwdeszcz\w*|zwiej\w*|zawiej\w*|(?:roz|wy)pogodz\w*|nieb[oa]|zleje|lunie|mokro|sucho|bialo)\b"
)
_TAKING = regex(
    r"\b(?:wziac|brac|bierz\w*|zabrac|zalozyc|zakladac|wlozyc|potrzebn\w*|przyda\w*|czy)\b"
)
_DRESSING = regex(r"^(?:co|w co|w czym)\b.{0,30}\b(?:zalozyc|ubrac|wlozyc|isc|biec|wyjsc)\b")
_HOW_TO = regex(
    r"^\W*(?:a |i |no |to |wiec )*(?:czym|dlaczego|czemu|skad|po co|kto|komu|gdzie kup\w*|"
    r"co (?:\w+ )?(?:zrobic|robic|zwiedzic|robisz|powiedziec|odpowiedziec|napisac)|"
    r"jak (?:\w+ ){0,2}\w+c\b)"
)
"""Asks how something is done, or why, whatever it has to do with the weather."""

_WRITING = regex(
    r"^(?:napisz|uloz|wymysl|odpisz|stworz|zredaguj|przetlumacz)\w* "
    r"(?!(?:\w+,? ){0,3}(?:czy|ile|jak\w{0,2}|kiedy|co)\b)"
)
_FRAME = regex(
    r"^(?:(?:no|to|hej|prosze|dobra|ok|a)[ ,]+)*"
    r"(?:napisz|powiedz|polec|zaproponuj|wytlumacz|wyjasnij|streszcz|doradz|podpowiedz|zdradz|"
    r"opowiedz|przekaz|sprawdz|wyslij|zerknij|zobacz|policz|ustal)"
    r"(?: (?:mi|nam|mamie|tacie|zonie|mezowi|prosze|krotko|szczerze|po prostu|po ludzku|"
    r"jednym zdaniem|no))*[,:]? (?=(?:czy|ile|jak|jaka|jaki|jakie|kiedy|co|w czym|w co)\b)"
)
"""An order to tell, before the question itself: "napisz mi krótko, czy …"."""


def asked_forecasts(prompt: str) -> Iterator[str]:
    """Give readings of a prompt in which only its question about the weather is left.

    A question without a place has the one of the rest: "„W czwartek piknik w Otwocku …” Brać
    płaszcz?" → "Otwock, jutro: Brać płaszcz?". The day only lets the classifier see a forecast;
    which it is, is read from the prompt.
    """
    if is_on_text(prompt):
        return
    said = part(prompt)
    before, _, after = blank_quotations(said.own.replace(_GAP, _CUT)).rpartition(_CUT)
    text = next((each for each in (after, before) if sentences(each)), "")
    for question in dict.fromkeys(_questions(text)):
        if len(question) < len(prompt) and _is_about_weather(question):
            yield from _with_place(question, prompt)


def names_forecast(prompt: str) -> bool:
    """Whether weather, a place and a day ahead are named: "zwieje mi dziś kapelusz w Sopocie"."""
    if is_on_text(prompt) or _is_written(sentences(prompt)):
        return False
    said = blank_quotations(prompt)
    return _is_about_weather(said) and bool(find_days(said)) and bool(find_places(said))


def _questions(text: str) -> Iterator[str]:
    asked = sentences(text)
    if _is_written(asked):
        return
    yield from (each for each in asked if each.endswith("?"))
    held = list(CORRECTION.finditer(fold_evenly(text)))
    last = text[held[-1].end() :].lstrip(" ,.!–-") if held else (asked[-1] if asked else "")
    frame = _FRAME.match(fold_evenly(last))
    if frame is not None:
        yield last[frame.end() :]


def _is_written(asked: Sequence[str]) -> bool:
    """Whether at last something shall be written, or translated."""
    return bool(asked) and _WRITING.match(fold_evenly(asked[-1])) is not None


def _with_place(question: str, prompt: str) -> Iterator[str]:
    if find_places(question):
        yield question
    elif places := find_places(prompt):
        yield f"{places[0]}, jutro: {question}"


def _is_about_weather(question: str) -> bool:
    folded = fold_evenly(question)
    if _HOW_TO.match(folded):
        return False
    groups = {group for word in split_words(question) for group in groups_of(word.folded)}
    is_taking = "clothes" in groups and _TAKING.search(folded) is not None
    is_said = "weather" in groups or is_taking
    return is_said or _SKY.search(folded) is not None or _DRESSING.search(folded) is not None
