"""What was agreed at a place that alone is named: "co ustalono w Brześciu? chodzi o tę unię"."""

from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, joined, split_words

_AGREED = regex(
    r"\b(?:co|czego|na co|o czym|jak\w+ \w+|kto)\b[^.?!]{0,40}?\b"
    r"(?P<verb>(?:ustal|uzgodn|uzgadn|postanow|zadecydow|zdecydow|dogad|podpis|zawar)"
    r"(?:ono|iono|ano|to|ili|ali|arto)|(?:sie )?(?:zgodz|umow|dogad|porozum)"
    r"(?:ono|iono|ano|ili|ali)(?: sie)?)\b[^.?!]{0,30}?\bwe? (?=[a-z])"
)
_PLACE = regex(r"(?:[A-ZĆŁŚŹŻ][\w’-]+)(?: [A-ZĆŁŚŹŻ][\w’-]+)?")
_THIS = regex(r"\bt(?:en|ego|ym|ej|a|o) (?=\w)")
_AT = regex(r"\b(?P<preposition>[Ww]e?) (?P<place>[A-ZĆŁŚŹŻ][\w’-]+)")
_SIGNED = regex(r"podpis|zawar")
_EVENTS = frozenset({
    "unia", "pokój", "ugoda", "traktat", "układ", "rozejm", "konferencja", "kongres", "sobór",
    "synod", "sejm", "zjazd", "pakt", "umowa", "porozumienie", "szczyt", "konkordat", "kapitulacja",
})  # fmt: skip


def agreement_at(text: str) -> str | None:
    """Return the agreement of which something is asked by its place alone; ``None`` otherwise.

    A kind that another sentence tells is taken ("ten pokój religijny"); else it is a treaty where
    something was signed, and a conference where something was decided.
    """
    if pointed := _pointed_at(text):
        return pointed
    folded = fold_evenly(text)
    agreed = _AGREED.search(folded)
    place = _PLACE.match(text, agreed.end()) if agreed else None
    if agreed is None or place is None:
        return None
    sentence = text[agreed.start() : place.end()]
    if any(_is_event(word) for word in split_words(sentence)):
        return None
    preposition = "we" if text[: place.start()].endswith(" we ") else "w"
    where = f"{preposition} {place[0]}"
    if kind := _kind_told(text[place.end() :]):
        return f"{kind} {where}"
    return f"{'traktat' if _SIGNED.match(agreed['verb']) else 'konferencja'} {where}"


def _pointed_at(text: str) -> str | None:
    """Return an agreement named by its place and then its kind: "W Buczaczu … ten pokój"."""
    at = _AT.search(text)
    this = _THIS.search(fold_evenly(text), at.end()) if at else None
    word = next(iter(split_words(text[this.end() :])), None) if this else None
    if at is None or this is None or word is None or not _is_event(word):
        return None
    if any(map(_is_event, split_words(text[: this.start()]))):
        return None
    return f"{_kind_told(text[this.end() :])} {at['preposition'].lower()} {at['place']}"


def _kind_told(text: str) -> str | None:
    """Return the kind of agreement that a text names, with its adjectives, in the base form."""
    words = split_words(text)
    at = next((at for at, word in enumerate(words) if _is_event(word)), None)
    if at is None:
        return None
    end = at + 1
    while end < len(words) and _is_adjective(words[end]):
        end += 1
    return lemmatise(joined(text, words[at:end]), kind="topic", preposition="przez")


def _is_event(word: Span) -> bool:
    return bool({one.lemma for one in readings_of(word.text)} & _EVENTS)


def _is_adjective(word: Span) -> bool:
    return word.text.islower() and any(one.is_adjectival for one in readings_of(word.text))
