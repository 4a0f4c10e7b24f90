"""Descriptions of pictures in English, word by word, or wholly in Polish."""

import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.language.glossary import glosses, pluralise, present_participle
from chatbot.language.translation import translate_description


@every_row(
    ("polish", "english"),
    [
        ("pies i kot", "dog and cat"),
        ("rudy kot w kapeluszu na dachu", "ginger cat in hat on roof"),
        ("niedźwiedź polarny na plaży", "polar bear on beach"),
        ("bóbr, który buduje tamę", "beaver building dam"),
        ("portret kobiety w czerwonej sukni", "portrait of woman in red dress"),
        ("kot śpiący na dachu", "cat sleeping on roof"),
        ("śpiący rudy kot", "sleeping ginger cat"),
        ("Kraków zimą w stylu impresjonistycznym", "Krakow in winter in impressionist style"),
        ("trzy koty grające w szachy", "three cats playing chess"),
        ("łąka pełna kwiatów", "meadow full of flowers"),
        ("las jesienią, bez ludzi", "forest in autumn, without people"),
        ("zamek otoczony lasem, zachód słońca", "castle surrounded with forest, sunset"),
        ("rakieta z kredek", "rocket from crayons"),
        ("dziewczynka z wilkiem", "girl with wolf"),
        ("logo „Złoty Kłos”", "logo “Złoty Kłos”"),
        ("Rynek w Zamościu latem", "market square in Zamość in summer"),
        ("czarno-białe zdjęcie starego mostu", "black and white photo of old bridge"),
    ],
)
def test_a_description_of_known_words_is_translated(polish: str, english: str) -> None:
    found = translate_description(polish)

    assert found.is_complete
    assert found.text == english
    assert found.untranslated == ()


@pytest.mark.parametrize(
    ("polish", "missing"),
    [
        ("pyra z tytką na rynku", ("pyra", "tytką")),
        ("kredens, przez który przechodzi słońce", ("który",)),
        ("miasteczko Ustrzyki Dolne pod śniegiem", ("Dolne",)),
        ("większy kot i xyzzy", ("większy", "xyzzy")),
    ],
)
def test_a_description_with_an_unknown_word_stays_polish(
    polish: str, missing: tuple[str, ...]
) -> None:
    found = translate_description(polish)

    assert not found.is_complete
    assert found.text == polish
    assert found.untranslated == missing


@given(st.text(max_size=300))
def test_any_text_is_translated_or_left_alone(text: str) -> None:
    found = translate_description(text)

    assert found.is_complete or found.text == text


def test_the_glossary_has_words_of_every_kind() -> None:
    parts = [part for part, _ in glosses()]

    assert len(parts) > 1_500
    assert set(parts) == set("navdmpcx")


@every_row(
    ("noun", "plural"),
    [
        ("dog", "dogs"),
        ("fox", "foxes"),
        ("city", "cities"),
        ("toy", "toys"),
        ("policeman", "policemen"),
        ("old woman", "old women"),
        ("ear of grain", "ears of grain"),
        ("snow", "snow"),
    ],
)
def test_english_plurals(noun: str, plural: str) -> None:
    assert pluralise(noun) == plural


@pytest.mark.parametrize(
    ("verb", "form"), [("ride", "riding"), ("sit", "sitting"), ("lie", "lying"), ("see", "seeing")]
)
def test_english_participles(verb: str, form: str) -> None:
    assert present_participle(verb) == form
