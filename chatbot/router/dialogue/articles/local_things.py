"""Questions about a thing at the place of the conversation: "kto zbudował tamtejszy zamek?"."""

import re
from dataclasses import replace

from chatbot.language.locatives import in_place
from chatbot.language.patterns import regex
from chatbot.router.detector.places import find_places
from chatbot.router.dialogue.articles.name_kinds import BUILDINGS
from chatbot.router.dialogue.articles.renaming import noun_in
from chatbot.router.dialogue.forecasts.places import latest
from chatbot.router.dialogue.scene import Finding, Scene, call
from chatbot.router.dialogue.state import WEATHER, WIKIPEDIA

_THIS = regex(r"\bt(?:en|a|o|ego|ej|ym|e) (\w{3,})(?: (\w{3,}))?")
_LOCAL = regex(
    r"\b(?:tamtejsz\w+|tutejsz\w+) (?P<own>\w+)|"
    r"\btam(?: \w+){0,3}? (?P<built>zam(?:ek|ku|kiem)|palac\w*|kosci(?:ol|ele)\w*|"
    r"katedr\w+|bazyli[kc]\w+|klasztor\w*|muze\w+|ratusz\w*|twierdz\w+|synago[gd]\w+|latarni\w*|"
    r"skansen\w*)(?=\W*$)"
)


def local_thing(scene: Scene, *, opens: bool) -> Finding:
    """Find the thing there that is asked about; ``opens``: the prompt begins as a question does."""
    place = () if scene.detected(WEATHER) else latest(scene.state)
    if not place:
        return None
    told = _LOCAL.search(scene.folded) if opens else None
    noun = _named(scene, told) if told else _building(scene, opens=opens)
    if noun is None:
        return None
    return replace(call(WIKIPEDIA, query=f"{noun} {in_place(place[0])}"), is_settled=True)


def _named(scene: Scene, told: re.Match[str]) -> str | None:
    return noun_in(scene.text[slice(*told.span("own" if told["own"] else "built"))])


def _building(scene: Scene, *, opens: bool) -> str | None:
    """The building of which a question asks after the weather of its town: "ten zamek tam"."""
    is_asked = scene.is_question or opens
    if not is_asked or not scene.is_active(WEATHER) or find_places(scene.text):
        return None
    told = _THIS.finditer(scene.folded)
    words = (scene.text[slice(*one.span(at))] for one in told for at in (1, 2) if one[at])
    nouns = map(noun_in, words)
    return next((one for one in nouns if one in BUILDINGS), None)
