"""Which of the places that a reply names a prompt means by its kind: "to miasto", "ta rzeka"."""

import re

from chatbot.language.countries import find_country
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.mentions import Mention, find_mentions, texts_of, topic_of
from chatbot.router.dialogue.naming import is_person, labels_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import NEEDED, WEATHER

_TOWN = regex(
    r"\b(?:t(?:o|a|en|ym|ego|ej)|co to za|jakie to) "
    r"(?:miast\w+|miescie|miasteczk\w+|wies|wsi|wiosk\w+|miejscowosc\w*|gmin\w+|osad\w+)\b"
)
_WHERE = regex(
    r"\b(?:lez[ya]\w*|powia\w+|powiec\w+|wojewodztw\w+|mieszkanc\w+|gmin\w+|ludnosc\w*)\b"
)
_NATURAL = regex(
    r"\bt(?:o|a|en|ym|ego|ej|e) (?:gor[ay]\w*|gorze|szczyt\w*|wysp\w+|jezior\w*|rzek\w*|rzece)\b"
)
_RANGE = regex(r"\bt(?:e|ych|ym|ymi) gor(?:y|ach|om|ami)?\b")
_WATER = regex(
    r"\b(?:uchodzi|wpada|doplyw\w*|dorzecz\w+)\b|"
    r"\bt(?:a|ej|o|ego|ym|en|emu) (?:rzek\w*|rzece|jezior\w*|morz\w*|ocean\w*|zalew\w*|zatok\w*)\b"
)
_WATERS = regex(r"(?:morze|ocean|jezioro|zalew|zatoka)\b", re.IGNORECASE)
_RANGES = frozenset({
    "Tatry", "Sudety", "Karkonosze", "Bieszczady", "Beskidy", "Beskid", "Karpaty", "Alpy",
    "Pieniny", "Góry", "Gorce", "Himalaje", "Andy", "Pireneje",
})  # fmt: skip
_ISLAND = regex(r"\bt(?:a|ej) wysp\w+\b")
_COUNTRY = regex(r"\bt(?:o|en|ym|ego|emu) (?:panstw\w*|kraj\w*)\b")
_OF_COUNTRIES = regex(
    r"\b(?:walut\w*|hymn\w*|flag[aieę]\w*|kto (?:\w+ ){0,2}prezydent\w*|premier\w*|krol\w*|rzadzi|"
    r"jezyk\w*|graniczy|sasiad\w*|niepodlegl\w+)\b"
)
_SHE = regex(r"\b(?:ona|on|jej|jego|niej|nim)\b")
_FEW = 7  # words
_ASKED_WHERE = regex(
    r"\bgdzie\b|\bskad\b|\b(?:w|z|nad|na|do) (?:jak|ktor)\w+ (?:miast|miesc|miejsc|wojew|kraj|pans|"
    r"morz|rzek|jezior|ocean|wysp)"
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
    if last is None:
        return None
    if (found := _country_meant(scene)) is not None or _RANGE.search(scene.folded):
        return found or range_meant(scene)
    topic = topic_of(scene) or ""
    if not _ASKED_WHERE.search(fold_evenly(last.prompt)):
        return _town_before(scene) if is_person(topic) else None
    beside = () if is_place(topic) else ("nad",)
    kinds = ((_WATER, {"nad"}), (_ISLAND, {"na"}), (_TOWN, {"w", "we", "pod", *beside}))
    meant = ((kind, allowed) for kind, allowed in kinds if kind.search(scene.folded))
    kind, before = next(meant, (None, frozenset[str]()))
    named = [one for one in find_mentions(last.reply) if one.name != topic]
    places = (one for one in named if _may_be(one, kind) and find_country(one.name) is None)
    return next((one.name for one in places if _preposition(last.reply, one) in before), None)


def _town_before(scene: Scene) -> str | None:
    """The town whose weather was told before somebody was spoken of."""
    last = scene.state.last
    is_told = last is not None and any(one.kind == "place" for one in find_mentions(last.reply))
    towns = scene.state.values(WEATHER, NEEDED[WEATHER])
    return next(iter(towns), None) if _TOWN.search(scene.folded) and not is_told else None


def _may_be(one: Mention, kind: re.Pattern[str] | None) -> bool:
    is_water = _WATERS.search(one.name) is not None
    if kind is _TOWN:
        return _is_land(one) and not is_water and one.name.split(" ", 1)[0] not in _RANGES
    return _is_land(one) or (kind is _WATER and is_water)


def _country_meant(scene: Scene) -> str | None:
    """The country for "ten kraj"; the topic where only a country has what is asked for.

    After the reply that Helsinki is the capital of Finland, "jaka tam waluta?" is Finland's.
    """
    last, topic = scene.state.last, topic_of(scene)
    is_country = topic is not None and find_country(topic) is not None
    if _COUNTRY.search(scene.folded) and last is not None:
        said = (one.name for text in (last.reply, last.prompt) for one in find_mentions(text))
        told = next((one for one in said if find_country(one) is not None), None)
        return topic if is_country else told
    is_asked = is_country and _OF_COUNTRIES.search(scene.folded) is not None
    is_short = scene.size <= _FEW and not find_mentions(scene.text)
    return topic if is_asked and is_short and not _SHE.search(scene.folded) else None


def range_meant(scene: Scene) -> str | None:
    """Return the mountains that were named: "w tych górach" after "leży w Karkonoszach"."""
    if not _RANGE.search(scene.folded):
        return None
    named = [(text, one) for text in texts_of(scene) for one in find_mentions(text)]
    ranges = [(text, one) for text, one in named if _is_land(one) and _is_plural(one.name)]
    inside = [one.name for text, one in ranges if _preposition(text, one) in {"w", "we"}]
    return next(iter((*inside, *(one.name for _, one in ranges))), None)


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
