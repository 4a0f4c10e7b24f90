"""What answers our question, corrects it, drops it, or follows from a plan that was told."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS

from chatbot.language import lemmas
from chatbot.router.detector import Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import JsonObject, Message, Text, ToolCall

TODAY = date(2026, 11, 18)  # a Wednesday
WEATHER, MATHEMATICS, WIKIPEDIA = "get_weather", "calculate", "search_wikipedia"


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def after(
    detector: Detector, told: str, reply: str, prompt: str, *called: tuple[str, JsonObject]
) -> tuple[str | None, list[JsonObject]]:
    """The tool that the prompt gets after one exchange, and each call's arguments."""
    calls = tuple(
        ToolCall(call_id=str(at), name=name, arguments=made, raw_arguments=made)
        for at, (name, made) in enumerate(called)
    )
    before = state([
        Message(role="user", parts=(Text(text=told),)),
        Message(role="assistant", parts=(*calls, Text(text=reply))),
    ])
    certain = follow_up(prompt, before, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, before, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert found is not None
    return next(iter(found.tools), None), [dict(one.arguments) for one in found.calls]


PLACES = (
    (
        "jadę w sobotę z Łodzi do Sandomierza, będzie padać?",
        "Sprawdzić pogodę w Łodzi czy w Sandomierzu?",
        "tam dokąd jadę",
        [("Sandomierz", "saturday")],
    ),
    (
        "Sprawdź pogodę na sobotę.",
        "W jakim mieście: w Łodzi czy w Sandomierzu?",
        "w obu",
        [("Łódź", "saturday"), ("Sandomierz", "saturday")],
    ),
    (
        "Co z pogodą w piątek?",
        "A gdzie?",
        "Mam dwa spotkania, rano w Koninie, potem w Kole.",
        [("Konin", "friday"), ("Koło", "friday")],
    ),
    (
        "Czy jutro przyda się parasol?",
        "A w jakim mieście jesteś?",
        "Właśnie wysiadłem w Częstochowie, ale jutro już będę w Opolu.",
        [("Opole", "tomorrow")],
    ),
    (
        "Mieszkam w Sieradzu, ale jutro służbowo jestem w Kaliszu.",
        "Rozumiem. W czym mogę pomóc?",
        "Wziąć płaszcz czy kurtkę?",
        [("Kalisz", "tomorrow")],
    ),
    (
        "Jestem z Leszna, ale dziś nocuję w Głogowie.",
        "Miłego pobytu.",
        "Zimno tu będzie w nocy?",
        [("Głogów", "today")],
    ),
    (
        "Teściowie mieszkają w Kołobrzegu, a my w Pile.",
        "Rozumiem.",
        "Jutro u nich cieplej niż u nas?",
        [("Kołobrzeg", "tomorrow"), ("Piła", "tomorrow")],
    ),
    (
        "Jadę autem z Gdańska do Elbląga.",
        "Szerokiej drogi.",
        "Ślisko tam?",
        [("Elbląg", "today")],
    ),
)


@pytest.mark.parametrize(("told", "reply", "prompt", "wanted"), PLACES)
def test_a_place_is_the_one_of_the_day_that_is_asked_about(
    detector: Detector, told: str, reply: str, prompt: str, wanted: list[tuple[str, str]]
) -> None:
    tool, calls = after(detector, told, reply, prompt)
    assert tool == WEATHER
    found = [(one["city"], one.get("day", "today")) for one in calls]
    assert sorted(found) == sorted(wanted)


ANSWERS = (
    (
        "Policz mi procent.",
        "Ile procent i z jakiej kwoty?",
        "Osiem i pół, kwota to 640 zł.",
        "640*Rational(17, 2)/100",
    ),
    ("Ile to procent?", "Jaka liczba i z jakiej całości?", "18 z 120", "18/120*100"),
    (
        "Policz mi ratę.",
        "Jaka kwota i na ile miesięcy?",
        "7200 na trzy lata, bez odsetek",
        "7200/(3*12)",
    ),
    (
        "Oblicz pole trójkąta.",
        "Jaka jest podstawa i wysokość?",
        "podstawa 12 cm, wysokość o 4 cm krótsza",
        "12*8/2",
    ),
    (
        "rozwiąż mi równanie kwadratowe",
        "Podaj równanie.",
        "x2 - 9x + 20 = 0",
        "solve(Eq(x**2 - 9*x + 20, 0), x)",
    ),
    ("policz objętość walca", "Jaki promień i jaka wysokość?", "r=5 h=12", "pi*5**2*12"),
    ("chcę pole prostokąta", "Jakie są boki?", "a = 7 cm, b = 12 cm", "7*12"),
    ("pole powierzchni walca", "Podaj promień i wysokość.", "r: 2, h: 7", "2*pi*2*(2 + 7)"),
    ("pole rombu", "Podaj długości przekątnych.", "e=8, f=6", "8*6/2"),
    ("pole trójkąta", "Podaj podstawę i wysokość.", "a to 6, a h to 4", "6*4/2"),
    ("policz deltę", "Podaj współczynniki.", "a=1 b=-5 c=6", "(-5)**2 - 4*(1)*(6)"),
    ("rozwiąż równanie", "Podaj równanie.", "x=5 + 2", "solve(Eq(x, 5 + 2), x)"),
)


@pytest.mark.parametrize(("told", "reply", "prompt", "wanted"), ANSWERS)
def test_an_answer_is_put_into_the_calculation(
    detector: Detector, told: str, reply: str, prompt: str, wanted: str
) -> None:
    assert after(detector, told, reply, prompt) == (MATHEMATICS, [{"expression": wanted}])


@pytest.mark.parametrize(
    ("told", "reply", "prompt"),
    [
        ("Policz coś dla mnie.", "Co mam policzyć?", "w sumie to już sam policzyłem, dzięki"),
        ("Jaka pogoda?", "W jakim mieście?", "no dobra, poradzę sobie"),
        ("Szukam biografii.", "Czyjej biografii?", "a już znalazłam"),
        ("Jaka pogoda?", "W jakim mieście?", "e tam, wyjrzę przez okno"),
        ("Jaka pogoda?", "W jakim mieście?", "zresztą i tak wezmę parasol"),
    ],
)
def test_what_is_no_longer_wanted_is_dropped(
    detector: Detector, told: str, reply: str, prompt: str
) -> None:
    assert after(detector, told, reply, prompt) == (None, [])


CORRECTIONS = (
    ("Tomaszów Mazowiecki", "Mnie chodziło o ten na Lubelszczyźnie.", "Tomaszów Lubelski"),
    ("Ostrów Wielkopolski", "nie ten, ten na Mazowszu", "Ostrów Mazowiecka"),
    ("Jan Długosz", "Nie ten, chodziło mi o poetę, Jana Brzechwę.", "Jan Brzechwa"),
    ("zamek", "Ale mnie chodzi o zamek błyskawiczny.", "zamek błyskawiczny"),
    ("Kazimierz Dolny", "nie o ten, tylko o tę dzielnicę w Krakowie", "Kazimierz (Kraków)"),
)


@pytest.mark.parametrize(("topic", "prompt", "wanted"), CORRECTIONS)
def test_a_correction_names_another_of_one_name(
    detector: Detector, topic: str, prompt: str, wanted: str
) -> None:
    query: JsonObject = {"query": topic}
    tool, calls = after(detector, topic, f"{topic}…", prompt, (WIKIPEDIA, query))
    assert (tool, [one["query"] for one in calls]) == (WIKIPEDIA, [wanted])


def test_a_corrected_sign_is_exchanged_whatever_is_likelier(detector: Detector) -> None:
    expression = "350*(1 - Rational(17, 100))"
    told = ("ile to 350 minus 17%", "350 − 17% = 290,50.", "nie minus tylko plus")
    found = after(detector, *told, (MATHEMATICS, {"expression": expression}))
    assert found == (MATHEMATICS, [{"expression": "350*(1 + Rational(17, 100))"}])


EDITIONS = (
    ("Znajdź coś w angielskiej Wikipedii.", "O czym mam poszukać?", "Alan Turing", "en"),
    ("Potrzebuję hasła z ukraińskiej Wikipedii.", "Jakiego hasła?", "Łesia Ukrainka", "uk"),
)


@pytest.mark.parametrize(("told", "reply", "prompt", "language"), EDITIONS)
def test_an_answer_is_looked_up_in_the_edition_asked_for_before(
    detector: Detector, told: str, reply: str, prompt: str, language: str
) -> None:
    found = after(detector, told, reply, prompt)
    assert found == (WIKIPEDIA, [{"query": prompt, "language": language}])


def test_a_topic_beside_the_word_for_an_entry_is_looked_up(detector: Detector) -> None:
    city: JsonObject = {"city": "Pszczyna"}
    told = ("Pogoda w Pszczynie?", "6°C.", "Daisy von Pless, poproszę biogram")
    tool, calls = after(detector, *told, (WEATHER, city))
    assert (tool, [one["query"] for one in calls]) == (WIKIPEDIA, ["Daisy von Pless"])


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("dobra to teraz o sztuce ludowej", "sztuka ludowa"),
        ("chciałabym też wiedzieć o kotach syjamskich", "koty syjamskie"),
        ("i o wojnie krymskiej słówko", "wojna krymska"),
    ],
)
def test_a_thing_that_nobody_named_before_is_a_topic_of_its_own(
    detector: Detector, prompt: str, wanted: str
) -> None:
    query: JsonObject = {"query": "Jan Brzechwa"}
    told = ("kim był jan brzechwa", "Jan Brzechwa był poetą.", prompt)
    tool, calls = after(detector, *told, (WIKIPEDIA, query))
    assert (tool, [one["query"] for one in calls]) == (WIKIPEDIA, [wanted])


@pytest.mark.parametrize("prompt", ["a jak z deszczem?", "a rękawiczki się przydadzą?"])
def test_a_plain_word_of_weather_is_asked_of_a_plan(detector: Detector, prompt: str) -> None:
    told = ("Jutro jedziemy z dziećmi do Torunia.", "Świetny pomysł!")
    assert after(detector, *told, prompt) == (WEATHER, [{"city": "Toruń", "day": "tomorrow"}])


PICTURES = (
    ("Czy ten lis mógłby trzymać parasol?", {"lis", "kapelusz", "parasol"}),
    ("A mógłby ten lis siedzieć na rowerze?", {"lis", "kapelusz", "rower"}),
    ("Wolę, gdy ten lis siedzi na pniu.", {"lis", "kapelusz", "pień"}),
    ("ten lis to ma być srebrny, dobrze?", {"lis", "kapelusz", "srebrny"}),
)


@pytest.mark.parametrize(("prompt", "shown"), PICTURES)
def test_a_thing_of_the_picture_may_be_asked_to_be_otherwise(
    detector: Detector, prompt: str, shown: set[str]
) -> None:
    made: JsonObject = {"description": "lis w kapeluszu"}
    told = ("Narysuj lisa w kapeluszu.", "Oto lis w kapeluszu.", prompt)
    tool, calls = after(detector, *told, ("generate_image", made))
    assert tool == "generate_image"
    assert shown <= {*lemmas(str(calls[0]["description"]))}


def test_what_somebody_does_in_a_picture_is_no_wish_of_its_own(detector: Detector) -> None:
    query: JsonObject = {"query": "Maria Skłodowska-Curie"}
    prompt = "Proszę narysować ją na rowerze, jak jedzie przez most w Paryżu."
    told = ("Kim była Maria Skłodowska-Curie?", "Odkryła polon i rad.", prompt)
    tool, calls = after(detector, *told, (WIKIPEDIA, query))
    assert tool == "generate_image"
    assert len(calls) == 1
    assert "most w Paryżu" in str(calls[0]["description"])


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("dodaj dziesięć", "(86*7) + 10"),
        ("a pierwiastek z tego?", "sqrt(86*7)"),
        ("a 700 minus to?", "700 - (86*7)"),
        ("nie, podzielić", "86/7"),
    ],
)
def test_what_a_prompt_says_itself_is_done_to_the_result(
    detector: Detector, prompt: str, wanted: str
) -> None:
    expression: JsonObject = {"expression": "86*7"}
    found = after(detector, "ile to 86 razy 7", "86·7 = 602.", prompt, (MATHEMATICS, expression))
    assert found == (MATHEMATICS, [{"expression": wanted}])
