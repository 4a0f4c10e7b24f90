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
    ("1260 jako iloczyn liczb pierwszych", "factorint(1260)"),
    ("liczbę 360 rozbij na iloczyn czynników pierwszych", "factorint(360)"),
    ("Szukam liczby dodatniej, która podniesiona do piątej da 7776", "root(7776, 5)"),
    ("Gdzie h(x) = 3x² + 2x − 5 przecina oś OX?", "solve(Eq(3*x**2 + 2*x - 5, 0), x)"),
    ("kiedy zeruje się funkcja f(x) = x^2 - 5x + 6?", "solve(Eq(x**2 - 5*x + 6, 0), x)"),
    ("ile musi być n żeby 2^n wyszło 512", "solve(Eq(2**n, 512), n)"),
    ("jakie ma być k, aby 2^k było równe 1024", "solve(Eq(2**k, 1024), k)"),
    ("przy jakim x wyrażenie 4x - 7 wynosi 21", "solve(Eq(4*x - 7, 21), x)"),
    ("logarytm dziesiętny z jednej dziesięciotysięcznej", "log(1/10000, 10)"),
    ("Jaką średnią geometryczną mają liczby 2, 4 i 8?", "(2*4*8)**(1/3)"),
    ("liczby 2, 3 i 6: średnia harmoniczna?", "3/(1/2 + 1/3 + 1/6)"),
    ("W grupie mam 18 osób. Ile różnych dwójek mogę z nich złożyć?", "binomial(18, 2)"),
    ("ile par można utworzyć z 15 osób", "binomial(15, 2)"),
    ("dwanaście po cztery, kombinacje bez powtórzeń", "binomial(12, 4)"),
    ("Szyfr: trzy cyfry, żadna się nie powtarza, zero też. Ile mam kombinacji?",
     "binomial(10, 3)*factorial(3)"),
    ("ANANAS. Ile różnych układów liter da się z tego zrobić?",
     "factorial(6)/(factorial(2)*factorial(3))"),
    ("jakie wartości własne ma macierz [[4,1],[2,3]]?", "Matrix([[4, 1], [2, 3]]).eigenvals()"),
    ("Jaki rząd ma macierz: u góry 1 2, na dole 2 4?", "Matrix([[1, 2], [2, 4]]).rank()"),
    ("trojkat prostokatny, te dwa krotsze boki maja 8 i 15 cm. trzeci ile?",
     "sqrt(8**2 + 15**2)"),
    ("akwarium w kształcie sześcianu, objętość 512 dm³. Jaka jest krawędź?", "cbrt(512)"),
    ("Ile zostaje z (9! − 8!)/7!, bo nam dwie różne odpowiedzi wyszły?",
     "(factorial(9) - factorial(8))/factorial(7)"),
    ("Zostały cztery... nie, pięć szóstych tortu, zjemy jedną czwartą całego. Jaka część będzie?",
     "5/6 - 1/4"),
    ("parking ma pięć poziomów, na każdym 87 miejsc, 23 są wyłączone z użytku, ile aut wjedzie",
     "5*87 - 23"),
    ("hotel ma 6 pięter po 14 pokoi, zajętych jest 53, ile wolnych?", "6*14 - 53"),
    ("przyprostokątne $\\sqrt{5}$ oraz $2$, przeciwprostokątna?", "sqrt(sqrt(5)**2 + 2**2)"),
    ("kwadratowa działka ma 1600 m², ile ma bok", "sqrt(1600)"),
    ("walec o objętości 90π i promieniu 3, jaka wysokość", "(90*pi)/(pi*3**2)"),
    ("prostopadłościan o objętości 120 i podstawie 4 na 5, jaka wysokość?", "120/(4*5)"),
    ("liczba której sześcian to 1728", "root(1728, 3)"),
    ("dwa do której potęgi to 4096", "log(4096, 2)"),
    ("ile zer na końcu ma 100!", "floor(100/5) + floor(100/25)"),
    ("ile haseł 5-literowych z 26 liter", "26**5"),
    ("ile trójkątów można utworzyć z 8 punktów", "binomial(8, 3)"),
    ("ile trzycyfrowych liczb o różnych cyfrach", "9*factorial(9)/factorial(10 - 3)"),
    ("ile to 15 razy trzy, nie, cztery", "15*4"),
    ("policz 120 minus 45, sorry, plus 45", "120 + 45"),
    ("∛216 · 4 yyy nie razy 4, minus 4", "root(216, 3) - 4"),
    ("4(x − 3) = 2x + 6, znajdź x. Ups, w nawiasie jest plus, a nie minus!",
     "solve(Eq(4*(x + 3), 2*x + 6), x)"),
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
        "Udowodnić indukcyjnie, że suma sześcianów od 1 do n jest kwadratem",
    ],
)
def test_what_tells_no_formula_is_left_as_it_is(prompt: str) -> None:
    assert read_formula(prompt) is None
