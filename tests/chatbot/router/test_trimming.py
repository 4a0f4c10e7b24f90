"""The name itself within a likely topic: something is always left."""

from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics
from chatbot.router.detector.trimming import named_after


def test_a_phrase_that_only_asks_leaves_a_topic_or_none() -> None:
    assert read_topics("Rok założenia?") in {(), ("rok założenia",), ("Rok założenia",)}


def test_an_author_told_by_a_work_is_the_topic() -> None:
    words = split_words("tego malarza od „Krzyku”, Muncha")

    assert named_after(words, (4, 5)) == (7, 8)
    assert named_after(words, (1, 2)) == (1, 2)
