"""The places of a conversation: named in the prompt, or meant by "tam" and "to miasto"."""

import re
from collections.abc import Sequence

from chatbot.language.countries import find_country
from chatbot.language.names import lemmatise
from chatbot.language.places import gazetteer
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import Span, fold_evenly, joined, split_words
from chatbot.router.dialogue.state import WEATHER, WIKIPEDIA, DialogueState
from chatbot.router.dialogue.turns import Turn

THERE = re.compile(
    r"\btam\b|\bstamtad\b|\btamtejsz\w+|\btutejsz\w+|\bna miejscu\b|\b(?:w|do|na|dla) tym samym\b|"
    r"\bt(?:o|ym|ego|a|ej|e) (?:sam\w+ )?(?:miast\w+|miescie|miasteczk\w+|miejsc\w+|"
    r"miejscowosc\w*|wios\w+|ws[il]\w*|wysp\w+|kraj\w*|gor\w+|okolic\w+|region\w*)|"
    r"\bmiescie,? o ktor\w+|\bmiasta,? o ktor\w+|\bthere\b|"
    r"\b(?:the|that|this|same) (?:city|town|place|village)\b"
)
CAPITAL = re.compile(r"\bstolic\w+\b")
_BOTH = re.compile(r"\b(?:obu|obydwu|oba|obydwa|obie|obydwie|obydwoch|obojga|both)\b")
_ORDER = (  # of the places asked about, the latest first
    (re.compile(r"\b(?:pierwsz\w+|poczatkow\w+)\b"), -1),
    (re.compile(r"\bdrugi\w*\b"), -2),
    (re.compile(r"\b(?:poprzedni\w+|wczesniejsz\w+|tamt\w+ (?:miast\w+|miescie))\b"), 1),
)
_EVENT = re.compile(
    r"\b(?:miescie|miasta|miejscowosci|miejscu|wsi|kraju|tam),? (?:w ktor\w+|gdzie) (?:\w+ ){0,2}?"
    r"((?:urodz|zmar|umar|zgin|mieszk|studi|pracow|pochow|powsta|wybud|stoi|lezy)\w*)|"
    r"\b(?:miejsc\w+|miescie|miasta|miasto) (?:jego|jej|ich) (urodz|smierc|zgon|zamieszk|studi)"
)
_TOLD_AS = {"smie": "zmar", "zgon": "zmar", "zami": "mieszk"}
_PARTS = re.compile(r"[,;:–—]|\bi\b|\boraz\b|\ba\b")
_DENIED = re.compile(
    r"\bnie (?=(?:w|we|o|na|do|dla|z|jutro|dzis\w*|pojutrze|\w+e?k|\w+e)\b)[^,.;:!?]{1,40}"
    r"(?=,|\.|!|;| tylko| lecz| ale| a )|"
    r"\b(?:a )?nie (?:jutro|dzis\w*|pojutrze|teraz)\b|"
    r"\bzapomnij o \w+|\bcofam [^,.;:!?]{1,40}|\bnie wiem,? [^.;:!?]{1,60}|"
    r"\bz tym,? ze nie \w+|,\s*(?:a )?nie (?:w|we|na|o|do) [^,.;:!?]{1,40}"
)
_NAMED_DENIED = re.compile(r"(?<=\w),?\s+(?:a\s+)?nie\s+[A-ZĄĆĘŁŃÓŚŹŻ][\w-]+")
_HOME = re.compile(r"\b(?:mieszkam|jestem|chodze|pracuje|ucze sie|jade|lece|wybieram sie|mam)\b")
_INTERJECTIONS = re.compile(
    r"^(?:(?:dobra|dobrze|ok|okej|no|a|i|hmm|aha|super|swietnie|kurcze|rany|ech|oj|ojej|sorry|"
    r"przepraszam|dzieki|jasne|hej|tfu|ups|wow)(?:[,.!… ]+|$))+"
)
_OPENINGS = re.compile(r"(^|[.!?…]\s+)([^\W\d_]+)")
_COMMON = frozenset({
    "dobra",
    "pila",
    "brzeg",
    "mama",
    "mamy",
    "sprawdz",
    "porownaj",
    "nowe",
    "nowy",
})
_IN = re.compile(r"\b(?:w|we|na)\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])")
_MOST = 4


def undenied(folded: str, text: str) -> str:
    """Return the prompt without what it denies: "nie w Łodzi, tylko w Radomiu"."""
    kept: list[str] = []
    start = 0
    for found in _DENIED.finditer(folded):
        kept.append(text[start : found.start()])
        start = found.end()
    return _NAMED_DENIED.sub(" ", "".join((*kept, text[start:])))


def named_places(text: str) -> tuple[str, ...]:
    """Return all places of an answer: "start w Wolsztynie, meta w Kościanie"."""
    text = without_openings(text)
    found = find_places(text)
    parts = [part for part in _PARTS.split(text) if part.strip()]
    if len(parts) > 1 and len(parts) <= 2 * _MOST:
        each = [place for part in parts for place in find_places(part.strip()) if is_place(place)]
        each = [place for place in each if find_country(place) is None] or each
        if len(set(each)) > len(found):
            return tuple(dict.fromkeys(each))[:_MOST]
    if not found and CAPITAL.search(fold_evenly(text)):
        return ("Warszawa",)
    return found


def without_openings(text: str) -> str:
    """Return the text with sentences in small letters where no known place opens them."""
    opened = _INTERJECTIONS.match(fold_evenly(text))
    bare = text[opened.end() :] if opened else text
    return _OPENINGS.sub(_lowered, bare)


def _lowered(found: re.Match[str]) -> str:
    word = found[2]
    is_common = not gazetteer().sightings(word) or fold_evenly(word) in _COMMON
    return found[1] + (word.lower() if is_common else word)


def is_place(name: str) -> bool:
    """Whether the lists of places know this name."""
    return gazetteer().find(name) is not None or find_country(name) is not None


def sighted(text: str) -> tuple[str, ...]:
    """Return the known places that a text mentions, in base form and in its order."""
    words = split_words(text)
    found: list[str] = []
    at = 0
    while at < len(words):
        size = _size_at(text, words, at)
        if size and words[at].is_capitalised:
            phrase = joined(text, words[at : at + size])
            before = words[at - 1].text.lower() if at else None
            found.append(lemmatise(phrase, kind="place", preposition=before))
        at += size or 1
    return tuple(dict.fromkeys(found))


def mentioned(text: str) -> tuple[str, ...]:
    """Return the places that a statement is about, in base form: those after "w" come first."""
    parts = [text[found.start() :] for found in _IN.finditer(text)][: 2 * _MOST]
    inside = [name for part in parts for name in find_places(part[:60])[:1]]
    return tuple(dict.fromkeys((*inside, *sighted(text))))


def meant(folded: str, state: DialogueState) -> tuple[str, ...]:
    """Return the places that a reference in the prompt means; none where it has none."""
    if _BOTH.search(folded):
        return _both(state)
    if event := _of_event(folded, state):
        return event
    if CAPITAL.search(folded):
        return _capital(state)
    asked = state.values(WEATHER, "city")
    order = next((at for pattern, at in _ORDER if pattern.search(folded)), None)
    if len(asked) > 1 and order is not None:
        return (asked[order],)
    return latest(state) if THERE.search(folded) else ()


def _of_event(folded: str, state: DialogueState) -> tuple[str, ...]:
    """The place of what was told: "w mieście, w którym się urodził"."""
    event = _EVENT.search(folded)
    turns = [turn for turn in reversed(state.turns) if any(c.name == WIKIPEDIA for c in turn.calls)]
    if event is None or not turns:
        return ()
    reply = turns[0].reply
    stem = (event[1] or event[2])[:4]
    told = fold_evenly(reply).find(_TOLD_AS.get(stem, stem))
    after = mentioned(reply[told:]) if told >= 0 else ()
    return (after or mentioned(reply))[:1]


def latest(state: DialogueState) -> tuple[str, ...]:
    """Return the place that was last spoken of."""
    for turn in reversed(state.turns):
        for call in turn.calls:
            if call.name == WEATHER and "city" in call.arguments:
                return (str(call.arguments["city"]),)
        if found := _topical(turn):
            return (found,)
    return ()


def said_of_oneself(state: DialogueState) -> tuple[str, ...]:
    """Return the only place that the user told of in passing: "chodzę do liceum w Gołdapi"."""
    for turn in reversed(state.turns):
        if _HOME.search(fold_evenly(turn.prompt)) and len(found := find_places(turn.prompt)) == 1:
            return found
    return ()


def _topical(turn: Turn) -> str | None:
    """The place that an exchange was about: its topic, else the last one that it mentions."""
    topics = [
        str(call.arguments["query"])
        for call in turn.calls
        if call.name == WIKIPEDIA and "query" in call.arguments
    ]
    for topic in topics:
        if is_place(topic) and find_country(topic) is None:
            return topic
    described = [str(call.arguments.get("description", "")) for call in turn.calls]
    said = [turn.reply, *described, turn.prompt]
    towns = [place for text in said for place in mentioned(text) if find_country(place) is None]
    towns.sort(key=lambda name: not is_place(name))
    return towns[0] if towns else next(iter(topics), None)


def _both(state: DialogueState) -> tuple[str, ...]:
    asked, last = state.values(WEATHER, "city"), state.last
    if last is not None and any(call.name == WEATHER for call in last.calls):
        return asked[1::-1]
    told = mentioned(last.reply) if last is not None else ()
    return told[:2] if len(told) > 1 else asked[1::-1]


def _capital(state: DialogueState) -> tuple[str, ...]:
    for topic in state.values(WIKIPEDIA, "query"):
        country = find_country(topic)
        if country is not None and country.capital:
            return (country.capital,)
    return ()


def _size_at(text: str, words: Sequence[Span], at: int) -> int:
    for size in range(min(3, len(words) - at), 0, -1):
        if gazetteer().sightings(joined(text, words[at : at + size])):
            return size
    return 0
