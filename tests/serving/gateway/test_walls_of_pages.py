"""The pages beside the chat tell one account nothing of another, whatever id they get."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
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


async def ask_pages(
    client: httpx2.AsyncClient, routes: Sequence[Route], text: str
) -> list[tuple[str, int, str]]:
    """What Ola is told by each of them, without what she sent herself."""
    found = []
    for method, path, fields in asks_of_pages(routes, text):
        kind = "params" if method == "GET" else "data"
        reply = await client.request(method, path, **{kind: fields})  # type: ignore[arg-type]
        said = reply.text.replace(quote(text, safe=""), "•").replace(text, "•")
        found.append((f"{method} {path} {fields.get('do', '')}", reply.status_code, said))
    return found


async def walk(town: Town, ids: Mapping[str, str]) -> list[str]:
    """Ask as Ola with each of ``ids``, and with one of its form that names nothing."""
    wrong: list[str] = []
    async with Gateway(town.gateway.url) as gateway:
        routes = Desk(gateway, LookFiles()).routes
        transport = httpx2.ASGITransport(app=Starlette(routes=routes))
        headers = {**bearing(town.keys["ola"]), "sec-fetch-site": "same-origin"}
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://page", headers=headers, timeout=PATIENCE_S
        ) as client:
            for kind, value in ids.items():
                told_of_hers = await ask_pages(client, routes, value)
                told_of_twins = await ask_pages(client, routes, twin_of(value))
                for (name, status, said), (_, twins, other) in zip(
                    told_of_hers, told_of_twins, strict=True
                ):
                    is_right = (status, said) == (twins, other)
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
