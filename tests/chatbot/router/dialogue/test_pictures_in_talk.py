"""Pictures changed politely or gone back to, and what is only said of them."""

import pytest
from scripted.guessing import guessed
from scripted.tables import every_row

from chatbot.router.dialogue.drawings.choosing import select
from chatbot.router.dialogue.drawings.colours import recoloured
from chatbot.router.dialogue.drawings.wishes import plain_wish

CAT = ("Narysuj kota siedzącego na parapecie", "Oto obrazek.")
FOX_AND_WOLF = ("Narysuj lisa w lesie", "Gotowe!", "Narysuj wilka na śniegu", "Oto wilk.")
FLEMING = ("Kto odkrył penicylinę?", "Penicylinę odkrył Alexander Fleming w 1928 roku.")
CURIE = (
    "Gdzie urodziła się Maria Skłodowska-Curie?",
    "Maria Skłodowska-Curie urodziła się w Warszawie. Jej mężem był Piotr Curie.",
)
HOUSE = (
    "Narysuj dom na wsi",
    "Gotowe.",
    "Jaka jutro pogoda w Łodzi?",
    "Jutro w Łodzi 4°C, deszcz.",
)


def made(*texts: str) -> list[object]:
    """What the last text asks for after the others: the first argument of each call."""
    return [next(iter(one.arguments.values())) for one in guessed(*texts)]


@pytest.mark.parametrize(
    "prompt",
    [
        "ładny ten obrazek",
        "bardzo ładny obrazek",
        "ale słodki kotek",
        "podoba mi się ten rysunek",
        "brzydki ten kot",
        "całkiem niezłe",
        "w jakim to jest formacie?",
        "co przedstawia ten obrazek?",
        "da się go pobrać?",
    ],
)
def test_what_is_said_of_a_picture_asks_for_none(prompt: str) -> None:
    assert made(*CAT, prompt) == []


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ((*FOX_AND_WOLF, "wróć do poprzedniego obrazka"), "lis w lesie"),
        ((*FOX_AND_WOLF, "wróć do lisa i dodaj grzyby"), "lis w lesie, grzyby"),
        ((*FOX_AND_WOLF, "do pierwszego dodaj ptaki"), "lis w lesie, ptaki"),
        ((*HOUSE, "wróćmy do domu z obrazka, dodaj ogród"), "dom na wsi, ogród"),
        ((*HOUSE, "a dodaj do obrazka ogród"), "dom na wsi, ogród"),
        (
            (*CAT, "Czy mogliby Państwo przedstawić tę samą scenę w konwencji komiksu?"),
            "kot siedzący na parapecie w konwencji komiksu",
        ),
        (
            (*CAT, "Bardzo proszę o dodanie do ilustracji wazonu z tulipanami."),
            "kot siedzący na parapecie, wazon z tulipanami",
        ),
        ((*CAT, "nie taki, ma być gruby"), "kot siedzący na parapecie, gruby"),
        ((*CAT, "super", "Cieszę się!", "dodaj psa"), "kot siedzący na parapecie, pies"),
        ((*HOUSE, "ten sam rysunek, ale zimą"), "dom na wsi zimą"),
    ],
)
def test_a_picture_is_gone_back_to_or_changed(texts: tuple[str, ...], shown: str) -> None:
    assert made(*texts) == [shown]


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ((*FLEMING, "pokaż go w laboratorium"), "Alexander Fleming"),
        ((*FLEMING, "narysuj tego naukowca przy mikroskopie"), "Alexander Fleming"),
        ((*CURIE, "narysuj jej męża"), "Piotr Curie"),
        ((*CURIE, "narysuj ich razem"), "Maria Skłodowska-Curie i Piotr Curie"),
        ((*CURIE, "narysuj to miasto"), "Warszawa"),
        ((*CURIE, "narysuj ją"), "Maria Skłodowska-Curie"),
    ],
)
def test_a_picture_shows_whom_the_prompt_means(texts: tuple[str, ...], shown: str) -> None:
    (found,) = made(*texts)
    assert str(found).startswith(shown)


@every_row(
    ("wish", "order"),
    [
        ("Poproszę o zastąpienie kota psem.", "zamiast kota psem"),
        ("Czy byłaby możliwość usunięcia parapetu?", "usuń parapetu"),
        ("Prosiłabym o zmianę balonu na latawiec.", "zmień balonu na latawiec"),
        ("Proszę powtórzyć ilustrację w odcieniach szarości.", "w odcieniach szarości"),
        ("czy da sie to zrobic w czerni i bieli", "w czerni i bieli"),
        ("proszę o obraz zamku nad jeziorem", "proszę o obraz zamku nad jeziorem"),
        ("dodaj psa", "dodaj psa"),
    ],
)
def test_a_polite_wish_is_an_order(wish: str, order: str) -> None:
    assert plain_wish(wish) == order


@every_row(
    ("prompt", "picture", "rest"),
    [
        ("wróć do wersji bez wieloryba", "statek", ""),
        ("poprzednia wersja była lepsza", "statek", ""),
        ("pierwsza wersja, ale w nocy", "statek", "w nocy"),
        ("usuń z obrazka wieloryba", "statek i wieloryb", "usuń wieloryba"),
        ("teraz akwarelą", "statek i wieloryb", "teraz akwarelą"),
    ],
)
def test_what_points_to_a_picture_is_no_part_of_it(prompt: str, picture: str, rest: str) -> None:
    assert select(("statek i wieloryb", "statek"), prompt, is_last=True) == (picture, rest)


@every_row(
    ("picture", "clause", "result"),
    [
        ("kot na dachu", "zmień kolor kota na czarny", ("czarny kot na dachu", "")),
        ("dom z balonem", "przemaluj balon na czerwono", ("dom z czerwonym balonem", "")),
        ("kot na dachu", "zmień kota na psa", None),
    ],
)
def test_a_thing_gets_another_colour(
    picture: str, clause: str, result: tuple[str, str] | None
) -> None:
    assert recoloured(picture, clause) == result
