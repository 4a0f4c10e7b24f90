"""What a story asks for: the dimensions of the answer, its unit, and in what respect."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.units import (
    PEOPLE,
    PER_TIME,
    Dimensions,
    is_noun,
    times,
    unit_of,
)
from chatbot.router.detector.formulas.problems.amounts.words import STOP, Words

_SKIPPED = regex(
    r"(?:pelnych|calych|takich|takie|najmniej|maksymalnie|minimum|jeszcze|to|bedzie|mi|sie|ci|on|"
    r"trzeba|potrzeba|potrzeb\w+|musze|moge|mozna|mozemy|jest|da|czystego|lacznie|razem|srednio|"
    r"dokladnie|wyjdzie|wychodzi|nam|im|mu|jej|jego|powinn\w+|wynosi|wyniesie|kupic|kupie|"
    r"zaoszczedz\w*|oszczedz\w*|przeplac\w*|wyda[mj]\w*|bydzie|placa|dostan\w*|zysk\w+|"
    r"zamowic|dobrych|zostanie|zostalo|zostaje|zmiesci|wszystkich|wejdzie|potrzebuje|biore)$"
)
_PRONOUN = regex(r"^(?:ich|takich|tego|jej|sztuk|sztuki|szt)$")
_LINKS = frozenset([
    "na",
    "za",
    "w",
    "z",
    "od",
    "i",
    "a",
    "po",
    "do",
    "dla",
    "u",
    "o",
    "lub",
    "czy",
    "co",
    "ile",
])
_MONEY = regex(
    r"\b(?:koszt\w*|kosztuje|kosztowac|zaplac\w*|place|placi|placimy|cen[aeyę]|rachun\w*|wyda\w*|"
    r"zarob\w*|kwot\w*|utarg\w*|przychod\w*|wyplac\w*|wyplat\w*|oplat\w*|wydatek|naleznosc\w*|"
    r"pieniedzy|piniyndzy|kasy|kaski|forsy|hajsu|szmalu|gotowk\w*|nalicz\w+|utarg|"
    r"budzet\w*|zl|zlot\w+|do zaplaty|zabuli\w*|skasuj\w*|doplac\w*|"
    r"skasowal\w*|"
    r"zarabiam|oddac|dac|reszty wyda\w*|wartosc|naleza\w*|utargow\w*|oplaci\w*|przy kasie|w kasie|"
    r"rat[aey]|czynsz\w*|stowk\w*)\b"
)
_QUANTITIES: tuple[tuple[re.Pattern[str], Mapping[str, int]], ...] = tuple(
    (regex(pattern), MappingProxyType(dimensions))
    for pattern, dimensions in (
        (r"\bpredkosc\w*|\bjak szybko|\bkmh\b|\bmps\b", {"length": 1, "time": -1}),
        ((r"\bjak dlugo|\bile (?:\w+ )?czasu|\bjaki\w* czas|\bpo jakim czasie|\bkiedy\b|"
         r"\bile (?:\w+ )?(?:trwa|potrwa|zajmie)"), {"time": 1}),
        (r"\bpowierzchni\w*|\bpole\b|\bmetraz\w*", {"length": 2}),
        (r"\bobjetosc\w*|\bpojemnosc\w*", {"length": 3}),
        ((r"\bjak daleko|\bzasieg\w*|\bdystans\w*|\bdrog[aeię]\b|\bodleglosc\w*|\btras[aey]\b|"
         r"\bdlugosc\w*|\bszerokosc\w*|\bwysokosc\w*|\bglebokosc\w*|\bile (?:\w+ )?"
         r"(?:przejed\w+|przejd\w+|przebieg\w+)"), {"length": 1}),
        (r"\bmas[aey]\b|\bwaz[ya]\w*|\bciezar\w*|\bwaga\b", {"mass": 1}),
    )
)  # fmt: skip
_REST = regex(r"\b(?:zosta\w*|reszt\w*|pozosta\w*|ostal\w*)")
_LACK = regex(r"(?<!nie )\b(?:brak\w+|dozbier\w*|doplac\w*|doplat\w*|doloz\w+)")
_GAP = regex(
    r"\b(?:o ile|roznic\w*|zaoszczedz\w*|oszczedz\w*|oszczedn\w*|o ktora|taniej|drozej|ubylo|"
    r"przeplac\w*|nadplac\w*|zarobi na|odsetk\w*|zuzyl\w*|przybylo|przytyl\w*|schudl\w*)"
)
_UP = regex(
    r"\b(?:trzeba|potrzeb\w+|kupic|kupuj\w*|zamow\w*|nakry\w*|muszę|musze|musi\w*|minimum|najmniej|"
    r"zaokraglajac w gore|w gore|wziac|zabrac|starczylo|wystarczy|kursow|ile razy)\b"
)
_DOWN = regex(
    r"\b(?:zmiesc\w*|zmieszcz\w*|wwioz\w*|wejdzie|da sie|peln\w*|calych|najwyzej|maksymalnie|"
    r"upiek\w*|uszyj\w*|wytn\w*|wykroj\w*|potn\w*|naleje|zrobi\w*|uloz\w*|stac mnie|moge kupic|"
    r"zapakuj\w*|napeln\w*|wchodzi|w dol)\b"
)
_PRICE_EACH = regex(
    r"\b(?:po ile|ile (?:\w+ )?za (?:sztuk\w|1|jedn\w+)(?! \d)|na glowe|na osobe|"
    r"od osoby|od lebka|na leb|kazd[yaei]\w*)\b"
)
_BY_PIECES = regex(r"\bpo il[eu] (?:\w+ach|dni)|\bpo ile z ")
_PRICE_OF = regex(
    r"\bpo ile (?:\w+ ){0,2}?(kilogram|kilo|litr|metr|godzina|tona)\b"
    r"|\bile (?:\w+ )?za (?:1 |jedn\w+ )?(kg|kilo\w*|l|litr|metr|m|mkw|godzine|h|kwh|tone)\b"
)
_SINGULAR = regex(r"(?:[eary]|g|dzien|tydzien|ilogram|litr|metr)$|^\w{1,2}$")
_IN_UNITS = regex(r"^ile \w+ w (\w+(?:ach|ami|cm|mm|km|kg|ml))$")
_SENTENCE = regex(r" ?(?:[?!;]|\.(?!\d)) ?")
_LABEL = regex(r"^[a-z ]+$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The wanted dimensions, ``None`` where only "how much" is said; ``scale`` of a named unit."""

    text: str
    dimensions: Dimensions | None = None
    scale: Fraction | None = None
    noun: str = ""
    below: Dimensions | None = None
    below_scale: Fraction | None = None
    facets: frozenset[str] = field(default_factory=frozenset)

    def wants(self, facet: str) -> bool:
        """Whether the rest, the gap, what lacks, or a whole number up or down is asked for."""
        return facet in self.facets


def nouns_asked(question: str, words: str) -> list[str]:
    """The nouns that may be what is counted in the answer."""
    text = _turned(question, words)
    found = _head(text.split() if text else ["ile", *_last_label(words).split()])
    return [found] if found and unit_of(found) is None and not _PRONOUN.match(found) else []


_NO_COUNT = regex(
    r"reszt|pieniedz|piniyndz|kas[yae]$|kaski|fors|hajs|szmalu|gotowk|roznic|brak|odset|rabat|napiw|zalicz|podatk|vat|prawdop"
)


def _head(words: list[str]) -> str:
    """The noun after "ile", with adjectives and verbs of asking passed over."""
    if words and words[0] in {"o", "po"}:
        words = words[1:]
    if not words or words[0] not in {"ile", "ilu", "wiela", "iloma"}:
        return ""
    for word in words[1:5]:
        if _PRONOUN.match(word):
            return word
        if _SKIPPED.match(word) or word in PER_TIME:
            continue
        return (
            ""
            if word in _LINKS
            or word in STOP
            or _NO_COUNT.match(word)
            or not (unit_of(word) or is_noun(word))
            else word
        )
    return ""


def read_asked(question: str, words: str, story: Words) -> Asked:
    """Tell what is asked; a sentence without a verb at the end asks too: "Koszt?"."""
    text = _turned(question, words) or _last_label(words)
    scoped = f" {text} "
    facets = {
        facet
        for facet, pattern in (
            ("rest", _REST), ("lack", _LACK), ("gap", _GAP), ("up", _UP), ("down", _DOWN),
        )
        if pattern.search(scoped)
    }  # fmt: skip
    head = _head(text.split() if question else ["ile", *text.split()])
    dimensions, scale, noun = _wanted(text, head, story)
    below = _below(text)
    if dimensions is not None and below is not None:
        dimensions = times(dimensions, below[0], -1)
        is_price = scale is None and (bool(noun) or dimensions.get("money") == 1)
        scale = Fraction(1) / below[1] if is_price else scale and scale / below[1]
    return Asked(
        text=text,
        dimensions=dimensions,
        scale=scale,
        noun=noun,
        facets=frozenset(facets),
        below=None if below is None else below[0],
        below_scale=None if below is None else below[1],
    )


def _turned(question: str, words: str) -> str:
    """Put the question word first: "palet trzeba ile" asks what "ile palet trzeba" asks."""
    if question.strip() != "ile":
        return question
    before = re.split(r" ?[.,;:!?] ?", words[: words.rindex("ile")])[-1]
    return f"ile {before}".strip() if not re.search(r"\d", before) else question


def _last_label(words: str) -> str:
    parts = [part for part in _SENTENCE.split(words) if part.strip()]
    return parts[-1] if parts and _LABEL.match(parts[-1]) else ""


_Wanted = tuple[dict[str, int] | None, Fraction | None, str]


def _wanted(text: str, head: str, story: Words) -> _Wanted:
    if _PRICE_OF.search(text):
        return {"money": 1}, None, ""
    speeds = re.search(r"\b(kmh|mps)\b", text)
    named = unit_of(head) if head else None
    told = _IN_UNITS.search(text)
    unit = named or next((unit_of(one[1]) for one in (speeds, told) if one), None)
    if unit is not None:
        return dict(unit.dimensions), unit.scale, ""
    if _PRONOUN.match(head):
        return {"#?": 1}, None, head
    if head and (name := story.name(head)) is not None and _is_counted(head):
        return {f"#{name}": 1}, None, head
    return _measured(text)


def _measured(text: str) -> _Wanted:
    """What is asked for by the name of a measure, or as money."""
    for pattern, dimensions in _QUANTITIES:
        if pattern.search(text):
            return dict(dimensions), _said_scale(text, dimensions), ""
    return ({"money": 1}, None, "") if _MONEY.search(text) else (None, None, "")


def _is_counted(head: str) -> bool:
    """Whether this is no verb: "ile zarobie" asks for money."""
    return not _MONEY.match(head) and not any(one.match(f"ile {head}") for one, _ in _QUANTITIES)


def _said_scale(text: str, dimensions: Dimensions) -> Fraction | None:
    """The scale of a unit that the question names: "w km", "w metrach"."""
    for word in text.split():
        unit = unit_of(word)
        if unit is not None and len(word) > 1 and dict(unit.dimensions) == dict(dimensions):
            return unit.scale
    return None


def _below(text: str) -> tuple[Dimensions, Fraction] | None:
    """What the answer is for each of: "na osobę", "z hektara", "dziennie", "za sztukę"."""
    if (price := _PRICE_OF.search(text)) and (unit := unit_of(price[1] or price[2])) is not None:
        return unit.dimensions, unit.scale
    words = text.split()
    for at, word in enumerate(words):
        is_told = any(one[0].isdigit() for one in words[max(at - 3, 0) : at])
        if word in PER_TIME and not is_told and (unit := unit_of(PER_TIME[word])):
            return unit.dimensions, unit.scale
    if _PRICE_EACH.search(text) and not _BY_PIECES.search(text):
        return {"#?": 1}, Fraction(1)
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if not at or word not in {"na", "z", "za", "od", "w"} or following in {"zl", "zloty"}:
            continue
        if (unit := unit_of(following)) is not None and _SINGULAR.search(following):
            if word == "w" or (word == "za" and words[at - 1] == "ile"):
                continue
            return unit.dimensions, unit.scale
        if PEOPLE.match(following) and _SINGULAR.search(following) and word != "w":
            return {"#?": 1}, Fraction(1)
    return None
