"""The classifier's two groups of features: what is looked up all at once is what features tell."""

import numpy as np
import pytest

from chatbot.router.detector.classifier import Classifier, Letters, Words, packaged_classifier
from chatbot.router.detector.features import lettered, letters

PROMPTS = (
    "Jaka będzie jutro pogoda w Łodzi?",
    "∫ x² dx, a potem √2 − ½",
    "mama ma mamę",
    "🙂🙂🙂 ок",
    "a\x00b",
    "k",
    "",
)
IDF = np.array([1.0, 2.0, 3.0, 0.5, 1.5], dtype=np.float32)
COEFFICIENTS = np.arange(10, dtype=np.float32).reshape(5, 2) - 4


@pytest.mark.parametrize("prompt", PROMPTS)
def test_letters_are_weighed_as_the_strings_that_training_learns(prompt: str) -> None:
    names = sorted({gram for each in PROMPTS for gram in letters(each)[::2]})
    idf = np.linspace(0.5, 4, len(names), dtype=np.float32)
    coefficients = np.sin(np.arange(3 * len(names), dtype=np.float32)).reshape(-1, 3)
    by_string = Words(names, idf, coefficients).score(letters(prompt))
    coded = Letters(names, idf, coefficients).score(lettered(prompt))
    assert coded == pytest.approx(by_string, abs=1e-6)


def test_a_text_of_unknown_letters_has_no_score() -> None:
    part = Letters([" ma", "ma ", "mama", "ama ", "a m"], IDF, COEFFICIENTS)
    assert part.score(" ж☃ 漢字 ").tolist() == [0, 0]
    assert part.score("").tolist() == [0, 0]
    assert Words(["l=ma"], IDF[:1], COEFFICIENTS[:1]).score([]).tolist() == [0, 0]


def test_a_repeated_feature_counts_once_and_scores_have_unit_length() -> None:
    part = Letters([" ma", "ma ", "mama", "ama ", "a m"], IDF, COEFFICIENTS)
    rows = [0, 1, 4]
    expected = (COEFFICIENTS[rows] * IDF[rows, None]).sum(axis=0)
    expected = expected / np.sqrt((IDF[rows] ** 2).sum())
    assert part.score(" ma ma ").tolist() == pytest.approx(expected.tolist(), abs=1e-6)


def test_more_letters_than_the_numbers_hold_are_refused() -> None:
    names = [chr(0x4E00 + at) * 3 for at in range(6_300)]
    with pytest.raises(ValueError, match="too many"):
        Letters(names, np.ones(6_300, dtype=np.float32), np.ones((6_300, 1), dtype=np.float32))


def test_probabilities_sum_to_one_for_whatever_is_written() -> None:
    classifier: Classifier = packaged_classifier()
    for prompt in PROMPTS:
        assert sum(classifier.probabilities(prompt).values()) == pytest.approx(1)
