"""Acronyms and addresses: what takes Polish endings without changing ("ZUS-u"), or none at all."""

from chatbot.language.patterns import regex

_CAPITAL = "A-ZĄĆĘŁŃÓŚŹŻ"
_ENDING = "(?:u|owi|iem|em|m|ie|ów|om|ami|ach|owie|a|ą|ę|y|i|e)"
_INFLECTED = regex(rf"(\w*[{_CAPITAL}]\w?[{_CAPITAL}])(?:[-–’'´]{_ENDING}|(?:u|owi|em|ie|ów|y))\b")
_ADDRESS = regex(r"https?://|\bwww\.|\w@\w|\w\.(?:pl|com|net|org|eu|info)\b")
_LONGEST = 4  # letters of an acronym that is told from a word in capitals


def without_ending(phrase: str) -> str:
    """Return ``phrase`` with the Polish ending of its first word off, if that is an acronym."""
    found = _INFLECTED.match(phrase)
    return phrase if found is None else found[1] + phrase[found.end() :]


def is_acronym(word: str) -> bool:
    """Tell whether a word is short and all in capitals: "LED", "TVP"."""
    return 1 < len(word) <= _LONGEST and word.isupper()


def is_address(phrase: str) -> bool:
    """Tell whether the phrase is, or holds, a web or mail address."""
    return _ADDRESS.search(phrase) is not None
