"""The list of conversations: its rows, groups and links, with titles that would do harm."""

from datetime import UTC, date, datetime
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, settings, strategies as st

from ui.sidebar import Row, draw_export, draw_frame, draw_list
from ui.texts import ENGLISH, POLISH, Texts

TODAY = date(2026, 11, 21)
HOSTILE = "<img src=x onerror=alert(1)> ${alert(2)} `x` \"'&\n\n# x $$y$$"


def row(number: int, title: str = "Tytuł", day: date = TODAY) -> Row:
    moment = datetime(day.year, day.month, day.day, 9, tzinfo=UTC)
    return Row(conversation_id=f"c{number}", title=title, updated_at=moment)


def parse(markup: str) -> Element:
    parsed: Element = html5lib.parseFragment(markup, namespaceHTMLElements=False)
    return parsed


def test_rows_stand_in_their_order_under_headings_of_time() -> None:
    rows = [row(1), row(2), row(3, day=date(2026, 11, 20)), row(4, day=date(2026, 3, 2))]
    drawn = parse(draw_list(POLISH, rows, today=TODAY))
    assert [one.text for one in drawn.iter("h2")] == ["Dzisiaj", "Wczoraj", "Marzec 2026"]
    assert [one.get("data-id") for one in drawn.iter("li")] == ["c1", "c2", "c3", "c4"]


def test_a_late_hour_of_yesterday_in_london_is_today_in_warsaw() -> None:
    late = Row(
        conversation_id="c", title="x", updated_at=datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    )
    assert "Dzisiaj" in draw_list(POLISH, [late], today=TODAY)


def test_every_row_can_be_opened_renamed_and_deleted_by_name() -> None:
    drawn = parse(draw_list(POLISH, [row(1, "Wiersz")], today=TODAY))
    assert [one.get("href") for one in drawn.iter("a")] == ["/?c=c1"]
    buttons = [(one.get("aria-label"), one.get("aria-description")) for one in drawn.iter("button")]
    assert buttons == [("Zmień nazwę", "Wiersz"), ("Usuń", "Wiersz")]


def test_the_english_list_leads_to_the_english_page() -> None:
    assert 'href="/en?c=c1"' in draw_list(ENGLISH, [row(1)], today=TODAY)


def test_a_title_without_words_has_a_name() -> None:
    assert "Bez tytułu" in draw_list(POLISH, [row(1, " \n ")], today=TODAY)


def test_hostile_titles_stay_text() -> None:
    drawn = parse(draw_list(POLISH, [row(1, HOSTILE)], today=TODAY))
    assert {one.tag.rpartition("}")[2] for one in drawn.iter()} <= {
        *("DOCUMENT_FRAGMENT", "div", "section", "h2", "ul", "li", "a", "bdi", "button"),
        *("svg", "path", "circle", "rect"),
    }
    assert "".join(next(drawn.iter("bdi")).itertext()) == " ".join(HOSTILE.split())


@settings(max_examples=40)
@given(st.text(max_size=60), st.text(max_size=20))
def test_whatever_a_title_and_an_id_hold_the_markup_is_one_line(title: str, name: str) -> None:
    one = Row(conversation_id=name, title=title, updated_at=datetime(2026, 11, 21, tzinfo=UTC))
    drawn = draw_list(POLISH, [one], today=TODAY, is_more=True, query=title)
    assert "\n" not in drawn
    assert "\r" not in drawn
    assert [one.tag for one in parse(drawn)] == ["div"]


def test_where_there_is_more_a_button_shows_it() -> None:
    more = parse(draw_list(POLISH, [row(1)], today=TODAY, is_more=True))
    assert list(more.iter("button"))[-1].text == "Pokaż starsze"
    assert "Pokaż starsze" not in draw_list(POLISH, [row(1)], today=TODAY)


def test_an_empty_list_says_why() -> None:
    assert POLISH.no_chats in draw_list(POLISH, [], today=TODAY)
    assert POLISH.nothing_found in draw_list(POLISH, [], today=TODAY, query="słoń")


def test_a_search_counts_what_it_found() -> None:
    drawn = draw_list(POLISH, [row(1), row(2)], today=TODAY, query="słoń")
    assert 'data-found="2 rozmowy"' in drawn


@pytest.mark.parametrize("texts", [POLISH, ENGLISH], ids=["pl", "en"])
def test_exports_are_links_that_download(texts: Texts) -> None:
    links = list(parse(draw_export(texts, "a/b")).iter("a"))
    assert [one.get("href") for one in links] == [
        f"/api/conversations/a%2Fb/export?format={name}" for name in ("xlsx", "csv", "json", "md")
    ]
    assert all(one.get("download") is not None for one in links)
    assert "/api/export?format=xlsx" in draw_export(texts, None)


@pytest.mark.parametrize("texts", [POLISH, ENGLISH], ids=["pl", "en"])
def test_the_frame_has_names_for_everything(texts: Texts) -> None:
    frame = parse(draw_frame(texts))
    search = next(one for one in frame.iter("input") if one.get("type") == "search")
    assert search.get("aria-label") == texts.search
    for button in frame.iter("button"):
        assert button.get("aria-label") or "".join(button.itertext()).strip()
    themes = [one.get("aria-label") for one in frame.iter("input") if one.get("type") == "radio"]
    assert themes == [texts.theme_light, texts.theme_dark, texts.theme_system]
