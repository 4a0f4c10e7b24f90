"""The page as a web application: its policy, its ways through, what stays behind of a user."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import aiohttp
import anyio
import gradio as gr
import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from scripted.chat_api import ChatApi, Step, serve_chat_api, words
from scripted.http_client import wait_for
from scripted.patience import PATIENCE_S
from starlette.routing import Mount

from ui.app import POLICY, create_app
from ui.client import Gateway
from ui.credential import credential_of_event
from ui.look.files import FOREVER

CANARY = "kanarek-51c0"


def story(text: str, force: str | None) -> list[Step]:
    rest: list[Step] = [0.05, ("text", {"text": "dalej "})] * 2000 if "czekaj" in text else []
    return [
        ("route", {"decision": "default", "reason": "plain_text"}),
        *words(f"Odpowiadam na {text}"),
        *rest,
        ("done", {"finish_reason": "stop"}),
    ]


@contextmanager
def serve(make: Callable[[], FastAPI]) -> Iterator[str]:
    """The application on a free port; it is made in the loop that it runs in."""
    config = uvicorn.Config(
        make, factory=True, port=0, log_level="error", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@dataclass(frozen=True, kw_only=True, slots=True)
class Running:
    """A page with its address, beside the gateway that it asks."""

    app: FastAPI
    url: str
    api: ChatApi


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    api, made = ChatApi(story), list[FastAPI]()
    with serve_chat_api(api) as gateway:

        def make() -> FastAPI:
            made.append(create_app(Gateway(gateway, credential=credential_of_event), chats=50))
            return made[0]

        with serve(make) as url:
            yield Running(app=made[0], url=url, api=api)


@pytest.fixture
def page(running: Running) -> str:
    return running.url


@pytest.mark.parametrize(
    ("path", "language", "word"), [("/", "pl", "Nowa rozmowa"), ("/en", "en", "New chat")]
)
def test_the_page_comes_in_two_languages(page: str, path: str, language: str, word: str) -> None:
    reply = httpx2.get(f"{page}{path}", follow_redirects=True)
    assert f'lang="{language}"' in reply.text
    assert word in reply.text


@pytest.mark.parametrize("path", ["/", "/config", "/nothing", "/images/i1.9.mac", "/theme.css"])
def test_every_reply_carries_the_policy(page: str, path: str) -> None:
    headers = httpx2.get(f"{page}{path}").headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/en"])
def test_scripts_of_the_framework_are_kept_by_browsers(page: str, path: str) -> None:
    script = re.search(r'src="\.?(/assets/[^"]+\.js)"', httpx2.get(f"{page}{path}").text)
    assert script
    kept = httpx2.get(f"{page}{path.rstrip('/')}{script[1]}")
    assert (kept.status_code, kept.headers["cache-control"]) == (200, FOREVER)
    assert "cache-control" not in httpx2.get(f"{page}/assets/nothing.js").headers


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    for rule in (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
    ):
        assert rule in POLICY.split("; ")
    assert "unsafe-eval" not in POLICY


def test_pictures_and_exports_come_through_as_they_are(page: str) -> None:
    picture = httpx2.get(f"{page}/images/i1.9.mac")
    export = httpx2.get(f"{page}/api/conversations/c1/export?format=md")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert export.headers["content-disposition"] == 'attachment; filename="rozmowa.md"'
    assert export.text == "# Rozmowa\n"


def test_a_file_of_conversations_goes_through_as_it_is(page: str) -> None:
    file = json.dumps({"format": "zażółć"})
    reply = httpx2.post(f"{page}/api/import", content=file.encode())
    assert reply.json() == {"conversations": 1, "messages": 2, "format": "zażółć"}


@pytest.mark.parametrize("path", ["/api/conversations", "/api/tools", "/api/me", "/v1/models"])
def test_nothing_else_of_the_gateway_is_forwarded(page: str, path: str) -> None:
    assert httpx2.get(f"{page}{path}").status_code == 404


@pytest.mark.parametrize("prefix", ["", "/en"])
@pytest.mark.parametrize("path", ["upload", "file=/etc/passwd", "proxy=http://x", "call/send"])
def test_ways_of_gradio_that_the_page_has_no_use_for_are_closed(
    page: str, prefix: str, path: str
) -> None:
    assert httpx2.post(f"{page}{prefix}/gradio_api/{path}").status_code == 404
    assert httpx2.get(f"{page}{prefix}/gradio_api/{path}").status_code == 404


def test_no_function_can_be_called_by_name(page: str) -> None:
    described = httpx2.get(f"{page}/gradio_api/info").json()
    assert (described["named_endpoints"], described["unnamed_endpoints"]) == ({}, {})


def test_gradio_tells_nobody_of_the_page(page: str) -> None:
    config = httpx2.get(f"{page}/config").json()
    assert (config["analytics_enabled"], config["footer_links"]) == (False, [])


def test_a_gateway_that_is_gone_is_a_bad_gateway() -> None:
    with serve(lambda: create_app(Gateway("http://127.0.0.1:9"), chats=1)) as url:
        assert httpx2.get(f"{url}/images/i1.9.mac").status_code == 502
        assert httpx2.get(url).status_code == 200


# --- a chat through Gradio's own protocol ------------------------------------------------------


async def say(session: aiohttp.ClientSession, who: str, text: str) -> None:
    async with session.get("/config") as reply:
        config = await reply.json()
    ids = {one["props"].get("elem_id"): one["id"] for one in config["components"]}
    event = next(
        one
        for one in config["dependencies"]
        if [ids["send"], "click"] in one["targets"] and len(one["outputs"]) > 1
    )
    order = {
        "data": [text, "", ""],
        "fn_index": event["id"],
        "trigger_id": ids["send"],
        "session_hash": who,
    }
    async with session.post("/gradio_api/queue/join", json=order) as reply:
        assert reply.ok


async def hear(session: aiohttp.ClientSession, who: str, word: str) -> str:
    """What the page sends to a browser until ``word`` is among it."""
    heard = ""
    async with session.get("/gradio_api/queue/data", params={"session_hash": who}) as stream:
        async for line in stream.content:
            heard += line.decode()
            if word in line.decode():
                return heard
    return heard


def blocks_of(app: FastAPI) -> list[gr.Blocks]:
    return [route.app.get_blocks() for route in app.routes if isinstance(route, Mount)]  # type: ignore[attr-defined]  # Gradio's own App


def kept(app: FastAPI) -> str:
    """All that Gradio keeps of the sessions of both pages."""
    return "".join(
        json.dumps(state.config_values, default=str)
        for blocks in blocks_of(app)
        for state in blocks.state_holder.session_data.values()
    )


async def test_an_answer_reaches_the_browser_by_gradios_protocol(page: str) -> None:
    async with aiohttp.ClientSession(page, read_bufsize=2**20) as session:
        with anyio.fail_after(PATIENCE_S):
            await say(session, "first", "pytanie")
            heard = await hear(session, "first", "process_completed")
    assert "Odpowiadam" in heard
    assert '"success":true' in heard


async def test_each_browsers_key_reaches_the_gateway_with_its_own_events(running: Running) -> None:
    keys = {"ala": "klucz Ali", "ola": "klucz Oli", "nikt": "klucz niczyj"}
    running.api.keys = frozenset({keys["ala"], keys["ola"]})
    said = {}

    async def ask(who: str) -> None:
        headers = {"authorization": f"Bearer {keys[who]}"}
        async with aiohttp.ClientSession(running.url, headers=headers) as session:
            await say(session, who, f"pytanie od: {who}")
            said[who] = await hear(session, who, "process_completed")

    try:
        with anyio.fail_after(PATIENCE_S):
            async with anyio.create_task_group() as group:
                for who in keys:
                    group.start_soon(ask, who)
    finally:
        running.api.keys = None
    assert ["Odpowiadam" in said[who] for who in keys] == [True, True, False]
    assert "invalid_api_key" not in said["nikt"]
    assert "Trzeba si" in said["nikt"]


def test_an_export_passes_the_key_on(running: Running) -> None:
    url = f"{running.url}/api/export?format=csv"
    running.api.keys = frozenset({"klucz"})
    try:
        without = httpx2.get(url)
        with_key = httpx2.get(url, headers={"authorization": "Bearer klucz"})
    finally:
        running.api.keys = None
    assert (without.status_code, with_key.status_code) == (401, 200)


async def test_nothing_of_a_user_stays_once_the_tab_is_closed(running: Running) -> None:
    app, api = running.app, running.api
    async with aiohttp.ClientSession(running.url, read_bufsize=2**20) as session:
        with anyio.fail_after(PATIENCE_S):
            beat = await session.get("/gradio_api/heartbeat/second")
            await say(session, "second", f"czekaj {CANARY}")
            await hear(session, "second", "dalej")
            assert CANARY in kept(app)
            beat.close()
            await wait_for(lambda: not api.readers)
            await wait_for(lambda: CANARY not in kept(app))
    assert not api.stops
