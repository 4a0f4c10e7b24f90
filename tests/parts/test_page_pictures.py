"""Pictures on a page that stays open longer than their links are good."""

from collections.abc import Iterator

import pytest
import requests
from parts.chat_page import ChatPage
from parts.page_product import PageProduct, open_page_product
from parts.page_scenes import PICTURE
from parts.wiki_process import Wiki
from playwright.sync_api import expect

pytestmark = pytest.mark.parts

LINK_S = 20
ALT = "latarnia morska o zachodzie słońca"


@pytest.fixture(scope="module")
def product(wiki: Wiki, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageProduct]:
    """The product with links that are good for twenty seconds."""
    folder = tmp_path_factory.mktemp("pictures")
    with open_page_product(folder, wiki.url, link_s=LINK_S) as product:
        yield product


def test_an_expired_link_is_renewed_in_silence(chat: ChatPage) -> None:
    chat.ask(PICTURE)
    picture = chat.answer.get_by_role("img", name=ALT)
    expect(picture).to_be_visible()
    first = picture.evaluate("image => image.currentSrc")
    chat.wait_for(lambda: bool(picture.evaluate("image => image.currentSrc") != first), 90_000)
    chat.wait_for(lambda: requests.get(first, timeout=30).status_code == 410)
    with chat.page.expect_download() as started:
        chat.page.get_by_role("link", name=chat.words.picture_download).click()
    assert started.value.path().stat().st_size > 1_000
    chat.wait_for(lambda: bool(picture.evaluate("image => image.complete && image.naturalWidth")))


def test_a_picture_is_there_after_its_link_has_expired(chat: ChatPage) -> None:
    chat.ask(PICTURE)
    picture = chat.answer.get_by_role("img", name=ALT)
    first = picture.evaluate("image => image.currentSrc")
    chat.wait_for(lambda: requests.get(first, timeout=30).status_code == 410)
    chat.reload()
    chat.wait_for(lambda: bool(picture.evaluate("image => image.complete && image.naturalWidth")))
