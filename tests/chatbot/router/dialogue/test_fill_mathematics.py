"""Calculations within a conversation, where it is known that one is wanted."""

from collections.abc import Sequence
from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import FollowUp, follow_up, recall, state
from chatbot.router.dialogue.calculations.fill_mathematics import fill
from chatbot.router.dialogue.scene import Scene
from chatbot.types import JsonObject, Message, Text, ToolCall
from evals.values import have_same_value

TODAY = date(2026, 11, 22)
Exchange = tuple[str, str, str]
"""Prompt, reply, and the expression or, after a colon, the topic that was called for."""

CHAIRS: Exchange = ("24 krzesła po 85 zł, ile razem?", "24 · 85 = 2040 zł.", "24*85")
COAT: Exchange = (
    "Płaszcz za 480 zł z rabatem 15%, ile zapłacę?",
    "Zapłacisz 408 zł.",
    "480*Rational(85, 100)",
)
SYRUP: Exchange = (
    "syrop 5 ml na kg, dziecko 18 kg, jaka dawka?",
    "5 · 18 = 90 ml.",
    "5*18",
)
SLOPE: Exchange = ("pochodna x^4 + 2x", "4x³ + 2.", "diff(x**4 + 2*x, x)")
AREA: Exchange = ("całka z 3x^2", "x³ + C.", "integrate(3*x**2, x)")
MEAN: Exchange = (
    "średnia z 12, 18, 30",
    "Średnia to 20.",
    "Rational(12 + 18 + 30, 3)",
)
MATRIX: Exchange = (
    "wyznacznik [[3, 1], [2, 4]]",
    "Wyznacznik to 10.",
    "Matrix([[3, 1], [2, 4]]).det()",
)
PRIME: Exchange = ("czy 151 jest liczbą pierwszą", "Tak.", "isprime(151)")
CIRCLE: Exchange = ("pole koła o promieniu 6", "36π.", "pi*6**2")
LCM: Exchange = ("NWW(8, 12)", "24.", "lcm(8, 12)")
TILES: Exchange = (
    "Łazienka 2 m na 3 m, kafle 20 na 20 cm, ile sztuk?",
    "150 kafli.",
    "2*3/Rational(4, 100)",
)
SAVINGS: Exchange = ("4000 zł na 6% na 2 lata", "4494,40 zł.", "4000*Rational(106, 100)**2")
CUBE: Exchange = ("rozwiń (x+2)^3", "x³ + 6x² + 12x + 8.", "expand((x + 2)**3)")
TRIP: Exchange = ("6 osób po 320 zł za nocleg", "6 · 320 = 1920 zł.", "6*320")
PEAK: Exchange = ("Jak wysokie są Rysy?", "Rysy mają 2501 m n.p.m.", ":Rysy")
OTHER_PEAK: Exchange = ("a Giewont?", "Giewont ma 1895 m n.p.m.", ":Giewont")
BRIDGE: Exchange = (
    "Kiedy budowano Halę Stulecia?",
    "Halę Stulecia budowano w latach 1911–1913.",
    ":Hala Stulecia",
)
TOWN: Exchange = ("Ilu mieszkańców ma Łeba?", "Łeba ma około 3600 mieszkańców.", ":Łeba")
SQUARE: Exchange = (
    "rozwiąż x^2 - 9x + 20 = 0",
    "x = 4 lub x = 5.",
    "solve(Eq(x**2 - 9*x + 20, 0), x)",
)
SUM: Exchange = ("suma liczb od 1 do 80", "3240.", "summation(k, (k, 1, 80))")
POWER: Exchange = ("ile to 3 do 5", "243.", "3**5")
LOG: Exchange = ("log₃81", "4.", "log(81, 3)")

PAINT: Exchange = ("Ściana 4 m na 2,5 m, ile to metrów?", "4 · 2,5 = 10 m².", "4*Rational(5, 2)")
LOAN: Exchange = ("rata 640 zł przez 24 miesiące, ile łącznie", "640 · 24 = 15 360 zł.", "640*24")
FUEL: Exchange = (
    "Spalanie 7 litrów na 100 km, trasa 450 km, ile litrów?",
    "31,5 litra.",
    "7*Rational(450, 100)",
)
VAT: Exchange = ("brutto od 900 zł przy 8% VAT", "972 zł.", "900*Rational(108, 100)")
FACT: Exchange = ("rozłóż 396 na czynniki pierwsze", "2² · 3² · 11.", "factorint(396)")
GCD: Exchange = ("NWD liczb 84 i 126", "42.", "gcd(84, 126)")
LIM: Exchange = ("granica sin(x)/x w zerze", "1.", "limit(sin(x)/x, x, 0)")
POLE: Exchange = ("pole prostokąta 7 na 9", "63.", "7*9")
LAKE: Exchange = ("Jaką głębokość ma Hańcza?", "Hańcza ma 108 m głębokości.", ":Hańcza")
LAKE2: Exchange = ("a Drawsko?", "Drawsko ma 82 m głębokości.", ":Drawsko")
KING: Exchange = (
    "Kiedy panował Kazimierz Wielki?",
    "Kazimierz Wielki panował w latach 1333–1370.",
    ":Kazimierz III Wielki",
)
DIV: Exchange = ("3600 podziel na 16", "225.", "3600/16")

MORE_CASES: tuple[tuple[Sequence[Exchange], str, str], ...] = (
    ([PAINT], "odejmij okno 1,2 na 1,5", "4*2.5-1.2*1.5"),
    ([PAINT], "mam trzy takie ściany", "3*4*2.5"),
    ([PAINT], "farba jest po 18 zł za metr, ile wydam?", "4*2.5*18"),
    ([PAINT], "a jeśli ma 6 m na 3 m?", "6*3"),
    ([PAINT], "i jeszcze obwód", "2*(4+2.5)"),
    ([LOAN], "a na 36 miesięcy?", "640*36"),
    ([LOAN], "a gdyby rata wynosiła 700?", "700*24"),
    ([LOAN], "pożyczyłem 12 tysięcy, ile oddam ponad to?", "640*24-12000"),
    ([LOAN], "jeden miesiąc był gratis, czyli odejmij jedną ratę 640", "640*24-640"),
    ([FUEL], "a na trasie 700 km?", "7*Rational(700,100)"),
    ([FUEL], "litr po 6,50, ile mnie to wyniesie?", "7*4.5*6.5"),
    ([FUEL], "auto kolegi pali 9", "9*Rational(450,100)"),
    ([FUEL], "jedziemy we czworo, ile na głowę?", "7*Rational(450,100)/4"),
    ([VAT], "a przy 23 procentach?", "900*Rational(123,100)"),
    ([VAT], "ile samego podatku?", "900*Rational(8,100)"),
    ([VAT], "pomyliłem się, netto 950", "950*Rational(108,100)"),
    ([FACT], "to samo z 512", "factorint(512)"),
    ([FACT], "a wszystkie dzielniki?", "divisors(396)"),
    ([GCD], "dołóż 210", "gcd(84,126,210)"),
    ([GCD], "a najmniejsza wspólna wielokrotność?", "lcm(84,126)"),
    ([GCD], "zamiast 126 wstaw 98", "gcd(84,98)"),
    ([LIM], "a w nieskończoności?", "limit(sin(x)/x, x, oo)"),
    ([POLE], "przekątna?", "sqrt(7**2+9**2)"),
    ([POLE], "a gdyby drugi bok miał 12?", "7*12"),
    ([LAKE, LAKE2], "o ile płytsze?", "108-82"),
    ([LAKE, LAKE2], "ile razy Hańcza głębsza?", "Rational(108,82)"),
    ([LAKE], "jedna czwarta tego to ile?", "108/4"),
    ([KING], "czyli ile lat rządził?", "1370-1333"),
    ([DIV], "a na 24?", "3600/24"),
    ([DIV], "razy trzy i odjąć 75", "3600/16*3-75"),
    ([DIV], "jaki to procent z 900?", "100*225/900"),
    ([DIV], "i pierwiastek z wyniku", "15"),
    ([DIV], "trzydzieści procent z tego odkładam. ile odłożę?", "225*30/100"),
)
CASES: tuple[tuple[Sequence[Exchange], str, str], ...] = (
    ([CHAIRS], "a gdyby krzesło było po 92 zł?", "24*92"),
    ([CHAIRS], "rozłóż to na sześcioro wspólników", "24*85/6"),
    ([CHAIRS], "dolicz jeszcze 150 zł za transport", "24*85 + 150"),
    ([CHAIRS], "Mam 2500 zł, ile mi zostanie?", "2500 - 24*85"),
    ([CHAIRS], "10% przyszło połamanych. Ile zostaje do zapłaty?", "24*85*9/10"),
    ([CHAIRS], "nie 24, 42", "42*85"),
    ([CHAIRS], "sorry, 42 a nie 24 krzesła", "42*85"),
    ([CHAIRS], "a jak dojdą jeszcze dwa krzesła?", "26*85"),
    ([CHAIRS], "o ile więcej, jeśli po 90 zł?", "24*90 - 24*85"),
    ([COAT], "a przy rabacie 25%?", "480*Rational(75, 100)"),
    ([COAT], "ile zaoszczędzę?", "480*Rational(15, 100)"),
    ([COAT], "jednak metka mówi 520 zł", "520*Rational(85, 100)"),
    ([SYRUP], "a starsza waży 31", "5*31"),
    ([SLOPE], "a druga pochodna?", "diff(x**4 + 2*x, x, 2)"),
    ([SLOPE], "gdzie się zeruje? przyrównaj do zera", "solve(Eq(diff(x**4 + 2*x, x), 0), x)"),
    ([AREA], "a w granicach od 1 do 4?", "integrate(3*x**2, (x, 1, 4))"),
    ([MEAN], "dorzuć jeszcze 40", "Rational(12 + 18 + 30 + 40, 4)"),
    ([MEAN], "a mediana?", "18"),
    ([MEAN], "bez dwunastki", "Rational(18 + 30, 2)"),
    ([MATRIX], "a macierz odwrotna?", "Matrix([[3, 1], [2, 4]]).inv()"),
    ([PRIME], "a 153?", "isprime(153)"),
    ([PRIME], "wypisz jej dzielniki", "divisors(151)"),
    ([CIRCLE], "a objętość kuli o tym promieniu?", "Rational(4, 3)*pi*6**3"),
    ([CIRCLE], "obwód też poproszę", "2*pi*6"),
    ([CIRCLE], "a dla promienia 8?", "pi*8**2"),
    ([LCM], "a NWD?", "gcd(8, 12)"),
    ([LCM], "jeszcze z osiemnastką", "lcm(8, 12, 18)"),
    ([TILES], "a jeśli kafle 30 na 30?", "2*3/Rational(9, 100)"),
    ([TRIP], "jednak jedzie nas ośmioro", "8*320"),
    ([TRIP], "a jeśli nocleg jest po 280?", "6*280"),
    ([TRIP], "jedna trzecia to zaliczka, ile to?", "6*320/3"),
    ([PEAK, OTHER_PEAK], "o ile metrów jest niższy?", "2501 - 1895"),
    ([PEAK, OTHER_PEAK], "jaka jest różnica między nimi?", "2501 - 1895"),
    ([PEAK], "startuję z 1400 m, ile podejścia mnie czeka?", "2501 - 1400"),
    ([BRIDGE], "to ile lat im zeszło?", "1913 - 1911"),
    ([TOWN], "latem jest dziesięć razy tyle ludzi, czyli ile?", "3600*10"),
    ([TOWN], "a ile to 15% z nich?", "3600*15/100"),
    ([SQUARE], "a gdyby zamiast 20 było 18?", "solve(Eq(x**2 - 9*x + 18, 0), x)"),
    ([SUM], "a samych nieparzystych?", "summation(2*k - 1, (k, 1, 40))"),
    ([SUM], "a do stu?", "summation(k, (k, 1, 100))"),
    ([POWER], "a na odwrót?", "5**3"),
    ([POWER], "a do siódmej?", "3**7"),
    ([LOG], "a przy podstawie 9?", "log(81, 9)"),
    ([CHAIRS, TRIP], "dodaj oba wyniki", "24*85 + 6*320"),
    ([CHAIRS, TRIP], "drugi wynik podziel przez pierwszy", "6*320/(24*85)"),
    ([PEAK, OTHER_PEAK], "O ile metrów wyższy jest ten pierwszy?", "2501 - 1895"),
    ([SQUARE], "pomnóż przez siebie te dwa rozwiązania", "4*5"),
    ([CHAIRS], "nie razy, tylko plus", "24 + 85"),
    ([("policz 6 + 2*9", "24.", "6 + 2*9")], "najpierw dodać, a potem mnożyć", "(6 + 2)*9"),
    ([SLOPE], "gdzie ona się zeruje?", "solve(Eq(diff(x**4 + 2*x, x), 0), x)"),
    ([SLOPE], "ile wynosi f'(-2)?", "4*(-2)**3 + 2"),
    ([("ptaków 40, 3/8 to gęsi, ile gęsi", "15.", "40*Rational(3, 8)")], "a kaczek ile?", "25"),
    ([("buty 200 zł, teraz 150, ile mniej", "50 zł.", "200 - 150")], "ile to procent?", "25"),
    ([("Rozłóż liczbę na czynniki", "Którą liczbę?", "")], "360", "factorint(360)"),
    ([("Potrzebuję całki", "Jaka funkcja?", "")], "no, ln(x)", "integrate(log(x), x)"),
    ([("podziel rachunek", "Jaka kwota, na ile osób?", "")], "84 zł, siedem osób", "84/7"),
    ([CHAIRS], "razy dwa, bo jest druga sala", "2040*2"),
    ([SAVINGS], "a na rok dłużej?", "4000*Rational(106, 100)**3"),
    ([TRIP], "nie, 340 zł za osobę", "6*340"),
    ([CUBE], "a (x-2)^3?", "expand((x - 2)**3)"),
    ([CHAIRS, PEAK, PEAK], "wracając do krzeseł, dodaj do tego 60", "2100"),
    ([SLOPE], "a z x^5?", "diff(x**5, x)"),
    ([SLOPE], "podstaw x = 3", "4*3**3 + 2"),
    ([SQUARE], "a gdyby po prawej było 6?", "solve(Eq(x**2 - 9*x + 20, 6), x)"),
    ([CHAIRS], "do tego dwa stoły po 400 zł, ile łącznie?", "2040 + 2*400"),
    ([CHAIRS], "od tych 2040 odejmij 140", "1900"),
    ([SYRUP], "a mililitr kosztuje 2 zł za ml, ile zapłacę", "180"),
    ([TRIP], "Tomek jednak nie jedzie, ile teraz?", "5*320"),
    ([CHAIRS], "o ile to więcej niż 2000?", "40"),
    ([MEAN], "dorzuć dwie piątki", "(12 + 18 + 30 + 5 + 5)/5"),
    ([CHAIRS], "podziel to przez silnię z 4", "2040/24"),
    ([("Oblicz mi coś", "Co mam policzyć?", "")], "14 zeszytów po 3,20", "14*Rational(16, 5)"),
    ([("Rozwiąż równanie", "Jakie?", "")], "iks kwadrat równa się 49", "solve(Eq(x**2, 49), x)"),
)  # fmt: skip


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def messages(exchanges: Sequence[Exchange]) -> list[Message]:
    told: list[Message] = []
    for prompt, reply, made in exchanges:
        is_topic = made.startswith(":")
        name = "search_wikipedia" if is_topic else "calculate"
        value: JsonObject = {"query": made[1:]} if is_topic else {"expression": made}
        call = ToolCall(call_id="1", name=name, arguments=value, raw_arguments=value)
        parts = (*((call,) if made else ()), Text(text=reply))
        told += [
            Message(role="user", parts=(Text(text=prompt),)),
            Message(role="assistant", parts=parts),
        ]
    return told


def filled(exchanges: Sequence[Exchange], prompt: str, detector: Detector) -> FollowUp | None:
    known = recall(state(messages(exchanges)), TOOLS, today=TODAY, detector=detector)
    return fill(Scene(prompt, known, TOOLS, today=TODAY, detector=detector))


ALL_CASES = (*CASES, *MORE_CASES)


@every_row(("exchanges", "prompt", "expected"), ALL_CASES)
def test_finds_the_calculation(
    exchanges: Sequence[Exchange], prompt: str, expected: str, detector: Detector
) -> None:
    found = filled(exchanges, prompt, detector)
    assert found is not None
    assert len(found.calls) == 1, found
    expression = found.calls[0].arguments["expression"]
    assert isinstance(expression, str)
    assert have_same_value(expected, expression), expression


@pytest.mark.parametrize("prompt", ["przelicz to inaczej", "i co z tą resztą mebli?"])
def test_asks_where_nothing_accounts_for_what_is_said(prompt: str, detector: Detector) -> None:
    found = filled([CHAIRS], prompt, detector)
    assert found == FollowUp(asks=("calculate", "expression"))


@pytest.mark.parametrize("prompt", ["dlaczego akurat tyle?", "czemu wyszło tak dużo?"])
def test_a_why_wants_no_calculation(prompt: str, detector: Detector) -> None:
    assert filled([CHAIRS], prompt, detector) is None


@pytest.mark.parametrize(
    ("exchanges", "prompt", "expected"),
    [
        ([PEAK, OTHER_PEAK], "O ile niższy?", "2501 - 1895"),
        ([BRIDGE], "Ile to lat budowania?", "1913 - 1911"),
        ([BRIDGE], "Kto ją zaprojektował?", None),
        ([CHAIRS], "o ile więcej?", None),
    ],
)
def test_surely_compares_what_replies_told(
    exchanges: Sequence[Exchange], prompt: str, expected: str | None, detector: Detector
) -> None:
    known = state(messages(exchanges))
    found = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    calls = found.calls if found else ()
    values = [one.arguments["expression"] for one in calls if one.name == "calculate"]
    assert values == ([] if expected is None else [expected])


@pytest.mark.parametrize("expression", ["Rational(1, 0)", "5/0", "(", "9" * 500, "Rational(0, 7)"])
@pytest.mark.parametrize(
    "prompt", ["nie 7, a 0", "a gdyby 0 na 0?", "9" * 290, "f(0/0)", "odwrotnie"]
)
def test_no_expression_makes_it_fail(expression: str, prompt: str, detector: Detector) -> None:
    filled([("ile to 7 na 0 i 0,5", "0.", expression)], prompt, detector)
