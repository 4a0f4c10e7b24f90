"""Starts the real parts, once for all tests of this folder, or once for those of a module."""

import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from parts.chat_page import ChatPage
from parts.chromium_page import Chromium, Window, keep_screenshot, open_chromium
from parts.page_product import PageProduct, open_page_product
from parts.wiki_process import Wiki, is_built, serve_wiki
from scripted.missing import stop_without

INSTALL = "run: make test-parts as root (or tests/parts/install.sh)"
FAILED = Path(__file__).parents[2] / ".cache" / "parts" / "failed"
WINDOWS = pytest.StashKey[list[Window]]()


@pytest.fixture(scope="session")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    """A real MediaWiki with our pages."""
    if not is_built():
        stop_without(f"MediaWiki is not installed; {INSTALL}")
    with serve_wiki(tmp_path_factory.mktemp("wiki")) as wiki:
        yield wiki


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """A browser; Playwright's event loop runs as long as it does, so modules have their own."""
    with open_chromium() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def product(wiki: Wiki, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageProduct]:
    """The product, as it is started by its users."""
    with open_page_product(tmp_path_factory.mktemp("product"), wiki.url) as product:
        yield product


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep how the windows of a failed test look, while they are still open."""
    report = yield
    if report.when == "call" and report.failed:
        name = re.sub(r"[^\w-]+", "-", item.name)
        windows: list[Window] = item.stash.get(WINDOWS, [])
        for number, window in enumerate(windows):
            keep_screenshot(window, FAILED, f"{name}-{number}" if number else name)
    return report


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> list[Window]:
    """Windows whose look is kept in `.cache/parts/failed` if the test fails."""
    windows: list[Window] = []
    request.node.stash[WINDOWS] = windows
    return windows


@pytest.fixture(scope="module")
def desk(chromium: Chromium, product: PageProduct) -> Iterator[Window]:
    """A window on a desk, which the tests of a module use one after the other."""
    with chromium.window(product.url) as window:
        yield window


@pytest.fixture
def chat(desk: Window, product: PageProduct, keep: list[Window]) -> Iterator[ChatPage]:
    """The page, freshly opened and with no conversation; afterwards nothing may have gone wrong."""
    desk.page.goto("about:blank")
    product.forget()
    desk.forget()
    keep.append(desk)
    yield ChatPage(window=desk, url=product.url).open()
    assert desk.errors == []
    assert desk.outside == []
