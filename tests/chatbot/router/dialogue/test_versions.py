"""Several versions of the last picture, last pictures in one, and pictures of their own."""

import pytest
from scripted.tables import every_row

from chatbot.router.dialogue.drawings.fresh import fresh
from chatbot.router.dialogue.drawings.joining import in_one, joined
from chatbot.router.dialogue.drawings.versions import versions


@every_row(
    ("prompt", "expected"),
    [
        ("to samo wiosną i osobno jesienią", ("dwór wiosną", "dwór jesienią")),
        ("jeszcze dwa: jeden o świcie, drugi w burzy", ("dwór o świcie", "dwór w burzy")),
        ("raz we mgle, raz w słońcu", ("dwór we mgle", "dwór w słońcu")),
        ("w deszczu i w śniegu, na osobnych obrazkach", ("dwór w deszczu", "dwór w śniegu")),
        ("narysuj dwa kolejne: młyn i stodołę", ("młyn", "stodoła")),
        ("o każdej porze dnia osobny: rano i wieczorem", ("dwór, rano", "dwór, wieczorem")),
        ("teraz osobno zimą i osobno jesienią", ("dwór zimą", "dwór jesienią")),
        ("dwie wersje, osobno: w nocy i o świcie", ("dwór w nocy", "dwór o świcie")),
        ("w deszczu i we mgle, każde osobno", ("dwór w deszczu", "dwór we mgle")),
        ("Jeszcze dwa: z psem i z kotem, osobno.", ("dwór z psem", "dwór z kotem")),
        ("a osobno w stylu komiksu i w sepii?", ("dwór w stylu komiksu", "dwór w sepii")),
        (
            "cztery warianty: o każdej porze roku jeden",
            ("dwór wiosną", "dwór latem", "dwór jesienią", "dwór zimą"),
        ),
        ("dodaj napis „Cztery pory roku”", ()),
        ("obok drugi, mniejszy", ()),
        ("jeszcze raz, ale w śniegu", ()),
        ("dodaj dwa psy: jeden śpi, drugi szczeka, i kota", ()),
    ],
)
def test_versions_are_told_apart_where_they_are_counted(
    prompt: str, expected: tuple[str, ...]
) -> None:
    assert versions("dwór", prompt) == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("połącz oba obrazki w jeden", ("lis, wilk", "")),
        ("oba na jednym rysunku, pod dębem", ("lis, wilk", "pod dębem")),
        ("złącz wszystkie trzy w jeden", ("ryś, lis, wilk", "")),
        ("oba mają mieć kapelusze", None),
    ],
)
def test_the_last_pictures_are_put_into_one(prompt: str, expected: tuple[str, str] | None) -> None:
    assert joined(("wilk", "lis", "ryś"), prompt) == expected


@every_row(
    ("prompt", "expected"),
    [
        ("Kolejny obrazek: pociąg na wiadukcie", ("pociąg na wiadukcie",)),
        ("a teraz coś zupełnie innego: podwodne miasto", ("podwodne miasto",)),
        ("poproszę jeszcze plakat na dzień ziemi", ("plakat na dzień ziemi",)),
        ("kolejny taki sam obrazek: w nocy", ()),
        ("inny wariant: w nocy", ()),
        ("zrób jeszcze plakat z tego", ()),
    ],
)
def test_a_picture_of_its_own_is_told_from_a_change(prompt: str, expected: tuple[str, ...]) -> None:
    assert fresh(prompt) == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a teraz jedno i drugie na jednym rysunku", "lis, wilk"),
        ("połącz to w jeden obrazek, zimą", "lis, wilk, zimą"),
        ("super, a na jednym obrazku oboje?", "lis, wilk"),
        ("a razem by się dało?", "lis, wilk"),
        ("daj wszystkie na jednym", "ryś, lis, wilk"),
        ("narysuj psa i kota razem na jednym obrazku", None),
        ("połącz to z kotem", None),
    ],
)
def test_one_picture_of_the_last_ones_is_asked_for_in_any_order(
    prompt: str, expected: str | None
) -> None:
    assert in_one(("wilk", "lis", "ryś"), prompt) == expected
