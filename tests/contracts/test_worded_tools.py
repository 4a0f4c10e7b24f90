"""What the default model makes of tools' results, as an OpenAI client reads it."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import cast

import openai
import pytest
from scripted.images import ScriptedImages
from scripted.mediawiki import ScriptedMediaWiki
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.product import serve_product_here
from scripted.wordsmith import Wordsmith

RAIN = "Czy w Kudowie-Zdroju pada?"
FROST = "Czy w Kudowie-Zdroju jest mróz?"
PERSON = "Kim była Irena Sendlerowa?"
PICTURE = "Wygeneruj obraz psa i kota"

TRUE = "Tak, w Kudowie-Zdroju pada teraz słaby deszcz i jest 1,2 °C."
FALSE = "Tak, w Kudowie-Zdroju jest teraz 12 stopni mrozu i szaleje burza."
BIRTH = "Irena Sendlerowa urodziła się 15 lutego 1910 roku w Warszawie."
LIE = " W 1965 roku dostała Nagrodę Nobla w Sztokholmie."
TITLE = " W 1965 roku otrzymała tytuł Sprawiedliwej wśród Narodów Świata."

CONFIG = """\
[engines.bielik]
kind = "openai"
url = "{model}/v1"
model = "bielik"

[turn]
phrase_chars = 300
phrase_s = 30
summary_s = 30
translate_s = 30

[tools.weather]
openmeteo_url = "{weather}"
geocoding_url = "{weather}"

[tools.wikipedia]
url = "{wikipedia}/w/"

[images.engine]
url = "{images}/v1"
"""


class Stack:
    """The product with a language model, and what that was asked."""

    def __init__(self, client: openai.OpenAI, model: Wordsmith, images: ScriptedImages) -> None:
        self.client = client
        self.model = model
        self.images = images

    def stream(self, prompt: str) -> list[dict[str, object]]:
        chunks = self.client.chat.completions.create(
            model="zwrotnica",
            messages=[{"role": "user", "content": prompt}],
            stream=True,
            stream_options={"include_usage": True},
        )
        return [chunk.to_dict() for chunk in chunks]


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("worded")
    with ExitStack() as opened:
        model = opened.enter_context(Wordsmith())
        model.lines = {
            RAIN: TRUE,
            FROST: FALSE,
            PERSON: BIRTH + LIE + TITLE,
            "pies i kot": "a dog and a cat",
        }
        images = opened.enter_context(ScriptedImages())
        addresses = {
            "model": model.url,
            "weather": opened.enter_context(ScriptedOpenMeteo(now=lambda: datetime.now(UTC))).url,
            "wikipedia": opened.enter_context(ScriptedMediaWiki()).url,
            "images": images.url,
        }
        product = opened.enter_context(serve_product_here(folder, CONFIG, addresses))
        yield Stack(product.client, model, images)


def first_choices(chunks: list[dict[str, object]]) -> list[dict[str, object]]:
    """The one choice of each chunk that has one."""
    lists = [cast("list[dict[str, object]]", chunk["choices"]) for chunk in chunks]
    return [choices[0] for choices in lists if choices]


def pieces(chunks: list[dict[str, object]]) -> list[str]:
    deltas = [cast("dict[str, str]", one["delta"]) for one in first_choices(chunks)]
    return [delta["content"] for delta in deltas if delta.get("content")]


def visible(chunks: list[dict[str, object]]) -> str:
    """The text above the sources."""
    return "".join(pieces(chunks)).partition("\n\n⟦")[0]


def test_the_weather_is_told_in_the_models_words(stack: Stack) -> None:
    chunks = stack.stream(RAIN)

    assert visible(chunks) == TRUE
    last = first_choices(chunks)[-1]
    assert last["finish_reason"] == "stop"
    (cited,) = cast("dict[str, list[dict[str, dict[str, object]]]]", last["delta"])["annotations"]
    assert cited["url_citation"]["title"] == "Pogoda: Kudowa-Zdrój"


def test_a_wording_is_accounted_as_a_phrase(stack: Stack) -> None:
    *_, finish, usage = stack.stream(RAIN)

    extension = cast("dict[str, dict[str, list[dict[str, object]]]]", finish["x_zwrotnica"])
    (leg,) = [leg for leg in extension["usage"]["legs"] if leg["engine"] == "bielik"]
    assert leg["role"] == "phrase"
    told = cast("dict[str, int]", usage["usage"])
    assert told["prompt_tokens"] == leg["prompt_tokens"]
    assert told["completion_tokens"] == leg["completion_tokens"]


def test_weather_that_the_model_makes_up_is_never_shown(stack: Stack) -> None:
    text = visible(stack.stream(FROST))

    assert text.startswith("W Kudowie-Zdroju jest teraz 1,2 ")
    assert "burza" not in text


def test_an_article_is_summarised_sentence_by_sentence(stack: Stack) -> None:
    chunks = stack.stream(PERSON)

    assert visible(chunks) == BIRTH + TITLE
    assert pieces(chunks)[:2] == [BIRTH, TITLE]


def test_an_answer_in_one_piece_is_worded_too(stack: Stack) -> None:
    completion = stack.client.chat.completions.create(
        model="zwrotnica", messages=[{"role": "user", "content": PERSON}]
    )

    content = completion.choices[0].message.content or ""
    assert content.startswith(BIRTH + TITLE)
    assert "Nobla" not in content


def test_a_description_is_drawn_in_english_and_told_in_polish(stack: Stack) -> None:
    chunks = stack.stream(PICTURE)

    assert "![pies i kot](" in visible(chunks)
    assert b"a dog and a cat" in stack.images.requests[-1].body
