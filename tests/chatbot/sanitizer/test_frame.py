from unicodedata import normalize

import pytest
from hypothesis import given, strategies as st
from scripted.effort import LINEAR, growth
from scripted.tables import every_row

from chatbot.sanitizer.frame import (
    FRAME_CHARS,
    Frame,
    describe_source,
    find_frames,
    leave_out_frames,
    leave_out_signatures,
    parse_frame,
    room_for_source,
)
from chatbot.types import Attribution

MAC = "abcdefghijklmnopqrstuvwxyz"
ID = "4567850d95591fcb9e64d888"
FRAME = Frame(
    visible="Wikipedia, „Mikołaj Kopernik”, CC BY-SA 4.0, https://pl.wikipedia.org/wiki/A",
    kid="abc234",
    message_id="m-1_A",
    mac=MAC,
)
IDS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=1)


def test_a_frame_is_one_line() -> None:
    assert FRAME.line == (
        "⟦źródło: Wikipedia, „Mikołaj Kopernik”, CC BY-SA 4.0, https://pl.wikipedia.org/wiki/A · "
        f"z1.abc234.m-1_A.{MAC}⟧"
    )


@pytest.mark.parametrize("line", [FRAME.line, f"  {FRAME.line}\t", normalize("NFD", FRAME.line)])
def test_a_frame_is_read_as_it_was_built(line: str) -> None:
    assert parse_frame(line) == FRAME


@every_row(
    "line",
    [
        "",
        "⟦⟧",
        FRAME.line[:-1],
        FRAME.line[1:],
        f"a {FRAME.line}",
        f"{FRAME.line} a",
        f"⟦{FRAME.line}⟧",
        FRAME.line.replace("źródło", "Źródło"),
        FRAME.line.replace("z1", "z2"),
        FRAME.line.replace(MAC, MAC[:-1]),
        FRAME.line.replace(MAC, MAC.upper()),
        FRAME.line.replace("m-1_A", "m 1"),
        FRAME.line.replace("Wikipedia", "Wiki" * 100),
    ],
)
def test_anything_else_is_no_frame(line: str) -> None:
    assert parse_frame(line) is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_frames_are_found_and_left_out_by_line(end: str) -> None:
    text = end.join(["Tak.", "", FRAME.line, FRAME.line, "Koniec ⟦."])

    assert list(find_frames(text)) == [FRAME, FRAME]
    assert leave_out_frames(text) == end.join(["Tak.", "", "Koniec ⟦."])


def test_leaving_frames_out_assembles_none() -> None:
    half = len(FRAME.line) // 2
    text = f"{FRAME.line[:half]}\n{FRAME.line}\n{FRAME.line[half:]}"

    assert leave_out_frames(text) == f"{FRAME.line[:half]}\n{FRAME.line[half:]}"
    assert not list(find_frames(leave_out_frames(text)))


def test_signatures_outside_a_frame_are_left_out() -> None:
    assert leave_out_signatures(f"[[źródło: a · z1.abc234.{ID}.{MAC}]]") == "[[źródło: a]]"
    assert leave_out_signatures(f"a · z1.abc234.{ID}.{MAC[:9]}") == "a"
    assert leave_out_signatures(f"4.{ID}.{MAC}⟧ i słowo⟧") == f"4.{ID}.⟧ i słowo⟧"


@given(
    st.builds(
        Attribution,
        source=st.text(max_size=500),
        title=st.none() | st.text(max_size=500),
        url=st.none() | st.text(max_size=500).map("https://a.example/".__add__),
        licence=st.none() | st.text(max_size=500),
    ),
    IDS.filter(lambda text: len(text) <= 64),
)
def test_every_source_fits_a_frame(source: Attribution, message_id: str) -> None:
    room = room_for_source("abc234", message_id)
    visible = describe_source(source, longest=room) or "-"
    frame = Frame(visible=visible, kid="abc234", message_id=message_id, mac=MAC)

    assert len(frame.line) <= FRAME_CHARS
    assert parse_frame(frame.line) == frame


def test_a_source_is_described_with_all_that_is_known() -> None:
    source = Attribution(source="NBP", title="Tabela A", url="https://nbp.pl/a", licence="CC0")

    assert describe_source(source, longest=200) == "NBP, „Tabela A”, CC0, https://nbp.pl/a"


def test_a_long_title_is_cut_between_words_and_the_address_kept() -> None:
    source = Attribution(source="Wiki", title="bardzo długi tytuł " * 20, url="https://a.example/")

    visible = describe_source(source, longest=70)

    assert visible == "Wiki, „bardzo długi tytuł bardzo długi tytuł…”, https://a.example/"


def test_an_address_that_does_not_fit_is_left_out_whole() -> None:
    source = Attribution(source="Wiki", title="Tytuł", url="https://a.example/" + "x" * 400)

    assert describe_source(source, longest=200) == "Wiki, „Tytuł”"


def test_an_address_cannot_be_more_than_an_address() -> None:
    url = "https://a.example/![x](//zly.example/y)<b>"

    visible = describe_source(Attribution(source="A", url=url), longest=300)

    assert visible == "A, https://a.example/!%5Bx%5D(//zly.example/y)%3Cb%3E"


@every_row("message_id", ["", "a b", "a.b", "⟧", "x" * 65])
def test_an_id_that_no_frame_holds_is_refused(message_id: str) -> None:
    with pytest.raises(ValueError, match="a frame cannot name"):
        room_for_source("abc234", message_id)


def test_many_lines_are_looked_through_in_linear_time() -> None:
    lines = "\n".join([FRAME.line, "⟦" * 300, "⟦źródło: " * 40, " · z1.a" * 50]) + "\n"

    assert "z1.abc234" not in leave_out_frames(lines * 400)
    assert sum(1 for _ in find_frames(lines * 400)) == 400
    for look in (leave_out_frames, lambda text: list(find_frames(text)), leave_out_signatures):
        assert growth(look, lines, len(lines) * 400) < LINEAR
