"""Who a conversation says that somebody is."""

import pytest
from scripted.tables import every_row

from chatbot.router.dialogue.articles.bearers import bearers


@every_row(
    ("text", "name", "gender"),
    [
        ("Hedy Lamarr była austriacko-amerykańską aktorką.", "Hedy Lamarr", "f"),
        ("Nikola Tesla urodził się w Smiljanie.", "Nikola Tesla", "m"),
        ("Rządził nimi kardynał Richelieu.", "Richelieu", "m"),
        ("Fridtjof Nansen (1861–1930) był badaczem polarnym.", "Fridtjof Nansen", "m"),
        ("Pomnik wykonała rzeźbiarka Ludwika Nitschowa.", "Ludwika Nitschowa", "f"),
    ],
)
def test_a_text_tells_who_a_person_is(text: str, name: str, gender: str) -> None:
    assert dict(bearers(text))[name] == gender


@pytest.mark.parametrize(
    "text",
    [
        "Wisła jest najdłuższą rzeką Polski.",
        "Kraków był siedzibą królów.",
        "Autorem „Potopu” jest Henryk Sienkiewicz.",
        "Prezydent Warszawy mieszka na Woli.",
    ],
)
def test_places_and_works_are_no_persons(text: str) -> None:
    assert {name for name, _ in bearers(text)} <= {"Henryk Sienkiewicz"}


def test_somebody_in_another_case_is_not_what_stands_before() -> None:
    assert dict(bearers("Trenerem Igi Świątek był Tomasz Wiktorowski.")).get("Iga Świątek") != "m"
