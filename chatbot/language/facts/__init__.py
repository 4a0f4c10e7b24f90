"""What a Polish text claims in numbers, days, names and weather, to compare two texts by it."""

from chatbot.language.facts.comparison import Objection, Source

__all__ = ["Objection", "Source"]
