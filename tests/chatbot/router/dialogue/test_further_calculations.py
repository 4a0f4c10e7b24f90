"""Further exercises, amounts and borders; marks and terms put right after a calculation."""

from collections.abc import Sequence
from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, recall, state
from chatbot.router.dialogue.calculations import exercises
from chatbot.router.dialogue.scene import Scene
from chatbot.types import JsonObject, Message, Text, ToolCall
from evals.values import have_same_value

TODAY = date(2026, 11, 18)
Exchange = tuple[str, str, str]
"""Prompt, reply, and the expression that was calculated, if any."""

FRACTIONS: Exchange = (
    "Mam: a) 3/4 + 2/5, b) 7/8 - 1/3, c) 5/6 : 2/3. Policz a.",
    "3/4 + 2/5 = 23/20.",
    "Rational(3, 4) + Rational(2, 5)",
)
EQUATIONS: Exchange = (
    "zadania: 1. 2x=8; 2. 3x=15; 3. x-4=10 - zrób pierwsze", "x = 4", "solve(Eq(2*x,8),x)",
)  # fmt: skip
SLOPES: Exchange = (
    "oblicz pochodne: a) x^3, b) sin(x), c) e^(2x). na razie a", "3x².", "diff(x**3, x)",
)  # fmt: skip
PRODUCTS: Exchange = ("policz 12*13, potem będą 14*15 i 16*17", "12 · 13 = 156", "12*13")
BOTH: Exchange = ("ile to 12*13", "12 · 13 = 156", "12*13")
GARDEN: Exchange = (
    "ogródek ma 12 na 8,5 metra, jaka to powierzchnia", "To 102 m².", "12*Rational(17, 2)",
)  # fmt: skip
LAWN: Exchange = ("pole kwadratu o boku 20 m", "Pole to 400 m².", "20**2")
FENCE: Exchange = ("Obwód działki 30 na 40 m?", "Obwód to 140 m.", "2*(30 + 40)")
CHAIRS: Exchange = ("Ile kosztuje 12 krzeseł po 85 zł?", "1020 zł.", "12*85")
JARS: Exchange = (
    "na jeden słoik idzie 0,35 kg cukru, ile cukru na 20 słoików?", "7 kg.", "20*Rational(35, 100)",
)  # fmt: skip
TICKETS: Exchange = ("Bilet kosztuje 34 zł. Ile zapłacę za 5 biletów?", "170 zł.", "5*34")
FUEL: Exchange = (
    "auto pali 6,5 l na 100 km, ile na 300 km", "19,5 litra.", "Rational(65, 10)*300/100",
)  # fmt: skip
RICE: Exchange = ("na 4 porcje idzie 300 g ryżu, ile na 10 porcji", "750 g.", "300*10/4")
TEST: Exchange = (
    "test ma 45 punktów, ile to jest 30%",
    "30% z 45 to 13,5.",
    "Rational(30, 100)*45",
)
ENOUGH: Exchange = ("czyli 14 wystarczy?", "Tak, 14 punktów to już ponad 30%.", "")
COAT: Exchange = ("kurtka 400 zł z rabatem 20%, ile?", "320 zł.", "400*Rational(80, 100)")
MARKS: Exchange = ("średnia z 4 3 5 2 4 3", "3,5.", "Rational(4+3+5+2+4+3, 6)")
NUMBERS: Exchange = ("średnia z 120, 90, 150", "120.", "Rational(120 + 90 + 150, 3)")
SINE: Exchange = ("pochodna z sin(2x)", "2cos(2x).", "diff(sin(2*x), x)")
TWO: Exchange = ("pochodna sin(3x)cos(x)", "…", "diff(sin(3*x)*cos(x), x)")
LOG: Exchange = ("pochodna ln(3x+1)", "3/(3x+1).", "diff(log(3*x+1), x)")
LINE: Exchange = ("rozwiąż 3x - 7 = 14", "x = 7", "solve(Eq(3*x - 7, 14), x)")
SQUARE: Exchange = (
    "rozwiąż x^2 - 5x + 6 = 0", "x = 2 lub x = 3", "solve(Eq(x**2 - 5*x + 6, 0), x)",
)  # fmt: skip

ROWS: tuple[tuple[Sequence[Exchange], str, Sequence[str]], ...] = (
    ([FRACTIONS], "dobrze wyszło, a ten ostatni?", ["Rational(5, 4)"]),
    ([FRACTIONS], "Dziękuję. Proszę jeszcze o przykład c).", ["Rational(5, 4)"]),
    ([FRACTIONS], "no to b i c", ["Rational(13, 24)", "Rational(5, 4)"]),
    ([FRACTIONS, ENOUGH], "a przedostatni?", ["Rational(13, 24)"]),
    ([FRACTIONS], "podziel to przez 3", ["Rational(23, 60)"]),
    ([EQUATIONS], "nr 2", ["solve(Eq(3*x, 15), x)"]),
    ([EQUATIONS], "a resztę?", ["solve(Eq(3*x, 15), x)", "solve(Eq(x - 4, 10), x)"]),
    ([EQUATIONS], "lecimy z kolejnym", ["solve(Eq(3*x, 15), x)"]),
    ([SLOPES], "super to teraz b", ["diff(sin(x), x)"]),
    ([PRODUCTS], "to teraz to ostatnie", ["16*17"]),
    ([GARDEN], "a ile siatki na ogrodzenie, bez furtki na 1 metr?", ["40"]),
    ([GARDEN], "płot z dwiema bramami po 3 m?", ["35"]),
    ([GARDEN], "listwa dookoła bez drzwi szerokości 90 cm", ["41 - Rational(9, 10)"]),
    ([GARDEN], "ile zapłacę za płot jak metr kosztuje 45 zł", ["41*45"]),
    ([GARDEN], "a jak w ogrodzie zajmę na trawnik 30 m2 ile zostanie", ["72"]),
    ([LAWN], "a ile krawężnika, żeby go obłożyć dookoła", ["80"]),
    ([FENCE], "a jak odliczę bramę 4 m?", ["136"]),
    ([CHAIRS], "a na płot zostanie mi coś z 2000 zł?", ["980"]),
    ([JARS], "a na 30 i na 45 sloikow?", ["30*Rational(35, 100)", "45*Rational(35, 100)"]),
    ([TICKETS], "A za 7, za 9 i za 12 biletów?", ["7*34", "9*34", "12*34"]),
    ([TICKETS], "a dla 20 osób i jeszcze dla 25 osób?", ["20*34", "25*34"]),
    ([FUEL], "a na 450 i na 800 km?", ["Rational(65, 10)*450/100", "52"]),
    ([RICE], "a dla 7 osób i dla 9 osób", ["525", "675"]),
    ([TEST, ENOUGH], "a 85%?", ["Rational(85, 100)*45"]),
    ([TEST, ENOUGH], "a przy 75% ile trzeba mieć?", ["Rational(75, 100)*45"]),
    ([COAT], "a przy 30%?", ["280"]),
    ([MARKS], "a jak tę dwóję poprawię na cztery to ile będzie", ["Rational(23, 6)"]),
    ([MARKS], "a jak poprawię obie trójki na czwórki", ["Rational(23, 6)"]),
    ([MARKS], "A gdyby ta dwója była trójką?", ["Rational(22, 6)"]),
    ([MARKS], "jaka będzie po poprawie jednej z czwórek na piątkę", ["Rational(22, 6)"]),
    ([MARKS], "a zamiast dwói piątka?", ["4"]),
    ([MARKS], "a jak podzielę to na dwa?", ["Rational(7, 4)"]),
    ([NUMBERS], "pomyłka, 90 zmień na 99", ["123"]),
    ([SINE], "ups, źle przepisałem, tam jest 3x w nawiasie", ["diff(sin(3*x), x)"]),
    ([SINE], "źle: 7x zamiast 2x", ["diff(sin(7*x), x)"]),
    ([TWO], "w cosinusie jest 2x, źle napisałem", ["diff(sin(3*x)*cos(2*x), x)"]),
    ([LOG], "ojej tam jest 5x a nie 3x", ["diff(log(5*x + 1), x)"]),
    ([LOG], "sorry, w nawiasie jest 5x", ["diff(log(5*x + 1), x)"]),
    ([LINE], "ojej, tam jest 5x", ["solve(Eq(5*x - 7, 14), x)"]),
    ([LINE], "źle przepisałam, powinno być plus 7", ["solve(Eq(3*x + 7, 14), x)"]),
    ([SQUARE], "przepraszam, przy x ma być 7 a nie 5", ["solve(Eq(x**2 - 7*x + 6, 0), x)"]),
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def messages(exchanges: Sequence[Exchange]) -> list[Message]:
    told: list[Message] = []
    for prompt, reply, made in exchanges:
        value: JsonObject = {"expression": made}
        call = ToolCall(call_id="1", name="calculate", arguments=value, raw_arguments=value)
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


NO_EXERCISES = (
    (BOTH, "podpunkt c"),
    (BOTH, "a ostatni?"),
    (FRACTIONS, "a ostatni wynik razy 2"),
    (FRACTIONS, "a d?"),
    (PRODUCTS, "a 2?"),
    (FRACTIONS, "dzięki, a kto był pierwszym królem?"),
)


@every_row(("exchange", "prompt"), NO_EXERCISES)
def test_points_at_no_exercise(exchange: Exchange, prompt: str, detector: Detector) -> None:
    known = recall(state(messages([exchange])), TOOLS, today=TODAY, detector=detector)
    assert exercises.follow(Scene(prompt, known, TOOLS, today=TODAY, detector=detector)) is None
