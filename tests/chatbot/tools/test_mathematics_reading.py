"""What the reader understands, what it refuses and how it says so; nothing is ever executed."""

import sys
from threading import get_ident

import pytest
from hypothesis import given, settings, strategies as st
from scripted.hostile_mathematics import CODE, EFFORT
from scripted.tables import every_row

from chatbot.errors import ToolError
from chatbot.tools.mathematics.expression import Apply, Group, Number, Symbol, walk
from chatbot.tools.mathematics.functions import ARITIES
from chatbot.tools.mathematics.reading import read

OPERATORS = {"+", "-", "*", "/", "**", "neg", "pos", "not", "and", "or"}
RELATIONS = {"=", "!=", "<", "<=", ">", ">="}

SAME = [
    ("2x(x+1)", "2*x*(x + 1)"),
    ("3(x+1)(x-1)", "3*(x + 1)*(x - 1)"),
    ("x^2 = 4", "Eq(x**2, 4)"),
    ("x == 4", "Eq(x, 4)"),
    ("2 × 3 ÷ 4 − 1", "2*3/4 - 1"),
    ("12:4", "12/4"),
    ("x² + y³", "x**2 + y**3"),
    ("x⁻¹", "x**(-1)"),
    ("√2", "sqrt(2)"),
    ("2√(x+1)", "2*sqrt(x + 1)"),
    ("∛8", "cbrt(8)"),
    ("2πr", "2*pi*r"),
    ("∞", "oo"),
    ("2,5 + 1", "2.5 + 1"),
    ("12 000 + 1 234 567,5", "12000 + 1234567.5"),
    ("max(2, 5)", "Max(2, 5)"),
    ("5!", "factorial(5)"),
    ("(n+1)!", "factorial(n + 1)"),
    ("5! != 100", "Ne(factorial(5), 100)"),
    ("7!!", "factorial2(7)"),
    ("sin 30°", "sin(radians(30))"),
    ("sin 2x", "sin(2*x)"),
    ("sin²(x)", "sin(x)**2"),
    ("tg x", "tan(x)"),
    ("20% z 300", "percent(20)*300"),
    ("15%", "percent(15)"),
    ("7 % 3", "Mod(7, 3)"),
    ("7 mod 3", "Mod(7, 3)"),
    ("|x - 1|", "Abs(x - 1)"),
    ("|x - |y||", "Abs(x - Abs(y))"),
    ("½", "1/2"),
    ("2¾", "2 + 3/4"),
    ("٣ + ٤", "3 + 4"),
    ("１２＋３", "12 + 3"),
    ("007", "7"),
    ("x₁ + 1", "x1 + 1"),
    (r"\frac{1}{2} + \sqrt{x}", "1/2 + sqrt(x)"),
    (r"\frac12 + \frac13", "1/2 + 1/3"),
    (r"\dfrac12 + \tfrac 3 4", "1/2 + 3/4"),
    (r"\frac1{x+1}", "1/(x+1)"),
    (r"\frac{x+1}2", "(x+1)/2"),
    (r"\frac\pi2", "pi/2"),
    (r"\frac ab", "a/b"),
    (r"\frac12x", "1/2*x"),
    (r"\frac05x", "0/5*x"),
    (r"\frac{\frac12}{\sqrt2}", "(1/2)/sqrt(2)"),
    (r"x^\frac12", "x**(1/2)"),
    (r"|\frac12|", "Abs(1/2)"),
    (r"\sqrt2x", "sqrt(2)*x"),
    (r"\sqrt x", "sqrt(x)"),
    (r"\sqrt{12}", "sqrt(12)"),
    (r"\sqrt\left(x+1\right)", "sqrt(x+1)"),
    ("x^12 + x^{12}", "x**12 + x**12"),
    ("frac{1}{2}", "1/2"),
    (r"2 \cdot \left(1{,}5 + x\right)", "2*(1.5 + x)"),
    ("x + y = 3, x - y = 1", "[Eq(x + y, 3), Eq(x - y, 1)]"),
    ("x + y = 3; x - y = 1", "[Eq(x + y, 3), Eq(x - y, 1)]"),
    ("1 < x ≤ 3", "And(1 < x, x <= 3)"),
    ("x < 0 lub x > 5", "Or(x < 0, x > 5)"),
    ("xy", "x*y"),
    ("2 + 2 = ?", "2 + 2"),
    ("średnia(1, 2)", "mean(1, 2)"),
    ("NWD(12; 18)", "gcd(12, 18)"),
    ("Matrix([[1, 2], [3, 4]]).det()", "det(Matrix([[1, 2], [3, 4]]))"),
    ("Matrix([[1, 2]]).T", "transpose(Matrix([[1, 2]]))"),
    ("Integral(x, (x, 0, 1))", "integrate(x, (x, 0, 1))"),
    ("S(1)/3", "1/3"),
]


@every_row(("school", "sympy"), SAME)
def test_school_notation_means_what_sympy_would_say(school: str, sympy: str) -> None:
    assert read(school) == read(sympy)


def test_numbers_keep_every_digit() -> None:
    assert read("0,12345678901234567890123") == Number("0.12345678901234567890123")


def test_a_comma_inside_brackets_separates() -> None:
    assert read("max(2,5)") == Apply("Max", (Number("2"), Number("5")))


def test_digits_behind_polish_letters_are_read_right() -> None:
    assert read("średnia(2.5, 13)") == Apply("mean", (Number("2.5"), Number("13")))


def test_greek_letters_are_variables() -> None:
    assert read("α + λ") == Apply("+", (Symbol("alpha"), Symbol("lamda")))


def test_frac_without_a_backslash_is_the_fractional_part() -> None:
    assert read("frac(2.5)") == Apply("frac", (Number("2.5"),))


VARIANTS = [
    ("ϕ", "φ"),
    ("ϵ", "ε"),
    ("ϑ", "θ"),
    ("ϱ", "ρ"),
    ("ϰ", "κ"),
    ("ϖ", "π"),
    ("ς", "σ"),
    ("µ", "μ"),
    ("𝛼𝑥", "α*x"),
    ("2𝜋", "2π"),
]


@every_row(("variant", "letter"), VARIANTS)
def test_variants_of_greek_letters_are_the_same_letters(variant: str, letter: str) -> None:
    assert read(variant) == read(letter)


REFUSED = [
    ("϶ + x", "Nie rozumiem znaku „϶” na pozycji 1."),
    ("xᵦ", "Nie rozumiem znaku „ᵦ” na pozycji 2."),
    ("ͱ + 1", "Nie rozumiem znaku „ͱ” na pozycji 1."),
    ("sqr(4)", "Czy chodziło o „sqrt”?"),
    ("integrat(x, x)", "Czy chodziło o „integrate”?"),
    ("'x'", "Nie rozumiem znaku „'” na pozycji 1."),
    ("2 + $ # 3", "„#” na pozycji"),
    ("lambda: 1", "„lambda” na pozycji 1"),
    ("[c for c in x]", "„for” na pozycji 4"),
    ("x.evalf(2)", "Po kropce przyjmuję tylko: .det()"),
    ("x.__class__", "„__class__” na pozycji 3"),
    ("limit(1/x, x, 0, dir=1)", "brak|Argument|nie jest|liczba argumentów"),
    ("x[0]", "nie jest dozwolony"),
    ("(1 + 2", "otwarty na pozycji 1 nie jest zamknięty"),
    ("1 + 2)", "na pozycji 6 nie ma pary"),
    ("2 +", "Nie rozumiem zapisu przy"),
    ("2 3", "Między „2” a „3” brakuje znaku działania"),
    ("sin", "Po nazwie funkcji „sin” brakuje nawiasu"),
    ("sin(1, 2)", "liczba argumentów to 1, a podano 2"),
    ("∫ x dx", r"Całkę zapisz tak: integrate"),
    (r"\frac123", "Po „\\frac” na pozycji 1 użyj klamer"),
    (r"\frac{1}23", "Po „\\frac” na pozycji 1 użyj klamer"),
    (r"\frac{1}", "Po „\\frac” na pozycji 1 użyj klamer"),
    (r"2 + \frac+", "Po „\\frac” na pozycji 5 użyj klamer"),
    (r"\frac\sqrt23", "użyj klamer, na przykład"),
    (r"\sqrt12", r"Po „\sqrt” na pozycji 1 użyj klamer, na przykład: \sqrt{12}."),
    (r"\int_0^1 x", r"Całkę zapisz tak: integrate"),
    ("symbols(x)", "Zmiennych nie trzeba deklarować"),
    ("|x", "nie ma pary"),
    ("!5", "Przed „!” na pozycji 1 brakuje liczby"),
    ("1.2.3", "dwie kropki"),
    ("", "Podaj wyrażenie"),
    ("1" * 1001, "ma 1001 znaków"),
    ("(" * 41 + "1" + ")" * 41, "Za dużo zagnieżdżonych nawiasów"),
    ("+".join("1" * 150), "zbyt głęboko zagnieżdżone"),
]


@every_row(("text", "words"), REFUSED)
def test_what_is_refused_is_explained(text: str, words: str) -> None:
    with pytest.raises(ToolError) as caught:
        read(text)
    assert any(word in caught.value.message for word in words.split("|"))


def read_or_refuse(text: str) -> tuple[object, ...]:
    try:
        return tuple(walk(read(text)))
    except ToolError:
        return ()


PIECES = st.sampled_from([
    *"0123456789xyzabine.,;()[]{}+-*/^=<>!%|°√²π½_'\"\\ \t\n",
    *("sin", "sqrt(", "frac", "\\frac{", "integrate(", "Matrix([[", "lambda ", "__class__", "**"),
    *("\\frac", "\\sqrt"),
    *(" and ", " lub ", ".T", ".det()", "==", "oo", "mod "),
])


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join)))
def test_any_text_is_read_into_allowed_nodes_or_refused(text: str) -> None:
    for node in read_or_refuse(text):
        assert isinstance(node, Number | Symbol | Group | Apply)
        assert not isinstance(node, Apply) or node.function in {*ARITIES, *OPERATORS, *RELATIONS}


def test_reading_executes_nothing() -> None:
    seen: list[str] = []
    is_watching = True
    reader = get_ident()

    def watch(event: str, _: tuple[object, ...]) -> None:
        if is_watching and get_ident() == reader:  # other threads do what they like
            seen.append(event)

    sys.addaudithook(watch)  # cannot be removed; it falls silent below
    for expression in (*CODE, *EFFORT):
        read_or_refuse(expression)
    is_watching = False
    harmless = {"compile", "builtins.id", "object.__getattr__", "object.__setattr__"}
    assert set(seen) <= harmless
