"""Places are said in the locative with the preposition that Polish wants."""

import pytest
from scripted.tables import every_row

from chatbot.language import in_place, inflect_locative, lemmatise, town_names
from chatbot.language.places import gazetteer


@every_row(
    ("name", "said"),
    [
        ("Lądek-Zdrój", "w Lądku-Zdroju"),
        ("Wrocław", "we Wrocławiu"),
        ("Włocławek", "we Włocławku"),
        ("Warszawa", "w Warszawie"),
        ("Wiedeń", "w Wiedniu"),
        ("Lwów", "we Lwowie"),
        ("Hel", "na Helu"),
        ("Zakopane", "w Zakopanem"),
        ("Kielce", "w Kielcach"),
        ("Końskie", "w Końskich"),
        ("Ostrów Mazowiecka", "w Ostrowi Mazowieckiej"),
        ("Wysokie Mazowieckie", "w Wysokiem Mazowieckiem"),
        ("Gniezno", "w Gnieźnie"),
        ("Nakło nad Notecią", "w Nakle nad Notecią"),
        ("Łódź", "w Łodzi"),
        ("Bielsko-Biała", "w Bielsku-Białej"),
        ("Węgry", "na Węgrzech"),
        ("Włochy", "we Włoszech"),
        ("Francja", "we Francji"),
        ("Stany Zjednoczone", "w Stanach Zjednoczonych"),
        ("Ukraina", "w Ukrainie"),
        ("Islandia", "na Islandii"),
        ("Mazury", "na Mazurach"),
        ("Wielkopolska", "w Wielkopolsce"),
        ("Tokio", "w Tokio"),
        ("Los Angeles", "w Los Angeles"),
        ("Nowy Jork", "w Nowym Jorku"),
        ("Frankfurt nad Menem", "we Frankfurcie nad Menem"),
        ("Morskie Oko", "nad Morskim Okiem"),
        ("Kasprowy Wierch", "na Kasprowym Wierchu"),
        ("województwo mazowieckie", "w województwie mazowieckim"),
        ("Wyspa Wielkanocna", "na Wyspie Wielkanocnej"),
        ("Wólka Kosowska", "w Wólce Kosowskiej"),
        ("Kowalewko", "w Kowalewku"),
        ("Hogsmeade", "w miejscowości Hogsmeade"),
    ],
)
def test_a_place_is_said_as_poles_say_it(name: str, said: str) -> None:
    assert in_place(name) == said


def test_a_name_that_cannot_be_read_stays_as_it_is() -> None:
    assert inflect_locative("Hogsmeade") == "Hogsmeade"


def test_a_hyphen_may_be_missing() -> None:
    assert in_place("Kudowa Zdrój") == "w Kudowie-Zdroju"


def test_all_polish_towns_are_known() -> None:
    assert len(town_names()) == 1007


@pytest.mark.parametrize(
    ("case", "preposition"), [("gen", "do"), ("loc", "w"), ("inst", "nad"), ("nom", None)]
)
def test_every_form_of_every_town_leads_back_to_its_name(
    case: str, preposition: str | None
) -> None:
    shared = {"Lipsko"}  # "Lipska" is Lipsk's as well
    wrong = [
        name
        for name in town_names()
        if (place := gazetteer().find(name)) is not None
        for key, form in place.forms.items()
        if key == case and lemmatise(form, kind="place", preposition=preposition) != name
    ]
    assert set(wrong) <= shared


def test_every_place_has_forms_in_all_cases() -> None:
    places = [gazetteer().find(name) for name in gazetteer().names]
    assert all(place is not None and len(place.forms) == 6 for place in places)
