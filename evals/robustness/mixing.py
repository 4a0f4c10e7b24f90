"""Mixes languages: common words of a request become English, as people write who use both."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from chatbot.language import fold
from evals.cases import Case
from evals.robustness.words import replace_words, unnamed_words

_MOST = 2
_ENGLISH: Mapping[str, str] = MappingProxyType({
    "teraz": "now",
    "jutro": "tomorrow",
    "dzisiaj": "today",
    "dzis": "today",
    "pojutrze": "day after tomorrow",
    "pogoda": "weather",
    "pogode": "weather",
    "prognoza": "forecast",
    "prognoze": "forecast",
    "deszcz": "rain",
    "parasol": "umbrella",
    "parasola": "umbrella",
    "temperatura": "temperature",
    "prosze": "please",
    "dziekuje": "thanks",
    "dzieki": "thanks",
    "czesc": "hi",
    "hej": "hey",
    "policz": "calculate",
    "oblicz": "calculate",
    "wylicz": "calculate",
    "rozwiaz": "solve",
    "narysuj": "draw",
    "namaluj": "paint",
    "wygeneruj": "generate",
    "obrazek": "picture",
    "obraz": "picture",
    "grafike": "picture",
    "napisz": "write",
    "wytlumacz": "explain",
    "wyjasnij": "explain",
    "przetlumacz": "translate",
    "powiedz": "tell me",
    "sprawdz": "check",
    "pokaz": "show me",
    "znajdz": "find",
    "wiesz": "you know",
    "szybko": "quickly",
    "troche": "a bit",
    "bardzo": "very",
    "moze": "maybe",
    "ale": "but",
    "albo": "or",
    "wiec": "so",
    "jeszcze": "also",
})


def switch_code(case: Case, random: Random) -> str:
    """At most two common words in English; what an argument is made of stays Polish."""
    known = [word for word in unnamed_words(case) if fold(word.text) in _ENGLISH]
    chosen = sorted(random.sample(known, min(_MOST, len(known))), key=lambda word: word.start)
    return replace_words(case.prompt, ((word, _translate(word.text)) for word in chosen))


def _translate(word: str) -> str:
    english = _ENGLISH[fold(word)]
    return english[0].upper() + english[1:] if word[0].isupper() else english
