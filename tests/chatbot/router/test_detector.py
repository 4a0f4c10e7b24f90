"""The local detector: which tools everyday prompts ask for, and with what."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st
from scripted.tables import every_row

from chatbot.router.detector import Detection, Detector
from chatbot.router.detector.classifier import CLASSES, Classifier
from chatbot.types import JsonObject, ToolSpec

PARAMETERS = {
    "get_weather": ("city", "day"),
    "calculate": ("expression",),
    "search_wikipedia": ("query", "language"),
    "generate_image": ("description",),
}
DAYS = frozenset([
    "today",
    "tomorrow",
    "day_after_tomorrow",
    "weekend",
    "next_days",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
])


def tool(name: str, *parameters: str, examples: tuple[str, ...] = ()) -> ToolSpec:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    schema: JsonObject = {"type": "object", "properties": properties}
    return ToolSpec(name=name, title=name, description="", parameters=schema, examples=examples)


TOOLS = tuple(tool(name, *parameters) for name, parameters in PARAMETERS.items())


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def calls(found: Detection) -> list[tuple[str, dict[str, object]]]:
    return [(call.name, dict(call.arguments)) for call in found.calls]


def read_cases(name: str) -> Iterator[tuple[str, list[tuple[str, dict[str, object]]]]]:
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            prompt, _, gold = line.rpartition("=>")
            yield prompt.strip(), [read_call(part) for part in gold.split(" & ") if part.strip()]


def read_call(text: str) -> tuple[str, dict[str, object]]:
    name, _, rest = text.strip().partition(" ")
    if name != "get_weather":
        return name, {PARAMETERS[name][0]: rest} if rest else {}
    values = [value.strip() for value in rest.split("|") if value.strip()]
    return name, {
        "day" if value in DAYS or value.startswith("--") else "city": value for value in values
    }


def is_same(
    got: list[tuple[str, dict[str, object]]], gold: list[tuple[str, dict[str, object]]]
) -> bool:
    return plain(got) == plain(gold) or any("*" in arguments.values() for _, arguments in gold)


def plain(found: list[tuple[str, dict[str, object]]]) -> list[tuple[str, dict[str, str]]]:
    return [
        (name, {key: str(value).replace(" ", "").lower() for key, value in arguments.items()})
        for name, arguments in found
    ]


@every_row(
    ("prompt", "expected"),
    [
        (
            "Ile wynosi całka z x^3 od 0 do 2?",
            [("calculate", {"expression": "integrate(x**3, (x, 0, 2))"})],
        ),
        ("Kim była Irena Sendlerowa?", [("search_wikipedia", {"query": "Irena Sendlerowa"})]),
        ("Czy w Kudowie-Zdroju pada?", [("get_weather", {"city": "Kudowa-Zdrój"})]),
        ("Wygeneruj obraz psa i kota", [("generate_image", {"description": "pies i kot"})]),
        ("Ułóż fraszkę o jesieni", []),
        ("Ile to 5 mil w kilometrach?", []),
        ("Ile to 3 funty w kilogramach?", []),
        ("Policz, ile to jest 68 stopni Fahrenheita w stopniach Celsjusza", []),
    ],
)
def test_plain_prompts_are_routed_exactly(
    detector: Detector, prompt: str, expected: list[tuple[str, dict[str, object]]]
) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == expected


@pytest.mark.parametrize("name", ["detector_everyday.txt", "detector_varied.txt"])
def test_nearly_all_prompts_reach_the_right_tool(detector: Detector, name: str) -> None:
    cases = list(read_cases(name))
    right = sum(
        {call for call, _ in calls(detector.detect(prompt, TOOLS))} == {call for call, _ in gold}
        for prompt, gold in cases
    )

    assert right / len(cases) >= 0.95


@pytest.mark.parametrize("name", ["detector_everyday.txt", "detector_varied.txt"])
def test_nearly_all_arguments_are_read_as_they_should_be(detector: Detector, name: str) -> None:
    cases = [(prompt, gold) for prompt, gold in read_cases(name) if gold]
    right = sum(is_same(calls(detector.detect(prompt, TOOLS)), gold) for prompt, gold in cases)

    assert right / len(cases) >= 0.9


@every_row(
    "prompt",
    [
        "Ułóż wiersz o deszczu",
        "Napisz mail o pogodzie w firmie",
        "Opisz obraz Matejki",
        "Streść ten tekst: w Krakowie pada, a w Łodzi świeci słońce.",
        "Przetłumacz na angielski: ile to dwa plus dwa?",
        "Nie lubię matematyki",
    ],
)
def test_words_of_a_tool_alone_do_not_call_it(detector: Detector, prompt: str) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == []


@every_row(
    "prompt",
    [
        "Przetłumacz na angielski: Jaka jest pogoda w Łodzi?",
        "Przełóż na angielski zdanie: Oblicz pole koła o promieniu 5 cm.",
        "Make it sound more polite: „Proszę natychmiast policzyć 23% VAT od 1000 zł”.",
        "Proszę, popraw interpunkcję: ile to dwa plus dwa",
        "Przeredaguj „Kim była Irena Sendlerowa?”",
    ],
)
def test_a_text_to_be_worked_on_calls_no_tool(detector: Detector, prompt: str) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == []


@pytest.mark.parametrize("prompt", ["Wygeneruj hasło do wifi", "Zrób mi kawę", "Stwórz plan dnia"])
def test_what_is_made_without_a_picture_calls_no_tool(detector: Detector, prompt: str) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == []


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Jaka jest pogoda?", "get_weather"),
        ("Wygeneruj obraz", "generate_image"),
        ("Oblicz całkę", "calculate"),
    ],
)
def test_a_missing_argument_is_left_out_so_that_it_is_asked_for(
    detector: Detector, prompt: str, name: str
) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == [(name, {})]


def test_only_offered_tools_are_chosen(detector: Detector) -> None:
    without_weather = [spec for spec in TOOLS if spec.name != "get_weather"]

    assert calls(detector.detect("Jaka jest pogoda w Łodzi?", without_weather)) == []


def test_today_makes_a_date_without_a_year_whole(detector: Detector) -> None:
    found = detector.detect("pogoda w Krakowie 24 grudnia", TOOLS, today=date(2026, 11, 21))

    assert calls(found) == [("get_weather", {"city": "Kraków", "day": "2026-12-24"})]


RATES = tool("exchange_rate", "currency", examples=("ile kosztuje dziś euro?", "kurs dolara"))


BUSES = tool(
    "bus_times",
    "stop",
    examples=("kiedy odjeżdża autobus z dworca?", "najbliższy tramwaj do centrum"),
)


@every_row(
    ("prompt", "name"),
    [
        ("ile kosztuje dzisiaj dolar?", "exchange_rate"),
        ("Jaki jest kurs dolara?", "exchange_rate"),
        ("jaki kurs franka", "exchange_rate"),
        ("ile kosztuje dziś funt", "exchange_rate"),
        ("kiedy odjeżdża tramwaj z rynku?", "bus_times"),
    ],
)
def test_of_several_plugins_the_one_with_the_nearest_example_joins(
    detector: Detector, prompt: str, name: str
) -> None:
    assert calls(detector.detect(prompt, (*TOOLS, RATES, BUSES))) == [(name, {})]


def test_a_plugin_gets_the_code_that_was_written(detector: Detector) -> None:
    found = detector.detect("kurs USD", (*TOOLS, RATES))

    assert calls(found) == [("exchange_rate", {"currency": "USD"})]


@every_row(
    "prompt",
    [
        "Jaka jest pogoda w Łodzi?",
        "Ułóż wiersz o euro",
        "Ile kosztuje chleb w Radomiu?",
        "Ile kosztuje dziś nocleg w Łebie?",
        "Nie sprawdzaj kursu dolara",
        "Napisz wiersz o kursie dolara",
        "Przetłumacz: kurs dolara",
        "Dlaczego kurs dolara rośnie?",
        "Kurs tańca w Łodzi",
    ],
)
def test_a_plugin_does_not_take_what_is_not_like_its_examples(
    detector: Detector, prompt: str
) -> None:
    found = detector.detect(prompt, (*TOOLS, RATES))

    assert "exchange_rate" not in [name for name, _ in calls(found)]


def test_a_choice_and_a_number_of_a_plugin_are_read(detector: Detector) -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"kind": {"enum": ["kino", "teatr"]}, "count": {"type": "integer"}},
    }
    spec = ToolSpec(
        name="events",
        title="",
        description="",
        parameters=schema,
        examples=("co dziś grają w kinie", "pokaż 3 wydarzenia w teatrze"),
    )

    assert calls(detector.detect("pokaż 5 wydarzeń w teatrze", (spec,))) == [
        ("events", {"kind": "teatr", "count": 5})
    ]


def test_probabilities_are_a_distribution_over_the_classes() -> None:
    shares = Classifier.load().probabilities("Jaka jest pogoda w Łodzi?")

    assert tuple(shares) == CLASSES
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-5)


def test_two_loads_detect_the_same() -> None:
    prompt = "Czy w Zielonej Górze będzie jutro padać?"

    assert Detector.load().detect(prompt, TOOLS) == Detector.load().detect(prompt, TOOLS)


@settings(max_examples=150)
@given(text=st.text(max_size=120))
@example(text="\u0591D")
def test_no_text_breaks_the_detector(detector: Detector, text: str) -> None:
    found = detector.detect(text, TOOLS)

    assert {call.name for call in found.calls} <= set(PARAMETERS)


WORDS = st.sampled_from([
    "pogoda",
    "w",
    "Łodzi",
    "ile",
    "to",
    "2",
    "+",
    "3",
    "całka",
    "z",
    "x^2",
    "od",
    "0",
    "do",
    "narysuj",
    "kota",
    "kim",
    "był",
    "Chopin",
    ",",
    "i",
    "?",
    "(",
    ")",
    "[",
    "]",
    "pierwiastek",
    "procent",
    "granica",
    "macierzy",
    "[[1,2],[3,4]]",
    "x",
    "=",
    "-",
    "!",
    "do",
    "potęgi",
    "suma",
    "liczb",
])


@pytest.mark.parametrize(
    "prompt",
    ["Zmoknę jutro w İzmirze?", "pogoda w İzmir", "JAKA BĘDZIE POGODA W İZMIRZE JUTRO"],
)
def test_a_capital_that_is_two_small_letters_is_read_as_any_other(
    detector: Detector, prompt: str
) -> None:
    (call,) = detector.detect(prompt, TOOLS).calls

    assert (call.name, call.arguments["city"]) == ("get_weather", "Izmir")


@settings(max_examples=150)
@given(words=st.lists(WORDS, max_size=25))
def test_no_jumble_of_tool_words_breaks_the_detector(detector: Detector, words: list[str]) -> None:
    found = detector.detect(" ".join(words), TOOLS)

    assert {call.name for call in found.calls} <= set(PARAMETERS)


@pytest.mark.parametrize(
    "prompt", ["fault=none;seed=31", "fault=status:code=500", "fault=cut:how=rst:after=0", "qwe 12"]
)
def test_what_no_dictionary_knows_is_no_mathematics(detector: Detector, prompt: str) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == []


@every_row(
    "prompt", ["2+2", "x^2-4=0", "a=3, b=4, ile to a*b", "Oblicz całkę", "Wyznacz granicę ciągu."]
)
def test_formulas_and_words_of_mathematics_are(detector: Detector, prompt: str) -> None:
    assert [name for name, _ in calls(detector.detect(prompt, TOOLS))] == ["calculate"]


@pytest.mark.parametrize(
    ("prompt", "expressions"),
    [
        ("W mieście jest 48 000 mieszkańców, 12 procent to studenci. Ilu jest studentów?",
         ["48000*12/100"]),
        ("1) 2^9  2) 3^5", ["2**9", "3**5"]),
    ],
)  # fmt: skip
def test_what_is_counted_in_a_story_is_no_topic_and_bare_lists_are_calculations(
    detector: Detector, prompt: str, expressions: list[str]
) -> None:
    expected = [("calculate", {"expression": one}) for one in expressions]

    assert calls(detector.detect(prompt, TOOLS)) == expected
