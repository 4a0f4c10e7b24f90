"""Tell requests so plain that no model need be asked: every word of theirs is accounted for.

A request is certain where its words come from closed lists (asking, politeness, days, the weather
or mathematics) and one known place, or one formula, makes up the rest. One foreign word, and the
model decides.
"""

import re
from collections.abc import Sequence
from datetime import date

from chatbot.language.days import read_day
from chatbot.language.numerals import read_number
from chatbot.language.places import gazetteer
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.detector.weather import read_weather
from chatbot.types import JsonObject

LONGEST = 160
"""Characters; a longer prompt is never certain."""

_MOST_WORDS = 16
_LONGEST_NAME = 4
_MARKS = frozenset(",.?!:=-–—")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_POLITE = _listed(
    "prosze poprosze mi hej czesc siema witam witaj dzien dobry dzieki dziekuje teraz powiedz "
    "podaj sprawdz pokaz wiesz moze chce chcialbym chcialabym wiedziec mozesz czy"
)
_ASKING = _POLITE | _listed(
    "jaka jaki jakie jak jaka ile to jest sa bedzie beda ma byc sie w we na nad dla do u o tam no a"
)
_WEATHER = _listed(
    "pogoda pogode pogody prognoza prognoze prognozy pogodowa temperatura temperature temperatury "
    "stopni stopien deszcz deszczu snieg sniegu opady opadow pada padac leje lac sypie wieje wiac "
    "burza burze burzy mroz upal upalnie mgla cieplo zimno goraco chlodno slonecznie pochmurno "
    "deszczowo wietrznie parno duszno slisko mrozno mglisto slonce zachmurzenie wiatr wiatru "
    "parasol parasola termometr"
)
_LIKE_PAST = _listed("padalo lalo wialo sypalo grzmialo mrozilo swiecilo swiecic")
_WITH_WEATHER = _listed(
    "brac wziac zabrac potrzebny potrzebuje potrzebowac stopni celsjusza swieci duzo mocno "
    "bardzo dosc potrzebna zapowiada zapowiadaja wyglada mozna"
)
_PARTS = _listed("rano wieczorem wieczor poludniu po noca nocy popoludniu przed")
_DISPUTED = frozenset({"kolo", "police", "wisla", "hel", "piaski", "ruda", "brzeg", "sroda"})

_COMPUTING = _POLITE | _listed(
    "ile to jest oblicz policz wylicz wynosi wyniesie wynik daje da rowna sie rozwiaz wyznacz "
    "bedzie dzialanie rownanie dla obliczyc policzyc rozwiazac jaki jaka jakie znajdz"
)
_OPERATIONS = re.compile(
    r"razy|plus|minus|przez|podziel\w*|dziel(?:one|ic)|pomnoz\w*|mnoz\w*|dodac|dodaj|odjac|odejmij|"
    r"pierwiast\w+|kwadrat\w*|szescian\w*|poteg\w+|silni\w*|procent|proc|z|ze|od|do|x|y|n|dx|po|"
    r"calk\w+|pochodn\w+|oznaczon\w+|granic\w+|logarytm\w*|log|ln|sin|cos|tg|tan|ctg|sqrt|pi|e|"
    r"sinus|cosinus|lim|nwd|nww|liczb\w*|dwumian\w*|w|granicach|i|stopnia|trzeciego|"
    r"wyznacznik\w*|macierz\w*|frac|int|sum|cdot|times|funkcji|wzgledem|modulo|mod"
)


def read_plain_weather(prompt: str, *, today: date | None = None) -> JsonObject | None:
    """Return the arguments of a plain question about the weather in one known place."""
    words = split_words(prompt)
    if not _is_short(prompt, words):
        return None
    places, rest = _take_places(prompt, words)
    folded = frozenset(word.folded for word in rest)
    if len(places) != 1 or not folded & (_WEATHER | _LIKE_PAST) or not _are_weather_words(rest):
        return None
    calls = read_weather(prompt, today=today)
    if len(calls) != 1 or calls[0].get("city") != places[0]:
        return None
    said = {read_day(word.text, today=today) for word in rest} - {None}
    if len(said) > 1 or (said and "day" not in calls[0]):
        return None
    return dict(calls[0])


def read_plain_formula(prompt: str) -> JsonObject | None:
    """Return the argument of a plain request to compute one formula."""
    words = split_words(prompt)
    if not _is_short(prompt, words):
        return None
    asking = [word for word in words if word.folded in _COMPUTING or word.text in _MARKS]
    if not all(_is_mathematical(word) for word in words if word not in asking):
        return None
    if not any(word.text.isdigit() or read_number(word.text) for word in words):
        return None
    formula = read_formula(prompt)
    uncovered = None if formula is None else (1 - formula.share) * len(words)
    if formula is None or uncovered is None or uncovered > len(asking) + 1:
        return None
    return {"expression": formula.expression}


def _is_short(prompt: str, words: Sequence[Span]) -> bool:
    return len(prompt) <= LONGEST and 0 < len(words) <= 2 * _MOST_WORDS


def _take_places(prompt: str, words: Sequence[Span]) -> tuple[list[str], list[Span]]:
    """Return the names of the known places, and the words that belong to none."""
    names: list[str] = []
    rest: list[Span] = []
    at = 0
    while at < len(words):
        size, name = _place_at(prompt, words[at:])
        if name is None:
            rest.append(words[at])
        elif name not in names:
            names.append(name)
        at += max(size, 1)
    return names, rest


def _place_at(prompt: str, words: Sequence[Span]) -> tuple[int, str | None]:
    first = words[0]
    if first.folded in _ASKING | _WEATHER | _DISPUTED or read_day(first.text) is not None:
        return 0, None
    for size in range(min(_LONGEST_NAME, len(words)), 0, -1):
        seen = gazetteer().sightings(joined(prompt, words[:size]))
        names = {sighting.place.name for sighting in seen}
        if len(names) == 1:
            return size, names.pop()
        if names:
            return 0, None
    return 0, None


def _are_weather_words(words: Sequence[Span]) -> bool:
    folded = {word.folded for word in words}
    if folded & _LIKE_PAST and "bedzie" not in folded:
        return False
    known = _ASKING | _WEATHER | _WITH_WEATHER | _PARTS | _LIKE_PAST
    return all(
        word.folded in known
        or word.text in _MARKS
        or (word.text.isalpha() and read_day(word.text) is not None)
        for word in words
    )


def _is_mathematical(word: Span) -> bool:
    if not word.text[0].isalpha():
        return word.text not in '"„”«»'
    return _OPERATIONS.fullmatch(word.folded) is not None or read_number(word.text) is not None
