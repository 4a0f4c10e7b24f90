"""Facts of a place that no forecast tells, and the place they are asked of."""

from scripted.tables import every_row

from chatbot.router.detector.place_facts import asks_place_fact, place_of_climate
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics


@every_row(
    ("prompt", "is_fact"),
    [
        ("Jaki był rekord mrozu w Suwałkach?", True),
        ("Ile deszczu spada rocznie w Krynicy?", True),
        ("Czy w Sandomierzu uzbiera się dwadzieścia tysięcy mieszkańców?", True),
        ("Rekordowy mróz w Siedlcach jutro?", False),
        ("Ile stopni jest w Krynicy?", False),
        ("Czy w Łebie jest dużo ludzi?", False),
    ],
)
def test_facts_of_a_place_are_told_from_its_weather(prompt: str, is_fact: bool) -> None:
    assert asks_place_fact(prompt) is is_fact


@every_row(
    ("prompt", "topic"),
    [
        ("Najwyższa temperatura kiedykolwiek zanotowana w Słubicach?", "Słubice"),
        ("Byłem w Ojmiakonie, minus 52. Jaki mróz był tam największy w historii?", "Ojmiakon"),
        ("Zbieram dane o norweskim Bergen: ile dni w roku tam pada", "Bergen"),
        ("ile sniegu spadlo w historii w radomiu", "Radom"),
    ],
)
def test_a_climate_is_that_of_its_place(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


def test_a_climate_without_a_place_has_none() -> None:
    prompt = "Ile deszczu spada rocznie?"

    assert place_of_climate(prompt, split_words(prompt)) is None
