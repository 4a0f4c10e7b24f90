"""The pages beside the chat tell one account nothing of another, whatever id they get."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import quote

import anyio
import httpx2
import pytest
from scripted.keyed import bearing
from scripted.patience import PATIENCE_S
from scripted.persons import NAME, WORDS
from scripted.town import Town, open_town, twin_of
from starlette.applications import Starlette
from starlette.routing import Route

from ui.client import Gateway
from ui.desk.admin import SECTIONS
from ui.desk.routes import Desk
from ui.look.files import LookFiles

OWN_PAGES: Final = frozenset({"/usage", "/en/usage", "/keys", "/en/keys"})
"""What these tell is of whoever asks."""
UNKNOWN: Final = "0123456789abcdef-nikogo"
Told: TypeAlias = tuple[str, int, str]
"""A request, and the status and the page that came of it."""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[Town]:
    with open_town(tmp_path_factory.mktemp("town"), empty_database) as town:
        yield town


FORMS_OF_PAGES: Final = {
    "/keys": ("rotate", "revoke"),
    "/admin/{section}": ("add", "change", "revoke"),
}
"""What a form of the pages beside the chat may ask to be done to what it names."""


def asks_of_pages(routes: Sequence[Route], text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Method, path and fields of every request to these pages that can name something."""
    for path in ("/usage", "/keys", "/admin", "/en/usage", "/en/keys", "/en/admin"):
        yield "GET", path, {"month": text, "q": text, "cursor": text}
    for section in (*SECTIONS, quote(text, safe="")):
        yield "GET", f"/admin/{section}", {"month": text, "q": text, "cursor": text}
    for route in routes:
        for do in FORMS_OF_PAGES.get(route.path.removeprefix("/en"), ()):
            for section in SECTIONS if "{section}" in route.path else ("",):
                path = route.path.replace("{section}", section)
                yield "POST", path, {"do": do, "id": text, "name": text, "groups": text}


async def ask_pages(client: httpx2.AsyncClient, routes: Sequence[Route], text: str) -> list[Told]:
    """What Ola is told by each of them, without what she sent herself."""
    return [await ask_page(client, request, text) for request in asks_of_pages(routes, text)]


async def ask_page(
    client: httpx2.AsyncClient, request: tuple[str, str, dict[str, str]], text: str
) -> Told:
    method, path, fields = request
    kind = "params" if method == "GET" else "data"
    reply = await client.request(method, path, **{kind: fields})  # type: ignore[arg-type]
    said = reply.text.replace(quote(text, safe=""), "•").replace(text, "•")
    return f"{method} {path} {fields.get('do', '')}", reply.status_code, said


async def walk(town: Town, ids: Mapping[str, str]) -> list[str]:
    """Ask as Ola with each of ``ids``, and with one that names nothing.

    Where that makes a difference, which time or the form of the text may be, one of the same form
    is asked just before it is asked again.
    """
    wrong: list[str] = []
    async with Gateway(town.gateway.url) as gateway:
        routes = Desk(gateway, LookFiles()).routes
        transport = httpx2.ASGITransport(app=Starlette(routes=routes))
        headers = {**bearing(town.keys["ola"]), "sec-fetch-site": "same-origin"}
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://page", headers=headers, timeout=PATIENCE_S
        ) as client:
            nobodys = await ask_pages(client, routes, UNKNOWN)
            for kind, value in ids.items():
                twin = twin_of(value)
                asked = zip(asks_of_pages(routes, value), asks_of_pages(routes, twin), strict=True)
                for (request, like), other in zip(asked, nobodys, strict=True):
                    told = await ask_page(client, request, value)
                    if not (is_right := told[1:] == other[1:]):
                        twins = await ask_page(client, like, twin)
                        told = await ask_page(client, request, value)  # a clock may have moved on
                        is_right = told[1:] == twins[1:]
                    name, status, said = told
                    is_silent = WORDS not in said and NAME not in said
                    is_closed = status in {403, 404} or name.split()[1] in OWN_PAGES
                    if not (is_right and is_silent and is_closed):
                        wrong.append(f"{name}, {kind} = {value!r}: {status}")
    return wrong


def test_the_pages_beside_the_chat_know_nothing_of_anothers(town: Town) -> None:
    before = town.belongings()
    wrong = anyio.run(walk, town, town.ids)
    assert wrong == []
    assert sorted(before ^ town.belongings()) == []
