"""Whom or what a prompt means of all that its conversation has named."""

import re

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.articles.called import name_meant
from chatbot.router.dialogue.articles.pointing import (
    is_other_alone,
    other_meant,
    phrase_at,
    thing_meant,
)
from chatbot.router.dialogue.articles.siblings import sibling_meant
from chatbot.router.dialogue.articles.surroundings import place_meant
from chatbot.router.dialogue.mentions import (
    Mention,
    find_mentions,
    shares_word,
    topic_of,
)
from chatbot.router.dialogue.naming import gender_of, is_first_name, is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import IMAGE
from chatbot.router.dialogue.subjects import genders_of_verbs

_LIVING = regex(
    r"\b(?:pochow\w+|urodzil\w*|zmarl\w*|umarl\w*|zginal|zginela|pochowan\w*|"
    r"(?<!gdzie )(?<!dlugo )(?<!lat )zyje|zyl|zyla|zon[aey]|maz|meza|"
    r"dzieci|ozenil\w*|studiowal\w*|ksztalcil\w*|zasiadl\w*)\b"
)
_PERSONAL = regex(r"\b(?:on|ona)\b")
_HE = regex(r"\b(?:on|jego|niego|jemu)\b")
_SHE = regex(r"\b(?:ona|jej|niej|nia|she|her)\b")
_IT = regex(r"\b(?:go|mu|nim)\b")
_HER = regex(r"\bją\b|\bja\b(?= \w+(?:l|la|li|no|to|a)\b)")
_SUPERLATIVE = regex(r"^(?:pierwsz|ostatni|naj)\w*", re.IGNORECASE)


def referent(scene: Scene) -> str | None:
    """Return whom or what the prompt means, where it says so by more than leaving it out."""
    rules = (called_meant, other_meant, place_meant, pronoun_meant, answer_meant)
    return next((found for rule in rules if (found := rule(scene)) is not None), None)


def called_meant(scene: Scene) -> str | None:
    """Return what a word of the prompt means of all that was said: a name, a noun, an order."""
    if is_other_alone(scene) and (other := other_meant(scene)) is not None:
        return other
    return name_meant(scene) or thing_meant(scene) or sibling_meant(scene)


def pronoun_meant(scene: Scene) -> str | None:
    """Return the latest name that agrees with a pronoun, where the topic does not."""
    wanted, is_human = _wanted(scene)
    topic, last = topic_of(scene), scene.state.last
    if last is None or (wanted is None and not is_human):
        return None
    if scene.is_active(IMAGE) and not is_human:
        return _shown(scene, wanted)
    is_work = any(
        one.kind == "work" and shares_word(one.name, topic.split(" ", 1)[0])
        for one in find_mentions(last.reply)
        if topic
    )
    if topic and is_person(topic) and not is_work and wanted in {None, gender_of(topic)}:
        return topic
    is_human = is_human or _PERSONAL.search(scene.folded) is not None
    named = [one for one in find_mentions(last.reply) if _may_be(one, wanted, is_human=is_human)]
    named.sort(key=lambda one: shares_word(last.prompt, one.name.split(" ", 1)[0]))
    full = [one for one in named if " " in one.name and one.kind == "person"]
    if is_human and full:
        return full[0].name
    if topic and _agrees(topic, wanted, is_human=False):
        return topic
    return named[0].name if named else None


def agrees_with_topic(scene: Scene) -> bool:
    """Return whether what was looked up last has the gender of the prompt's pronoun."""
    topic = topic_of(scene)
    return topic is not None and _agrees(topic, _wanted(scene)[0], is_human=False)


def _shown(scene: Scene, wanted: str | None) -> str | None:
    """The first thing in the last picture that agrees."""
    picture = scene.state.pictures[0].rpartition(": ")[2]
    words = split_words(picture)
    for at, word in enumerate(words):
        if any(one.pos == "subst" for one in morphology().readings(word.text)):
            found = phrase_at(picture, words, at)
            return found if _agrees(found, wanted, is_human=False) else None
    return None


def answer_meant(scene: Scene) -> str | None:
    """Return the name that the reply gave where only a description was asked for."""
    topic, last = topic_of(scene), scene.state.last
    if topic is None or last is None or _SUPERLATIVE.match(topic) is None:
        return None
    if any(word.is_capitalised for word in split_words(topic)[:1]):
        return None
    known = fold(topic)
    return next(
        (one.name for one in find_mentions(last.reply) if fold(one.name) not in known), None
    )


def _wanted(scene: Scene) -> tuple[str | None, bool]:
    """The gender that the pronouns ask for, and whether only a person can be meant."""
    is_human = _LIVING.search(scene.folded) is not None
    if _HE.search(scene.folded) or _IT.search(scene.folded):
        return "m", is_human
    if _SHE.search(scene.folded) or _HER.search(scene.text.lower()):
        return "f", is_human
    told = genders_of_verbs(scene.text) if is_human else frozenset()
    return (next(iter(told)) if len(told) == 1 else None), is_human


def _may_be(one: Mention, wanted: str | None, *, is_human: bool) -> bool:
    if is_human and one.kind != "person":
        return False
    if one.kind == "person" and not is_first_name(one.name.split(" ", 1)[0]):
        return wanted in {None, gender_of(one.name)}
    return one.kind != "place" and _agrees(one.name, wanted, is_human=is_human)


def _agrees(name: str, wanted: str | None, *, is_human: bool) -> bool:
    """Whether a name has the gender that is wanted; of some things nobody knows it."""
    if is_person(name) or (" " in name and not morphology().is_known(name.split(" ", 1)[0])):
        return wanted in {None, gender_of(name)} or not is_first_name(name.split(" ", 1)[0])
    if is_human and not is_first_name(name.split(" ", 1)[0]):
        return False
    genders = _genders(name)
    return wanted is None or not genders or wanted in genders or (wanted == "m" and "n" in genders)


def _genders(name: str) -> frozenset[str]:
    """The genders that the first noun of a name can have in the nominative."""
    for word in split_words(name):
        readings = [one for one in morphology().readings(word.text) if one.pos in {"subst", "ger"}]
        found = {gender[0] for one in readings if "nom" in one.cases for gender in one.genders}
        if found:
            return frozenset(found)
    return frozenset()
