"""Usage, keys and administration in Chromium, behind a gateway with keys; pictures are kept."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
import requests
import uvicorn
from parts.accessibility import find_faults
from parts.chromium_page import DESKTOP, PHONE, Chromium, Window
from parts.page_geometry import spilled
from playwright.sync_api import ViewportSize, expect
from scripted.gateway import Backstage, running_gateway, wait_until
from scripted.keyed import bearing, open_keyed

from serving.auth.scopes import ALL
from serving.settings import LimitsSettings, Settings
from ui.app import create_app
from ui.client import Gateway
from ui.credential import credential_of_event

pytestmark = pytest.mark.parts

PICTURES = Path(__file__).parents[2] / ".cache" / "parts" / "desk"
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SECTIONS = ("users", "groups", "keys", "engines", "errors", "usage")


@contextmanager
def serve_page(gateway: str) -> Iterator[str]:
    """The page's application on a free port."""
    config = uvicorn.Config(
        lambda: create_app(Gateway(gateway, credential=credential_of_event), chats=4),
        factory=True,
        port=0,
        log_level="error",
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


async def furnish(settings: Settings) -> str:
    """An administrator's key, and people beside."""
    async with open_keyed(settings) as keyed:
        made = await keyed.key("szef", ALL)
        await keyed.accounts.add_group("studenci", actor="test")
        await keyed.accounts.add("ala.kowalska", actor="test")
        await keyed.accounts.set_member("studenci", "ala.kowalska", is_member=True, actor="test")
        return made.text.whole


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The page's address, and an administrator's key; something was used already."""
    folder = tmp_path_factory.mktemp("desk")
    settings = Settings(data_dir=folder, limits=LimitsSettings(drain_s=0.5))
    with ThreadPoolExecutor(1) as pool:  # Playwright's loop runs in this thread
        key = pool.submit(anyio.run, furnish, settings).result()
    with running_gateway(settings, Backstage()) as gateway, serve_page(gateway.url) as page:
        for text in ("Cześć", "Opowiedz coś"):
            body = {"model": "zwrotnica", "messages": [{"role": "user", "content": text}]}
            reply = requests.post(
                f"{gateway.url}/v1/chat/completions", json=body, headers=bearing(key), timeout=60
            )
            reply.raise_for_status()
        usage = f"{gateway.url}/api/usage"
        wait_until(
            lambda: bool(requests.get(usage, headers=bearing(key), timeout=60).json()["rows"])
        )
        yield page, key


@pytest.fixture
def window(
    chromium: Chromium, desk: tuple[str, str], keep: list[Window], size: ViewportSize
) -> Iterator[Window]:
    """A window whose requests carry the key, as behind a proxy that signs people in."""
    with chromium.window(desk[0], size=size) as window:
        window.page.set_extra_http_headers(bearing(desk[1]))
        keep.append(window)
        yield window
        assert (window.errors, window.outside, spilled(window.page)) == ([], [], [])


def look(window: Window, name: str) -> None:
    """Keep how the page looks; it keeps nobody out."""
    assert find_faults(window.page) == []
    PICTURES.mkdir(parents=True, exist_ok=True)
    width = window.page.viewport_size["width"] if window.page.viewport_size else 0
    window.page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page=True)


@SIZES
def test_usage_is_drawn_and_told(window: Window) -> None:
    window.page.goto("/usage")
    expect(window.page.get_by_role("heading", name="Zużycie", level=1)).to_be_visible()
    expect(window.page.get_by_role("img", name="Tokeny w kolejnych dniach")).to_be_visible()
    window.page.get_by_text("Liczby w tabeli").click()
    expect(window.page.get_by_role("rowheader").first).to_be_visible()
    look(window, "usage")


@SIZES
def test_a_key_is_made_copied_replaced_and_revoked_by_keyboard(window: Window) -> None:
    page = window.page
    page.goto("/keys")
    page.get_by_label("Do czego służy").fill("laptop")
    page.get_by_label("administracja").uncheck()
    page.get_by_role("button", name="Utwórz klucz").press("Enter")
    text = page.get_by_label("Treść klucza").input_value()
    assert text.startswith("zw_")
    page.get_by_role("button", name="Kopiuj").press("Enter")
    expect(page.get_by_role("button", name="Skopiowano")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    look(window, "key-made")
    page.get_by_label("Unieważnij: laptop").first.press("Enter")
    expect(page.get_by_text("Tego nie można cofnąć.").first).to_be_visible()
    look(window, "keys")
    page.get_by_role("button", name="Tak, unieważnij").first.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Klucz został unieważniony.")


@SIZES
def test_administration_is_shown(window: Window) -> None:
    page = window.page
    for section in SECTIONS:
        page.goto(f"/admin/{section}")
        expect(page.get_by_role("heading", name="Administracja", level=1)).to_be_visible()
        current = page.get_by_role("navigation", name="Działy administracji")
        place = current.locator("[aria-current=page]")
        expect(place).to_have_attribute("href", f"/admin/{section}")
        look(window, f"admin-{section}")


@SIZES
def test_a_user_is_changed_on_the_page(window: Window) -> None:
    page = window.page
    page.goto("/admin/users?q=ala")
    page.get_by_label("Zmień: ala.kowalska").press("Enter")
    page.get_by_label("Dostępne narzędzia").first.fill("-")
    look(window, "admin-change")
    page.get_by_role("button", name="Zapisz").first.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Zapisano: ala.kowalska.")
