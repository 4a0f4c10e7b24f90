"""The network that writes calculations of word problems: what it sees, what it writes, bounds."""

import math

import pytest
from scripted.tables import every_row

from chatbot.router.detector.formulas.stories.network import MOST_TOKENS, Written, story_network
from chatbot.router.detector.formulas.stories.reading import statement_of
from chatbot.router.detector.formulas.stories.templates import parse
from chatbot.router.detector.formulas.stories.tokens import TRAITS, tokens_of


def written(prompt: str) -> list[Written]:
    statement = statement_of(prompt)
    assert statement is not None
    return story_network().write(tokens_of(statement))


@every_row(
    ("prompt", "code", "chosen"),
    [
        ("Kupuję 3 kg jabłek po 4,50 zł za kg, ile zapłacę?", "a b *", (0, 1)),
        ("Mam 20 zł, wydałem 7 zł. Ile mi zostało?", "a b -", (0, 1)),
        ("Buty kosztowały 240 zł, kupiłam je o 15% taniej. Ile zapłaciłam?", "a 1 b - *", (0, 1)),
        ("46 worków, do auta wchodzi 12 na raz, ile kursów", "a b / ceiling", (0, 1)),
    ],
)
def test_the_likeliest_calculation_of_a_plain_story_is_right(
    prompt: str, code: str, chosen: tuple[int, ...]
) -> None:
    first = written(prompt)[0]

    assert (first.code, first.chosen) == (code, chosen)


def test_what_is_written_is_whole_and_comes_likeliest_first() -> None:
    found = written("Mam 2140 zł, czynsz 680, leki 210. Połowę reszty odkładam. Ile to będzie?")
    likelihoods = [one.likelihood for one in found]

    assert 1 < len(found) <= 6
    assert likelihoods == sorted(likelihoods, reverse=True)
    assert sum(map(math.exp, likelihoods)) <= 1 + 1e-6
    assert all(parse(one.code).slots == len(one.chosen) > 0 for one in found)
    assert len({(one.code, one.chosen) for one in found}) == len(found)


def test_the_same_story_is_read_alike_every_time() -> None:
    prompt = "Trzy bilety po 28 zł i popcorn za 19 zł, ile razem?"

    assert written(prompt) == written(prompt)


@every_row(
    "prompt",
    [
        "ile razem kosztuje "
        + "bardzo smaczny " * (MOST_TOKENS // 2)
        + "chleb za 5 zł i bułka za 2 zł",
        "ile razem: " + ", ".join(f"{n} zł za zeszyt" for n in range(2, 30)),
    ],
)
def test_a_story_too_long_or_of_too_many_numbers_is_not_written(prompt: str) -> None:
    assert written(prompt) == []


@pytest.mark.parametrize(
    "prompt", ["mam 7/0 jabłek i 3 gruszki, ile to razem", "0 zł i 0 zł, ile razem"]
)
def test_odd_numbers_do_no_harm(prompt: str) -> None:
    assert all(one.chosen for one in written(prompt))


def test_a_token_tells_its_quantity_its_unit_and_whether_it_is_asked_for() -> None:
    statement = statement_of("W kinie było 120 osób, wyszło 35 osób. Ile osób zostało?")
    assert statement is not None
    tokens = tokens_of(statement)
    quantities = [one for one in tokens if one.place >= 0]
    words = {one.names[0]: one for one in tokens if one.place < 0}

    assert [one.place for one in quantities] == [0, 1]
    assert quantities[0].group == quantities[1].group == words["osob"].group == 1
    assert words["kinie"].group == 0
    assert words["zosta"].traits[0] == 1.0  # asked
    assert words["kinie"].traits[0] == 0.0
    assert all(len(one.traits) == TRAITS for one in tokens)
