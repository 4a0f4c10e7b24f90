"""Tests of base forms of persons with foreign first names."""

import pytest

from chatbot.language.names import lemmatise


@pytest.mark.parametrize(
    ("inflected", "base"),
    [
        ("Marka Twaina", "Mark Twain"),
        ("Jacka Nicholsona", "Jack Nicholson"),
        ("Stephenem Kingiem", "Stephen King"),
        ("Leonarda DiCaprio", "Leonardo DiCaprio"),
        ("Agathy Christie", "Agatha Christie"),
        ("Larsa von Triera", "Lars von Trier"),
        ("Lany Del Rey", "Lana Del Rey"),
    ],
)
def test_a_foreign_first_name_is_told_from_the_polish_one_by_the_surname(
    inflected: str, base: str
) -> None:
    assert lemmatise(inflected, kind="person") == base


@pytest.mark.parametrize(
    ("inflected", "base"),
    [
        ("Marka Kondrata", "Marek Kondrat"),
        ("Leonarda Bernsteina", "Leonard Bernstein"),
        ("Marka Piwowskiego", "Marek Piwowski"),
    ],
)
def test_a_polish_first_name_stays_polish(inflected: str, base: str) -> None:
    assert lemmatise(inflected, kind="person") == base


@pytest.mark.parametrize(("inflected", "base"), [("Bredę", "Breda"), ("Shakirą", "Shakira")])
def test_a_name_that_nobody_knows_has_no_nasal_vowel_at_its_end(inflected: str, base: str) -> None:
    assert lemmatise(inflected) == base
