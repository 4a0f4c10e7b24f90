"""The places of a conversation: named in the prompt, or meant by "tam" and "to miasto"."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from chatbot.language.countries import find_country
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.corrections import CORRECTION
from chatbot.router.detector.landmarks import find_landmark
from chatbot.router.detector.places import find_places
from chatbot.router.detector.placewords import AT, FROM, NEAR, TO
from chatbot.router.detector.sights import Sight, find_sights
from chatbot.router.detector.spans import Span, fold_evenly, joined, split_words
from chatbot.router.detector.weather import find_days
from chatbot.router.dialogue.naming import is_person, labels_of
from chatbot.router.dialogue.state import WEATHER, WIKIPEDIA, DialogueState
from chatbot.router.dialogue.turns import Turn

THERE = regex(
    r"\btam\b|\bstamtad\b|\btamtejsz\w+|\btutejsz\w+|\bna miejscu\b|\b(?:w|do|na|dla) tym samym\b|"
    r"\bt(?:o|ym|ego|a|ej|e) (?:sam\w+ )?(?:miast\w+|miescie|miasteczk\w+|miejsc\w+|"
    r"miejscowosc\w*|wios\w+|ws[il]\w*|wysp\w+|kraj\w*|gor\w+|okolic\w+|region\w*)|"
    r"\bmiescie,? o ktor\w+|\bmiasta,? o ktor\w+|\bthere\b|"
    r"\b(?:the|that|this|same) (?:city|town|place|village)\b"
)
CAPITAL = regex(r"\bstolic\w+\b")
_CLAUSES = regex(r"[,.;!?–]\s|\s(?:a|ale|i|oraz)\s")
_PARTS = regex(r"[,;:!–—]|\bi\b|\boraz\b|\ba\b")
_DENIED = regex(
    r"\bnie (?=(?:w|we|o|na|do|dla|z|jutro|dzis\w*|pojutrze|\w+e?k|\w+e)\b)[^,.;:!?]{1,40}?"
    r"(?=,|\.|!|;| tylko| lecz| ale| a | ino| jeno)|"
    r"\b(?:a )?nie (?:jutro|dzis\w*|pojutrze|teraz)\b|"
    r"\bgdzie tam [^,.;:!?]{1,40}[.!,]|\bpo \w+ stronie \w+|"
    r",\s*to (?:jest )?(?:pod|kolo|obok|niedaleko|przy|nad) \w+|"
    r"\bzapomnij o \w+|\bcofam [^,.;:!?]{1,40}|\bnie wiem,? [^.;:!?]{1,60}|"
    r"\bz tym,? ze nie \w+|,\s*(?:a )?nie (?:w|we|na|o|do) [^,.;:!?]{1,40}"
)
_SILESIAN = regex(r"\bniy\b")
_NAMED_DENIED = regex(
    r"(?:^|(?<=[,.!] ))[Nn]ie [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+)?"
    r"(?=,| tylko| lecz| ale| a )|"
    r"(?<=\w),?\s+(?:a\s+)?nie\s+(?:żadn\w+\s+)?[A-ZĄĆĘŁŃÓŚŹŻ][\w-]+"
)
_HOME = regex(
    r"\b(?:mieszkam\w*|jest(?:em|esmy)|chodze|pracuj(?:e|emy)|ucze sie|jade|jedziemy|lec(?:e|imy)|"
    r"wybiera(?:m|my) sie|ma(?:m|my)|bed(?:e|ziemy)|robi(?:e|my)|organizuj(?:e|emy)|"
    r"wyjezdza(?:m|my)|rusza(?:m|my)|planuj(?:e|emy)|biegn(?:e|iemy)|id(?:e|ziemy)|startuj(?:e|emy)|"
    r"kupil(?:em|am|ismy|ysmy))\b"
)
_INTERJECTIONS = regex(
    r"^(?:(?:dobra|dobrze|ok|okej|no|a|i|hmm|aha|super|swietnie|kurcze|rany|ech|oj|ojej|sorry|"
    r"przepraszam|dzieki|jasne|hej|tfu|ups|wow)(?:[,.!… ]+|$))+"
)
_OPENINGS = regex(r"(^|[.!?…]\s+)([^\W\d_]+)(?! [A-ZĄĆĘŁŃÓŚŹŻ])")
_WHICH_ONE = regex(r"\s*t(?:ej|ego|ym|a|en|o|ę) \w+(?:sk|ck)\w+[\s?.!]*$")
"""Says which place of a name is meant: "na Woli, tej warszawskiej"."""
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
_IN = regex(r"\b(?:w|we|na)\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])")
_IS_PLACE = regex(
    r"^[^.]{0,60}?\b(?:to|jest|lezy)\b[^.]{0,40}\b(?:miast\w+|wies|wsi|osad\w+|pasm\w+|jezior\w+|"
    r"wysp\w+|gor[ay]\b|szczyt\w*|region\w*|kurort\w*|miejscowosc\w*|dolin\w+|puszcz\w+|"
    r"polwysep|zalew|rezerwat\w*|park narodowy)"
)
_WHICH_PLACE = regex(r"\bjak(?:a|ie) (?:\w+ )?(?:miast\w+|wies|wyspa|miejscowosc|gora|jezioro)\b")
_KIND = regex(
    r"\b(?:park narodowy|park krajobrazowy|rezerwat|jezioro|puszcza|dolina|wyspa|polwysep|zalew|"
    r"gory|gora|przelecz|plaza|wodospad|jaskinia|kotlina|zatoka|pustynia)\b"
)
_BUILT = regex(
    r"(?:\w+ )?(?:twierdz|zam(?:ek|ku|ki)|wiez|koscio|katedr|bazylik|palac|muze|most|pomnik|"
    r"klasztor|hal|stadion|ratusz|oper|teatr|filharmoni|uniwersytet|dwor|kopal|fort|latarni)\w* "
)
_LIES = regex(r" (?:lezy|jest poloz\w+|polozon\w+ jest|liczy|znajduje sie)\b")
_STANDS = regex(
    r"\b(?:stoi|lezy|znajduje sie|miesci sie|cumuje|wisi|jest (?:przechowywan|wystawion|pochowan|"
    r"eksponowan)\w+|mozna (?:\w+ )?(?:zobaczyc|obejrzec|ogladac|zwiedz\w+))\b"
)
_RESIDES = regex(
    r"\b(?:mieszka(?:m|my)|(?:jestem|jestesmy|pochodz(?:e|imy)) z)\b[^,.;!?]*?"
    r"(?=[,.;!?]|$| (?:a|i|ale|oraz)\b)"
)
"""A clause in which somebody says where he lives: what he is going to do he says in others."""

_MOST, _SHORT_NAME = 4, 3


def undenied(folded: str, text: str) -> str:
    """Return the prompt without what it denies: "nie w Łodzi, tylko w Radomiu"."""
    kept: list[str] = []
    start = 0
    for found in _DENIED.finditer(_SILESIAN.sub("nie", folded)):
        kept.append(text[start : found.start()])
        start = found.end()
    return _NAMED_DENIED.sub(" ", "".join((*kept, text[start:])))


def named_places(text: str) -> tuple[str, ...]:
    """Return all places of an answer: "start w Wolsztynie, meta w Kościanie"."""
    text = without_openings(text)
    found = find_places(text)
    parts = [part for part in _PARTS.split(text) if part.strip() and not _WHICH_ONE.match(part)]
    is_mended = CORRECTION.search(fold_evenly(text)) is not None
    if 1 < len(parts) <= 2 * _MOST and not (is_mended and found):
        each = [place for part in parts for place in find_places(part.strip()) if is_place(place)]
        near = {one.name for one in find_sights(text, split_words(text)) if one.preposition in NEAR}
        for aside in (lambda place: find_country(place) is not None, near.__contains__):
            each = [place for place in each if not aside(place)] or each
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
    if gazetteer().find(name) is not None or find_country(name) is not None:
        return True
    words = split_words(name)
    landmark = find_landmark(words)
    return landmark is not None and landmark[1] == len(words)


def sighted(text: str) -> tuple[str, ...]:
    """Return the known places that a text mentions, in base form and in its order."""
    words = split_words(text)
    found: list[str] = []
    at = 0
    while at < len(words):
        size = _size_at(text, words, at)
        if size and words[at].is_capitalised and not _only_opens(words, at):
            phrase = joined(text, words[at : at + size])
            before = words[at - 1].text.lower() if at else None
            found.append(lemmatise(phrase, kind="place", preposition=before))
        at += size or 1
    return tuple(dict.fromkeys(found))


def _only_opens(words: Sequence[Span], at: int) -> bool:
    """Whether a common word has its capital from the beginning of the sentence."""
    is_first = at == 0 or words[at - 1].text in ".!?…"
    return is_first and "nazwa_pospolita" in labels_of(words[at].text.lower())


def spoken(text: str) -> tuple[str, ...]:
    """Return the places that a text names, known or not, in its order; no countries."""
    return tuple(dict.fromkeys(one.name for one in _likely(text)))


def _ranked(text: str) -> tuple[str, ...]:
    """The same, likeliest first: known ones at which something is, to, near, from which."""
    sights = _likely(text)
    pairs = list(pairwise(sights))
    inner = [one for one, other in pairs if _is_part_of(one, other)]
    inner += [other for one, other in pairs if _lies_in(other, one)]
    wide = [one for one, other in pairs if _lies_in(other, one)]
    wide += [other for one, other in pairs if one in inner and gazetteer().find(other.name) is None]
    sights = [one for one in sights if one not in wide] + wide
    homes = {one.name for one in _homes(text, sights)}
    ranked = sorted(sights, key=lambda one: (one.name in homes, *_rank(one, is_inner=one in inner)))
    return tuple(dict.fromkeys(one.name for one in ranked))


def _homes(text: str, sights: Sequence[Sight]) -> list[Sight]:
    """Where somebody says that he lives, if other places tell where he is going."""
    words = split_words(text)
    clauses = [(one.start(), one.end()) for one in _RESIDES.finditer(fold_evenly(text))]
    homes = [
        one
        for one in sights
        if any(start <= words[one.start].start < end for start, end in clauses)
    ]
    return homes if len({one.name for one in homes}) < len({one.name for one in sights}) else []


def _is_part_of(one: Sight, other: Sight) -> bool:
    """Whether a place is told by what it lies in or near: "w Zadusznikach na Podkarpaciu"."""
    is_way = one.preposition in FROM and other.preposition in TO
    return one.end == other.start - 1 and bool(one.preposition) and not is_way


def _lies_in(inner: Sight, wide: Sight) -> bool:
    """Whether a place stands right after the region it lies in: "w Bieszczadach, w Wetlinie"."""
    is_next = inner.start - wide.end in {1, 2}  # a comma, and a preposition
    return is_next and _is_at(inner) and _is_at(wide) and gazetteer().find(wide.name) is None


def _rank(sight: Sight, *, is_inner: bool = False) -> tuple[bool, int]:
    """Known places first, and what lies in one that follows: "w Zadusznikach na Podkarpaciu"."""
    said = (at for at, kind in enumerate((AT, TO, NEAR, FROM)) if sight.preposition in kind)
    return not (sight.is_known or is_inner), 0 if is_inner else next(said, 0)


def _is_at(sight: Sight) -> bool:
    return sight.preposition in AT


def _likely(text: str) -> list[Sight]:
    words = split_words(text)
    return [one for one in find_sights(text, words) if _is_likely(one, words)]


def _is_likely(sight: Sight, words: Sequence[Span]) -> bool:
    """Whether it is no person, no country, and no stray word."""
    is_bare = sight.preposition is None
    if (sight.is_plain and is_bare) or find_country(sight.name):
        return False
    is_called_so = sight.is_known and " " in sight.name  # "Kazimierz Dolny"
    if (is_person(sight.name) and not is_called_so) or (is_bare and _opens_name(sight, words)):
        return False
    labels = labels_of(words[sight.start].text)
    is_acronym = words[sight.start].text.isupper() and len(words[sight.start].text) > 1
    if is_acronym and not sight.is_known:
        return False
    if is_bare and "imię" in labels:
        return False
    if sight.is_known:
        return not is_bare or len(sight.name) > _SHORT_NAME
    is_predicate = sight.start > 0 and words[sight.start - 1].folded in {"jest", "to", "stolica"}
    is_geographic = "nazwa_geograficzna" in labels
    return is_geographic or (is_predicate if is_bare else "imię" not in labels)


def _opens_name(sight: Sight, words: Sequence[Span]) -> bool:
    """Whether a longer name begins with what is also a place: "Góra Trzech Krzyży"."""
    return sight.end < len(words) and words[sight.end].is_capitalised


def mentioned(text: str) -> tuple[str, ...]:
    """Return the places that a statement is about, in base form: those after "w" come first."""
    parts = [text[found.start() :] for found in _IN.finditer(text)][: 2 * _MOST]
    inside = [name for part in parts for name in find_places(part[:60])[:1]]
    return tuple(dict.fromkeys((*inside, *sighted(text))))


def latest(state: DialogueState, *, is_pointed_at: bool = True) -> tuple[str, ...]:
    """Return the place that was last spoken of.

    A topic that no list of places has may be one only where the prompt points at a place ("tam").
    """
    for turn in reversed(state.turns):
        for call in turn.calls:
            if call.name == WEATHER and "city" in call.arguments:
                return (str(call.arguments["city"]),)
        topics = _topics_of(turn) if is_pointed_at else iter(())
        if found := next(chain(_of_turn(turn), topics), None):
            return (found,)
    return ()


def said_of_oneself(state: DialogueState) -> tuple[str, ...]:
    """Return the only place that the user told of in passing: "chodzę do liceum w Gołdapi"."""
    for turn in reversed(state.turns):
        if _HOME.search(fold_evenly(turn.prompt)) and len(found := spoken(turn.prompt)) == 1:
            return found
    return ()


def _of_turn(turn: Turn) -> Iterator[str]:
    """The places of one exchange, the likeliest first: its topic, its picture, what was said."""
    for call in turn.calls:
        if call.name == WIKIPEDIA:
            yield from _of_topic(str(call.arguments.get("query", "")), turn)
    described = [str(call.arguments.get("description", "")) for call in turn.calls]
    texts = (*described, turn.reply, turn.prompt)
    for text in texts:
        stray = _stray(text)
        yield from planned_place(text)
        yield from (name for name in _ranked(text) if name not in stray)
    yield from chain.from_iterable(map(_stray, texts))


def planned_place(text: str) -> tuple[str, ...]:
    """The place of the only clause with a day: "mieszkam w Łasku, ale jutro jestem w Kole"."""
    clauses = [one for one in _CLAUSES.split(text) if spoken(one)]
    dated = [one for one in clauses if find_days(one)] if len(clauses) > 1 else []
    return spoken(dated[0]) if len(dated) == 1 else ()


def _stray(text: str) -> list[str]:
    """Names that no list has, at which nothing is said to be: "Rynek, Góra Trzech Krzyży"."""
    return [one.name for one in _likely(text) if not one.is_known and one.preposition is None]


def _topics_of(turn: Turn) -> Iterator[str]:
    """The topics of one exchange that could be places, though no list has them."""
    wiki = [call.arguments.get("query", "") for call in turn.calls if call.name == WIKIPEDIA]
    yield from (str(topic) for topic in wiki if topic and _may_be_place(str(topic)))


def _may_be_place(topic: str) -> bool:
    """Whether a topic that no list of places has could be one: a name, and no person."""
    return topic[:1].isupper() and "(" not in topic and not is_person(topic)


def _of_topic(topic: str, turn: Turn) -> Iterator[str]:
    if is_person(topic) and gazetteer().find(topic) is None:
        return
    if (built := _BUILT.match(fold_evenly(topic))) is not None:
        yield from (*sighted(topic[built.end() :]), *_ranked(topic), *_ranked(turn.reply))
    country = find_country(topic)
    if country is not None:
        is_asked = CAPITAL.search(fold_evenly(f"{turn.prompt} {turn.reply}")) is not None
        yield from [country.capital] if country.capital and is_asked else []
        return
    is_kind = _IS_PLACE.search(fold_evenly(turn.reply))
    lies = _LIES.match(fold_evenly(turn.reply).removeprefix(fold_evenly(topic)))
    if lies and not is_kind and not is_place(topic):
        yield from (one.name for one in _likely(turn.reply) if one.is_known and _is_at(one))
    is_told = is_kind or _is_answer(topic, turn) or lies
    if topic and (is_place(topic) or is_told):
        yield topic
    elif topic and _STANDS.search(fold_evenly(turn.reply)):
        yield from (one.name for one in _likely(turn.reply) if one.is_known and _is_at(one))
    yield from _ranked(topic)
    if _KIND.search(fold_evenly(topic)):
        yield topic


def _is_answer(topic: str, turn: Turn) -> bool:
    """Whether a place was asked for, and the topic is the name that the reply gives."""
    asked = fold_evenly(turn.prompt)
    is_new = topic in turn.reply and fold_evenly(topic) not in asked
    return is_new and _WHICH_PLACE.search(asked) is not None and _may_be_place(topic)


def _size_at(text: str, words: Sequence[Span], at: int) -> int:
    for size in range(min(3, len(words) - at), 0, -1):
        if gazetteer().sightings(joined(text, words[at : at + size])):
            return size
    return 0
