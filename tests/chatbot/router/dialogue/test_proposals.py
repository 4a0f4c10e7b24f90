"""Which calculation with the numbers of a conversation a prompt asks for."""

import math
from datetime import date

import pytest
from scripted.needing_tools import WEATHER_AND_WIKIPEDIA
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState
from chatbot.router.dialogue.calculations.proposal import likeliest, read_choice
from chatbot.router.dialogue.calculations.proposal_operands import Operand, told_operands
from chatbot.router.dialogue.calculations.proposal_units import CLASH, outcome
from chatbot.router.dialogue.calculations.proposals import propose
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn

COFFEE = ("Ile kosztują 3 kawy po 12 zł?", "Trzy kawy kosztują 36 zł.", "3*12")
ROAD = ("Ile zapłacę za 40 l paliwa po 6 zł?", "Zapłacisz 240 zł.", "40*6")
FENCE = ("Działka ma 30 m na 20 m. Jaki obwód?", "Obwód to 100 m.", "2*(30+20)")
TILES = ("Ile płytek na 12 m2?", "Ile płytek idzie na metr?", "")
RICE = ("Przepis na 4 porcje ma 320 g ryżu. Ile na 7 porcji?", "Potrzeba 560 g.", "320/4*7")
SHOES = ("Mam 600 zł, buty za 250, pasek za 80. Ile zostanie?", "Zostanie 270 zł.", "600-250-80")
FIELD = ("Pole 120 m na 250 m, ile metrów?", "To 30 000 m².", "120*250")
SERIES = ("Ile odcinków ma „Stawka w 5 minut”?", "Serial „Czterej na 4” liczy 21 odcinków.", "")
SLOPE = ("Policz pochodną x^2", "2x", "diff(x**2, x)")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def scene_of(detector: Detector, said: tuple[str, str, str], prompt: str) -> Scene:
    asked, reply, expression = said
    calls = (DetectedCall(name="calculate", arguments={"expression": expression}),)
    turn = Turn(prompt=asked, reply=reply, calls=calls if expression else ())
    state = DialogueState(turns=(turn,), is_recalled=True)
    return Scene(prompt, state, WEATHER_AND_WIKIPEDIA, today=date(2026, 11, 18), detector=detector)


@every_row(
    ("said", "prompt", "value"),
    [
        (COFFEE, "a gdyby było ich pięć?", 60),
        (COFFEE, "a po 14 zł?", 42),
        (COFFEE, "i ciastko za 9 zł", 45),
        (COFFEE, "z rabatem 25%", 27),
        (COFFEE, "ile reszty z 50 zł?", 14),
        (ROAD, "podziel to na trzy osoby", 80),
        (ROAD, "a gdyby paliwo było po 7 zł i 30 l?", 210),
        (FENCE, "a gdyby miała 40 m na 25 m?", 130),
        (TILES, "po 11", 132),
        (RICE, "a ile na jedną porcję?", 80),
        (RICE, "w kilogramach?", 0.56),
        (SHOES, "a bez paska?", 350),
        (SHOES, "a zamiast paska czapka za 45?", 305),
        (FIELD, "a hektarów?", 3),
        (FIELD, "a na 2 km?", 240_000),
    ],
)
def test_what_is_meant_is_among_the_proposals(
    detector: Detector, said: tuple[str, str, str], prompt: str, value: float
) -> None:
    found = {round(one.value, 6) for one in propose(scene_of(detector, said, prompt))}

    assert value in found


@pytest.mark.parametrize(
    "prompt", ["a gdyby było ich pięć?", "z rabatem 25%", "i dwa soki po 8 zł"]
)
def test_an_expression_has_the_value_that_is_told_of_it(detector: Detector, prompt: str) -> None:
    found = propose(scene_of(detector, COFFEE, prompt))
    values = [(plain_value(one.expression), one.value) for one in found]

    assert found
    assert [pair for pair in values if not math.isclose(pair[0] or 0.0, pair[1])] == []


def test_a_number_in_a_title_is_not_calculated_with(detector: Detector) -> None:
    told = told_operands(scene_of(detector, SERIES, "każdy po 55 minut, ile to minut?"))

    assert [one.text for one in told] == ["21"]


@every_row(
    ("said", "prompt", "value"),
    [
        (COFFEE, "i sernik 18 zł", 54),
        (COFFEE, "a bez jednej?", 24),
        (RICE, "a ile na jedną porcję?", 80),
        (RICE, "w kilogramach?", 0.56),
        (SHOES, "a bez paska?", 350),
        (FIELD, "a hektarów?", 3),
    ],
)
def test_where_no_rule_says_it_the_likeliest_is_calculated(
    detector: Detector, said: tuple[str, str, str], prompt: str, value: float
) -> None:
    found = likeliest(scene_of(detector, said, prompt), None, is_certain=False)

    assert math.isclose(plain_value(found or "") or 0.0, value)


def test_nothing_is_proposed_of_nothing(detector: Detector) -> None:
    scene = Scene(
        "a jutro?", DialogueState(turns=()), WEATHER_AND_WIKIPEDIA, today=None, detector=detector
    )

    assert propose(scene) == []


def test_what_the_rules_found_is_always_a_choice(detector: Detector) -> None:
    choice = read_choice(scene_of(detector, COFFEE, "razy dwa"), "12345", is_certain=False)

    assert 12345.0 in choice.values


def test_a_rule_that_found_no_plain_value_is_left_alone(detector: Detector) -> None:
    assert (
        likeliest(scene_of(detector, SLOPE, "a druga?"), "diff(x**2, x, 2)", is_certain=False)
        is None
    )


def test_what_the_rules_found_is_not_said_again(detector: Detector) -> None:
    assert (
        likeliest(scene_of(detector, COFFEE, "podziel przez 4"), "(3*12)/4", is_certain=True)
        is None
    )


def counted(value: float, unit: str, per: str = "") -> Operand:
    return Operand(text=f"{value:g}", value=value, source="told", unit=unit, per=per)


@every_row(
    ("code", "operands", "unit"),
    [
        ("a b *", (counted(3, "kg"), counted(4, "zl", "kg")), ("zl", "")),
        ("a b /", (counted(40, "zl"), counted(8, "osob")), ("zl", "osob")),
        ("a b /", (counted(40, "zl"), counted(8, "zl")), ("", "")),
        ("a b +", (counted(40, "zl"), counted(8, "kg")), CLASH),
        ("a b + 2 /", (counted(40, "zl"), counted(8, "")), ("zl", "")),
        ("a b *", (counted(3, "m"), counted(4, "m")), ("area", "")),
        ("1 a 100 / - b *", (counted(20, "%"), counted(60, "zl")), ("zl", "")),
    ],
)
def test_the_unit_that_a_calculation_comes_to(
    code: str, operands: tuple[Operand, ...], unit: tuple[str, str]
) -> None:
    assert outcome(code, operands) == unit
