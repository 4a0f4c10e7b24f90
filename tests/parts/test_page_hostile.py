"""J2 on the page itself: nothing that anybody says or finds is fetched, drawn or run."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import requests
from parts.chat_page import ChatPage
from parts.page_product import PageProduct, open_page_product
from parts.page_scenes import RHYME, active_elements
from playwright.sync_api import expect
from scripted.hostile_services import HostileMediaWiki
from scripted.hostile_text import CANARY, IMAGES, LEAK

pytestmark = pytest.mark.parts

EACH = 64
FORMS = tuple(form for form in IMAGES.values() if "\0" not in form)
"""Without NUL, which requests may not hold."""
BATCHES = tuple(FORMS[at : at + EACH] for at in range(0, len(FORMS), EACH))
IN_BATCHES = pytest.mark.parametrize("forms", BATCHES, ids=range(len(BATCHES)))
SOME = FORMS[::4]
ONE_LINE = tuple(" ".join(form.split())[:110] for form in FORMS[::8])


@pytest.fixture(scope="module")
def wiki() -> Iterator[HostileMediaWiki]:
    with HostileMediaWiki() as wiki:
        yield wiki


@pytest.fixture(scope="module")
def product(
    wiki: HostileMediaWiki, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PageProduct]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    with open_page_product(folder, f"{wiki.url}/w/") as product:
        yield product


@pytest.fixture(autouse=True)
def fetches_nothing(chat: ChatPage) -> Iterator[None]:
    """The page must have asked nobody for what hostile text names."""
    yield
    chat.page.wait_for_timeout(300)  # what is fetched is fetched at once
    assert [one for one in chat.window.requests if LEAK in one or CANARY in one] == []


def converse(product: PageProduct, said: Sequence[tuple[str, str]]) -> str:
    """A conversation with these questions and answers; gives its id."""
    address = f"{product.url}/api/conversations"
    conversation_id = str(requests.post(address, json={}, timeout=30).json()["id"])
    for question, answer in said:
        product.model.otherwise = answer
        reply = requests.post(
            f"{address}/{conversation_id}/messages",
            json={"text": question, "force": "default"},
            timeout=60,
        )
        reply.raise_for_status()
    return conversation_id


@IN_BATCHES
def test_what_a_model_says_is_inert(
    chat: ChatPage, product: PageProduct, forms: Sequence[str]
) -> None:
    told = converse(product, [(f"Pytanie {n}", form) for n, form in enumerate(forms)])
    chat.open(f"/?c={told}")
    expect(chat.answers).to_have_count(len(forms))
    assert active_elements(chat.page) == []


@IN_BATCHES
def test_what_a_user_says_is_inert(
    chat: ChatPage, product: PageProduct, forms: Sequence[str]
) -> None:
    told = converse(product, [(form, "Dobrze.") for form in forms])
    chat.open(f"/?c={told}")
    expect(chat.questions).to_have_count(len(forms))
    assert active_elements(chat.page) == []


def test_words_stay_inert_as_they_come(chat: ChatPage, product: PageProduct) -> None:
    product.model.pace_s = 0.01
    for form in FORMS[::16]:
        product.model.otherwise = f"{form}\n\nKoniec."
        expect(chat.ask(RHYME)).to_contain_text("Koniec.")
        assert active_elements(chat.page) == []


def test_pasted_text_is_inert(chat: ChatPage) -> None:
    chat.ask("\n\n".join(SOME))
    assert active_elements(chat.page) == []


def test_titles_are_inert(chat: ChatPage, product: PageProduct) -> None:
    for title in ONE_LINE:
        reply = requests.post(f"{product.url}/api/conversations", json={"title": title}, timeout=30)
        reply.raise_for_status()
    chat.open()
    expect(chat.listed).to_have_count(len(ONE_LINE))
    assert active_elements(chat.page) == []


@IN_BATCHES
def test_an_article_is_inert(
    chat: ChatPage, product: PageProduct, wiki: HostileMediaWiki, forms: Sequence[str]
) -> None:
    wiki.says = "\n\n".join(forms)
    expect(chat.ask("Kim była Irena Sendlerowa?")).to_contain_text("Irena Sendlerowa")
    assert active_elements(chat.page) == []


def test_imported_answers_are_inert(chat: ChatPage, product: PageProduct) -> None:
    told = converse(product, [(f"Pytanie {n}.", f"Odpowiedź {n}.") for n in range(len(SOME))])
    address = f"{product.url}/api/conversations/{told}/export?format=json"
    document = requests.get(address, timeout=30).text
    for number, form in enumerate(SOME):
        for said in (f"Pytanie {number}.", f"Odpowiedź {number}."):
            document = document.replace(f'"text": "{said}"', f'"text": {_as_json(form)}')
    product.forget()
    reply = requests.post(f"{product.url}/api/import", data=document.encode(), timeout=30)
    assert reply.json()["messages"] == 2 * len(SOME)
    (imported,) = product.list_conversations()
    chat.open(f"/?c={imported['id']}")
    expect(chat.answers).to_have_count(len(SOME))
    assert active_elements(chat.page) == []


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
