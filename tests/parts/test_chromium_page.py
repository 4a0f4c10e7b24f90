"""The browser of the other tests: what it records, against pages whose wrongs are known."""

from collections.abc import Iterator

import pytest
from parts.accessibility import find_faults, grave
from parts.chromium_page import Chromium, Window
from parts.page_geometry import POLISH_LETTERS, is_covered, missing_letters, spilled
from scripted.hostile_text import LEAK
from scripted.service import Asked, Reply, ScriptedService

pytestmark = pytest.mark.parts

SHOWN = f"""<!doctype html><html lang=pl><title>Próba</title><main><h1>Próba</h1>
<img alt='' src=http://1.{LEAK}/a.png><button></button>
<p id=wide style="width: 3000px">szerokie</p><p id=under>pod spodem</p>
<div style="overflow: auto; width: 9em"><p style="width: 3000px">przewijane</p></div>
<div style="position: fixed; inset: 0; z-index: 1"></div>
<script>console.error('kłopot'); fetch('/missing'); null.x</script></main>"""


class Pages(ScriptedService):
    """One page with everything wrong."""

    def answer(self, asked: Asked) -> Reply:
        is_page = asked.path == "/"
        return Reply(
            body=SHOWN.encode() if is_page else b"",
            status=200 if is_page else 404,
            media_type="text/html; charset=utf-8",
        )


@pytest.fixture(scope="module")
def window(chromium: Chromium) -> Iterator[Window]:
    with Pages() as pages, chromium.window(pages.url) as window:
        window.page.goto("/", wait_until="networkidle")
        yield window


def test_a_request_to_another_host_is_recorded(window: Window) -> None:
    assert window.outside == [f"http://1.{LEAK}/a.png"]


def test_what_goes_to_the_product_is_not(window: Window) -> None:
    assert {f"{window.page.url}missing", window.page.url} < set(window.requests)


@pytest.mark.parametrize("error", ["kłopot", "404", "exception: "])
def test_complaints_are_recorded(window: Window, error: str) -> None:
    assert any(error in one for one in window.errors)


def test_a_button_without_a_name_is_found(window: Window) -> None:
    (found,) = grave(find_faults(window.page))
    assert "button-name" in found


def test_what_sticks_out_is_found(window: Window) -> None:
    (found,) = spilled(window.page)
    assert "szerokie" in found


def test_what_is_covered_is_found(window: Window) -> None:
    assert is_covered(window.page.locator("#under"))


def test_letters_of_another_font_are_found(window: Window) -> None:
    assert missing_letters(window.page, 400, family="'No Such Font'") == POLISH_LETTERS
    assert missing_letters(window.page, 400, family="'DejaVu Sans'") == ""
