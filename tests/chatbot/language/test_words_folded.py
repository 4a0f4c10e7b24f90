"""Words are folded and brought to their lemmas."""

import pytest

from chatbot.language import fold, lemmas, morphology


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Łódź", "lodz"), ("ZAŻÓŁĆ GĘŚLĄ JAŹŃ", "zazolc gesla jazn"), ("Tromsø", "tromso"), ("", "")],
)
def test_folding_leaves_plain_lower_case_letters(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_each_word_has_one_lemma() -> None:
    text = "Jaka będzie pogoda jutro w Łodzi? Narysuj mi kota w butach."
    assert lemmas(text) == (
        *("jaki", "być", "pogoda", "jutro", "w", "łódź"),
        *("narysować", "ja", "kot", "w", "but"),
    )


def test_an_unknown_word_is_its_own_lemma() -> None:
    assert lemmas("Xyzzy 42") == ("xyzzy", "42")


def test_the_dictionary_is_loaded_once() -> None:
    assert morphology() is morphology()


def test_a_lower_case_word_has_the_readings_of_the_name_as_well() -> None:
    assert "Łódź" in {reading.lemma for reading in morphology().readings("łodzi")}


def test_an_unknown_word_has_no_readings() -> None:
    assert not morphology().is_known("xyzzy")
    assert morphology().forms("xyzzy") == ()
