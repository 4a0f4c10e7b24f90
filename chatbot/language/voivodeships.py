"""The sixteen Polish voivodeships: what services call them, and how one says it."""

from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.patterns import regex

VOIVODESHIPS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType({
    "dolnośląskie": ("Wrocław", ("lower silesia", "lower silesian")),
    "kujawsko-pomorskie": ("Bydgoszcz", ("kuyavian-pomeranian", "kuyavia-pomerania")),
    "lubelskie": ("Lublin", ("lublin",)),
    "lubuskie": ("Zielona Góra", ("lubusz",)),
    "łódzkie": ("Łódź", ("lodz",)),
    "małopolskie": ("Kraków", ("lesser poland",)),
    "mazowieckie": ("Warszawa", ("masovian", "mazovia", "mazovian", "masovia")),
    "opolskie": ("Opole", ("opole",)),
    "podkarpackie": ("Rzeszów", ("subcarpathian", "subcarpathia")),
    "podlaskie": ("Białystok", ("podlasie", "podlachia")),
    "pomorskie": ("Gdańsk", ("pomeranian", "pomerania")),
    "śląskie": ("Katowice", ("silesian", "silesia")),
    "świętokrzyskie": ("Kielce", ("holy cross", "swietokrzyskie")),
    "warmińsko-mazurskie": ("Olsztyn", ("warmian-masurian", "warmia-masuria")),
    "wielkopolskie": ("Poznań", ("greater poland",)),
    "zachodniopomorskie": ("Szczecin", ("west pomeranian", "west pomerania")),
})
"""Polish adjective (neuter): its capital (one of two), and English names, folded."""

_FRAME = regex(r"\b(?:wojewodztw\w+|woj\.?|voivodeship|province)(?!\w)")
_INFLECTED = regex(r"kim$|kiego$")
_BY_NAME: Mapping[str, str] = MappingProxyType({
    key: adjective
    for adjective, (_, english) in VOIVODESHIPS.items()
    for key in (fold(adjective), *english)
})


def find_voivodeship(text: str) -> str | None:
    """Return the adjective that names a voivodeship, however a service or a person wrote it.

    "Masovian Voivodeship", "województwo mazowieckie", "woj. mazowieckim" → "mazowieckie".
    """
    name = " ".join(_FRAME.sub(" ", fold(text)).split())
    return _BY_NAME.get(name) or _BY_NAME.get(_INFLECTED.sub("kie", name))


def in_voivodeships(adjectives: tuple[str, ...]) -> str:
    """Say "in these voivodeships": "w województwie łódzkim", "w województwach łódzkim i opolskim".

    Raises:
        ValueError: there is none.
    """
    if not adjectives:
        raise ValueError("no voivodeship to name")
    *first, last = (f"{adjective.removesuffix('e')}m" for adjective in adjectives)
    if not first:
        return f"w województwie {last}"
    return f"w województwach {', '.join(first)} i {last}"
