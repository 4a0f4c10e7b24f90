"""Entries that a prompt tells to look up behind its question."""

from scripted.tables import every_row

from chatbot.router.detector.entries import entry_told
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics


@every_row(
    ("prompt", "topic"),
    [
        ("Kiedy dokonano zaboru Krymu? Sprawdź aneksję Krymu.", "aneksja Krymu"),
        ("Jaki tytuł nosił władca Persji? Poszukaj „szach”.", "szach"),
        ("imię konia, na którym jeździł Aleksander, wyszukaj Bucefała", "Bucefał"),
        ("kiedy spłonął Reichstag, mam na myśli ten słynny pożar Reichstagu?", "pożar Reichstagu"),
        ("Kto bronił klasztoru? Interesuje mnie oblężenie Jasnej Góry.", "oblężenie Jasnej Góry"),
        ("Kto był pierwszy? Znajdź kalendarz juliański.", "kalendarz juliański"),
    ],
)
def test_the_entry_that_is_told_is_looked_up(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("Na co cierpi się przy cukrzycy typu 2? Interesuje mnie ta choroba.", "cukrzyca typu 2"),
        ("Nazwiska odkrywców DNA — chodzi o strukturę podwójnej helisy", "DNA"),
        ("Gdzie leży Malta? Sprawdź szybko.", "Malta"),
        ("Kto napisał „Lalkę”? Chodzi o powieść.", "Lalka"),
        ("Gdzie urodził się Chopin? Sprawdź datę urodzenia.", "Fryderyk Chopin"),
        ("co to jest antropocen", "antropocen"),
    ],
)
def test_kinds_and_what_is_asked_are_no_entries(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


def test_an_order_at_the_beginning_tells_no_entry_behind_a_question() -> None:
    text = "Sprawdź, gdzie leży Malta."

    assert entry_told(text, split_words(text)) is None
