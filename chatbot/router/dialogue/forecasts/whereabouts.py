"""The places that a prompt most likely means: its own, those of the user, those spoken of."""

import re

from chatbot.language.countries import find_country
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.enumerations import compared, joined_places, listed_places, pick
from chatbot.router.dialogue.forecasts.days import said
from chatbot.router.dialogue.forecasts.degrees import by_degrees
from chatbot.router.dialogue.forecasts.homes import HERE, homes_meant
from chatbot.router.dialogue.forecasts.places import is_place, latest, said_of_oneself, spoken
from chatbot.router.dialogue.forecasts.pointed_places import meant
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WEATHER, DialogueState

_ALL = regex(
    r"\b(?:wszystki\w+|kazd(?:ego|ym|ej|emu)$|kazd(?:ego|ym|ej|emu) (?=po?prosze)|"
    r"kazd\w+ (?:z nich|z tych|miejsc\w*|miast\w*|miescie)|"
    r"t(?:ych|ymi) (?:dwoch|trzech|czterech|miast\w*|miejsc\w*|miejscowosc\w*)|"
    r"(?:obu|obydwu|oba|obydwa|obie|obydwie|obydwoch|obojga)|"
    r"(?:dwoch|trzech|czterech) (?:miast\w*|miejsc\w*|miejscowosc\w*)|ich wszystkich|"
    r"jedn\w+ i drug\w+|i tu i tam|i tu,? i tu|tu i tam)\b"
)
_WHICH = regex(
    r"\b(?:gdzie|ktor\w+(?: z (?:nich|tych\w*|obu))?)\b.{0,50}\b(?:ciepl\w+|zimn\w+|lepi\w+|"
    r"ladni\w+|slonec\w+|mniej|wiecej|bardziej|chlodn\w+|such\w+|pewni\w+|spokojni\w+|gor\w+j|"
    r"naj\w+)|\bcieplej czy|\bmiedzy nimi\b|"
    r"\b(?:gdzie|ktor\w+)\b.{0,30}\b(?:pad\w+|lal\w+|lac|leje|wia\w+|wieje|slon\w+|zmokn\w+)"
)
_COUNTS = (
    (
        regex(r"\b(?:ob(?:u|a|ie|oje|ojga|ydw\w+)|dwoch|dwa|dwie|jedn\w+ i drug\w+|i t(?:u|am))\b"),
        2,
    ),
    (regex(r"\b(?:trzech|trzy|trojg\w+)\b"), 3),
)
_ORDINAL = r"(?:pierwsz\w+|drug\w+|trzeci\w*|czwart\w+|srodkow\w+|(?:przed)?ostatni\w*)"
_OF_PLACES = regex(
    rf"\b{_ORDINAL} (?:z (?:nich|tych\w*|wymienion\w+)|miejsc\w*|"
    r"miast\w*|miescie|miejscowosc\w*|opcj\w+|propozycj\w+|wymienion\w+|kierun\w+)\b|"
    rf"\b(?:to|te|ten|ta|tym|tego|tej|na|w|we) {_ORDINAL}\b"
)
_COMPARED = regex(r"\b(?:to|te|ten|ta|tym|tego|tej|na|w|we) \w+(?:sz(?:y|a|e|ej|ym|ego))\b")
_MISSED = regex(
    r"\b(?:pytal(?:em|am)|chodzi\w*(?: mi)? o|mial(?:em|am) na mysli|nie o (?:to )?miast\w+|"
    r"sam\w* (?:szczyt|gor)\w*)\b"
)
_UNNAMED = regex(r"\b(?:nad|w|na|za) (morzem|jeziorem|gorach|wsi|dzialce|granica)\b")
_MOST, _SHORT = 4, 5


def likely_places(scene: Scene) -> tuple[str, ...]:
    """Return the places that the prompt means without naming them; none where none is known."""
    if found := referred_places(scene):
        return found
    if names_no_place(scene):
        return ()
    if HERE.search(scene.folded) and not scene.state.calls(WEATHER):
        return said_of_oneself(scene.state)
    return _last(scene.state)


def names_no_place(scene: Scene) -> bool:
    """Whether another kind of place is meant that nobody named: "a nad morzem?"."""
    found = _UNNAMED.search(scene.folded) if scene.size <= _SHORT else None
    told = fold_evenly(" ".join(f"{one.prompt} {one.reply}" for one in scene.state.turns))
    return found is not None and re.search(rf"\b{found[1][:3]}", told) is None


def referred_places(scene: Scene) -> tuple[str, ...]:
    """Return the places that the prompt points to: "tam", "u nich", "w tych trzech"."""
    folded, state = scene.folded, scene.state
    if found := homes_meant(folded, state):
        return found
    listed = _listed(state)
    if _OF_PLACES.search(folded) and (one := pick(listed, folded)) is not None:
        return (one,)
    if (one := _compared(listed, folded, state)) is not None:
        return (one,)
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


def _listed(state: DialogueState) -> tuple[str, ...]:
    """The places among which one may choose: of the last reply, of all forecasts, of all turns."""
    last = state.last
    calls = [call for turn in state.turns for call in turn.calls if call.name == WEATHER]
    asked = said(calls, "city")
    if last is None or last.uses(WEATHER):
        return asked
    told = (
        listed_places(last.reply)
        or joined_places(last.reply)
        or listed_places(last.prompt)
        or _known(last.reply)
    )
    spoken_of = (latest(DialogueState(turns=(turn,))) for turn in state.turns)
    each = tuple(dict.fromkeys(name for found in spoken_of for name in found))
    earlier = (listed_places(turn.reply) for turn in reversed(state.turns[:-1]))
    if all(find_country(name) for name in told) and len(each) > 1:
        told = ()
    named = (told, asked, each, _known(last.prompt), *earlier)
    return next((found for found in named if len(found) > 1), ())


def _known(text: str) -> tuple[str, ...]:
    """The places of a text; where lists know some of them, those alone."""
    found = spoken(text)
    return tuple(name for name in found if is_place(name)) or found


def _compared(listed: tuple[str, ...], folded: str, state: DialogueState) -> str | None:
    """Which place the last reply calls so, or tells to be so: "w tym mniejszym", "cieplejszym"."""
    reply = state.last.reply if state.last else ""
    warmer_or_colder = by_degrees(listed, folded, reply)
    if warmer_or_colder is None and _COMPARED.search(folded):
        return compared(listed, folded, reply)
    return warmer_or_colder


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
    return said(asked, "city") or latest(state, is_pointed_at=False)
