"""The places that a prompt most likely means: its own, those of the user, those spoken of."""

import re

from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.days import said
from chatbot.router.dialogue.places import latest, meant, said_of_oneself, spoken
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WEATHER, DialogueState

_HERE = re.compile(r"\b(?:u (?:mnie|nas|siebie)|(?:tu|tutaj)|(?:w|pod|kolo) domu?|do domu)\b")
_THEIRS = re.compile(r"\bu (?:nich|niej|niego|(?!mnie|nas|siebie|was|ciebie)\w{4,})\b")
_LIVES = re.compile(
    r"\b(?:miesz?ka(?:m|my)|jest(?:em|esmy)|studiuj[ea]\w*|pracuj[ea]\w*|uczy?e? sie|"
    r"chodze|siedz[ei]\w*|pis[zs]e|dzwonie|pochodze|nocuj\w+|stacjonuj\w+|gospodarz\w+|prowadze|"
    r"mam|u (?:mnie|nas)|"
    r"moj\w*|nasz\w*|tu(?:taj)?|przeprowadz\w+|zamieszkal\w+)\b"
)
_ALL = re.compile(
    r"\b(?:wszystki\w+|kazd\w+ (?:z nich|z tych|miejsc\w*|miast\w*|miescie)|"
    r"t(?:ych|ymi) (?:dwoch|trzech|czterech|miast\w*|miejsc\w*|miejscowosc\w*)|"
    r"(?:obu|obydwu|oba|obydwa|obie|obydwie|obydwoch|obojga)|"
    r"(?:dwoch|trzech|czterech) (?:miast\w*|miejsc\w*|miejscowosc\w*)|ich wszystkich|"
    r"jedn\w+ i drug\w+|i tu i tam|i tu,? i tu|tu i tam)\b"
)
_WHICH = re.compile(
    r"\b(?:gdzie|ktor\w+(?: z (?:nich|tych\w*|obu))?)\b.{0,50}\b(?:ciepl\w+|zimn\w+|lepi\w+|"
    r"ladni\w+|slonec\w+|mniej|wiecej|bardziej|chlodn\w+|such\w+|pewni\w+|spokojni\w+|gor\w+j|"
    r"naj\w+)|\bcieplej czy|\bmiedzy nimi\b"
)
_COUNTS = (
    (
        re.compile(
            r"\b(?:ob(?:u|a|ie|oje|ojga|ydw\w+)|dwoch|dwa|dwie|jedn\w+ i drug\w+|i t(?:u|am))\b"
        ),
        2,
    ),
    (re.compile(r"\b(?:trzech|trzy|trojg\w+)\b"), 3),
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
    r"\b(?:pytal(?:em|am)|chodzi\w*(?: mi)? o|mial(?:em|am) na mysli|nie o (?:to )?miast\w+|"
    r"sam\w* (?:szczyt|gor)\w*)\b"
)
_CLAUSES = re.compile(r"[,.;!?–]|\b(?:a|ale|i|oraz)\b")
_MOST = 4


def likely_places(scene: Scene) -> tuple[str, ...]:
    """Return the places that the prompt means without naming them; none where none is known."""
    if found := referred_places(scene):
        return found
    if _HERE.search(scene.folded) and not scene.state.calls(WEATHER):
        return said_of_oneself(scene.state)
    return _last(scene.state)


def referred_places(scene: Scene) -> tuple[str, ...]:
    """Return the places that the prompt points to: "tam", "u nich", "w tych trzech"."""
    folded, state = scene.folded, scene.state
    if found := _of_people(folded, state):
        return found
    listed = _listed(state)
    if len(listed) > 1 and _OF_PLACES.search(folded):
        at = next(at for pattern, at in _ORDINALS if pattern.search(folded))
        return listed[at : at + 1 or None]
    if len(listed) > 1 and (_ALL.search(folded) or _WHICH.search(folded)):
        return _so_many(listed, folded, state)
    if is_missed(scene):
        return _missed(state)
    return meant(folded, state)


def is_missed(scene: Scene) -> bool:
    """Whether the user says that another place was asked about than answered."""
    return _MISSED.search(scene.folded) is not None and bool(_missed(scene.state))


def _so_many(listed: tuple[str, ...], folded: str, state: DialogueState) -> tuple[str, ...]:
    """As many as are spoken of: of those asked about the last, of those told the first."""
    most = next((count for pattern, count in _COUNTS if pattern.search(folded)), _MOST)
    is_asked = listed[-1:] == state.values(WEATHER, "city")[:1]
    return listed[-most:] if is_asked else listed[:most]


def _of_people(folded: str, state: DialogueState) -> tuple[str, ...]:
    """Where the user lives, or others of whom was told: "u mnie i u nich"."""
    here, theirs = _HERE.search(folded), _THEIRS.search(folded)
    if here is None and theirs is None:
        return ()
    mine, others = _homes(state)
    return (*(mine[:1] if here else ()), *(others[:1] if theirs else ()))


def _homes(state: DialogueState) -> tuple[list[str], list[str]]:
    """Places that the user spoke of, the latest first: his own, and those of others."""
    mine: list[str] = []
    others: list[str] = []
    for turn in reversed(state.turns):
        for clause in _CLAUSES.split(turn.prompt):
            is_mine = _LIVES.search(fold_evenly(clause)) is not None
            (mine if is_mine else others).extend(spoken(clause))
    return mine, others


def _listed(state: DialogueState) -> tuple[str, ...]:
    """The places among which one may choose: of the last reply, of all forecasts, of all turns."""
    last = state.last
    calls = [call for turn in state.turns for call in turn.calls if call.name == WEATHER]
    asked = said(calls, "city")
    if last is None or any(call.name == WEATHER for call in last.calls):
        return asked
    told = spoken(last.reply)
    spoken_of = (latest(DialogueState(turns=(turn,))) for turn in state.turns)
    each = tuple(dict.fromkeys(name for found in spoken_of for name in found))
    return next((found for found in (told, asked, each) if len(found) > 1), ())


def _missed(state: DialogueState) -> tuple[str, ...]:
    """The place of the question before that the answer was not about."""
    last = state.last
    if last is None:
        return ()
    answered = {str(call.arguments.get("city")) for call in last.calls}
    return tuple(name for name in spoken(last.prompt) if name not in answered)[:1]


def _last(state: DialogueState) -> tuple[str, ...]:
    """The places of the last forecasts, if they came last; else the place last spoken of."""
    last = state.last
    asked = [] if last is None else [call for call in last.calls if call.name == WEATHER]
    return said(asked, "city") or latest(state)
