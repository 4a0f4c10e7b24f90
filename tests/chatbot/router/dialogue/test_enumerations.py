"""Names listed in a conversation, and which of them a prompt means."""

from scripted.tables import every_row

from chatbot.router.dialogue.enumerations import (
    compared,
    listed_names,
    listed_places,
    listed_things,
    pick,
)


@every_row(("text", "places"), [
        ("Polecam Gdańsk, Chełmno i Łebę.", ("Gdańsk", "Chełmno", "Łeba")),
        ("Warto być w Zamościu, Lublinie albo Chełmie.", ("Zamość", "Lublin", "Chełm")),
        ("Nad tą rzeką leżą Sanok, Przemyśl i Jarosław.", ("Sanok", "Przemyśl", "Jarosław")),
        ("1. Ustka – plaża 2. Łeba – wydmy", ("Ustka", "Łeba")),
        ("W Toruniu jest planetarium.", ()),
        ("Grali Jan Nowicki i Anna Seniuk.", ()),
    ])  # fmt: skip
def test_places_of_a_list_come_in_base_form(text: str, places: tuple[str, ...]) -> None:
    assert listed_places(text) == places


def test_a_list_may_have_notes_or_be_a_part_of_a_longer_one() -> None:
    assert listed_names("Najdłuższy jest Nil (6650 km) albo Amazonka.") == ("Nil", "Amazonka")
    assert listed_things("Rosną tu: między innymi mak polny, chaber i kąkol.") == (
        "mak polny",
        "chaber",
        "kąkol",
    )


def test_names_and_things_of_a_list_keep_their_order() -> None:
    assert listed_names("Role mieli Jan Nowicki, Anna Seniuk i Leon Niemczyk.") == (
        "Jan Nowicki",
        "Anna Seniuk",
        "Leon Niemczyk",
    )
    assert listed_names("Czytałam „Lalkę” i „Faraona”.")[1:] == ("Faraon",)
    assert listed_things("Jamnik, chart polski i foksterier.") == (
        "jamnik",
        "chart polski",
        "foksterier",
    )


@every_row(
    ("folded", "name"),
    [
        ("a drugie z tych miast?", "Brzeg"),
        ("ten ostatni", "Nysa"),
        ("to srodkowe", "Brzeg"),
        ("w trzecim", "Nysa"),
        ("a czwarte?", None),
        ("a jutro?", None),
    ],
)
def test_an_order_picks_one(folded: str, name: str | None) -> None:
    assert pick(("Opole", "Brzeg", "Nysa"), folded) == name


def test_a_comparison_picks_the_one_it_was_said_of_or_the_other() -> None:
    told = "Brescia jest większa: ma 200 tysięcy mieszkańców, a Bergamo 120."
    names = ("Bergamo", "Brescia")
    assert compared(names, "w tym wiekszym", told) == "Brescia"
    assert compared(names, "w tym mniejszym", told) == "Bergamo"
    assert compared(names, "w tym starszym", told) is None
