"""Texts typed without Polish letters."""

import pytest
from hypothesis import given, strategies as st

from chatbot.language.diacritics import PLAIN, Spellings, with_diacritics
from chatbot.language.restoration import accented


@pytest.mark.parametrize(
    "text",
    [
        "narysuj łąkę we mgle, a na niej łosia",
        "wygeneruj bałwana na plaży pod palmą, tylko bez ludzi.",
        "Kto napisał „Ziemię obiecaną” i kiedy się urodził?",
        "dwie uczennice jedzą ramen na przystanku, pada drobny deszcz",
        "jaka będzie pogoda w łodzi, czy wziąć ze sobą parasol?",
        "czy to prawda, że ze wsi jest bliżej?",
        "ile zł zapłacę za 3 bułki",
        "ZRÓB PLAKAT: ŻÓŁW NA ROWERZE",
    ],
)
def test_a_text_without_diacritics_gets_them_back(text: str) -> None:
    assert with_diacritics(text.translate(PLAIN)) == text


@pytest.mark.parametrize(
    "text",
    [
        "czerwone maki",
        "Pogoda Radom jutro",
        "Na spotkanie 2 maja przyjda wszyscy, zł",  # it has Polish letters already
        "Draw a small boat on the lake, oil painting",
        "sin(x)*cos(x) = 0, x^2 + zeta*x",
        "https://example.com/zolte/kola?x=laka",
        "",
    ],
)
def test_what_shows_no_missing_diacritics_stays(text: str) -> None:
    assert with_diacritics(text) == text


def test_a_day_of_may_is_no_verb() -> None:
    assert with_diacritics("spotkamy sie 2 maja w niedziele").startswith("spotkamy się 2 maja")


def test_a_name_within_a_sentence_stays_unless_it_was_written_elsewhere() -> None:
    assert with_diacritics("kim byla Hedy Lamarr") == "kim była Hedy Lamarr"


@pytest.mark.parametrize(
    "text", ["kiedy powstała firma SpaceX", "zrób zdjęcie iPhone’a na łące", "czym się różni LaTeX"]
)
def test_capitals_within_a_word_stay(text: str) -> None:
    assert with_diacritics(text.translate(PLAIN)) == text


def test_a_letter_that_is_two_in_small_letters_stays_as_it_was_typed() -> None:
    text = "narysuj łosia na łące w İzmirze"

    assert with_diacritics(text.translate(PLAIN)) == text


def test_a_word_with_such_a_letter_is_accented_in_its_own_places() -> None:
    assert set(accented("İza", may_end=False)) == {"İża", "İźa"}


def test_a_preposition_says_in_which_case_a_word_stands() -> None:
    spellings = Spellings({"zima": 9, "zimą": 1}, {})

    assert spellings.restore("zima") == "zima"
    assert spellings.restore("przed zima") == "przed zimą"


@given(st.text(max_size=60))
def test_every_letter_keeps_its_place(text: str) -> None:
    restored = with_diacritics(text)

    assert restored.translate(PLAIN) == text.translate(PLAIN)
