"""The places that a prompt most likely means: its own, those of the user, those spoken of."""

import re
from collections.abc import Iterable, Iterator, Sequence

from chatbot.language.countries import find_country
from chatbot.language.morphology import morphology
from chatbot.router.detector.placewords import AT, FROM, NEAR, TO
from chatbot.router.detector.sights import Sight, find_sights
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.places import CAPITAL, is_place, meant
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WEATHER, WIKIPEDIA, DialogueState
from chatbot.router.dialogue.turns import Turn

_HERE = re.compile(r"\b(?:u (?:mnie|nas|siebie)|(?:tu|tutaj)|(?:w|pod|kolo) domu?|do domu)\b")
_THEIRS = re.compile(r"\bu (?:nich|niej|niego|(?!mnie|nas|siebie|was|ciebie)\w{4,})\b")
_LIVES = re.compile(
    r"\b(?:miesz?ka(?:m|my)|jest(?:em|esmy)|studiuj[ea]\w*|pracuj[ea]\w*|uczy?e? sie|chodze|siedz[ei]\w*|"
    r"pis[zs]e|dzwonie|pochodze|nocuj\w+|stacjonuj\w+|gospodarz\w+|prowadze|mam|u (?:mnie|nas)|"
    r"moj\w*|nasz\w*|tu(?:taj)?|przeprowadz\w+|zamieszkal\w+)\b"
)
_ALL = re.compile(
    r"\b(?:wszystki\w+|kazd\w+ (?:z nich|z tych|miejsc\w*|miast\w*|miescie)|t(?:ych|ymi) (?:dwoch|trzech|czterech|miast\w*|"
    r"miejsc\w*|miejscowosc\w*)|(?:obu|obydwu|oba|obydwa|obie|obydwie|obydwoch|obojga)|"
    r"(?:dwoch|trzech|czterech) (?:miast\w*|miejsc\w*|miejscowosc\w*)|ich wszystkich|"
    r"i tu i tam|i tu,? i tu|tu i tam)\b"
)
_WHICH = re.compile(
    r"\b(?:gdzie|ktor\w+(?: z (?:nich|tych\w*|obu))?)\b.{0,50}\b(?:ciepl\w+|zimn\w+|lepi\w+|"
    r"ladni\w+|slonec\w+|mniej|wiecej|bardziej|chlodn\w+|such\w+|pewni\w+|spokojni\w+|gor\w+j|"
    r"naj\w+)|\bcieplej czy|\bmiedzy nimi\b"
)
_ORDINALS = (
    (re.compile(r"\bpierwsz\w+\b"), 0),
    (re.compile(r"\bdrugi\w*\b|\bdruga\b"), 1),
    (re.compile(r"\btrzeci\w*\b"), 2),
    (re.compile(r"\bostatni\w*\b"), -1),
)
_OF_PLACES = re.compile(
    r"\b(?:pierwsz\w+|drug\w+|trzeci\w*|ostatni\w*) (?:z (?:nich|tych\w*|wymienion\w+)|miejsc\w*|"
    r"miast\w*|miescie|miejscowosc\w*|opcj\w+|propozycj\w+|wymienion\w+|kierun\w+)\b|"
    r"\b(?:to|te|ten|ta|tym|tej|na|w|we) (?:pierwsz\w+|drug\w+|trzeci\w*|ostatni\w*)\b"
)
_MISSED = re.compile(
    r"\b(?:pytal(?:em|am)|chodzi\w*(?: mi)? o|mial(?:em|am) na mysli|nie o (?:to )?miast\w+|sam\w* (?:szczyt|gor)\w*)\b"
)
_IS_ONE = re.compile(
    r"^[^.]{0,60}?\b(?:to|jest|lezy)\b[^.]{0,40}\b(?:miast\w+|wies|wsi|osad\w+|pasm\w+|jezior\w+|wysp\w+|gor\w+|"
    r"szczyt\w*|region\w*|kurort\w*|miejscowosc\w*|dolin\w+|park\w*|puszcz\w+|polwysep|zalew|rezerwat\w*)"
)
_GEOGRAPHIC = "nazwa_geograficzna"
_MOST = 4


def spoken(text: str) -> tuple[str, ...]:
    """Return the places that a text names, known or not, in its order."""
    words = split_words(text)
    sights = find_sights(text, words)
    return tuple(dict.fromkeys(one.name for one in sights if _is_likely(one, text)))


def _ranked(text: str) -> tuple[str, ...]:
    """The same, best first: at a place, then to it, near it, bare; known ones first."""
    sights = [one for one in find_sights(text, split_words(text)) if _is_likely(one, text)]
    return tuple(dict.fromkeys(one.name for one in sorted(sights, key=_rank)))


def _rank(sight: Sight) -> tuple[int, bool]:
    kinds = (AT, TO, NEAR, FROM)
    said = (at for at, kind in enumerate(kinds) if sight.preposition in kind)
    return (next(said, 1), not sight.is_known)


def _is_likely(sight: Sight, text: str) -> bool:
    """Whether it is no person, and no stray word in a small letter."""
    if sight.is_plain or is_person(sight.name) or find_country(sight.name) is not None:
        return False
    if sight.is_known:
        return sight.preposition is not None or len(sight.name) > len("San")
    words = split_words(text)
    labels = {
        label.partition("_(")[0]
        for reading in morphology().readings(words[sight.start].text)
        for label in reading.labels
    }
    if sight.preposition is None:
        return _GEOGRAPHIC in labels or bool(
            sight.start and words[sight.start - 1].folded in {"jest", "to", "stolica"}
        )
    return "imię" not in labels or _GEOGRAPHIC in labels


def likely_places(scene: Scene) -> tuple[str, ...]:
    """Return the places that the prompt means without naming them; none where none is known."""
    folded, state = scene.folded, scene.state
    if found := _of_people(folded, state):
        return found
    listed = _listed(state)
    if len(listed) > 1 and (_ALL.search(folded) or _WHICH.search(folded)):
        return listed[:_MOST]
    if len(listed) > 1 and _OF_PLACES.search(folded):
        at = next(at for pattern, at in _ORDINALS if pattern.search(folded))
        if at < len(listed):
            return (listed[at],)
    if _MISSED.search(folded) and (missed := _missed(state)):
        return missed
    return meant(folded, state) if _EVENT_OR_BOTH(folded) else _last(state)


def _EVENT_OR_BOTH(folded: str) -> bool:
    return CAPITAL.search(folded) is not None


def _of_people(folded: str, state: DialogueState) -> tuple[str, ...]:
    """Where the user lives, or others of whom was told: "u mnie i u nich"."""
    here, theirs = _HERE.search(folded), _THEIRS.search(folded)
    if here is None and theirs is None:
        return ()
    mine, others = _homes(state)
    found = (*(mine[:1] if here else ()), *(others[:1] if theirs else ()))
    return found if len(found) == bool(here) + bool(theirs) else ()


def _homes(state: DialogueState) -> tuple[list[str], list[str]]:
    """Places that the user spoke of: his own, and those of others."""
    mine: list[str] = []
    others: list[str] = []
    for turn in reversed(state.turns):
        if any(call.name == WEATHER for call in turn.calls):
            continue
        for clause in re.split(r"[,.;!?–]| (?:a|ale|i|oraz) ", turn.prompt):
            is_mine = _LIVES.search(fold_evenly(clause)) is not None
            (mine if is_mine else others).extend(spoken(clause))
    return mine, others


def _listed(state: DialogueState) -> tuple[str, ...]:
    """The places among which one may choose: those of the last reply, else all asked about."""
    last = state.last
    asked = tuple(
        dict.fromkeys(
            str(call.arguments["city"])
            for turn in state.turns
            for call in turn.calls
            if call.name == WEATHER and "city" in call.arguments
        )
    )
    if last is not None and not any(call.name == WEATHER for call in last.calls):
        told = spoken(last.reply)
        return told if len(told) > 1 else asked
    return asked


def _missed(state: DialogueState) -> tuple[str, ...]:
    """The place of the question before that the answer was not about."""
    last = state.last
    if last is None:
        return ()
    answered = {str(call.arguments.get("city")) for call in last.calls}
    return tuple(name for name in spoken(last.prompt) if name not in answered)[:1]


def _last(state: DialogueState) -> tuple[str, ...]:
    """The place that was last spoken of; of the last forecasts all."""
    for turn in reversed(state.turns):
        asked = [call for call in turn.calls if call.name == WEATHER and "city" in call.arguments]
        if asked:
            return tuple(dict.fromkeys(str(call.arguments["city"]) for call in asked))
        if found := next(_of_turn(turn), None):
            return (found,)
    return ()


def _of_turn(turn: Turn) -> Iterator[str]:
    """The places of one exchange, the likeliest first."""
    for call in turn.calls:
        topic = str(call.arguments.get("query", "")) if call.name == WIKIPEDIA else ""
        yield from _of_topic(topic, turn)
    described = [str(call.arguments.get("description", "")) for call in turn.calls]
    for text in (*described, turn.reply, turn.prompt):
        yield from _ranked(text)


def _of_topic(topic: str, turn: Turn) -> Iterator[str]:
    country = find_country(topic)
    if country is not None:
        if country.capital and CAPITAL.search(fold_evenly(f"{turn.prompt} {turn.reply}")):
            yield country.capital
        return
    if topic and (is_place(topic) or _IS_ONE.search(fold_evenly(turn.reply))):
        yield topic
    yield from _ranked(topic)
