"""The likeliest phrases of a question, and which of them is its topic."""

import numpy as np
from scripted.tables import every_row

from chatbot.router.detector.phrases import find_phrases
from chatbot.router.detector.rivals import MOST, describe_rivals, likeliest, stems_of
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics
from chatbot.router.detector.topic_model import topic_model
from chatbot.router.detector.trees import BoostedTrees


def test_a_tree_takes_the_left_branch_up_to_its_threshold() -> None:
    trees = BoostedTrees(
        features=np.array([[1, -1, -1], [0, -1, -1]]),
        thresholds=np.array([[0.5, 0.0, 0.0], [2.0, 0.0, 0.0]]),
        children=np.array([[[1, 2], [1, 1], [2, 2]], [[1, 2], [1, 1], [2, 2]]]),
        leaves=np.array([[0.0, -1.0, 1.0], [0.0, 10.0, 20.0]]),
        levels=1,
    )

    scores = trees.score(np.array([[2.0, 0.5], [3.0, 0.5], [3.0, 0.6]]))

    assert scores.tolist() == [9.0, 19.0, 21.0]


def test_no_more_phrases_are_compared_than_are_worth_it() -> None:
    phrases = find_phrases("Kiedy Jan Matejko namalował „Hołd pruski” w Krakowie?", None)
    parts = topic_model().parts(phrases)
    rows = likeliest(parts.sum(axis=1))

    told = describe_rivals(phrases, parts, rows)

    assert len(rows) == MOST
    assert len(told) == MOST
    assert np.isfinite(told).all()


def test_forms_of_a_word_have_one_stem() -> None:
    assert stems_of(split_words("Warta")) == stems_of(split_words("Warty"))


@every_row(
    ("prompt", "topic"),
    [
        ("Dziadek opowiada o Luxtorpedzie i o parowozie Pm36. Ile Pm36 wyprodukowano?", "Pm36"),
        (
            "Kto grał główną rolę w „Lotnisku”, nie, czekaj, w „Czasie apokalipsy”?",
            "Czas apokalipsy",
        ),
        ("Jak zbudowany jest pierścienica dżdżownica?", "dżdżownica"),
        ("Jak głęboka jest Studnia Trzech Króli? Eee, chodziło o jezioro Hańcza.", "Hańcza"),
        (
            "Kiedy rozegrano pierwszy mecz reprezentacji Polski w piłce nożnej?",
            "reprezentacja Polski w piłce nożnej",
        ),
    ],
)
def test_what_is_asked_about_is_told_from_what_is_mentioned(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)
