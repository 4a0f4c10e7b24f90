"""Put a place into another case, and say where something is: "w Łodzi", "na Helu"."""

import re

from chatbot.language.guesses import guess_locative
from chatbot.language.morphology import Case, morphology
from chatbot.language.patterns import regex
from chatbot.language.phrases import parse_phrase, write_phrase
from chatbot.language.pieces import split_phrase
from chatbot.language.places import gazetteer

_BEFORE_CLUSTER = regex(r"[wf][^aeiouyąęó\W\d_]|lw[^\W\d_]", re.IGNORECASE)
_SURE = 3.0  # a reading that costs more is a guess
_ON = regex(
    r"(?:wysp\w+|półwys\w+|mierzej\w+|pustyni\w*|równin\w+|pogórz\w+|wyżyn\w+|nizin\w+|"
    r"przełęcz\w*|plaż\w+|stacj\w+|lotnisk\w+|ulic\w+|plac\w*|rynk\w+)\b",
    re.IGNORECASE,
)


def inflect_locative(name: str) -> str:
    """Return a place's name in the locative: "Lądek-Zdrój" → "Lądku-Zdroju".

    A name that does not inflect, or that cannot be read, comes back unchanged.
    """
    return _inflected(name, "loc") or name


def of_place(name: str) -> str:
    """Return a place's name in the genitive, as after "dla": "Lądka-Zdroju", "Olsztyna".

    A name that neither the tables nor the dictionary know is introduced instead of inflected:
    "miejscowości Hogsmeade".
    """
    return _inflected(name, "gen") or f"miejscowości {name}"


def in_place(name: str) -> str:
    """Say where: "w Lądku-Zdroju", "we Wrocławiu", "na Helu", "nad Morskim Okiem".

    A name that neither the tables nor the dictionary know is introduced instead of inflected:
    "w miejscowości Hogsmeade".
    """
    place = gazetteer().find(name)
    if place is not None and place.preposition == "nad":
        return f"nad {place.forms['inst']}"
    locative = _inflected(name, "loc")
    if locative is None:
        return f"w miejscowości {name}"
    preposition = place.preposition if place is not None else _guess_preposition(locative)
    return f"{preposition or _with_cluster(locative)} {locative}"


def _guess_preposition(locative: str) -> str:
    return "na" if _ON.match(locative) else ""


def _with_cluster(word: str) -> str:
    return "we" if _BEFORE_CLUSTER.match(word) else "w"


def _inflected(name: str, case: Case) -> str | None:
    place = gazetteer().find(name)
    if place is not None:
        return place.forms[case]
    words = morphology()
    pieces, rest = split_phrase(words, name)
    parse = parse_phrase(pieces, kind="place", cases=(("nom", 0.0),))
    if parse is not None and parse.cost < _SURE:
        written = write_phrase(words, pieces, parse, case)
        if written is not None:
            return written + rest
    return guess_locative(name) if case == "loc" else None
