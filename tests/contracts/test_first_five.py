"""The switch end to end: real assembly, embedded engine, real tools, scripted services."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import openai
import pytest
import requests
from pydantic import TypeAdapter
from scripted.gateway import running_app
from scripted.images import KEY as IMAGES_KEY, ScriptedImages
from scripted.mediawiki import ScriptedMediaWiki
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY as WEATHER_KEY, ScriptedOpenWeather

from serving.app import create_app
from serving.settings import Settings, load_settings

INTEGRAL = "Ile wynosi całka z x^3 od 0 do 2?"
PERSON = "Kim była Irena Sendlerowa?"
WEATHER = "Czy w Kudowie-Zdroju pada?"
PICTURE = "Wygeneruj obraz psa i kota"
POEM = "Ułóż fraszkę o jesieni"


@dataclass(frozen=True, kw_only=True)
class Called:
    """A call of a decision."""

    name: str
    arguments: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Told:
    """A decision as a client reads it."""

    tool: str | None
    tool_calls: list[Called]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A gateway and a client of it."""

    url: str
    client: openai.OpenAI

    def route(self, prompt: str) -> "Told":
        body = {"messages": [{"role": "user", "content": prompt}]}
        return TypeAdapter(Told).validate_json(
            requests.post(f"{self.url}/api/route", json=body, timeout=20).content
        )

    def ask(self, prompt: str) -> str:
        completion = self.client.chat.completions.create(
            model="zwrotnica", messages=[{"role": "user", "content": prompt}]
        )
        return completion.choices[0].message.content or ""


def chat(stack: ExitStack, settings: Settings) -> Chat:
    gateway = stack.enter_context(running_app(settings, create_app(settings)))
    client = openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="none", max_retries=0)
    return Chat(url=gateway.url, client=stack.enter_context(client))


def settings_for(folder: Path, **variables: str) -> Settings:
    environ = {f"ZWROTNICA_{name}": value for name, value in variables.items()}
    return load_settings(environ=environ | {"ZWROTNICA_DATA_DIR": str(folder)})


@pytest.fixture(scope="module")
def online(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chat]:
    with ExitStack() as stack:
        meteo, wiki, images = ScriptedOpenMeteo(), ScriptedMediaWiki(), ScriptedImages()
        for service in (meteo, wiki, images):
            stack.enter_context(service)
        settings = settings_for(
            tmp_path_factory.mktemp("online"),
            TOOLS__WEATHER__OPENMETEO_URL=meteo.url,
            TOOLS__WEATHER__GEOCODING_URL=meteo.url,
            TOOLS__WIKIPEDIA__URL=f"{wiki.url}/w/",
            IMAGES__ENGINE__URL=f"{images.url}/v1",
            IMAGES__ENGINE__API_KEY=IMAGES_KEY,
        )
        yield chat(stack, settings)


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chat]:
    nowhere = "http://127.0.0.1:9"
    with ExitStack() as stack:
        settings = settings_for(
            tmp_path_factory.mktemp("offline"),
            TOOLS__WEATHER__OPENMETEO_URL=nowhere,
            TOOLS__WEATHER__GEOCODING_URL=nowhere,
            TOOLS__WIKIPEDIA__URL=f"{nowhere}/w/",
        )
        yield chat(stack, settings)


@pytest.mark.parametrize(
    ("prompt", "tool", "arguments"),
    [
        (INTEGRAL, "calculate", {"expression": "integrate(x**3, (x, 0, 2))"}),
        (PERSON, "search_wikipedia", {"query": "Irena Sendlerowa", "language": "pl"}),
        (WEATHER, "get_weather", {"city": "Kudowa-Zdrój", "day": "today"}),
        (PICTURE, "generate_image", {"description": "pies i kot"}),
    ],
)
def test_a_message_is_switched_to_its_tool(
    offline: Chat, prompt: str, tool: str, arguments: dict[str, str]
) -> None:
    told = offline.route(prompt)
    assert (told.tool, told.reason) == (tool, "called")
    assert [call.arguments for call in told.tool_calls] == [arguments]


def test_a_poem_is_for_the_default_model(offline: Chat) -> None:
    told = offline.route(POEM)
    assert (told.tool, told.reason) == (None, "default_function")
    assert "żaden nie jest podłączony" in offline.ask(POEM)


def test_mathematics_needs_no_internet(offline: Chat) -> None:
    assert "4" in offline.ask(INTEGRAL)


def test_the_weather_comes_from_the_service(online: Chat) -> None:
    text = online.ask(WEATHER)
    assert "Kudow" in text
    assert "°C" in text


def test_the_weather_comes_from_openweather_with_a_key(tmp_path: Path) -> None:
    with ExitStack() as stack:
        service = stack.enter_context(ScriptedOpenWeather())
        settings = settings_for(
            tmp_path,
            TOOLS__WEATHER__OPENWEATHER_URL=service.url,
            TOOLS__WEATHER__API_KEY=WEATHER_KEY,
        )
        assert "°C" in chat(stack, settings).ask(WEATHER)
        assert service.requests


def test_an_article_is_told_with_its_source(online: Chat) -> None:
    completion = online.client.chat.completions.create(
        model="zwrotnica", messages=[{"role": "user", "content": PERSON}]
    )
    message = completion.choices[0].message
    assert "działaczka społeczna" in (message.content or "")
    [source] = message.annotations or []
    assert source.url_citation.title == "Irena Sendlerowa"


def test_a_picture_is_drawn_stored_and_served(online: Chat) -> None:
    text = online.ask(PICTURE)
    url = text.partition("](")[2].partition(")")[0]
    reply = requests.get(url, timeout=10)
    assert reply.headers["content-type"] == "image/png"
    assert reply.content.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        (WEATHER, "Nie udało się połączyć"),
        (PERSON, "Wikipedia jest teraz niedostępna"),
        (PICTURE, "nie podłączono modelu, który rysuje"),
    ],
)
def test_what_cannot_be_reached_is_refused_in_polish_and_the_chat_goes_on(
    offline: Chat, prompt: str, words: str
) -> None:
    assert words in offline.ask(prompt)
    assert "4" in offline.ask(INTEGRAL)
