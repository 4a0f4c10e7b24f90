"""What a request said of a picture before we asked what it shall show."""

import pytest

from chatbot.router.dialogue.drawings.commissions import commissioned

ROWS = (
    ("Zrób mi plakat w stylu retro.", "rower w górach", "plakat w stylu retro, rower w górach"),
    ("namaluj pejzaż", "zimowy, z rzeką", "pejzaż zimowy, z rzeką"),
    ("Poproszę obraz olejny.", "martwa natura z cebulą", "obraz olejny, martwa natura z cebulą"),
    ("Narysuj coś na Dzień Matki.", "bukiet i serce", "bukiet i serce, na Dzień Matki"),
    ("Wygeneruj pocztówkę z Zakopanego", "Giewont", "pocztówka z Zakopanego, Giewont"),
    ("Narysuj coś", "dom z piernika", "dom z piernika"),
    ("Zrób mi ładny obrazek", "kot w kubku", "kot w kubku"),
    ("Obrazek dla wnuczki poproszę.", "kucyk w wianku", "kucyk w wianku"),
    ("Zrób grafikę na bloga", "filiżanka kawy", "filiżanka kawy"),
)  # fmt: skip


@pytest.mark.parametrize(("request_", "shown", "wanted"), ROWS)
def test_kind_style_and_occasion_are_kept(request_: str, shown: str, wanted: str) -> None:
    assert commissioned(request_, shown) == wanted
