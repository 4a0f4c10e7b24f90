"""A conversation about calculations as the network reads it, and what it writes for a prompt."""

import math

import pytest
from scripted.tables import every_row

from chatbot.router.detector.detector import DetectedCall
from chatbot.router.detector.formulas.stories.network import MOST, MOST_TOKENS
from chatbot.router.dialogue.calculations.proposal_writing import (
    Conversation,
    read_conversation,
    write,
)
from chatbot.router.dialogue.turns import Turn


def turn(prompt: str, reply: str, *expressions: str) -> Turn:
    calls = (DetectedCall(name="calculate", arguments={"expression": one}) for one in expressions)
    return Turn(prompt=prompt, reply=reply, calls=tuple(calls), is_told=True)


PRINTS = turn("Ile zapłacę za 64 odbitki po 0,79?", "Zapłacisz 50,56 zł.", "64*Rational(79, 100)")
HUNDRED = turn("a za setkę po 0,69", "Sto odbitek to 69 zł.", "100*Rational(69, 100)")


def read(prompt: str, *turns: Turn) -> Conversation:
    found = read_conversation(prompt, turns)
    assert found is not None
    return found


def test_numbers_stand_in_order_the_prompts_own_then_results_then_the_others() -> None:
    found = read("i jeszcze 2 ramki po 15 zł", PRINTS, HUNDRED)

    assert [one.text for one in found.numbers] == [
        "2", "15", "(100*Rational(69, 100))", "(64*Rational(79, 100))", "100", "0.69", "100",
        "64", "0.79",
    ]  # fmt: skip
    assert [one.is_result for one in found.numbers] == [False] * 2 + [True] * 2 + [False] * 5


def test_a_result_that_a_reply_tells_has_one_place() -> None:
    found = read("podziel to na troje", PRINTS)
    result = [one.is_result for one in found.numbers].index(True)
    told = [one for one in found.tokens if one.place == result]

    assert len(told) == 2
    assert {one.part for one in told} == {1, 3}


def test_only_the_nearest_number_of_a_reply_tells_the_result() -> None:
    bags = turn("540 l, worek ma 40 l", "To 13,5 worka, czyli kup 14.", "540/40")
    found = read("po 17,90", bags)

    assert [one.text for one in found.numbers] == ["17.90", "(540/40)", "540", "40", "14"]


def test_an_earlier_calculation_is_read_by_the_places_of_its_numbers() -> None:
    third = turn("a 3 takie ramki?", "Razem 95,56 zł.", "64*Rational(79, 100) + 3*15")
    found = read("a 4?", PRINTS, turn("ramka 15 zł", "Dobrze."), third)
    signs = [one for one in found.tokens if one.names[2] == "worked" and one.part == 1]
    numbers = [found.numbers[one.place].text for one in signs if one.place >= 0]

    assert numbers == [
        "(64*Rational(79, 100))", "3", "15", "(64*Rational(79, 100) + 3*15)",
    ]  # fmt: skip
    assert [one.names[0] for one in signs if one.place < 0] == ["=*", "=+"]


def test_old_exchanges_are_left_out_where_all_would_be_too_long() -> None:
    long = turn("mam " + "bardzo ładny dom i ogród, " * 30, "Pięknie.")

    assert read("a za 80?", long, PRINTS) == read("a za 80?", PRINTS)
    assert len(read("a za 80?", long, PRINTS).tokens) < MOST_TOKENS


def test_more_numbers_than_are_read_have_no_place() -> None:
    many = turn(" i ".join(f"{n},5 zł" for n in range(2, 30)), "Dużo.")
    found = read("dodaj je wszystkie i jeszcze 3 zł", many)

    assert len(found.numbers) == MOST
    assert max(one.place for one in found.tokens) < MOST


@every_row(
    ("prompt", "turns"),
    [
        ("a do 5?", [turn("granica 1/x do 0", "Nieskończoność.", "limit(1/x, x, 0)")]),
        ("ile to?", []),
        ("a teraz?", [turn("cześć", "Dzień dobry!")]),
        ("podziel przez 2", [turn("ile to 1/0", "Nie da się.", "1/0")]),
    ],
)
def test_without_a_plain_calculation_or_a_number_nothing_is_written(
    prompt: str, turns: list[Turn]
) -> None:
    assert write(prompt, turns) == []


@pytest.mark.parametrize(
    ("prompt", "turns", "value"),
    [
        ("a 80 odbitek?", (PRINTS,), 80 * 0.79),
        ("podziel to na dwie osoby", (PRINTS,), 64 * 0.79 / 2),
        ("czyli o ile drożej", (PRINTS, HUNDRED), 69 - 64 * 0.79),
        ("i wysyłka 12 zł", (HUNDRED,), 81.0),
    ],
)
def test_the_likeliest_calculation_of_a_plain_follow_up_is_right(
    prompt: str, turns: tuple[Turn, ...], value: float
) -> None:
    assert write(prompt, turns)[0].value == pytest.approx(value)


def test_what_is_written_comes_likeliest_first_and_alike_every_time() -> None:
    found = write("a z rabatem 10%?", [PRINTS, HUNDRED])
    likelihoods = [one.likelihood for one in found]

    assert likelihoods == sorted(likelihoods, reverse=True)
    assert sum(map(math.exp, likelihoods)) <= 1 + 1e-6
    assert found == write("a z rabatem 10%?", [PRINTS, HUNDRED])
