"""A conversation that an OpenAI client sends back as it was shown, against the whole product.

The default model echoes all it is sent: neither frame nor link, signature or acknowledgment reached
it, and it knows which pictures were shown. Where it makes up links and pictures, nobody sees any.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
import requests
from markdown_it import MarkdownIt
from scripted.attributions import FABRICATION, SIGNATURE
from scripted.images import ScriptedImages
from scripted.mediawiki import ScriptedMediaWiki
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.patience import PATIENCE_S
from scripted.product import (
    CONFIG,
    PICTURES,
    Message,
    Product,
    Said,
    say_streamed,
    say_whole,
    serve_product_here,
)
from scripted.talker import Received, Talker, spoken

MODEL = """\
default_engine = "talker"

[engines.talker]
kind = "openai"
url = "{talker}/v1"
model = "talker"

"""
PROMPTS = (
    "Czy w Kudowie-Zdroju pada?",
    "Kim była Irena Sendlerowa?",
    "Wygeneruj obraz psa i kota",
    "Ładny! Jak myślisz, ile mają lat?",
    "Ile wynosi całka z x^3 od 0 do 2?",
    "Narysuj zamek nad jeziorem",
    "Wygeneruj obraz psa i kota",
    "Ułóż fraszkę o jesieni",
    "Jaka pogoda będzie jutro w Kudowie-Zdroju?",
    "Opowiedz, co było na obrazach, i podaj do nich linki",
)
DRAWN = {2, 5, 6}
TOLD = {3, 7, 9}
CLIENTS = pytest.mark.parametrize("say", [say_whole, say_streamed], ids=["whole", "streamed"])


@pytest.fixture(scope="module")
def talker() -> Iterator[Talker]:
    with Talker() as talker:
        yield talker


@pytest.fixture(scope="module")
def talking(tmp_path_factory: pytest.TempPathFactory, talker: Talker) -> Iterator[Product]:
    with ExitStack() as stack:
        weather = stack.enter_context(ScriptedOpenMeteo(now=lambda: datetime.now(UTC))).url
        addresses = {
            "talker": talker.url,
            "weather": weather,
            "openweather": weather,
            "wikipedia": stack.enter_context(ScriptedMediaWiki()).url,
            "images": stack.enter_context(ScriptedImages()).url,
        }
        folder = tmp_path_factory.mktemp("talking")
        yield stack.enter_context(serve_product_here(folder, MODEL + CONFIG + PICTURES, addresses))


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """Ten turns with the model that echoes: what the client was shown, what the model got."""

    answers: list[Said]
    received: list[Received]


@pytest.fixture(scope="module", params=[say_whole, say_streamed], ids=["whole", "streamed"])
def echoed(talking: Product, talker: Talker, request: pytest.FixtureRequest) -> Conversation:
    talker.says = None
    talker.requests.clear()
    answers = converse(talking, request.param, PROMPTS)
    return Conversation(answers=answers, received=talker.received)


def converse(product: Product, say: Callable[..., Said], prompts: Iterable[str]) -> list[Said]:
    """Turns, each with all that was said before, as the client was shown it."""
    conversation: list[Message] = []
    answers = []
    for prompt in prompts:
        conversation.append({"role": "user", "content": prompt})
        answers.append(say(product, *conversation))
        conversation.append({"role": "assistant", "content": answers[-1].content})
    return answers


def test_tools_draw_and_name_their_sources(echoed: Conversation) -> None:
    shown = [said.content for said in echoed.answers]
    assert [n for n, text in enumerate(shown) if "![" in text] == sorted(DRAWN)
    assert [n for n, text in enumerate(shown) if "⟦źródło: " not in text] == sorted(TOLD)


def test_nothing_that_is_not_for_models_reaches_the_model(echoed: Conversation) -> None:
    received = "\n".join(map(spoken, echoed.received))
    assert len(echoed.received) >= len(TOLD)
    assert not {"⟦", "⟧"} & set(received)
    assert not SIGNATURE.search(received)
    for word in ("/images/", "źródło:", "Gotowe, oto obraz", "model obrazów", "]("):
        assert word not in received


def test_the_model_knows_which_pictures_were_shown(echoed: Conversation) -> None:
    system, *rest = echoed.received[-1]
    assert system["role"] == "system"
    assert system["content"].endswith(
        "Pokazano obraz: pies i kot\nPokazano obraz: zamek nad jeziorem"
    )
    roles = [message["role"] for message in rest]
    assert roles == ["user", "assistant"] * (len(rest) // 2) + ["user"]
    said = [message["content"] for message in rest if message["role"] == "user"]
    assert said[2] == f"{PROMPTS[2]}\n\n{PROMPTS[3]}"
    assert said[-1] == PROMPTS[-1]


def test_every_frame_is_trusted_on_return(talking: Product, echoed: Conversation) -> None:
    messages = [{"role": "assistant", "content": said.content} for said in echoed.answers]
    reply = requests.post(
        f"{talking.url}/v1/attribution/verify", json={"messages": messages}, timeout=PATIENCE_S
    )
    frames = reply.json()["frames"]
    assert {frame["message"] for frame in frames} == set(range(len(PROMPTS))) - TOLD
    assert {frame["verdict"] for frame in frames} == {"trusted"}


@CLIENTS
def test_no_fabricated_link_picture_or_frame_is_shown(
    talking: Product, talker: Talker, say: Callable[..., Said]
) -> None:
    talker.says = FABRICATION
    for said in converse(talking, say, [PROMPTS[number] for number in sorted(TOLD)]):
        html = MarkdownIt("commonmark", {"html": True}).render(said.content)
        assert "via OpenWeather" in html
        assert not {"⟦", "⟧"} & set(said.content)
        assert "<a" not in html
        assert "<img" not in html
        assert "://" not in said.content
