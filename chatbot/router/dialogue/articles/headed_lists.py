"""Things of one kind told by their places, and which is meant: "ten trzeci" of "zamki w …"."""

import re
from collections.abc import Sequence

from chatbot.language.lemmas import lemmas
from chatbot.language.locatives import in_place
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.enumerations import pick
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.scene import Scene

_NAME = r"[A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+){0,3}"
_AT = r"(?:w|we|na|pod|nad)"
_AND = r",? (?:a także|i|oraz|albo|lub|czy|a) "
_PLACED = regex(rf"\b{_AT} {_NAME}(?:, (?:{_AT} )?{_NAME}){{0,8}}{_AND}(?:{_AT} )?{_NAME}")
_ITEM = regex(rf"(?:(?P<at>{_AT}) )?(?P<name>{_NAME})")
_ORDER = regex(
    r"\b(?P<this>ten|ta|to|te|tego|tej|tym|tamt\w+)? ?"
    r"(?:pierwsz|drug|trzeci|czwart|ostatni|przedostatni|srodkow)\w*(?: (?P<noun>\w{3,}))?"
)
_GENDERS = {
    "ten": "m", "tego": "mn", "tym": "mn", "ta": "f", "te": "f", "tej": "f", "to": "n",
}  # fmt: skip
_VERBS = frozenset({"fin", "praet", "bedzie"})
_TURNS = 2


def headed_meant(scene: Scene) -> str | None:
    """Return the thing that an order means among those of one kind at several places.

    "Ten trzeci" agrees with "uniwersytety w Bolonii, w Oksfordzie i w Salamance"; in "to trzecie"
    or "to trzecie miasto" the places themselves are meant.
    """
    order = _ORDER.search(scene.folded)
    if order is None:
        return None
    for turn in reversed(scene.state.turns[-_TURNS:]):
        listed = _PLACED.search(turn.reply)
        head = _head(turn.reply[: listed.start()]) if listed is not None else ()
        if listed is not None and head and _agrees(scene, order, head[0]):
            return pick(_things(listed[0], head), scene.folded)
    return None


def _head(before: str) -> tuple[Span, ...]:
    """The plural noun at the end of a text, before its verb, with the adjectives behind it."""
    words = split_words(before)
    end = len(words)
    end -= end > 1 and _is_verb(words[-1])
    start = end - 1
    while start > 0 and not _nouns(words[start]) and _is_adjective(words[start]):
        start -= 1
    is_noun = start >= 0 and bool(_nouns(words[start])) and words[start].text.islower()
    return words[start:end] if is_noun else ()


def _is_verb(word: Span) -> bool:
    return any(one.pos == "fin" and "pl" in one.numbers for one in readings_of(word.text))


def _nouns(word: Span) -> list[Reading]:
    """The readings of a word as a noun for several things, no persons; none of a verb."""
    readings = readings_of(word.text)
    if any(one.pos in _VERBS for one in readings):
        return []
    return [
        one
        for one in readings
        if one.pos == "subst" and "pl" in one.numbers and "m1" not in one.genders
    ]


def _is_adjective(word: Span) -> bool:
    return any(one.pos == "adj" and "pl" in one.numbers for one in readings_of(word.text))


def _agrees(scene: Scene, order: re.Match[str], noun: Span) -> bool:
    """Whether an order stands before this noun, or alone in its gender."""
    after = scene.text[slice(*order.span("noun"))] if order["noun"] else ""
    if after and any(one.pos == "subst" for one in readings_of(after)):
        return bool(nouns_of(after) & nouns_of(noun.text))
    wanted = _GENDERS.get(order["this"] or "", "mfn")
    return any(gender[0] in wanted for one in _nouns(noun) for gender in one.genders)


def _things(listed: str, head: Sequence[Span]) -> tuple[str, ...]:
    """Each thing by its noun and its place: "ogród zoologiczny we Wrocławiu"."""
    items = list(_ITEM.finditer(listed))
    noun = _singular(head)
    return tuple(f"{noun} {_placed(one, items[0]['at'])}" for one in items)


def _placed(item: re.Match[str], first: str) -> str:
    """A place with its own preposition, else as the first one of its list stands."""
    if item["at"] is not None:
        return item[0]
    if first not in {"w", "we"}:
        return f"{first} {item['name']}"
    return in_place(lemmatise(item["name"], kind="place", preposition=first))


def _singular(head: Sequence[Span]) -> str:
    """A noun with its adjectives in the singular."""
    (likely,) = lemmas(head[0].text)
    found = _nouns(head[0])
    noun = next((one for one in found if one.lemma == likely), found[0])
    genders = frozenset(gender[0] for gender in noun.genders)
    return " ".join((noun.lemma, *(_form(one, genders) for one in head[1:])))


def _form(adjective: Span, genders: frozenset[str]) -> str:
    for reading in readings_of(adjective.text):
        if reading.pos != "adj":
            continue
        for form in morphology().forms(reading.key):
            own = form.reading
            is_base = "nom" in own.cases and "sg" in own.numbers and own.degree == reading.degree
            if is_base and genders & {gender[0] for gender in own.genders}:
                return form.text
    return adjective.text
