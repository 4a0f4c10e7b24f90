"""Word problems read by a trained model, where the rules read nothing or only guess."""

from chatbot.router.detector.formulas.stories.model import StoryModel, story_model
from chatbot.router.detector.formulas.stories.reading import read_calculation, read_story

__all__ = ["StoryModel", "read_calculation", "read_story", "story_model"]
