"""Named things that a text mentions, with what it says of them: "Tadeusz, chemik"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from chatbot.language.first_names import is_foreign_name
from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.detector.titles import name_at
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.naming import (
    FIRST_NAME,
    is_first_name,
    is_people,
    is_person,
    is_surname,
    labels_in,
    may_be_person,
    person_name,
    runs,
)
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA

Kind: TypeAlias = Literal["person", "place", "work", "thing"]

_TITLE = regex(r"[„\"«]([^„”\"«»]{2,80})[”\"»]")
_STOPS = frozenset({".", "!", "?", "…", ";"})
_RELATIVE = regex(r"(?:syn\w*|cor\w+|braci?\w*|siostr\w*|zon\w*|maz|mez\w+|dzieci|rodzenstw\w*)$")
_PREPOSITIONS = frozenset({"w", "we", "na", "do", "od", "z", "ze", "pod", "nad", "koło", "przy"})
_PLACES = frozenset({
    "miasto", "wies", "rzeka", "gora", "kraj", "wyspa", "stolica", "jezioro", "region", "szczyt",
    "miasteczko", "panstwo", "port", "uzdrowisko", "kurort",
})  # fmt: skip
_AWARDS = frozenset({"oscar", "nobel", "emmy", "grammy"})
_STYLED = frozenset({"pan", "pani", "swiety", "swieta", "ksiaze", "krol"})
_INSIDE = frozenset({"w", "we"})
_NUMERAL = regex(r"[IVXLCDM]+$")
_NUMBERED = regex(r" \d{1,3}(?=[.,;!?]|$| (?:i|a|albo|oraz|lub|czy|to|jest|by\w+)\b)")
_ORIGIN = regex(r" (?:z|ze|von|de) [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: i [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+)?")
_NOTHING = regex(r"(?!)")
_STEM = 4  # letters that forms of one name share
_SHORTEST = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A name in its base form, and where its words stand in the text."""

    name: str
    kind: Kind
    start: int
    end: int


@lru_cache(maxsize=256)
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return what a text names, in its order; one who only has a first name gets the family's."""
    words = split_words(text)
    titles = list(_titles(text))
    named = [
        one
        for run in runs(text)
        if (one := _known(words, run) or _named(text, words, run)) is not None
        and not any(title.start <= one.start < title.end for title in titles)
    ]
    found = sorted((*titles, *named), key=lambda one: one.start)
    return tuple(_with_family(text, one, found) for one in found)


def shares_word(name: str, word: str) -> bool:
    """Whether a word can be a form of one of a name's words: "Kutza" of "Kazimierz Kutz"."""
    return any(_is_form(part.folded, fold(word)) for part in split_words(name))


def said_of(text: str, lemmas: frozenset[str]) -> Mention | None:
    """Return whom a text calls so: "chemik" for "Stanisław, prawnik, oraz Tadeusz, chemik".

    The name that follows at once, else the one before in the same sentence, else the one after.
    """
    words = split_words(text)
    found = [one for one in find_mentions(text) if one.kind != "place" or _may_be_place(lemmas)]
    for at, word in enumerate(words):
        if not lemmas & nouns_of(word.text):
            continue
        if (mention := _told_of(words, at, found)) is not None:
            return mention
    return None


def _may_be_place(lemmas: frozenset[str]) -> bool:
    """Whether a place can be called so: by its kind, or by an adjective ("ta mniejsza")."""
    return bool(lemmas & _PLACES) or all(
        one.pos == "adj" for lemma in lemmas for one in morphology().readings(lemma)
    )


def nouns_of(word: str) -> frozenset[str]:
    """The nouns, folded, that a word can be a form of, adjectives that stand for one as well."""
    readings = morphology().readings(word.lower())
    return frozenset(
        fold(one.lemma) for one in readings if one.pos in {"subst", "ger", "adj", "depr"}
    )


def _titles(text: str) -> Iterator[Mention]:
    for found in _TITLE.finditer(text):
        words = split_words(found[1])
        known = name_at(words, 0, len(words)) if len(words) > 1 else None
        name = known or lemmatise(found[1])
        yield Mention(name=name, kind="work", start=found.start(), end=found.end())


def _named(text: str, words: Sequence[Span], run: Sequence[Span]) -> Mention | None:
    at = words.index(run[0])
    before = words[at - 1] if at else None
    opens = before is None or before.text in _STOPS
    is_led = len(run) > 1 and ((opens and _is_preposition(run[0].text)) or _is_rank(run))
    is_led = is_led and not is_place(joined(text, run))  # "Ułan Bator"
    if is_led:
        before, run = run[0], run[1:]
    if len(run) == 1 and (_NUMERAL.match(run[0].text) or (opens and _is_common(run[0].text))):
        return None
    phrase = joined(text, run)
    preposition = before.folded if before and before.folded in _PREPOSITIONS else None
    is_full = len(run) > 1 and (is_first_name(run[0].text) or may_be_person(run))
    if is_full and (town := _town(phrase, preposition)) is not None:
        name, kind = town, "place"
    elif is_full and (is_first_name(run[0].text) or not is_place(phrase)):
        name, kind = person_name(phrase, before.text if before else ""), "person"
    elif len(run) == 1 and _is_agent(before, run[0]):
        name, kind = phrase, "person"
    elif len(run) == 1 and _is_called(run[0].text) and not preposition:
        name, kind = lemmatise(phrase, kind="person"), "person"
    elif is_place(place := lemmatise(phrase, kind="place", preposition=preposition)):
        name, kind = place, "place"
    elif (owned := _owned(text, before, run)) is not None:
        return Mention(name=owned[0], kind="thing", start=owned[1], end=run[-1].end)
    elif preposition in _INSIDE:
        name, kind = place, "place"
    else:
        name, kind = lemmatise(phrase, preposition=preposition), "thing"
    is_single = kind == "person" and len(run) == 1
    tail = {"thing": _NUMBERED}.get(kind, _ORIGIN if is_single else _NOTHING)
    told = tail.match(text, run[-1].end)
    end = told.end() if told else run[-1].end
    name += told[0] if told else ""
    return Mention(name=name, kind=kind, start=run[0].start, end=end)  # type: ignore[arg-type]


def _known(words: Sequence[Span], run: Sequence[Span]) -> Mention | None:
    """The known thing that several words, or a strange one, are the name of: "Deimosa"."""
    first = run[0].text
    if len(run) == 1:
        is_other = morphology().is_known(first) or is_first_name(first)
    else:
        is_other = (may_be_person(run) or is_first_name(first)) and not _is_common(first.lower())
    if is_other:
        return None
    at = words.index(run[0])
    begin = max(at - 1, 0)
    name = name_at(words[begin : at + len(run)], at - begin, at - begin + len(run))
    if name is None or is_person(name) or (len(run) == 1 and is_place(name)):
        return None
    kind: Kind = "place" if is_place(name) else "thing"
    return Mention(name=name, kind=kind, start=run[0].start, end=run[-1].end)


def _town(phrase: str, preposition: str | None) -> str | None:
    """A place that begins with a first name: "Kazimierza Dolnego"."""
    found = gazetteer().find(lemmatise(phrase, kind="place", preposition=preposition))
    return found.name if found is not None else None


def _owned(text: str, before: Span | None, run: Sequence[Span]) -> tuple[str, int] | None:
    """A thing named after somebody: "barszcz Sosnowskiego", "Kościół Pokoju"."""
    if before is None or before.is_capitalised or not before.text.isalpha():
        return None
    is_thing = any(
        one.pos == "subst" and not one.genders & {"m1"}
        for one in morphology().readings(before.text)
    )
    cases = {case for one in morphology().readings(run[0].text) for case in one.cases}
    if not is_thing or "gen" not in cases or "nom" in cases:
        return None
    return lemmatise(joined(text, (before, run[-1]))), before.start


def _is_called(word: str) -> bool:
    """Whether a word is a first name, and no place that only looks like a form of one: "Kraków"."""
    named = [
        one
        for one in morphology().readings(word)
        if FIRST_NAME in labels_in(one) and "sg" in one.numbers
    ]
    is_base = any("nom" in one.cases for one in named)
    is_one = bool(named) or is_foreign_name(word)  # not "Oscary", "Inków"
    is_award = any(fold(one.lemma) in _AWARDS for one in named)
    return is_one and not is_award and (is_base or not is_place(word))


def _is_rank(run: Sequence[Span]) -> bool:
    """Whether a surname stands after what its bearer is: "Kolega Gałczyński", no "Pan Kleks"."""
    first = run[0]
    is_common = _is_common(first.text.lower()) and not is_first_name(first.text)
    is_common = is_common and not _is_described(first.text, run[1].text)
    return (
        is_common
        and first.folded not in _STYLED
        and (is_surname(run[1].text) or not morphology().is_known(run[1].text))
    ) or (is_people(first.text) and is_first_name(run[1].text))


def _is_described(noun: str, word: str) -> bool:
    """Whether a thing has its adjective behind it: "Politechnika Lwowska", no "Kolega Lwowski"."""
    nouns = [one for one in morphology().readings(noun.lower()) if one.pos == "subst"]
    is_described = any(one.pos == "adj" for one in morphology().readings(word))
    return is_described and not any("m1" in one.genders for one in nouns)


def _is_agent(before: Span | None, word: Span) -> bool:
    """Whether somebody known by one name did what is told: "namalował Caravaggio"."""
    readings = morphology().readings(before.text) if before is not None else ()
    did = any(
        one.pos == "praet" and "sg" in one.numbers and one.genders & {"m1", "f"} for one in readings
    )
    return did and (is_surname(word.text) or not morphology().is_known(word.text))


def _is_preposition(word: str) -> bool:
    return any(one.pos == "prep" for one in morphology().readings(word.lower()))


def _is_common(word: str) -> bool:
    readings = morphology().readings(word)
    return bool(readings) and any(one.lemma.islower() for one in readings)


def _with_family(text: str, one: Mention, found: Sequence[Mention]) -> Mention:
    """Give a son, a sister … the surname of the person in the same sentence."""
    if one.kind != "person" or " " in one.name:
        return one
    start = max((text.rfind(mark, 0, one.start) for mark in (". ", "! ", "? ")), default=0)
    is_relative = any(
        _RELATIVE.match(word.folded) for word in split_words(text[start + 1 : one.start])
    )
    full = [other.name for other in found if other.kind == "person" and _has_surname(other.name)]
    if not is_relative or not full:
        return one
    name = f"{one.name} {full[0].rsplit(' ', 1)[1]}"
    return Mention(name=name, kind="person", start=one.start, end=one.end)


def _has_surname(name: str) -> bool:
    return " " in name and not _NUMERAL.match(name.rsplit(" ", 1)[1])


def _told_of(words: Sequence[Span], at: int, found: Sequence[Mention]) -> Mention | None:
    word = words[at]
    own = next((one for one in found if one.start <= word.start < one.end), None)
    if own is not None:
        return own
    follows = words[at + 1].start if at + 1 < len(words) else -1
    if (at_once := next((one for one in found if one.start == follows), None)) is not None:
        return at_once
    first, last = _sentence(words, at)
    before = [one for one in found if first <= one.start and one.end <= word.start]
    after = [one for one in found if word.end <= one.start < last]
    return before[-1] if before else next(iter(after), None)


def _sentence(words: Sequence[Span], at: int) -> tuple[int, int]:
    stops = [one.start for one in words if one.text in _STOPS]
    first = max((stop for stop in stops if stop < words[at].start), default=0)
    last = min((stop for stop in stops if stop > words[at].start), default=words[-1].end)
    return first, last


def _is_form(name: str, word: str) -> bool:
    """Whether two folded words share their stem, the shorter up to an ending of three letters."""
    if min(len(name), len(word)) < _SHORTEST:
        return name == word
    stem = max(_SHORTEST, min(len(name), len(word)) - 2)
    return name[:stem] == word[:stem] and abs(len(name) - len(word)) <= _STEM


def topic_of(scene: Scene) -> str | None:
    """Return what was looked up last."""
    return next(iter(scene.state.values(WIKIPEDIA, "query")), None)


def texts_of(scene: Scene) -> Iterator[str]:
    """Give what was said in the last two exchanges, the latest first."""
    for turn in reversed(scene.state.turns[-2:]):
        yield turn.reply
        yield turn.prompt


def mentioned_in(scene: Scene) -> Iterator[Mention]:
    """Give all names of the conversation, topics first."""
    for topic in scene.state.values(WIKIPEDIA, "query"):
        yield Mention(name=topic, kind="person" if is_person(topic) else "work", start=0, end=0)
    for text in (*texts_of(scene), *scene.state.pictures[:1]):
        yield from find_mentions(text)
