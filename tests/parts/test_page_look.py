"""The look of the page: nothing covered or cut off, on a phone, in the dark, by keyboard alone."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeAlias

import pytest
from parts.accessibility import find_faults, grave
from parts.chat_page import ChatPage
from parts.chromium_page import DESKTOP, PHONE, Chromium, Kind, Window
from parts.page_geometry import WIDEST_LINE, is_covered, luminance, missing_letters, spilled
from parts.page_product import PageProduct
from parts.page_scenes import FORMULA, INTEGRAL, PERSON, RAIN, RHYME, RICH, TALE
from playwright.sync_api import ViewportSize, expect
from typing_extensions import Unpack

from ui.texts import ENGLISH, POLISH, Texts

pytestmark = pytest.mark.parts

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
Visit: TypeAlias = Callable[..., ChatPage]
LONG = "\n\n".join([TALE, RICH, FORMULA] * 3)


@pytest.fixture
def visit(chromium: Chromium, product: PageProduct, keep: list[Window]) -> Iterator[Visit]:
    """Opens the page in any kind of window; afterwards nothing may have gone wrong in it."""
    product.forget()
    with ExitStack() as stack:

        def open_page(words: Texts = POLISH, **kind: Unpack[Kind]) -> ChatPage:
            window = stack.enter_context(chromium.window(product.url, **kind))
            keep.append(window)
            return ChatPage(window=window, url=product.url, words=words).open()

        yield open_page
        assert [(window.errors, window.outside) for window in keep] == [([], [])] * len(keep)


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_outside_the_window(
    visit: Visit, product: PageProduct, size: ViewportSize, scheme: str
) -> None:
    product.model.lines = {RHYME: LONG}
    chat = visit(size=size, scheme=scheme)
    assert spilled(chat.page) == []
    for text in (RHYME, RAIN, INTEGRAL):
        chat.ask(text)
    assert spilled(chat.page) == []


@SIZES
def test_the_field_for_messages_is_in_sight_and_free(
    visit: Visit, product: PageProduct, size: ViewportSize
) -> None:
    product.model.lines = {RHYME: LONG}
    chat = visit(size=size)
    for _ in range(2):
        box = chat.box.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"]
        assert box["width"] >= 0.5 * min(size["width"], 600)
        assert not is_covered(chat.box)
        assert not is_covered(chat.send_button)
        chat.ask(RHYME)


def test_lines_are_of_readable_width(visit: Visit, product: PageProduct) -> None:
    product.model.lines = {RHYME: LONG}
    chat = visit(size={"width": 1920, "height": 1080})
    chat.ask(RHYME)
    box = chat.answer.locator("p").first.bounding_box()
    assert box is not None
    assert 480 <= box["width"] <= WIDEST_LINE


def test_on_a_phone_an_answer_has_most_of_the_width(visit: Visit, product: PageProduct) -> None:
    product.model.lines = {RHYME: LONG}
    chat = visit(size=PHONE)
    chat.ask(RHYME)
    box = chat.answer.locator("p").first.bounding_box()
    assert box is not None
    assert box["width"] >= 0.8 * PHONE["width"]


def test_on_a_phone_the_list_is_behind_a_button(visit: Visit) -> None:
    chat = visit(size=PHONE, motion="reduce")  # nothing is half-way
    chat.ask(RHYME)
    expect(chat.search).not_to_be_in_viewport()
    chat.button(chat.words.chats).click()
    expect(chat.search).to_be_in_viewport()
    assert not is_covered(chat.search)
    assert spilled(chat.page) == []
    chat.page.keyboard.press("Escape")
    expect(chat.search).not_to_be_in_viewport()


def test_on_a_desk_the_list_is_in_sight(visit: Visit) -> None:
    expect(visit().search).to_be_in_viewport()


def test_the_page_follows_the_systems_theme(visit: Visit) -> None:
    assert luminance(visit(scheme="light").page) > 200
    assert luminance(visit(scheme="dark").page) < 60


def test_a_chosen_theme_stays(visit: Visit) -> None:
    chat = visit(scheme="light")
    chat.choose_theme(chat.words.theme_dark)
    chat.wait_for(lambda: luminance(chat.page) < 60)
    chat.reload()
    assert luminance(chat.page) < 60
    chat.choose_theme(chat.words.theme_system)
    chat.wait_for(lambda: luminance(chat.page) > 200)


def test_nothing_of_the_framework_is_in_sight(visit: Visit) -> None:
    chat = visit()
    chat.ask(RHYME)
    for word in ("Gradio", "Use via API", "Built with", "Settings", "Chatbot", "Share"):
        expect(chat.page.get_by_text(word).filter(visible=True)).to_have_count(0)
    expect(chat.page.locator("footer:not(.ai-line)")).to_have_count(0)


def test_the_page_says_that_one_talks_to_a_machine(visit: Visit) -> None:
    expect(visit().page.get_by_text(POLISH.ai_line)).to_be_in_viewport()


def test_the_english_page_is_english(visit: Visit) -> None:
    chat = visit(ENGLISH, locale="en-GB")
    expect(chat.page.locator("html")).to_have_attribute("lang", "en")
    expect(chat.page.get_by_text(ENGLISH.ai_line)).to_be_visible()
    chat.ask(RAIN)
    chat.ask(INTEGRAL)
    shown = chat.page.locator("body").inner_text()
    answers = "\n".join(chat.answers.all_inner_texts() + chat.questions.all_inner_texts())
    chrome = [line for line in shown.splitlines() if line.strip() and line not in answers]
    foreign = [line for line in chrome if re.search("[ąćęłńśźż]", line) and RAIN[:9] not in line]
    assert [line for line in foreign if line != "Łódź"] == []


def test_the_languages_are_a_link_apart(visit: Visit) -> None:
    chat = visit()
    chat.page.get_by_role("link", name=POLISH.other_language).click()
    expect(chat.page.get_by_role("textbox", name=ENGLISH.message, exact=True)).to_be_editable()
    chat.page.get_by_role("link", name=ENGLISH.other_language).click()
    expect(chat.box).to_be_editable()
    expect(chat.page.locator("html")).to_have_attribute("lang", "pl")


def test_a_conversation_is_held_by_keyboard_alone(visit: Visit, product: PageProduct) -> None:
    product.model.lines = {RHYME: TALE}
    chat = visit()
    keyboard = chat.page.keyboard
    expect(chat.box).to_be_focused()
    keyboard.type("Ułóż krótką")
    keyboard.press("Shift+Enter")
    keyboard.type("bajkę o smoku")
    expect(chat.box).to_have_value("Ułóż krótką\nbajkę o smoku")
    keyboard.press("Enter")
    chat.wait_answered(2)
    product.model.allowed = 3
    keyboard.type("A dalej?")
    keyboard.press("Enter")
    expect(chat.stop_button).to_be_visible()
    keyboard.press("Escape")
    expect(chat.stop_button).to_be_hidden()
    assert chat.stored()["messages"][-1]["state"] == "incomplete"


def test_everything_is_reached_by_tab_and_seen_to_be(visit: Visit) -> None:
    chat = visit(motion="reduce")  # nothing fades in or out
    chat.ask(RAIN)
    names = chat.tab_through()
    wanted = (
        *(chat.words.new_chat, chat.words.search, chat.words.settings, chat.words.export),
        *(chat.words.message, chat.words.regenerate, chat.words.copy, chat.words.good_answer),
        *(chat.words.edit, "To nie było pytanie o pogodę"),
    )
    assert [name for name in wanted if name not in names] == []
    assert [name for name, is_marked in names.items() if not is_marked] == []


def test_calm_is_kept_where_it_is_wanted(visit: Visit, product: PageProduct) -> None:
    product.model.allowed = 0
    chat = visit(motion="reduce")
    chat.say(RHYME)
    expect(chat.stop_button).to_be_visible()
    assert chat.count_motions() == 0


@pytest.mark.parametrize("weight", [400, 500, 600, 700])
def test_the_font_has_every_polish_letter(visit: Visit, product: PageProduct, weight: int) -> None:
    chat = visit()
    chat.ask(RHYME)
    assert missing_letters(chat.page, weight) == ""


@pytest.mark.parametrize(
    ("words", "size", "scheme"),
    [
        (POLISH, DESKTOP, "light"),
        (POLISH, DESKTOP, "dark"),
        (POLISH, PHONE, "light"),
        (POLISH, PHONE, "dark"),
        (ENGLISH, DESKTOP, "light"),
    ],
    ids=["light", "dark", "phone", "phone, dark", "English"],
)
def test_nobody_is_kept_out(
    visit: Visit, product: PageProduct, words: Texts, size: ViewportSize, scheme: str
) -> None:
    product.model.lines = {RHYME: LONG}
    chat = visit(words, size=size, scheme=scheme, motion="reduce")  # no colour is half-way
    found = {"empty": grave(find_faults(chat.page))}
    for text in (RHYME, RAIN, PERSON, INTEGRAL):
        chat.ask(text)
    found["answered"] = grave(find_faults(chat.page))
    chat.button(words.bad_answer).last.click()
    expect(chat.page.get_by_role("dialog", name=words.feedback_thanks)).to_be_visible()
    found["opinion"] = grave(find_faults(chat.page))
    chat.button(words.feedback_skip).click()
    chat.open_settings()
    found["settings"] = grave(find_faults(chat.page))
    assert found == {"empty": [], "answered": [], "opinion": [], "settings": []}
