"""Names listed one after the other, and which of them a prompt means: "w tym ostatnim"."""

import re
from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.mentions import find_mentions
from chatbot.router.dialogue.naming import is_proper

_WORD = r"[A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+"
_NAME = rf"{_WORD}(?: (?:(?:nad|pod|de|van|von|da|di|la|le) )?{_WORD})*"
_AT = r"(?:(?:w|we|na|do|nad|pod|z|ze|o|od|dla) )?"
_TITLE = rf"„[^”]{{2,60}}”(?: {_NAME})?"
_ONE = rf"(?:{_NAME}|{_TITLE})"
_NOTED = rf"{_ONE}(?: \([^)]{{1,60}}\))?"
_ITEM = rf"{_AT}{_NOTED}"
_AND = r"(?:, (?:a (?:także|może|nawet) |i |oraz |albo |lub |czy )?| (?:i|oraz|albo|lub|czy|a) )"
_LIST = regex(rf"(?<!\w)(?i:(?P<at>w|we|na|do|nad|pod|z|ze|o|od|dla) )?{_NOTED}(?:{_AND}{_ITEM})+")
_PEOPLE = r"(?:[a-ząćęłńóśźż]+(?:sk|ck|dzk)(?:i|im|iego|a|ą|iej|ie) )?"
_BETWEEN = regex(
    rf"\b(?:(?P<between>między|pomiędzy)|łącz\w+) {_PEOPLE}(?P<one>{_NAME}) (?:a|i|oraz|z|ze) "
    rf"{_PEOPLE}(?P<other>{_NAME})"
)
_QUOTED = regex(r"„([^”]+)”")
_COMMON_LIST = regex(
    r"(?:^|: |[.!?] )(?:między innymi |na przykład |m\.in\. |np\. )?"
    r"((?:[^\W\d_]+ ){0,2}[^\W\d_]+(?:, (?:[^\W\d_]+ ){0,2}[^\W\d_]+)+"
    r" (?:i|oraz|albo|lub|czy) (?:[^\W\d_]+ ){0,2}[^\W\d_]+)(?=[.!?]|$)"
)
_PARTS = regex(rf"{_AND}(?![^„]*”)")  # none within a title
_JOINED = regex(r" (?:i|oraz|albo|lub|czy|a) (?![^„]*”)")
_NUMBERED = regex(rf"\b\d{{1,2}}[.)] (?:\*\*)?[„\"]?({_NAME})")
_LEAD = regex(rf"^{_AT}(?={_WORD})")
_ASIDE = regex(r" \([^)]*\)$")
_ORDER = (
    (regex(r"\b(?:pierwsz\w+)\b"), 0),
    (regex(r"\b(?:drug(?:i\w*|a|ą))\b"), 1),
    (regex(r"\b(?:trzeci\w*)\b"), 2),
    (regex(r"\b(?:czwart\w+)\b"), 3),
    (regex(r"\b(?:przedostatni\w*)\b"), -2),
    (regex(r"\b(?:ostatni\w*)\b"), -1),
)
_MIDDLE = regex(r"\bsrodkow\w+\b")
_OPPOSITES = (
    ("mniejsz", "wieksz"), ("blizsz", "dalsz"), ("starsz", "mlodsz"), ("tansz", "drozsz"),
    ("wyzsz", "nizsz"), ("dluzsz", "krotsz"), ("cieplejsz", "zimniejsz"), ("szybsz", "wolniejsz"),
    ("glebsz", "plytsz"), ("nowsz", "starsz"),
)  # fmt: skip
_SENTENCES = regex(r"(?<=[.!?]) ")
_LISTING = regex(
    r": |\b(?:na przykład|między innymi|m\.in\.|np\.|przede wszystkim|głównie|się|to) "
)
_VERBS = frozenset({"fin", "praet", "bedzie", "inf", "impt", "pred"})
_WORDS = 3
_TWO = 2


def listed(text: str) -> tuple[str, ...]:
    """Return the names of the longest list in a text, as they stand there, in its order."""
    numbered = tuple(dict.fromkeys(found[1] for found in _NUMBERED.finditer(text)))
    lists = [_items(found[0]) for found in _LIST.finditer(text) if _is_list(found[0])]
    return max((numbered, *lists), key=len) if numbered or lists else ()


def _is_list(text: str) -> bool:
    """Whether names are told one after the other: not "w Peru, w Andach"."""
    return len(_PARTS.split(text)) > _TWO or _JOINED.search(text) is not None


def listed_things(text: str) -> tuple[str, ...]:
    """Return the base forms of a list of common things that fills a sentence, or follows ":"."""
    found = _COMMON_LIST.search(text)
    if found is None:
        return ()
    items = _PARTS.split(found[1])
    return tuple(lemmatise(one[:1].lower() + one[1:], kind="topic") for one in items)


def listed_common(text: str) -> tuple[str, ...]:
    """Return the base forms of common things that end a sentence: "kwitną jaśmin i oczar".

    They stand in the nominative behind a verb or "na przykład"; a list of two is enough.
    """
    for sentence in _SENTENCES.split(text):
        *_, told = _LISTING.split(sentence.strip(" .!?"))
        first, *others = _PARTS.split(told)
        items = [_named_alone(first), *others]
        if others and all(one and len(one.split()) <= _WORDS and one.islower() for one in items):
            bases = tuple(lemmatise(one, kind="topic") for one in items)
            return bases if all(map(_is_nominative, items)) else ()
    return ()


def _named_alone(phrase: str) -> str:
    """What stands behind the last verb of a phrase."""
    words = split_words(phrase)
    verbs = [word for word in words if _is_verb(word.text)]
    return phrase[verbs[-1].end :].strip() if verbs else phrase


def _is_verb(word: str) -> bool:
    readings = morphology().readings(word)
    return bool(readings) and all(one.pos in _VERBS for one in readings)


def _is_nominative(phrase: str) -> bool:
    """Whether a phrase begins with a noun in the nominative, adjectives before it or not."""
    for word in split_words(phrase):
        readings = morphology().readings(word.text)
        if not readings or any(one.pos == "subst" and "nom" in one.cases for one in readings):
            return True
        if not any(one.pos in {"adj", "ppas"} and "nom" in one.cases for one in readings):
            return False
    return False


def _items(text: str) -> tuple[str, ...]:
    bare = (_ASIDE.sub("", _LEAD.sub("", part)) for part in _PARTS.split(text))
    first, *others = bare
    return tuple(dict.fromkeys((_without_opening(first), *others)))


def _without_opening(item: str) -> str:
    """Leave out a word that only opens the sentence: "Polecam Kraków"."""
    first, _, rest = item.partition(" ")
    readings = morphology().readings(first.lower())
    is_common = rest and first.isalpha() and readings and not is_proper(first)
    is_common = is_common and not all(one.pos in {"adj", "ppas"} for one in readings)
    return rest if is_common else item


def listed_places(text: str) -> tuple[str, ...]:
    """Return the base forms of a list of which most are known places; none of any other."""
    items = listed(text)
    at = next((one["at"] for one in _LIST.finditer(text) if items[:1] and items[0] in one[0]), None)
    names = [_place(one, at) for one in items]
    known = sum(gazetteer().find(one) is not None for one in names)
    return tuple(names) if len(names) >= _TWO and 2 * known >= len(names) else ()


def joined_places(text: str) -> tuple[str, ...]:
    """Return the two places between which something goes: "łączy Gubin z niemieckim Guben"."""
    found = _BETWEEN.search(text)
    if found is None:
        return ()
    at = "między" if found["between"] else None
    return _place(found["one"], at), _place(found["other"], at or "z")


def _place(phrase: str, preposition: str | None) -> str:
    if gazetteer().find(phrase) is not None and preposition is None:
        return phrase
    return lemmatise(phrase, kind="place", preposition=preposition.lower() if preposition else None)


def listed_names(text: str) -> tuple[str, ...]:
    """Return the base forms of the names of the longest list, as mentions have them."""
    items = listed(text)
    mentions = find_mentions(text)
    bare = [quoted[1] if (quoted := _QUOTED.match(one)) else one for one in items]
    forms = [(text[one.start : one.end].strip(_QUOTES), one.name) for one in mentions]
    found = (next((name for form, name in forms if _ends_with(item, form)), item) for item in bare)
    return tuple(found)


def _ends_with(item: str, name: str) -> bool:
    """Whether an item is a name, what its bearer is before it or not: "Szerpa Tenzing Norgay"."""
    return item == name or item.endswith(f" {name}")


_QUOTES = '„”"«»'


def pick(names: Sequence[str], folded: str) -> str | None:
    """Return which of several names the prompt's order means: "drugie z tych miast"."""
    if len(names) < _TWO:
        return None
    if _MIDDLE.search(folded):
        return names[len(names) // 2] if len(names) % 2 else None
    at = next((at for pattern, at in _ORDER if pattern.search(folded)), None)
    if at is None or not -len(names) <= at < len(names):
        return None
    return names[at]


def compared(names: Sequence[str], folded: str, reply: str) -> str | None:
    """Return which of two is meant by a comparison that the reply made: "w tym mniejszym"."""
    if len(names) != _TWO:
        return None
    told = fold_evenly(reply)
    for pair in _OPPOSITES:
        asked = next((stem for stem in pair if re.search(rf"\b{stem}\w+", folded)), None)
        said = next((re.search(rf"\b{stem}\w*", told) for stem in pair if stem in told), None)
        if asked is None or said is None:
            continue
        subject = _subject(names, told, said.start())
        if subject is None:
            return None
        is_same = said[0].startswith(asked)
        return subject if is_same else next(one for one in names if one != subject)
    return None


def _subject(names: Sequence[str], told: str, at: int) -> str | None:
    """Of two names the one that stands before a word and nearest, else the one after it."""
    stems = {name: fold_evenly(split_words(name)[0].text)[:4] for name in names}
    before = {name: told.rfind(stem, 0, at) for name, stem in stems.items()}
    if max(before.values()) >= 0:
        return max(before, key=lambda name: before[name])
    after = {name: found for name, stem in stems.items() if (found := told.find(stem, at)) >= 0}
    return min(after, key=lambda name: after[name]) if after else None
