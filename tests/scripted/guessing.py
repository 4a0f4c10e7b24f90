"""What the embedded engine makes of the last text of a conversation."""

from collections.abc import Sequence
from datetime import date

from scripted.needing_tools import TOOLS

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue import follow_up, guess, state
from chatbot.types import Message, Text

TODAY = date(2026, 11, 18)


def guessed(*texts: str) -> Sequence[DetectedCall]:
    """Return the calls for the last text, after the user and the assistant said the others."""
    *said, prompt = texts
    messages = [
        Message(role="assistant" if at % 2 else "user", parts=(Text(text=text),))
        for at, text in enumerate(said)
    ]
    detector, known = Detector.load(), state(messages)
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    return found.calls if found is not None else ()
