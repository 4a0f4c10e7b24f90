"""What a text claims is compared with its source: paraphrases pass, inventions do not."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from scripted.effort import LINEAR, growth
from scripted.tables import every_row

from chatbot.language import format_number, plural
from chatbot.language.facts import Source

CORPUS = Path(__file__).with_name("paraphrases.tsv")


def rows() -> Iterator[tuple[str, str, str]]:
    """Verdict, source, what is said of it."""
    sources: dict[str, str] = {}
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        first, *rest = line.split("\t")
        if first.startswith("="):
            sources[first[1:]] = rest[0].replace("\\n", "\n")
        elif not first.startswith("#"):
            yield first, sources[rest[0]], rest[1]


GOOD = [(source, said) for verdict, source, said in rows() if verdict == "good"]
BAD = [(source, said) for verdict, source, said in rows() if verdict == "bad"]
temperatures = st.integers(-38, 38)


def kinds(source: str, said: str) -> set[str]:
    return {objection.kind for objection in Source(source).object_to(said)}


@every_row(("source", "said"), GOOD)
def test_a_true_paraphrase_passes(source: str, said: str) -> None:
    assert Source(source).object_to(said) == ()


@every_row(("source", "said"), BAD)
def test_an_invention_is_objected_to(source: str, said: str) -> None:
    assert Source(source).object_to(said) != ()


def test_the_corpus_has_forty_of_each() -> None:
    assert min(len(GOOD), len(BAD)) >= 40


@every_row("source", sorted({source for source, _ in GOOD}))
def test_every_source_agrees_with_itself(source: str) -> None:
    assert Source(source).object_to(source) == ()


def template(degrees: int) -> str:
    return f"W Łodzi jest teraz {format_number(degrees)} °C, pochmurno."


TENS = ["zero", "dziesięć", "dwadzieścia", "trzydzieści"]
ONES = ["zero", "jeden", "dwa", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć"]
TEENS = [
    *("dziesięć", "jedenaście", "dwanaście", "trzynaście", "czternaście", "piętnaście"),
    *("szesnaście", "siedemnaście", "osiemnaście", "dziewiętnaście"),
]


def in_words(number: int) -> str:
    tens, ones = divmod(number, 10)
    if tens == 1:
        return TEENS[ones]
    if not tens or not ones:
        return TENS[tens] if tens else ONES[ones]
    return f"{TENS[tens]} {ONES[ones]}"


def forms(degrees: int) -> list[str]:
    size = abs(degrees)
    noun = plural(size, "stopień", "stopnie", "stopni")
    if degrees >= 0:
        return [
            f"{size} °C",
            f"{size} {noun}",
            f"{in_words(size)} {noun} Celsjusza",
            f"plus {size}",
        ]
    return [
        f"−{size} °C",
        f"-{size}°C",
        f"minus {size} {noun}",
        f"minus {in_words(size)}",
        f"{size} {noun} mrozu",
        f"{in_words(size)} {noun} poniżej zera",
    ]


@given(degrees=temperatures)
def test_a_temperature_passes_in_any_polish_form(degrees: int) -> None:
    source = Source(template(degrees))
    for form in forms(degrees):
        assert source.object_to(f"W Łodzi jest {form}.") == (), form


@given(degrees=temperatures, other=temperatures)
def test_another_temperature_fails_in_any_polish_form(degrees: int, other: int) -> None:
    if degrees == other:
        other = degrees + 1
    source = Source(template(degrees))
    for form in forms(other):
        objections = source.object_to(f"W Łodzi jest {form}.")
        assert "number" in {one.kind for one in objections}, form


@given(amount=st.decimals(Decimal("0.1"), Decimal("99999.9"), places=1))
def test_a_decimal_passes_and_its_neighbour_does_not(amount: Decimal) -> None:
    source = f"Kurs wynosi {format_number(amount)} zł."
    wrong = format_number(amount + Decimal("0.1"))
    assert kinds(source, f"Zapłacisz {format_number(amount)} zł.") == set()
    assert kinds(source, f"Zapłacisz {wrong} zł.") == {"number"}


@given(st.text(alphabet="a1 .,-−–:½²IVX°%\nśŁĄ()„”[]/@", max_size=80))
def test_any_text_agrees_with_itself(text: str) -> None:
    numbers = [one for one in Source(text).object_to(text) if one.kind == "number"]
    assert numbers == []


@pytest.mark.parametrize(
    "piece",
    ["1 ", "jeden ", ".", "-", "dwa i ", "12 345", "w sobotę ", "deszcz ", "północny ", "a@", "(("],
)
def test_the_time_grows_with_the_length_alone(piece: str) -> None:
    source = Source("W Łodzi jest teraz 5 °C, pochmurno.")
    assert growth(source.object_to, piece, 4_000, runs=3) < LINEAR
