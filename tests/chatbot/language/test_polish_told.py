"""Polish is told from English, word by word."""

from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase

import pytest
from scripted.effort import ratio
from scripted.tables import every_row

from chatbot.language.polish import is_polish

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("descriptions.tsv").read_text("utf-8").splitlines()
]
MISSED = {"ogrod pelen roz"}  # without diacritics, and two words of three are unknown so


@every_row(("language", "text"), ROWS)
def test_a_description_is_told_by_its_words(language: str, text: str) -> None:
    assert is_polish(text) is (language == "pl" and text not in MISSED)


@pytest.mark.parametrize("text", ["", "7 · 8", "Malbork", "!?"])
def test_what_has_no_common_word_is_not_polish(text: str) -> None:
    assert not is_polish(text)


def test_only_the_first_unknown_words_of_a_long_text_cost_much() -> None:
    endings = map("".join, product(ascii_lowercase, repeat=3))
    unknown = (f"aeocnls{ending}" for ending in endings)  # each but once: answers are kept

    def tell(words: int) -> None:
        assert not is_polish(" ".join(islice(unknown, words)))

    assert ratio(tell, 32, 400, below=4, runs=3) < 4
