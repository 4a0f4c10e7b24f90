"""Debian's Chromium, driven by Playwright: pages whose errors and outside requests are recorded."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypedDict
from urllib.parse import urlsplit

from parts.browser import FLAGS, LoggingProxy, find_chromium, is_its_own, open_proxy
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)
from scripted.missing import stop_without
from typing_extensions import Unpack

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
WAIT_MS = 30_000
"""What takes milliseconds may take so long on a busy machine."""
INSTALL = "Chromium is not installed; run: make test-parts as root (or tests/parts/install.sh)"


class Kind(TypedDict, total=False):
    """What people's windows differ in; all that is left out is a desk by day in Poland.

    ``beside`` is the address of another server that they reach.
    """

    size: ViewportSize
    scheme: Literal["light", "dark"]
    locale: str
    motion: Literal["reduce", "no-preference"]
    scale: float
    beside: str


@dataclass(kw_only=True)
class Window:
    """One page in a fresh profile, and all that went wrong in it."""

    page: Page
    proxy: LoggingProxy
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def outside(self) -> list[str]:
        """The requests that went anywhere but to the product."""
        return [asked for asked in self.proxy.asked if not is_its_own(asked)]

    def watch(self) -> None:
        """Write down from now on what the page asks for and complains of."""
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(f"exception: {error}"))
        self.page.on("request", self._see)

    def forget(self) -> None:
        """Begin anew to write down."""
        for written in (self.errors, self.requests, self.proxy.asked):
            written.clear()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "assert"}:
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _see(self, request: Request) -> None:
        self.requests.append(request.url)


@dataclass(frozen=True, kw_only=True, slots=True)
class Chromium:
    """A running browser."""

    browser: Browser

    @contextmanager
    def window(self, url: str, **kind: Unpack[Kind]) -> Iterator[Window]:
        """A page in an empty profile that reaches ``url``'s host; all else goes to the log."""
        size = kind.get("size", DESKTOP)
        reached = ",".join(urlsplit(one).netloc for one in (url, kind.get("beside", url)))
        with open_proxy({}) as proxy:
            context = self.browser.new_context(
                base_url=url,
                proxy={"server": proxy.url, "bypass": f"<-loopback>,{reached}"},
                viewport=size,
                device_scale_factor=kind.get("scale", 1.0),
                color_scheme=kind.get("scheme", "light"),
                reduced_motion=kind.get("motion", "no-preference"),
                locale=kind.get("locale", "pl-PL"),
                timezone_id="Europe/Warsaw",
                accept_downloads=True,
                has_touch=size["width"] < DESKTOP["width"] // 2,
                permissions=["clipboard-read", "clipboard-write"],
            )
            context.set_default_timeout(WAIT_MS)
            try:
                window = Window(page=context.new_page(), proxy=proxy)
                window.watch()
                yield window
            finally:
                context.close()


@contextmanager
def open_chromium() -> Iterator[Chromium]:
    """Run the browser until the block is left; no other event loop may run meanwhile."""
    command = find_chromium()
    if command is None:
        stop_without(INSTALL)
    flags = [flag for flag in FLAGS if flag != "--headless"]
    with sync_playwright() as playwright:
        expect.set_options(timeout=WAIT_MS)
        browser = playwright.chromium.launch(executable_path=command, args=flags)
        try:
            yield Chromium(browser=browser)
        finally:
            browser.close()


def keep_screenshot(window: Window, folder: Path, name: str) -> None:
    """For whoever looks into a failed test: the page as it stood, and what it complained of."""
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(Error):  # it may be closed
        window.page.screenshot(path=folder / f"{name}.png")
    told: Mapping[str, list[str]] = {"errors": window.errors, "outside": window.outside}
    lines = [f"{kind}: {line}" for kind, found in told.items() for line in found]
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
