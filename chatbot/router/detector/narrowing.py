"""Reads what tells a place from its namesakes: "w Dąbrowie, małopolskie", "w Paryżu w USA"."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.countries import Country, find_country
from chatbot.language.patterns import regex
from chatbot.language.voivodeships import find_voivodeship

_VOIVODESHIP = regex(r"\s*[,(]?\s*(?:w\s+)?(?:woj(?:\.|ew\w+)?\s+)?([a-ząćęłńóśźż-]+k(?:ie|im))\b")
_COUNTRY = regex(r"\s+\(?(?:w|we|na)\s+((?:[A-ZŁŚ]\w+ ?){1,2})|\s+\(((?:[A-ZŁŚ]\w+ ?){1,2})\)")


def find_narrowing(name: str, after: str) -> str:
    """Return the voivodeship or country that the words right after a place name; else nothing.

    Args:
        name: The place in its base form; the country that it is in anyway tells nothing.
        after: The prompt from the end of the place on.
    """
    if found := _VOIVODESHIP.match(after):
        return find_voivodeship(found[1]) or ""
    if found := _COUNTRY.match(after):
        country = find_country((found[1] or found[2]).strip())
        return country.name if country and not _is_home(name, country) else ""
    return ""


def _is_home(name: str, country: Country) -> bool:
    return country.capital == name or _homes().get(name) == country.code


@cache
def _homes() -> Mapping[str, str]:
    text = (files("chatbot.router.detector") / "homes.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({town: code for code, towns in rows for town in towns.split("|")})
