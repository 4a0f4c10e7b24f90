"""Cuts what a person or a model wrote into tokens, in whatever characters it was written."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, TypeAlias

from chatbot.errors import ToolError

MAX_CHARACTERS = 1000
MAX_NESTING = 40

Kind: TypeAlias = Literal["number", "name", "sign"]


@dataclass(frozen=True, slots=True)
class Token:
    """A number, a name, or a sign; ``position`` counts characters from 1 in the original."""

    kind: Kind
    text: str
    position: int = 0


_SIGNS: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys("×·⋅∙•", "*"),
    **dict.fromkeys("÷:∶⁄", "/"),
    **dict.fromkeys("−–—‐‑", "-"),
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "≠": "!=",
    "^": "**",
    ";": ",",
    "{": "(",
    "}": ")",
    "º": "°",
    "∣": "|",
})
_PLAIN_SIGNS = frozenset("+-*/%()[],=<>!°|.")
_PAIRS = ("**", "//", "<=", ">=", "==", "!=", "!!", "<>", "=<", "=>")
_PAIR_MEANINGS: Mapping[str, str] = MappingProxyType({
    "==": "=",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
})
_NAMED: Mapping[str, str] = MappingProxyType({
    "√": "sqrt",
    "∛": "cbrt",
    "π": "pi",
    "∞": "oo",
    "ⅇ": "E",
    "ⅈ": "I",
    "λ": "lamda",
})
_GREEK = frozenset((
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lamda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon"),
    *("phi", "chi", "psi", "omega"),
))
_SUPERSCRIPTS: Mapping[str, str] = MappingProxyType(
    dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_LATEX: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(("cdot", "times"), "*"),
    "div": "/",
    **dict.fromkeys(("le", "leq", "leqslant"), "<="),
    **dict.fromkeys(("ge", "geq", "geqslant"), ">="),
    **dict.fromkeys(("ne", "neq"), "!="),
    **dict.fromkeys(("left", "right", "quad", "displaystyle"), ""),
    **dict.fromkeys(("frac", "dfrac", "tfrac"), "\\frac"),
    "sqrt": "\\sqrt",
    "infty": "oo",
    "lambda": "lamda",
    "circ": "°",
})
_HINTS: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys("'\"`„”“’«»", "Napisów w cudzysłowach nie przyjmuję; zmienne pisz wprost: x."),
    "∫": "Całkę zapisz tak: integrate(x**2, (x, 0, 1)).",
    "∑": "Sumę zapisz tak: summation(k, (k, 1, 10)).",
    "Σ": "Sumę zapisz tak: summation(k, (k, 1, 10)).",
    "∏": "Iloczyn zapisz tak: product(k, (k, 1, 10)).",
})
_SIGNS_OF_ANALYSIS: Mapping[str, str] = MappingProxyType({"int": "∫", "sum": "∑", "prod": "∏"})
_OPENING = "(["
_CLOSING: Mapping[str, str] = MappingProxyType({")": "(", "]": "["})


def scan(text: str) -> tuple[Token, ...]:
    """The tokens of an expression, with every spelling brought to ASCII.

    A comma between digits is a decimal comma outside brackets and separates inside them.

    Raises:
        ToolError: too long, nested too deeply, unbalanced, or a character that means nothing here.
    """
    text = text.strip().rstrip("?= \t\n").replace("{,}", ".").replace("$", " ")
    if len(text) > MAX_CHARACTERS:
        raise ToolError(
            f"Wyrażenie ma {len(text)} znaków, a przyjmuję najwyżej {MAX_CHARACTERS}. Skróć je."
        )
    scanner = _Scanner(text)
    while scanner.position < len(text):
        scanner.step()
    return scanner.finish()


class _Scanner:
    """Walks over the text once; ``position`` is the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self._tokens: list[Token] = []
        self._open: list[Token] = []

    def finish(self) -> tuple[Token, ...]:
        if self._open:
            last = self._open[-1]
            raise ToolError(
                f"Nawias „{last.text}” otwarty na pozycji {last.position} nie jest zamknięty."
            )
        return tuple(self._tokens)

    def step(self) -> None:
        character = self.text[self.position]
        if character.isspace() or unicodedata.category(character) == "Cf":
            self.position += 1
        elif _is_digit(character) or (character == "." and self._begins_fraction()):
            self._number()
        elif character in _SUPERSCRIPTS:
            self._superscript()
        elif character in _NAMED or _is_greek(character):
            self._named(character)
        elif character.isalpha() or character == "_":
            self._name()
        elif character == "\\":
            self._latex()
        elif unicodedata.numeric(character, None) is not None:
            self._vulgar_fraction()
        else:
            self._sign()

    def _add(self, kind: Kind, text: str, length: int) -> None:
        self._tokens.append(Token(kind, text, self.position + 1))
        self.position += length

    def _named(self, character: str) -> None:
        name = _NAMED.get(character) or _greek_name(character)
        if name is None:
            raise self._refusal(character)
        self._add("name", name, 1)

    def _begins_fraction(self) -> bool:
        after = self.text[self.position + 1 : self.position + 2]
        return _is_digit(after) and not self._ends_operand()

    def _ends_operand(self) -> bool:
        last = self._tokens[-1] if self._tokens else None
        return last is not None and (last.kind != "sign" or last.text in {")", "]"})

    def _number(self) -> None:
        start = self.position
        digits = self._digits()
        if self._peek(".") or (self._peek(",") and not self._open):
            self.position += 1
            digits += "." + self._digits()
        elif not self._tokens_are_joined(digits, start):
            digits += self._thousands(digits)
        digits += self._exponent()
        if self._peek("."):
            raise ToolError(f"Liczba „{self.text[start : self.position + 1]}” ma dwie kropki.")
        self._tokens.append(Token("number", self._without_zeros(digits), start + 1))

    def _without_zeros(self, digits: str) -> str:
        """Python reads no leading zeros; TeX does, where it takes single digits."""
        if self._tokens and self._tokens[-1].text == "\\frac":
            return digits
        whole = digits.lstrip("0")
        return whole if whole[:1].isdigit() else "0" + whole

    def _tokens_are_joined(self, digits: str, start: int) -> bool:
        """Whether the digits cannot begin a number written in groups of three."""
        return len(digits) > 3 or (start > 0 and self.text[start - 1].isalnum())  # noqa: PLR2004 - three digits a group

    def _digits(self) -> str:
        start = self.position
        while self.position < len(self.text) and _is_digit(self.text[self.position]):
            self.position += 1
        return "".join(str(unicodedata.decimal(c)) for c in self.text[start : self.position])

    def _thousands(self, digits: str) -> str:
        """More groups of three digits after single spaces: "12 000"; and their decimals."""
        groups = ""
        while digits != "0" and self._group_follows():
            self.position += 1
            groups += self._digits()
        if groups and self._peek(",") and not self._open:
            self.position += 1
            groups += "." + self._digits()
        return groups

    def _group_follows(self) -> bool:
        space, group, after = (
            self.text[self.position : self.position + 1],
            self.text[self.position + 1 : self.position + 4],
            self.text[self.position + 4 : self.position + 5],
        )
        are_digits = len(group) == 3 and all(map(_is_digit, group))  # noqa: PLR2004 - as above
        return space.isspace() and are_digits and not _is_digit(after)

    def _exponent(self) -> str:
        """``e-3`` after a number, where digits follow."""
        rest = self.text[self.position : self.position + 3]
        if rest[:1] not in {"e", "E"}:
            return ""
        sign = rest[1:2] if rest[1:2] in {"+", "-"} else ""
        if not _is_digit(rest[1 + len(sign) : 2 + len(sign)]):
            return ""
        self.position += 1 + len(sign)
        return "e" + sign + self._digits()

    def _peek(self, character: str) -> bool:
        """Whether ``character`` comes next, between digits."""
        return self.text[self.position : self.position + 1] == character and _is_digit(
            self.text[self.position + 1 : self.position + 2]
        )

    def _superscript(self) -> None:
        start = self.position
        while self.text[self.position : self.position + 1] in _SUPERSCRIPTS:
            self.position += 1
        raised = "".join(_SUPERSCRIPTS[c] for c in self.text[start : self.position])
        inner = (replace(token, position=start + 1) for token in scan(raised))
        opened, closed = Token("sign", "(", start + 1), Token("sign", ")", start + 1)
        self._tokens += (Token("sign", "**", start + 1), opened, *inner, closed)

    def _name(self) -> None:
        start = self.position
        while self.position < len(self.text) and self._continues_name():
            self.position += 1
        written = self.text[start : self.position].translate(_SUBSCRIPTS)
        word = unicodedata.normalize("NFKC", written)
        self._tokens.append(Token("name", word, start + 1))

    def _continues_name(self) -> bool:
        character = self.text[self.position]
        return character in "_₀₁₂₃₄₅₆₇₈₉" or (
            character.isalnum()
            and character not in _SUPERSCRIPTS
            and character not in _NAMED
            and not _is_greek(character)
            and (_is_digit(character) or character.isalpha())
        )

    def _latex(self) -> None:
        end = self.position + 1
        while end < len(self.text) and self.text[end].isascii() and self.text[end].isalpha():
            end += 1
        command = self.text[self.position + 1 : end]
        if not command and self.text[end : end + 1] in {",", ";", "!", " "}:
            self.position = end + 1  # a space of LaTeX
            return
        if command == "log" and self.text[end : end + 1] == "_":
            self.position += 1
            self._name()
            return
        meaning = _LATEX.get(command, command)
        if not command or meaning in {"int", "sum", "prod", "lim"}:
            raise self._refusal(_SIGNS_OF_ANALYSIS.get(command, "\\"))
        if meaning:
            kind: Kind = "name" if meaning.isalpha() else "sign"
            self._tokens.append(Token(kind, meaning, self.position + 1))
        self.position = end

    def _vulgar_fraction(self) -> None:
        """½ as a fraction, 2½ as a mixed number."""
        value = Fraction(unicodedata.numeric(self.text[self.position])).limit_denominator(1000)
        place = self.position + 1
        whole = self._tokens.pop() if self._tokens and self._tokens[-1].kind == "number" else None
        fraction = f"({value.numerator}/{value.denominator})"
        inner = scan(f"({whole.text}+{fraction})" if whole else fraction)
        self._tokens += (replace(token, position=place) for token in inner)
        self.position += 1

    def _sign(self) -> None:
        pair = self.text[self.position : self.position + 2]
        if pair in _PAIRS:
            self._add("sign", _PAIR_MEANINGS.get(pair, pair), 2)
            return
        character = self.text[self.position]
        sign = _SIGNS.get(character, character)
        if sign not in _PLAIN_SIGNS and len(sign) == 1:
            sign = unicodedata.normalize("NFKC", sign)
            sign = _SIGNS.get(sign, sign)
        if sign not in _PLAIN_SIGNS and character not in _SIGNS and sign != "**":
            raise self._refusal(character)
        self._add("sign", sign, 1)
        self._follow_brackets(self._tokens[-1])

    def _follow_brackets(self, token: Token) -> None:
        if token.text in _OPENING:
            self._open.append(token)
            if len(self._open) > MAX_NESTING:
                raise ToolError(
                    f"Za dużo zagnieżdżonych nawiasów: przyjmuję najwyżej {MAX_NESTING}. "
                    "Uprość wyrażenie."
                )
        elif token.text in _CLOSING:
            self._close_bracket(token)

    def _close_bracket(self, token: Token) -> None:
        if not self._open or self._open.pop().text != _CLOSING[token.text]:
            raise ToolError(
                f"Nawias „{token.text}” na pozycji {token.position} nie ma pary. Sprawdź nawiasy."
            )

    def _refusal(self, character: str) -> ToolError:
        shown = character if character.isprintable() else f"U+{ord(character):04X}"
        hint = _HINTS.get(character, "Zapisz wyrażenie na przykład tak: sqrt(2)*x**2 + 1.")
        return ToolError(f"Nie rozumiem znaku „{shown}” na pozycji {self.position + 1}. {hint}")


def _is_digit(character: str) -> bool:
    return len(character) == 1 and unicodedata.decimal(character, None) is not None


def _is_greek(character: str) -> bool:
    letter = _usual(character)
    return unicodedata.name(letter, "").startswith("GREEK ") and letter not in _HINTS


def _greek_name(character: str) -> str | None:
    """``alpha`` for α, ``Delta`` for Δ, ``phi`` for φ and ϕ; ``None`` for no letter of the 24."""
    kind, _, letter = unicodedata.name(_usual(character)).partition(" LETTER ")
    word = letter.removeprefix("FINAL ").partition(" ")[0].lower()
    if word not in _GREEK or kind not in {"GREEK SMALL", "GREEK CAPITAL"}:
        return None
    return word.capitalize() if kind == "GREEK CAPITAL" else word


def _usual(character: str) -> str:
    """The letter for its mathematical variants (ϵ, 𝛼, µ), not for what is raised or lowered."""
    is_level = not unicodedata.decomposition(character).startswith(("<super>", "<sub>"))
    letter = unicodedata.normalize("NFKC", character) if is_level else character
    return letter if len(letter) == 1 else character
