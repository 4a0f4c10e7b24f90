"""What the detector says without being asked for a decision: plain requests, and what misfits."""

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.detector.certainty import is_plain_forecast
from chatbot.tools.builtin import BUILT_IN
from chatbot.types import ToolSpec

TOOLS = tuple(tool.spec for tool in BUILT_IN)
TODAY = date(2026, 11, 22)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def sure_calls(detector: Detector, prompt: str) -> list[tuple[str, dict[str, object]]]:
    found = detector.sure(prompt, TOOLS, today=TODAY)
    return [(call.name, dict(call.arguments)) for call in found or ()]


@pytest.mark.parametrize(
    ("prompt", "name", "arguments"),
    [
        ("Ile to jest 17 * 23?", "calculate", {"expression": "17*23"}),
        ("Jaka jest pogoda w Łodzi?", "get_weather", {"city": "Łódź"}),
        (
            "czy jutro w Zielonej Górze będzie padało?",
            "get_weather",
            {"city": "Zielona Góra", "day": "tomorrow"},
        ),
    ],
)
def test_a_plain_request_is_sure_with_its_arguments(
    detector: Detector, prompt: str, name: str, arguments: dict[str, object]
) -> None:
    assert sure_calls(detector, prompt) == [(name, arguments)]


@every_row(
    "prompt",
    [
        "Jaka jest pogoda?",
        "Jaka pogoda w Łodzi i w Radomiu?",
        "Czy wczoraj w Łodzi padało?",
        "Jaka jest jakość powietrza w Łodzi?",
        "Nie sprawdzaj pogody w Łodzi",
        "Popraw: „Jaka jest pogoda w Łodzi?”",
        "Wiersz o pogodzie w Łodzi",
        "Ile to 250 euro w złotówkach?",
        "Nie licz 2+2",
        "Ile to 26 mil w km?",
        "40% z połowy liczby 350, ile to?",
        "Kim był Mikołaj Kopernik?",
        "Narysuj kota",
        "Do kabaretu w Zielonej Górze potrzebna mi głupawa prognoza na sobotę",
        "",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_model(detector: Detector, prompt: str) -> None:
    assert detector.sure(prompt, TOOLS, today=TODAY) is None


def test_a_plain_request_needs_its_tool_on_offer(detector: Detector) -> None:
    others = [spec for spec in TOOLS if spec.name != "calculate"]

    assert detector.sure("Ile to jest 17 * 23?", others) is None


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Jaka jest pogoda w Łodzi?", frozenset({"get_weather"})),
        ("Kim była Irena Sendlerowa?", frozenset({"search_wikipedia"})),
        ("Ułóż fraszkę o jesieni", frozenset()),
    ],
)
def test_a_choice_that_fits_is_confirmed(
    detector: Detector, prompt: str, names: frozenset[str]
) -> None:
    assert detector.agrees(prompt, TOOLS, names) is True


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Jaka jest pogoda w Łodzi?", frozenset({"calculate"})),
        ("Kim była Irena Sendlerowa?", frozenset({"generate_image"})),
        ("Jaka jest pogoda jutro w Radomiu?", frozenset[str]()),
    ],
)
def test_a_choice_that_misfits_is_refuted(
    detector: Detector, prompt: str, names: frozenset[str]
) -> None:
    assert detector.agrees(prompt, TOOLS, names) is False


def test_nothing_is_said_of_tools_that_the_classifier_does_not_know(detector: Detector) -> None:
    assert detector.agrees("kurs dolara", TOOLS, frozenset({"exchange_rate"})) is None


def test_a_plugin_that_may_be_meant_is_left_to_the_model(detector: Detector) -> None:
    counting = ToolSpec(
        name="bank_sum", title="", description="", parameters={}, examples=("ile to jest 2 + 2",)
    )

    assert detector.sure("Ile to jest 3 + 2?", (*TOOLS, counting)) is None


@pytest.mark.parametrize(
    ("prompt", "city"),
    [
        ("Babcia pyta, czy w Łomży pada", "Łomża"),
        ("Jadę jutro do Torunia, wziąć parasol?", "Toruń"),
    ],
)
def test_harmless_words_do_not_make_the_weather_unsure(
    detector: Detector, prompt: str, city: str
) -> None:
    assert [arguments["city"] for _, arguments in sure_calls(detector, prompt)] == [city]


@pytest.mark.parametrize(
    "names", [frozenset({"search_wikipedia"}), frozenset({"get_weather", "search_wikipedia"})]
)
def test_a_choice_that_fits_one_of_several_requests_is_not_refuted(
    detector: Detector, names: frozenset[str]
) -> None:
    prompt = "Jaka jest pogoda w Łodzi i kim był Julian Tuwim?"

    assert detector.agrees(prompt, TOOLS, names) is not False


@settings(max_examples=100)
@given(text=st.text(max_size=80))
def test_no_text_breaks_what_is_sure(detector: Detector, text: str) -> None:
    found = detector.sure(text, TOOLS, today=TODAY)

    assert found is None or {call.name for call in found} <= {"calculate", "get_weather"}


PLAIN_FORECASTS = (
    "jaka temperatura",
    "ile stopni mamy",
    "Wziąć kurtkę?",
    "Czy jest ślisko na drogach?",
)


def test_the_weather_may_be_asked_plainly_without_a_place() -> None:
    missed = [each for each in PLAIN_FORECASTS if not is_plain_forecast(each, is_likely=True)]

    assert missed == []


def test_a_remark_is_no_plain_forecast() -> None:
    assert not is_plain_forecast("ciepło się zrobiło", is_likely=True)
