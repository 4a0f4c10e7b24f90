"""Puts the page's frame, styles and scripts into Gradio's page, before anything is painted.

Gradio adds a given ``head`` only once its own scripts run, which shows an unstyled page first, and
its template names hosts that are not ours. So the page is rewritten on its way out.
"""

import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.credential import is_signed_in
from ui.look.files import LookFiles
from ui.look.shell import ACCOUNT, draw_closing, draw_opening
from ui.texts import Texts

_HEAD: Final = re.compile(r"<head>\s*<meta charset=\"utf-8\" />")
_FOREIGN: Final = re.compile(
    r"\s*<meta\s+(?:property=\"og:|name=\"twitter:)[^>]*>|\s*<link rel=\"manifest\"[^>]*>"
)
_FIRST_STYLE: Final = re.compile(r"<style>\s*:root.*?</style>", re.DOTALL)
_APP: Final = re.compile(r"<gradio-app.*?</gradio-app>", re.DOTALL)
_LEVEL: Final = 6
_LANGUAGE: Final = '<html\n\tlang="en"'
_WORDS: Final = (
    *("assistant_said", "cancel", "conversation", "copied", "copy_code", "edit_message"),
    *("message", "new_tab", "rename_label", "send_again", "you_said"),
)


class Dressing:
    """Middleware: HTML pages at ``texts_of``'s paths leave in our dress."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        texts_of: Mapping[str, Texts],
        files: LookFiles,
        notices: Sequence[str] = (),
    ) -> None:
        """``texts_of`` maps a path (``/``, ``/en``) to the language of the page there."""
        self._app = app
        self._notices = notices
        self._texts_of = texts_of
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; whatever is no page of ours passes untouched."""
        texts = None
        if scope["type"] == "http":
            texts = self._texts_of.get(scope["path"].rstrip("/") or "/")
        if texts is None:
            await self._app(scope, receive, send)
            return
        notices = (*self._notices, ACCOUNT) if is_signed_in(scope) else self._notices
        dressed = partial(dress, texts=texts, files=self._files, notices=notices)
        sender = _Sender(send, dressed, texts.language, is_packed=_takes_gzip(scope))
        await self._app(_plainly(scope), receive, sender.send)


class _Sender:
    """Holds a page back until it is whole, and sends it dressed."""

    def __init__(
        self, send: Send, dressed: Callable[[str], str], language: str, *, is_packed: bool
    ) -> None:
        self._send = send
        self._is_packed = is_packed
        self._dressed = dressed
        self._language = language
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            await self._collect(message, self._start)

    async def _collect(self, message: Message, start: Message) -> None:
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        page = self._dressed(self._body.decode()).encode() if self._body else b""
        headers = MutableHeaders(scope=start)
        if page and self._is_packed:
            page = gzip.compress(page, compresslevel=_LEVEL)
            headers["content-encoding"] = "gzip"
        if page:
            headers["content-length"] = str(len(page))
        headers["vary"] = "accept-encoding"
        headers["cache-control"] = "no-cache"
        headers["content-language"] = self._language
        await self._send(start)
        await self._send({"type": "http.response.body", "body": page})


def dress(page: str, texts: Texts, files: LookFiles, notices: Sequence[str] = ()) -> str:
    """Gradio's page with our head, frame and language; a page of another kind is left as it is.

    Raises:
        ValueError: the page is Gradio's, but not of the form that we know how to dress.
    """
    if "<gradio-app" not in page:
        return page
    page = _FOREIGN.sub("", page)
    page = page.replace(_LANGUAGE, f'<html\n\tlang="{texts.language}"', 1)
    page, styled = _FIRST_STYLE.subn("", page, count=1)
    page, headed = _HEAD.subn(lambda _: _draw_head(texts, files), page, count=1)
    page, framed = _APP.subn(
        lambda app: f"{draw_opening(texts)}{app[0]}{draw_closing(texts, notices)}", page, count=1
    )
    if not (styled and headed and framed and f'lang="{texts.language}"' in page):
        raise ValueError("Gradio's page has changed; ui.look.dressing has to learn its new form")
    return page


def _takes_gzip(scope: Scope) -> bool:
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


def _plainly(scope: Scope) -> Scope:
    """The same request for a page that is not packed, so that it can be rewritten."""
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    return {**scope, "headers": headers}


def _is_page(message: Message) -> bool:
    headers = MutableHeaders(raw=message["headers"])
    is_plain = "content-encoding" not in headers
    return is_plain and headers.get("content-type", "").startswith("text/html")


def _draw_head(texts: Texts, files: LookFiles) -> str:
    words = json.dumps({name: getattr(texts, name) for name in _WORDS}, ensure_ascii=True)
    fonts = "".join(
        f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{files.url(name)}">'
        for name in files.first_fonts
    )
    return (
        '<head><meta charset="utf-8" /><meta name="color-scheme" content="light dark">'
        f'<meta name="description" content="{escape(texts.tagline)}">'
        f"<title>{escape(texts.name)}</title>"
        f'<script>window.zwrotnica={{"language":"{texts.language}","words":{_in_script(words)}}};'
        f"{files.text('early.js')}</script>"
        f'{fonts}<link rel="stylesheet" href="{files.url("style.css")}">'
        f'<link rel="icon" type="image/svg+xml" href="{files.url("mark.svg")}">'
        f'<script type="module" src="{files.url("page.js")}"></script>'
    )


def _in_script(text: str) -> str:
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")
