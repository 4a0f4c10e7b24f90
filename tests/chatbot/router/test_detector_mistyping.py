"""Words with one wrong, missing, swapped or doubled letter."""

import pytest
from hypothesis import given, strategies as st

from chatbot.router.detector.mistyping import as_meant, without_slips


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Sprwadź pogodę na jutor", "Sprawdź pogodę na jutro"),
        ("ile to pierwiatsek z 49", "ile to pierwiastek z 49"),
        ("naryusj kota w komputrze", "narysuj kota w komputerze"),
        ("kidey ogłuchł?", "kiedy ogłuchł?"),
        ("a trzeic gdzie mieszkał?", "a trzeci gdzie mieszkał?"),
        ("jset zimno", "jest zimno"),
        ("jak tam bedize wiało", "jak tam będzie wiało"),
        ("w którym wojewudztwie leży Radom", "w którym województwie leży Radom"),
        ("naprwdę tam pada?", "naprawdę tam pada?"),
    ],
)
def test_a_slip_is_mended(typed: str, meant: str) -> None:
    assert without_slips(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "co słychać w krakwoie",
        "Breda to Belgia czy Holandia?",
        "kim był messi, a kim mbappe",
        "Wytłumacz słowo „pierwiatsek”",
        "popraw: \njset zimno",
        "17 modulo 5 i \\begin{pmatrix}1 & 2\\end{pmatrix}",
        "w niedz. i w poniedz. będę w Radomiu",
        "gore-texu, jutor-kowy",
        "log₂ 8",
        "wifi nie działa, haha",
    ],
)
def test_what_is_no_slip_stays(text: str) -> None:
    assert without_slips(text) == text


def test_capitals_diacritics_and_slips_are_read_together() -> None:
    assert as_meant("JAKA BEDZIE POGDOA W LODZI JUTOR") == "Jaka będzie pogoda w łodzi jutro"


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    assert isinstance(as_meant(text), str)
