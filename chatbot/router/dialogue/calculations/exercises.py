"""One of several exercises that a prompt before listed: "a ten ostatni?", "to teraz b"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.rereading import is_same
from chatbot.router.dialogue.scene import Finding, Scene, calculate
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.router.dialogue.turns import Turn

_LABEL = regex(r"(?:^|(?<=[\s:;,(]))(?P<name>[a-h]|\d)[).](?=\s?[^\s\d]|\s\d|(?<=\))\d)\s*")
_PLAIN = regex(
    r"(?<![\w,.])-?\(?\d+(?:[.,]\d+)?\)?(?: ?[-+*/:·×^] ?\(?\d+(?:[.,]\d+)?\)?){1,6}(?![\w/])"
)
_BODY_END = regex(r"[.;?!](?:\s|$)|,\s*(?=[^\W\d]{2,})")
_JOINED = regex(r"(?: (?:i|oraz|a))?[ ,;]*$")
_HEAD_START = regex(r"[.;?!]\s+(?=\S)")
_THING = (
    r"(?:pod)?punkt\w*|przyklad\w*|zadan\w*|rownan\w*|dzialan\w*|cwiczen\w*|liter\w*|numer\w*|nr|"
    r"poleceni\w*|pochodn\w+|calk\w*|ulam\w+|pozycj\w+"
)
_ORDINALS = ("pierwsz", "drug", "trzeci", "czwart", "piat", "szost", "siodm", "osm")
_POINTED = regex(
    r"^\W*(?:(?:a|i|no|to|teraz|ok|okej|okay|dobr[aey]|dobrze|super|swietnie|ekstra|git|dzieki|"
    r"dziekuje|jeszcze|prosze|poprosze|zrob|policz|oblicz|rozwiaz|podaj|daj|dawaj|sprawdz|mozesz|"
    r"mi|tez|wyszlo|zgadza sie|jasne|dalej|lec\w*|ten|ta|te|tej|tego|tych|z|na|o|co z|jak|ile|"
    rf"wyjdzie|wychodzi|bedzie|moze|przejdz\w*|do|{_THING})\W+)*?"
    rf"(?:(?P<names>[a-h1-9]\b\)?(?:(?: ?,| i| oraz)+ ?[a-h1-9]\b\)?){{0,5}})|"
    rf"(?P<at>{'|'.join(_ORDINALS)})(?:y|i|a|e|ie|ego|iego|ej|iej)?|"
    r"(?P<last>(?P<before>przed)?ostatni\w*)|(?P<next>nastepn\w+|kolejn\w+)|"
    r"(?P<rest>(?:(?:dwa|dwie|trzy|oba|obie) )?(?:reszt\w+|pozosta\w+|inne)(?: dwa| dwie| trzy)?)"
    r")\b"
    rf"(?:\W+(?:{_THING}|pros\w+|poprosze|teraz|tez|jeszcze|z kolei|z listy|mi|policz|oblicz|zrob|"
    r"rozwiaz|ile|wyjdzie|wychodzi|bedzie|dasz rade))*\W*$"
)
_LEAST, _LONGEST = 2, 12


def follow(scene: Scene) -> Finding:
    """Calculate the listed exercises that a prompt points at, where one of them was calculated."""
    if MATHEMATICS not in scene.offered or scene.size > _LONGEST:
        return None
    active = next((turn for turn in reversed(scene.state.turns) if turn.calls), None)
    if active is None or not active.uses(MATHEMATICS):
        return None
    pointed = _POINTED.match(scene.folded)
    found = _pointed_at(pointed, scene.state.turns) if pointed is not None else []
    return replace(calculate(*found), is_settled=True) if found else None


def _pointed_at(pointed: re.Match[str], turns: Sequence[Turn]) -> list[str]:
    for at in reversed(range(len(turns))):
        names, exercises = _listed(turns[at].prompt)
        if exercises:
            return _chosen(pointed, names, exercises, _calculated(turns[at:]))
    return []


def _calculated(turns: Sequence[Turn]) -> list[str]:
    return [
        str(one.arguments.get(NEEDED[MATHEMATICS], ""))
        for turn in turns
        for one in turn.calls
        if one.name == MATHEMATICS
    ]


def _chosen(
    pointed: re.Match[str],
    names: Sequence[str],
    exercises: Sequence[Sequence[str]],
    done: Sequence[str],
) -> list[str]:
    """The expressions at the places that are pointed at, read as those that were calculated."""
    for way in exercises:
        places = [at for made in done for at, one in enumerate(way) if one and is_same(one, made)]
        if places:
            chosen = [way[at] for at in _places(pointed, names, places) if at < len(way)]
            return chosen if all(chosen) else []
    return []


def _places(pointed: re.Match[str], names: Sequence[str], done: Sequence[int]) -> list[int]:
    """Which of the list are meant; ``done`` are those that were calculated, in that order."""
    if pointed["names"]:
        said = re.findall(r"[a-h1-9]", pointed["names"])
        return [names.index(one) for one in said] if set(said) <= set(names) else []
    if pointed["at"]:
        return [_ORDINALS.index(pointed["at"])]
    if pointed["last"]:
        return [len(names) - (2 if pointed["before"] else 1)]
    if pointed["next"]:
        return [done[-1] + 1]
    return [at for at in range(len(names)) if at not in done]


def _listed(prompt: str) -> tuple[list[str], list[list[str]]]:
    """The names of the exercises of a prompt, and each way to read them all."""
    marks = _in_order(list(_LABEL.finditer(fold_evenly(prompt))))
    if len(marks) >= _LEAST:
        ends = [*(one.start() for one in marks[1:]), len(prompt)]
        parts = [prompt[one.end() : end] for one, end in zip(marks, ends, strict=True)]
        bodies = [_JOINED.sub("", _BODY_END.split(part, maxsplit=1)[0]) for part in parts]
        head = _HEAD_START.split(prompt[: marks[0].start()])[-1]
        names = [one["name"] for one in marks]
        return names, [[_read(f"{said} {body}") for body in bodies] for said in (head, "")]
    plain = [one[0] for one in _PLAIN.finditer(prompt)]
    if len(plain) < _LEAST:
        return [], []
    return [""] * len(plain), [[_read(one) for one in plain]]


def _in_order(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The labels that follow one another from the first on: a, b, c or 1, 2, 3."""
    found: list[re.Match[str]] = []
    for one in marks:
        if (not found and one["name"] in "a1") or (
            found and ord(one["name"]) == ord(found[-1]["name"]) + 1
        ):
            found.append(one)
    return found


def _read(text: str) -> str:
    found = read_formula(text)
    return found.expression if found is not None else ""
