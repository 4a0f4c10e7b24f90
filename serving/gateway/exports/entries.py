"""What every format of an export is written from: one message with its conversation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chatbot.types import JsonObject, JsonValue
from serving.storage.records import Conversation, StoredMessage


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One message; ``is_shown``: it stands in the branch that its conversation shows."""

    conversation: Conversation
    message: StoredMessage
    is_shown: bool

    def parts(self, kind: str) -> Iterator[JsonObject]:
        """The message's parts of one type, in order."""
        return (part for part in self.message.parts if part.get("type") == kind)

    def part(self, kind: str) -> JsonObject:
        """The first part of one type, or an empty one."""
        return next(self.parts(kind), {})

    @property
    def text(self) -> str:
        """What was said, without the model's reasoning."""
        texts = self.parts("text")
        return "".join(
            text_in(part, "text") for part in texts if part.get("channel", "answer") == "answer"
        )


def text_in(part: JsonObject, name: str) -> str:
    """The text under ``name``; empty where there is none."""
    value = part.get(name)
    return value if isinstance(value, str) else ""


def number_in(part: JsonObject, name: str) -> int | None:
    """The whole number under ``name``, if there is one."""
    value = part.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def list_in(part: JsonObject, name: str) -> Sequence[JsonValue]:
    """The list under ``name``; empty where there is none."""
    value = part.get(name)
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def objects_in(part: JsonObject, name: str) -> Iterator[JsonObject]:
    """The objects of the list under ``name``."""
    return (one for one in list_in(part, name) if isinstance(one, Mapping))
