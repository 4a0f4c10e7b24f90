"""Numbers and operations as they are said: mixed numbers, exponents, lists, shares turned round."""

from scripted.tables import check_rows

from chatbot.router.detector.formulas import read_formula
from evals.values import have_same_value

ROWS = (
    ("2 i 3/4 odjąć 1 i 5/6", "Rational(11, 4) - Rational(11, 6)"),
    ("¾ z 512 − ⅝ z 96", "324"),
    ("2,5 promila od kwoty 48 tysięcy", "120"),
    ("3 promile z 200", "Rational(3, 5)"),
    ("potrzebuję 1,08 do dwunastej", "Rational(108, 100)**12"),
    ("dwójka do trzydziestej pierwszej minus jeden", "2**31 - 1"),
    ("cztery do potęgi minus trzeciej", "Rational(1, 64)"),
    ("2 do minus 5", "Rational(1, 32)"),
    ("log₂32 + log₅125", "8"),
    ("log₃ 243 − log₂ 0,125", "8"),
    ("dwa do iks równa się sto dwadzieścia osiem to ile iks", "solve(Eq(2**x, 128), x)"),
    ("ile jest liczb pierwszych między 80 a 110", "primepi(110) - primepi(80)"),
    ("ostatnia cyfra liczby 7 do 222", "Mod(7**222, 10)"),
    ("Pewna liczba ma taką własność, że 45% z niej to 198. Jaka to liczba?", "440"),
    ("Jeśli 35% pewnej liczby to 84, to jaka to liczba?", "240"),
    ("od jakiej kwoty 8% to 64 zł", "800"),
    ("potroiłem liczbę, dodałem 7 i wyszło 40. Co to za liczba?", "solve(Eq(3*x + 7, 40), x)"),
    ("jaka liczba po dodaniu 15 i podzieleniu przez 4 daje 9", "solve(Eq((x + 15)/4, 9), x)"),
    ("średnia z pomiarów 128 135 142 131 126 139 144", "135"),
    ("mediana z 98 112 105 131 99 120 104", "105"),
    ("suma 5 000 000 i 3", "5000003"),
    ("walec r=4 h=10 pole całkowite", "2*pi*4*(4 + 10)"),
    (r"\binom{9}{3} + 4!", "108"),
)


def test_numbers_are_read_as_they_are_said() -> None:
    def check(row: tuple[str, str]) -> None:
        prompt, right = row
        found = read_formula(prompt)
        assert found is not None
        assert have_same_value(right, found.expression), found.expression

    check_rows(ROWS, check)


def test_hours_are_no_exponents() -> None:
    assert read_formula("pracuję od 8 do dwunastej") is None
