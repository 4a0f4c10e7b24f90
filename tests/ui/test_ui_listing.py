"""The list of conversations against a scripted gateway: shown, searched, changed, added to."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from scripted.chat_api import ChatApi
from scripted.page_tab import Tab, opened, read_signal

from ui.client import Gateway
from ui.listing import Listing, Looking
from ui.texts import POLISH


@asynccontextmanager
async def listed(address: str) -> AsyncIterator[tuple[Listing, Tab]]:
    async with opened(address) as tab, Gateway(address) as gateway:
        for text in ("raz", "dwa"):
            tab.conversation = ""
            await tab.send(text)
        yield Listing(gateway=gateway, texts=POLISH), tab


async def test_the_list_shows_every_conversation_and_names_the_open_one(address: str) -> None:
    async with listed(address) as (listing, tab):
        drawn, signal = await listing.show("", tab.conversation)
    assert re.findall('data-id="(.*?)"', drawn) == ["c2", "c1"]
    assert read_signal(signal)["titled"] == {"id": "c2", "title": "dwa"}


async def test_a_conversation_is_renamed_and_deleted_in_the_list(
    api: ChatApi, address: str
) -> None:
    async with listed(address) as (listing, _):
        drawn, _ = await listing.rename('{"id": "c1", "title": "Trzy"}', "", "")
        assert "Trzy" in drawn
        drawn, signal = await listing.delete('{"id": "c1"}', "", "")
    assert "Trzy" not in drawn
    assert read_signal(signal)["notice"] == POLISH.status_deleted
    assert list(api.conversations) == ["c2"]


@pytest.mark.parametrize(
    ("answered", "notice"),
    [
        ('{"conversations": 1, "messages": 22}', "Wczytano: 1 rozmowa, 22 wiadomości."),
        (
            '{"conversations": 5, "messages": 12, "pictures_left_out": 3}',
            (
                "Wczytano: 5 rozmów, 12 wiadomości. "
                "Pominięto obrazy, których nie ma na tym serwerze: 3."
            ),
        ),
        ('{"error": {"code": "invalid_request", "message": "x"}}', POLISH.import_failed),
        ('{"error": {"code": "queue_full"}}', POLISH.errors["queue_full"]),
        ("{}", POLISH.error_unreachable),
    ],
)
async def test_what_became_of_a_file_of_conversations_is_told(
    address: str, answered: str, notice: str
) -> None:
    async with listed(address) as (listing, tab):
        drawn, signal = await listing.imported(answered, "", tab.conversation)
    assert read_signal(signal)["notice"] == notice
    assert 'data-id="c1"' in drawn


async def test_a_list_says_what_was_looked_for_and_how_far(address: str) -> None:
    async with listed(address) as (listing, _):
        drawn, _ = await listing.show('{"query": "raz", "pages": 2}', "")
    assert re.findall('data-(?:query|pages)="(.*?)"', drawn) == ["raz", "2"]
    assert Looking.read('{"pages": 99999}').pages == 100


async def test_without_a_gateway_the_list_is_empty_and_says_why() -> None:
    async with Gateway("http://127.0.0.1:9") as gateway:
        listing = Listing(gateway=gateway, texts=POLISH)
        drawn, signal = await listing.rename('{"id": "c1", "title": "x"}', "", "")
    assert POLISH.chats_failed in drawn
    assert read_signal(signal)["notice"] == POLISH.error_unreachable
