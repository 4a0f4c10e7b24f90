"""Reads what tells a place from its namesakes: "w Dąbrowie, małopolskie", "w Paryżu w USA"."""

import re

from chatbot.language.countries import find_country
from chatbot.language.voivodeships import find_voivodeship

_VOIVODESHIP = re.compile(
    r"\s*[,(]?\s*(?:w\s+)?(?:woj(?:\.|ew\w+)?\s+)?([a-ząćęłńóśźż-]+k(?:ie|im))\b"
)
_COUNTRY = re.compile(r"\s+\(?(?:w|we|na)\s+((?:[A-ZŁŚ]\w+ ?){1,2})|\s+\(((?:[A-ZŁŚ]\w+ ?){1,2})\)")


def find_narrowing(after: str) -> str:
    """Return the voivodeship or country that the words right after a place name; else nothing.

    Args:
        after: The prompt from the end of the place on.
    """
    if found := _VOIVODESHIP.match(after):
        return find_voivodeship(found[1]) or ""
    if found := _COUNTRY.match(after):
        country = find_country((found[1] or found[2]).strip())
        return country.name if country else ""
    return ""
