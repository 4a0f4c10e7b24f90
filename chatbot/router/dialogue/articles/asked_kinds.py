"""The noun under which a question named what it asks about: "statek" of "gdzie stoi statek Fram?".

A picture of it needs the noun ("Fram" alone is no ship), and a pronoun may agree with it alone.
"""

from itertools import pairwise

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.mentions import nouns_of, shares_word, topic_of
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA

_PRONOUNS = (
    (regex(r"\b(?:on|jego|niego)\b"), "mn"),
    (regex(r"\b(?:go|mu|nim)\b"), "mn"),
    (regex(r"\b(?:ona|jej|niej|nia)\b"), "f"),
    (regex(r"\bja\b"), "f"),
    (regex(r"\bono\b"), "n"),
)
_UNSEEN = frozenset({
    "film", "ksiazka", "powiesc", "serial", "piosenka", "utwor", "wiersz", "album", "sztuka",
    "dramat", "opera", "bajka", "basn", "gra", "zespol", "grupa", "klub", "druzyna", "firma",
    "haslo", "artykul", "slowo", "nazwa", "plyta", "musical", "balet", "kabaret", "partia",
    "bitwa", "wojna", "powstanie", "rok", "wiek", "imie", "nazwisko",
})  # fmt: skip
"""What a name can name that no picture shows under its noun."""


def named_by_kind(scene: Scene, topic: str) -> str:
    """Return a topic behind the noun of the question that asked about it, where a picture needs it.

    Persons and works stay as they are, and what has the noun in its own name.
    """
    kind = _kind(scene, topic)
    bare = topic.partition(" (")[0]
    return f"{kind} {bare}" if kind is not None else bare


def meant_by_kind(scene: Scene) -> str | None:
    """Return the last topic where its noun is the one with which the prompt's pronoun agrees."""
    topic = topic_of(scene)
    kind = _kind(scene, topic) if topic else None
    if topic is None or kind is None:
        return None
    wanted = next((one for pattern, one in _PRONOUNS if pattern.search(scene.folded)), "")
    genders = {
        gender[0]
        for one in readings_of(kind)
        if one.pos == "subst" and "nom" in one.cases and "sg" in one.numbers
        for gender in one.genders
    }
    return named_by_kind(scene, topic) if genders & set(wanted) else None


def _kind(scene: Scene, topic: str) -> str | None:
    """The common noun at once before the topic's name in the question that looked it up."""
    bare = topic.partition(" (")[0]
    if is_person(bare):
        return None
    asked = (
        turn.prompt
        for turn in reversed(scene.state.turns)
        if any(one.name == WIKIPEDIA and topic in one.arguments.values() for one in turn.calls)
    )
    words = split_words(next(asked, ""))
    for word, after in pairwise(words):
        is_name = after.is_capitalised and shares_word(bare, after.text)
        if is_name and word.text.islower() and not nouns_of(word.text) & nouns_of(bare):
            return _noun(word.text)
    return None


def _noun(word: str) -> str | None:
    """The base form of a noun that says what a thing is: no role, no deed."""
    for one in readings_of(word):
        if one.pos == "subst" and one.lemma.islower():
            is_shown = fold(one.lemma) not in _UNSEEN and "m1" not in one.genders
            return one.lemma if is_shown else None
    return None
