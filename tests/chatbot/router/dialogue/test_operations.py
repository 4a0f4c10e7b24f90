"""Another operation on what the last one was done to, not on its result."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS

from chatbot.router.detector import Detector
from chatbot.router.dialogue import recall, state
from chatbot.router.dialogue.calculations.operations import operated
from chatbot.router.dialogue.scene import Scene
from chatbot.types import JsonObject, Message, Text, ToolCall

TODAY = date(2026, 11, 22)
MATRIX = "Matrix([[1, 2], [3, 4]])"
ROWS = (
    ("diff(sin(2*x), x)", "policz drugą pochodną tej funkcji", "diff(sin(2*x), x, 2)"),
    ("diff(sin(2*x), x)", "zróżniczkuj to jeszcze raz", "diff(sin(2*x), x, 2)"),
    ("diff(sin(2*x), x)", "a całka z tego samego?", "integrate(sin(2*x), x)"),
    ("diff(sin(2*x), x)", "to samo dla cosinusa", "diff(cos(2*x), x)"),
    ("diff(sin(2*x), x)", "a cosinusa 3x?", None),
    ("diff(sin(2*x), x)", "a całka z tego wyniku?", None),
    ("integrate(log(x), x)", "weź z tego pochodną", None),
    ("integrate(x**2, (x, 0, 3))", "a nieoznaczona?", "integrate(x**2, x)"),
    ("integrate(x**2, (x, 0, 3))", "a pochodna tej funkcji?", "diff(x**2, x)"),
    (f"{MATRIX}.det()", "A macierz odwrotna do niej?", f"{MATRIX}.inv()"),
    (f"{MATRIX}.det()", "Super, a odwrotność tej macierzy?", f"{MATRIX}.inv()"),
    (f"{MATRIX}.det()", "podnieś ją do kwadratu", f"{MATRIX}**2"),
    (f"{MATRIX}.det()", "a ślad?", f"{MATRIX}.trace()"),
    (f"{MATRIX}.det()", "a wyznacznik?", None),
    (f"{MATRIX}.det()", "pomnóż to przez 2", None),
    ("log(64, 2)", "a dziesiętny z tej samej liczby?", "log(64, 10)"),
    ("log(64, 2)", "a naturalny?", "log(64)"),
    ("log(64, 2)", "niech podstawa będzie 32", "log(64, 32)"),
    ("log(64, 2)", "a log 81 przy podstawie 3?", None),
    ("log(64, 2)", "a z 128?", None),
    ("Mod(1000, 37)", "a gdyby dzielić przez 41?", "Mod(1000, 41)"),
    ("Mod(1000, 37)", "a 2000?", None),
    ("binomial(10, 3)", "a jak kolejność ma znaczenie?", "factorial(10)/factorial(7)"),
    ("binomial(10, 3)", "a 4 z 10?", None),
    ("solve(Eq(x**2 - 5*x + 6, 0), x)", "rozłóż to na czynniki", "factor(x**2 - 5*x + 6)"),
    ("36*12", "a ślad?", None),
    ("4**5", "a logarytm z tego przy podstawie 4?", "log(4**5, 4)"),
    ("4**5", "a logarytm dziesiętny z tego?", "log(4**5, 10)"),
    ("4**5", "a log 81 przy podstawie 3?", None),
    ("4**5", "jaka jest reszta z dzielenia tej liczby przez siedem?", "Mod(4**5, 7)"),
    ("4**5", "a reszty ze stu ile?", None),
    ("120*(1 + Rational(23, 100))", "brutto 246, ile netto?", "246/(1 + Rational(23, 100))"),
    ("120*(1 + Rational(23, 100))", "a dla 350 zł?", None),
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


@pytest.mark.parametrize(("expression", "prompt", "wanted"), ROWS)
def test_the_operation_is_exchanged(
    detector: Detector, expression: str, prompt: str, wanted: str | None
) -> None:
    made: JsonObject = {"expression": expression}
    call = ToolCall(call_id="1", name="calculate", arguments=made, raw_arguments=made)
    told = [
        Message(role="user", parts=(Text(text="Policz to"),)),
        Message(role="assistant", parts=(call, Text(text="Wynik jest taki."))),
    ]
    known = recall(state(told), TOOLS, today=TODAY, detector=detector)
    assert operated(Scene(prompt, known, TOOLS, today=TODAY, detector=detector)) == wanted
