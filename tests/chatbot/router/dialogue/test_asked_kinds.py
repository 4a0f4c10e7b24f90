"""Pictures of what a question named under its noun, and of what a reply lists."""

import pytest
from scripted.guessing import guessed

FRAM = ("Gdzie można zobaczyć statek Fram?", "„Fram” stoi w muzeum na półwyspie Bygdøy w Oslo.")
EUROPA = (
    "Kto odkrył księżyc Europa?",
    "Europę, księżyc Jowisza, odkrył Galileusz w 1610 roku.",
)
BIRDS = ("Jakie ptaki zimują w parku?", "Zimują u nas na przykład kwiczoł i gil.")
FLOWERS = ("Jakie kwiaty na balkon?", "Dobre będą surfinia, begonia albo pelargonia.")


def shown(*texts: str) -> list[str]:
    """What the pictures show that the last text asks for after the others."""
    return [str(one.arguments.get("description")) for one in guessed(*texts)]


@pytest.mark.parametrize(
    ("texts", "picture"),
    [
        ((*FRAM, "narysuj go w lodzie"), "statek Fram w lodzie"),
        ((*FRAM, "Poproszę ilustrację: on na wzburzonym morzu"), "statek Fram"),
        ((*EUROPA, "Poproszę ilustrację jego lodowej powierzchni"), "księżyc Europa"),
        ((*EUROPA, "namaluj go na tle gwiazd"), "księżyc Europa na tle gwiazd"),
    ],
)
def test_a_pronoun_means_what_was_asked_about_under_its_noun(
    texts: tuple[str, ...], picture: str
) -> None:
    (made,) = shown(*texts)
    assert made.startswith(picture)


@pytest.mark.parametrize(
    ("texts", "picture"),
    [
        ((*BIRDS, "pierwszego narysuj na gałęzi"), "kwiczoł na gałęzi"),
        ((*BIRDS, "Proszę obrazek tego drugiego na śniegu"), "gil na śniegu"),
        ((*FLOWERS, "ten ostatni mi namaluj, w doniczce"), "pelargonia w doniczce"),
        ((*BIRDS, "narysuj psa"), None),
    ],
)
def test_an_order_means_one_of_the_things_that_a_reply_lists(
    texts: tuple[str, ...], picture: str | None
) -> None:
    assert shown(*texts) == ([picture] if picture else [])


@pytest.mark.parametrize(
    ("prompt", "picture"),
    [
        ("A Rysy?", "Rysy zimą, o świcie"),
        ("super, a teraz Morskie Oko", "Morskie Oko zimą, o świcie"),
        ("A Rysy mają ile metrów?", None),
    ],
)
def test_the_last_picture_is_drawn_of_another_thing(prompt: str, picture: str | None) -> None:
    said = ("Namaluj Giewont zimą, o świcie.", "Oto Giewont.")
    assert shown(*said, prompt) == ([picture] if picture else [])
