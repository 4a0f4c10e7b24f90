"""What a prompt takes back, and what it puts in its place."""

import pytest
from scripted.tables import every_row

from chatbot.router.dialogue.contrasts import read_contrast


@every_row(
    ("prompt", "denied", "meant"),
    [
        ("nie o Wilnie, tylko o Lwowie", "Wilno", "Lwów"),
        ("no to Dunajec, nie Poprad, pomyliły mi się. Gdzie on się kończy?", "Poprad", "Dunajec"),
        ("Sorki, Tatarkiewicz, nie Tatarkowski. Władysław.", "Tatarkowski", "Tatarkiewicz"),
        ("sorry, nie w Radomiu, w Kielcach", "Radom", "Kielce"),
        ("nie kot tylko królik", "kot", "królik"),
        ("zamiast o Lwowie opowiedz o Wilnie", "Lwów", "Wilno"),
        ("Pomyliłam się, Zamość, a nie Zamoście", "Zamoście", "Zamość"),
        ("znaczy Włoch, przepraszam, nie Francji", "Francja", "Włochy"),
        ("nie o królu, chodziło mi o statek", "król", "statek"),
    ],
)
def test_what_is_taken_back_is_told_from_what_is_meant(
    prompt: str, denied: str, meant: str
) -> None:
    contrast = read_contrast(prompt)
    assert contrast.denies(denied)
    assert not contrast.denies(meant)
    assert contrast.means(meant)


@pytest.mark.parametrize(
    "prompt", ["Wróćmy do Nansena. Kiedy dostał Nobla?", "myślałem o Nansenie"]
)
def test_what_one_comes_back_to_is_meant(prompt: str) -> None:
    contrast = read_contrast(prompt)
    assert contrast.means("Fridtjof Nansen")
    assert not contrast.denied


@pytest.mark.parametrize(
    "prompt", ["a kiedy umarł, nie wiesz?", "czemu nie dostał Nobla?", "a gdzie leży Lwów?"]
)
def test_a_question_with_a_negation_corrects_nothing(prompt: str) -> None:
    assert not read_contrast(prompt)
