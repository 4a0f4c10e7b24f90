"""Calculations that change in words, or are made of what replies told."""

from collections.abc import Sequence
from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall
from evals.values import have_same_value

TODAY = date(2026, 11, 18)
Exchange = tuple[str, str, str]
"""Prompt, reply, and what was called for: an expression, or ":topic", "%city", "*picture"."""

CALLS = {
    ":": ("search_wikipedia", "query"),
    "%": ("get_weather", "city"),
    "*": ("generate_image", "description"),
}

SQUARE: Exchange = ("rozwiąż x^2-5x+6=0", "x = 2 lub 3.", "solve(Eq(x**2 - 5*x + 6, 0), x)")
LINE: Exchange = ("rozwiąż 2x+7=15", "x = 4.", "solve(Eq(2*x + 7, 15), x)")
THREE: Exchange = ("ile to 12+8-3", "17.", "12 + 8 - 3")
EXPANDED: Exchange = ("uprość (x+1)² − (x−1)²", "4x.", "expand((x + 1)**2 - (x - 1)**2)")
SQUARES: Exchange = ("7 do kwadratu plus 5 do kwadratu", "74.", "7**2 + 5**2")
SUM: Exchange = ("suma k^2 od 1 do 20", "2870.", "summation(k**2, (k, 1, 20))")
HARMONIC: Exchange = ("suma 1/n^2 od 1 do 10", "1,55.", "summation(1/n**2, (n, 1, 10))")
CHOICE: Exchange = ("10!/(7!·3!)", "120.", "factorial(10)/(factorial(7)*factorial(3))")
QUOTIENT: Exchange = ("ile to 48/6", "8.", "48/6")
LOG: Exchange = ("log dwójkowy z 64", "6.", "log(64, 2)")
SHARE: Exchange = ("15% z 800", "120.", "Rational(15, 100)*800")
TAX: Exchange = ("Ile to 5% z 3200 zł?", "160 zł.", "Rational(5, 100)*3200")
LOAN: Exchange = ("9600 zł na 24 raty bez odsetek", "Rata 400 zł.", "9600/24")
PRODUCT: Exchange = ("17*23", "391.", "17*23")
WEATHER: Exchange = ("Jaka pogoda w Łodzi?", "W Łodzi 8°C, pochmurno.", "%Łódź")
MEAN: Exchange = ("średnia z 12, 15, 9 i 20", "14.", "Rational(12 + 15 + 9 + 20, 4)")
MARKS: Exchange = ("średnia z 4, 4, 5", "4,33.", "(4 + 4 + 5)/3")
CLASS: Exchange = ("Zdało 18 z 25 osób, jaki to procent?", "72%.", "100*18/25")
STAFF: Exchange = (
    "Wśród 40 pracowników jest 12 kobiet. Jaki to procent?", "30%.", "Rational(12, 40)*100"
)  # fmt: skip
BATTLE: Exchange = ("Kiedy była bitwa pod Grunwaldem?", "15 lipca 1410 roku.", ":Bitwa")
HOMAGE: Exchange = ("a hołd pruski?", "Złożono go 10 kwietnia 1525 roku.", ":Hołd pruski")
TOWN: Exchange = ("Ilu mieszkańców ma Gdańsk?", "Gdańsk ma 486 345 mieszkańców.", ":Gdańsk")
PORT: Exchange = ("a Gdynia?", "Gdynia ma 242 874 mieszkańców.", ":Gdynia")
QUEUE: Exchange = ("Na ile sposobów 8 osób ustawi się w kolejce?", "40 320.", "factorial(8)")
OBLONG: Exchange = ("Narysuj prostokąt 4 na 7", "Oto.", "*prostokąt o bokach 4 i 7 cm")
LEGS: Exchange = ("Narysuj trójkąt", "Oto.", "*trójkąt prostokątny o przyprostokątnych 6 i 8")
DOG: Exchange = ("Narysuj psa na polu", "Oto.", "*pies na polu")
PYRAMID: Exchange = (
    "jakie wymiary ma piramida w Luwrze",
    "Ma kwadratową podstawę o boku 35 m i wysokość około 21 m.",
    ":Piramida w Luwrze",
)
POOL: Exchange = (
    "Jakie wymiary ma basen olimpijski?",
    "Basen ma 50 m długości, 25 m szerokości i 2 m głębokości.",
    ":Basen olimpijski",
)
LOW: Exchange = ("jaka jest piramida w Luwrze", "Piramida ma 21 m wysokości.", ":Piramida")
BRIDGE: Exchange = ("Jak długi jest most w Tczewie?", "Most ma 837 m długości.", ":Most Tczewski")
MODEL: Exchange = ("Robię makietę w skali 1:87.", "Super!", "")
CHAIRS: Exchange = ("napisz ogłoszenie: 6 krzeseł po 80 zł", "Sprzedam 6 krzeseł.", "")
STADIUM: Exchange = ("Ile miejsc ma Narodowy?", "PGE Narodowy mieści 58 580 widzów.", ":Narodowy")
SHOES: Exchange = ("buty 380 zł, rabat 25%, ile zapłacę", "285 zł.", "380*Rational(75, 100)")
SHELVES: Exchange = ("46 regałów, każdy po 7 półek, ile półek?", "322 półki.", "46*7")
NUMBERS: Exchange = ("suma liczb od 1 do 100", "5050.", "summation(k, (k, 1, 100))")
GCD: Exchange = ("NWD 12 i 18", "6.", "gcd(12, 18)")
KINETIC: Exchange = ("jaki jest wzór na energię kinetyczną?", "Eₖ = mv²/2, gdzie m to masa.", "")
HEIGHT: Exchange = ("podaj wzór na energię potencjalną", "Eₚ = mgh", "")
TRAPEZIUM: Exchange = ("jak się liczy pole trapezu", "P = (a + b)·h/2, h to wysokość.", "")
BMI: Exchange = ("Jaki jest wzór na BMI?", "Masa w kg przez kwadrat wzrostu w metrach.", "")
DISC: Exchange = ("wzór na pole koła", "P = πr²", "")
PRESSURE: Exchange = ("jak się liczy ciśnienie", "p = F/S, F to siła, a S to pole.", "")
HEAT: Exchange = ("jak przeliczyć stopnie Fahrenheita", "C = (F − 32)·5/9.", "")
TILES: Exchange = ("ile paczek płytek na 23 m2, licz 10% zapasu", "Ile metrów ma jedna paczka?", "")
JARS: Exchange = ("ile skrzynek na 260 słoików", "Ile słoików wchodzi do jednej skrzynki?", "")
TICKETS: Exchange = ("ile mi wyjdzie za 6 biletów", "Ile kosztuje jeden bilet?", "")
ROUTE: Exchange = ("ile godzin jazdy na 560 km", "Z jaką średnią prędkością?", "")
FUEL: Exchange = ("ile spali auto na 320 km", "Ile litrów pali na 100 km?", "")
CARPET: Exchange = ("ile kosztuje wykładzina, pokój 5 na 4", "Ile kosztuje metr kwadratowy?", "")
WOOD: Exchange = ("ile drewna na 18 dni palenia?", "Ile kilogramów spalasz dziennie?", "")
HAM: Exchange = ("za ile kupię 350 g szynki", "Ile kosztuje kilogram?", "")
PETROL: Exchange = ("Ile litrów zatankuję za 150 zł?", "Po ile jest litr?", "")
FIELD: Exchange = ("ile worków nawozu na 3,5 ha", "Ile worków na hektar?", "")
QUIZZES: Exchange = ("Policz średnią z quizów", "Podaj punkty z poszczególnych wieczorów.", "")
COSTS: Exchange = ("zsumuj mi wydatki", "Jakie kwoty mam zsumować?", "")
DIVISOR: Exchange = ("policz NWD", "Podaj liczby.", "")
TIMES: Exchange = ("jaka jest mediana czasów", "Podaj czasy.", "")
LIMIT: Exchange = ("granica (1+1/n)^n w nieskończoności", "e.", "limit((1 + 1/n)**n, n, oo)")
PRIZE: Exchange = ("Mam do podziału 12500 na trzech", "Po 4166,67 zł.", "Rational(12500, 3)")
PAINT: Exchange = ("litr na 12 m2, ile litrów farby na 186 m2", "15,5 l.", "Rational(186, 12)")
COATS: Exchange = ("ile gruntu na 90 m2 w dwóch warstwach, litr na 15 m2", "12 l.", "2*90/15")
QUOTE: Exchange = ("suma z wyceny: 8900 plus 4360", "13 260 zł.", "8900 + 4360")
ROOF: Exchange = (
    "dach 35 stopni, połowa szerokości 4,5 m, jak wysoko",
    "3,15 m.",
    "4.5*tan(35*pi/180)",
)

ROWS: tuple[tuple[Sequence[Exchange], str, Sequence[str]], ...] = (
    ([SQUARE], "sorry, minus miał być przed szóstką", ["solve(Eq(x**2 - 5*x - 6, 0), x)"]),
    ([SQUARE], "przed 6 powinien być minus, nie plus", ["solve(Eq(x**2 - 5*x - 6, 0), x)"]),
    ([SQUARE], "a jakby przed piątką był plus?", ["solve(Eq(x**2 + 5*x + 6, 0), x)"]),
    ([LINE], "ups, przed siódemką minus", ["solve(Eq(2*x - 7, 15), x)"]),
    ([THREE], "przed trójką nie minus, tylko plus", ["12 + 8 + 3"]),
    ([SQUARE], "dlaczego przed szóstką jest plus?", []),
    ([EXPANDED], "a gdyby to były sześciany?", ["expand((x + 1)**3 - (x - 1)**3)"]),
    ([EXPANDED], "do czwartej zamiast do kwadratu", ["expand((x + 1)**4 - (x - 1)**4)"]),
    ([SQUARES], "nie kwadraty tylko sześciany", ["7**3 + 5**3"]),
    ([SQUARES], "a sześcian tego?", ["(7**2 + 5**2)**3"]),
    ([SUM], "a z 1/k zamiast k^2?", ["summation(1/k, (k, 1, 20))"]),
    ([SUM], "A w środku k^4, od 0 do 10?", ["summation(k**4, (k, 0, 10))"]),
    ([SUM], "podziel to przez 10", ["287"]),
    ([HARMONIC], "a z n^3 i do nieskończoności?", ["summation(n**3, (n, 1, oo))"]),
    (
        [CHOICE],
        "a gdyby w liczniku było 9!, a w mianowniku 6! zamiast 7!",
        ["factorial(9)/(factorial(6)*factorial(3))"],
    ),
    ([QUOTIENT], "a na dole 12?", ["4"]),
    ([LOG], "a czwórkowy?", ["3"]),
    ([SHARE], "oj, stawka to 12, nie 15", ["96"]),
    ([SHARE], "przepraszam, marża w tym roku wynosi 18, a nie 15", ["144"]),
    ([TAX], "a 8% i 12% tej kwoty?", ["256", "384"]),
    ([LOAN, WEATHER], "wracając do rat: na 12?", ["800"]),
    ([LOAN], "a na 36 miesięcy?", ["9600/36"]),
    ([PRODUCT, WEATHER], "a tamten wynik podziel przez 3", ["391/3"]),
    ([PRODUCT, WEATHER], "wróćmy do obliczeń: dodaj 100", ["491"]),
    ([PRODUCT, WEATHER], "a w tamtym tygodniu?", []),
    ([MEAN], "o, i jeszcze 30 i 10", ["16"]),
    ([MEAN], "pominęłam 24, dolicz", ["16"]),
    ([MEAN], "jeszcze pomnóż to przez 3", ["42"]),
    ([MARKS], "a gdyby zamiast jednej czwórki była szóstka?", ["5"]),
    ([CLASS], "a reszta?", ["28"]),
    ([STAFF], "a mężczyzn?", ["70"]),
    ([BATTLE, HOMAGE], "odejmij pierwszy rok od drugiego", ["115"]),
    ([BATTLE, HOMAGE], "ile to lat różnicy?", ["115"]),
    ([TOWN, PORT], "o ile więcej mieszkańców ma to pierwsze miasto?", ["486345 - 242874"]),
    ([TOWN, PORT], "opowiedz więcej o tym pierwszym", []),
    ([QUEUE], "a gdyby stanęły tylko cztery z nich?", ["8*7*6*5"]),
    ([QUEUE], "wybieram 3 z nich, kolejność nieważna", ["56"]),
    ([QUEUE], "a 7 osób?", ["factorial(7)"]),
    ([OBLONG], "a jaki ma obwód?", ["22"]),
    ([LEGS], "jakie jest jego pole?", ["24"]),
    ([DOG], "a jakie to pole?", []),
    ([PYRAMID], "oblicz z tego objętość", ["35**2*21/3"]),
    ([POOL], "to jaka jest jego objętość?", ["2500"]),
    ([LOW], "oblicz objętość", []),
    ([MODEL, BRIDGE], "to ile centymetrów będzie miała moja makieta?", ["83700/87"]),
    ([BRIDGE], "a w skali 1:200 ile metrów by miał?", ["837/200"]),
    ([BRIDGE], "a kiedy go zbudowano?", []),
    ([CHAIRS], "a jak dam 10% rabatu to ile razem?", ["432"]),
    ([CHAIRS], "dopisz, że są nowe", []),
    ([STADIUM], "jeśli bilet kosztuje średnio 90 zł, jaki jest utarg?", ["58580*90"]),
    ([STADIUM], "ile kosztuje bilet?", []),
    ([SHOES], "mam jeszcze kupon 30 zł i biorę drugie takie same, ile razem?", ["540"]),
    ([SHELVES], "na półkę wchodzą 34 tomy, ale 2 regały są puste", ["44*7*34"]),
    ([SHELVES], "Wchodzą 34 tomy na półkę. Ile tomów zmieścimy?", ["322*34"]),
    ([NUMBERS], "a samych kwadratów? i to samo do 50", [
        "summation(k**2, (k, 1, 100))", "summation(k**2, (k, 1, 50))",
    ]),
    ([GCD], "a NWW? i potem to samo dla 20 i 30", ["36", "60"]),
    ([KINETIC], "to ile wyjdzie dla piłki 0,43 kg z prędkością 25 m/s", ["0.43*25**2/2"]),
    ([HEIGHT], "policz dla plecaka 12 kg na wysokości 300 m, g weź 10", ["36000"]),
    ([TRAPEZIUM], "ok to podstawy 8 i 5 a wysokość 4", ["26"]),
    ([BMI], "czyli przy 82 kg i 1,78 m ile mam", ["82/1.78**2"]),
    ([DISC], "dla r=7", ["49*pi"]),
    ([PRESSURE], "siła 400 N na 2 m2", ["200"]),
    ([HEAT], "czyli 98,6 to ile?", ["37"]),
    ([DISC, ("dzięki", "Proszę!", "")], "to policz dla promienia 3", ["9*pi"]),
    ([KINETIC], "a kto go podał w 1829?", []),
    ([KINETIC], "dlaczego tam jest 2?", []),
    ([TILES], "1,44", ["ceiling(23*1.1/1.44)"]),
    ([JARS], "dwanaście", ["22"]),
    ([TICKETS], "34,50", ["207"]),
    ([ROUTE], "no jakieś 80", ["7"]),
    ([FUEL], "6,5", ["20.8"]),
    ([CARPET], "62 zł", ["1240"]),
    ([WOOD], "15", ["270"]),
    ([HAM], "48 zł", ["16.8"]),
    ([PETROL], "6,25", ["24"]),
    ([FIELD], "6", ["21"]),
    ([QUIZZES], "31 28 35 40 aha i jeszcze wczorajsze 26", ["32"]),
    ([QUIZZES], "-3, 2, -1, 0", ["-1/2"]),
    ([COSTS], "45 120 33,50 a no i 18 za parking", ["216.5"]),
    ([COSTS], "1 200, 340, 56,80", ["1596.8"]),
    ([DIVISOR], "84 126 210", ["42"]),
    ([TIMES], "58 61 55 60 a no i 63", ["60"]),
    ([LIMIT], "a jakby tam w nawiasie było 3/n zamiast 1/n?", ["limit((1 + 3/n)**n, n, oo)"]),
    ([LIMIT], "a do potęgi 2n zamiast n?", ["limit((1 + 1/n)**(2*n), n, oo)"]),
    ([LIMIT, WEATHER], "wracając do granicy, co jeśli zamiast 1/n byłoby 1/n^2", ["1"]),
    ([PRIZE], "a jak Mirek ma dostać 500 więcej niż pozostali dwaj, to po ile oni?", ["4000"]),
    ([PRIZE], "Ola ma dostać o 500 więcej niż inni. Ile dostanie Ola?", ["4500"]),
    ([PRIZE], "a jak jeden ma dostać 2500 a reszta po równo?", ["5000"]),
    ([PRIZE], "kierownik dwa razy tyle co reszta, to po ile reszta", ["3125"]),
    ([PAINT], "no ale na dwie warstwy", ["31"]),
    ([PAINT], "Proszę przyjąć dwukrotne malowanie.", ["31"]),
    ([PAINT], "a no ale ja maluję w trzech warstwach", ["46.5"]),
    ([PAINT], "dlaczego kładzie się dwie warstwy?", []),
    ([COATS], "a na trzy warstwy?", ["18"]),
    ([LOAN], "a jak spłacę na trzy razy?", ["3200"]),
    (
        [QUOTE, WEATHER],
        "wracam do wyceny. odejmij od niej zaliczkę 3500 i dolicz 240 za dojazdy",
        ["10000"],
    ),
    ([QUOTE], "dolicz 10 procent na niespodzianki", ["13260*11/10"]),
    ([ROOF], "a krokiew jaka długa? bez okapu", ["4.5/cos(35*pi/180)"]),
    ([ROOF], "a co to jest krokiew?", []),
)  # fmt: skip


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def messages(exchanges: Sequence[Exchange]) -> list[Message]:
    told: list[Message] = []
    for prompt, reply, made in exchanges:
        name, needed = CALLS.get(made[:1], ("calculate", "expression"))
        value: JsonObject = {needed: made[1:] if made[:1] in CALLS else made}
        call = ToolCall(call_id="1", name=name, arguments=value, raw_arguments=value)
        told += [
            Message(role="user", parts=(Text(text=prompt),)),
            Message(role="assistant", parts=(*((call,) if made else ()), Text(text=reply))),
        ]
    return told


@every_row(("exchanges", "prompt", "expected"), ROWS)
def test_calculates_what_is_meant(
    exchanges: Sequence[Exchange], prompt: str, expected: Sequence[str], detector: Detector
) -> None:
    known = state(messages(exchanges))
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    calls = found.calls if found is not None else ()
    made = [str(one.arguments["expression"]) for one in calls if one.name == "calculate"]
    assert len(made) == len(expected), made
    assert all(map(have_same_value, expected, made)), made
