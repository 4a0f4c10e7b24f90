"""Whom or what of an article's reply a picture is to show: "narysuj go", "jej męża"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.articles.asked_kinds import meant_by_kind
from chatbot.router.dialogue.articles.referents import answer_meant, pronoun_meant
from chatbot.router.dialogue.articles.roles import kin_meant, role_meant
from chatbot.router.dialogue.articles.surroundings import located_at, place_meant
from chatbot.router.dialogue.forecasts.places import latest
from chatbot.router.dialogue.mentions import find_mentions, nouns_of, topic_of
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA

_KIN = regex(r"\b(?:jej|jego|ich) (maz|mez\w+|zon\w+|syn\w*|cork\w+|brat\w*|siostr\w+|ojc\w+)\b")
_BOTH = regex(
    r"\b(?:ich|oboje|obydwoje|obu|je|ja) (?:\w+ )?(?:razem|oboje|obydwoje)\b|\bich oboje\b"
)
_PLACE = regex(r"\bt(?:o|a|e|en|ej|ego) (?:miast|miejsc|wies|wsi|rzek|gor|wysp|jezior|kraj)\w*")
_POINTS = regex(r"\b(?:go|ja|jego|ich|on|ona|jej)\b|\bt(?:ego|e|ych) \w{4,}")
_PAIR = 2


def portrayed(scene: Scene) -> str | None:
    """Return what is meant besides the topic; ``None``: the topic itself, or nothing.

    After penicillin is "go" its discoverer; "jej męża" and "to miasto" are as the reply tells.
    """
    topic = topic_of(scene)
    if topic is None or not scene.is_active(WIKIPEDIA) or not _may_point(scene.folded):
        return None
    if _BOTH.search(scene.folded) is not None:
        return _both(scene, topic)
    if (kin := _KIN.search(scene.folded)) is not None:
        return kin_meant(scene, nouns_of(scene.text[slice(*kin.span(1))]))
    if _PLACE.search(scene.folded) is not None:
        meant = (located_at(scene), place_meant(scene), *latest(scene.state)[:1])
        return next((one for one in meant if one and one != topic), None)
    found = meant_by_kind(scene) or role_meant(scene) or answer_meant(scene)
    return found or (None if is_person(topic) else pronoun_meant(scene))


def _may_point(folded: str) -> bool:
    return any(one.search(folded) for one in (_BOTH, _KIN, _PLACE, _POINTS))


def _both(scene: Scene, topic: str) -> str | None:
    """The topic and the other person whom the reply names, or the two that it names."""
    last = scene.state.last
    named = find_mentions(last.reply) if last is not None else ()
    first = (topic,) if is_person(topic) else ()
    people = dict.fromkeys((*first, *(one.name for one in named if one.kind == "person")))
    return " i ".join(people) if len(people) == _PAIR else None
