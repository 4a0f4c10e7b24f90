"""Word problems read by a trained model, where the rules read nothing or only guess."""

from chatbot.router.detector.formulas.stories.model import StoryModel, story_model
from chatbot.router.detector.formulas.stories.reading import (
    is_settled,
    read_calculation,
    read_story,
)

__all__ = ["StoryModel", "is_settled", "read_calculation", "read_story", "story_model"]
