"""Word problems, LaTeX, corrections and slips of spelling, read as formulas."""

from pathlib import Path

import pytest
from scripted.tables import check_rows, every_row

from chatbot.router.detector.formulas import read_formula, read_formulas
from chatbot.tools.mathematics.reading import read

LONGEST_EXPRESSION = 8_000

TABLE = Path(__file__).parent / "detector_problems.tsv"
"""A prompt and its expression a line."""

READ = [
    (prompt, expression)
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    for prompt, _, expression in [line.partition("\t")]
]
NOTHING = [
    "dominanta",
    "szereg Taylora sin x",
    "wyznacznik macierzy 1 2 / 3 4",
    "kiedy była bitwa pod Grunwaldem",
    "mam 3 koty i 2 psy",
    "pokaż mi 5 przepisów na obiad",
    "Napisz maila do 3 klientów o rabacie 10%",
    "o 15 mam spotkanie, przypomnij",
    "jaka będzie pogoda w Łodzi za 3 dni",
    "kto wygrał mecz 3:1",
    "narysuj 3 koty i 2 psy",
    "W promocji trzeci produkt gratis. Biorę 3 po 18 zł, ile płacę?",
    "ile jest czwórek w talii",
    "ile dwucyfrowych liczb można ułożyć z cyfr 1, 2, 3",
    "średnia ważona",
    "Udowodnij, że suma dwóch liczb parzystych jest parzysta: 2a + 2b",
    "Nie rozwiązuj, podpowiedz tylko, jak zacząć: x^2 - 5x + 6 = 0",
    "Napisz wierszyk o tym, że 2 + 2 = 4",
    "gdzie mam błąd: 2(x + 1) = 2x + 1",
    "mam coś zrobić z logo firmy, doradzisz?",
    "Spotkajmy się 12 maja o 17:30 przy ulicy Długiej 5",
    "48 róż i 36 żonkili, ile róż w każdym, gdy robimy jak najwięcej jednakowych bukietów?",
    "48 jabłek i 36 gruszek podziel wszystkie po równo na 6 osób, ile najwięcej owoców",
]
SEVERAL = [
    (
        "najpierw 144/12, potem pierwiastek z 81, a na koniec 7^2",
        ["144/12", "sqrt(81)", "7**2"],
    ),
    (
        "Policz 17% z 860, a osobno 860 powiększone o 17%",
        ["17/100*860", "860*(1 + 17/100)"],
    ),
    ("policz 34 razy 12, nie, 34 razy 13", ["34*13"]),
    (
        "Z cos(2x) chcę najpierw pochodną, a potem całkę nieoznaczoną",
        ["diff(cos(2*x), x)", "integrate(cos(2*x), x)"],
    ),
    (
        "Dla macierzy [[1, 2], [3, 5]] poproszę wyznacznik, a potem jeszcze odwrotną",
        ["Matrix([[1, 2], [3, 5]]).det()", "Matrix([[1, 2], [3, 5]]).inv()"],
    ),
    ("NWD liczb 84 i 126, a oprócz tego liczb 45 i 75.", ["gcd(84, 126)", "gcd(45, 75)"]),
    (
        "wyznacznik macierzy 3x3: 1 2 3, 0 1 4, 5 6 0",
        ["Matrix([[1, 2, 3], [0, 1, 4], [5, 6, 0]]).det()"],
    ),
    ("Ile to 12! oraz 10!/7!", ["factorial(12)", "factorial(10)/factorial(7)"]),
    ("3*9 + 2 i 30 - 5, podaj oba wyniki", ["3*9 + 2", "30 - 5"]),
    ("Rozłóż na czynniki pierwsze 924 oraz 1001", ["factorint(924)", "factorint(1001)"]),
    ("NWD i NWW liczb 24 i 60", ["gcd(24, 60)", "lcm(24, 60)"]),
    ("Znajdź NWW liczb 4 i 6, a także liczb 10 i 15.", ["lcm(4, 6)", "lcm(10, 15)"]),
    ("dla x^3 podaj pochodną i całkę", ["diff(x**3, x)", "integrate(x**3, x)"]),
    ("Policz pierwiastek z 196 i z 441.", ["sqrt(196)", "sqrt(441)"]),
    ("Ile to 12% z 350, a ile 12% z 480?", ["12/100*350", "12/100*480"]),
    ("Oblicz a) 3/4 + 1/8 b) 5/6 - 1/2", ["3/4 + 1/8", "5/6 - 1/2"]),
    ("spr czy 1009 i 1003 to liczby pierwsze", ["isprime(1009)", "isprime(1003)"]),
    ("Zwiększ 250 o 12%, a potem zmniejsz 80 o 5%", ["250*(1 + 12/100)", "80*(1 - 5/100)"]),
    ("Suma i iloczyn liczb 18 i 24.", ["18 + 24", "18*24"]),
    ("NWW liczb 14 i 35 oraz NWD liczb 96 i 144 poproszę", ["lcm(14, 35)", "gcd(96, 144)"]),
    ("kwadrat sumy 6 i 11", ["(6 + 11)**2"]),
    ("factorint(360) oraz factorint(84)", ["factorint(360)", "factorint(84)"]),
    ("rozłóż na czynniki 90, a także dla 126", ["factorint(90)", "factorint(126)"]),
    ("3/4 + 1/2 i 3/4 - 1/2, poproszę w ułamkach", ["3/4 + 1/2", "3/4 - 1/2"]),
    ("Obwód koła o promieniu 5 i pole tego koła", ["2*pi*5", "pi*5**2"]),
    ("Pole prostokąta 4 na 7 i jego obwód.", ["4*7", "2*(4 + 7)"]),
    (
        "Wyznacznik [[3,1],[2,5]] i jeszcze log₂ 64",
        ["Matrix([[3, 1], [2, 5]]).det()", "log(64, 2)"],
    ),
    ("2^10, a poza tym 3^5", ["2**10", "3**5"]),
    ("ile to 20% i 35% z 400", ["20/100*400", "35/100*400"]),
    ("Ile to 3/4 z 60 i 2/3 z 60?", ["3/4*60", "2/3*60"]),
    ("sin 30 i cos 60 stopni", ["sin(30*pi/180)", "cos(60*pi/180)"]),
    ("gcd(84,126) i lcm(84,126) oba naraz", ["gcd(84, 126)", "lcm(84, 126)"]),
    ("policz 45 + 67, a nie, 45 razy 67", ["45*67"]),
    ("mediana z 3, 9, 4, 15, 8, 8, 1", ["median(3, 9, 4, 15, 8, 8, 1)"]),
    ("ile to 2+2", ["2 + 2"]),
    ("dzień dobry", []),
]
SAID_OTHERWISE = [
    ("350 g + 1,2 kg w gramach", "350 + 1.2*1000"),
    ("3 m 40 cm minus 85 cm ile cm", "3*100 + 40 - 85"),
    ("5 godzin 20 minut plus 2 godziny 50 minut", "5*60 + 20 + 2*60 + 50"),
    ("2 kg minus 350 g, wynik w kilogramach", "2 - 350/1000"),
    ("średnia z -2, 3, 5", "((-2) + 3 + 5)/3"),
    ("średnia ocen - 5, 3, 4", "(5 + 3 + 4)/3"),
    ("ile to 15 percent z 89", "15/100*89"),
    ("ile bedzie 15 silnia podzielic przez 13 silnia", "factorial(15)/factorial(13)"),
    ("2 do 10 minus 24", "2**10 - 24"),
    ("pochodna sinusa dwóch iksów", "diff(sin(2*x), x)"),
    ("(3+2i)(1-4i) w postaci algebraicznej", "expand((3 + 2*i)*(1 - 4*i))"),
]
HOSTILE = [
    "\\frac{" * 333,
    "\\sqrt" * 390,
    "9 % z " * 32,
    "pierwiastek z " + "9" * 60,
    "ile to " + "(" * 900 + "2",
    "∫_0^" * 400,
    "1 2 " * 500,
    "12 zł po 3 " * 180,
    "o 5 % " * 300 + "o ile procent",
    "f'(x) " * 300 + "f(x) = x",
    "[[1,2],[3,4]] " * 120,
    "suma " * 400,
    "1" * 2_000,
    "pole kolo " * 199 + " 5",
    " " * 1900 + "2+2",
]


def test_every_problem_is_read() -> None:
    def check(row: tuple[str, str]) -> None:
        prompt, expression = row
        found = read_formula(prompt)
        assert found is not None
        assert found.expression == expression

    check_rows(READ, check)


def test_what_is_read_is_accepted_by_the_mathematics_tool() -> None:
    def check(row: tuple[str, str]) -> None:
        prompt, expression = row
        found = read_formula(prompt)
        assert found is not None
        assert read(found.expression) == read(expression)

    check_rows(READ, check)


@every_row("prompt", NOTHING)
def test_where_no_result_is_wanted_nothing_is_read(prompt: str) -> None:
    assert read_formula(prompt) is None


@pytest.mark.parametrize("prompt", HOSTILE)
def test_hostile_prompts_are_read_within_bounds(prompt: str) -> None:
    found = read_formula(prompt)

    assert found is None or 0 < len(found.expression) < LONGEST_EXPRESSION


def test_what_is_said_otherwise_is_read_as_well() -> None:
    def check(row: tuple[str, str]) -> None:
        prompt, expression = row
        found = read_formula(prompt)
        assert found is not None
        assert found.expression == expression

    check_rows(SAID_OTHERWISE, check)


@every_row(("prompt", "expressions"), SEVERAL)
def test_what_shares_an_operand_is_read_apart(prompt: str, expressions: list[str]) -> None:
    assert [one.expression for one in read_formulas(prompt)] == expressions
