"""Places by what else they are called: nicknames, districts, peaks, capitals, foreign names."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.countries import find_country
from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span

LONGEST = 5
"""Words of the longest name in the table."""

_CAPITAL = frozenset({"stolica", "stolicy", "stolice"})
_HERE = "Warszawa"
_ADJECTIVES: Mapping[str, str] = MappingProxyType({
    "warszawsk": "Warszawa",
    "krakowsk": "Kraków",
    "wroclawsk": "Wrocław",
    "poznansk": "Poznań",
    "gdansk": "Gdańsk",
    "gdynsk": "Gdynia",
    "sopock": "Sopot",
    "lodzk": "Łódź",
    "szczecinsk": "Szczecin",
    "lubelsk": "Lublin",
    "katowick": "Katowice",
    "bydgosk": "Bydgoszcz",
    "torunsk": "Toruń",
    "bialostock": "Białystok",
    "rzeszowsk": "Rzeszów",
    "kieleck": "Kielce",
    "olsztynsk": "Olsztyn",
    "opolsk": "Opole",
    "zielonogorsk": "Zielona Góra",
    "radomsk": "Radom",
    "zakopiansk": "Zakopane",
    "czestochowsk": "Częstochowa",
    "gliwick": "Gliwice",
    "tarnowsk": "Tarnów",
    "kolobrzesk": "Kołobrzeg",
    "plock": "Płock",
    "mazursk": "Mazury",
    "bieszczadzk": "Bieszczady",
    "tatrzansk": "Tatry",
    "karkonosk": "Karkonosze",
    "beskidzk": "Beskidy",
    "kaszubsk": "Kaszuby",
    "podhalansk": "Podhale",
    "paryskie": "Paryż",
    "paryski": "Paryż",
    "londynsk": "Londyn",
    "berlinsk": "Berlin",
    "wiedensk": "Wiedeń",
    "rzymsk": "Rzym",
    "prask": "Praga",
})
_ADJECTIVE = regex(rf"(?:{'|'.join(_ADJECTIVES)})(?:i|a|ie|iej|ich|im|iego|iemu|imi)?")


def find_landmark(words: Sequence[Span]) -> tuple[str, int] | None:
    """Return the place that the longest known name at the beginning of ``words`` stands for.

    The second value is how many words the name has.
    """
    table = _table()
    is_likely = bool(words) and words[0].folded in _first_words()
    for size in range(min(LONGEST, len(words)) if is_likely else 0, 0, -1):
        key = " ".join(word.folded for word in words[:size])
        if key in table:
            return table[key], size
    if words and words[0].folded in _CAPITAL:
        return _capital(words[1:])
    return None


def place_of_adjective(word: str) -> str | None:
    """Return the place that a folded adjective is made of: "krakowskim" → Kraków."""
    if not _ADJECTIVE.fullmatch(word):
        return None
    return next(place for stem, place in _ADJECTIVES.items() if word.startswith(stem))


def _capital(after: Sequence[Span]) -> tuple[str, int]:
    """Read "stolicy Francji"; a capital of nothing is the Polish one."""
    for size in range(min(3, len(after)), 0, -1):
        if after[0].is_capitalised:
            country = find_country(" ".join(word.text for word in after[:size]))
            if country is not None and country.capital:
                return country.capital, size + 1
    return _HERE, 1


def town_of(name: str) -> str | None:
    """Return the town that a known district or peak belongs to."""
    return _towns().get(name)


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    text = (files("chatbot.router.detector") / "landmarks.tsv").read_text(encoding="utf-8")
    return tuple(tuple(line.split("\t")) for line in text.splitlines() if not line.startswith("#"))


@cache
def _table() -> Mapping[str, str]:
    return MappingProxyType({
        key: place
        for name, place, forms, _ in _rows()
        for form in (name, *filter(None, forms.split("|")))
        for key in (fold(form), fold(form).replace("-", " "))
    })


@cache
def _towns() -> Mapping[str, str]:
    return MappingProxyType({place: town for _, place, _, town in _rows() if town})


@cache
def _first_words() -> frozenset[str]:
    return frozenset(form.split(" ", 1)[0] for form in _table())
