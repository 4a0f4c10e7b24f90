"""Follow-ups: prompts that only make sense after what was said before."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue import FollowUp, follow_up, state
from chatbot.router.dialogue.scene import is_bare
from chatbot.types import JsonObject, Message, Text, ToolCall, ToolOutcome, ToolSpec

TODAY = date(2026, 11, 22)


class Call(NamedTuple):
    name: str
    arguments: JsonObject


Exchange = tuple[str, str, Call | None]

LODZ: Exchange = (
    "Jaka będzie jutro pogoda w Łodzi?",
    "Jutro w Łodzi 4°C i deszcz.",
    Call("get_weather", {"city": "Łódź", "day": "tomorrow"}),
)
RADOM: Exchange = ("a w Radomiu?", "W Radomiu 3°C.", Call("get_weather", {"city": "Radom"}))
ROOT: Exchange = (
    "Ile to pierwiastek z 529?",
    "√529 = 23.",
    Call("calculate", {"expression": "sqrt(529)"}),
)
COPERNICUS: Exchange = (
    "Kim był Mikołaj Kopernik?",
    "Mikołaj Kopernik (1473–1543) był astronomem, urodzonym w Toruniu.",
    Call("search_wikipedia", {"query": "Mikołaj Kopernik"}),
)
PETS: Exchange = (
    "Narysuj psa i kota",
    "Oto pies i kot.",
    Call("generate_image", {"description": "pies i kot"}),
)
ASKED_CITY: Exchange = ("Jaka będzie pogoda?", "Dla jakiej miejscowości podać pogodę?", None)
ASKED_PICTURE: Exchange = ("Narysuj mi coś", "Co ma przedstawiać obraz?", None)
ASKED_SUM: Exchange = ("Oblicz procent z liczby", "Ile procent i z jakiej liczby?", None)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def conversation(*exchanges: Exchange, is_told: bool = True) -> tuple[Message, ...]:
    messages: list[Message] = []
    for number, (prompt, reply, call) in enumerate(exchanges):
        parts: list[ToolCall | ToolOutcome | Text] = []
        if call is not None and is_told:
            (name, arguments), one = call, str(number)
            parts = [
                ToolCall(call_id=one, name=name, arguments=arguments, raw_arguments=arguments),
                ToolOutcome(call_id=one, name=name, status="ok", content=reply),
            ]
        messages += (
            Message(role="user", parts=(Text(text=prompt),)),
            Message(role="assistant", parts=(*parts, Text(text=reply))),
        )
    return tuple(messages)


def ask(
    messages: Sequence[Message],
    prompt: str,
    detector: Detector,
    tools: Sequence[ToolSpec] = TOOLS,
) -> FollowUp | None:
    return follow_up(prompt, state(messages), tools, today=TODAY, detector=detector)


def calls(found: FollowUp | None) -> list[tuple[str, JsonObject]]:
    return [] if found is None else [(one.name, dict(one.arguments)) for one in found.calls]


@pytest.mark.parametrize(
    ("history", "prompt", "expected"),
    [
        pytest.param((LODZ,), "a w Radomiu?", [("Radom", "tomorrow")], id="another place"),
        pytest.param((LODZ,), "a pojutrze?", [("Łódź", "day_after_tomorrow")], id="another day"),
        pytest.param(
            (LODZ,), "a pojutrze w Radomiu?", [("Radom", "day_after_tomorrow")], id="both"
        ),
        pytest.param((LODZ,), "nie w Łodzi, tylko w Radomiu", [("Radom", "tomorrow")], id="denied"),
        pytest.param(
            (LODZ,), "miałem na myśli pojutrze", [("Łódź", "day_after_tomorrow")], id="day"
        ),
        pytest.param((LODZ,), "dziś, nie jutro!", [("Łódź", "today")], id="denied day"),
        pytest.param((LODZ,), "Sprawdź jeszcze raz", [("Łódź", "tomorrow")], id="again"),
        pytest.param((LODZ,), "będzie tam wiało?", [("Łódź", "tomorrow")], id="there"),
        pytest.param(
            (LODZ, RADOM), "a w tym pierwszym mieście w piątek?", [("Łódź", "friday")], id="first"
        ),
        pytest.param(
            (LODZ,),
            "gdzie będzie cieplej, tam czy w Radomiu?",
            [("Łódź", "tomorrow"), ("Radom", "tomorrow")],
            id="compared",
        ),
        pytest.param(
            (LODZ,),
            "What is the weather in the city we discussed?",
            [("Łódź", "tomorrow")],
            id="English",
        ),
        pytest.param(
            (LODZ, ROOT), "a jaka będzie tam pogoda w piątek?", [("Łódź", "friday")], id="later"
        ),
    ],
)
def test_weather_is_completed_from_the_places_and_days_before(
    detector: Detector,
    history: tuple[Exchange, ...],
    prompt: str,
    expected: list[tuple[str, str]],
) -> None:
    found = ask(conversation(*history), prompt, detector)

    assert calls(found) == [("get_weather", {"city": city, "day": day}) for city, day in expected]


@every_row(
    ("prompt", "expression"),
    [
        ("podziel to przez siedem", "(sqrt(529))/7"),
        ("razy trzy", "(sqrt(529))*3"),
        ("a pierwiastek z tego?", "sqrt(sqrt(529))"),
        ("dodaj do tego 5, a potem podziel wynik przez 2", "((sqrt(529)) + 5)/2"),
        ("zrób to samo dla 841", "sqrt(841)"),
        ("czy to liczba pierwsza?", "isprime(sqrt(529))"),
        ("ile brakuje do 100?", "100 - (sqrt(529))"),
        ("20 procent z tego", "(sqrt(529))*20/100"),
        ("odejmij to teraz od $\\frac{3}{10}$", "3/10 - (sqrt(529))"),
        ("dodaj 7 i otrzymaną liczbę podziel na pół", "((sqrt(529)) + 7)/2"),
    ],
)
def test_a_calculation_goes_on_with_the_last_expression(
    detector: Detector, prompt: str, expression: str
) -> None:
    found = ask(conversation(ROOT), prompt, detector)

    assert [arguments["expression"] for _, arguments in calls(found)] == [expression]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("a jego ojciec?", "Mikołaj Kopernik"),
        ("gdzie on studiował?", "Mikołaj Kopernik"),
        ("kiedy umarł?", "Mikołaj Kopernik"),
    ],
)
def test_a_pronoun_stands_for_the_topic(detector: Detector, prompt: str, query: str) -> None:
    found = ask(conversation(COPERNICUS), prompt, detector)

    assert calls(found) == [("search_wikipedia", {"query": query})]


def test_a_pronoun_of_another_gender_stands_for_who_was_named(detector: Detector) -> None:
    poem: Exchange = (
        "Czyj to wiersz „Nic dwa razy”?",
        "„Nic dwa razy” napisała Wisława Szymborska.",
        Call("search_wikipedia", {"query": "Nic dwa razy"}),
    )

    found = ask(conversation(poem), "a kiedy ona się urodziła?", detector)

    assert calls(found) == [("search_wikipedia", {"query": "Wisława Szymborska"})]


@every_row(
    ("prompt", "words"),
    [
        ("to samo, ale nocą", {"pies i kot", "nocą"}),
        ("dodaj im czapki", {"pies i kot", "czapki"}),
        ("jeszcze raz, tylko bez kota", {"pies", "bez kota"}),
        ("a na plaży?", {"pies i kot", "na plaży"}),
        ("niedźwiedź zamiast psa", {"niedźwiedź i kot"}),
    ],
)
def test_a_change_is_drawn_into_the_last_picture(
    detector: Detector, prompt: str, words: set[str]
) -> None:
    found = ask(conversation(PETS), prompt, detector)

    assert [name for name, _ in calls(found)] == ["generate_image"]
    assert all(one in str(calls(found)[0][1]["description"]) for one in words)


def test_what_was_spoken_of_is_drawn(detector: Detector) -> None:
    found = ask(conversation(COPERNICUS), "pokaż go na obrazku", detector)

    assert calls(found) == [("generate_image", {"description": "Mikołaj Kopernik"})]


@pytest.mark.parametrize(
    ("asked", "prompt", "name", "arguments"),
    [
        (ASKED_CITY, "Łódź", "get_weather", {"city": "Łódź"}),
        (
            ASKED_CITY,
            "w Łodzi, a najlepiej na jutro",
            "get_weather",
            {"city": "Łódź", "day": "tomorrow"},
        ),
        (ASKED_PICTURE, "Żyrafę w szaliku", "generate_image", {"description": "Żyrafa w szaliku"}),
        (ASKED_SUM, "5% z 240", "calculate", {"expression": "5/100*240"}),
    ],
)
def test_an_answer_fills_what_was_asked_for(
    detector: Detector, asked: Exchange, prompt: str, name: str, arguments: JsonObject
) -> None:
    found = ask(conversation(asked), prompt, detector)

    assert calls(found) == [(name, arguments)]


def test_a_day_instead_of_the_place_is_asked_about_again(detector: Detector) -> None:
    found = ask(conversation(ASKED_CITY), "na jutro", detector)

    assert found == FollowUp(asks=("get_weather", "city"))


@every_row(
    "prompt",
    [
        "Dzięki!",
        "Dziękuję. Co dalej?",
        "super, dziękuję bardzo",
        "nieważne",
        "haha",
        "Skróć to do jednego zdania",
    ],
)
@every_row("before", [LODZ, ROOT, COPERNICUS, PETS])
def test_thanks_and_work_on_the_answer_call_nothing(
    detector: Detector, before: Exchange, prompt: str
) -> None:
    found = ask(conversation(before), prompt, detector)

    assert found == FollowUp() or found is None


@every_row(
    ("before", "prompt"),
    [
        (LODZ, "Kim był Juliusz Słowacki?"),
        (LODZ, "Napisz maila, że jutro się spóźnię"),
        (COPERNICUS, "po ile jest bilet do muzeum?"),
        (PETS, "czemu pies ma pięć łap?"),
        (PETS, "a teraz narysuj smoka"),
        (PETS, "następnym razem"),
        (ROOT, "kto wymyślił pierwiastek?"),
        (COPERNICUS, "mój dziadek też był astronomem"),
        (ROOT, "Jaka jest pogoda w Krakowie?"),
        (ASKED_CITY, "A kim była Maria Curie?"),
    ],
)
def test_what_stands_alone_is_left_alone(detector: Detector, before: Exchange, prompt: str) -> None:
    assert ask(conversation(before), prompt, detector) is None


@pytest.mark.parametrize(
    ("before", "prompt", "name"),
    [
        (LODZ, "a w Radomiu?", "get_weather"),
        (COPERNICUS, "kiedy umarł?", "search_wikipedia"),
        (PETS, "to samo, ale nocą", "generate_image"),
    ],
)
def test_a_conversation_of_text_alone_is_understood(
    detector: Detector, before: Exchange, prompt: str, name: str
) -> None:
    told = ask(conversation(before), prompt, detector)
    untold = ask(conversation(before, is_told=False), prompt, detector)

    assert [one for one, _ in calls(untold)] == [name]
    assert calls(untold) == calls(told)


@pytest.mark.parametrize(
    ("before", "prompt"),
    [
        (LODZ, "o nie, znowu deszcz, a miałam myć okna"),
        (LODZ, "czyli parasol obowiązkowo"),
        (LODZ, "skąd się biorą takie wiatry?"),
        (LODZ, "a w fahrenheitach?"),
    ],
)
def test_remarks_on_the_weather_call_nothing(
    detector: Detector, before: Exchange, prompt: str
) -> None:
    assert ask(conversation(before), prompt, detector) == FollowUp()


def test_of_text_alone_the_result_that_was_shown_is_calculated_with(detector: Detector) -> None:
    found = ask(conversation(ROOT, is_told=False), "podziel to przez siedem", detector)

    assert calls(found) == [("calculate", {"expression": "(23)/7"})]


def test_a_title_in_question_and_reply_was_looked_up(detector: Detector) -> None:
    song: Exchange = (
        "Kto śpiewał „Małgośkę”?",
        "„Małgośkę” śpiewała Maryla Rodowicz.",
        Call("search_wikipedia", {"query": "Małgośka"}),
    )

    found = ask(conversation(song, is_told=False), "a gdzie ona się urodziła?", detector)

    assert calls(found) == [("search_wikipedia", {"query": "Maryla Rodowicz"})]


def test_weather_that_a_reply_tells_was_asked_for(detector: Detector) -> None:
    town: Exchange = ("Opowiedz mi coś o Bieczu.", "W Bieczu jest teraz 4°C.", None)

    found = ask(conversation(town), "a jutro?", detector)

    assert calls(found) == [("get_weather", {"city": "Biecz", "day": "tomorrow"})]


def test_a_tool_that_is_not_offered_is_not_called(detector: Detector) -> None:
    others = tuple(spec for spec in TOOLS if spec.name != "get_weather")

    assert calls(ask(conversation(LODZ), "a w Radomiu?", detector, others)) == []


def test_nothing_follows_where_nothing_was_said(detector: Detector) -> None:
    assert ask((), "a w Radomiu?", detector) is None


@pytest.mark.parametrize("prompt", ["?", "...", "!", "_", "„”", " \n?"])
@pytest.mark.parametrize("before", [LODZ, ROOT, PETS, ASKED_CITY, ASKED_PICTURE, ASKED_SUM])
def test_punctuation_goes_on_with_nothing(
    detector: Detector, before: Exchange, prompt: str
) -> None:
    assert ask(conversation(before), prompt, detector) is None


def test_punctuation_between_does_not_end_a_conversation(detector: Detector) -> None:
    said = conversation(ASKED_CITY, ("?", "Nie rozumiem.", None), LODZ, is_told=False)
    found = calls(ask(said, "a w Radomiu?", detector))

    assert found == [("get_weather", {"city": "Radom", "day": "tomorrow"})]


@pytest.mark.parametrize("prompt", ["👍", "5", "2+2", "%", "no?"])
def test_what_is_no_punctuation_may_go_on(prompt: str) -> None:
    assert not is_bare(prompt)


def test_a_long_text_is_no_follow_up(detector: Detector) -> None:
    assert ask(conversation(LODZ), "a w Radomiu? " * 100, detector) is None


def test_the_calls_are_values_of_the_detector(detector: Detector) -> None:
    found = ask(conversation(LODZ), "a w Radomiu?", detector)

    assert found == FollowUp(
        calls=(DetectedCall(name="get_weather", arguments={"city": "Radom", "day": "tomorrow"}),)
    )


@every_row("before", [LODZ, ROOT, COPERNICUS, PETS])
@every_row(
    "prompt",
    [
        "Ilu mieszkańców mają Gorlice?",
        "Ile to 17 razy 23?",
        "Narysuj zielonego słonia na lodowisku",
        "Jaka będzie pogoda w Suwałkach w piątek?",
        "Czy mój szef może mi kazać przyjść w Wigilię?",
    ],
)
def test_a_change_of_subject_goes_its_own_way(
    detector: Detector, before: Exchange, prompt: str
) -> None:
    assert ask(conversation(before), prompt, detector) is None


def test_one_wish_goes_on_and_another_is_whole(detector: Detector) -> None:
    prompt = "podziel to przez 16 i zrób obrazek skrzyni złota na dnie jeziora"

    assert calls(ask(conversation(ROOT), prompt, detector)) == [
        ("calculate", {"expression": "(sqrt(529))/16"}),
        ("generate_image", {"description": "skrzynia złota na dnie jeziora"}),
    ]


@pytest.mark.parametrize("before", [COPERNICUS, PETS, LODZ])
def test_a_picture_swallows_no_wish_beside_it(before: Exchange, detector: Detector) -> None:
    prompt = "Narysuj ratusz w Kłodzku i sprawdź, czy jutro będzie tam padać"

    assert ask(conversation(before), prompt, detector) is None
