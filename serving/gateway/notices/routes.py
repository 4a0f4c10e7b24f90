"""`/privacy` and `/accessibility`: what the operator says in a Markdown file, as a page."""

import logging
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse

from chatbot.errors import ErrorCode, InvalidRequest, StorageUnavailable
from serving.gateway.services import services_of
from serving.gateway.templates import render

PRIVACY: Final = "/privacy"
ACCESSIBILITY: Final = "/accessibility"
LONGEST: Final = 262_144
"""Bytes of a file that are read."""
_RENDERING: Final = "serving.gateway.notices.rendering"
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-cache",
}
_log = logging.getLogger(__name__)


async def show_privacy(request: Request) -> HTMLResponse:
    """The privacy notice, where the operator has given one (`page.privacy_notice`)."""
    path = services_of(request).settings.page.privacy_notice
    return await _show(path, "Informacja o prywatności", "page.privacy_notice")


async def show_accessibility(request: Request) -> HTMLResponse:
    """The accessibility statement, where the operator has given one."""
    path = services_of(request).settings.page.accessibility_statement
    return await _show(path, "Deklaracja dostępności", "page.accessibility_statement")


async def _show(path: Path | None, title: str, setting: str) -> HTMLResponse:
    """The page made of the file.

    Raises:
        InvalidRequest: there is no such page here (``not_found``).
        StorageUnavailable: the file cannot be read.
    """
    if path is None:
        raise InvalidRequest(
            f"the operator of this server has set no {setting}", code=ErrorCode.NOT_FOUND
        )
    page = await to_thread.run_sync(partial(draw, path, title=title, setting=setting))
    return HTMLResponse(page, headers=_HEADERS)


def draw(path: Path, *, title: str, setting: str) -> str:
    """The whole page; logged where fields of a template are left.

    The reader of Markdown is imported with the first page, so that the API is ready without it.

    Raises:
        StorageUnavailable: the file cannot be read, is too long or no UTF-8.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise StorageUnavailable(f"the file of {setting} is longer than {LONGEST} bytes")
        markdown = text.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageUnavailable(f"the file of {setting} cannot be read as UTF-8") from error
    if left := len(resolve_name(f"{_RENDERING}:UNFILLED").findall(markdown)):
        _log.warning("notice_unfinished", extra={"setting": setting, "fields": left})
    body = resolve_name(f"{_RENDERING}:render")(markdown)
    return render("notices/page.html.j2", {"title": title, "body": body})
