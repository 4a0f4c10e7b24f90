"""Praise and blame of what was shown or told, which ask for nothing: "ładny ten obrazek"."""

import re

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.drawings.reactions import FRAME, JUDGING
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.scene import Scene

_MAY_DESCRIBE = regex(r"(?:slodk|mil|zabawn|smieszn|straszn|ciekaw|interesujac)\w*")
_EXCLAIMS = regex(
    r"^(?:(?:no|o|wow|oj|och|ach|haha)[ ,!]+)?(?:ale|alez|jak(?:i|a|ie|iz|az)|co za)\b"
)
_OF_TALK = frozenset({
    "czlowiek", "postac", "historia", "kobieta", "facet", "gosc", "miasto", "miejsce", "kraj",
    "zwierze", "ksiazka", "film", "zycie", "zyciorys", "ciekawostka", "odpowiedz", "widok",
})  # fmt: skip
_LONGEST = 7  # words


def is_praise(scene: Scene) -> bool:
    """Whether a prompt only says how something is: words of judgement, and of what they are said.

    "Ładny ten obrazek", "brzydki ten kot" of a picture that has one, "ale słodki kociak". A
    lone "straszny" may be a wish.
    """
    if scene.is_question or not scene.state.turns or scene.size > _LONGEST:
        return False
    words = [word for word in scene.words if word.text[0].isalnum()]
    judging = [word for word in words if JUDGING.fullmatch(word.folded)]
    if len(words) == 1 and _MAY_DESCRIBE.fullmatch(words[0].folded):
        return False
    others = [word for word in words if word not in judging and not FRAME.fullmatch(word.folded)]
    is_exclaimed = _EXCLAIMS.match(scene.folded) is not None
    is_plain = bool(judging) and all(_is_spoken_of(scene, word) for word in others)
    return is_plain or (bool(judging) and is_exclaimed and len(others) == 1 and _is_noun(others[0]))


def _is_spoken_of(scene: Scene, word: Span) -> bool:
    """Whether a noun is what the reply gave: a picture, a thing in it, what was told."""
    if re.fullmatch(MEDIUM, word.folded) or nouns_of(word.text) & _OF_TALK:
        return True
    shown = scene.state.pictures[0] if scene.state.pictures else ""
    there = frozenset().union(*(nouns_of(one.text) for one in split_words(shown)))
    return bool(nouns_of(word.text) & there)


def _is_noun(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return not readings or any(one.pos == "subst" and "nom" in one.cases for one in readings)
