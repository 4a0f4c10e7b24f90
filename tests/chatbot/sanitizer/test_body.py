import pytest
from scripted.attributions import ANSWER, edits, harmless_edits, signed
from scripted.effort import LINEAR, growth
from scripted.tables import every_row

from chatbot.sanitizer import body_digest, closing_of

IMAGE = "![pies](https://czat.example/images/k3.1796000000.mfrgg2lt)"


def test_frames_and_own_images_are_not_part_of_the_body() -> None:
    assert body_digest(f"{signed()}\n\n{IMAGE}\n") == body_digest(ANSWER)


@every_row("text", [text for _, text in harmless_edits(signed())])
def test_what_clients_do_by_themselves_makes_no_difference(text: str) -> None:
    assert body_digest(text) == body_digest(ANSWER)


def test_every_edited_character_makes_a_difference() -> None:
    same = [name for name, text in edits(signed()) if body_digest(text) == body_digest(ANSWER)]

    assert same == []


@every_row(
    ("text", "closing"),
    [
        ("", ""),
        ("Tekst.", ""),
        ("```c\nint a;", "\n```"),
        ("```c\nint a;\n```", ""),
        ("````\n```\n", "\n````"),
        ("~~~\n```", "\n~~~"),
        ("  ```\nx", "\n```"),
        ("- a\n  ```\n  x", ""),
        ("> ```\n> x", ""),
        ("a ``` b", ""),
        ("```a`b", ""),
        ("<!-- a", "\n-->"),
        ("<!-- a -->", ""),
        ("<!-- a\n\nb", "\n-->"),
        ("$$x^2", "\n$$"),
        ("$$x^2$$", ""),
        ("cena \\$$5", ""),
        ("`$$` to znak", ""),
        ("$$5 i nic\n\nDalej", ""),
        ("\\[x", "\n\\]"),
        ("\\[x \\\\[2pt] \\]", ""),
        ("```\n$$\n<!--\n```", ""),
    ],
)
def test_what_is_left_open_is_closed(text: str, closing: str) -> None:
    assert closing_of(text) == closing
    assert closing_of(text + closing) == ""


@pytest.mark.parametrize("piece", [" ", "\n", "`", "$", "\\", "```\n", "- ", "![", "\r", "⟦"])
def test_long_texts_cost_linear_time(piece: str) -> None:
    assert growth(lambda text: body_digest(text + "x"), piece, 200_000) < LINEAR
    assert growth(lambda text: closing_of(text + "x"), piece, 200_000) < LINEAR
