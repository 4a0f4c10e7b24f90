"""The topic that a prompt puts before its question: "Bajki robotów ile mają części?"."""

import re
from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.full_names import known_in_full
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.articles.siblings import siblings
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.forecasts.weather_words import names_weather
from chatbot.router.dialogue.mentions import mentioned_in, shares_word, topic_of
from chatbot.router.dialogue.naming import is_first_name, is_surname
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WEATHER, WIKIPEDIA
from chatbot.router.dialogue.subjects import is_relation

_OPENED = regex(
    r"(?:(?:no|a|i|to|ok|okej|dobra|dobrze|aha|hmm|oraz|super|fajnie|git|spoko|luz|jasne|dzięki|"
    r"dzieki|rozumiem|ekstra|świetnie|swietnie|mhm|kurczę|kurcze)[,.! ]+)*",
    re.IGNORECASE,
)
_ASKS = regex(
    r"(?<!\w)(?:to )?(?:(?:w|we|na|z|ze|o|od|do|za|po|u|przez) )?"
    r"(?:kto|kogo|komu|kim|co|czego|czym|gdzie|skąd|skad|kiedy|ile|ilu|jak|jaki\w*|jaka|jaką|"
    r"któr\w+|ktor\w+|czy|dlaczego|czemu)\b",
    re.IGNORECASE,
)
_END = regex(r"[ ?!.…]*$")
_ADVERB = regex(
    r" (?:też|tez|również|rowniez|także|takze|wcześniej|wczesniej|później|pozniej|dziś|dzis|teraz|"
    r"tak samo|podobnie|razem|już|juz|jeszcze)$",
    re.IGNORECASE,
)
_AND = regex(r" (?:i|oraz) ")
_THINGS = frozenset({"nazwa_własna_astronomiczna", "nazwa_geograficzna"})
_DETERMINERS = frozenset({
    "ten",
    "ta",
    "to",
    "te",
    "ci",
    "tyn",
    "tamten",
    "tamta",
    "tamto",
    "tamte",
    "sam",
    "sama",
    "samo",
    "same",
    "taki",
    "taka",
    "takie",
    "moj",
    "moja",
    "moje",
    "inny",
    "inna",
    "inne",
    "jeden",
    "jedna",
    "jedno",
    "pierwszy",
    "pierwsza",
    "drugi",
    "druga",
    "wszystkie",
    "jakis",
    "jakas",
    "jakies",
    "ktos",
    "cos",
    "kazdy",
    "kazda",
    "kazde",
    "nikt",
    "nic",
})
_POINTS = regex(r"\b(?:tam|nim|niej|nich|go|jego|jej|ich|nia)\b")
_LONGEST, _PAIRED = 4, 3  # words of a topic, and of one of two
_SHORTEST = 5  # letters of a name in small letters


def fronted_topic(scene: Scene) -> str | None:
    """Return the noun phrase of several words, or the name, that stands before a question word.

    "Stan wojenny ile trwał?", "a Radwańska kiedy zaczęła grać?". ``None`` for a relation
    ("syn do kiedy żył?"), for a noun alone, and for what takes up the topic ("zamek ile ma wież?").
    """
    if not (scene.is_active(WIKIPEDIA) or scene.is_active(WEATHER)):
        return None
    start = _opening(scene)
    asked = next(_ASKS.finditer(scene.text, start), None)
    if asked is None or asked.start() == start:
        return None
    phrase = scene.text[start : asked.start()].strip(" ,")
    words = split_words(phrase)
    if not scene.is_active(WIKIPEDIA):
        return _strange_name(scene, words)
    if not 1 <= len(words) <= _LONGEST or _AND.search(phrase) or not _is_topic(scene, words):
        return None
    topic = topic_of(scene) or ""
    if any(shares_word(topic, word.text) for word in words):
        return None
    return _base(scene, phrase)


def _strange_name(scene: Scene, words: Sequence[Span]) -> str | None:
    """A single word that no dictionary has and that is no place, after a forecast: "falubaz"."""
    is_one = len(words) == 1 and words[0].text.isalpha() and len(words[0].text) >= _SHORTEST
    if not is_one or morphology().is_known(words[0].text) or is_place(words[0].text.capitalize()):
        return None
    return None if names_weather(scene) else words[0].text.capitalize()


def fronted_pair(scene: Scene) -> tuple[str, str] | None:
    """Return the two names that are all of a question, or stand before its question word.

    "A Wajda i Polański to jaką szkołę kończyli?", "Bratysława i Budapeszt?", "a perski i
    brytyjski?". First names alone are one couple: "a Romeo i Julia?".
    """
    if not scene.is_active(WIKIPEDIA):
        return None
    start = _opening(scene)
    asked = next(_ASKS.finditer(scene.text, start), None)
    end = asked.start() if asked is not None else len(scene.text)
    phrase = _ADVERB.sub("", _END.sub("", scene.text[start:end])).strip(" ,")
    parts = _AND.split(phrase)
    if len(parts) != 2 or (asked is None and "?" not in scene.text[start:]):  # noqa: PLR2004
        return None
    one, other = (split_words(part) for part in parts)
    if not (1 <= len(one) <= _PAIRED and 1 <= len(other) <= _PAIRED) or _is_said(scene, phrase):
        return None
    if (kin := _siblings(scene, (one, other))) is not None:
        return kin
    if not (may_be_topic(one) and may_be_topic(other)) or _is_couple(one, other):
        return None
    return _base(scene, parts[0]), _base(scene, parts[1])


def may_be_topic(words: Sequence[Span]) -> bool:
    """Return whether words begin with a nominative that may be a topic, or with a strange word."""
    for word in words:
        readings = readings_of(word.text)
        if not readings:
            return word.text.isalpha()
        if word.folded in _DETERMINERS or any(
            one.pos in {"prep", "fin", "praet", "impt", "conj", "ppron3", "adv"} for one in readings
        ):
            return False
        nouns = [one for one in readings if one.pos in {"subst", "ger"} and "nom" in one.cases]
        if nouns:
            return not _is_relation(word.text)
        if not any(one.pos in {"adj", "ppas"} and "nom" in one.cases for one in readings):
            return False
    return False


def _opening(scene: Scene) -> int:
    opened = _OPENED.match(scene.text)
    return opened.end() if opened is not None else 0


def _is_topic(scene: Scene, words: Sequence[Span]) -> bool:
    """Whether words are a name, or a noun with what belongs to it, in the nominative."""
    if any(not word.text[0].isalnum() for word in words) or _is_relation(words[0].text):
        return False
    if len(words) > 1:
        return may_be_topic(words) and all(_belongs(word) for word in words[1:])
    (word,) = words
    return word.is_capitalised and _is_surname(word.text) and not _POINTS.search(scene.folded)


def _is_relation(word: str) -> bool:
    """Whether a noun lacks its other end; an animal's is not a man's alone: "wieloryb"."""
    return is_relation(word) and not any("m2" in one.genders for one in readings_of(word))


def _belongs(word: Span) -> bool:
    """Whether a word can belong to the noun before it: "robotów", "wojenny", a name."""
    readings = readings_of(word.text)
    if word.folded in _DETERMINERS or any(one.pos in {"fin", "praet"} for one in readings):
        return False
    return not readings or any(
        one.pos in {"adj", "ppas"} or (one.pos in {"subst", "ger"} and "gen" in one.cases)
        for one in readings
    )


def _is_surname(word: str) -> bool:
    is_one = is_surname(word) or not morphology().is_known(word)
    return is_one and not word.endswith("owi")


def _is_couple(one: Sequence[Span], other: Sequence[Span]) -> bool:
    """Whether two first names are said, and not two planets or places: "Jowisz i Saturn"."""
    are_names = all(len(words) == 1 and is_first_name(words[0].text) for words in (one, other))
    return are_names and not (_is_thing(one[0].text) and _is_thing(other[0].text))


def _is_thing(word: str) -> bool:
    return any(one.labels & _THINGS for one in readings_of(word))


def _is_said(scene: Scene, phrase: str) -> bool:
    """Whether both stand together in a name that was said: "Mistrz i Małgorzata"."""
    return any(
        _AND.search(one.name) and _shares_all(one.name, phrase) for one in mentioned_in(scene)
    )


def _shares_all(name: str, phrase: str) -> bool:
    """Whether every word of a phrase can be a form of a word of a name."""
    return all(shares_word(name, word.text) for word in split_words(phrase))


def _siblings(scene: Scene, parts: Sequence[Sequence[Span]]) -> tuple[str, str] | None:
    """The topic's noun with either adjective: "kot perski", "kot brytyjski"."""
    if any(len(words) != 1 or words[0].is_capitalised for words in parts):
        return None
    kin = [name for way, name in siblings(scene) if way == "adjective"]
    found = [next((one for one in kin if shares_word(one, words[0].text)), None) for words in parts]
    return (found[0], found[1]) if found[0] and found[1] and found[0] != found[1] else None


def _base(scene: Scene, phrase: str) -> str:
    """A phrase as the conversation names it in full, else as it stands: in the nominative."""
    size = len(phrase.split())
    for one in mentioned_in(scene):
        if len(one.name.split()) > size and phrase[:1].isupper() and _shares_all(one.name, phrase):
            return one.name
    return known_in_full(scene.text, phrase)
