"""Names that keep the form in which they were typed, and readings that nobody means."""

from scripted.tables import every_row

from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics
from chatbot.router.detector.unchanged import foreign_title, is_designation


@every_row(
    ("prompt", "topic"),
    [
        ("z jakiego kraju jest marka Miele", "Miele"),
        ("skąd pochodzi marka Kenzo", "Kenzo"),
        ("Kto występował w kabarecie Tey?", "Tey"),
        ("kto gra w zespole Dżem", "Dżem"),
        ("co to za samolot an-2", "An-2"),
        ("Co to jest An-124?", "An-124"),
        ("do jakich zadań służył ił-62", "Ił-62"),
        ("Gdzie powstał ruch Hare Kryszna?", "Hare Kryszna"),
        ("kiedy powstał zamek Bran", "zamek Bran"),
        ("Kim był Sai Baba?", "Sai Baba"),
        ("co to Mise en place", "Mise en place"),
        ("Kto śpiewał „Non, je ne regrette rien”?", "Non, je ne regrette rien"),
        ("Kto śpiewał „La vie en rose”?", "La vie en rose"),
        ("Z którego roku jest film „Goodbye, Lenin”?", "Goodbye, Lenin"),
        ("Proszę o wyjaśnienie hasła „antropocen”.", "antropocen"),
        ("Jak się nazywał statek Jacques'a Cousteau?", "Jacques Cousteau"),
    ],
)
def test_names_and_foreign_titles_stay_as_they_were_typed(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("Kim byli wikingowie?", "wikingowie"),
        ("kiedy powstał Hutnik Kraków", "Hutnik Kraków"),
        ("Ile lat ma Dąb Bartek?", "Dąb Bartek"),
        ("kim był Król Artur", "Król Artur"),
        ("kim był Banach Stefan", "Stefan Banach"),
        ("wydra morska gdzie żyje", "wydra morska"),
        ("w czym mieszka krab pustelnik", "krab pustelnik"),
        ("Jakiej długości był „Orzeł”, okręt podwodny?", "Orzeł"),
        ("Przedstaw mi krótko postać Hypatii z Aleksandrii.", "Hypatia z Aleksandrii"),
        ("Potrzebuję informacji o kaczce krzyżówce.", "kaczka krzyżówka"),
        ("Padło nazwisko Emila Zátopka, ile medali zdobył?", "Emil Zátopek"),
        ("kiedy rozebrano sobór Aleksandra Newskiego", "sobór Aleksandra Newskiego"),
    ],
)
def test_words_are_read_as_they_are_meant(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


def test_letters_with_a_number_tell_a_model() -> None:
    assert is_designation("Tu-154M")
    assert not is_designation("Bielsko-Biała")


def test_a_polish_quotation_is_no_foreign_title() -> None:
    words = split_words("autor „Kronik Seinfelda” nie żyje")

    assert foreign_title(words, 3, 4) is None
