"""Writes SymPy's values in Polish notation, as LaTeX and as plain text."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import sympy
from sympy import Basic, Expr, Float, Integer, MatrixBase, Rational, S, Symbol
from sympy.core.evalf import PrecisionExhausted
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.logic.boolalg import Boolean
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from chatbot.errors import ToolError
from chatbot.tools.mathematics.values import Value

MAX_CHARACTERS = 2500
MAX_INTEGER_DIGITS = 400
LONG = 140
PLACES = 6
DIGITS = 30
FLOAT_DIGITS = 15
MOST_DIGITS = 1000
NOISE = Float("1e-14")

_FUNCTIONS: Mapping[str, str] = MappingProxyType({
    "log": "ln",
    "tan": "tg",
    "cot": "ctg",
    "atan": "arctg",
    "acot": "arcctg",
    "asin": "arcsin",
    "acos": "arccos",
    "pi": "π",
    "oo": "∞",
    "I": "i",
    "E": "e",
    "LambertW": "W",
    "sign": "sgn",
})
_LATEX_FUNCTIONS: Mapping[str, str] = MappingProxyType({
    "arctan": "\\operatorname{arctg}",
    "arccot": "\\operatorname{arcctg}",
    "tan": "\\operatorname{tg}",
    "cot": "\\operatorname{ctg}",
})
_LATEX_WORDS: Mapping[str, str] = MappingProxyType({
    "\\operatorname{sign}": "\\operatorname{sgn}",
    "\\text{for}\\: ": "\\text{dla}\\: ",
    "\\text{otherwise}": "\\text{w przeciwnym razie}",
    "\\text{True}": "\\text{prawda}",
    "\\text{False}": "\\text{fałsz}",
    "\\text{NaN}": "\\text{nieokreślone}",
})
_RELATION_SIGNS: Mapping[str, str] = MappingProxyType({
    "==": "=",
    "!=": "≠",
    "<=": "≤",
    ">=": "≥",
})
_PLAIN_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, slots=True)
class Wording:
    """The same thing twice: LaTeX without dollars, and plain text."""

    latex: str
    plain: str


def word_value(value: Value) -> Wording:
    """Write any value exactly.

    Raises:
        ToolError: it is too long to be read.
    """
    match value:
        case Integer() if count_digits(value) > MAX_INTEGER_DIGITS:
            written = _word_large(value)
        case Basic() if _has_endless_numbers(value):
            raise _too_long()
        case Float():
            written = word_decimal(value)
        case tuple():
            written = join(tuple(map(word_value, value)))
        case Boolean() if value in {S.true, S.false}:
            word = "prawda" if value == S.true else "fałsz"
            written = Wording(f"\\text{{{word}}}", word)
        case MatrixBase():
            written = Wording(write_latex(value), _plain_matrix(value))
        case sympy.Piecewise():
            written = Wording(write_latex(value), _plain_cases(value))
        case _:
            written = Wording(write_latex(value), plain(value))
    if len(written.plain) > MAX_CHARACTERS or len(written.latex) > 3 * MAX_CHARACTERS:
        raise _too_long()
    return written


def _too_long() -> ToolError:
    return ToolError(
        f"Wynik jest zbyt długi, żeby go pokazać (ma ponad {MAX_CHARACTERS} znaków). "
        "Uprość wyrażenie."
    )


def _has_endless_numbers(value: Basic) -> bool:
    """Whether a number in it is too long alone; of 4,300 digits Python writes none."""
    return any(
        count_digits(whole) > MAX_CHARACTERS
        for number in value.atoms(Rational)
        for whole in (number.p, number.q)
    )


def count_digits(value: "Expr | int") -> int:
    """How many decimal digits an integer has, however many."""
    size = abs(int(value))
    power = int(max(size.bit_length() - 1, 0) * math.log10(2))
    return power + (2 if size >= 10 ** (power + 1) else 1)


def _word_large(value: Expr) -> Wording:
    written = word_decimal(sympy.N(value, 10))
    note = f"liczba ma {count_digits(value)} cyfr"
    return Wording(f"\\approx {written.latex}", f"≈ {written.plain} ({note})")


def join(values: tuple[Wording, ...]) -> Wording:
    """Several things with semicolons between them."""
    return Wording(
        ";\\; ".join(value.latex for value in values), "; ".join(value.plain for value in values)
    )


# --- decimals ---


def word_decimal(value: Expr) -> Wording:
    """A real or complex float with a decimal comma, without needless zeros."""
    real, imaginary = value.as_real_imag()
    if imaginary == 0:
        return _word_float(real)
    sign = "-" if imaginary < 0 else "+"
    first = _word_float(real)
    second = _word_float(abs(imaginary))
    if second.plain == "1":
        second = Wording("", "")
    if real == 0:
        minus = sign.replace("+", "")
        return Wording(f"{minus}{second.latex} i", _minus(f"{minus}{second.plain}i"))
    return Wording(
        f"{first.latex} {sign} {second.latex} i", _minus(f"{first.plain} {sign} {second.plain}i")
    )


def _word_float(value: Expr) -> Wording:
    if value == 0:
        return Wording("0", "0")
    mantissa, _, exponent = _digits_of(value).partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    latex, text = mantissa.replace(".", "{,}"), mantissa.replace(".", ",")
    if exponent:
        latex += f" \\cdot 10^{{{int(exponent)}}}"
        text += f"·10^{int(exponent)}"
    return Wording(latex, _minus(text))


def _digits_of(value: Expr) -> str:
    """Digits of a float as SymPy rounds them; an exponent only for the very large and small."""
    text = str(sympy.Float(value)) if not isinstance(value, Float) else str(value)
    return text.replace("e+", "e")


def approximate(value: Expr) -> Wording | None:
    """A constant to six places, or to ten digits where it is small; ``None`` for no number."""
    rounded = _rounded(value)
    return None if rounded is None else word_decimal(rounded)


def is_shown_whole(value: Expr) -> bool:
    """Whether nothing is lost where ``value`` is approximated."""
    parts = value.as_real_imag()
    if not all(isinstance(part, Rational) for part in parts):
        return False
    rounded = _rounded(value)
    return rounded is not None and all(
        part == Rational(str(shown))
        for part, shown in zip(parts, rounded.as_real_imag(), strict=True)
    )


def _rounded(value: Expr) -> Expr | None:
    """What of a constant is shown; beside a much larger one, a part of it is noise."""
    if not value.is_number or value.has(sympy.oo, -sympy.oo):
        return None
    parts = _evaluate(value).as_real_imag()
    if not all(isinstance(part, Float | Integer | Rational) for part in parts):
        return None
    known = FLOAT_DIGITS if value.has(Float) else DIGITS
    noise = NOISE * max(map(abs, parts))
    real, imaginary = (S.Zero if abs(part) < noise else _round_float(part, known) for part in parts)
    return real + imaginary * sympy.I


def _evaluate(value: Expr) -> Expr:
    """The first digits, all of them right; zero where not one is found among very many."""
    try:
        return value.evalf(DIGITS, maxn=MOST_DIGITS, strict=True)
    except PrecisionExhausted:
        nearly = value.evalf(FLOAT_DIGITS, maxn=MOST_DIGITS)
        return S.Zero if abs(nearly) < Float(10) ** -(MOST_DIGITS // 2) else S.NaN


def _round_float(part: Expr, known: int) -> Expr:
    """``part`` as it is shown, of which ``known`` digits are right."""
    size = abs(part)
    if size >= Float(10) ** 12 or 0 < size < Float("1e-6"):
        return Float(str(sympy.N(part, 10)), 10)
    whole = len(str(int(size))) if size >= 1 else 0
    return Float(part, min(whole + PLACES, known))


def is_terminating(value: Expr) -> bool:
    """Whether a fraction is a decimal number of at most 12 places."""
    if not isinstance(value, Rational):
        return False
    rest = int(value.q)
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1 and value.q <= 10**12 and 10**12 % value.q == 0


def exact_decimal(value: Expr) -> Wording:
    """A terminating fraction, every digit of it."""
    scaled = int(value * 10**12)
    digits = str(abs(scaled)).rjust(13, "0")
    text = f"{digits[:-12]}.{digits[-12:]}".rstrip("0").rstrip(".")
    sign = "-" if scaled < 0 else ""
    return Wording(sign + text.replace(".", "{,}"), _minus(sign + text.replace(".", ",")))


# --- formulas ---


def write_latex(value: Basic) -> str:
    """A formula in LaTeX, with Polish names of functions and decimal commas."""
    written: str = _Latex({
        "ln_notation": True,
        "inv_trig_style": "full",
        "mat_delim": "[",
    }).doprint(value)
    written = re.sub(
        r"\\(arctan|arccot|tan|cot)(?![a-z])", lambda m: _LATEX_FUNCTIONS[m[1]], written
    )
    for english, polish in _LATEX_WORDS.items():
        written = written.replace(english, polish)
    return re.sub(r"(?<=\d)\.(?=\d)", "{,}", written)


class _Latex(LatexPrinter):  # type: ignore[misc]  # sympy has no types
    """SymPy's own, but for ``ln |x|`` without further brackets."""

    def _print_log(self, value: Expr, exp: str | None = None) -> str:
        written: str = super()._print_log(value, exp)
        if exp is None and isinstance(value.args[0], sympy.Abs):
            return f"\\ln {self._print(value.args[0])}"
        return written


class _Printer(StrPrinter):  # type: ignore[misc]  # as above
    """Relations, factorials, moduli and powers of functions as people write them."""

    def _print_Abs(self, value: Expr) -> str:  # noqa: N802 - SymPy finds it by this name
        return f"|{self._print(value.args[0])}|"

    def _print_log(self, value: Expr) -> str:
        argument = self._print(value.args[0])
        return f"log{argument}" if isinstance(value.args[0], sympy.Abs) else f"log({argument})"

    def _print_Pow(self, value: Expr, rational: bool = False) -> str:  # noqa: FBT002, N802 - SymPy's own signature
        written: str = super()._print_Pow(value, rational)
        base, exponent = value.args
        if not isinstance(base, TrigonometricFunction) or not isinstance(exponent, Integer):
            return written
        if exponent < 0:
            return written
        raised = str(exponent).translate(_PLAIN_SUPERSCRIPTS)
        called: str = self._print(base)
        return called.replace("(", f"{raised}(", 1)

    def _print_factorial(self, value: Expr) -> str:
        argument = self._print(value.args[0])
        return f"{argument}!" if argument.isalnum() else f"({argument})!"

    def _print_Relational(self, relation: Basic) -> str:  # noqa: N802 - SymPy finds it by this name
        sign = _RELATION_SIGNS.get(relation.rel_op, relation.rel_op)
        return f"{self._print(relation.lhs)} {sign} {self._print(relation.rhs)}"


def plain(value: Basic) -> str:
    """A formula in plain characters: x² + 2·x, √2, π."""
    text = _Printer().doprint(value)
    text = re.sub(r"(?<=\d)\.(?=\d)", ",", text)
    text = re.sub(r"\bexp\((\w+)\)", r"e**\1", text).replace("exp(", "e**(")
    text = re.sub(r"\bsqrt\((\w+)\)", r"√\1", text).replace("sqrt(", "√(")
    text = re.sub(r"\b[A-Za-z]+\b", lambda m: _FUNCTIONS.get(m[0], m[0]), text)
    text = re.sub(r"\*\*(\d+)(?![\d(]|,\d)", lambda m: m[1].translate(_PLAIN_SUPERSCRIPTS), text)
    return _minus(text.replace("**", "^").replace("*", "·"))


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _plain_matrix(matrix: MatrixBase) -> str:
    rows = ("; ".join(plain(cell) for cell in matrix.row(n)) for n in range(matrix.rows))
    return "[" + " | ".join(rows) + "]"


def _plain_cases(value: sympy.Piecewise) -> str:
    """``x dla x ≥ 0; −x w pozostałych przypadkach``."""
    return "; ".join(
        f"{plain(formula)} w pozostałych przypadkach"
        if condition == S.true
        else f"{plain(formula)} dla {plain(condition)}"
        for formula, condition in value.args
    )


def word_name(symbol: Symbol, index: int | None = None) -> Wording:
    """A variable, with an index where there are several values of it."""
    latex, text = write_latex(symbol), plain(symbol)
    if index is None:
        return Wording(latex, text)
    number = str(index)
    has_index = "_{" in latex
    indexed = f"{latex.removesuffix('}')},\\,{number}}}" if has_index else f"{latex}_{{{number}}}"
    return Wording(indexed, text + number.translate(_PLAIN_SUBSCRIPTS))
