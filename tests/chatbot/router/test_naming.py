"""Requests for an article that name none."""

import pytest

from chatbot.router.detector.topic import read_topics


@pytest.mark.parametrize(
    "prompt",
    [
        "Zajrzyj proszę do niemieckiej Wikipedii, muszę tam jedną rzecz potwierdzić.",
        "Zerknij do Wikipedii, mam tam coś do zweryfikowania",
        "Poproszę o informacje na temat pewnej bitwy. Zaraz napiszę której.",
        "Wyszukaj na Wikipedii tego pana, o którym wczoraj mówili w telewizji",
    ],
)
def test_what_is_put_off_or_only_pointed_at_is_no_topic(prompt: str) -> None:
    assert read_topics(prompt) == ()


@pytest.mark.parametrize(
    ("prompt", "topics"),
    [
        ("Poszukaj czegoś w Wikipedii, dobrze?", ()),
        ("Ile ma metrów?", ()),
        ("A ile ma mieszkańców?", ()),
        ("ilu miał żon?", ()),
        ("ile ma stonoga", ("stonoga",)),
        ("ilu miał żon Henryk VIII?", ("Henryk VIII",)),
        ("Kim był Kopernik, dobra?", ("Mikołaj Kopernik",)),
    ],
)
def test_what_is_counted_and_a_plea_are_no_topic(prompt: str, topics: tuple[str, ...]) -> None:
    assert read_topics(prompt) == topics


def test_a_name_beside_such_a_remark_is_one() -> None:
    prompt = "Zajrzyj do Wikipedii, muszę sprawdzić datę bitwy pod Cedynią"

    assert read_topics(prompt) == ("bitwa pod Cedynią",)
