"""A place told from its namesakes keeps its voivodeship or country."""

from scripted.tables import every_row

from chatbot.router.detector.places import find_places


@every_row(
    ("prompt", "places"),
    [
        ("pogoda Dąbrowa, małopolskie", ("Dąbrowa, małopolskie",)),
        ("Jaka jest pogoda w Dąbrowie, woj. opolskie?", ("Dąbrowa, opolskie",)),
        ("pogoda w Dąbrowie (kujawsko-pomorskie) jutro", ("Dąbrowa, kujawsko-pomorskie",)),
        ("Czy w Dąbrowie w województwie łódzkim pada?", ("Dąbrowa, łódzkie",)),
        ("Jaka pogoda w Londynie w Kanadzie?", ("Londyn, Kanada",)),
        ("Czy w Rzymie we Włoszech jest słonecznie?", ("Rzym",)),
        ("Bergen w Norwegii - ile stopni?", ("Bergen",)),
        ("Jaka pogoda jest w Krakowie?", ("Kraków",)),
        ("Jaka pogoda w Drawsku Pomorskim?", ("Drawsko Pomorskie",)),
        ("Porównaj pogodę w Gruzji, Armenii", ("Gruzja", "Armenia")),
        ("Czy w Gdańsku i w Polsce pada?", ("Gdańsk", "Polska")),
    ],
)
def test_a_place_is_narrowed_by_the_words_after_it(prompt: str, places: tuple[str, ...]) -> None:
    assert find_places(prompt) == places
