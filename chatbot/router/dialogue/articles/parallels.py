"""A strange name that takes the place of another in the last question: "a Watsona?"."""

import re

from chatbot.language.countries import find_country
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.articles.called import name_meant
from chatbot.router.dialogue.mentions import find_mentions
from chatbot.router.dialogue.scene import Scene

_ONLY = regex(
    r"(?:(?:no|ok|okej|dobra|aha)[, ]+)?(?:a|i|oraz) "
    r"([A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+)?)\s*\?*$",
    re.IGNORECASE,
)
_BEING = frozenset({"byl", "byla", "bylo", "jest", "sa", "zostal", "zostala", "to"})
_CASES = (("em", "przed"), ("owi", "ku"), ("ą", "przed"), ("ę", "przez"))


def parallel_name(scene: Scene) -> str | None:
    """Return the base form of a name that is all of a prompt, in the case of the one before it.

    "Kim był Conan Doyle?" makes "a Dior?" a nominative, "Kto grał Sherlocka?" makes "a Watsona?"
    an accusative. ``None`` where the dictionary knows the name, or the conversation has it.
    """
    only = _ONLY.match(scene.text.strip())
    last = scene.state.last
    if only is None or last is None or name_meant(scene) is not None:
        return None
    if not all(word[:1].isupper() for word in only[1].split()) or all(
        map(_may_be_base, only[1].split())
    ):
        return None
    return _as_before(only[1], last.prompt)


def _may_be_base(word: str) -> bool:
    return any("nom" in one.cases for one in morphology().readings(word))


def _as_before(name: str, question: str) -> str | None:
    if (country := find_country(name)) is not None:
        return country.name
    words = split_words(question)
    if len(words) > 1 and words[0].folded == "kto" and words[1].folded not in _BEING:
        return lemmatise(name, kind="person", preposition="przez")
    for one in find_mentions(question):
        form = question[one.start : one.end]
        if form == one.name:
            return name
        if one.kind == "person":
            case = next((case for end, case in _CASES if form.endswith(end)), "do")
            return lemmatise(name, kind="person", preposition=case)
    return None
