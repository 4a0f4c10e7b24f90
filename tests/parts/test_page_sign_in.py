"""Signing in to the web chat in Chromium: by password, by a provider, and out again."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from parts.accessibility import find_faults
from parts.chat_page import ChatPage
from parts.chromium_page import PHONE, Chromium, Window
from parts.page_product import START_S
from parts.page_scenes import INTEGRAL
from playwright.sync_api import Page, expect
from scripted.gateway import wait_until
from scripted.gateway_process import serving
from scripted.oidc_provider import CLIENT, SECRET, ScriptedProvider
from scripted.patience import PATIENCE_S

pytestmark = pytest.mark.parts

PASSWORD = "poprawny koń bateria zszywka"
PICTURES = Path(__file__).parents[2] / ".cache" / "parts" / "sign-in"


@dataclass(frozen=True, kw_only=True)
class Site:
    """The product where Ala has a password and a provider knows Jan."""

    url: str
    provider: ScriptedProvider


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with ScriptedProvider() as provider:
        environ = {
            "PATH": os.environ["PATH"],
            "ZWROTNICA_PAGE__ENABLED": "true",
            "ZWROTNICA_PAGE__START_S": str(START_S),
            "ZWROTNICA_AUTH__OIDC__ISSUER": provider.url,
            "ZWROTNICA_AUTH__OIDC__CLIENT_ID": CLIENT,
            "ZWROTNICA_AUTH__OIDC__CLIENT_SECRET": SECRET,
            "ZWROTNICA_AUTH__OIDC__LABEL": "Uczelnia",
        }
        with serving(folder, environ) as gateway:
            for words, given in ((("add", "ala"), ""), (("password", "ala"), PASSWORD)):
                command = (sys.executable, "-m", "serving.cli", "users", *words)
                variables = {"ZWROTNICA_DATA_DIR": str(folder), **environ}
                subprocess.run(command, env=variables, input=given.encode(), check=True)
            wait_until(lambda: is_ready(gateway.url), START_S)
            yield Site(url=gateway.url, provider=provider)
            gateway.stop()
            assert gateway.process.wait(PATIENCE_S) == 0


def is_ready(url: str) -> bool:
    headers = {"authorization": "Bearer nobody"}
    return requests.get(url, headers=headers, timeout=PATIENCE_S).ok


@pytest.fixture
def window(chromium: Chromium, site: Site, keep: list[Window]) -> Iterator[Window]:
    with chromium.window(site.url, beside=site.provider.url) as window:
        keep.append(window)
        yield window
        assert window.outside == []


def keep_picture(page: Page, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")


def fill_in(page: Page, password: str) -> None:
    page.get_by_label("Nazwa użytkownika").fill("ala")
    page.get_by_label("Hasło").fill(password)
    page.get_by_role("button", name="Zaloguj się").click()


def test_one_signs_in_by_a_password_chats_and_signs_out(window: Window, site: Site) -> None:
    page = window.page
    page.goto("/")
    expect(page.get_by_role("heading", name="Zaloguj się")).to_be_visible()
    keep_picture(page, "form")
    fill_in(page, "źle")
    expect(page.get_by_role("alert")).to_have_text("Nazwa użytkownika albo hasło się nie zgadza.")
    keep_picture(page, "wrong")
    window.forget()
    fill_in(page, PASSWORD)
    chat = ChatPage(window=window, url=site.url).wait_usable()
    chat.say(INTEGRAL)
    expect(chat.answer).to_contain_text("9")
    expect(chat.send_button).to_be_visible()
    keep_picture(page, "chat")
    assert len(chat.export("JSON")) > 100
    assert window.errors == []
    page.get_by_role("link", name="Konto i wylogowanie").click()
    expect(page.get_by_text("Zalogowano jako ala.")).to_be_visible()
    keep_picture(page, "account")
    page.get_by_role("button", name="Wyloguj się", exact=True).click()
    expect(page.get_by_role("heading", name="Zaloguj się")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name="Zaloguj się")).to_be_visible()


def test_one_signs_in_by_a_provider(window: Window, site: Site) -> None:
    page = window.page
    page.goto("/en")
    page.get_by_role("link", name="Zaloguj się przez: Uczelnia").click()
    page.wait_for_url(f"{site.url}/en")
    page.goto("/account")
    expect(page.get_by_text("Zalogowano jako jan.kowalski.")).to_be_visible()
    assert window.errors == []


def test_the_form_fits_a_phone_in_the_dark_and_is_accessible(
    chromium: Chromium, site: Site, keep: list[Window]
) -> None:
    with chromium.window(site.url, size=PHONE, scheme="dark") as window:
        keep.append(window)
        window.page.goto("/sign-in")
        keep_picture(window.page, "phone")
        assert find_faults(window.page) == []
