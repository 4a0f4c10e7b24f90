"""Tell requests so plain that no model need be asked: every word of theirs is accounted for.

A request is certain where its words come from closed lists (asking, politeness, days, the weather
or mathematics) and one known place, or one formula, makes up the rest. Where the classifier is
next to certain of the weather, plain words between them do no harm: dictionary words in small
letters that have no part in any other kind of request. One word more, and the model decides.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import filterfalse, islice

from chatbot.language.days import read_day
from chatbot.language.morphology import morphology
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.detector.weather import read_weather
from chatbot.types import JsonObject

LONGEST = 160
"""Characters; a longer prompt is never certain."""

_MOST_WORDS = 16
_LONGEST_NAME = 4
_MOST_OTHERS = 6
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
    "zmarzne zmokne przemokne popada kropi mzy grzmi zapowiadaja deszczowo wietrznie parno "
    "duszno slisko mrozno mglisto slonce zachmurzenie wiatr wiatru "
    "parasol parasola termometr"
)
_LIKE_PAST = _listed("padalo lalo wialo sypalo grzmialo mrozilo swiecilo swiecic")
_WITH_WEATHER = _listed(
    "brac wziac zabrac potrzebny potrzebuje potrzebowac stopni celsjusza swieci duzo mocno "
    "bardzo dosc potrzebna zapowiada zapowiadaja wyglada mozna mamy przestanie przestac "
    "zewnatrz dworze dworzu polu drogach ulicach chodnikach"
)
_PARTS = _listed("rano wieczorem wieczor poludniu po noca nocy popoludniu przed")
_NAMES = frozenset({"nazwa_geograficzna", "imię", "nazwisko"})
_MORNING = frozenset({"rano", "swicie", "switem", "ranem", "poranek"})
_DISPUTED = frozenset({"kolo", "police", "wisla", "hel", "piaski", "ruda", "brzeg", "sroda"})

_COMPUTING = _POLITE | _listed(
    "ile to jest oblicz policz wylicz wynosi wyniesie wynik daje da rowna sie rozwiaz wyznacz "
    "bedzie dzialanie rownanie obliczyc policzyc rozwiazac jaki jaka jakie znajdz uprzejmie o "
    "podanie potrzebuje potrzebna wyjdzie wychodzi wartosc dokladna dokladnie teraz jeszcze tak"
)
_OPERATIONS = regex(
    r"razy|plus|minus|przez|podziel\w*|dziel(?:one|ic)|pomnoz\w*|mnoz\w*|dodac|dodaj|odjac|odejmij|"
    r"pierwiast\w+|kwadrat\w*|szescian\w*|poteg\w+|silni\w*|procent|proc|z|ze|od|do|po|"
    r"calk\w+|pochodn\w+|oznaczon\w+|granic\w+|logarytm\w*|log|ln|sin|cos|tg|tan|ctg|sqrt|pi|"
    r"sinus\w*|cosinus\w*|tangens\w*|lim|nwd|nww|gcd|lcm|liczb\w*|dwumian\w*|w|granicach|i|"
    r"stopni\w*|\w{1,20}(?:iego|tego) stopnia|trzeciego|drugiego|"
    r"wyznacznik\w*|macierz\w*|odwrotn\w+|det|frac|int|sum|cdot|times|infty|to|"
    r"funkcj[iae]|wzgledem|modulo|mod|dla|przy|podstawie|rown\w*|uklad\w*|iloczyn\w*|iloraz\w*|"
    r"sum[aeyę]|zsumuj|roznic\w*|sredni\w*|median\w*|arytmetyczn\w*|ciag\w*|nieskonczonosc\w*|"
    r"punkcie|miejsc\w* zerow\w*|delt[aey]|uprosc|skroc|rozwin|wymnoz|scalkuj|zrozniczkuj|"
    r"oblicz\w*|wyznaczyc|zachodzi|jakiego|dodatni\w*|kolejn\w+|naturaln\w+|"
    r"[a-z]|dx|dy|dt|xy|ab|nad"
)
_OPENS = regex(r"jak\w{0,2}$|ile$|czy$|kiedy$|pogod|prognoz|temperatur")
"""Asks for the weather without a question mark; "ciepło się zrobiło" does not."""

_FIGURE = regex(r"\d+")
_POLISH = regex(r"[a-ząćęłńóśźż]+", re.IGNORECASE)

_HARMLESS = frozenset({
    "weather", "clothes", "outdoors", "day", "people", "greeting", "me", "wish", "geometry",
})  # fmt: skip
_VAGUE = _listed(
    "za dni dniach tydzien tygodnia tygodniu przyszly przyszla przyszlym nastepny najblizszy "
    "najblizsza najblizszych kolejny kolejne godzine godzin godziny swieta swietach wigilie "
    "sylwestra poczatku koncu miesiacu caly cala wakacje wakacjach ferie majowke nie ani bez tylko "
    "ktorej ktorym ogol zwykle wzejdzie zajdzie wschodzi zachodzi stycznia lutego marca kwietnia "
    "maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia styczniu lutym marcu "
    "kwietniu maju czerwcu lipcu sierpniu wrzesniu pazdzierniku listopadzie grudniu "
    "strefie strefa srednia srednio zamiast jednak albo lub czyli raczej oraz potem czemu "
    "dlaczego jakosc wody woda morza niz"
)


def read_plain_weather(
    prompt: str, *, today: date | None = None, is_likely: bool = False
) -> JsonObject | None:
    """Return the arguments of a plain question about the weather in one known place.

    ``is_likely``: the classifier is next to certain, so harmless words may stand in it.
    """
    words = split_words(prompt)
    if not _is_short(prompt, words):
        return None
    places, rest = _take_places(prompt, words)
    if len(places) != 1 or not _are_weather_words(rest, is_likely=is_likely):
        return None
    calls = read_weather(prompt, today=today)
    if len(calls) != 1 or calls[0].get("city") != places[0]:
        return None
    folded = {word.folded for word in rest}
    said = {read_day(word.text, today=today) for word in rest} - {None}
    if len(said) > 1 or ("day" not in calls[0] and (said or folded & _PARTS)):
        return None
    if folded & _MORNING and not said:
        return None
    return dict(calls[0])


def is_plain_forecast(prompt: str, *, is_likely: bool) -> bool:
    """Whether a prompt without a place only asks for the weather: "ile stopni mamy?".

    ``is_likely`` as in `read_plain_weather`.
    """
    words = split_words(prompt)
    if not _is_short(prompt, words) or not _are_weather_words(words, is_likely=is_likely):
        return False
    return "?" in prompt or any(_OPENS.match(word.folded) for word in words)


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
    if not all(figure in formula.expression for figure in _FIGURE.findall(prompt)):
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


def _are_weather_words(words: Sequence[Span], *, is_likely: bool) -> bool:
    folded = {word.folded for word in words}
    if folded & _LIKE_PAST and "bedzie" not in folded:
        return False
    most = _MOST_OTHERS if is_likely else 0
    others = tuple(islice(filterfalse(_is_weather_word, words), most + 1))
    if len(others) > most or not all(map(_is_harmless, others)):
        return False
    if folded & (_WEATHER | _LIKE_PAST):
        return True
    return is_likely and any("clothes" in groups_of(word.folded) for word in words)


def _is_weather_word(word: Span) -> bool:
    known = _ASKING | _WEATHER | _WITH_WEATHER | _PARTS | _LIKE_PAST
    return (
        word.folded in known
        or word.text in _MARKS
        or (word.text.isalpha() and read_day(word.text) is not None)
    )


def _is_harmless(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return (
        word.text.isalpha()
        and (word.text.islower() or word.start == 0)
        and word.folded not in _VAGUE
        and groups_of(word.folded) <= _HARMLESS
        and bool(readings)
        and not any(reading.labels & _NAMES for reading in readings if word.start == 0)
    )


def _is_mathematical(word: Span) -> bool:
    if not word.text[0].isalpha():
        return word.text not in '"„”«»'
    is_symbol = _POLISH.fullmatch(word.text) is None
    return (
        is_symbol
        or _OPERATIONS.fullmatch(word.folded) is not None
        or read_number(word.text) is not None
    )
