"""Say from where to where an integral or a sum runs as the grammar does: "od … do …"."""

import re
from collections.abc import Callable

from chatbot.language.literals import Guarded
from chatbot.router.detector.spans import fold_evenly

_RUNNING = Guarded(r"calk|\bsum|zsum|dodaj|dodac|iloczyn|[∑σ∫∏]")
_VALUE = r"(?:(?:minus |[-−–+] ?)?(?:\d+(?:[.,/]\d+)?|[a-z]{2,}(?:/\d+)?|[a-z∞π](?![\w∞π])))"
_IS = r"(?: ?(?:=|:|to|rown\w+|jest|wynosi))? "
_LOW = r"(?:doln\w+(?: granic\w+)?|granic\w+ doln\w+|na dole|u dolu|dol(?:em)?)"
_HIGH = r"(?:gorn\w+(?: granic\w+)?|granic\w+ gorn\w+|na gorze|u gory|gor[ae])"
_LOW_AND_HIGH = (
    rf",?(?: (?:z|o|ze|w|i|oraz|granice|granic\w+(?= calkow)|calkowani\w+))*:? ?\b{_LOW}{_IS}"
    rf"(?P<low>{_VALUE}),?(?: (?:a|i|oraz|z))* ?{_HIGH}{_IS}(?P<high>{_VALUE})"
)
_FROM_ON = (
    r",? (?:(?:gdzie|gdy|dla|po) )?(?:(?P<run>[a-z]) )?"
    r"(?:zaczyna\w*|poczynaj\w+|poczawszy|startuj\w+|rozpoczyna\w*|liczac)(?: sie)? od "
    rf"(?:(?P<letter>[a-z]) ?= ?)?(?P<low>{_VALUE}),?(?: (?:a|i))?"
    r"(?: (?:s?koncz\w+|skonczywszy)(?: sie)? (?:na|do|w|przy)| az do| do) "
    rf"(?:[a-z] ?= ?)?(?P<high>{_VALUE})"
)
_LISTED = (
    r",? ?(?:\b(?:dla|gdzie|gdy|po|przy) )?(?<![a-z])(?P<letter>[a-z]) ?(?:=|∈ ?\{) ?(?P<low>\d+)"
    r" ?, ?(?P<next>\d+)(?: ?, ?\d+)* ?,? ?(?:\.\.\.|…)(?: ?, ?(?P<high>\d+|n)\b\}?|"
    r"(?:,? (?:i|tak|az|itd\.?))* (?:do (?P<last>\d+)\b|do oo\b|do ∞|bez konca|"
    r"(?:w|do) nieskonczonos\w+)|(?=\W*$))"
)
_ENDLESS = rf"\bod (?P<low>(?:[a-z] ?= ?)?{_VALUE}) (?:(?:az )?w nieskonczonos\w+|bez konca|w gore)"
_OVER = r"(?<=[\d)nkx²³] )po (?P<letter>[nkijm]) (?=od \S+ do )"
_ADDED = (
    r"\b(?:dodaj|dodac|zsumuj|zsumowac|posumuj|podsumuj|sumuj)(?: (?:mi|do siebie|razem|prosze))* "
    r"(?=(?:(?:wszystki\w+|kolejn\w+) )*(?:kwadraty|szesciany|odwrotnosci|wyrazy|"
    r"liczby(?: [a-z]+)? (?:od|miedzy)) )"
)


def _listed(found: re.Match[str]) -> str:
    """Write "dla k = 0, 1, 2, …" by its ends, where each number follows the one before."""
    if int(found["next"]) != int(found["low"]) + 1:
        return found[0]
    high = found["high"] or found["last"] or "nieskończoności"
    return f" od {found['letter']}={found['low']} do {high} "


def _from_on(found: re.Match[str]) -> str:
    letter = found["letter"] or found["run"]
    start = f"{letter}={found['low']}" if letter else found["low"]
    return f" od {start} do {found['high']}"


_EQUAL = r"(?<=\bod )(?P<letter>[a-z]) rown\w+ (?=\d|zer|jed|minus)"
_EQUAL_AGAIN = rf"(?<=\bdo )[a-z] ?(?:=|rown\w+) ?(?={_VALUE})"
_BODY_LAST = rf"(?P<range>\bod [a-z] ?= ?{_VALUE} do {_VALUE}),? (?=\()"
_UNENDED = r"(?<=nieskonczona )(?P<range>(?!.* do )[^,;?]*\bod [a-z] ?= ?\d+)(?=\W*$)"
_TERM_FIRST = r"\b(?:ciagu?|szeregu?) (?P<body>[^,;?:]*[+*/^][^,;?:]*)[,:;] (?:jego )?suma (?=od )"
_RULES: tuple[tuple[Guarded, str | Callable[[re.Match[str]], str]], ...] = (
    (Guarded(_LOW_AND_HIGH), r" od \g<low> do \g<high>"),
    (Guarded(_FROM_ON), _from_on),
    (Guarded(_LISTED), _listed),
    (Guarded(_ENDLESS), r"od \g<low> do nieskończoności"),
    (Guarded(_EQUAL), r"\g<letter>="),
    (Guarded(_EQUAL_AGAIN), ""),
    (Guarded(_BODY_LAST), r"\g<range> z "),
    (Guarded(_UNENDED), r"\g<range> do nieskończoności "),
    (Guarded(_TERM_FIRST), r"suma \g<body> "),
    (Guarded(_OVER), r"dla \g<letter> "),
    (Guarded(r"[∑σ](?! ?_)(?=.* od )"), "suma "),
    (Guarded(_ADDED), "suma "),
    (Guarded(r"(?<=\bsuma )((?:wszystki\w+ |kolejn\w+ )?)(kwadrat|szescian)y\b"), r"\1\2ow"),
)


def say_bounds(text: str) -> str:
    """Return the text with the bounds of its integral or sum said as "od … do …"."""
    folded = fold_evenly(text)
    if _RUNNING.search(folded) is None:
        return text
    for pattern, said in _RULES:
        if (found := pattern.search(folded)) is not None:
            new = found.expand(said) if isinstance(said, str) else said(found)
            text = f"{text[: found.start()]}{new}{text[found.end() :]}"
            folded = fold_evenly(text)
    return text
