"""Say otherwise what the grammar has no words for: letters as spoken, roots, other bases."""

import re
from collections.abc import Callable

from chatbot.router.detector.spans import fold_evenly

_Said = Callable[[re.Match[str]], str]


def _binary(found: re.Match[str]) -> str:
    return f" {int(found['bits'], 2)} "


def _hexadecimal(found: re.Match[str]) -> str:
    return f" {int(found[1], 16)} "


_RULES: tuple[tuple[re.Pattern[str], str | _Said], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"(?<=\d)\s*x\s+i\s*gre[ck]\b|\bi ?gre[ck]\b", " y "),
        (r"\biks(?:a|em|ie)?\b", " x "),
        (r"(?<![\w)])\^([3-9])√", r" pierwiastek \1 stopnia z "),
        (r"∛", " pierwiastek 3 stopnia z "),
        (r"∜", " pierwiastek 4 stopnia z "),
        (r"\bmod ?\( ?(-?\d+) ?[,;] ?(\d+) ?\)", r"\1 mod \2"),
        (r"\[(?=[^\[\]]*[-+*/:·×])([^\[\];]*\([^\[\];]*)\](?!\s*[,\]])", r"(\1)"),
        (r"(?<=[\d)]) (?:podnios\w+|podnies\w+|do potegi podnies\w+) (?=do )", " "),
        ((r"\b(?P<bits>[01]{2,16}) (?:w systemie dwojkow\w*|dwojkowo|binarnie|w (?:zapisie "
          r")?dwojkow\w*|"
         r"\(2\)|_2\b)"), _binary),
        (r"(?<![\w.])0x([0-9a-f]{1,8})\b", _hexadecimal),
        (r"\b(?:kopa|mendel|tuzin) ?= ?\d+", " "),
        (r",? ?\(?\b(?:kopa|mendel|tuzin) (?:to|ma) (?:sztuk )?\w+(?: jakby co)?\)?$", " "),
        (r"\bar[ck]us sinus\w*", " arcsin "),
        (r"\bar[ck]us [ck]osinus\w*", " arccos "),
        (r"\bar[ck]us tangens\w*", " arctg "),
        (r"(?<=\b(?:nww|nwd) )(?:\w+ )?liczb:? ?(?=\d)", " "),
        (r"(?<=\d (?:min|gr.) )\+ (?=\d)|(?<=\d min )\+ (?=\d)|(?<=\d zl )\+ (?=\d)", " oraz "),
        (r"\bod sumy (?:liczb )?(\d+) i (\d+) odejmij ich roznice", r"(\1 + \2) - (\1 - \2)"),
        (r"\bod iloczynu (?:liczb )?(\d+) i (\d+) odejmij ich sume", r"\1*\2 - (\1 + \2)"),
        (r"\be do minus ([a-z]) (?:do )?kwadrat\w*", r"e^(-\1^2)"),
        (r"\be do minus ([a-z])\b", r"e^(-\1)"),
        (r"(?<=liczby zespolonej )[a-z] ?= ?(?=[-−\d(])", ""),
        (r"(?<=liczby )z ?= ?(?=[-−\d(])", ""),
        (r"✖️?|✕", "*"),
        (r"➗️?", ":"),
        (r"➕️?", "+"),
        (r"➖️?", "-"),
        (r"\b(?:divided by)\b", " podzielone przez "),
        (r"\btimes\b", " razy "),
        (r"(?<=[a-z]) koma (?=[a-z])|(?<=\d) koma (?=\d)", " przecinek "),
        (r"(?<=%) (?:tip\w*|napiwk\w+|prowizji|rabatu|znizki|podatku|marzy) (?=(?:od|z) \d)", " "),
        (r"(?<=%) od (?:podstawy|kwoty|ceny|sumy|wartosci|pensji|rachunku) (?=\d)", " z "),
        (r"\bodejmij od (\d[\d ]*|miliona|tysiaca|stu) (?=\w)", r"od \1 odejmij "),
        (r"\b(?:policz |oblicz )?pochodn\w+ (?:z |funkcji )?[a-z]\(([a-z])\) ?= ?",
         r"pochodna po \1 z "),
        (r"[?❓] ?= ?(?=[\d(])|(?<=\d) ?= ?❓", " "),
    )
)  # fmt: skip


def reword(text: str) -> str:
    """Return the text with every rule applied, found without regard to accents."""
    for pattern, said in _RULES:
        folded = fold_evenly(text)
        for found in reversed(list(pattern.finditer(folded))):
            new = found.expand(said) if isinstance(said, str) else said(found)
            text = f"{text[: found.start()]}{new}{text[found.end() :]}"
    return text
