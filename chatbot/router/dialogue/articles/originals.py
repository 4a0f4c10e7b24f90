"""The work that a picture was made after: "a gdzie wisi oryginał?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.topic import base_of, plain_question
from chatbot.router.detector.topic_model import topic_model
from chatbot.router.dialogue.mentions import find_mentions
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import IMAGE

_ORIGINAL = regex(
    r"\b(?:oryginal\w{0,4}|pierwowzor\w{0,4}|prawdziw(?:y|a|e|ego|ej) obraz\w{0,2})\b"
)


def original_meant(scene: Scene) -> str | None:
    """Return the title that the last picture has, else the name of what it shows."""
    pictures = scene.state.pictures
    if not pictures or not scene.is_active(IMAGE) or not _ORIGINAL.search(scene.folded):
        return None
    named = find_mentions(pictures[0])
    title = next((one.name for one in named if one.kind == "work"), None)
    if title is not None:
        return title
    text = plain_question(pictures[0])
    likely = (base_of(text, words) for words, _ in topic_model().ranked(text, most=1))
    name = next(likely, "")
    return name if name[:1].isupper() else None
