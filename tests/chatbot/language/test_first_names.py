"""Foreign first names, and their forms."""

import pytest
from scripted.tables import every_row

from chatbot.language.first_names import foreign_gender, is_foreign_name


@pytest.mark.parametrize(
    ("name", "gender"), [("Neil", "m"), ("Hedy", "f"), ("Nikola", "m"), ("Wangari", "f")]
)
def test_the_gender_of_a_foreign_first_name_is_known(name: str, gender: str) -> None:
    assert foreign_gender(name) == gender


@every_row("form", ["Neil", "Neila", "Neilowi", "Neilem", "Zadie"])
def test_a_form_of_a_foreign_first_name_is_told_from_other_words(form: str) -> None:
    assert is_foreign_name(form)


@every_row("word", ["Wisła", "neil", "Paris", "Chelsea", "Hamburg", ""])
def test_places_and_small_letters_are_no_first_names(word: str) -> None:
    assert not is_foreign_name(word)
    assert foreign_gender(word) is None
