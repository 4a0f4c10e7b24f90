"""A number of the last calculation made larger: "a gdyby boki były dwa razy dłuższe?"."""

import re

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import exchange, form_of, replaced
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene

_MORE = (
    r"(?:wiek\w+|dluz\w+|wyz\w+|szer\w+|gleb\w+|drozs\w+|drozej|ciez\w+|szybs\w+|szybciej|"
    r"wiecej|starsz\w+|grubs\w+|mocniej\w+|dalej|wiec\w+)"
)
_LESS = (
    r"(?:mniej\w*|krot\w+|kroc\w+|niz\w+|wez\w+|plyts\w+|tans\w+|taniej|lzej\w+|woln\w+|mlods\w+|"
    r"ciens\w+|bliz\w+)"
)
_CHANGED = regex(
    rf"\b(?:(?P<n>\w+|\d+(?:,\d+)?) razy|(?P<two>dwukrotn\w+|dwakroc)|(?P<three>trzykrotn\w+)|"
    rf"(?P<four>czterokrotn\w+)|(?P<half>o polow\w+)) (?P<way>{_MORE}|{_LESS})|"
    rf"(?P<way2>podwo\w+|potro\w+)|"
    rf"\b(?:powieksz|zwieksz|wydluz)\w* (?:\w+ ){{1,3}}(?:(?P<two2>dwukrotnie)|trzykrotnie)|"
    rf"(?P<cut>\b(?:zmniejsz|skroc|obniz)\w*) (?:\w+ ){{1,3}}(?:(?P<two3>dwukrotnie|o polowe)|"
    rf"trzykrotnie)"
)
_SUPPOSED = regex(
    r"^(?:a|i) \w+ \w+ razy\b|"
    r"\b(?:gdyb\w*|jakby|jesli|jezeli|jak\b.*\b(?:bedzie|byl\w*)|a (?:przy|dla|z|ze)|bedzie|"
    r"byl[aoyi]?|byloby|powieksz\w*|zwieksz\w*|wydluz\w*)\b"
)
_SAME = regex(r"\b(?:t\w+ sam\w+|bez zmian|nie ?zmieni\w*)\b")
_NO_NOUN = frozenset({
    "gdyby", "byly", "bylo", "byla", "jakby", "razy", "bedzie", "jesli", "jezeli", "wtedy",
    "kazdy", "kazda", "kazde", "tyle", "ile", "wynik", "samo", "sama", "sami", "teraz", "zrob",
    "gdybym", "mial", "miala", "taki", "taka", "takie", "podaj", "policz", "oblicz",
})  # fmt: skip
_SPEED = regex(r"\b(?:szybciej|wolniej|szybsz\w+|wolniejsz\w+)\b")
_IS_SPEED = regex(r"\s*(?:km/h|m/s|km na godz|kilometr\w* na godz)")
_BY_LENGTH = regex(
    r"\b(?:(?P<long>dluzsz\w+|wieksz\w+)|krotsz\w+|mniejsz\w+) (?:bok|krawedz|przyprostok)"
)
_STEM = 5
_PLURAL = regex(r"\b(?:boki|wymiary|sciany|krawedzie|przyprostokatne|oba|obie|wszystk\w+)\b")


def scaled(scene: Scene) -> str | None:
    """Multiply or divide the number of what the prompt names, as it says."""
    expression, last = last_expression(scene.state), scene.state.last
    found = _CHANGED.search(scene.folded)
    if expression is None or last is None or found is None:
        return None
    factor = _factor(found)
    own = [one for one in read_amounts(scene.text) if not found.start() <= one.start < found.end()]
    if factor is None or own:
        return None
    way = found["way"] or ""
    is_less = re.match(_LESS, way) is not None and not re.match(_MORE, way)
    is_less = is_less or found["cut"] is not None
    told = _named(scene, found, last.prompt)
    if not told and _is_supposed(scene):
        only = _told(scene, last.prompt)
        told = only if len(only) == 1 else []
    forms = [
        form_of(expression, one.value, one.value / factor if is_less else one.value * factor)
        for one in told
    ]
    known = [form for form in forms if form is not None]
    return replaced(expression, dict(known)) if known and len(known) == len(forms) else None


def _is_supposed(scene: Scene) -> bool:
    return bool(_SUPPOSED.search(scene.folded) or _SAME.search(scene.folded))


def _factor(found: re.Match[str]) -> int | None:
    if (
        found["two2"]
        or found["two3"]
        or found["two"]
        or found["half"]
        or (found["way2"] or "").startswith("podw")
    ):
        return 2
    if found["three"] or found["way2"] or found[0].endswith("trzykrotnie"):
        return 3
    if found["four"]:
        return 4
    number = read_number(found["n"]) if found["n"] else None
    return int(number) if number is not None and number == int(number) > 1 else None


def _told(scene: Scene, prompt: str) -> list[Amount]:
    """The numbers of the last prompt that the last calculation was made with."""
    last = last_expression(scene.state) or ""
    return [one for one in read_amounts(prompt) if exchange(last, one.value, one.value)]


def _named(scene: Scene, found: re.Match[str], prompt: str) -> list[Amount]:
    """The numbers of the last prompt beside the noun that is said to be larger or smaller."""
    told = _told(scene, prompt)
    if not told or _PLURAL.search(scene.folded):
        return told
    if (which := _BY_LENGTH.search(scene.folded)) is not None:
        return [(max if which["long"] else min)(told, key=lambda one: one.value)]
    same = _SAME.search(scene.folded)
    rest = scene.folded if same is None else _without_clause(scene.folded, same, found)
    nouns = [
        word
        for word in re.findall(r"[a-z]{4,}", rest)
        if word not in _NO_NOUN and not re.match(rf"(?:{_MORE}|{_LESS}|\w+krotn|podwo|potro)", word)
    ]
    folded = fold_evenly(prompt)
    if _SPEED.search(scene.folded):
        return [one for one in told if _IS_SPEED.match(folded[one.end :])]
    for noun in nouns:
        stem = noun[:_STEM] if len(noun) > _STEM else noun[:-1]
        at = folded.find(stem)
        if at >= 0:
            return [min(told, key=lambda one: _distance(one, at))]
    return []


def _without_clause(folded: str, same: re.Match[str], found: re.Match[str]) -> str:
    """The clause in which something changes, without that in which something stays."""
    clauses = re.split(r",| a | i | ale | przy | bez ", folded)
    kept = [one for one in clauses if found[0] in one and same[0] not in one]
    return kept[0] if kept else folded[: found.end()]


def _distance(one: Amount, at: int) -> int:
    return one.start - at if one.start >= at else 3 * (at - one.end)
