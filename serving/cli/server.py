"""The gateway's server: its application behind uvicorn, which drains before it stops."""

import gc
from collections.abc import Callable
from typing import Final

import anyio
from fastapi import FastAPI

from serving.app import create_app
from serving.auth.opening import has_keys
from serving.http.server import Drainable, DrainingServer, configure, ignore_address
from serving.page import WebPage
from serving.settings import Settings, SettingsError, is_loopback

YOUNG_OBJECTS: Final = 10_000
"""New objects after which the collector looks at them; Python's 700 is a few requests."""


def check_binding(settings: Settings) -> None:
    """Refuse an address that others can reach where there are no keys that would keep them out.

    Raises:
        SettingsError: ``host`` is not a loopback address, and there has never been a key.
    """
    if not is_loopback(settings.host) and not anyio.run(has_keys, settings):
        raise SettingsError(
            f"host {settings.host!r} can be reached by others and no keys are configured: "
            "make one by 'zwrotnica keys create', or use 127.0.0.1, ::1 or localhost"
        )


class TurnsThenPage:
    """Drains the turns first: the page's streams carry their last words to browsers."""

    def __init__(self, turns: Drainable, page: WebPage) -> None:
        """Take both."""
        self._turns = turns
        self._page = page

    @property
    def turns(self) -> int:
        """How many turns run now."""
        return self._turns.turns

    async def drain(self, limit_s: float) -> None:
        """Give the turns ``limit_s`` seconds, and the page what it needs to tell of their end."""
        await self._turns.drain(limit_s)
        await self._page.drain()


def build_server(
    settings: Settings,
    app: FastAPI | None = None,
    *,
    page: WebPage | None = None,
    announce: Callable[[str], None] = ignore_address,
) -> DrainingServer:
    """The server of ``settings``, not started; ``page`` is that of ``app``, if it has one.

    Raises:
        SettingsError: the address may not be used.
    """
    check_binding(settings)
    app = app or create_app(settings, page=page)
    limits = settings.limits
    turns: Drainable = app.state.admission

    def tell(url: str) -> None:
        announce(url)
        if page is not None:
            page.announce(url)

    return DrainingServer(
        configure(app, host=settings.host, port=settings.port, limits=limits),
        admission=turns if page is None else TurnsThenPage(turns, page),
        limits=limits,
        announce=tell,
    )


def settle_memory() -> None:
    """What the start has loaded stays, so it is not swept for."""
    gc.freeze()  # else every full collection walks it: a seventh of the time under load
    gc.set_threshold(YOUNG_OBJECTS)
