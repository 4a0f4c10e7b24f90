"""The case of a topic by what stands before it: verbs, nouns, quotation marks."""

import pytest

from chatbot.router.detector.topic import read_topics


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("W jakich latach nadawano bajkę „Przygody kota Filemona”?", "Przygody kota Filemona"),
        ("Ciotka ma fazę na „Auta”. Kto podkłada głos w „Autach”? Chodzi o „Auta”", "Auta"),
        ("Kto grał Kramera w „Kronikach Seinfelda”?", "Kroniki Seinfelda"),
        ("Jak daleko niosła kusza?", "kusza"),
        ("jak długo trwa kolka niemowlęca", "kolka niemowlęca"),
        ("czemu niektóre osoby mają heterochromię", "heterochromia"),
        ("A właśnie, kto rysował Garfielda?", "Garfield"),
        ("Odkryłem Klausa Mitffocha, kto tam śpiewał?", "Klaus Mitffoch"),
        ("gdzie pochowano Jima Morrisona", "Jim Morrison"),
        ("Jak się nazywał statek Jacques'a Cousteau?", "Jacques Cousteau"),
        ("Kto zdradził Williama Wallace'a?", "William Wallace"),
        ("szukam liczby ludności Sieradza do prezentacji", "Sieradz"),
        ("W ogóle opisz historię Leszna", "Leszno"),
        ("Jaką rolę odegrał Związek Walki Czynnej?", "Związek Walki Czynnej"),
    ],
)
def test_a_subject_stays_and_an_object_changes(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)
