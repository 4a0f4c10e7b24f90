"""The case of a topic by what stands before it: verbs, nouns, quotation marks."""

from scripted.tables import every_row

from chatbot.router.detector.topic import read_topics


@every_row(
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


@every_row(
    ("prompt", "topic"),
    [
        ("co to wlasciwie byl plan dawesa", "plan Dawesa"),
        ("objaw raynauda, co to", "objaw Raynauda"),
        ("ile wody mieści zalew sulejowski", "Zalew Sulejowski"),
        ("w jakich górach jest przełęcz karkonoska", "Przełęcz Karkonoska"),
        ("kiedy założono politechnikę lwowską", "Politechnika Lwowska"),
        ("jakie leki dają na dnę moczanową", "dna moczanowa"),
        ("Kiedy był chrzest Polski?", "chrzest Polski"),
        ("co napisał leon xiii", "Leon XIII"),
    ],
)
def test_capitals_stand_where_an_encyclopaedia_has_them(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)
