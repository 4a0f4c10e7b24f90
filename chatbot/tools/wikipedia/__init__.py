"""The Wikipedia tool: the article that answers a question about a topic."""

from chatbot.tools.wikipedia.lookup import search_wikipedia
from chatbot.tools.wikipedia.options import WikipediaSettings

__all__ = ["WikipediaSettings", "search_wikipedia"]
