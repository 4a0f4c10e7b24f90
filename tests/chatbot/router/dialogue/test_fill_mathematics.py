"""Calculations within a conversation, where it is known that one is wanted."""

from collections.abc import Sequence
from datetime import date

import pytest

from chatbot.router.detector import Detector
from chatbot.router.dialogue import FollowUp, follow_up, recall, state
from chatbot.router.dialogue.fill_mathematics import fill
from chatbot.router.dialogue.scene import Scene
from chatbot.types import JsonObject, Message, Text, ToolCall, ToolSpec
from evals.values import have_same_value

TODAY = date(2026, 11, 22)
NEEDED = {
    "get_weather": "city",
    "calculate": "expression",
    "search_wikipedia": "query",
    "generate_image": "description",
}
TOOLS = tuple(
    ToolSpec(name=name, title=name, description=name, parameters={"required": [argument]})
    for name, argument in NEEDED.items()
)
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


@pytest.mark.parametrize(
    ("exchanges", "prompt", "expected"), CASES, ids=[case[1] for case in CASES]
)
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
