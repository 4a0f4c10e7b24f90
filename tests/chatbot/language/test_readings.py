"""Words are read as they were written and as names, whatever is asked of the dictionary for it."""

import morfeusz2
import pytest

from chatbot.language.morphology import morphology


@pytest.mark.parametrize(
    "word",
    [
        "zamek", "nowego", "pojutrze", "jana", "gal", "b", "mi", "byś", "europejka", "eurowizji",
        "podlodowską", "nato", "międzyzdrojach", "zrobiłbym", "Warszawie", "NATO", "iPhone",
    ],
)  # fmt: skip
def test_a_word_has_the_readings_of_itself_and_then_of_a_name(word: str) -> None:
    dictionary = morfeusz2.Morfeusz(expand_tags=False)
    keys = []
    for written in (word, word[:1].upper() + word[1:].lower()):
        edges = [one for one in dictionary.analyse(written) if one[2][2] != "ign"]
        last = max((end for _, end, _ in edges), default=0)
        whole = [item for start, end, item in edges if (start, end) == (0, last)]
        first = [item for start, _, item in edges if start == 0]
        keys += [(item[1], item[2].partition(":")[0]) for item in whole or first]
    found = [(one.key, one.pos) for one in morphology().readings(word)]
    assert list(dict.fromkeys(found)) == list(dict.fromkeys(keys))


def test_a_word_that_no_dictionary_has_is_not_read() -> None:
    assert morphology().readings("wąwelem") == ()
