"""A Polish–English glossary of the words that pictures are described with."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_TABLE = "glossary.tsv"
_IRREGULAR = MappingProxyType({
    "man": "men", "woman": "women", "child": "children", "person": "people", "mouse": "mice",
    "goose": "geese", "foot": "feet", "tooth": "teeth", "leaf": "leaves", "wolf": "wolves",
    "knife": "knives", "shelf": "shelves", "loaf": "loaves", "calf": "calves", "half": "halves",
    "thief": "thieves", "scarf": "scarves", "elf": "elves", "dwarf": "dwarfs", "roof": "roofs",
    "ox": "oxen", "piano": "pianos", "photo": "photos", "logo": "logos", "hero": "heroes",
    "potato": "potatoes", "tomato": "tomatoes", "fungus": "fungi", "cactus": "cacti",
})  # fmt: skip
_UNCOUNTABLE = frozenset({
    "deer", "sheep", "moose", "bison", "fish", "salmon", "carp", "trout", "grass", "water", "snow",
    "rain", "moss", "bread", "music", "hair", "jewellery", "lightning", "bamboo", "corn", "fire",
    "clothes", "trousers", "jeans", "glasses", "dumplings", "French fries", "stairs", "food",
    "lily of the valley", "ice cream", "furniture", "stained glass", "sand",
})  # fmt: skip
_DOUBLED = frozenset({
    "sit", "run", "swim", "hug", "cut", "dig", "get", "put", "stop", "chat", "begin", "nod",
})  # fmt: skip


@cache
def glosses() -> Mapping[tuple[str, str], str]:
    """Return the English of every entry by its part of speech (one letter) and Polish lemma."""
    text = (files("chatbot.language") / _TABLE).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({(part, polish): english for part, polish, english in rows})


@cache
def phrases() -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """Return the phrases of several words by the first one, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for (part, polish), english in glosses().items():
        words = tuple(polish.lower().split())
        if part == "x" or (part == "p" and len(words) > 1):
            found.setdefault(words[0], []).append((words, english))
    for rows in found.values():
        rows.sort(key=lambda row: -len(row[0]))
    return MappingProxyType(found)


def pluralise(noun: str) -> str:
    """Return the plural of an English noun, of its last word: "tree house" → "tree houses"."""
    if noun in _UNCOUNTABLE:
        return noun
    head, space, last = noun.rpartition(" ")
    if " of " in noun:
        first, _, rest = noun.partition(" of ")
        return f"{pluralise(first)} of {rest}"
    if last in _IRREGULAR:
        plural = _IRREGULAR[last]
    elif last in _UNCOUNTABLE:
        plural = last
    elif last.endswith(("s", "x", "z", "ch", "sh")):
        plural = f"{last}es"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        plural = f"{last[:-1]}ies"
    elif last.endswith("man"):
        plural = f"{last[:-3]}men"
    else:
        plural = f"{last}s"
    return f"{head}{space}{plural}"


def present_participle(verb: str) -> str:
    """Return the form in -ing of an English verb: "ride" → "riding", "sit" → "sitting"."""
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    if verb == "lie":
        return "lying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{verb}ing"
