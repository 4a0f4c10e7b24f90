"""Conversations on the page: nothing is lost, everything can be found, changed and taken away."""

import csv
import io
import json
import re

import pytest
from openpyxl import load_workbook
from parts.chat_page import ChatPage
from parts.chromium_page import Chromium, Window
from parts.page_product import PageProduct
from parts.page_scenes import PERSON, RAIN, RHYME, TALE
from playwright.sync_api import expect
from scripted.relay import Relay

from ui.listing import NAMING_S

pytestmark = pytest.mark.parts

WORDS = TALE.split()


def test_an_answer_survives_a_reload(chat: ChatPage) -> None:
    chat.ask(RAIN)
    chat.reload()
    expect(chat.questions).to_have_text([re.compile(re.escape(RAIN))])
    expect(chat.answer).to_contain_text("Jutro w Łodzi")
    expect(chat.card("Pogoda")).to_contain_text("Łódź")
    expect(chat.source("OpenWeather")).to_be_visible()


def test_a_reload_in_mid_answer_loses_and_doubles_nothing(
    chat: ChatPage, product: PageProduct
) -> None:
    product.model.lines, product.model.allowed = {RHYME: TALE}, 12
    chat.say(RHYME)
    expect(chat.answer).to_contain_text(" ".join(WORDS[:4]))
    chat.reload()
    expect(chat.answer).to_contain_text(" ".join(WORDS[:4]))
    product.model.allowed = 30
    expect(chat.answer).to_contain_text(" ".join(WORDS[:14]))
    product.model.allowed = None
    expect(chat.told).to_have_text(re.compile(rf"^\s*{re.escape(TALE)}\s*$"))
    assert len(product.model.answers) == 1


def test_a_cut_connection_is_resumed(
    chromium: Chromium, product: PageProduct, keep: list[Window]
) -> None:
    product.forget()
    product.model.lines, product.model.allowed = {RHYME: TALE}, 12
    with Relay(product.port) as relay, chromium.window(relay.url) as window:
        keep.append(window)
        chat = ChatPage(window=window, url=product.url).open()
        chat.say(RHYME)
        expect(chat.answer).to_contain_text(" ".join(WORDS[:4]))
        relay.cut()
        product.model.allowed = 30
        chat.page.wait_for_timeout(500)
        relay.mend()
        expect(chat.answer).to_contain_text(" ".join(WORDS[:14]))
        product.model.allowed = None
        expect(chat.told).to_have_text(re.compile(rf"^\s*{re.escape(TALE)}\s*$"))
        expect(chat.stop_button).to_be_hidden()
        assert window.outside == []
    assert len(product.model.answers) == 1


def test_a_closed_page_does_not_stop_the_answer(
    chromium: Chromium, chat: ChatPage, product: PageProduct
) -> None:
    product.model.lines, product.model.allowed = {RHYME: TALE}, 12
    chat.say(RHYME)
    expect(chat.answer).to_contain_text(" ".join(WORDS[:4]))
    address = chat.page.url
    chat.page.goto("about:blank")
    product.model.allowed = None
    with chromium.window(product.url) as window:
        later = ChatPage(window=window, url=product.url).open(address)
        expect(later.answer).to_contain_text(TALE)


def test_a_message_is_edited_and_sent_again(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {"kocie": "Mruczek.", "psie": "Burek."}
    expect(chat.ask("Ułóż wiersz o kocie")).to_contain_text("Mruczek.")
    chat.edit("Ułóż wiersz o psie")
    expect(chat.answer).to_contain_text("Burek.")
    expect(chat.questions).to_have_text([re.compile("Ułóż wiersz o psie")])
    expect(chat.page.get_by_text("2 z 2", exact=True)).to_be_visible()
    chat.button(chat.words.previous_version).click()
    expect(chat.answer).to_contain_text("Mruczek.")
    expect(chat.questions).to_have_text([re.compile("Ułóż wiersz o kocie")])
    chat.button(chat.words.next_version).click()
    expect(chat.answer).to_contain_text("Burek.")


def test_an_answer_is_made_again_and_the_old_one_is_kept(
    chat: ChatPage, product: PageProduct
) -> None:
    product.model.lines = {RHYME: "Pierwsza bajka."}
    chat.ask(RHYME)
    product.model.lines = {RHYME: "Druga bajka."}
    chat.button(chat.words.regenerate).click()
    chat.wait_answered(3)
    expect(chat.answer).to_contain_text("Druga bajka.")
    chat.button(chat.words.previous_version).click()
    expect(chat.answer).to_contain_text("Pierwsza bajka.")
    chat.reload()
    expect(chat.answer).to_contain_text("Pierwsza bajka.")
    expect(chat.page.get_by_text("1 z 2", exact=True)).to_be_visible()


def test_a_wrong_track_is_left(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RAIN: "Pytasz o wiersz pod tytułem Pogoda?"}
    chat.ask(RAIN)
    chat.button("To nie było pytanie o pogodę").click()
    chat.wait_answered(3)
    expect(chat.answer).to_contain_text("Pytasz o wiersz")
    forced = chat.stored()["messages"][-1]
    assert forced["force"] == "default"


def test_another_tool_can_be_chosen(chat: ChatPage) -> None:
    chat.ask(PERSON)
    chat.choose_tool("Obraz")
    chat.wait_answered(3)
    expect(chat.told).to_have_text(re.compile(r"^\s*Co ma przedstawiać obraz\?\s*$"))
    assert chat.stored()["messages"][-1]["force"] == "generate_image"


def test_an_opinion_is_stored_and_shown_again(chat: ChatPage) -> None:
    chat.ask(RHYME)
    chat.button(chat.words.good_answer).click()
    chat.wait_for(lambda: chat.stored()["messages"][-1]["rating"] == "up")
    chat.reload()
    expect(chat.button(chat.words.good_answer)).to_have_attribute("aria-pressed", "true")


def test_what_was_wrong_can_be_told(chat: ChatPage) -> None:
    chat.ask(RHYME)
    chat.button(chat.words.bad_answer).click()
    chat.page.get_by_role("textbox", name=chat.words.feedback_comment).fill("Za krótko.")
    chat.button(chat.words.feedback_send).click()
    chat.wait_for(lambda: chat.stored()["messages"][-1]["comment"] == "Za krótko.")
    assert chat.stored()["messages"][-1]["rating"] == "down"
    expect(chat.button(chat.words.bad_answer)).to_have_attribute("aria-pressed", "true")


def test_a_bad_answer_needs_no_words(chat: ChatPage) -> None:
    chat.ask(RHYME)
    chat.button(chat.words.bad_answer).click()
    chat.button(chat.words.feedback_skip).click()
    chat.wait_for(lambda: chat.stored()["messages"][-1]["rating"] == "down")
    chat.button(chat.words.bad_answer).click()
    chat.wait_for(lambda: chat.stored()["messages"][-1]["rating"] is None)
    expect(chat.page.locator("#opinion")).to_be_hidden()


def test_words_not_sent_yet_survive_a_reload(chat: ChatPage) -> None:
    chat.box.fill(RHYME)
    chat.reload()
    expect(chat.box).to_have_value(RHYME)
    chat.send_button.click()
    chat.wait_answered(2)
    chat.reload()
    expect(chat.questions).to_have_count(1)
    expect(chat.box).to_have_value("")


def test_a_conversation_is_named_after_its_first_words(chat: ChatPage) -> None:
    chat.ask(RHYME)
    expect(chat.listed).to_contain_text([RHYME])


def test_a_conversation_is_renamed(chat: ChatPage) -> None:
    chat.ask(RHYME)
    chat.rename("Żółte łódki")
    expect(chat.listed).to_contain_text(["Żółte łódki"])
    assert chat.stored()["title"] == "Żółte łódki"


def test_search_forgives_missing_diacritics(chat: ChatPage) -> None:
    chat.ask(RHYME)
    chat.rename("Żółte łódki")
    chat.start_new()
    chat.ask(PERSON)
    expect(chat.listed).to_have_count(2)
    chat.search.fill("zolte lodki")
    expect(chat.listed).to_have_count(1)
    expect(chat.listed).to_contain_text(["Żółte łódki"])
    chat.page.wait_for_timeout(1000 * NAMING_S[0] + 500)
    expect(chat.listed).to_have_count(1)
    expect(chat.page.locator("#title-text")).to_have_text(PERSON)
    chat.search.fill("")
    expect(chat.listed).to_have_count(2)


def test_a_conversation_is_opened_from_the_list(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RHYME: TALE}
    chat.ask(RHYME)
    chat.start_new()
    expect(chat.answers).to_have_count(0)
    chat.ask(PERSON)
    chat.listed.get_by_role("link", name=RHYME).click()
    expect(chat.answer).to_contain_text(TALE)


def test_a_conversation_is_deleted_for_good(chat: ChatPage, product: PageProduct) -> None:
    chat.ask(RHYME)
    chat.delete()
    expect(chat.listed).to_have_count(0)
    expect(chat.answers).to_have_count(0)
    assert product.list_conversations() == []


def test_settings_reach_the_model_and_are_kept(chat: ChatPage, product: PageProduct) -> None:
    chat.ask(RHYME)
    chat.set_parameters(temperature="0.3", max_tokens="321", system_prompt="Mów wierszem.")
    chat.ask("A o rycerzu?")
    body = product.model.answers[-1].body
    assert (body["temperature"], body["max_tokens"]) == (0.3, 321)
    assert product.model.answers[-1].system == "Mów wierszem."
    chat.reload()
    chat.open_settings()
    expect(chat.field(chat.words.system_prompt.label)).to_have_value("Mów wierszem.")
    expect(chat.field(chat.words.temperature.label)).to_have_value(re.compile("0[.,]3"))


def test_settings_hold_for_their_conversation_alone(chat: ChatPage, product: PageProduct) -> None:
    chat.ask(RHYME)
    chat.set_parameters(system_prompt="Mów wierszem.")
    chat.start_new()
    chat.ask(RHYME)
    assert product.model.answers[-1].system == ""


def test_without_tools_the_model_answers(chat: ChatPage, product: PageProduct) -> None:
    chat.ask(RHYME)
    chat.turn_tools_off()
    product.model.lines = {RAIN: "Nie wiem, jaka będzie pogoda."}
    expect(chat.ask(RAIN)).to_contain_text("Nie wiem, jaka będzie pogoda.")


def test_an_exported_table_opens(chat: ChatPage) -> None:
    chat.ask(RAIN)
    chat.ask(RHYME)
    workbook = load_workbook(io.BytesIO(chat.export("XLSX")))
    rows = list(workbook.worksheets[0].iter_rows(values_only=True))
    told = "\n".join(str(cell) for row in rows for cell in row)
    assert RAIN in told
    assert RHYME in told
    assert "get_weather" in told


def test_every_format_is_exported(chat: ChatPage) -> None:
    chat.ask(RHYME)
    rows = list(csv.reader(io.StringIO(chat.export("CSV").decode("utf-8-sig"))))
    assert any(RHYME in cell for row in rows for cell in row)
    assert RHYME in json.dumps(json.loads(chat.export("JSON")), ensure_ascii=False)
    assert RHYME in chat.export("Markdown").decode()
