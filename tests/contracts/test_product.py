import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

import pytest
import requests
from PIL import Image
from scripted.patience import PATIENCE_S
from scripted.picture_faults import png
from scripted.product import (
    Message,
    Product,
    Said,
    ask,
    ask_here,
    openweather_key,
    say_streamed,
    say_whole,
)

INTEGRAL = "Ile wynosi całka z x^3 od 0 do 2?"
PERSON = "Kim była Irena Sendlerowa?"
RAIN = "Czy w Kudowie-Zdroju pada?"
PICTURE = "Wygeneruj obraz psa i kota"
RHYME = "Ułóż fraszkę o jesieni"

TRACKS = {
    INTEGRAL: ("calculate", {"expression": "integrate(x**3, (x, 0, 2))"}),
    PERSON: ("search_wikipedia", {"query": "Irena Sendlerowa", "language": "pl"}),
    RAIN: ("get_weather", {"city": "Kudowa-Zdrój", "day": "today"}),
    PICTURE: ("generate_image", {"description": "pies i kot"}),
}
REFUSALS = {
    PERSON: "Wikipedia jest teraz niedostępna. Spróbuj ponownie za kilka minut.",
    RAIN: "Nie udało się połączyć z serwisem pogodowym Open-Meteo. Spróbuj ponownie później.",
    PICTURE: "Nie mogę narysować obrazu, bo nie podłączono modelu, który rysuje. Operator może "
    "uruchomić nasz serwer obrazów (`zwrotnica images serve`) albo wybrać dowolną usługę obrazów "
    "zgodną z OpenAI i podać jej adres w ustawieniu images.engine.url.",
}
NO_MODEL = "Na tę wiadomość odpowiedziałby model językowy, ale żaden nie jest podłączony."
CLIENTS = pytest.mark.parametrize("say", [say_whole, say_streamed], ids=["whole", "streamed"])
Saying = Callable[..., Said]


class Called(TypedDict):
    name: str
    arguments: dict[str, str]


class Decided(TypedDict):
    tool: str | None
    tool_calls: list[Called]
    question: str | None
    reason: str
    verdict_ms: int


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def pixels(data: bytes) -> bytes:
    """The picture without what its file tells of it."""
    with Image.open(io.BytesIO(data)) as picture:
        return picture.tobytes()


def route(product: Product, prompt: str) -> Decided:
    reply = requests.post(
        f"{product.url}/api/route", json={"messages": [user(prompt)]}, timeout=PATIENCE_S
    )
    assert reply.status_code == 200
    decided: Decided = reply.json()
    return decided


@pytest.mark.parametrize("prompt", TRACKS)
def test_a_prompt_is_switched_to_its_tool(offline: Product, prompt: str) -> None:
    tool, arguments = TRACKS[prompt]
    decided = route(offline, prompt)
    assert (decided["tool"], decided["reason"], decided["question"]) == (tool, "called", None)
    (call,) = decided["tool_calls"]
    assert (call["name"], call["arguments"]) == (tool, arguments)


def test_a_prompt_for_no_tool_is_switched_to_the_default_model(offline: Product) -> None:
    decided = route(offline, RHYME)
    assert (decided["tool"], decided["tool_calls"]) == (None, [])
    assert decided["reason"] == "default_function"


@CLIENTS
def test_an_integral_is_computed(product: Product, say: Saying) -> None:
    said = say(product, user(INTEGRAL))
    assert said.text == "$$\\int_{0}^{2} x^{3}\\,dx = 4$$\n\nWynik: 4"
    assert said.sources == (("SymPy", "https://www.sympy.org"),)


@CLIENTS
def test_a_person_is_looked_up(product: Product, say: Saying) -> None:
    said = say(product, user(PERSON))
    assert "polska działaczka społeczna i charytatywna" in said.text
    revision = f"{product.wiki}/w/index.php?title=Irena_Sendlerowa&oldid=75000001"
    assert said.sources == (("Irena Sendlerowa", revision),)


@CLIENTS
def test_the_weather_is_told_in_polish(product: Product, say: Saying) -> None:
    said = say(product, user(RAIN))
    assert said.text.startswith(
        "W Kudowie-Zdroju jest teraz 1,2 stopnia (odczuwalnie −3 °C), słaby deszcz, "
        "wilgotność 93%, ciśnienie 1012 hPa, wiatr północno-zachodni 14 km/h, "
        "w porywach do 29 km/h. Dziś: słaby śnieg, łącznie 2,1 cm"
    )
    assert said.sources == (("Pogoda: Kudowa-Zdrój", "https://open-meteo.com/"),)


@CLIENTS
def test_a_picture_is_drawn_and_its_link_answers(product: Product, say: Saying) -> None:
    said = say(product, user(PICTURE))
    assert "![pies i kot](" in said.text
    picture = requests.get(said.picture, timeout=PATIENCE_S)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert pixels(picture.content) == pixels(png(1024, 1024))


@CLIENTS
def test_a_rhyme_needs_a_model_and_that_is_said(product: Product, say: Saying) -> None:
    said = say(product, user(RHYME))
    assert said.text.startswith(NO_MODEL)
    assert (said.sources, said.finish) == ((), "stop")


@CLIENTS
@pytest.mark.parametrize("prompt", REFUSALS)
def test_a_missing_service_is_a_clear_refusal(offline: Product, prompt: str, say: Saying) -> None:
    said = say(offline, user(prompt))
    assert (said.text, said.finish, said.sources) == (REFUSALS[prompt], "stop", ())


def test_a_conversation_goes_on_after_refusals(offline: Product) -> None:
    conversation: list[Message] = []
    for prompt in REFUSALS:
        conversation.append(user(prompt))
        said = say_whole(offline, *conversation)
        conversation.append({"role": "assistant", "content": said.text})
    assert say_whole(offline, *conversation, user(INTEGRAL)).text.endswith("Wynik: 4")


def test_the_terminal_shows_the_answer_with_its_source(product: Product) -> None:
    done = ask(product.config, RAIN, **openweather_key())
    assert done.returncode == 0
    assert done.stdout.startswith("W Kudowie-Zdroju jest teraz −2,3 stopnia (odczuwalnie −6,5 °C)")
    assert "Źródło: OpenWeather, Pogoda: Kudowa-Zdrój, CC BY-SA 4.0" in done.stdout
    assert "get_weather (called, embedded" in done.stderr
    assert "Kudowa-Zdrój · dziś" in done.stderr


def test_the_terminal_says_where_a_picture_lies(product: Product) -> None:
    done = ask_here(product.config, PICTURE)
    path = done.stdout.partition("[pies i kot] ")[2].split()[0]
    assert pixels(Path(path).read_bytes()) == pixels(png(1024, 1024))


def test_the_terminals_json_is_the_decision_with_what_came_of_it(product: Product) -> None:
    done = ask_here(product.config, "--json", PERSON)
    told = json.loads(done.stdout)
    decided = route(product, PERSON)
    assert set(decided) < set(told)
    assert told["tool_calls"] == decided["tool_calls"]
    assert told["text"].startswith("**Irena")
    assert [source["licence"] for source in told["sources"]] == ["CC BY-SA 4.0"]
