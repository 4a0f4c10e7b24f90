"""The name itself within a likely topic: something is always left."""

from chatbot.router.detector.topic import read_topics


def test_a_phrase_that_only_asks_leaves_a_topic_or_none() -> None:
    assert read_topics("Rok założenia?") in {(), ("rok założenia",), ("Rok założenia",)}
