"""Countries, voivodeships and the names that are only said: found, and inflected rightly."""

import pytest
from scripted.tables import every_row

from chatbot.language import (
    VOIVODESHIPS,
    country_of,
    find_country,
    find_voivodeship,
    in_place,
    in_voivodeships,
    lemmatise,
    of_place,
    similar_places,
)
from chatbot.language.countries import countries
from chatbot.language.places import gazetteer

INDEPENDENT = [country for country in countries() if country.capital]


def test_every_code_of_iso_3166_has_one_country() -> None:
    codes = [country.code for country in countries()]
    assert len(set(codes)) == len(codes) == 250  # 249 of the standard, and Kosovo


@pytest.mark.parametrize(("code", "name"), [("PL", "Polska"), ("gr", "Grecja"), ("JP", "Japonia")])
def test_a_code_has_a_polish_name(code: str, name: str) -> None:
    country = country_of(code)
    assert country is not None
    assert country.name == name


def test_an_unknown_code_has_none() -> None:
    assert country_of("??") is None


@every_row(
    ("said", "code"),
    [
        ("Hiszpania", "ES"),
        ("Hiszpanii", "ES"),
        ("Niemczech", "DE"),
        ("wlochy", "IT"),
        ("USA", "US"),
        ("Stanach Zjednoczonych", "US"),
        ("RPA", "ZA"),
    ],
)
def test_a_country_is_found_by_any_form_of_its_name(said: str, code: str) -> None:
    country = find_country(said)
    assert country is not None
    assert country.code == code


def test_a_town_is_no_country() -> None:
    assert find_country("Kraków") is None


def test_every_country_and_capital_has_forms_read_by_a_person() -> None:
    names = [name for one in INDEPENDENT for name in (one.name, one.capital)]
    assert [name for name in names if gazetteer().find(name) is None] == []


@every_row(
    ("name", "said"),
    [
        ("Wola", "na Woli"),
        ("Praga-Południe", "na Pradze-Południe"),
        ("Wrzeszcz", "we Wrzeszczu"),
        ("Wawer", "w Wawrze"),
        ("Dominika", "na Dominice"),
        ("Port Louis", "w Port Louis"),
        ("San José", "w San José"),
        ("Lazurowe Wybrzeże", "na Lazurowym Wybrzeżu"),
    ],
)
def test_districts_islands_and_capitals_are_said(name: str, said: str) -> None:
    assert in_place(name) == said


def test_a_name_that_is_only_said_is_not_seen_in_words_of_a_text() -> None:
    assert gazetteer().sightings("woli") == ()


@every_row(
    ("name", "genitive"),
    [
        ("Olsztyn", "Olsztyna"),
        ("Bielsko-Biała", "Bielska-Białej"),
        ("Zakopane", "Zakopanego"),
        ("Tychy", "Tychów"),
        ("Madryt", "Madrytu"),
        ("Hogsmeade", "miejscowości Hogsmeade"),
    ],
)
def test_a_place_is_said_after_dla(name: str, genitive: str) -> None:
    assert of_place(name) == genitive


@every_row(
    ("written", "adjective"),
    [
        ("Masovian Voivodeship", "mazowieckie"),
        ("Województwo mazowieckie", "mazowieckie"),
        ("woj. łódzkim", "łódzkie"),
        ("Łódź Voivodeship", "łódzkie"),
        ("województwa małopolskiego", "małopolskie"),
        ("Lesser Poland Voivodeship", "małopolskie"),
        ("warminsko-mazurskie", "warmińsko-mazurskie"),
        ("Texas", None),
        ("", None),
    ],
)
def test_a_voivodeship_is_read_however_it_is_written(written: str, adjective: str | None) -> None:
    assert find_voivodeship(written) == adjective


def test_voivodeships_are_said_together() -> None:
    assert in_voivodeships(("łódzkie",)) == "w województwie łódzkim"
    assert (
        in_voivodeships(("łódzkie", "śląskie", "kujawsko-pomorskie"))
        == "w województwach łódzkim, śląskim i kujawsko-pomorskim"
    )


def test_no_voivodeship_cannot_be_said() -> None:
    with pytest.raises(ValueError, match="no voivodeship"):
        in_voivodeships(())


def test_voivodeships_have_capitals_that_are_towns() -> None:
    capitals = [capital for capital, _ in VOIVODESHIPS.values()]
    assert len(capitals) == 16
    assert [lemmatise(capital, kind="place") for capital in capitals] == capitals


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Wrocłw", ("Wrocław",)), ("Kudwa Zdroj", ("Kudowa-Zdrój",)), ("Hogsmeade", ())],
)
def test_a_mistyped_place_has_similar_ones(typed: str, meant: tuple[str, ...]) -> None:
    assert similar_places(typed) == meant
