"""What kind of thing a name names, as far as its words tell."""

from functools import lru_cache

from chatbot.language.morphology import Reading, morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.naming import is_person, is_surname

NAME_KINDS = ("person", "place", "work", "event", "building", "animal", "notion", "thing")

_EVENTS = frozenset({
    "bitwa", "pokój", "unia", "traktat", "powstanie", "katastrofa", "wojna", "obrona", "oblężenie",
    "konferencja", "kongres", "pakt", "układ", "zamach", "wypadek", "pożar", "rzeź", "zbrodnia",
    "masakra", "rewolucja", "przewrót", "hołd", "zjazd", "sobór", "synod", "chrzest", "ugoda",
    "konstytucja", "edykt", "bunt", "strajk", "kryzys", "lot", "lądowanie", "wyprawa", "liga",
    "mistrzostwo", "igrzyska", "rozejm", "odsiecz", "odwrót", "najazd", "kampania", "kapitulacja",
    "proces", "powódź", "trzęsienie", "festiwal", "konkurs", "turniej", "wybory", "epidemia",
    "zaćmienie", "szarża", "wybuch", "awaria", "bombardowanie", "wyścig", "olimpiada", "mundial",
    "rozbiór", "puchar", "nagroda",
})  # fmt: skip
BUILDINGS = frozenset({
    "zamek", "pałac", "kościół", "katedra", "klasztor", "uniwersytet", "politechnika", "muzeum",
    "teatr", "pomnik", "most", "kopalnia", "elektrownia", "skocznia", "obóz", "getto", "bazylika",
    "cmentarz", "wieża", "zapora", "tunel", "port", "ratusz", "biblioteka", "schronisko", "browar",
    "fabryka", "szpital", "więzienie", "kaplica", "synagoga", "meczet", "fontanna", "kopiec",
    "stocznia", "huta", "molo", "rynek", "stadion", "lotnisko", "dworzec", "latarnia", "park",
    "sanktuarium", "skansen", "ogród", "rezerwat", "twierdza", "cytadela", "brama", "hala",
    "kolumna", "dom", "dwór", "kamienica",
})  # fmt: skip
"""What stands somewhere, so that its place can tell which one is meant."""

_OF_WORKS = regex(
    r" \((?:film|powieść|serial|miniserial|książka|opera|dramat|singel|album|gra|obraz|piosenka|"
    r"zbiór|wiersz|poemat|komiks)\b"
)
_TOLD = regex(r" \(.*")


@lru_cache(maxsize=8_192)
def name_kind(name: str) -> str:
    """Return one of `NAME_KINDS`: "event" for "Bitwa pod Grunwaldem", "thing" where none shows."""
    words = split_words(_TOLD.sub("", name))
    if not words:
        return "thing"
    if is_person(name):
        return "person"
    return _told(name, words) or _common(words)


def _told(name: str, words: tuple[Span, ...]) -> str | None:
    """The kind that a name tells by what stands in brackets, by its noun or as one of a list."""
    heads = _heads(words)
    is_alone = len(words) == 1 and words[0].is_capitalised
    kinds = {
        "work": _OF_WORKS.search(name) is not None,
        "event": bool(heads & _EVENTS),
        "building": bool(heads & BUILDINGS),
        "place": is_place(name),
        "person": is_alone and is_surname(words[0].text),
    }
    return next((kind for kind, is_one in kinds.items() if is_one), None)


def _heads(words: tuple[Span, ...]) -> set[str]:
    """The nouns that may be the first of a name, an adjective before it or none."""
    first = _readings(words[0])
    heads = {one.lemma.lower() for one in first if one.pos == "subst"}
    if len(words) > 1 and any(one.pos == "adj" for one in first):
        heads |= {one.lemma.lower() for one in _readings(words[1]) if one.pos == "subst"}
    return heads


def _common(words: tuple[Span, ...]) -> str:
    """An animal or a notion where a common noun begins the name, as titles have it or not."""
    readings = _readings(words[0])
    is_known = any(one.lemma.islower() and one.pos in {"subst", "adj", "ger"} for one in readings)
    is_proper = words[0].is_capitalised and not is_known
    if is_proper or any(word.is_capitalised for word in words[1:]):
        return "thing"
    nouns = [one for one in readings if one.pos == "subst" and "nom" in one.cases]
    return "animal" if any("m2" in one.genders for one in nouns) else "notion"


def _readings(word: Span) -> tuple[Reading, ...]:
    return morphology().readings(word.text.lower())
