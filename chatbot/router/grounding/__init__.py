"""Grounding: the names in a model's arguments, put right by what the user wrote."""

from chatbot.router.grounding.ground import Grounded, ground

__all__ = ["Grounded", "ground"]
