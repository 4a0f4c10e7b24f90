"""Which of the places that a reply names a prompt means by its kind: "to miasto", "ta rzeka"."""

import re

from chatbot.language.countries import find_country
from chatbot.language.morphology import morphology
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.mentions import Mention, find_mentions, texts_of, topic_of
from chatbot.router.dialogue.naming import is_person, labels_of
from chatbot.router.dialogue.places import is_place
from chatbot.router.dialogue.scene import Scene

_TOWN = re.compile(
    r"\bt(?:o|a|en|ym|ego|ej) (?:miast\w+|miescie|miasteczk\w+|wies|wsi|wiosk\w+|miejscowosc\w*|"
    r"gmin\w+|osad\w+)\b"
)
_WHERE = re.compile(
    r"\b(?:lez[ya]\w*|powia\w+|powiec\w+|wojewodztw\w+|mieszkanc\w+|gmin\w+|ludnosc\w*)\b"
)
_NATURAL = re.compile(
    r"\bt(?:o|a|en|ym|ego|ej|e) (?:gor[ay]\w*|gorze|szczyt\w*|wysp\w+|jezior\w*|rzek\w*|rzece)\b"
)
_RANGE = re.compile(r"\bt(?:e|ych|ym|ymi) gor(?:y|ach|om|ami)?\b")
_WATER = re.compile(
    r"\bt(?:a|ej|o|ego|ym|en|emu) (?:rzek\w*|rzece|jezior\w*|morz\w*|ocean\w*|zalew\w*|zatok\w*)\b"
)
_ISLAND = re.compile(r"\bt(?:a|ej) wysp\w+\b")
_COUNTRY = re.compile(r"\bt(?:o|en|ym|ego) (?:panstw\w+|kraj\w*)\b")
_ASKED_WHERE = re.compile(
    r"\bgdzie\b|\bskad\b|\b(?:w|z|nad|na|do) (?:jak|ktor)\w+ (?:miast|miesc|miejsc|wojew|kraj|pans)"
)


def place_meant(scene: Scene) -> str | None:
    """Return the place of the last reply that a question about a place means."""
    last, topic = scene.state.last, topic_of(scene)
    if last is not None and (found := _land_meant(scene, f"{last.reply} {last.prompt}")):
        return found
    asked = _TOWN.search(scene.folded) or (
        topic and is_person(topic) and _WHERE.search(scene.folded)
    )
    if topic and is_place(topic) and find_country(topic) is None and _TOWN.search(scene.folded):
        return topic
    if last is None or not asked or (topic and is_place(topic)):
        return None
    places = [one.name for one in find_mentions(last.reply) if one.kind == "place"]
    towns = [one for one in places if find_country(one) is None and one != "Europa"]
    return next(iter(towns), None)


def located_at(scene: Scene) -> str | None:
    """Return the place at which the last reply says that something is, called by its kind.

    After "Big Ben jest w Londynie, nad Tamizą" is "to miasto" London, "ta rzeka" the Thames.
    ``None`` where nobody asked where it is, or where no place stands so in the reply.
    """
    last = scene.state.last
    if last is None or not _ASKED_WHERE.search(fold_evenly(last.prompt)):
        return None
    if _RANGE.search(scene.folded):
        return range_meant(scene)
    kinds = ((_WATER, {"nad"}), (_ISLAND, {"na"}), (_TOWN, {"w", "we", "pod"}))
    before = next((allowed for kind, allowed in kinds if kind.search(scene.folded)), None)
    topic = topic_of(scene) or ""
    named = (one for one in find_mentions(last.reply) if one.name != topic)
    lands = (one for one in named if _is_land(one) and find_country(one.name) is None)
    found = (one.name for one in lands if before and _preposition(last.reply, one) in before)
    return next(found, None)


def range_meant(scene: Scene) -> str | None:
    """Return the mountains that were named: "w tych górach" after "leży w Karkonoszach"."""
    if not _RANGE.search(scene.folded):
        return None
    named = (one for text in texts_of(scene) for one in find_mentions(text) if _is_land(one))
    return next((one.name for one in named if _is_plural(one.name)), None)


def _preposition(text: str, one: Mention) -> str | None:
    before = split_words(text[: one.start])[-1:]
    return before[0].folded if before else None


def _land_meant(scene: Scene, said: str) -> str | None:
    """The country for "to państwo", the only place that is none for "ta góra"."""
    is_natural = _NATURAL.search(scene.folded) is not None
    if not is_natural and not _COUNTRY.search(scene.folded):
        return None
    places = [one.name for one in find_mentions(said) if _is_land(one)]
    if not is_natural:
        return next((one for one in places if find_country(one) is not None), None)
    topic = topic_of(scene)
    if topic and not is_person(topic):
        return None
    found = dict.fromkeys(one for one in places if find_country(one) is None)
    return next(iter(found)) if len(found) == 1 else None


def _is_land(one: Mention) -> bool:
    is_geographic = one.kind == "thing" and "nazwa_geograficzna" in labels_of(one.name)
    return one.kind == "place" or is_geographic


def _is_plural(name: str) -> bool:
    readings = morphology().readings(name.split(" ", 1)[0])
    return any("pl" in one.numbers and "nom" in one.cases for one in readings)
