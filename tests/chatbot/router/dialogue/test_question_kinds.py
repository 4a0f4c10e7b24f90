"""What kind of thing a name names, and what kind a question asks about."""

import pytest
from scripted.tables import every_row

from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.articles.name_kinds import NAME_KINDS, name_kind
from chatbot.router.dialogue.articles.question_kinds import question_kinds, read_words


@every_row(
    ("name", "kind"),
    [
        ("Maria Konopnicka", "person"),
        ("Bitwa pod Grunwaldem", "event"),
        ("Biała Podlaska", "place"),
        ("Gotycki zamek w Malborku", "building"),
        ("Lalka (powieść)", "work"),
        ("Borsuk europejski", "animal"),
        ("fotosynteza", "notion"),
        ("Fotosynteza", "notion"),
        ("CERN", "thing"),
        ("", "thing"),
    ],
)
def test_a_name_tells_its_kind(name: str, kind: str) -> None:
    assert name_kind(name) == kind


@pytest.mark.parametrize(
    ("question", "kind", "other"),
    [
        ("gdzie jest pochowany", "person", "notion"),
        ("kto dowodził", "event", "animal"),
        ("czym się żywi", "animal", "person"),
        ("kto go zaprojektował", "building", "animal"),
    ],
)
def test_a_question_fits_one_kind_better_than_another(question: str, kind: str, other: str) -> None:
    fits = question_kinds().fits(read_words(split_words(question)))

    assert fits[kind] > fits[other]


def test_a_question_without_a_known_word_fits_every_kind() -> None:
    assert set(question_kinds().fits(frozenset())) == set(NAME_KINDS)
