"""Whom a prompt calls by a name: a part of one that was said, or a name of its own."""

import re
from collections.abc import Iterator, Sequence

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.articles.name_kinds import name_kind
from chatbot.router.dialogue.mentions import (
    Mention,
    find_mentions,
    mentioned_in,
    shares_word,
    texts_of,
    topic_of,
)
from chatbot.router.dialogue.naming import is_first_name
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA
from chatbot.router.dialogue.subjects import is_relation

_FAMILY = regex(r"\b(?:pozostal\w+|siostr\w+|bra(?:t|ci|cia)\w*|syn\w*|cork\w+|zon\w+|drug\w+)\b")
_NUMERAL = regex(r" [IVXLCDM]+$")
_PASSING = frozenset({
    "w", "we", "na", "do", "z", "ze", "dla", "przez", "nad", "pod", "byl", "byla", "jest", "nie",
})  # fmt: skip
_NO_NAMES = frozenset({"wikipedia", "wikipedii", "wiki", "wikipedię"})
_ABOUT_NAME = regex(
    r"\b(?:[Mm]ów|[Pp]owiedz|[Oo]powiedz|chodzi(?:ło)?|pyta[mł]\w*|"
    r"mówi(?:ę|łem|łam)|odniesieniu|samo|"
    r"informacj\w+|coś|cos)(?: mi| lepiej| raczej| po prostu)* (o|do|dla|na temat) "
    r"((?:[a-ząćęłńóśźż]+ (?:(?:w|na|pod|nad) )?)?[A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+)*)"
)
_LED = regex(
    r"(?:(?:no|ej|hej|dobra|ok|okej|aha|mhm|ooo?|stary|mordo|super)[, ]+)*"
    r"(?:a|i|jeszcze|to jeszcze|oraz)[, ]+",
    re.IGNORECASE,
)
_LED_ON = regex(rf"{_LED.pattern}(?:co z |jak )?", re.IGNORECASE)
_EXCLAIMED = regex(r"(\w)\w?\1*\b[,!]", re.IGNORECASE)
_PARTS = regex(
    r"\w+(?:osc|osci|nie|cie|cja|cje|stwo|ctwo|izm)$|(?:wag|mas|diet|pokarm|gniazd|mlod|sami[ce]|"
    r"ogon|glow|zasieg|sklad|smak|zapach|kolor|barw|cen|objaw|leczen|lek|poczat|kon|wyglad|sil|"
    r"temperatur|obwod|srednic|predk|polsk|swiat|przykl|rodzaj|gatun|odmian|rodzin|wrog|siedlisk|"
    r"powod|efekt|cel|znacz|definicj|wzor|budow|rozmiar|nog|zeb|skor|sierc|jaj|wart|tworc)\w*$"
)
_COMMON = frozenset({"animal", "notion"})
"""Kinds of topics of which another is a common noun, too."""

_NO_NOUNS = frozenset({"adv", "comp", "conj", "num"})
_SHORTEST, _LONGEST_NAME = 4, 4
_REACH = 4  # words before a name


def name_meant(scene: Scene) -> str | None:
    """Return the whole name of someone whom the prompt calls by a part of it ("Kutz")."""
    named = tuple(_named(scene))
    relatives = (_relative(scene, words[0]) for _, words in named if len(words) == 1)
    if (relative := next((one for one in relatives if one), None)) is not None:
        return relative
    for name, words in named:
        for mention in mentioned_in(scene):
            if _names(mention, words):
                return mention.name if " " in mention.name else min(mention.name, name, key=len)
    return None


def _names(one: Mention, words: Sequence[Span]) -> bool:
    """Whether words are a part of a name: any part of a person's, the first of a thing's.

    Where somebody comes from is no name of his: "Asyż" of "Franciszek z Asyżu".
    """
    size = len(split_words(one.name))
    if size < len(words) or (size == len(words) and one.kind == "work"):
        return False
    name = one.name if one.kind == "person" else one.name.split(" ", 1)[0]
    name = name if len(words) > 1 else name.partition(" z ")[0]
    return all(shares_word(name, word.text) for word in words)


def own_name(scene: Scene) -> str | None:
    """Return a name that only the prompt has, and that stands for no place in passing."""
    if (about := _ABOUT_NAME.search(scene.text)) is not None:
        return lemmatise(about[2], preposition=about[1].lower())
    for one in find_mentions(scene.text):
        if _EXCLAIMED.match(scene.text[one.start :]):
            continue
        if (
            not _is_in_passing(scene.text[: one.start])
            and scene.text[one.start : one.end].lower() not in _NO_NAMES
        ):
            return one.name
    return _small_name(scene)


def _is_in_passing(before: str) -> bool:
    """Whether a name after these words is no topic: "na liście …", "w czasach …", "dla …"."""
    words = split_words(before)[-_REACH:]
    while len(words) > 1 and _is_governing(words[-1].text):
        words = words[:-1]
    return bool(words) and words[-1].folded in _PASSING


def _is_governing(word: str) -> bool:
    """Whether a word is a noun of which a name can be the genitive, or its adjective."""
    readings = morphology().readings(word)
    return word.islower() and any(one.pos in {"subst", "adj"} for one in readings)


def is_exclaimed(scene: Scene, name: str) -> bool:
    """Whether a name is only the exclamation with which a prompt opens: "Cudo. A jak …?"."""
    folded, opened = fold_evenly(name), scene.folded
    rest = opened[len(folded) :].lstrip()
    is_mark = opened.startswith(folded) and len(rest) > 1 and rest[0] in ".!…"
    return is_mark and not any(
        shares_word(name, word.text) for text in texts_of(scene) for word in split_words(text)
    )


def opening_name(scene: Scene) -> str | None:
    """Return the name with which a prompt opens, after "a" or "jeszcze": "a messi ma więcej?"."""
    found = (one for one in find_mentions(scene.text) if _LED.fullmatch(scene.text[: one.start]))
    return next((one.name for one in found), None) or _small_name(scene)


def _small_name(scene: Scene) -> str | None:
    """A name in small letters after "a" or "jeszcze", or a noun with "to" behind it."""
    led = _LED_ON.match(scene.text)
    words = split_words(scene.text[led.end() :] if led else scene.text)
    if not words or not words[0].text.isalpha() or len(words[0].text) < _SHORTEST:
        return None
    word = words[0].text
    readings = morphology().readings(word)
    if any(one.pos in _NO_NOUNS for one in readings):
        return None
    is_name = all(not one.lemma.islower() and "nom" in one.cases for one in readings)
    if led is None:
        is_named = is_name and bool(readings) and word.islower() and scene.is_active(WIKIPEDIA)
        return word.capitalize() if is_named and not is_first_name(word) else None
    is_noun = any(one.pos == "subst" and "nom" in one.cases for one in readings)
    is_told = len(words) > 1 and words[1].folded == "to" and not is_relation(word)
    if is_name:
        return word.capitalize() if word.islower() else word
    return word if is_noun and (is_told or _is_another(scene, words)) else None


def _is_another(scene: Scene, words: Sequence[Span]) -> bool:
    """Whether a common noun is all that is asked after another one: "a żołna?", no "a waga?"."""
    topic, word = topic_of(scene), words[0]
    is_alone = len(words) == 1 or not words[1].text[0].isalnum()
    if topic is None or not is_alone or is_part(word) or not scene.is_active(WIKIPEDIA):
        return False
    return topic[0].islower() or (name_kind(topic) in _COMMON and _is_single(word.text))


def _is_single(word: str) -> bool:
    """Whether a noun can name one thing: no "lęgi"."""
    readings = morphology().readings(word)
    return any("nom" in one.cases and "sg" in one.numbers for one in readings)


def is_part(word: Span) -> bool:
    """Return whether a noun names a part or a side of another thing: "ogon", "wzrost", "żona"."""
    return _PARTS.match(word.folded) is not None or is_relation(word.text)


def _named(scene: Scene) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Give the names of a prompt, also one in small letters that the conversation has."""
    for one in find_mentions(scene.text):
        words = split_words(scene.text[one.start : one.end])
        if one.kind != "work" and len(words) <= _LONGEST_NAME:
            yield one.name, words
    said = tuple(
        word.folded
        for text in texts_of(scene)
        for one in find_mentions(text)
        for word in split_words(text[one.start : one.end])
    )
    people = (one for text in texts_of(scene) for one in find_mentions(text) if " " in one.name)
    surnames = {fold(one.name.rsplit(" ", 1)[1]) for one in people if one.kind == "person"}
    for word in scene.words:
        is_name = word.text.islower() and len(word.text) >= _SHORTEST and not _is_common(word.text)
        is_surname = word.text.islower() and word.folded in surnames
        if is_surname or (is_name and any(_alike(word.folded, other) for other in said)):
            yield word.text, (word,)


def _alike(word: str, other: str) -> bool:
    stem = max(_SHORTEST, min(len(word), len(other)) - 2)
    return word[:stem] == other[:stem]


def _is_common(word: str) -> bool:
    readings = morphology().readings(word)
    return bool(readings) and any(one.lemma.islower() for one in readings)


def _relative(scene: Scene, word: Span) -> str | None:
    """A first name with the surname of the family that is spoken of."""
    topic = topic_of(scene)
    if not _FAMILY.search(scene.folded):
        return None
    people = [
        one.name for text in texts_of(scene) for one in find_mentions(text) if one.kind == "person"
    ]
    full = [one for one in (*people, topic or "") if " " in one and not one.isupper()]
    full = [one for one in full if not _NUMERAL.search(one)]
    if not full or not (is_first_name(word.text) or not morphology().is_known(word.text)):
        return None
    surname = full[0].rsplit(" ", 1)[1]
    says_it = any(shares_word(surname, one.text) for one in scene.words if one is not word)
    return f"{lemmatise(word.text, kind='person')} {surname}" if says_it else None
