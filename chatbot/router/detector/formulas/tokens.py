"""Cut a prompt into the tokens of the formula grammar: numbers, letters, signs and words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from chatbot.language.folding import fold
from chatbot.language.numerals import NUMBER_WORDS, read_number
from chatbot.language.patterns import regex

Kind: TypeAlias = Literal["number", "share", "ordinal", "letter", "sign", "word"]

MOST_TOKENS = 160
_LONGEST_NUMBER = 8
_SPACE = "  "
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏͰ-ϿЀ-ӿ"
_NUMBER = (
    rf"\d{{1,3}}(?:[ {_SPACE}]\d{{3}})+(?!\d)(?:,\d+(?!\d|,\d))?"
    r"|(?<![\d,])\d+,\d+(?![\d]|,\d)|\d+(?:\.\d+)?"
)
_TOKEN = regex(
    rf"(?P<number>{_NUMBER})"
    rf"|(?P<word>[{_LETTER}]+(?:-[{_LETTER}]{{2,}}+)*)"
    r"|(?P<sign>\*\*|<=|>=|!=|->|=>|\.\.\.|[²³¹⁰⁴⁵⁶⁷⁸⁹½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|[^\s\w]|_|\n)"
)
_IN_BRACKETS = regex(r"\d+(?:\.\d+)?")
_FUNCTION_OF_X = regex(r"\b(?:[fghwpv]\s*\(\s*[a-z]\s*\)|[abcu]\s*_\s*n)\s*=", re.IGNORECASE)
_SIGNS = {
    "·": "*", "×": "*", "∙": "*", "⋅": "*", "•": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/",
    "−": "-", "–": "-", "—": "-", "**": "^", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->",
    "=>": "->", "＋": "+", "＝": "=", "\n": ";",
}  # fmt: skip
_POWERS = {
    "⁰": "0",
    "¹": "1",
    "²": "2",
    "³": "3",
    "⁴": "4",
    "⁵": "5",
    "⁶": "6",
    "⁷": "7",
    "⁸": "8",
    "⁹": "9",
}
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8",
           "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅜": "3/8", "⅝": "5/8",
           "⅞": "7/8"}  # fmt: skip
_OPERATORS = frozenset("+-*/^=<>(|!²³√") | {"<=", ">=", "!="}
_PREPOSITIONS = frozenset("aiouwz")
_VARIABLES = frozenset("abcdhkmnpqrstvxyz")
_UNITS = frozenset({"km", "mm", "kb", "mb"})
_FIGURES = (
    "jedynk",
    "dwojk",
    "trojk",
    "czwork",
    "piatk",
    "szostk",
    "siodemk",
    "osemk",
    "dziewiatk",
    "dziesiatk",
)
_ROUND_FIGURES = (
    "dwudziestk", "trzydziestk", "czterdziestk", "piecdziesiatk", "szescdziesiatk",
    "siedemdziesiatk", "osiemdziesiatk", "dziewiecdziesiatk", "setk",
)  # fmt: skip
_TEEN_FIGURES = (
    "jedenastk", "dwunastk", "trzynastk", "czternastk", "pietnastk", "szesnastk", "siedemnastk",
    "osiemnastk", "dziewietnastk",
)  # fmt: skip
_SMALL_FIGURES = (
    "jedyneczk", "dwojeczk", "trojeczk", "czworeczk", "piateczk", "szosteczk", "siodemeczk",
    "osemeczk", "dziewiateczk", "dziesiateczk",
)  # fmt: skip
_MARKS: Mapping[str, int] = MappingProxyType({
    **dict.fromkeys(("dwoja", "dwoje", "dwoi"), 2),
    **dict.fromkeys(("troja", "troje", "troi", "trojczyna", "trojczyne", "trojczyny"), 3),
    **dict.fromkeys(("czwora", "czwore", "czwory"), 4),
    **dict.fromkeys(("piona", "pione", "piony"), 5),
    **dict.fromkeys(("szostal", "szostala", "szostale"), 6),
})
MULTIPLES: Mapping[str, int] = MappingProxyType({
    **dict.fromkeys(("tuzin", "tuzina", "tuziny", "tuzinow"), 12),
    **dict.fromkeys(("mendel", "mendla", "mendle", "mendli"), 15),
    **dict.fromkeys(("kopa", "kopy", "kope", "kop"), 60),
    **dict.fromkeys(("dycha", "dyche", "dychy", "dych", "dyszke", "dyszki", "dyszek"), 10),
    **dict.fromkeys(("tysie", "tysiak", "tysiaka", "tysiaki", "tysiakow"), 1000),
    **dict.fromkeys(
        ("stowa", "stowe", "stowy", "stow", "stowke", "stowki", "stowka", "stowek"), 100
    ),
})
_ORDINAL = regex(
    r"(?:pierwsz|drug|trzec|czwart|piat|szost|siodm|osm|dziewiat|dziesiat|n-t)"
    r"(?:y|a|e|ego|emu|ej|ym|iego|iej|ia|im|i|ych|ich)?"
)
_SIGNED = regex(r"\s+[-−][^\s]")
_DIFFERENTIAL = regex(r"d[xyztuabn]")
_INFINITE = regex(r"nieskonczonos(?:c|ci|cia)|oo|inf|infinity|niesk")
_WITHIN_NUMBERS = frozenset({"minus", "i", "z", "cale", "calych", "cala", "przecinek", "kropka"})
_HALF = {
    "polowa": "1/2",
    "polowe": "1/2",
    "polowy": "1/2",
    "cwierc": "1/4",
    "cwiartka": "1/4",
    "cwiartke": "1/4",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """One token: ``text`` is folded for words, ready for an expression for numbers.

    ``is_work`` is true for a number that is a calculation: "48/64", "3 tuziny".
    """

    kind: Kind
    text: str
    start: int
    end: int
    is_work: bool = False


@lru_cache(maxsize=32)  # many readers cut the same text
def tokenise(prompt: str, *, most: int = MOST_TOKENS) -> tuple[Token, ...]:
    """Return the first ``most`` tokens; numbers in words are one token each."""
    text = _FUNCTION_OF_X.sub(lambda found: " " * len(found[0]), prompt)
    raw: list[Token] = []
    depth = 0
    at = 0
    while len(raw) < most and (found := _TOKEN.search(text, at)):
        if found["number"] and depth and "," in found["number"]:
            found = _IN_BRACKETS.match(text, found.start()) or found
            raw.append(_token("number", found[0], found))
        else:
            raw.extend(_raw_tokens(found, text, depth))
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        at = found.end()
    return tuple(_join_numbers(raw))


def _token(kind: Kind, text: str, found: re.Match[str]) -> Token:
    return Token(kind=kind, text=text, start=found.start(), end=found.end())


def _raw_tokens(found: re.Match[str], text: str, depth: int) -> Iterator[Token]:
    whole = found[0]
    if found.lastgroup == "number":
        yield _token("number", re.sub(rf"[ {_SPACE}]", "", whole).replace(",", "."), found)
    elif whole in _POWERS:
        yield _token("sign", "^", found)
        yield _token("number", _POWERS[whole], found)
    elif whole in _VULGAR:
        yield _token("share", _VULGAR[whole], found)
    elif whole == "∞":
        yield _token("letter", "oo", found)
    elif found.lastgroup == "sign":
        yield _token("sign", _SIGNS.get(whole, whole), found)
    else:
        yield from _read_word(found, text, depth)


def _read_word(found: re.Match[str], text: str, depth: int) -> Iterator[Token]:
    word = fold(found[0])
    if word in {"π", "pi"}:
        yield _token("letter", "pi", found)
    elif _INFINITE.fullmatch(word):
        yield _token("letter", "oo", found)
    elif len(word) == 1 and (depth > 0 or _is_letter(word, found, text)):
        yield _token("letter", word if word != "e" else "E", found)
    elif len(word) <= 3 and _is_product(word, found, text):  # noqa: PLR2004 - "xy", "abc"
        for offset, letter in enumerate(word):
            at = found.start() + offset
            yield Token(kind="letter", text=letter, start=at, end=at + 1)
    else:
        yield _token("word", word, found)


def _is_letter(letter: str, found: re.Match[str], text: str) -> bool:
    if letter not in _PREPOSITIONS:
        is_variable = letter in _VARIABLES or letter == "e"
        return is_variable or (letter in "fgl" and _touches_operator(found, text))
    return _touches_operator(found, text)


def _is_product(word: str, found: re.Match[str], text: str) -> bool:
    if _DIFFERENTIAL.fullmatch(word) or word in _UNITS or not set(word) <= _VARIABLES:
        return False
    if len(word) > 2 and word not in {"abc", "xyz"} and set(word) & {"a", "y"}:  # noqa: PLR2004
        return False  # a word: "tak/nie"
    return _touches_operator(found, text)


def _touches_operator(found: re.Match[str], text: str) -> bool:
    before, after = text[: found.start()], text[found.end() :]
    if _SIGNED.match(after) and before[-1:].isspace():  # "z −7"
        return False
    touching = before[-1:].isdigit() or before[-1:] in _POWERS
    sign_before = before.rstrip()[-1:] in _OPERATORS - {"!"} and before[-1:] != ""
    sign_after = after.lstrip()[:1] in _OPERATORS - {"(", "√", "|"} or after[:1] in {")", "²", "³"}
    return touching or sign_after or (sign_before and not after[:1].isalpha())


def _join_numbers(raw: Sequence[Token]) -> Iterator[Token]:
    at = 0
    while at < len(raw):
        token = raw[at]
        if token.kind == "number" and (written := _written_share(raw, at)) is not None:
            yield written[1]
            at += written[0]
            continue
        size, value = _number_at(raw, at)
        if value is None and token.kind == "number" and _is_multiple_next(raw, at):
            value = token.text
        if value is None:
            yield replace(token, kind="ordinal") if _is_ordinal(token) else token
            at += 1
            continue
        last = raw[at + size - 1]
        following = raw[at + size] if at + size < len(raw) else None
        if following is not None and following.text in MULTIPLES:
            value, last = _multiplied(value, MULTIPLES[following.text]), following
            size += 1
        kind: Kind = "share" if "/" in value else "number"
        is_work = last.text in MULTIPLES and size > 1
        yield Token(kind=kind, text=value, start=token.start, end=last.end, is_work=is_work)
        at += size


def _multiplied(value: str, times: int) -> str:
    """So many dozens: "3 tuziny", "półtorej kopy"."""
    return str(Fraction(value) * times) if "/" in value else str(Decimal(value) * times)


def _is_multiple_next(raw: Sequence[Token], at: int) -> bool:
    """Whether what follows counts in dozens and the like: "3 tuziny"."""
    return at + 1 < len(raw) and raw[at + 1].text in MULTIPLES


def _written_share(raw: Sequence[Token], at: int) -> tuple[int, Token] | None:
    """Read "2½", "3/4" and "2 3/4": how many tokens it takes, and the token it makes."""
    first = raw[at]
    following = raw[at + 1] if at + 1 < len(raw) else None
    is_next = following is not None and following.start - first.end <= first.text.isdecimal()
    if following is not None and following.kind == "share" and is_next and not following.is_work:
        total = Fraction(first.text) + Fraction(following.text)
        return 2, Token(kind="share", text=str(total), start=first.start, end=following.end)
    if at and raw[at - 1].text in {"^", "√", "_", "/"}:
        return None
    if (part := _fraction_at(raw, at)) is not None:
        end = raw[at + 2].end
        return 3, Token(kind="share", text=part, start=first.start, end=end, is_work=True)
    part = _fraction_at(raw, at + 1)
    if part is None or not first.text.isdecimal() or raw[at + 1].start - first.end != 1:
        return None
    above, _, below = part.partition("/")
    if int(above) >= int(below):
        return None
    total = int(first.text) + Fraction(part)
    return 4, Token(kind="share", text=str(total), start=first.start, end=raw[at + 3].end)


def _fraction_at(raw: Sequence[Token], at: int) -> str | None:
    """The text of a fraction of two whole numbers written without spaces, if one stands here."""
    if at + 2 >= len(raw) or raw[at + 1].text != "/":
        return None
    above, slash, below = raw[at : at + 3]
    if not (above.text.isdecimal() and below.text.isdecimal() and int(below.text)):
        return None
    after = raw[at + 3] if at + 3 < len(raw) else None
    is_tight = above.end == slash.start and slash.end == below.start
    before = raw[at - 1] if at > 1 and raw[at - 1].text == "-" else None
    if not is_tight or (before is not None and raw[at - 2].text == "^"):
        return None
    if after is not None and after.start == below.end and after.text in {"/", "^", "!", "_"}:
        return None
    if after is not None and after.start == below.end and after.kind in {"letter", "word"}:
        return None
    return f"{above.text}/{below.text}"


def _is_ordinal(token: Token) -> bool:
    return token.kind == "word" and _ORDINAL.fullmatch(token.text) is not None


def _named_figure(word: str) -> str | None:
    """Read "dwójkę" as 2, "szósteczka" as 6, "dwunastka" as 12 and "stówę" as 100."""
    if word in MULTIPLES:
        return str(MULTIPLES[word])
    if word in _MARKS:
        return str(_MARKS[word])
    stem, ending = word[:-1], word[-1]
    if ending not in "aeio":
        return None
    if stem in _ROUND_FIGURES:
        return str(10 * (_ROUND_FIGURES.index(stem) + 2))
    if stem in _TEEN_FIGURES:
        return str(_TEEN_FIGURES.index(stem) + 11)
    named = next((each for each in (_FIGURES, _SMALL_FIGURES) if stem in each), None)
    return None if named is None else str(named.index(stem) + 1)


def _is_number_word(token: Token) -> bool:
    return token.kind in {"word", "number"} and (
        token.text in NUMBER_WORDS or token.text in _WITHIN_NUMBERS
    )


def _number_at(raw: Sequence[Token], at: int) -> tuple[int, str | None]:
    """Return how many tokens make one number here, and its text; a lone figure stays as it is."""
    token = raw[at]
    if token.kind == "word" and token.text in _HALF:
        return 1, _HALF[token.text]
    if token.kind == "word" and (figure := _named_figure(token.text)):
        return 1, figure
    is_sign = token.text in {"plus", "minus"}
    if token.kind not in {"word", "number"} or _is_ordinal(token) or is_sign:
        return 1, None
    if token.text.startswith("zerow") or not (token.kind == "number" or _is_number_word(token)):
        return 1, None
    size = 1
    while size < _LONGEST_NUMBER and at + size < len(raw) and _is_number_word(raw[at + size]):
        size += 1
    least = 2 if token.kind == "number" else 1
    for count in range(size, least - 1, -1):
        value = read_number(" ".join(one.text for one in raw[at : at + count]))
        if value is not None and raw[at + count - 1].text not in {"i", "z"}:
            return count, str(value)
    return 1, None
