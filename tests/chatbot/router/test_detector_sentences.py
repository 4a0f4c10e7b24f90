"""Sentences that tell an equation, a root, a remainder or a value, and corrections of one part."""

import pytest
from scripted.tables import check_rows

from chatbot.router.detector.formulas import read_formula

ROWS = (
    ("zapisz 1764 w postaci iloczynu potęg liczb pierwszych", "factorint(1764)"),
    ("z jakich liczb pierwszych składa się 4620?", "factorint(4620)"),
    ("2027 dzieli się tylko przez jeden i przez siebie, zgadza się?", "isprime(2027)"),
    ("Czy 437 ma jakieś dzielniki oprócz 1 i siebie samej?", "isprime(437)"),
    ("Jaka liczba podniesiona do sześcianu daje 4913?", "root(4913, 3)"),
    ("która liczba dodatnia podniesiona do potęgi piątej daje 7776", "root(7776, 5)"),
    ("Podaj liczbę, której czwarta potęga to 2401", "root(2401, 4)"),
    ("jak 3^40 podzielę przez jedenaście, to ile zostaje reszty?", "Mod(3**40, 11)"),
    ("Ile reszty zostaje, kiedy 5^20 dzieli się przez siódemkę?", "Mod(5**20, 7)"),
    ("x^2 - 9x ma być równe -20, podaj x", "solve(Eq(x**2 - 9*x, -20), x)"),
    ("pięć iks minus trzy, no i to jest równe siedemnaście, ile iks", "solve(Eq(5*x - 3, 17), x)"),
    ("7x - 4 daje 45. x?", "solve(Eq(7*x - 4, 45), x)"),
    ("Wielomian x³ − 5x + 2, podstaw za x minus trójkę", "(-3)**3 - 5*(-3) + 2"),
    ("jak w miejsce x dam 3, to ile da x^3 - 2x^2 + x", "3**3 - 2*3**2 + 3"),
    ("Punkt przecięcia prostej y = 0,5x − 3 z osią OX", "solve(Eq(0.5*x - 3, 0), x)"),
    ("W jakich punktach y = x² − 16 przecina oś odciętych?", "solve(Eq(x**2 - 16, 0), x)"),
    ("ile to 144 przez osiem, kurde, nie przez osiem tylko przez dziewięć", "144/9"),
    ("300 podzielone przez 12, kurczę, nie przez 12, a przez 15", "300/15"),
    ("stos puszek: na dole 10, w każdym wyższym rzędzie o jedną mniej, rzędów 8, ile razem?",
     "summation(10 - 1*k, (k, 0, 7))"),
    ("Spadek 180 tysięcy dzielimy w stosunku 2 : 3 : 4. Najmniejsza część to ile?",
     "180000*2/(2 + 3 + 4)"),
    ("Rzucam dwiema kośćmi, muszę mieć sumę 11. Szansa?", "(6 - Abs(7 - 11))/36"),
    ("Sześć opakowań po 24 kredki, po równo dla 19 uczniów, jak najwięcej. Ile kredek zostanie?",
     "Mod(6*24, 19)"),
    ("Mam 250 jajek, pakuję po 12 do wytłaczanki. Ile jajek zostanie luzem?", "Mod(250, 12)"),
    ("Przy 8% rocznie po ilu latach oszczędności się podwoją?", "log(2)/log(1 + 8/100)"),
    ("Przy inflacji 6% rocznie po ilu latach ceny się podwoją, nie regułę 72.",
     "log(2)/log(1 + 6/100)"),
    ("Kapitał 8000 zł, oprocentowanie 6% w skali roku, kapitalizacja kwartalna, stan po 5 latach?",
     "8000*(1 + 6/100/4)**(4*5)"),
    ("Lokata 20 000 zł na 4% rocznie, odsetki dopisywane co miesiąc. Ile będzie po trzech latach?",
     "20000*(1 + 4/100/12)**(12*3)"),
    ("Auto za 90 tysięcy co rok traci 15% wartości. Ile będzie warte za pięć lat?",
     "90000*(1 - 15/100)**5"),
    ("Kurtka za 420, przecena minus 30%, a potem jeszcze bon na pięć dych. Ile płacę?",
     "420*(1 - 30/100) - 50"),
    ("Ogradzam działkę 25 na 40 m, ale 3 metry zajmie brama. Ile metrów siatki kupić?",
     "2*(25 + 40) - 3"),
    ("Trapez, dwa równoległe boki 8 cm i 12 cm, odległość między nimi 5 cm. Pole?",
     "(8 + 12)*5/2"),
    ("policz wyznacznik, wiersze 1 2, potem −3 4", "Matrix([[1, 2], [-3, 4]]).det()"),
    ("Ile układów liter można zrobić ze słowa TATA?",
     "factorial(4)/(factorial(2)*factorial(2))"),
    ("12! : 10! sam wynik", "factorial(12)/factorial(10)"),
    ("Różniczkuję g(x) = x^4 trzy razy po x, co wychodzi?", "diff(x**4, x, 3)"),
    ("Skreślam w totka sześć liczb z 49, jakie szanse na szóstkę?", "1/binomial(49, 6)"),
)  # fmt: skip


def test_a_sentence_is_read_as_the_formula_that_it_tells() -> None:
    def check(row: tuple[str, str]) -> None:
        prompt, right = row
        found = read_formula(prompt)
        assert found is not None
        assert found.expression == right

    check_rows(ROWS, check)


@pytest.mark.parametrize(
    "prompt",
    [
        "Mecz 7 : 2 daje awans czy nie?",
        "Co daje x w tej książce?",
        "za x dni wyjeżdżam",
    ],
)
def test_what_tells_no_formula_is_left_as_it_is(prompt: str) -> None:
    assert read_formula(prompt) is None
