"""Prompts of everyday mathematics: all numbers take part in what is read, or nothing is."""

import pytest
from scripted.tables import every_row

from chatbot.router.detector.formulas import read_formula
from chatbot.tools.mathematics.reading import read

READ = [
    (
        "no weź policz: mam 7 kartonów po 24 jajka, 13 się zbiło, to ile całych zostało?",
        "7*24 - 13",
    ),
    ("czterdzieści osiem dzielone przez trzy i jeszcze razy pięć", "48/3*5"),
    ("Kran napełnia wannę w 15 minut, drugi w 10. W ile minut napełnią razem?", "1/(1/15 + 1/10)"),
    ("Odwróć macierz A = [[4,7],[2,6]].", "Matrix([[4, 7], [2, 6]]).inv()"),
    ("Wyznacz f'(2) dla f(x) = 4x^3 − x.", "limit(diff(4*x**3 - x, x), x, 2)"),
    ("∑ k² dla k=1..20", "summation(k**2, (k, 1, 20))"),
    ("Rzucamy dwiema kostkami, jakie prawdopodobieństwo sumy 9?", "(6 - Abs(7 - 9))/36"),
    ("Zaokrąglij iloraz 2000 przez 7 do setnych.", "round(2000/7, 2)"),
    (
        "pięć chłopów kopie rów w 12 dni, ile dni zajmie to ośmiu chłopom przy tym samym tempie",
        "12*5/8",
    ),
    (
        "Czy mógłbyś wyliczyć granicę ciągu a_n = (3n²+1)/(n²−n)?",
        "limit((3*n**2 + 1)/(n**2 - n), n, oo)",
    ),
    ("Zapisz 0,(36) jako ułamek zwykły.", "36/99"),
    ("Ile przekątnych ma dwunastokąt?", "12*(12 - 3)/2"),
    ("Ciąg arytmetyczny, pierwszy wyraz 5, różnica 3 – podaj dwudziesty wyraz.", "5 + (20 - 1)*3"),
    ("f(x)=sin(x)/x, granica w zerze", "limit(sin(x)/x, x, 0)"),
    ("Średnica 26 cali to wiem, policz obwód koła o średnicy 66 cm", "pi*66"),
    ("Która to potęga dwójki: 4096?", "log(4096, 2)"),
    (
        "Basia jest 3 razy młodsza od mamy, razem mają 48 lat. Po ile mają?",
        "solve([Eq(x, 3*y), Eq(x + y, 48)], [x, y])",
    ),
    ("Ile zer na końcu ma 100 silnia?", "floor(100/5) + floor(100/25)"),
    ("Za 1,8 kg sera dałem 61,20, ile za kilogram?", "61.20/1.8"),
    (
        "Ile jest wszystkich możliwych pinów czterocyfrowych bez powtarzania cyfr?",
        "binomial(10, 4)*factorial(4)",
    ),
    ("Turysta przeszedł 2/5 trasy, zostało mu 9 km. Jak długa jest cała trasa?", "9/(1 - 2/5)"),
    ("Iloczyn wektorowy (1,0,2) × (3,−1,1)", "cross(Matrix([1, 0, 2]), Matrix([3, -1, 1]))"),
    (
        "so basically potrzebuję integral z e^(2x) od 0 do 1, exact value pls",
        "integrate(E**(2*x), (x, 0, 1))",
    ),
    ("jak w tytule filmu, pi razy drzwi odpada, ma być dokładnie: 3/8 z 2 i 2/3", "3/8*(8/3)"),
    (
        "„Obraz” funkcji mnie nie interesuje, granica tak: (1−cos x)/x² w zerze",
        "limit((1 - cos(x))/x**2, x, 0)",
    ),
    (
        "Pan Średnicki zamówił 35 koszulek po 27 złotych, z rabatem 12 procent. Do zapłaty?",
        "35*27*(1 - 12/100)",
    ),
    ("Dwóch malarzy maluje pokój w 6 godzin. Ile godzin zajmie to trzem?", "2*6/3"),
    ("granica ciągu (2n+1)/(n-3)", "limit((2*n + 1)/(n - 3), n, oo)"),
    ("ile dzielników ma 360", "divisor_count(360)"),
    ("suma dzielników 28", "1 + 2 + 4 + 7 + 14 + 28"),
    ("Pierwsza czy złożona: 221?", "isprime(221)"),
    ("suma liczb pierwszych mniejszych od 10", "2 + 3 + 5 + 7"),
    ("odwrotność 3 modulo 7", "Mod(3**(totient(7) - 1), 7)"),
    ("suma liczb trzycyfrowych podzielnych przez 7", "summation(7*k, (k, 15, 142))"),
    ("ile jest liczb od 1 do 100 podzielnych przez 3", "33 - 1 + 1"),
    ("Kursują co 12, 15 i 50 minut, za ile znów ruszą razem?", "lcm(lcm(12, 15), 50)"),
    ("płytę 462 na 1071 mm tnę na jak największe kwadraty, bok?", "gcd(462, 1071)"),
    ("na ile sposobów ustawię 6 książek na półce", "factorial(6)"),
    ("Siedmioro dzieci ustawia się w rzędzie, na ile sposobów?", "factorial(7)"),
    ("Na ile sposobów wybiorę trzyosobowy zarząd z 11 członków?", "binomial(11, 3)"),
    ("A = {1,2,3,4,5}, ile podzbiorów trzyelementowych", "binomial(5, 3)"),
    ("ile podzbiorów ma zbiór 5-elementowy", "2**5"),
    (
        "szansa trafienia piątki w grze 6 z 49",
        "binomial(6, 5)*binomial(43, 1)/binomial(49, 6)",
    ),
    ("prawdopodobieństwo szóstki w lotto, 6 z 49", "1/binomial(49, 6)"),
    ("a1=2, q=3, oblicz a6", "2*3**(6 - 1)"),
    ("a₁ = 5, r = 2, a₁₀ = ?", "5 + (10 - 1)*2"),
    ("S10 ciągu arytmetycznego a1=1 r=4", "(2*1 + (10 - 1)*4)*10/2"),
    ("a₃ = 11, a₇ = 27, podaj r", "solve([Eq(a + 2*r, 11), Eq(a + 6*r, 27)], [a, r])"),
    ("suma 1+1/2+1/4+1/8+... w nieskończoność", "1/(1 - (1/2))"),
    (
        "Sala ma 18 rzędów, w pierwszym 14 foteli, w każdym następnym o 2 więcej. Suma foteli",
        "summation(14 + 2*k, (k, 0, 17))",
    ),
    ("Równanie prostej przez (2, −1) i (5, 8)", "(8 - (-1))/(5 - 2)*(x - 2) + (-1)"),
    (
        "Suma dwóch kolejnych liczb naturalnych to 57. Co to za liczby?",
        "solve(Eq(x + (x + 1), 57), x)",
    ),
    ("wartości własne macierzy 2 1; 1 2", "Matrix([[2, 1], [1, 2]]).eigenvals()"),
    ("Auto pali 6,8 litra na setkę. Ile spali na trasie 340 km?", "6.8/100*340"),
    ("Jedna tabletka ma 0,4 g. Ile tabletek to 6 gramów?", "6/0.4"),
    (
        "Brat ma dwa razy tyle lat co ja, razem mamy 36. Ile mam ja?",
        "solve([Eq(x, 2*y), Eq(x + y, 36)], [x, y])",
    ),
    ("Ile z 4500 brutto zostanie po odjęciu 19%?", "4500*(1 - 19/100)"),
    ("W klasie jest 30 osób, 40% to chłopcy. Ile jest dziewczyn?", "30*(1 - 40/100)"),
    ("ile to 3,5 raza 18", "3.5*18"),
    ("Wylosowano 2 karty z 52, ile jest możliwości?", "binomial(52, 2)"),
    ("Siostra biega 5 km w 27 minut. Jakie to tempo na kilometr?", "27/5"),
    ("Ile metrów kwadratowych paneli na pokój 4,2 na 3,6?", "4.2*3.6"),
    ("Jeśli 5 pisaków kosztuje 17,50, to ile 8?", "17.50/5*8"),
    ("10% z 10% z 1000", "10/100*(10/100)*1000"),
    ("Suma kątów w dwunastokącie?", "(12 - 2)*180"),
    ("Pogoda była kiepska i przyszło tylko 34 ze 120 gości. Jaki to odsetek?", "34/120*100"),
    ("Sinus trzydziestu stopni plus cosinus sześćdziesięciu", "sin(30*pi/180) + cos(60*pi/180)"),
    ("ile zostanie z 5000 po odjęciu 19% podatku", "5000*(1 - 19/100)"),
    ("100 000 / 365, zaokrąglij do dwóch miejsc", "round(100000/365, 2)"),
    ("Policz różnicę 15 000 a 8 765, nie, 8 675", "15000 - 8675"),
    ("pięćset dwanaście to dwa do której potęgi", "log(512, 2)"),
    ("siódma część z 1 001", "1/7*1001"),
    ("Mam do spłacenia 18 400, płacę 575 miesięcznie. Ile rat?", "18400/575"),
    ("długość odcinka między punktami (1,2) i (4,6)", "sqrt((1 - 4)**2 + (2 - 6)**2)"),
    (
        "Jeden bok prostokąta to 8, przekątna 17, podaj drugi bok",
        "sqrt(Max(8, 17)**2 - Min(8, 17)**2)",
    ),
    ("Ile jest 2 i 3/4 plus 1 i 5/6", "11/4 + 11/6"),
    ("co wyjdzie jak x = 4 wstawię do 3x² − 2x + 7", "3*4**2 - 2*4 + 7"),
    ("arcsin(1/2) w stopniach", "degrees(asin(1/2))"),
    ("Szklanka 250 ml, a dzbanek ma 1,75 litra, na ile szklanek starczy", "1.75/250*1000"),
    ("Wynik tego: [(18−6)·3]:4+7", "(18 - 6)*3/4 + 7"),
    ("ile rolek tapety po 10 metrów na 83 metry", "83*100/(10*100)"),
    (
        "Jeśli z 2,4 tys. wydałem jedną trzecią, a potem jeszcze 350, ile zostało?",
        "2400*(1 - 1/3) - 350",
    ),
    ("W firmie pracuje 85 osób, 60% to kobiety. Ilu jest facetów?", "85*(1 - 60/100)"),
    ("sin²(15°) + cos²(15°) + 4!", "sin(15*pi/180)**2 + cos(15*pi/180)**2 + factorial(4)"),
    (
        "ile liczb dwucyfrowych dzieli się przez 6",
        "16 - 2 + 1",
    ),
    ("1+3+5+7+...+99", "summation(1 + 2*k, (k, 0, 49))"),
    (
        "z dwunastu cukierków zjadłem jedną trzecią a potem jeszcze dwa. zostało mi?",
        "12*(1 - 1/3) - 2",
    ),
    ("w grupie 28 osób, ile jest możliwych par do projektu?", "binomial(28, 2)"),
    ("BMI przy 94 kg i 1,76 m", "94/1.76**2"),
    (
        "zmieszałem 2 litry 10% roztworu z 3 litrami 20%, jakie wyszło stężenie?",
        "(2*10 + 3*20)/(2 + 3)",
    ),
    (
        "Budżet sołectwa 48 730 zł, wydano 31 295. Ile procent zostało niewydane?",
        "(48730 - 31295)/48730*100",
    ),
    ("Noclegi 4 × 219 zł, do tego bilety 2 × 86,50. Suma?", "4*219 + 2*86.50"),
    ("złota proporcja: ile to (1+√5)/2 do piątego miejsca", "(1 + sqrt(5))/2"),
    ("Przepis na 4 osoby ma 350 g ryżu, gotuję na 11. Ile ryżu?", "350/4*11"),
    ("Frekwencja: 8 412 głosów na 19 877 uprawnionych. Daj procent.", "8412/19877*100"),
    ("w 2019 było 132 wypadków, w 2023 już 97. Spadek o ile procent?", "(132 - 97)/132*100"),
    (
        "Utarg z tygodnia: 2140, 1980, 2315, 2077, 3102, 4250. Przeciętnie dziennie wychodzi?",
        "(2140 + 1980 + 2315 + 2077 + 3102 + 4250)/6",
    ),
    ("karma 12 kg, pies je 340 g dziennie, na ile dni", "12/340*1000"),
    (
        "wejście 1140 m w górę, tempo 320 m na godzinę. ile mi zejdzie minut",
        "1140*100/(320*100)*60",
    ),
    ("książka ma 416 stron, czytam 23 dziennie, po ilu dniach skończę", "416/23"),
    ("cos 2π/3 ?", "cos(2*pi/3)"),
    ("do jakiej potęgi podnieść 3 żeby było 2187", "log(2187, 3)"),
    ("zmieszałem 2 litry 40% z 3 litrami wody, ile procent ma teraz", "2*40/(2 + 3)"),
    ("średnia ważona: 5 waga 3, 3 waga 2, 4 waga 1", "(5*3 + 3*2 + 4*1)/(3 + 2 + 1)"),
    ("z 24 uczniów 3/8 nosi okulary, reszta nie. tych bez ile", "24*(1 - 3/8)"),
    ("kolejka: przede mną 23 osoby, każda po 4,5 minuty, ile minut czekania", "23*4.5"),
    ("wylosowano 6 z 49, ile jest wszystkich układów", "binomial(49, 6)"),
    ("ciąg: 4, 7, 10... podaj setny wyraz", "4 + (100 - 1)*3"),
    ("objętość piłki o promieniu 11 cm", "4/3*pi*11**3"),
    ("18% zniżki na kurtkę za 449 – płacę?", "449*(1 - 18/100)"),
    ("trzecia część połowy ze stu dwudziestu", "1/3*(1/2)*120"),
]
UNCLEAR = [
    "Z kwadratu o boku 10 cm wycięto koło o średnicy 10 cm. Ile zostało powierzchni?",
    "Policz mi sumę wyrazów ciągu arytmetycznego 2, 5, 8, … do pięćdziesiątego",
]


@every_row(("prompt", "expression"), READ)
def test_what_a_prompt_comes_to_is_read(prompt: str, expression: str) -> None:
    found = read_formula(prompt)

    assert found is not None
    assert found.expression == expression
    assert read(expression) is not None


@pytest.mark.parametrize("prompt", UNCLEAR)
def test_where_a_number_has_no_part_nothing_is_read(prompt: str) -> None:
    assert read_formula(prompt) is None
