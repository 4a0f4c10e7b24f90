"""The Wikipedia tool: the article, or the section of one, that answers a question on a topic."""

from chatbot.tools.wikipedia.options import WikipediaSettings
from chatbot.tools.wikipedia.tool import search_wikipedia

__all__ = ["WikipediaSettings", "search_wikipedia"]
