"""The kit for plugin authors and for our own tests: scripted engines, stand-ins, tool runners."""

from chatbot.testing.checks import check_tool
from chatbot.testing.engines import (
    ONE_PIXEL_PNG,
    Pause,
    ScriptedEngine,
    ScriptedImageEngine,
    answer,
)
from chatbot.testing.running import run_tool
from chatbot.testing.stand_in import StandIn, StandInSession, UnscriptedRequest
from chatbot.testing.surroundings import InlineWorkers, ManualClock, MemoryImageStore

__all__ = [
    "ONE_PIXEL_PNG",
    "InlineWorkers",
    "ManualClock",
    "MemoryImageStore",
    "Pause",
    "ScriptedEngine",
    "ScriptedImageEngine",
    "StandIn",
    "StandInSession",
    "UnscriptedRequest",
    "answer",
    "check_tool",
    "run_tool",
]
