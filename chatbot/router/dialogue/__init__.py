"""What the conversation is about, and the calls of a prompt that only makes sense within it."""

from chatbot.router.dialogue.follow_up import FollowUp, follow_up, recall
from chatbot.router.dialogue.guess import guess
from chatbot.router.dialogue.state import DialogueState, state

__all__ = ["DialogueState", "FollowUp", "follow_up", "guess", "recall", "state"]
