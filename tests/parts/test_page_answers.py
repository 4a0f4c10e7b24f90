"""Answers on the page: the five routes, words as they come, Stop, formulas, pictures, failures."""

import re
import time

import pytest
from parts.chat_page import ChatPage, visible_text
from parts.page_product import PageProduct
from parts.page_scenes import (
    FORMULA,
    INTEGRAL,
    PERSON,
    PICTURE,
    RAIN,
    RHYME,
    RICH,
    TALE,
    frames,
    watch_frames,
)
from playwright.sync_api import expect
from scripted.slowness import measure_slowness

pytestmark = pytest.mark.parts


STOP_S = 1.0
BEGINNING = "Dawno temu"


def stop_seconds(chat: ChatPage, product: PageProduct, question: str) -> float:
    """How long after the click on Stop the model saw its client leave."""
    chat.say(question)
    expect(chat.answer).to_contain_text(BEGINNING)
    chat.stop_button.click()
    clicked = time.monotonic()
    telling = product.model.answers[-1]
    chat.wait_for(lambda: telling.left_at is not None)
    expect(chat.stop_button).to_be_hidden()
    return (telling.left_at or clicked) - clicked


def test_a_question_for_no_tool_goes_to_the_model(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RHYME: TALE}
    expect(chat.ask(RHYME)).to_contain_text(TALE)
    (telling,) = product.model.answers
    assert telling.question == RHYME


def test_a_calculation_is_drawn_as_a_formula(chat: ChatPage) -> None:
    answer = chat.ask(INTEGRAL)
    expect(answer.locator(".katex").first).to_be_visible()
    expect(answer).to_contain_text("Wynik: 9")
    expect(chat.card("Matematyka")).to_be_visible()


def test_an_article_is_told_with_its_source(chat: ChatPage) -> None:
    expect(chat.ask(PERSON)).to_contain_text("polski uczony czasów odrodzenia")
    source = chat.source("Mikołaj Kopernik")
    expect(source).to_have_attribute("href", re.compile(r"index\.php\?title=Miko.*&oldid=\d+"))
    expect(source).to_have_attribute("target", "_blank")
    expect(source).to_have_attribute("rel", re.compile("noopener.*noreferrer|noreferrer.*noopener"))
    expect(chat.sources).to_contain_text("CC BY-SA 4.0")


def test_the_weather_has_a_card_with_its_arguments_in_words(chat: ChatPage) -> None:
    expect(chat.ask(RAIN)).to_contain_text("Jutro w Łodzi")
    card = chat.card("Pogoda")
    expect(card).to_contain_text(re.compile(r"Pogoda\s*·\s*Łódź\s*·\s*jutro"))
    expect(card).to_contain_text(re.compile(r"\d,\d\ss"))
    expect(chat.source("OpenWeather")).to_be_visible()


def test_the_raw_call_is_folded_away(chat: ChatPage) -> None:
    chat.ask(RAIN)
    card = chat.card("Pogoda")
    raw = card.get_by_text("tomorrow")
    expect(raw).to_be_hidden()
    card.get_by_text(chat.words.card_details).click()
    expect(raw.first).to_be_visible()


def test_a_picture_shows_its_steps_and_then_itself(chat: ChatPage, product: PageProduct) -> None:
    product.painter.gate.clear()
    chat.say(PICTURE)
    expect(chat.card("Obraz")).to_contain_text("krok 0 z 4")
    product.painter.gate.set()
    picture = chat.answer.get_by_role("img", name="latarnia morska o zachodzie słońca")
    expect(picture).to_be_visible()
    chat.wait_for(lambda: bool(picture.evaluate("image => image.complete && image.naturalWidth")))


def test_a_missing_argument_is_asked_for_and_the_rest_remembered(chat: ChatPage) -> None:
    expect(chat.ask("Jaka będzie jutro pogoda?")).to_contain_text("?")
    expect(chat.ask("w Łodzi")).to_contain_text("Jutro w Łodzi")


def test_words_are_shown_as_they_come(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines, product.model.allowed = {RHYME: "raz dwa trzy cztery pięć"}, 0
    chat.say(RHYME)
    for shown in ("raz", "raz dwa", "raz dwa trzy", "raz dwa trzy cztery"):
        product.model.allowed += 1
        expect(chat.told).to_have_text(re.compile(rf"^\s*{shown}\s*$"))
    product.model.allowed = None
    expect(chat.answer).to_contain_text("raz dwa trzy cztery pięć")


def test_what_is_typed_while_a_message_goes_out_stays(chat: ChatPage, product: PageProduct) -> None:
    product.model.allowed = 0
    chat.box.fill(RHYME)
    chat.box.press("Enter")
    chat.page.keyboard.type(" I jeszcze jedno:")
    expect(chat.stop_button).to_be_visible()
    expect(chat.box).to_have_value(" I jeszcze jedno:")


def test_the_status_tells_what_happens(chat: ChatPage, product: PageProduct) -> None:
    product.model.allowed = 0
    expect(chat.status).not_to_contain_text(chat.words.status_ready)
    chat.say(RHYME)
    expect(chat.stop_button).to_be_visible()
    product.model.allowed = None
    expect(chat.status).to_have_text(chat.words.status_ready)


def test_stop_reaches_the_model_within_a_second(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines, product.model.allowed = {"bajkę": TALE}, 5
    took = [stop_seconds(chat, product, f"Opowiedz bajkę numer {number}") for number in range(3)]
    assert min(took) <= STOP_S * measure_slowness()
    expect(chat.answer).to_contain_text(BEGINNING)
    assert chat.stored()["messages"][-1]["state"] == "incomplete"


def test_one_can_go_on_after_stopping(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines, product.model.allowed = {RHYME: TALE}, 3
    chat.say(RHYME)
    chat.wait_for(lambda: bool(product.model.answers and product.model.answers[-1].sent == 3))
    chat.stop_button.click()
    expect(chat.stop_button).to_be_hidden()
    product.model.allowed = None
    expect(chat.ask("A jak się masz?")).to_contain_text(product.model.otherwise)


def test_formulas_in_a_line_and_in_a_block_are_drawn(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RHYME: FORMULA}
    answer = chat.ask(RHYME)
    expect(answer.locator(".katex-display")).to_have_count(1)
    expect(answer.locator(".katex")).to_have_count(3)
    assert "$" not in visible_text(answer)


def test_raw_latex_never_flashes_up(chat: ChatPage, product: PageProduct) -> None:
    watch_frames(chat.page)
    product.model.lines, product.model.pace_s = {RHYME: FORMULA}, 0.03
    answer = chat.ask(RHYME)
    expect(answer.locator(".katex-display")).to_have_count(1)
    seen = frames(chat.page)
    assert len(set(seen)) >= 5  # it was really watched while it grew
    assert [text for text in seen if re.search(r"\$|\\(frac|int|sqrt|sum|begin|\[|\()", text)] == []


def test_tables_lists_and_code_have_their_form(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RHYME: RICH}
    answer = chat.ask(RHYME)
    expect(answer.get_by_role("table").get_by_role("row")).to_have_count(3)
    expect(answer.get_by_role("listitem")).to_have_count(3)
    expect(answer.locator("pre code")).to_contain_text("return 2 * a")


def test_code_is_copied_as_it_stands(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RHYME: RICH}
    answer = chat.ask(RHYME)
    answer.locator("pre").hover()
    answer.get_by_role("button", name=re.compile(chat.words.copy_code, re.IGNORECASE)).click()
    chat.wait_for(lambda: "return 2 * a" in chat.clipboard())
    assert chat.clipboard().strip() == "def podwój(a: int) -> int:\n    return 2 * a"


def test_an_answer_is_copied_as_markdown(chat: ChatPage, product: PageProduct) -> None:
    product.model.lines = {RHYME: TALE}
    chat.ask(RHYME)
    chat.button(chat.words.copy).last.click()
    chat.wait_for(lambda: TALE in chat.clipboard())


def test_what_users_write_is_shown_as_text(chat: ChatPage) -> None:
    chat.ask("**nie grube** <b>nie znacznik</b> $x$ ![a](http://a.example/b.png)")
    shown = chat.questions.last
    expect(shown).to_contain_text("**nie grube** <b>nie znacznik</b> $x$")
    expect(shown.locator("b, strong, img, .katex")).to_have_count(0)


def test_a_failed_tool_says_so_on_its_card(chat: ChatPage, product: PageProduct) -> None:
    product.openweather.fault = product.openmeteo.fault = "503"
    chat.ask("Jaka będzie jutro pogoda w Gdyni?")  # elsewhere it may be remembered
    expect(chat.card("Pogoda")).to_contain_text(chat.words.card_failed)
    expect(chat.answer).to_contain_text(re.compile("Spróbuj ponownie|niedostępn"))


def test_a_broken_model_is_told_in_polish(chat: ChatPage, product: PageProduct) -> None:
    product.model.is_broken = True
    chat.ask(RHYME)
    expect(chat.page.get_by_text(chat.words.errors["engine_lost"])).to_be_visible()


def test_suggestions_come_from_the_tools(chat: ChatPage, product: PageProduct) -> None:
    suggestion = chat.suggestions.first
    text = suggestion.inner_text()
    suggestion.click()
    expect(chat.questions.last).to_contain_text(text)
    chat.wait_answered(2)


def test_a_picture_is_downloaded_as_a_file(chat: ChatPage) -> None:
    chat.ask(PICTURE)
    with chat.page.expect_download() as started:
        chat.page.get_by_role("link", name=chat.words.picture_download).click()
    path = started.value.path()
    assert path.read_bytes().startswith((b"\x89PNG", b"\xff\xd8", b"RIFF"))


def test_a_picture_fills_the_window_and_esc_closes_it(chat: ChatPage) -> None:
    chat.ask(PICTURE)
    chat.page.get_by_title(chat.words.picture_open).click()
    view = chat.page.get_by_role("dialog")
    expect(view).to_be_visible()
    box = view.get_by_role("img").bounding_box()
    assert box is not None
    assert box["height"] >= 500
    chat.page.keyboard.press("Escape")
    expect(view).to_be_hidden()
