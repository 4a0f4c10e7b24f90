"""What must pass the guard unchanged: clean code in twelve languages, JSON, ordinary text."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted.tables import every_row

from chatbot.sanitizer import Guard, guard_text

SNIPPETS = Path(__file__).with_name("snippets.txt").read_text(encoding="utf-8")


def snippets() -> Iterator[tuple[str, str]]:
    for section in SNIPPETS.split("## ")[1:]:
        language, _, body = section.partition("\n")
        for code in body.split("\n%%\n"):
            yield language, code.strip("\n")


def one_by_one(text: str) -> str:
    guard = Guard()
    return "".join(map(guard.feed, text)) + guard.finish()


def test_corpus_has_two_hundred_snippets_in_twelve_languages() -> None:
    corpus = list(snippets())

    assert len(corpus) >= 200
    assert len({language for language, _ in corpus}) == 12


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_clean_fenced_snippets_pass_byte_for_byte(fence: str) -> None:
    documents = [
        f"Oto przykład:\n\n{fence}{language}\n{code}\n{fence}\n\nI tyle."
        for language, code in snippets()
    ]

    assert [one_by_one(text) for text in documents] == documents


def test_snippets_in_one_document_pass_byte_for_byte() -> None:
    document = "\n\n".join(f"```{language}\n{code}\n```" for language, code in snippets())

    assert guard_text(document) == document


def test_json_answers_stay_valid() -> None:
    value = {"imię": "Jan", "znaki": ["!", "[", "a < b"], "url": "https://a.example/?q=1&x=[2]"}

    assert json.loads(guard_text(json.dumps(value, ensure_ascii=False))) == value


@every_row(
    "text",
    [
        "Cześć! Jak mogę pomóc?",
        "1 < 2, a 3 > 2; x<-y; ceny <5 zł",
        "„Cudzysłów” – myślnik, 12,5 % i −3 °C",
        "| a | b |\n|---|---|\n| 1 | `x < y` |",
        "**Ważne!** Zobacz [źródło](https://pl.wikipedia.org/wiki/Kraków).",
        "- jeden\n- dwa\n\n1. raz\n2. dwa\n\n> cytat",
        "$x < 1$, $$\\int_0^1 x\\,dx = \\frac{1}{2}$$ i \\(a<1\\)",
    ],
)
def test_ordinary_text_passes_unchanged(text: str) -> None:
    assert guard_text(text) == text
