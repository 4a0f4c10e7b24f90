"""Names of which a prompt asks what was asked of another before: "a foki też?"."""

import re
from collections.abc import Sequence

from chatbot.language.countries import find_country
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.full_names import known_in_full
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.articles.called import is_part
from chatbot.router.dialogue.articles.fronted import may_be_topic
from chatbot.router.dialogue.articles.yearly import of_other_year
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.mentions import mentioned_in, shares_word, topic_of
from chatbot.router.dialogue.naming import is_person, is_surname
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA
from chatbot.types import NameKind

_LED = r"(?:(?:no|a|i|to|czy|ok|okej|dobra|aha|oraz)[, ]+)*"
_AT = r"(?:(?P<at>w|we|na|o|u|do|z|ze|nad|pod) )?"
_NAME = r"[^\W\d_][\w’'-]*(?: [^\W\d_][\w’'-]*){0,2}?"
_ALSO = r"(?:też|tez|również|rowniez|także|takze)"
_LIKEWISE = regex(
    rf"{_LED}{_AT}(?P<name>{_NAME}) {_ALSO}(?: [\w’'-]+){{0,4}}\s*[?.!]*$", re.IGNORECASE
)
_PAIR = regex(
    rf"{_LED}(?P<at>w|we|na|o|u|do|z|ze|nad|pod) (?P<one>{_NAME}) (?:i|oraz|albo) "
    rf"(?:(?:w|we|na|o|u|do|z|ze|nad|pod) )?(?P<other>{_NAME})(?: {_ALSO})?\s*[?.!]*$",
    re.IGNORECASE,
)
_AND = regex(r"i|oraz|z")
_SEARCHES = regex(r"(?:sprawdz|znajdz|znalez|(?:wy|po|od)?szuka|zobacz)\w*$")
_FILLERS = frozenset({
    "a", "i", "no", "to", "ok", "okej", "dobra", "dobrze", "super", "aha", "dzieki", "teraz",
    "jeszcze", "tez", "rowniez", "takze", "prosze", "poprosze", "mi", "nam", "samo", "daj", "podaj",
    "wez", "moze", "mozesz", "chce", "chcialbym", "chcialabym", "hasla", "co", "dla", "o", "z", "u",
    "w", "takim", "razie",
})  # fmt: skip
"""What stands around two names that are all of a wish."""

_GOVERNING = frozenset({"dla", "o", "z", "u"})
_OWNING = regex(
    rf"{_LED}(?P<one>{_NAME}) (?:i|oraz|albo) (?P<other>{_NAME})\s*[?.!]*$", re.IGNORECASE
)
_WHOLE = regex(r"[\w’' -]+")
_SHORTEST, _PAIRED = 3, 3


def also_topic(scene: Scene) -> str | None:
    """Return the name or the noun of which a prompt asks whether it is so of it, too.

    "A foki też?", "Parnawa też leży nad morzem?", "w Andorze też?". ``None`` for what belongs to
    the topic ("ogon też ma?"), for a relation ("mąż też?") and where a word only points.
    """
    if (dated := of_other_year(scene)) is not None:
        return dated
    found = _LIKEWISE.match(scene.text) if scene.is_active(WIKIPEDIA) else None
    if found is None:
        return None
    words = split_words(found["name"])
    if found["at"] is not None:
        return _base(scene, found["name"], found["at"]) if _is_name(words) else None
    is_own = _is_name(words) or not is_part(words[0])
    if not is_own or not may_be_topic(words) or _is_adjective(words[-1]):
        return None
    if _is_said(scene, words):
        return None
    return _whole(scene, _capitalised(words, found["name"]))


def placed_pair(scene: Scene) -> tuple[str, str] | None:
    """Return the two names that are all of a question or wish, in another case than the first.

    "A w Peru i Chile?", "to jeszcze sprawdź dragonów i kirasjerów", "to samo dla Prusa i Reja".
    """
    if not scene.is_active(WIKIPEDIA):
        return None
    if (wished := _wished_pair(scene)) is not None:
        return wished
    if (countries := _owning_pair(scene)) is not None:
        return countries
    found = _PAIR.match(scene.text)
    if found is None or not all(_is_name(split_words(found[one])) for one in ("one", "other")):
        return None
    whole = lemmatise(f"{found['one']} i {found['other']}", preposition=found["at"].lower())
    if any(one.name == whole for one in mentioned_in(scene)):
        return None
    return _base(scene, found["one"], found["at"]), _base(scene, found["other"], found["at"])


def _owning_pair(scene: Scene) -> tuple[str, str] | None:
    """Two countries of which the same is asked as of the one before: "a Szwecji i Norwegii?"."""
    found, topic = _OWNING.match(scene.text), topic_of(scene)
    if found is None or topic is None or find_country(topic) is None:
        return None
    one, other = (find_country(found[name]) for name in ("one", "other"))
    return (one.name, other.name) if one and other else None


def _wished_pair(scene: Scene) -> tuple[str, str] | None:
    """The two things that are all of an order to search, or two persons after another one."""
    words = [word for word in scene.words if word.text[0].isalnum()]
    start, end = 0, len(words)
    while start < end and _is_beside(words[start]):
        start += 1
    while start < end and _is_beside(words[end - 1]):
        end -= 1
    own = words[start:end]
    at = next((at for at, word in enumerate(own) if _AND.fullmatch(word.folded)), 0)
    one, other = own[:at], own[at + 1 :]
    if not (0 < len(one) <= _PAIRED and 0 < len(other) <= _PAIRED) or _is_cut(scene, own):
        return None
    before = words[start - 1].folded if start else ""
    case = before if before in _GOVERNING else "przez"
    case_of_other = "z" if own[at].folded == "z" else case
    pair = _object(scene, one, case), _object(scene, other, case_of_other)
    is_ordered = any(_SEARCHES.match(word.folded) for word in (*words[:start], *words[end:]))
    if is_ordered and case_of_other != "z":
        return None if scene.detects_other(WIKIPEDIA) else pair
    are_names = _is_name(one) and _is_name(other) and is_person(topic_of(scene) or "")
    return pair if are_names and all(map(_is_known_person, pair)) else None


def _is_beside(word: Span) -> bool:
    return word.folded in _FILLERS or _SEARCHES.match(word.folded) is not None


def _is_cut(scene: Scene, words: Sequence[Span]) -> bool:
    """Whether a mark stands between words, or they are one name that was said."""
    text = scene.text[words[0].start : words[-1].end]
    said = (one.name for one in mentioned_in(scene))
    return not _WHOLE.fullmatch(text) or any(
        " i " in name and all(shares_word(name, word.text) for word in words) for name in said
    )


def _is_known_person(name: str) -> bool:
    return " " in name or is_surname(name)


def _object(scene: Scene, words: Sequence[Span], preposition: str) -> str:
    phrase = scene.text[words[0].start : words[-1].end]
    base = lemmatise(phrase, kind="topic", preposition=preposition)
    return known_in_full(scene.text, base) if words[0].is_capitalised else base


def _base(scene: Scene, phrase: str, preposition: str) -> str:
    topic = topic_of(scene)
    kind: NameKind | None = "place" if topic and is_place(topic) else None
    base = lemmatise(phrase, kind=kind, preposition=preposition.lower())
    place = gazetteer().find(base)
    return place.name if place is not None and not base[:1].isupper() else base


def _is_name(words: Sequence[Span]) -> bool:
    """Whether words are a name, in small letters or not: none that the dictionary has besides."""
    return all(
        len(word.text) >= _SHORTEST and (word.is_capitalised or _is_only_name(word.text))
        for word in words
    )


def _is_only_name(word: str) -> bool:
    return all(one.lemma[:1].isupper() for one in readings_of(word))


def _capitalised(words: Sequence[Span], phrase: str) -> str:
    """A name in small letters with its capital: "ryga"."""
    return phrase.title() if phrase.islower() and _is_known_name(words) else phrase


def _is_known_name(words: Sequence[Span]) -> bool:
    return all(readings_of(word.text) and _is_only_name(word.text) for word in words)


def _is_adjective(word: Span) -> bool:
    """Whether a word can stand for one of the topic's kind: "Augustowski" after a canal."""
    return any(one.pos == "adj" for one in readings_of(word.text))


def _is_said(scene: Scene, words: Sequence[Span]) -> bool:
    topic = topic_of(scene) or ""
    return any(shares_word(topic, word.text) for word in words)


def _whole(scene: Scene, name: str) -> str:
    """A name as the conversation has it in full."""
    wider = (
        one.name for one in mentioned_in(scene) if one.name.endswith(f" {name}") and " " not in name
    )
    return next(wider, name)
