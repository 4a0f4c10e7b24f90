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
