"""The kit for plugin authors and for our own tests: scripted engines, stand-ins, tool runners."""

from chatbot.testing.engines import (
    ONE_PIXEL_PNG,
    Pause,
    ScriptedEngine,
    ScriptedImageEngine,
    answer,
)
from chatbot.testing.surroundings import InlineWorkers, ManualClock, MemoryImageStore

__all__ = [
    "ONE_PIXEL_PNG",
    "InlineWorkers",
    "ManualClock",
    "MemoryImageStore",
    "Pause",
    "ScriptedEngine",
    "ScriptedImageEngine",
    "answer",
]
