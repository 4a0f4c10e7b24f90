"""Read what a picture should show: requests taken off, corrections followed, base forms."""

from chatbot.router.detector.picture.others import asks_for_other
from chatbot.router.detector.picture.reading import read_description
from chatbot.router.detector.picture.several import read_descriptions

__all__ = ["asks_for_other", "read_description", "read_descriptions"]
