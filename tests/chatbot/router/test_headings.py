"""Topics that a prompt says first, then tells apart or asks aspects of."""

from scripted.tables import every_row

from chatbot.router.detector.aspects import without_aspects
from chatbot.router.detector.headings import heading_told
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics


@every_row(
    ("prompt", "topic"),
    [
        ("Wilga – samolot, nie ptak. Kiedy oblatano prototyp?", "Wilga"),
        ("Syrena jako auto, nie ta z herbu. Gdzie ją klepali?", "Syrena"),
        ("Krokus, ale ten kwiat, nie zespół. Gdzie rośnie dziko?", "Krokus"),
        ("mazowsze, tylko nie wojewodztwo a ten zespol, kto go zalozyl?", "Mazowsze"),
        ("„Zły”, taka gruba powieść o powojennej Warszawie, kto ją popełnił?", "Zły"),
        ("Potop szwedzki: z jakiego powodu Karol Gustaw ruszył?", "Potop szwedzki"),
        ("Czy Muszyna to jeszcze Beskid Sądecki? Jakie tam są źródła?", "Muszyna"),
        ("Bochnia to już Małopolska czy jeszcze Śląsk?", "Bochnia"),
        ("Mars to planeta, nie batonik, ile ma księżyców?", "Mars"),
        ("Surinam: waluta, język urzędowy?", "Surinam"),
        ("podaj coś o Widzewie Łódź, barwy, stadion, kiedy powstał", "Widzew Łódź"),
    ],
)
def test_what_heads_a_prompt_is_its_topic(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    "prompt",
    [
        "Mama, nie wierząc mi, pyta o Prusa.",
        "Pytanie, nie żart: kim był Tesla?",
        "Kochani, oglądam teleturniej, jakiego nie umie nikt.",
        "„Gdzie leży Nil?” – zapytał mnie syn o tę rzekę.",
        "Kiedy zmarł Prus?",
    ],
)
def test_remarks_and_speech_head_nothing(prompt: str) -> None:
    assert heading_told(prompt, split_words(prompt)) is None


@every_row(
    ("prompt", "rest"),
    [
        ("Gwatemala: stolica, waluta, liczba ludności", "Gwatemala"),
        ("Josef Lada, rok i miejsce urodzenia", "Josef Lada"),
        ("Kielce, Radom, Płock", "Kielce, Radom, Płock"),
        ("unia w Lublinie, hasło unia lubelska", "unia w Lublinie, hasło unia lubelska"),
        ("powiedz: rozpiętość skrzydeł bociana", "powiedz: rozpiętość skrzydeł bociana"),
        ("Prus, kiedy zmarł", "Prus, kiedy zmarł"),
    ],
)
def test_listed_aspects_are_taken_off(prompt: str, rest: str) -> None:
    assert without_aspects(prompt) == rest
