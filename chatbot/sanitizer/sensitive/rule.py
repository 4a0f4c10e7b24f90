"""What an operator wants to be done about one kind of sensitive content."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from chatbot.sanitizer.sensitive.detector import Detector

Action: TypeAlias = Literal["mask", "refuse", "log"]
Direction: TypeAlias = Literal["in", "out", "both"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """``name`` tells of it in logs and figures; ``mask`` is what stands in the content's place."""

    name: str
    detector: Detector
    action: Action
    direction: Direction = "both"
    mask: str = ""
