"""What is drawn: own markup that stays inert whatever stands in it, one block of it each."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, strategies as st
from scripted.hostile_text import COMMANDS, IMAGES, LEAK
from scripted.tables import every_row

from ui.client import LOST, UNREACHABLE
from ui.conversation import (
    Answer,
    Call,
    CallStatus,
    ConversationView,
    Failure,
    Picture,
    Question,
    Shown,
    Source,
    Words,
)
from ui.drawing import Drawing, DrawnMessage, Tool, read_tools, say_failure
from ui.texts import ENGLISH, POLISH

TOOLS = (
    Tool(name="get_weather", title="Pogoda", examples=("Jaka jest pogoda?",)),
    Tool(name="calculate", title="Matematyka"),
)
DRAWING = Drawing(texts=POLISH, tools=TOOLS)
OWN_TAGS = {
    *("html", "head", "body", "div", "span", "button", "details", "summary", "pre", "code", "p"),
    *("a", "figure", "figcaption", "img", "progress"),
}


def drawn(message: Question | Answer, *versions: str) -> list[DrawnMessage]:
    shown = Shown(message=message, versions=versions or (message.message_id,))
    return DRAWING.message(shown)


def pieces(message: Question | Answer, *versions: str) -> list[str]:
    return [
        str(part["text"])
        for one in drawn(message, *versions)
        for part in cast("list[dict[str, object]]", one["content"])
    ]


def call(status: CallStatus = "ok", **fields: object) -> Call:
    known: dict[str, object] = {
        "call_id": "k1",
        "tool": "get_weather",
        "title": "Pogoda",
        "summary": "Pogoda · Łódź · jutro",
        "arguments": {"city": "Łódź"},
        "raw_arguments": {"city": "Lodz"},
        "ms": 812,
        **fields,
    }
    return Call(status=status, **known)  # type: ignore[arg-type]  # the test's own fields


def done(*items: Words | Call | Picture, **fields: object) -> Answer:
    known: dict[str, object] = {"message_id": "a1", "state": "complete", "is_routed": True}
    return Answer(items=items, **{**known, **fields})  # type: ignore[arg-type]  # as above


def elements(html: str) -> Iterator[Element]:
    parsed: Element = html5lib.parse(html, namespaceHTMLElements=False)
    yield from parsed.iter()


def text_of(html: str) -> str:
    parsed: Element = html5lib.parse(html, namespaceHTMLElements=False)
    return "".join(parsed.itertext())


def buttons(html: str) -> dict[str, str]:
    found = (one for one in elements(html) if one.tag == "button")
    return {one.get("id", ""): "".join(one.itertext()) for one in found}


# --- questions -------------------------------------------------------------------------------


@given(st.text())
def test_what_the_user_said_is_shown_exactly_in_one_block(text: str) -> None:
    (html,) = pieces(Question(message_id="q1", parent=None, text=text))
    assert "\n" not in html
    said = next(one for one in elements(html) if one.get("class") == "zw-said")
    shown = "".join(said.itertext())
    assert "".join(shown.split()) == _without_controls("".join(text.split()))
    assert len(said) == 0


def _without_controls(text: str) -> str:
    """What an HTML parser makes of characters that no document may hold, and of our marks."""
    html = text.replace("&", "&amp;").replace("<", "&lt;")
    marks = {ord(mark): None for mark in "\u2061\u2062\u2063\u2064"}
    return text_of(html.translate(marks))


@every_row("text", [*IMAGES.values(), *COMMANDS.values()])
def test_hostile_words_of_a_user_are_inert(text: str) -> None:
    (html,) = pieces(Question(message_id="q1", parent=None, text=text))
    assert {one.tag for one in elements(html)} <= OWN_TAGS - {"img", "a"}


def test_a_question_can_be_edited() -> None:
    (html,) = pieces(Question(message_id="q1", parent=None, text="co?"))
    assert buttons(html) == {"zw:edit:q1": "Edytuj"}


def test_versions_lead_to_their_neighbours() -> None:
    html = "".join(pieces(done(Words(text="tak")), "a0", "a1", "a2"))
    assert "2 z 3" in html
    assert buttons(html)["zw:show:a0"] == "Poprzednia wersja"
    assert buttons(html)["zw:show:a2"] == "Następna wersja"


def test_the_first_version_has_none_before_it() -> None:
    html = "".join(pieces(done(Words(text="tak")), "a1", "a2"))
    disabled = [one.get("title") for one in elements(html) if one.get("disabled") is not None]
    assert disabled == ["Poprzednia wersja"]


# --- answers ---------------------------------------------------------------------------------


def test_the_question_is_being_read_until_the_switch_is_set() -> None:
    assert "rozpoznaję pytanie…" in pieces(Answer(message_id="a1"))[-1]
    assert "piszę odpowiedź…" in pieces(Answer(message_id="a1", is_routed=True))[-1]


def test_a_growing_answer_has_no_controls_yet() -> None:
    assert buttons("".join(pieces(Answer(items=(Words(text="Cz"),), is_routed=True)))) == {}


def test_a_whole_answer_can_be_copied_repeated_and_rated() -> None:
    html = pieces(done(Words(text="tak"), rating="up"))[-1]
    assert buttons(html) == {
        "zw:copy:a1": "Kopiuj",
        "zw:again:a1": "Odpowiedz ponownie",
        "zw:up:a1": "Dobra odpowiedź",
        "zw:down:a1": "Zła odpowiedź",
    }
    pressed = [one.get("id") for one in elements(html) if "zw-is-on" in one.get("class", "")]
    assert pressed == ["zw:up:a1"]


def test_paragraphs_are_drawn_one_by_one_and_formulas_are_held_back() -> None:
    growing = Answer(items=(Words(text="Raz.\n\nDwa $x"),), is_routed=True)
    assert pieces(growing) == ["Raz.\n\n", "Dwa "]


def test_text_before_a_later_item_is_not_held_back() -> None:
    growing = Answer(items=(Words(text="Cena: $"), call("running")), is_routed=True)
    assert pieces(growing)[0] == "Cena: $"


# --- cards -----------------------------------------------------------------------------------


def test_a_card_tells_tool_arguments_and_how_long_it_took() -> None:
    html = pieces(done(call()))[0]
    assert "Pogoda · Łódź · jutro" in html
    assert "0,8\u00a0s" in html
    assert "zw-card-ok" in html
    assert '"city": "Łódź"' in text_of(html)


def test_a_card_shows_what_the_model_itself_gave_only_where_it_differs() -> None:
    same = pieces(done(call(raw_arguments={"city": "Łódź"})))[0]
    assert POLISH.card_raw_arguments in pieces(done(call()))[0]
    assert POLISH.card_raw_arguments not in same


def test_a_failed_call_says_so_in_words() -> None:
    html = pieces(done(call("failed", error="Serwis nie odpowiada.")))[0]
    assert POLISH.card_failed in html
    assert "Serwis nie odpowiada." in html


def test_the_words_of_a_failed_call_are_told_once() -> None:
    failed = call("failed", error="Serwis nie odpowiada.")
    html = "".join(pieces(done(failed, Words(text="Serwis nie odpowiada.\n"))))
    assert html.count("Serwis nie odpowiada.") == 1
    assert "Nie wiem." in "".join(pieces(done(failed, Words(text="Nie wiem."))))


def test_a_picture_in_the_making_tells_its_step() -> None:
    html = pieces(Answer(items=(call("running", step=2, steps=4),), is_routed=True))[0]
    assert "krok 2 z 4" in html


def test_a_card_offers_the_other_tracks_once_the_answer_is_there() -> None:
    card = pieces(done(call()))[0]
    assert buttons(card) == {
        "zw:force:a1:default": "To nie było pytanie o pogodę",
        "zw:force:a1:calculate": "Odpowiedz narzędziem „Matematyka”",
    }
    assert buttons(pieces(Answer(items=(call("running"),)))[0]) == {}


# --- sources, pictures, errors ----------------------------------------------------------------


def test_a_source_is_a_badge_with_name_licence_and_link() -> None:
    source = Source(
        source="Wikipedia",
        title="Łódź",
        url="https://pl.wikipedia.org/wiki/%C5%81%C3%B3d%C5%BA",
        licence="CC BY-SA 4.0",
        retrieved_at=datetime(2026, 11, 21, 20, 0, tzinfo=UTC),
    )
    html = pieces(done(Words(text="x"), sources=(source, source)))[-2]
    (link,) = (one for one in elements(html) if one.tag == "a")
    assert text_of(html) == "ŹródłaWikipedia · ŁódźCC BY-SA 4.0"
    assert (link.get("href"), link.get("rel")) == (source.url, "noopener noreferrer")
    assert link.get("title") == "pobrano 21 listopada 2026, 21:00"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//x.example", None])
def test_a_badge_links_to_nothing_but_the_web(url: str | None) -> None:
    html = pieces(done(Words(text="x"), sources=(Source(source="X", url=url),)))[-2]
    assert [one for one in elements(html) if one.tag == "a"] == []


def test_a_picture_comes_from_our_own_address_by_its_path() -> None:
    picture = Picture(
        image_id="i1", url="http://10.0.0.1:9/images/i1.9.mac", alt='a"b', width=8, height=9
    )
    html = pieces(done(picture))[0]
    (image,) = (one for one in elements(html) if one.tag == "img")
    assert (image.get("src"), image.get("alt")) == ("/images/i1.9.mac", 'a"b')
    assert (image.get("loading"), image.get("width")) == ("lazy", "8")
    assert buttons(html) == {"zw:view:i1": ""}


def test_a_picture_from_elsewhere_is_not_drawn() -> None:
    picture = Picture(image_id="i1", url="https://a.example/x.png", alt="", width=1, height=1)
    assert "<img" not in pieces(done(picture))[0]


def test_an_error_is_one_calm_line_with_a_way_on() -> None:
    failure = Failure(code="engine_lost", message="x", request_id="r1")
    html = pieces(done(failure=failure, state="incomplete"))[0]
    assert POLISH.errors["engine_lost"] in html
    assert "numer zgłoszenia: r1" in html
    assert buttons(html) == {"zw:again:a1": "Spróbuj ponownie"}


def test_a_stopped_answer_is_called_incomplete() -> None:
    html = "".join(pieces(done(Words(text="x"), state="incomplete", finish_reason="cancelled")))
    assert POLISH.incomplete in html


@pytest.mark.parametrize("code", [LOST, UNREACHABLE, "queue_full", "invented_later"])
def test_every_error_has_words(code: str) -> None:
    assert say_failure(POLISH, code, "")
    assert say_failure(ENGLISH, code, "") != say_failure(POLISH, code, "")


@every_row("text", [*IMAGES.values(), *COMMANDS.values(), '"><img src=x>', "a\n\nb"])
def test_hostile_fields_of_an_answer_are_inert(text: str) -> None:
    answer = done(
        call("failed", summary=text, error=text, notices=(text,), arguments={text: text}),
        Words(text=text, channel="reasoning"),
        Picture(image_id=text, url=f"/images/{text}", alt=text, width=1, height=1),
        message_id=text,
        sources=(Source(source=text, title=text, url=text, licence=text),),
        failure=Failure(code=text, message=text, request_id=text),
    )
    for html in pieces(answer):
        assert "\n" not in html
        for one in elements(html):
            assert one.tag in OWN_TAGS
            address = one.get("src") or one.get("href") or ""
            assert LEAK not in address or one.tag == "a" or address.startswith("/images/")
            assert not [name for name in one.attrib if str(name).startswith("on")]


def test_a_conversation_is_drawn_along_its_branch() -> None:
    view = ConversationView(
        messages=(
            Question(message_id="q1", parent=None, text="co?"),
            done(Words(text="to"), parent="q1"),
        ),
        current="a1",
    )
    assert [one["role"] for one in DRAWING.conversation(view)] == ["user", "assistant"]
    assert DRAWING.conversation(ConversationView()) == []


def test_tools_are_read_with_their_examples() -> None:
    listed = ({"name": "get_weather", "title": "Pogoda", "examples": ["Jaka jest pogoda?"]},)
    assert read_tools(listed) == TOOLS[:1]
