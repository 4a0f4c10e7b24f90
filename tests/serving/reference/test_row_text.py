from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from scripted.token_model import END, MARK, ScriptedTokenModel

from serving.reference.row_text import GrowingText, Order, Piece, RowText, StopSearch
from serving.reference.token_model import RowSampling

SAMPLING = RowSampling(seed=0)
MODEL = ScriptedTokenModel()


def play(order: Order, tokens: list[int]) -> tuple[list[str], Piece]:
    """The texts of the tokens up to the end, and the last piece."""
    row = RowText(order, MODEL)
    pieces: list[Piece] = []
    for token in tokens:
        pieces.append(row.take(token))
        if row.is_done:
            break
    return [piece.text for piece in pieces], pieces[-1]


def order(
    *,
    stops: tuple[str, ...] = (),
    max_tokens: int = 100,
    ignores_end: bool = False,
    keeps_special: bool = False,
) -> Order:
    return Order(
        ids=(1,),
        sampling=SAMPLING,
        max_tokens=max_tokens,
        stops=stops,
        ignores_end=ignores_end,
        keeps_special=keeps_special,
    )


@given(st.text(alphabet=st.characters(exclude_characters="\ufffd", codec="utf-8")))
def test_text_that_comes_byte_by_byte_is_whole(text: str) -> None:
    growing = GrowingText(MODEL.write)
    pieces = [growing.push(byte) for byte in text.encode()]

    assert "".join(pieces) + growing.rest() == text


def test_a_character_is_told_once_it_is_whole() -> None:
    texts, _ = play(order(), list("żółw".encode()))

    assert texts == ["", "ż", "", "ó", "", "ł", "w"]


def test_the_text_of_a_whole_answer_comes_with_its_end() -> None:
    texts, last = play(replace(order(), is_whole=True), [*"żó".encode(), MARK, *b"w", END])

    assert (texts, last) == ([""] * 6 + ["żów"], Piece(text="żów", finish="stop"))


def test_a_whole_answer_is_searched_for_stop_sequences_as_it_comes() -> None:
    texts, _ = play(replace(order(stops=("b",)), is_whole=True), list(b"abc"))

    assert texts == ["a", ""]


def test_a_character_that_stays_unfinished_is_left_out() -> None:
    texts, last = play(order(), [*b"ab", "ż".encode()[0], END])

    assert ("".join(texts), last.finish) == ("ab", "stop")


def test_the_models_end_ends_the_row() -> None:
    assert play(order(), [*b"ab", END])[1] == Piece(text="", finish="stop")


def test_an_end_that_is_ignored_is_no_text() -> None:
    texts, last = play(order(ignores_end=True, max_tokens=4), [*b"a", END, *b"bc"])

    assert ("".join(texts), last.finish) == ("abc", "length")


@pytest.mark.parametrize(("keeps", "text"), [(False, "ab"), (True, "a<mark>b")])
def test_marks_are_text_where_they_are_kept(*, keeps: bool, text: str) -> None:
    texts, _ = play(order(keeps_special=keeps), [*b"a", MARK, *b"b", END])

    assert "".join(texts) == text


def test_the_last_token_ends_the_row_by_length() -> None:
    assert play(order(max_tokens=2), list(b"abc"))[1] == Piece(text="b", finish="length")


@pytest.mark.parametrize(
    ("stops", "text"), [(("cd",), "ab"), (("de", "cd"), "ab"), (("d", "cde"), "abc")]
)
def test_the_first_stop_sequence_ends_the_row_before_it(stops: tuple[str, ...], text: str) -> None:
    texts, last = play(order(stops=stops), list(b"abcdef"))

    assert ("".join(texts), last.finish) == (text, "stop")


def test_what_may_begin_a_stop_sequence_is_held_back() -> None:
    texts, last = play(order(stops=("ccd",)), [*b"abcce", END])

    assert texts == ["a", "b", "", "", "cce", ""]
    assert last.finish == "stop"


def test_what_was_held_back_comes_with_the_end() -> None:
    texts, last = play(order(stops=("cd",), max_tokens=3), list(b"abc"))

    assert (texts, last.finish) == (["a", "b", "c"], "length")


@given(st.text(alphabet="abc"), st.lists(st.text(alphabet="abc", min_size=1), min_size=1))
def test_a_stop_search_shows_what_stands_before_the_first(text: str, stops: list[str]) -> None:
    search = StopSearch(stops)
    shown = ""
    for char in text:
        shown += search.push(char)
        if search.is_found:
            break
    else:
        shown += search.rest()

    ends = [(text.find(stop) + len(stop), text.find(stop)) for stop in stops if stop in text]
    first_end = min((end for end, _ in ends), default=len(text))
    begin = min((start for end, start in ends if end == first_end), default=len(text))
    assert shown == text[:begin]
