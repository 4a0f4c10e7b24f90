"""Tests of the names that a text has."""

import pytest

from chatbot.router.dialogue.mentions import find_mentions


def _persons(text: str) -> list[str]:
    return [one.name for one in find_mentions(text) if one.kind == "person"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Grał go Sean Connery.", "Sean Connery"),
        ("Wyreżyserował go Akira Kurosawa.", "Akira Kurosawa"),
        ("Zastąpiła go Kamala Harris.", "Kamala Harris"),
        ("Wśród kobiet wygrała Simona Halep.", "Simona Halep"),
    ],
)
def test_a_name_in_its_base_form_stays(text: str, name: str) -> None:
    assert _persons(text) == [name]


def test_an_author_stands_in_the_genitive_behind_a_title() -> None:
    assert _persons("Może „Solaris” Stanisława Lema?") == ["Stanisław Lem"]


def test_an_inflected_name_that_nobody_knows_gets_its_base_form() -> None:
    assert _persons("To piosenka Lany Del Rey.") == ["Lana Del Rey"]


@pytest.mark.parametrize("text", ["Film dostał Oscary.", "To ruiny miasta Inków."])
def test_a_plural_is_nobodys_first_name(text: str) -> None:
    assert _persons(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mars ma dwa księżyce: Fobosa i Deimosa.", ["Fobos", "Deimos"]),
        ("Zaczynał karierę w Feyenoordzie.", ["Feyenoord"]),
        ("Zmarł na Wyspie Świętej Heleny.", ["Wyspa Świętej Heleny"]),
        ("Wykładał na Politechnice Lwowskiej.", ["Politechnika Lwowska"]),
        ("Warto zobaczyć Halę Stulecia.", ["Hala Stulecia"]),
        ("Wyścig wygrał Tadej Pogačar.", ["Tadej Pogačar"]),
        ("Słyszałam o tej malarce, Curyłowej.", ["Curyłowa"]),
    ],
)
def test_names_of_things_and_strange_ones_get_their_base_form(text: str, names: list[str]) -> None:
    assert [one.name for one in find_mentions(text)] == names
