"""Well-known names are found in any of their cases, and only where they are meant as names."""

import os
import subprocess
import sys

import pytest
from scripted.tables import every_row

from chatbot.router.detector.spans import split_words
from chatbot.router.detector.titles import find_titles, read_names


@every_row(
    ("text", "names"),
    [
        ("co ustalono na konferencji poczdamskiej", ["konferencja poczdamska"]),
        ("czy kot schrodingera to zart", ["kot Schrödingera"]),
        ("wiersze Norwida i obrazy Matejki", ["Norwid", "Matejko"]),
        ("o czym są „Dziady” Mickiewicza", ["Dziady"]),
        ("kto napisał Pana Tadeusza", ["Pan Tadeusz"]),
        ("kto zagrał w Potopie", ["Potop"]),
    ],
)
def test_a_known_name_in_another_case(text: str, names: list[str]) -> None:
    found = [one.name for one in find_titles(split_words(text))]
    assert [name for name in found if name in names] == names


@pytest.mark.parametrize(
    "text",
    ["po potopie w łazience", "Lalka dla córki", "kup psy i koty", "napisz wesele na ludowo"],
)
def test_an_everyday_word_is_no_name(text: str) -> None:
    assert find_titles(split_words(text)) == ()


def test_the_longest_name_is_taken() -> None:
    words = split_words("gdzie leży Muzeum Powstania Warszawskiego")
    (found,) = find_titles(words)
    assert (found.start, found.end) == (2, 5)


def test_each_name_is_found_in_itself() -> None:
    names = [name for name in read_names() if len(split_words(name)) > 1][::25]
    lost = [name for name in names if not any(True for _ in find_titles(split_words(name)))]
    assert lost == []


def test_a_singular_is_no_name_in_the_plural() -> None:
    assert [one.name for one in find_titles(split_words("długość okrętu Orzeł"))] == []


@every_row(
    ("prompt", "name"),
    [
        ("komu podlega straż graniczna", "Straż Graniczna"),
        ("powierzchnia strefy gazy", "Strefa Gazy"),
        ("kto był admirałem w bitwie pod oliwą", "bitwa pod Oliwą"),
    ],
)
def test_names_in_small_letters_are_known(prompt: str, name: str) -> None:
    assert name in {one.name for one in find_titles(split_words(prompt))}


@every_row(
    ("prompt", "name"),
    [
        ("Zaczynam naukę od Piastów.", "Piastowie"),
        ("Kim był dla Piastów Siemowit?", "Piastowie"),
        ("Ile Oscarów dostał „Pianista”?", "Oscary"),
        ("jaki władca Inków zbudował Machu Picchu", "Inkowie"),
        ("kim był brat Prusa", "Prus"),
        ("o czym jest Lalka Prusa", "Prus"),
    ],
)
def test_a_plural_is_taken_for_the_name_of_many(prompt: str, name: str) -> None:
    assert name in {one.name for one in find_titles(split_words(prompt))}


def test_of_equal_names_every_process_takes_the_same() -> None:
    program = (
        "from chatbot.router.detector.spans import split_words\n"
        "from chatbot.router.detector.titles import find_titles\n"
        "print(find_titles(split_words('o co chodzi w hipotezie gai')))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "3", "4")
    }
    assert len(said) == 1
    assert "KnownTitle" in said.pop()
