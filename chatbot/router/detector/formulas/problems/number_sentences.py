"""Sentences about one unknown number, written as an equation: "liczba i jej połowa dają 48"."""

import re
from collections.abc import Callable
from functools import partial

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_IS_OF_NUMBER = Guarded(r"\bliczb(?:[aey]|ie)\b")
_LONGEST = 300
_N = r"\d+(?:\.\d+)?"
_TIMES = (
    (r"podwoj\w+|dwukrotno\w+|2 ?-? ?krotno\w+", "2"), (r"potroj\w+|trzykrotno\w+", "3"),
    (r"czterokrotno\w+", "4"), (r"pieciokrotno\w+", "5"), (r"dziesieciokrotno\w+", "10"),
    (r"polow\w+|pol", "(1/2)"), (r"cwierc|cwiartk\w+", "(1/4)"),
)  # fmt: skip
_WHICH = r"(?:(?:pewn|jakiej|t|sam|szukan|nieznan|pomyslan|mo|dodatni)\w* )*"
_OWN = r"(?:jej|swoj\w*|tej(?: samej)? liczby|tej(?: samej)?)"
_LEAD = regex(
    r"^(?:(?:mam|jest|no|hej|zagadka|zadanie|jesli|jezeli|gdy|kiedy|jak|o|mysle o|wiadomo|ze|"
    r"wiem|podobno|taka|teraz) )+"
)
_QUESTION = regex(
    r"(?:^|[.,;:?!]|(?<=\d)) ?(?:(?:i|a|to|wiec) )?"
    r"(?:jak\w+|co|ile|podaj|znajdz|oblicz|wyznacz|policz)"
    r"(?: (?:to|za|jest|byla|ta|te|byla to|wynosi|mam na mysli|rowna sie|taka|jej wartosc))*"
    r"(?: liczb\w+)?(?: (?:to|jest|byla|mialem na mysli|szukam))? ?[.?! ]*$"
)
_ASKED_FIRST = regex(
    r"^(?:o )?jak\w+ liczb\w+ (?:mowa|mysle|chodzi) ?,? ?(?:jesli|jezeli|gdy|skoro) |"
    r"^(?:jak\w+|znajdz|podaj|wyznacz) (?:to |jest )*(?=liczb)"
)
_OF_WHICH = regex(r"^(?:mam |mysle o |jest )?(?:\w+ )?liczb\w+ ?,? ?ktor(?P<ending>\w+) ")
_RESULT = (
    r"(?:,? ?(?:(?:i|to|wtedy) )?(?:wynosi|wynosza|rowna sie|jest rown\w+|sa rowne|"
    r"daj[ea](?: mi)?(?: razem)?|"
    r"da(?:dza)?|to|=|"
    r"(?:to )?(?:dostane|dostaje|dostal\w+|otrzymam|otrzymuje|otrzymano|otrzymal\w+|otrzymamy|"
    r"wyjdzie|wychodzi|wyszlo|mam|uzyskam|uzyskano|bedzie|razem|lacznie))"
    r"(?: (?:mi|razem|lacznie|wynik|liczbe|w sumie|nam|dokladnie|rowno|tyle co|i))*)"
)
_BEFORE_RESULT = rf"(?={_RESULT} {_N})"
_IS_TIMES = rf"(?P<by>{_N}) ,? ?(?:jest|staje sie|bedzie|sta[jn]ie sie) (?P<times>{_N}) razy"
_THAN_ITSELF = r"(?: (?:od|niz) (?:niej|siebie|x|ona|poczatkow\w+)(?: sam\w+)?)?\W*"
_ADDED = r"(?:dodam|dodac|dodano|dodal\w*|doda sie|dodaje|dodasz|dodamy|doloz\w+|dopisz\w+)"
_TAKEN = r"(?:odejme|odjac|odjeto|odj\w+|odejm\w+|zabior\w+)"


def _share_of(times: str, _: re.Match[str]) -> str:
    return f" {times}*x "


_ALSO_OF_NUMBER = regex(r"\b(podwoj\w+|potroj\w+|polow\w+)(?= (?:i|oraz) (?:podwoj|potroj|polow))")
_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_ALSO_OF_NUMBER, r"\1 liczby"),
    (regex(rf"\b{_OWN} kwadrat\w*|\bkwadrat\w* (?:{_OWN}(?= |$)|{_WHICH}liczb\w*)"), " x**2 "),
    *((regex(rf"\b(?:{stem}) (?:{_OWN}(?: |$)(?!liczb)|{_WHICH}liczb\w*)"),
       partial(_share_of, times)) for stem, times in _TIMES),
    *((regex(rf"\b{_OWN} (?:{stem})\b"), partial(_share_of, times)) for stem, times in _TIMES),
    (regex(rf"\b(?P<share>\d+/\d+)(?: czesc\w*)? (?:{_OWN}|{_WHICH}liczb\w*)"),
     r" (\g<share>)*x "),
    (regex(rf"\b{_OWN} (?P<share>\d+/\d+)(?: czesc\w*)?"), r" (\g<share>)*x "),
    (regex(rf"\b{_OWN} (\d+) czesc\w*|\b(\d+) czesc\w* (?:{_OWN}|{_WHICH}liczb\w*)"),
     lambda found: f" (1/{found[1] or found[2]})*x "),
    (regex(rf"\b({_N}) % (?:{_OWN}(?= |$)|{_WHICH}liczb\w*)"), r" (\1/100)*x "),
    (regex(rf"\b(?:o |jej )({_N}) %"), r" o (\1/100)*x "),
    (regex(rf"\b{_WHICH}liczb\w*|\bswoj\w+|\bnia sama"), " x "),
    (regex(rf"\bx +(?:jest )?o (?P<by>{_N}) (?:wieksz\w+|wiecej) (?:od|niz) (?P<of>\S.*)$"),
     r"x = \g<of> + \g<by>"),
    (regex(rf"\bx +(?:jest )?o (?P<by>{_N}) (?:mniejsz\w+|mniej) (?:od|niz) (?P<of>\S.*)$"),
     r"x = \g<of> - \g<by>"),
    (regex(rf"\bdo +(?P<of>[^=]*?x) +{_ADDED} +(?P<by>[^=,]*?) ?{_BEFORE_RESULT}"),
     r" (\g<of>) + (\g<by>) "),
    (regex(rf"\bod +(?P<of>[^=]*?x) +{_TAKEN} +(?P<by>[^=,]*?) ?{_BEFORE_RESULT}"),
     r" (\g<of>) - (\g<by>) "),
    (regex(r"\b(?:po|z)wiekszon\w+ o|\bdodan\w+ do|\bplus\b|\bdodac\b"), " + "),
    (regex(r"\b(?:po|z)mniejszon\w+ o|\bminus\b|\bodjac\b|\bbez\b"), " - "),
    (regex(r"\bpomnozon\w+ (?:przez|razy)|(?<=x) razy\b"), " * "),
    (regex(r"\bpodzielon\w+ (?:przez|na)"), " / "),
    (regex(rf"\bsum\w+ (?P<one>[^=]+?) (?:i|oraz) (?P<other>[^=]+?) ?{_BEFORE_RESULT}"),
     r" \g<one> + \g<other> "),
    (regex(rf"\broznic\w+ (?P<one>[^=]+?) (?:i|oraz|a) (?P<other>[^=]+?) ?{_BEFORE_RESULT}"),
     r" \g<one> - \g<other> "),
    (regex(rf"(?P<one>x) +(?:i|oraz|razem z) (?P<other>[^=]*?x(?:\*\*2)?) ?{_BEFORE_RESULT}"),
     r"\g<one> + \g<other> "),
    (regex(rf"(?<=[-+*/] ){_IS_TIMES} wieksz\w+{_THAN_ITSELF}$"),
     r"\g<by> = \g<times>*x"),
    (regex(rf"(?<=[-+*/] ){_IS_TIMES} mniejsz\w+{_THAN_ITSELF}$"),
     r"\g<by> = x/\g<times>"),
    (regex(rf"{_RESULT} +(?={_N}\W*$)"), " = "),
)  # fmt: skip
_EQUATION = regex(r"[\dx+\-*/(). ]*x[\dx+\-*/(). ]*=[\dx+\-*/(). ]+")
_OPERATORS = regex(r"[-+*/]")
_MULTIPLE = regex(r"(\(\d+(?:\.\d+)?/\d+\)|\d+)\*x")


def read_number_sentence(statement: Statement) -> str | None:
    """Return the equation that all of a prompt says of one unknown number."""
    words = statement.words
    if len(words) > _LONGEST or not _IS_OF_NUMBER.search(words) or "x" in words.split():
        return None
    said = _QUESTION.sub("", words.strip(" .?!"))
    said = _LEAD.sub("", _ASKED_FIRST.sub("", said.strip(" .,?!")))
    said = _OF_WHICH.sub(lambda found: "jej " if found["ending"] == "ej" else "liczba ", said)
    for pattern, written in _STEPS:
        said = " ".join(pattern.sub(written, said).split())
    said = said.strip(" .,?!")
    if not _EQUATION.fullmatch(said) or said.count("=") != 1:
        return None
    left, right = (_tidy(side) for side in said.split("="))
    if re.search(r"[\dx)] [\dx(]", f"{left}={right}") or not _OPERATORS.search(left + right):
        return None
    if lone := _MULTIPLE.fullmatch(left):
        return f"{right}/{lone[1]}"
    return f"solve(Eq({left}, {right}), x)"


def _tidy(side: str) -> str:
    bare = side.strip()
    return re.sub(r"\((x|\d+(?:\.\d+)?|(?:\d+|\(\d+/\d+\))\*x)\)", r"\1", bare)
