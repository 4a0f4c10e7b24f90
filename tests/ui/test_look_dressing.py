"""Gradio's page in our dress: language, head, frame; the files it names, and what they weigh."""

import json
import re
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import html5lib
import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from ui.look.dressing import Dressing, dress
from ui.look.files import FOLDER, LookFiles
from ui.look.shell import draw_closing, draw_opening
from ui.look.signals import draw_json, draw_signal
from ui.texts import ENGLISH, POLISH, Texts

FILES = LookFiles()
OURS = 200_000
"""Bytes of our own part of a page's 600,000: Gradio's part is about 400,000."""


def read_template() -> str:
    """Gradio's page as it ships it, before it fills in a page's components."""
    spec = find_spec("gradio")
    assert spec
    assert spec.origin
    folder = Path(spec.origin).parent
    return (folder / "templates" / "frontend" / "index.html").read_text()


async def send_page(_: Request) -> Response:
    return HTMLResponse(read_template())


async def send_json(_: Request) -> Response:
    return JSONResponse({"a": 1})


async def send_other_page(_: Request) -> Response:
    return HTMLResponse("<p>x</p>")


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    """Gradio's page at /, other replies beside it, all behind the dressing."""
    app = Starlette(
        routes=[
            FILES.route,
            Route("/", send_page),
            Route("/json", send_json),
            Route("/other", send_other_page),
        ]
    )
    texts_of = dict.fromkeys(("/", "/json", "/other"), POLISH)
    dressed = Dressing(app, texts_of=texts_of, files=FILES)
    transport = httpx2.ASGITransport(app=dressed)
    async with httpx2.AsyncClient(transport=transport, base_url="http://page.test") as client:
        yield client


@pytest.fixture(scope="module")
def page() -> str:
    return dress(read_template(), POLISH, FILES)


def test_the_page_is_in_its_language(page: str) -> None:
    assert html5lib.parse(page, namespaceHTMLElements=False).get("lang") == "pl"


def test_the_frame_stands_around_gradio_s_part(page: str) -> None:
    order = [page.index(part) for part in ('id="sidebar"', "<gradio-app", 'class="ai-line"')]
    assert order == sorted(order)
    assert page.count("<gradio-app") == 1


def test_the_theme_is_chosen_before_anything_is_painted(page: str) -> None:
    assert page.index("localStorage") < page.index('rel="stylesheet"') < page.index("<body")


def test_no_other_host_is_named(page: str) -> None:
    addresses = re.findall(r"https?://[^\s\"'<>)\\]+", page)
    assert [one for one in addresses if not one.startswith("http://www.w3.org/")] == []


async def test_every_file_that_the_page_names_is_served(
    client: httpx2.AsyncClient, page: str
) -> None:
    named = set(re.findall(r"/look/[0-9a-f]+/[\w.-]+", page))
    assert len(named) >= 5
    assert {(await client.get(address)).status_code for address in named} == {200}


async def test_a_page_leaves_dressed_whole_and_unkept(client: httpx2.AsyncClient) -> None:
    reply = await client.get("/", headers={"accept-encoding": "br, gzip"})
    assert 'id="sidebar"' in reply.text
    assert reply.headers["content-encoding"] == "gzip"
    plain = await client.get("/", headers={"accept-encoding": "identity"})
    assert int(plain.headers["content-length"]) == len(plain.content)
    assert plain.text == reply.text
    assert reply.headers["content-language"] == "pl"
    assert reply.headers["cache-control"] == "no-cache"


async def test_a_question_for_the_head_alone_gets_no_body(client: httpx2.AsyncClient) -> None:
    assert (await client.head("/")).content == b""


async def test_other_replies_pass_untouched(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/json")).json() == {"a": 1}
    assert (await client.get("/other")).text == "<p>x</p>"


def test_a_page_of_gradio_s_in_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="has changed"):
        dress("<html><gradio-app></gradio-app></html>", POLISH, FILES)


async def test_files_are_packed_and_kept_for_ever(client: httpx2.AsyncClient) -> None:
    reply = await client.get(FILES.url("style.css"), headers={"accept-encoding": "gzip"})
    assert reply.headers["content-encoding"] == "gzip"
    assert "immutable" in reply.headers["cache-control"]
    assert reply.text == FILES.text("style.css")


async def test_a_file_that_there_is_not_is_not_found(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/look/x/secret.py")).status_code == 404
    with pytest.raises(KeyError):
        FILES.url("secret.py")


def test_our_part_of_the_page_is_light() -> None:
    sent = [name for name in FILES.names if not name.endswith("-italic.woff2")]
    assert sum(FILES.size(name) for name in sent) < OURS


def test_scripts_import_only_each_other() -> None:
    for path in (FOLDER / "scripts").glob("*.js"):
        for imported in re.findall(r'from "([^"]+)"', path.read_text()):
            assert imported.removeprefix("./") in FILES.names


def test_no_script_or_style_asks_another_host() -> None:
    for name in FILES.names:
        if name.endswith((".js", ".css")):
            text = FILES.text(name).replace("http://www.w3.org/2000/svg", "")
            assert "http:" not in text
            assert "https:" not in text
            assert "eval(" not in text
            assert "innerHTML =" not in text


@pytest.mark.parametrize("texts", [POLISH, ENGLISH], ids=["pl", "en"])
def test_every_id_is_there_once_and_every_reference_leads_somewhere(texts: Texts) -> None:
    frame = html5lib.parseFragment(
        draw_opening(texts) + draw_closing(texts), namespaceHTMLElements=False
    )
    ids = [one.get("id") for one in frame.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    for name in ("aria-labelledby", "aria-describedby", "aria-controls", "popovertarget", "for"):
        for one in frame.iter():
            assert set((one.get(name) or "").split()) <= set(ids)


@pytest.mark.parametrize("texts", [POLISH, ENGLISH], ids=["pl", "en"])
def test_every_button_of_the_frame_has_a_name(texts: Texts) -> None:
    frame = html5lib.parseFragment(
        draw_opening(texts) + draw_closing(texts), namespaceHTMLElements=False
    )
    for button in frame.iter("button"):
        assert button.get("aria-label") or "".join(button.itertext()).strip()


def test_scripts_find_the_frame_s_elements() -> None:
    frame = draw_opening(POLISH) + draw_closing(POLISH)
    for path in (FOLDER / "scripts").glob("*.js"):
        for name in re.findall(r'getElementById\("([\w-]+)"\)', path.read_text()):
            assert f'id="{name}"' in frame or name in {"conversation", "composer", "send", "stop"}


def test_a_signal_carries_any_text_unharmed() -> None:
    drawn = draw_json({"title": "<b>\"'&\n\n</div>${x}"})
    element = html5lib.parseFragment(drawn, namespaceHTMLElements=False)[0]
    assert json.loads(element.get("data-json") or "") == {"title": "<b>\"'&\n\n</div>${x}"}
    assert "\n" not in drawn


def test_the_same_signal_twice_is_two_signals() -> None:
    assert draw_signal(status="x") != draw_signal(status="x")


@pytest.mark.parametrize("texts", [POLISH, ENGLISH])
def test_the_operators_notices_are_linked_below_the_chat(texts: Texts) -> None:
    assert "/privacy" not in draw_closing(texts)
    closing = draw_closing(texts, ["privacy"])
    assert f'<a href="/privacy" target="_blank">{texts.privacy}' in closing
    assert "/accessibility" not in closing
    assert "/accessibility" in draw_closing(texts, ["accessibility", "privacy"])
