"""Move the ends of a likely topic: kinds, what is asked and fields off it, quoted titles whole."""

from collections.abc import Sequence
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.before_names import (
    begin_of_name,
    is_genitive,
    is_name_beside,
    is_name_described,
)
from chatbot.router.detector.capitals import NUMBERED, ORDINALS
from chatbot.router.detector.nouns import ASKED, CATEGORIES, KEEPING
from chatbot.router.detector.phrases import RECURRING
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly
from chatbot.router.detector.titles import find_titles, name_at
from chatbot.router.detector.verbs import is_finite

Place = tuple[int, int]
"""First word and end of a phrase."""

_KINDS = CATEGORIES | {
    "wodospad", "diament", "gejzer", "skała", "grupa", "potok", "misja", "statek", "krater",
    "asteroida", "księżyc", "cieśnina", "przylądek", "program", "aplikacja", "marka", "piwo",
    "karabin", "czołg", "rakieta", "jaskinia", "zupa", "kombajn", "stan", "prowincja", "ballada",
}  # fmt: skip
_OF_SOMETHING = (ASKED - {"śmierć"}) | {
    "geneza", "ciężar", "dorzecze", "obieg", "funkcja", "prapremiera", "melodia", "masa",
    "pisownia", "znaczenie", "zakup", "pochodzenie", "skutek", "istota", "siedziba",
}  # fmt: skip
_AFTER = ASKED | {
    "bohater", "norma", "zastrzyk", "złożoność", "zastosowanie", "przykład", "leczenie",
    "dawkowanie", "ćwiczenie", "npm", "schemat", "dyskografia", "filmografia", "mieszkaniec",
}  # fmt: skip
_FIELDS = frozenset({
    "chemii", "fizyce", "matematyce", "biologii", "medycynie", "muzyce", "buddyzmie", "islamie",
    "informatyce", "ekonomii", "psychologii", "filozofii", "gramatyce", "literaturze", "szachach",
    "geografii", "astronomii", "prawie", "sporcie", "programowaniu", "geometrii", "teatrze",
    "zakonie", "judaizmie", "chrzescijanstwie", "hinduizmie", "malarstwie", "architekturze",
})  # fmt: skip
OF_NOW = frozenset({
    "obecny", "dzisiejszy", "ówczesny", "aktualny", "teraźniejszy", "słynny", "cały", "sam",
})  # fmt: skip
"""What tells a thing from no other of its name: "obecny kodeks karny"."""
_OF_TOWNS = frozenset({"miejskie", "miejskich"})
_ONCE = frozenset({
    "bitwa", "pokój", "rozejm", "obrona", "oblężenie", "unia", "traktat", "zamach", "katastrofa",
    "hołd", "odsiecz", "rzeź", "masakra", "zjazd", "kongres", "układ", "pakt",
})  # fmt: skip
"""What took place once, so that its year belongs to no name."""
_DISPUTED = frozenset({"wojna", "spór", "walka", "bitwa"})
_FORECASTS = frozenset({"pogoda", "prognoza"})
_OPENING = frozenset('„"«')
_CLOSING = frozenset('”"»“')
_PLEAS = frozenset({"plis", "pls", "plz", "please", "prosze", "poprosze", "xd", "dzieki"})
_OF_WORKS = regex(
    r"\b(?:(?:wy)?rezyser\w*|nakreci\w+|obsad\w+|muzyk\w+ do|scenariusz\w*|o czym (?:jest|byl\w?)|"
    r"(?:gra|grac|gral|grala|wystapil\w*|zagral\w*) w)\b"
)
_MAKERS = frozenset({
    "autor", "autorka", "twórca", "twórczyni", "reżyser", "reżyserka", "kompozytor", "malarz",
    "pisarz", "pisarka",
})  # fmt: skip
_THIS = frozenset({"ten", "ta", "tego", "tej", "tym", "temu"})
_SHOWN = frozenset({"film", "serial", "komedia", "sztuka", "kabaret", "spektakl", "bajka"})
_LANDS = frozenset({
    "ziemia", "wyspa", "morze", "cieśnina", "zatoka", "most", "plac", "kolumna", "kopiec", "order",
    "przylądek", "półwysep", "pałac", "lodowiec", "rów", "wodospad", "wieża", "brama",
})  # fmt: skip
"""What is called after somebody and begins with a capital letter: "Ziemia Franciszka Józefa"."""
_ASKING = regex(r"(?:jak|ktor|czyj|pierwsz|drug|trzec|ostatn|t[eay]|nastepn|poprzedn|kt)\w*$")
_OF_PERSONS = regex(r"(?:[A-ZĆŁŚŹŻ][\w’']{2,}-)*[A-ZĆŁŚŹŻ][\w’']{2,}(?:a|ego|égo)")
_LONGEST = 9
_YEAR_DIGITS = 4
_DATE = len(("w", "2018"))
_MOVING = 4
_PAIR = 2
_SHORTEST_SLIP = 7  # letters
_LONGEST_ABBREVIATION = 4  # letters


def trimmed(words: Sequence[Span], place: Place) -> Place:
    """Return where the name itself stands: "zespół A-ha", "masa elektronu", "mol w chemii".

    A title that is quoted is taken whole, and so is what was fought for: "wojna o sukcesję".

    Args:
        words: The words and marks of a question.
        place: Its likely topic.
    """
    if (quoted := _quoted(words, place)) is not None:
        return quoted
    start, end = _whole(words, place)
    if (
        end - start > _PAIR
        and _lemmas(words[start]) & _FORECASTS
        and words[start + 2].is_capitalised
    ):
        start += 2
    if start and _lemmas(words[start]) & NUMBERED and _lemmas(words[start - 1]) & ORDINALS.keys():
        return start - 1, end
    if start > 1 and words[start - 1].folded == "o" and _lemmas(words[start - 2]) & _DISPUTED:
        return start - 2, end
    if any((one.start, one.end) == (start, end) for one in find_titles(words)):
        return start, end
    for _ in range(_MOVING):
        moved = _begin(words, start, end), _end(words, start, end)
        if moved == (start, end) or moved[0] >= moved[1]:  # nothing may be left: "Rok założenia?"
            break
        start, end = moved
    is_year = end < len(words) and words[end].folded == "roku" and _is_year(words[end - 1])
    is_told = is_year and bool(_lemmas(words[start]) & RECURRING)
    return _described(words, start), end + is_told


def _described(words: Sequence[Span], start: int) -> int:
    """Take in the adjectives that tell which is meant: "najstarszy czynny uniwersytet"."""
    if not start or words[start].is_capitalised:
        return start
    is_recurring = bool(_lemmas(words[start]) & RECURRING)
    if is_recurring and not _ASKING.match(words[start - 1].folded):
        return start - 1 if _agree(words[start - 1], words[start]) else start
    at = start - 1
    while at >= 0 and _agree(words[at], words[start]):
        if words[at].folded.startswith("naj"):
            return at
        at -= 1
    return start


def _agree(adjective: Span, noun: Span) -> bool:
    """Whether an adjective can belong to a noun."""
    cases = {
        (case, number)
        for one in readings_of(noun.text)
        if one.is_nominal
        for case in one.cases
        for number in one.numbers
    }
    return any(
        (case, number) in cases
        for one in readings_of(adjective.text)
        if one.pos == "adj"
        for case in one.cases
        for number in one.numbers
    )


def named_after(words: Sequence[Span], place: Place) -> Place:
    """Return whom a work only tells: "od „Krzyku”, Muncha", "Steinhaus, autor „Kalejdoskopu”"."""
    start, end = place
    is_quoted = start > 1 and words[start - 1].text in _OPENING
    if not is_quoted or not (
        words[start - 2].folded == "od" or _lemmas(words[start - 2]) & _MAKERS
    ):
        return place
    is_closed = len(words) > end + 2 and words[end].text in _CLOSING and words[end + 1].text == ","
    if is_closed and words[start - 2].folded == "od" and words[end + 2].is_capitalised:
        names = range(end + 2, len(words))
        return end + 2, next((at for at in names if not words[at].is_capitalised), len(words))
    return _name_told(words, start - 2) or place


def _name_told(words: Sequence[Span], at: int) -> Place | None:
    """Return the name before ", autor", ", ten od" or " (ten od", within a sentence."""
    at -= words[at].folded == "od" and words[at - 1].folded in _THIS
    end = at - 1
    if end < 1 or words[end].text not in {",", "("}:
        return None
    start = end
    while start and words[start - 1].is_capitalised and words[start - 1].text[0].isalpha():
        start -= 1
    return (start, end) if start < end and _may_be_person(words[start:end]) else None


def _may_be_person(name: Sequence[Span]) -> bool:
    """Whether capitalised words are a name, no question word or verb."""
    return any(
        not readings or any("nazwisko" in one.labels for one in readings)
        for readings in (readings_of(word.text) for word in name)
    )


def operation_named(words: Sequence[Span], place: Place) -> Place:
    """Return a quoted name with what it is a name of in war: "akcja „Burza”"."""
    start, end = place
    is_quoted = start > 1 and words[start - 1].text in _OPENING and end < len(words)
    is_operation = is_quoted and bool(_lemmas(words[start - 2]) & {"akcja", "operacja"})
    if name_at(words, start, end) not in {None, words[start].text}:  # "akcja „Wesela”"
        return place
    return (start - 2, end + 1) if is_operation and words[end].text in _CLOSING else place


def work_shown_with(text: str, words: Sequence[Span], place: Place) -> Place:
    """Return the film or play before those who act in it: "kto reżyserował „Rejs” z Himilsbachem".

    Args:
        text: A question.
        words: Its words and marks.
        place: Its likely topic.
    """
    if not _OF_WORKS.search(fold_evenly(text)):
        return place
    at = place[0]
    while at > 1 and words[at - 1].folded in {"i", "oraz", ","}:
        at -= 2
    is_beside = at > 1 and words[at - 1].folded in {"z", "ze"}
    work = at - 2
    if not is_beside or not words[work].text[0].isalpha() or _lemmas(words[work]) & _SHOWN:
        return place
    is_named = any(one.is_nominal for one in readings_of(words[work].text))
    return (work, at - 1) if is_named or words[work].is_capitalised else place


def _whole(words: Sequence[Span], place: Place) -> Place:
    """Take in the rest of a known title that a phrase cuts, and the names beside initials."""
    start, end = place
    for one in find_titles(words):
        is_cut = start < one.start < end < one.end or one.start < start < one.end < end
        if is_cut and one.end - one.start >= end - start:
            return one.start, one.end
    while _is_initial(words, end - 1) and end + 1 < len(words) and words[end + 1].is_capitalised:
        end += 2
    while _is_initial(words, start - 2):
        start -= 2
    if _is_land(words, start):
        start -= 1
    return _with_patron(words, (start, end))


def _is_land(words: Sequence[Span], start: int) -> bool:
    """Whether a name in the genitive is the rest of a longer one: "Most Karola"."""
    if not start or not words[start - 1].is_capitalised or not words[start].is_capitalised:
        return False
    return bool(_lemmas(words[start - 1]) & _LANDS) and is_genitive(words[start])


def _with_patron(words: Sequence[Span], place: Place) -> Place:
    """Keep a house and its patron together: "Teatr im. Juliusza Słowackiego"."""
    start, end = place
    if (begin := _behind_patron_sign(words, end)) is not None:
        end = begin
        while end < len(words) and (words[end].is_capitalised or _is_abbreviated(words, end)):
            end += 2 if _is_abbreviated(words, end) else 1
    return start, end


def _behind_patron_sign(words: Sequence[Span], at: int) -> int | None:
    """Return where the name begins behind an "im." or "imienia" that stands there."""
    if at >= len(words):
        return None
    is_short = words[at].folded == "im" and _is_abbreviated(words, at)
    begin = at + 1 + is_short
    is_sign = is_short or words[at].folded == "imienia"
    is_named = begin < len(words) and (words[begin].is_capitalised or _is_abbreviated(words, begin))
    return begin if is_sign and is_named else None


def _is_abbreviated(words: Sequence[Span], at: int) -> bool:
    """Whether a short word with a full stop stands there, not at the end: "im.", "ks.", "św."."""
    is_short = len(words[at].text) <= _LONGEST_ABBREVIATION and words[at].text.islower()
    return is_short and at + 2 < len(words) and words[at + 1].text == "."


def _is_initial(words: Sequence[Span], at: int) -> bool:
    """Whether a capital letter with a full stop stands there: "J. S. Bach"."""
    if not 0 <= at < len(words) - 1 or words[at + 1].text != ".":
        return False
    return len(words[at].text) == 1 and words[at].is_capitalised


def _begin(words: Sequence[Span], start: int, end: int) -> int:
    """Leave a kind before a name, and what is asked of something."""
    named = begin_of_name(words, start, end)
    if end - start < _PAIR or named > start:  # one word is left as it is
        return named
    first, second = words[start], words[start + 1]
    lemmas = _lemmas(first)
    if lemmas & OF_NOW and _agree(first, second):
        return start + 1
    if first.folded.startswith("praw") and second.folded in _OF_TOWNS and end - start > _PAIR:
        return start + 2
    if lemmas & KEEPING or first.is_capitalised is second.is_capitalised is True:
        return start
    is_of_person = "zespół" in lemmas and _OF_PERSONS.fullmatch(second.text) is not None
    is_named = is_name_beside(second) or is_name_described(words[start + 1 : end])
    if lemmas & _KINDS and not is_of_person and is_named:
        return start + 1
    is_slip = _is_slip_of_asked(first.folded) and not readings_of(first.text)
    is_asked = is_slip or (bool(lemmas & _OF_SOMETHING) and not second.is_capitalised)
    return start + 1 if is_asked and is_genitive(second) else start


@lru_cache(maxsize=1_024)
def _is_slip_of_asked(word: str) -> bool:
    """Whether a word that no dictionary has is one slip away from what is asked: "defnicja"."""
    if len(word) < _SHORTEST_SLIP:
        return False
    return any(OSA.distance(word, one, score_cutoff=1) == 1 for one in _asked_forms())


@cache
def _asked_forms() -> frozenset[str]:
    forms = (form.text for lemma in ASKED for form in morphology().forms(lemma))
    return frozenset(fold(one) for one in forms if len(one) >= _SHORTEST_SLIP)


def _end(words: Sequence[Span], start: int, end: int) -> int:
    """Leave the field, the year and what is asked after a name."""
    size = end - start
    last = words[end - 1]
    if size > 1 and last.folded in _PLEAS:
        return end - 1
    if size > 2 and words[end - 2].folded == "w" and last.folded in _FIELDS:  # noqa: PLR2004
        return end - 2
    if _is_dated(words, start, end) or _is_asked_pair(words[start:end]):
        return end - 2
    if size > 1 and _is_year(last) and _lemmas(words[start]) & _ONCE:
        return end - (2 if size > 2 and words[end - 2].folded in {"w", "z"} else 1)  # noqa: PLR2004
    if size > 1 and not last.is_capitalised and _lemmas(last) & _AFTER and _is_after(words, end):
        return end - 1
    return end


def _is_asked_pair(phrase: Sequence[Span]) -> bool:
    """Whether a noun and its adjective say what is asked of a name: "Kanada język urzędowy"."""
    if len(phrase) <= _PAIR or not phrase[0].is_capitalised:
        return False
    noun, adjective = phrase[-2:]
    is_asked = not noun.is_capitalised and bool(_lemmas(noun) & _AFTER)
    is_subject = any("nom" in one.cases for one in readings_of(noun.text) if one.is_nominal)
    is_described = any(one.pos == "adj" for one in readings_of(adjective.text))
    return is_asked and is_subject and is_described and _agree(adjective, noun)


def _is_dated(words: Sequence[Span], start: int, end: int) -> bool:
    """Whether a year only tells when: "most w Genui w 2018", not which: "wybory w 1989"."""
    is_told = end - start > _DATE and words[end - 2].folded == "w" and _is_year(words[end - 1])
    return is_told and not _lemmas(words[start]) & RECURRING


def _quoted(words: Sequence[Span], place: Place) -> Place | None:
    """Return the whole of the quoted title within which a phrase stands, if it is not all of it."""
    start, end = place
    if not start or words[start - 1].text not in _OPENING:
        return None
    last = min(start + _LONGEST + 1, len(words))
    closed = next((at for at in range(start, last) if words[at].text in _CLOSING), None)
    if closed is None or closed <= end:
        return None
    inner = words[start:closed]
    is_said = any(word.text == "," for word in inner) and any(is_finite(word) for word in inner)
    return None if is_said and not words[start].is_capitalised else (start, closed)


def _is_year(word: Span) -> bool:
    return word.text.isdigit() and len(word.text) == _YEAR_DIGITS


def _lemmas(word: Span) -> set[str]:
    return {one.lemma.lower() for one in readings_of(word.text)} | {word.folded}


def _is_after(words: Sequence[Span], end: int) -> bool:
    """Whether a noun in the nominative ends what is said: "tężec objawy"."""
    before = readings_of(words[end - 2].text)
    is_noun = not before or any(one.is_nominal for one in before)
    if not is_noun or any(one.is_adjectival for one in before):  # "jedno nazwisko"
        return False
    is_last = end == len(words) or not words[end].text[0].isalnum() or words[end].folded in "iopw"
    readings = readings_of(words[end - 1].text)
    return is_last and (not readings or any("nom" in one.cases for one in readings))
