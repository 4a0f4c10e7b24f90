"""What is computed, and how it is worded in Polish."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st
from scripted.tables import every_row

from chatbot.errors import ToolError
from chatbot.sanitizer import Guard
from chatbot.tools.mathematics.calculation import calculate
from chatbot.tools.mathematics.functions import ARITIES
from chatbot.tools.mathematics.operations import OPERATIONS
from chatbot.tools.mathematics.reading import read
from chatbot.tools.mathematics.wording import count_digits

ANSWERS = [
    # numbers
    ("2 + 2", "Wynik: 4"),
    ("17 * 23", "Wynik: 391"),
    ("0,1 + 0,2", "Wynik: 0,3"),
    ("1/3", "Wynik: 1/3 ≈ 0,333333"),
    ("1/8", "Wynik: 1/8 = 0,125"),
    ("sqrt(2)", "Wynik: √2 ≈ 1,414214"),
    ("√8 + √2", "Wynik: 3·√2 ≈ 4,242641"),
    ("(1 + √2)(1 - √2)", "Wynik: −1"),
    ("1000*1,05^30", "Wynik ≈ 4321,942375"),
    ("20% z 300", "Wynik: 60"),
    ("15% z 83", "Wynik: 12,45"),
    ("e^2", "Wynik: e² ≈ 7,389056"),
    ("|3 - x|", "Wynik: |x − 3|"),
    ("2^10", "Wynik: 1024"),
    ("20!", "Wynik: 2432902008176640000"),
    ("1000!", "Wynik ≈ 4,023872601·10^2567 (liczba ma 2568 cyfr)"),
    ("9**9**9", "Wynik ≈ 4,281247732·10^369693099"),
    ("pi", "Wynik: π ≈ 3,141593"),
    ("degrees(pi/6)", "Wynik: 30°"),
    ("degrees(1)", "Wynik ≈ 57,29577951°"),
    ("0,1 + 0,2i", "Wynik: 0,1 + 0,2i"),
    ("nsolve(cos(x) - x, x, 1)", "Wynik ≈ 0,739085"),
    ("N(pi, 30)", "Wynik ≈ 3,14159265358979323846264338328"),
    ("round(2.5)", "Wynik ≈ 3"),
    ("round(-3.14159, 2)", "Wynik ≈ −3,14"),
    ("gcd(12, 18)", "Wynik: 6"),
    ("lcm(4, 6)", "Wynik: 12"),
    ("factorint(360)", "Wynik: 2³·3²·5"),
    ("divisors(28)", "Wynik: 1; 2; 4; 7; 14; 28"),
    ("divisor_count(720)", "Wynik: 30"),
    ("rem(x**2 - 1, x - 2)", "Wynik: 3"),
    ("degree(x^3*y + 1)", "Wynik: 3"),
    ("roots(x^2*(x - 1))", "Wynik: 1; 0; 0"),
    ("quo(x**3 - 1, x - 1)", "Wynik: x² + x + 1"),
    ("diff(x**3, x).subs(x, 2)", "Wynik: 12"),
    ("Matrix([1, 2, 3]).dot(Matrix([4, 5, 6]))", "Wynik: 32"),
    ("isprime(97)", "97 jest liczbą pierwszą."),
    ("isprime(91)", "91 nie jest liczbą pierwszą."),
    ("binomial(49, 6)", "Wynik: 13983816"),
    ("mean(1, 2, 3, 4)", "Wynik: 5/2 = 2,5"),
    ("sin 30°", "Wynik: 1/2 = 0,5"),
    ("(2 + 3i)(1 - i)", "Wynik: 5 + i"),
    ("√(-4)", "Wynik: 2·i"),
    ("e^(i*pi) + 1", "Wynik: 0"),
    ("lg 1000", "Wynik: 3"),
    # very small, very large, very near to each other
    ("1,6*10^-19 * 3", "Wynik: 4,8·10^−19"),
    ("e^-50", "Wynik: e^(−50) ≈ 1,928749848·10^−22"),
    ("1/3^40", "Wynik: 1/12157665459056928801 ≈ 8,22526334·10^−20"),
    ("10^-15", "Wynik: 1/1000000000000000 = 1·10^−15"),
    ("10^-15/7", "Wynik: 1/7000000000000000 ≈ 1,428571429·10^−16"),
    ("10^-20*i", "Wynik: i/100000000000000000000 = 1·10^−20i"),
    ("0,1^20*3 + 0,1i", "Wynik ≈ 0,1i"),
    ("integrate(sin(sin(x))/10^20, (x, 0, 1))", "Wynik ≈ 4,306061031·10^−21"),
    ("integrate(sin(sin(x)), (x, -1, 1))", "Wynik ≈ 0"),
    ("10^11*sqrt(2)", "Wynik: 100000000000·√2 ≈ 141421356237,309505"),
    ("123456789012*pi", "Wynik: 123456789012·π ≈ 387850941395,884308"),
    ("integrate(sin(sin(x))*10^10, (x, 0, 1))", "Wynik ≈ 4306061031,20691"),
    ("sqrt(10^400 + 1) - 10^200", "Wynik ≈ 5·10^−201"),
    ("10**3000*10**3000", "Wynik ≈ 1·10^6000 (liczba ma 6001 cyfr)"),
    ("999^999*999^999", "Wynik ≈ 1,354707314·10^5993 (liczba ma 5994 cyfr)"),
    ("product(k, (k, 1, 3000))", "Wynik ≈ 4,149359603·10^9130 (liczba ma 9131 cyfr)"),
    ("10^-3000*10^-3000", "Wynik: 1·10^−6000"),
    ("10^3000*10^3000*sqrt(2)", "Wynik ≈ 1,414213562·10^6000"),
    ("0,1234567 + i", "Wynik ≈ 0,123457 + i"),
    ("7 mod -3", "Wynik: −2"),
    ("cos 60 stopni", "Wynik: 1/2 = 0,5"),
    (r"\sqrt[3]{-8} + \sqrt[4]{16}", "Wynik: 0"),
    ("root(-32, 5)", "Wynik: −2"),
    (r"\log_{2}(8) + \log_3 9", "Wynik: 5"),
    ("log₃(9)", "Wynik: 2"),
    ("(3/2)!", "Wynik: (3/2)! ≈ 1,32934"),
    ("isprime(-7)", "−7 nie jest liczbą pierwszą."),
    ("isprime(2.5)", "5/2 nie jest liczbą pierwszą."),
    # algebra
    ("2x + 3x", "Wynik: 5·x"),
    ("expand((x + 1)^3)", "Wynik: x³ + 3·x² + 3·x + 1"),
    ("factor(x^4 - 1)", "Wynik: (x − 1)·(x + 1)·(x² + 1)"),
    ("simplify(sin(x)^2 + cos(x)^2)", "Wynik: 1"),
    ("subs(x^2 + 1, x, 3)", "Wynik: 10"),
    # equations, inequalities, systems
    ("x^2 - 5x + 6 = 0", "x₁ = 2, x₂ = 3"),
    ("solve(x**2 - 2, x)", "x₁ = −√2 ≈ −1,414214; x₂ = √2 ≈ 1,414214"),
    ("x^2 + 1 = 0", "Brak rozwiązań rzeczywistych; zespolone: x₁ = −i, x₂ = i"),
    ("x^2 = 4e-30", "x₁ = −1/500000000000000 = −2·10^−15, x₂ = 1/500000000000000 = 2·10^−15"),
    ("x = 10^500", "x ≈ 1·10^500 (liczba ma 501 cyfr)"),
    ("x^2 = 2*10^800", "x₁ ≈ −1,414213562·10^400; x₂ ≈ 1,414213562·10^400"),
    (
        "x^3 - 3x + 1 = 0",
        "x₁ ≈ 0,347296; x₂ ≈ 1,532089; x₃ ≈ −1,879385 (mogą istnieć inne rozwiązania)",
    ),
    ("x^5 - x - 1 = 0", "x ≈ 1,167304"),
    ("sin(x) = 1/2", "x = π/6 + 2kπ lub x = 5·π/6 + 2kπ, gdzie k jest liczbą całkowitą"),
    ("2cos(x) = √3", "x = π/6 + 2kπ lub x = −π/6 + 2kπ, gdzie k jest liczbą całkowitą"),
    ("sin(x) = 0", "x = kπ, gdzie k jest liczbą całkowitą"),
    ("tg(x) = 1", "x = π/4 + kπ, gdzie k jest liczbą całkowitą"),
    ("sin(x)^2 = 1/4", "x = π/6 + kπ lub x = 5·π/6 + kπ, gdzie k jest liczbą całkowitą"),
    ("log(x) + log(x - 1) = log(6)", "x = 3"),
    ("sqrt(x - 3) = sqrt(2x - 5)", "Brak rozwiązań rzeczywistych"),
    ("cos(x) = x", "x ≈ 0,739085 (mogą istnieć inne rozwiązania)"),
    ("x = cos(x)", "x ≈ 0,739085 (mogą istnieć inne rozwiązania)"),
    ("sin(x) = x", "x = 0 (mogą istnieć inne rozwiązania)"),
    ("3^x + 4^x = 5^x", "x = 2 (mogą istnieć inne rozwiązania)"),
    ("x^4 - 4x^3 + 1 = 0", "x₁ ≈ 0,669632; x₂ ≈ 3,984188"),
    (
        "x^4 + x + 1 = 0",
        (
            "Brak rozwiązań rzeczywistych; zespolone: x₁ ≈ −0,727136 − 0,430014i; "
            "x₂ ≈ −0,727136 + 0,430014i; x₃ ≈ 0,727136 − 0,934099i; x₄ ≈ 0,727136 + 0,934099i"
        ),
    ),
    ("a*x + b = 0", "x = −b/a"),
    ("ax + b = 0", "x = −b/a"),
    ("x^2 - 2ax + a^2 = 0", "x = a"),
    ("(1/2)^x < 4", "x ∈ (−2; ∞)"),
    ("x^3 = 8; y = x", "x = 2, y = 2"),
    (
        "x^2 + y = 1; y = 2",
        "Brak rozwiązań rzeczywistych; zespolone: x = −i, y = 2 lub x = i, y = 2",
    ),
    (
        "sin(x) = 0; y = 1",
        "x = 0; y = 1 lub x = π ≈ 3,141593; y = 1 (mogą istnieć inne rozwiązania)",
    ),
    ("x^2 - 4 ≥ 0", "x ∈ (−∞; −2⟩ ∪ ⟨2; ∞)"),
    ("1 < x < 3", "x ∈ (1; 3)"),
    ("x != 3", "x ∈ (−∞; 3) ∪ (3; ∞)"),
    ("solve([Eq(2*a + b, 7), Eq(a - b, 2)], [a, b])", "a = 3, b = 1"),
    ("x + y = 3; 2x + 2y = 7", "Układ nie ma rozwiązań."),
    ("x^2 + y^2 = 25; x - y = 1", "x = −3, y = −4 lub x = 4, y = 3"),
    ("x + y = 3; 2x + 2y = 6", "x = 3 − y (nieskończenie wiele rozwiązań)"),
    ("2 + 2 = 5", "Wynik: fałsz"),
    ("2x + 1 = 2x + 2", "Brak rozwiązań: to sprzeczność."),
    # analysis
    ("integrate(x**3, (x, 0, 2))", "Wynik: 4"),
    ("integrate(x**3)", "Wynik: x⁴/4 + C"),
    ("integrate(1/x, x)", "Wynik: ln|x| + C"),
    ("integrate(tan(x), x)", "Wynik: −ln|cos(x)| + C"),
    ("integrate(x/(x^2 + 1), x)", "Wynik: ln(x² + 1)/2 + C"),
    ("integrate(ln(x), x)", "Wynik: x·ln(x) − x + C"),
    ("integrate(exp(-x^2), (x, -oo, oo))", "Wynik: √π ≈ 1,772454"),
    ("integrate(sin(sin(x)), (x, 0, 1))", "Wynik ≈ 0,430606"),
    ("diff(sin(x)*x, x)", "Wynik: x·cos(x) + sin(x)"),
    ("integrate(x^x, (x, 0, 1))", "Wynik ≈ 0,78343"),
    ("diff(x**4, x, 2)", "Wynik: 12·x²"),
    ("diff(|x - 1|*y, x)", "Wynik: y·sgn(x − 1)"),
    ("limit(sin(x)/x, x, 0)", "Wynik: 1"),
    ("limit_right(1/x, x, 0)", "Wynik: ∞"),
    ("summation(k, (k, 1, 100))", "Wynik: 5050"),
    ("summation(1/k^2, (k, 1, oo))", "Wynik: π²/6 ≈ 1,644934"),
    ("summation(i, (i, 1, 10))", "Wynik: 55"),
    ("product(k, (k, 1, 5))", "Wynik: 120"),
    ("product(k, (k, 1, n))", "Wynik: n!"),
    ("limit(log(x), x, 0)", "Wynik: −∞"),
    # matrices
    ("Matrix([[1, 2], [3, 4]]).det()", "Wynik: −2"),
    ("Matrix([[1, 2], [3, 4]]).inv()", "Wynik: [−2; 1 | 3/2; −1/2]"),
    ("Matrix([[1, 2], [3, 4]]).T", "Wynik: [1; 3 | 2; 4]"),
    ("Matrix([[1, 2], [2, 4]]).rank()", "Wynik: 1"),
    ("Matrix([[2, 0], [0, 3]]).eigenvals()", "Wynik: 2; 3"),
    ("Matrix([[1, 2], [3, 4]])*Matrix([[1], [2]])", "Wynik: [5 | 11]"),
]


@pytest.mark.parametrize(("expression", "plain"), ANSWERS)
def test_an_answer_in_plain_text(expression: str, plain: str) -> None:
    assert calculate(read(expression)).plain == plain


FORMULAS = [
    ("integrate(x**3, (x, 0, 2))", r"\int_{0}^{2} x^{3}\,dx = 4"),
    ("sqrt(2)", r"\sqrt{2} \approx 1{,}414214"),
    ("limit(sin(x)/x, x, 0)", r"\lim_{x \to 0} \frac{\sin\left(x\right)}{x} = 1"),
    ("summation(k, (k, 1, 100))", r"\sum_{k=1}^{100} k = 5050"),
    ("diff(x^3)", r"\frac{d}{dx} \left(x^{3}\right) = 3 x^{2}"),
    (
        "diff(x^2*y, x, y)",
        r"\frac{\partial ^{2}}{\partial x\,\partial y} \left(x^{2} y\right) = 2 x",
    ),
    (
        "det([[1, 2], [3, 4]])",
        r"\det\left(\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}\right) = -2",
    ),
    ("tan(x)", r"\operatorname{tg}{\left(x \right)}"),
    ("0,5 + 0,25", r"0{,}5 + 0{,}25 = 0{,}75"),
    ("5! - 1", r"5! - 1 = 119"),
    ("20% z 300", r"20\% \cdot 300 = 60"),
    ("sin 30°", r"\sin\left(30^{\circ}\right) = \frac{1}{2} = 0{,}5"),
    ("3*(-2)", r"3 \cdot \left(-2\right) = -6"),
    (
        "2*sin(x)^2",
        r"2 \sin^{2}{\left(x \right)}",
    ),
    ("diff(x^2, x, x, x)", r"\frac{d^{3}}{dx^{3}} \left(x^{2}\right) = 0"),
    ("prime(10)", r"p_{10} = 29"),
    ("nextprime(100)", r"\text{następna liczba pierwsza po }100 = 101"),
    (
        "nsolve(cos(x) - x, x, 1)",
        r"\cos\left(x\right) - x = 0,\quad x \approx 0{,}739085",
    ),
    (
        "dot([1, 2], [3, 4])",
        r"\begin{bmatrix} 1 \\ 2 \end{bmatrix} \cdot \begin{bmatrix} 3 \\ 4 \end{bmatrix} = 11",
    ),
    ("integrate(1/x, x)", r"\int \frac{1}{x}\,dx = \ln \left|{x}\right| + C"),
    ("-(x + 1)*2", r"-\left(x + 1\right) \cdot 2 = - 2 x - 2"),
]


@every_row(("expression", "formula"), FORMULAS)
def test_a_formula_shows_what_was_computed(expression: str, formula: str) -> None:
    assert calculate(read(expression)).content.split("\n\n")[0] == f"$${formula}$$"


def test_an_equation_is_shown_above_its_solutions() -> None:
    assert calculate(read("x^2 = 4")).content == (
        "$$x^{2} = 4$$\n\n$$x_{1} = -2,\\quad x_{2} = 2$$\n\nx₁ = −2, x₂ = 2"
    )


INDEXED = [
    ("x_1^2 = 4", r"x_{1,\,1} = -2,\quad x_{1,\,2} = 2"),
    ("x1^2 = 4", r"x_{1,\,1} = -2,\quad x_{1,\,2} = 2"),
    ("alpha_b^2 = 4", r"\alpha_{b,\,1} = -2,\quad \alpha_{b,\,2} = 2"),
]


@every_row(("equation", "formula"), INDEXED)
def test_roots_of_an_unknown_with_an_index_have_one_subscript(equation: str, formula: str) -> None:
    assert calculate(read(equation)).content.split("\n\n")[1] == f"$${formula}$$"


FAILURES = [
    ("1/0", "Nie można dzielić przez zero"),
    ("0**(-1)", "Nie można dzielić przez zero"),
    ("tan(pi/2)", "Ta funkcja nie ma wartości"),
    ("ln(0)", "Ta funkcja nie ma wartości"),
    ("summation((-1)^k, (k, 0, oo))", "Nie umiem obliczyć tej sumy"),
    ("oo - oo", "nieoznaczone"),
    ("limit(sin(x), x, oo)", "Granica nie istnieje"),
    ("(-1)!", "Silnia jest określona"),
    ("sqrt(0,25)", "zapisz z kropką"),
    ("limit(1/x, x, 0)", "Granica nie istnieje: z lewej jest −∞, z prawej ∞"),
    ("Matrix([[1, 2], [2, 4]]).inv()", "osobliwa"),
    ("Matrix([[1, 2, 3]]).det()", "kwadratowa"),
    ("Matrix([[1, 2], [3]])", "różne długości"),
    ("Matrix([[1, 2], [3, 4]]) + 1", "nie da się dodać"),
    ("Matrix([[1, 2]])*Matrix([[1, 2]])", "Wymiary macierzy nie pasują"),
    ("(2,5 + 1)*2", "Ułamek dziesiętny zapisz z kropką"),
    ("9**9**9 - 9**9**9", "ponad 4000 cyfr"),
    ("10^3000*10^3000*x", "zbyt długi"),
    ("(x + 1)**1000", "Wykładnik jest za duży"),
    ("degree(1/x, x)", "To nie jest wielomian zmiennej x"),
    ("degree(x^2, 2)", "W tym miejscu podaj zmienną"),
    ("roots(1/x)", "To nie jest wielomian zmiennej x"),
    ("roots(5)", "nie ma zmiennej"),
    ("roots((x - 1)*(x^5 - x - 1))", "nie umiem zapisać wzorem"),
    ("series(sin(x)/x, x, oo)", "Nie umiem tego obliczyć"),
    ("[1, 2]", "To lista"),
    ("sin(x) > 1/2", "Nierówności trygonometrycznych"),
    ("diff(a*b)", "Wskaż zmienną"),
    ("solve(5, 3)", "Niewiadome podaj"),
    ("integrate(x**x, x)", "Nie umiem obliczyć tej całki"),
    ("1 + solve(x, x)", "wewnątrz innego wyrażenia"),
]


@pytest.mark.parametrize(("expression", "words"), FAILURES)
def test_a_failure_is_said_in_polish(expression: str, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        calculate(read(expression))


def test_every_allowed_function_is_implemented() -> None:
    assert OPERATIONS.keys() | {"solve"} == ARITIES.keys()


@given(st.integers(min_value=0, max_value=10**60), st.integers(-1, 1))
def test_digits_of_an_integer_are_counted(number: int, beside: int) -> None:
    nearby = abs(10 ** len(str(number)) + beside)
    assert (count_digits(number), count_digits(-nearby)) == (len(str(number)), len(str(nearby)))


def test_the_output_guard_changes_nothing_in_any_answer() -> None:
    for expression, _ in ANSWERS[::3]:
        content = calculate(read(expression)).content
        guard = Guard()
        assert guard.feed(content) + guard.finish() == content


def numbers() -> st.SearchStrategy[str]:
    return st.integers(0, 99).map(str)


def sums(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    )


@settings(max_examples=100, deadline=None)
@given(st.recursive(numbers(), sums, max_leaves=8))
def test_arithmetic_agrees_with_fractions(expression: str) -> None:
    try:
        expected = _evaluate(expression)
    except ZeroDivisionError:
        with pytest.raises(ToolError, match="przez zero"):
            calculate(read(expression))
        return
    assert calculate(read(expression)).plain.startswith(f"Wynik: {expected}".replace("-", "−"))


def _evaluate(expression: str) -> Fraction:
    """Python's own exact arithmetic, for expressions that this test made itself."""
    exact = "".join(f"Fraction({part})" if part.isdigit() else part for part in _split(expression))
    value = eval(exact, {"Fraction": Fraction})  # noqa: S307 - made of digits and signs alone
    return Fraction(value)


def _split(expression: str) -> list[str]:
    for sign in "()+-*/":
        expression = expression.replace(sign, f" {sign} ")
    return expression.split()
