"""Where the user lives, or those of whom he told: "u nas", "u siostry", "u niego"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chatbot.language.morphology import MASCULINE, morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import restored
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.forecasts.places import spoken
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.naming import labels_of
from chatbot.router.dialogue.state import DialogueState

HERE = regex(
    r"\b(?:u (?:mnie|nas|siebie)|(?:tu|tutaj)|(?:w|pod|kolo) domu?|do domu|"
    r"(?:tam|tu|miescie),? (?:gdzie|w ktorym) (?:\w+ )?(?:mieszkam|mieszkamy))\b"
)
_THEIRS = regex(
    r"\b(?P<at>u|do) "
    r"(?:(?:moj|twoj|nasz|mlodsz|starsz|drugi)\w* |t(?:ej|ego|ych) |je(?:go|j) |ich )*"
    r"(?:(?P<pronoun>nich|niej|niego)|(?!mnie|nas|siebie|was|ciebie|celu)(?P<noun>\w{3,}))\b"
)
_BOTH = regex(r"\b(?:obu|obojga|oboje|obydwu|dwojga|wszystkich)\b")
_LIVES = regex(
    r"\b(?:miesz?ka(?:m|my)|jest(?:em|esmy)|studiuj[ea]\w*|pracuj[ea]\w*|uczy?e? sie|"
    r"chodze|siedz[ei]\w*|pis[zs]e|dzwonie|pochodz(?:e|imy)|nocuj\w+|stacjonuj\w+|gospodarz\w+|"
    r"prowadze|wynajmuj(?:e|emy)|kupil(?:em|am|ismy|ysmy)|zostal(?:em|am|ismy|ysmy)|"
    r"mam|mamy|ja|my|u (?:mnie|nas)|"
    r"moj\w*|nasz\w*|tu(?:taj)?|(?:do|u) siebie|(?:do|w) domu?|przeprowadz\w+|zamieszkal\w+)\b"
)
_COMES_FROM = regex(r"\b(?:jest(?:em|esmy)|pochodz\w+|pisze|dzwonie) (?:\w+ )?(?:z|ze|spod)\b")
_OURS = regex(r"\b(?:mieszkamy|mieszkam|jestem|jestesmy)\b")
_KIN = frozenset({
    "corka", "syn", "brat", "siostra", "mama", "tata", "matka", "ojciec", "babcia", "dziadek",
    "tesc", "tesciowa", "tesciowie", "rodzic", "rodzice", "zona", "maz", "ciocia", "ciotka",
    "wujek", "wuj", "kolega", "kolezanka", "przyjaciel", "przyjaciolka", "kuzyn", "kuzynka",
    "chlopak", "dziewczyna", "wnuk", "wnuczka", "dziecko", "dziadkowie", "znajomy", "znajoma",
    "narzeczony", "narzeczona", "synowa", "ziec", "szwagier", "szwagierka", "sasiad", "sasiadka",
    "kumpel", "kumpela", "wspollokator", "wspollokatorka",
})  # fmt: skip
_IS_FORM_OF_HAVING = frozenset({"mam", "mamy"})
_HOME = regex(r"\b(?:(?:do|u) siebie|(?:do|w) domu?)\b")
_AT_HOME = regex(rf"({_HOME.pattern}),? (?:czyli |to znaczy |to jest )?(?=(?:do|w|we|na) )")
"""Joins a home to the place that it is in: "wracam do siebie, do Białej Podlaskiej"."""
_SUBJECT = regex(r"(?:^|[.,!?] |\b(?:a|czy|i|ma|maja) )(?:moj\w* |nasz\w* )?(\w{3,})\b")
_CLAUSES = regex(r"[,.;!?–]|\b(?:a|ale|i|oraz)\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Home:
    """The places of one clause, its nouns, and the pronoun for whom it is about, if of another.

    Where somebody comes from is not always where he lives; where he is at home always is.
    """

    places: tuple[str, ...]
    nouns: frozenset[str]
    is_mine: bool
    is_home: bool
    is_origin: bool
    pronoun: str | None


def homes_meant(folded: str, state: DialogueState) -> tuple[str, ...]:
    """Return where the user lives, or others of whom was told: "u mnie", "a mąż zmoknie?"."""
    here, theirs = HERE.search(folded), _THEIRS.search(folded)
    if theirs is not None and theirs["at"] == "do" and not nouns_of(theirs["noun"] or "") & _KIN:
        theirs = None
    homes = list(_told(state))
    if here is None and theirs is None:
        return _of_subject(folded, homes)
    mine = [one for one in homes if one.is_mine]
    mine.sort(key=lambda one: (not one.is_home, one.is_origin))
    others = [] if theirs is None else _of_others(homes, theirs)
    most = len(others) if _BOTH.search(folded) else 1
    return (*(mine[0].places[:1] if here and mine else ()), *others[:most])


def _of_subject(folded: str, homes: list[_Home]) -> tuple[str, ...]:
    """Where the only one is of whom the prompt asks, and was told before: "a syn ma sucho?"."""
    said = {noun for one in _SUBJECT.finditer(folded) for noun in nouns_of(restored(one[1]))}
    kin = said & _KIN
    found = dict.fromkeys(place for one in homes if kin & one.nouns for place in one.places)
    return tuple(found)[:1]


def _of_others(homes: list[_Home], theirs: re.Match[str]) -> list[str]:
    """The places of whom the prompt names, else of those that its pronoun fits, else of all."""
    others = [one for one in homes if not one.is_mine]
    named = nouns_of(theirs["noun"]) if theirs["noun"] else frozenset()
    kept = [one for one in homes if named & one.nouns]
    if not kept and (theirs["pronoun"] or _is_somebody(theirs["noun"])):
        kept = [one for one in others if theirs["pronoun"] == one.pronoun] or others
    return [place for one in kept for place in one.places]


def _told(state: DialogueState) -> Iterator[_Home]:
    """What the user told of homes, the latest exchange first."""
    for turn in reversed(state.turns):
        for clause in _CLAUSES.split(_AT_HOME.sub(r"\1 ", turn.prompt)):
            if places := spoken(clause):
                yield _home(clause, places)


def _home(clause: str, places: tuple[str, ...]) -> _Home:
    folded = fold_evenly(clause)
    words = [word for word in split_words(clause) if word.folded not in _IS_FORM_OF_HAVING]
    nouns = frozenset[str]().union(*(nouns_of(word.text) for word in words))
    is_ours = _LIVES.search(folded) is not None
    is_mine = is_ours and (not nouns & _KIN or _OURS.search(folded) is not None)
    pronouns = (_pronoun(word.text) for word in words)
    return _Home(
        places=places,
        nouns=nouns,
        is_mine=is_mine,
        is_home=_HOME.search(folded) is not None,
        is_origin=_COMES_FROM.search(folded) is not None,
        pronoun=next((one for one in pronouns if one is not None), None),
    )


def _pronoun(word: str) -> str | None:
    """The pronoun behind "u" that stands for somebody: "niej" for "siostra" and "Kasia"."""
    if not _is_somebody(word):
        return None
    readings = [one for one in morphology().readings(word) if "nom" in one.cases]
    readings = readings or [one for one in morphology().readings(word.lower()) if one.cases]
    if any("sg" not in one.numbers for one in readings[:1]):
        return "nich"
    return "niego" if any(one.genders & MASCULINE for one in readings) else "niej"


def _is_somebody(word: str) -> bool:
    return bool(nouns_of(word) & _KIN) or "imię" in labels_of(word) | labels_of(word.title())
