"""Stories of amounts: quantities with dimensions, and what is asked of them."""

from chatbot.router.detector.formulas.problems.amounts.story import read_story as read_story
